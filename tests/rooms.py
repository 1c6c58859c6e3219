#!/usr/bin/env python3
"""Holds the source to its rooms: who may include whom, and what a room may touch of the world.

usage: rooms.py TOP. Prints one line for each offence; exit status 1 if there is one.
"""
import pathlib
import re
import sys

# A file belongs to the longest room that its path begins with. Which rooms it may include,
# besides its own:
MAY_INCLUDE = {
    "rules": [],
    "protocol": ["rules"],
    "hal": ["protocol", "rules"],
    "config": [],
    "daemon/referee": ["protocol", "rules"],
    "daemon": ["config", "daemon/referee", "hal", "protocol", "rules"],
}
# What only some files may say: the files, the words (in code, not in comments), and why.
ONLY = [
    (r"hal/usb_", r"libusb", "libusb is named nowhere but in the USB driver"),
    (r"hal/|daemon/(app\.|commands/)", r'"hal/', "only the app and commands know where sensor events come from"),
    (r"hal/|daemon/(?!referee/)", r"\b(steady|system|high_resolution)_clock\b|\bgettimeofday\b|\bclock_gettime\b",
     "what the core knows of time it is told"),
    (r"hal/|daemon/(?!referee/)", r"<boost/(asio|beast)|<(thread|mutex|atomic|future)>|<sys/|<unistd\.h>",
     "the core knows no socket and no thread"),
    (r"hal/|config/|daemon/(?!referee/)", r"<(fstream|iostream|filesystem)>|\bfopen\b",
     "the core opens no file"),
    # Headers that take seconds to compile are paid for by each file that includes them.
    (r".*\.cpp$|daemon/referee/table_impl\.hpp$|daemon/http_connection\.hpp$",
     r"<boost/(json\.hpp|json/src|beast|asio\.hpp|asio/(ip|ssl|io_context|local))|<spdlog/|<toml\+\+|<CLI/",
     "heavy headers stay out of headers"),
]
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def room_of(path):
    """The room of a file, by its path from the top; None outside all rooms."""
    fitting = [room for room in MAY_INCLUDE if path.startswith(room + "/")]
    return max(fitting, key=len, default=None)


def offences(path, text):
    """What is wrong with one file, as sentences."""
    room = room_of(path)
    for included in INCLUDE.findall(text):
        there = room_of(included)
        if there is None:
            yield f'"{included}" does not say its room'
        elif there not in [room, *MAY_INCLUDE[room]]:
            yield f'{room} may not include "{included}"'
    for files, words, why in ONLY:
        if not re.match(files, path):
            for found in re.finditer(words, text):
                yield f"{found.group()}: {why}"


def sources(top):
    for room in sorted({name.split("/")[0] for name in MAY_INCLUDE}):
        for file in sorted((top / room).rglob("*.[ch]pp")):
            # A `//` inside a string hides the rest of its line too; nothing judged here stands there.
            yield file.relative_to(top).as_posix(), COMMENT.sub("", file.read_text("utf-8"))


def self_test():
    """The rules above must be able to fail."""
    bad = {
        "rules/a.cpp": ['#include "protocol/utc.hpp"', '#include "types.hpp"', "#include <fstream>"],
        "protocol/a.cpp": ['#include "hal/dice.hpp"', "#include <sys/socket.h>"],
        "hal/a.cpp": ['#include "daemon/hub.hpp"', "libusb_init(&context);"],
        "config/a.cpp": ['#include "rules/types.hpp"'],
        "daemon/referee/a.cpp": ['#include "daemon/hub.hpp"', '#include "hal/dice.hpp"', "std::chrono::steady_clock::now()"],
        "daemon/a.cpp": ['#include "hal/dice.hpp"', '#include "tests/support.hpp"'],
        "daemon/a.hpp": ["#include <boost/beast/http.hpp>"],
    }
    for path, lines in bad.items():
        for line in lines:
            assert list(offences(path, line)), f"{path} may say {line}"
    assert not list(offences("daemon/app.cpp", '#include "hal/dice.hpp"\n#include "rules/types.hpp"'))


def main():
    self_test()
    found = [f"{path}: {what}" for path, text in sources(pathlib.Path(sys.argv[1])) for what in offences(path, text)]
    print("\n".join(found) or "every file keeps to its room")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
