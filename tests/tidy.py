#!/usr/bin/env python3
"""Runs clang-tidy over the project's files, several at once, and remembers which were clean.

usage: tidy.py BUILD [--jobs N] [ROOM...]

BUILD holds compile_commands.json. ROOMs are folders; none means all files. A file is analysed again
only if it, a header of ours that it includes, .clang-tidy or its compiler options have changed:
what was clean is kept in ~/.cache/xiangqid-tidy, so that a new checkout has it too.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
CLEAN = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "xiangqid-tidy"
COMPILER, TIDY = "clang++-14", "clang-tidy-14"
NOT_OPTIONS = {"-c", "-MD", "-MP"}  # and -o, -MF, -MT, with what follows each
WITH_A_PATH = {"-isystem", "-include"}


def options_of(command):
    """The compiler options of an entry of compile_commands.json, without inputs and outputs."""
    words = iter(shlex.split(command["command"]))
    kept = []
    for word in words:
        if word in ("-o", "-MF", "-MT"):
            next(words)
        elif word in WITH_A_PATH:
            kept += [word, next(words)]
        elif word.startswith("-") and word not in NOT_OPTIONS:
            kept.append(word)
    return kept


def fingerprint(command):
    """Names all that the analysis of a file depends on, wherever the checkout lies."""
    made = subprocess.run([COMPILER, *options_of(command), "-MM", command["file"]], check=True, cwd=command["directory"],
                          stdout=subprocess.PIPE, text=True).stdout
    # "name.o: a.cpp b.hpp \\\n c.hpp": of ours only, system headers are left out.
    files = sorted(set(made.replace("\\\n", " ").split()[1:]))
    digest = hashlib.sha256(" ".join(options_of(command)).replace(str(TOP), "").encode())
    for file in [TOP / ".clang-tidy", *map(pathlib.Path, files)]:
        digest.update(file.name.encode() + b"\0" + (pathlib.Path(command["directory"]) / file).read_bytes())
    return digest.hexdigest()


def analyse(command, build):
    """(the file's path from the top, what clang-tidy says of it or "")."""
    path = os.path.relpath(command["file"], TOP)
    try:
        clean = CLEAN / fingerprint(command)
    except subprocess.CalledProcessError:
        return path, "it does not compile with " + COMPILER
    if clean.exists():
        return path, ""
    ran = subprocess.run([TIDY, "-p", build, "--quiet", command["file"]],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode:
        return path, ran.stdout
    clean.touch()
    return path, ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("rooms", nargs="*")
    args = parser.parse_intermixed_args()
    CLEAN.mkdir(parents=True, exist_ok=True)
    build = pathlib.Path(args.build).resolve()
    commands = {command["file"]: command for command in json.loads((build / "compile_commands.json").read_text())
                if pathlib.Path(command["file"]).is_relative_to(TOP)
                and not pathlib.Path(command["file"]).is_relative_to(build)}
    rooms = [TOP / room for room in args.rooms] or [TOP]
    chosen = [c for file, c in sorted(commands.items()) if any(pathlib.Path(file).is_relative_to(room) for room in rooms)]
    if not chosen:
        sys.exit("tidy.py: no file was chosen")
    faulty = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for path, said in pool.map(lambda c: analyse(c, build), chosen):
            if said:
                faulty += 1
                print(f"-- {path}\n{said}", flush=True)
    print(f"clang-tidy: {len(chosen)} files, {faulty} with faults")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
