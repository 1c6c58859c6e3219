#!/usr/bin/env python3
"""What the daemon as shipped takes: start-up, memory of a spectator by door, CPU while nothing happens.

usage: daemon_load.py [PROGRAM]
"""
import base64
import os
import pathlib
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time

CONFIG = """
[sensor]
driver = "sim"
[game]
rulings = "automatic"
[broadcast]
listen = "127.0.0.1:{tcp}"
http = "127.0.0.1:{http}"
max_clients = 6000
max_per_address = 6000
[arbiter]
socket = "{place}/arbiter.sock"
[journal]
directory = "{place}"
"""
DOORS = {
    "TCP": ("tcp", b""),
    "WebSocket": ("http", b"GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + base64.b64encode(bytes(16)) + b"\r\n\r\n"),
    "SSE": ("http", b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Daemon:
    def __init__(self, program):
        self.place = tempfile.TemporaryDirectory()
        self.ports = {"tcp": free_port(), "http": free_port()}
        config = pathlib.Path(self.place.name) / "xiangqid.toml"
        config.write_text(CONFIG.format(place=self.place.name, **self.ports))
        began = time.monotonic()
        self.process = subprocess.Popen([program, "--config", config], stderr=subprocess.DEVNULL)
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.ports["tcp"])) as s:
                    assert s.recv(65536).startswith(b'{"type":"hello"')
                break
            except ConnectionRefusedError:
                assert self.process.poll() is None, "the daemon does not start"
                time.sleep(0.001)
        self.started_ms = (time.monotonic() - began) * 1000

    def connect(self, door):
        kind, request = DOORS[door]
        s = socket.create_connection(("127.0.0.1", self.ports[kind]))
        s.sendall(request)
        assert s.recv(65536)
        return s

    def resident_kib(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def cpu_s(self):
        threads = pathlib.Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((t / "schedstat").read_text().split()[0]) for t in threads) / 1e9

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.place.cleanup()


def drained(spectators, seconds):
    """Reads what comes, so that nobody is slow."""
    for s in spectators:
        s.setblocking(False)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for s in spectators:
            try:
                s.recv(65536)
            except BlockingIOError:
                pass
        time.sleep(0.2)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/xiangqid"
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    starts = []
    for _ in range(9):
        daemon = Daemon(program)
        starts.append(daemon.started_ms)
        daemon.end()
    print(f"first broadcast after {statistics.median(starts):.0f} ms (median of {len(starts)}, worst {max(starts):.0f})")
    for door in DOORS:
        daemon = Daemon(program)
        spectators = [daemon.connect(door) for _ in range(100)]
        drained(spectators, 5)
        hundred = daemon.resident_kib()
        cpu = daemon.cpu_s()
        drained(spectators, 20)
        busy = (daemon.cpu_s() - cpu) / 20
        spectators += [daemon.connect(door) for _ in range(2000)]
        drained(spectators, 5)
        each = (daemon.resident_kib() - hundred) * 1024 / 2000
        print(f"{door:10} 100 spectators: {hundred / 1024:.1f} MiB resident, {100 * busy:.2f} % of a core while a game is played;"
              f" {each:.0f} bytes for each of 2,000 more")
        for s in spectators:
            s.close()
        daemon.end()


if __name__ == "__main__":
    main()
