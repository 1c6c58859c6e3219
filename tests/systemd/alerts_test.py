#!/usr/bin/env python3
"""Holds the sample alerts to what the running daemon measures: each metric they name is there.

usage: alerts_test.py PROGRAM ALERTS
"""
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request


def main():
    program, alerts = sys.argv[1:]
    named = set(re.findall(r"\bxiangqi_\w+", pathlib.Path(alerts).read_text()))
    assert len(named) >= 5, named
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    with tempfile.TemporaryDirectory() as place:
        config = pathlib.Path(place) / "xiangqid.toml"
        config.write_text(f'[sensor]\ndriver = "sim"\n[broadcast]\nlisten = ""\nhttp = "127.0.0.1:{port}"\n'
                          f'[arbiter]\nsocket = ""\n[journal]\ndirectory = "{place}"\n')
        daemon = subprocess.Popen([program, "--config", config], stderr=subprocess.DEVNULL)
        try:
            for _ in range(300):
                try:
                    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5).read().decode()
                    break
                except OSError:
                    time.sleep(0.1)
            else:
                sys.exit("the daemon does not serve /metrics")
        finally:
            daemon.terminate()
            daemon.wait()
    missing = named - set(re.findall(r"^(xiangqi_\w+)", text, re.M))
    assert not missing, f"the alerts name what is not measured: {sorted(missing)}"
    print(len(named), "metrics named, all measured")


if __name__ == "__main__":
    main()
