#!/usr/bin/env python3
"""Compares the broadcast of a sensor log with the one that is kept, byte for byte.

usage: golden.py --replay PROGRAM [--write] STREAM...

STREAM is golden/NAME.jsonl, made of NAME.xsl (and NAME.toml where there is one) of this folder. With
--write the stream is made anew; read the difference before you commit it.
"""
import argparse
import difflib
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def broadcast(replay, name):
    """What the program prints of the log NAME.xsl."""
    config = HERE / (name + ".toml")
    options = ["--config", str(config)] if config.exists() else []
    return subprocess.run([replay, *options, str(HERE / (name + ".xsl"))], check=True, stdout=subprocess.PIPE).stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--replay", required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("streams", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    different = False
    for stream in args.streams:
        now = broadcast(args.replay, stream.stem)
        if args.write:
            stream.write_bytes(now)
        elif now != (kept := stream.read_bytes()):
            different = True
            lines = difflib.unified_diff(kept.decode().splitlines(), now.decode().splitlines(),
                                         "kept " + stream.name, "printed now", lineterm="", n=0)
            print("\n".join(lines) or f"{stream.name}: other line ends")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
