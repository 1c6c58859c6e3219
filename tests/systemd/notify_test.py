#!/usr/bin/env python3
"""The daemon under a systemd that this test plays: readiness, status, watchdog, reload, stop, and
the ports that systemd holds for it.

usage: notify_test.py XIANGQID
"""
import os
import pathlib
import signal
import socket
import sys
import tempfile
import time
import urllib.request

PATIENCE = 30  # seconds; a machine that builds beside us is slow


class Service:
    """The daemon, started as a unit of Type=notify would be."""

    def __init__(self, program, place, watchdog_usec):
        self.place = pathlib.Path(place)
        self.config = self.place / "xiangqid.toml"
        self.write("60m+30s")
        self.heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.heard.bind(str(self.place / "notify"))
        self.ports = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        environment = dict(os.environ, NOTIFY_SOCKET=str(self.place / "notify"),
                           WATCHDOG_USEC=str(watchdog_usec), LISTEN_FDS="2", LISTEN_FDNAMES="broadcast:http")
        # As systemd does: the sockets are 3 and 4, and the variables name the process they are for.
        self.pid = os.fork()
        if self.pid == 0:
            out_of_the_way = [os.dup2(p.fileno(), 100 + i) for i, p in enumerate(self.ports)]
            for i, fd in enumerate(out_of_the_way):
                os.dup2(fd, 3 + i)
            environment["LISTEN_PID"] = environment["WATCHDOG_PID"] = str(os.getpid())
            os.execve(program, [program, "--config", str(self.config)], environment)

    def write(self, control):
        self.config.write_text(f'board = "notified"\n[sensor]\ndriver = "sim"\n[clock]\ncontrol = "{control}"\n'
                               f'[broadcast]\nlisten = "127.0.0.1:1"\nhttp = "127.0.0.1:1"\n'
                               f'[arbiter]\nsocket = ""\n[journal]\ndirectory = "{self.place}/journal"\n')

    def hears(self, wanted):
        """Waits for a notification with this line; returns the line."""
        until = time.monotonic() + PATIENCE
        while (left := until - time.monotonic()) > 0:
            self.heard.settimeout(left)
            try:
                said = self.heard.recv(4096).decode()
            except TimeoutError:
                break
            for line in said.splitlines():
                if line.startswith(wanted):
                    return line
        raise AssertionError(f"the daemon never said {wanted}")

    def end(self):
        os.kill(self.pid, signal.SIGTERM)
        self.hears("STOPPING=1")
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as place:
        service = Service(program, place, watchdog_usec=400_000)
        try:
            assert "game 1, ply 0; board" in service.hears("STATUS="), "the status says how the game is"
            service.hears("READY=1")

            port, pages = (p.getsockname()[1] for p in service.ports)
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as spectator:
                first = spectator.makefile().readline()
            assert '"type":"hello"' in first and '"notified"' in first, first
            with urllib.request.urlopen(f"http://127.0.0.1:{pages}/healthz", timeout=PATIENCE) as answer:
                assert answer.status == 200

            for _ in range(3):
                service.hears("WATCHDOG=1")
            service.write("30m")
            os.kill(service.pid, signal.SIGHUP)
            service.hears("RELOADING=1")
            service.hears("READY=1")
            assert service.end() == 0
        except BaseException:
            os.kill(service.pid, signal.SIGKILL)
            raise
    print("the daemon and systemd understand each other")
    return 0


if __name__ == "__main__":
    sys.exit(main())
