#!/usr/bin/env python3
"""Holds the units to what systemd itself says of them: nothing to complain of, little exposed.

usage: units_test.py --units DIRECTORY... --programs DIRECTORY
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

# systemd's own measure, from 0 to 10, times ten.
MOST_EXPOSED = 15


def complaints(units):
    """What systemd-analyze says of the files: anything at all, for a misspelt key costs no exit."""
    run = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return run.stdout + (f"exit status {run.returncode}\n" if run.returncode else "")


def exposure(unit):
    """The last line of the analysis, and whether it is within bounds."""
    run = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager",
                          f"--threshold={MOST_EXPOSED}", unit],
                         text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return run.stdout.rstrip().splitlines()[-1], run.returncode == 0


def laid_out(directories, programs, there):
    """Copies the units to one place, with the programs where they were built."""
    found = [f for d in directories for kind in ("service", "socket") for f in pathlib.Path(d).glob(f"*.{kind}")
             if not f.read_text().startswith("<?xml")]
    for unit in found:
        text = re.sub(r"/\S*/(xiangqi[\w-]*)(?=\s)", rf"{programs}/\1", unit.read_text())
        (there / unit.name).write_text(text)
    return sorted(there.iterdir())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--units", nargs="+", required=True)
    parser.add_argument("--programs", required=True)
    options = parser.parse_args()
    failed = []
    with tempfile.TemporaryDirectory() as place:
        units = laid_out(options.units, options.programs, pathlib.Path(place))
        names = [unit.name for unit in units]
        assert "xiangqid.service" in names and "xiangqid-http.socket" in names, names
        if said := complaints(units):
            failed.append(f"systemd-analyze verify:\n{said}")
        for unit in (u for u in units if u.suffix == ".service"):
            said, within = exposure(unit)
            print(unit.name + ":", said)
            # What only makes a board of a machine must be root.
            if unit.name == "xiangqid.service" and not within:
                failed.append(f"{unit.name} is exposed above {MOST_EXPOSED / 10}")
        # The two judges must be able to say no.
        daemon = pathlib.Path(place) / "xiangqid.service"
        good = daemon.read_text()
        daemon.write_text(good.replace("WatchdogSec", "WatchdogSek"))
        assert complaints([daemon]), "a misspelt key passes"
        daemon.write_text(good.replace("NoNewPrivileges=yes", "").replace("RestrictNamespaces=yes", ""))
        assert not exposure(daemon)[1], "a laxer unit passes"
    print("\n".join(failed) or "the units are sound")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
