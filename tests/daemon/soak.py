#!/usr/bin/env python3
"""Lets the daemon play game after game, faster than life, while things go wrong: it is killed, its
disk is full, clients talk nonsense, read nothing, or come and go. Nothing that was announced may be lost
or contradicted, every game must end as it was played, and memory must not grow.

usage: soak.py --daemon PROGRAM --replay PROGRAM [--minutes N] [--games N] [--speed N] [--seed N]

Ends when both the time is over and the games are played; the last third of the time is one life, to
see its memory. The full disk needs root (a small file system of its own); without, it is left out, and
that is said.
"""
import argparse
import contextlib
import json
import os
import pathlib
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

CONFIG = """
[sensor]
driver = "sim"
speed = {speed}
[game]
rulings = "automatic"
[broadcast]
listen = "127.0.0.1:{tcp}"
http = "127.0.0.1:{http}"
max_per_address = 500
[arbiter]
socket = ""
[journal]
directory = "{disk}/journal"
"""
DISK_MB = 256


class Fault(Exception):
    """The daemon did what it must never do."""


def hold(holds, what, message):
    if not holds:
        raise Fault(f"{what}: {message}")


class Game:
    def __init__(self):
        self.final, self.moves, self.result = {}, [], None


class Spectator:
    """What has been announced over all the daemon's lives, game by game."""

    def __init__(self):
        self.games = {}
        self.heard = self.not_durable = 0

    def hear(self, m):
        self.heard += 1
        if m["type"] == "hello":
            return
        self.not_durable += "durable" in m
        hold(m["game"] >= max(self.games, default=1), "an older game came back", m)
        game = self.games.setdefault(m["game"], Game())
        hold(game.result in (None, m["result"]), f"the result was {game.result}", m)
        game.result = m["result"]
        if m["type"] == "state":
            for ply, iccs in game.final.items():
                hold(m["moves"][ply - 1:ply] == [iccs], f"ply {ply} was announced as {iccs}", m)
            game.moves = m["moves"]
        elif m["type"] == "move":
            hold(game.final.get(m["ply"], m["iccs"]) == m["iccs"], f"ply {m['ply']} was another", m)
            game.moves[m["ply"] - 1:] = [m["iccs"]]
            if m["status"] == "final":
                game.final[m["ply"]] = m["iccs"]
        elif m["type"] == "retract":
            hold(m["to_ply"] >= max(game.final, default=0), "a final ply was retracted", m)
            game.moves = game.moves[:m["to_ply"]]
        elif m["type"] == "ruling":
            hold(m["severity"] not in ("foul", "loss") or m["code"] == "checkmate", "nobody did wrong", m)

    def ended(self):
        return [g for g in self.games.values() if g.result is not None]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Daemon:
    def __init__(self, options, folder, ports):
        self.log = open(folder / "daemon.log", "a", encoding="utf-8")
        self.process = subprocess.Popen([options.daemon, "--config", folder / "xiangqid.toml"], stderr=self.log)
        limit = time.monotonic() + 30
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", ports["tcp"]), 1)
                break
            except OSError:
                hold(self.process.poll() is None and time.monotonic() < limit, "the daemon does not start",
                     (folder / "daemon.log").read_text()[-500:])
                time.sleep(0.005)
        self.socket.sendall(b'{"since": 0, "epoch": 0}\n')  # of another epoch: the state at once
        self.rest = b""

    def listen(self, spectator, seconds):
        limit = time.monotonic() + seconds
        while (wait := limit - time.monotonic()) > 0:
            self.socket.settimeout(wait)
            try:
                data = self.socket.recv(1 << 16)
            except TimeoutError:
                return
            except ConnectionResetError:
                data = b""
            if not data:
                hold(self.process.poll() is not None, "a spectator who reads was hung up on", "")
                return
            *lines, self.rest = (self.rest + data).split(b"\n")
            for line in lines:
                spectator.hear(json.loads(line))

    def resident_kib(self):
        return int(pathlib.Path(f"/proc/{self.process.pid}/status").read_text().split("VmRSS:")[1].split()[0])

    def end(self, how):
        self.process.send_signal(how)
        status = self.process.wait(30)
        hold(status == (-signal.SIGKILL if how == signal.SIGKILL else 0), "it ended with", status)
        self.socket.close()
        self.log.close()


def pester(ports, chance, stop):
    """Clients that an open network has, a few at a time, for ever."""
    held = []
    while not stop.is_set():
        with contextlib.suppress(OSError):
            s = socket.create_connection(("127.0.0.1", ports[chance.choice(("tcp", "http"))]), 1)
            s.sendall(chance.choice((chance.randbytes(chance.randint(1, 3000)), b'{"since":99999999,"epoch":1}\n', b"GET /live",
                                     b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", b"")))
            held.append(s)  # and reads nothing
        while len(held) > 40:
            held.pop(chance.randrange(len(held))).close()
        time.sleep(0.05)


@contextlib.contextmanager
def disk_of_its_own(folder):
    """A small file system, or None where nobody may mount one."""
    place = folder / "disk"
    place.mkdir()
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "xiangqid-soak", place], check=False,
        stderr=subprocess.DEVNULL).returncode == 0
    try:
        yield place, mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", place], check=True)


def fill(place):
    """Takes the last byte of the disk; the file that does it."""
    filler = place / "filler"
    with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(1 << 16))
    return filler


def soak(options, folder, place, may_fill):
    chance = random.Random(options.seed)
    ports = {door: free_port() for door in ("tcp", "http")}
    (folder / "xiangqid.toml").write_text(CONFIG.format(speed=options.speed, disk=place, **ports))
    spectator = Spectator()
    happened = {"kills": 0, "orderly ends": 0, "full disks": 0}
    memory = []
    stop = threading.Event()
    pest = threading.Thread(target=pester, args=(ports, random.Random(options.seed), stop))
    pest.start()
    began = time.monotonic()
    daemon = Daemon(options, folder, ports)
    try:
        while time.monotonic() - began < options.minutes * 60 or len(spectator.ended()) < options.games:
            daemon.listen(spectator, chance.uniform(5, 25))
            if time.monotonic() - began > options.minutes * 40:  # the last third is one life
                memory.append(daemon.resident_kib())
                continue
            fault = chance.choices(("kill", "end", "full"), (5, 1, 2))[0]
            if fault == "full" and may_fill:
                happened["full disks"] += 1
                filler = fill(place)
                daemon.listen(spectator, 3)
                filler.unlink()
                daemon.listen(spectator, 5)  # what was held back is written
                continue
            happened["kills" if fault != "end" else "orderly ends"] += 1
            daemon.end(signal.SIGTERM if fault == "end" else signal.SIGKILL)
            daemon = Daemon(options, folder, ports)
        daemon.listen(spectator, 3)
        daemon.end(signal.SIGTERM)
    finally:
        daemon.process.kill()
        stop.set()
        pest.join()
    return spectator, happened, memory


def judge(options, place, spectator):
    """Holds what was announced to the journals, and every game to the first one: all are the same game."""
    ended = spectator.ended()
    for game in ended:
        hold((game.moves, game.result) == (ended[0].moves, ended[0].result), "a game went otherwise",
             (game.moves, game.result))
    journals = sorted((place / "journal").glob("*.xsl"))
    hold(len(journals) == len(spectator.games), f"{len(spectator.games)} games have journals", len(journals))
    for number, journal in zip(sorted(spectator.games), journals):
        told = subprocess.run([options.replay, journal], check=True, stdout=subprocess.PIPE).stdout.splitlines()
        record = {m["ply"]: m["iccs"] for m in map(json.loads, told) if m["type"] == "move" and m["status"] == "final"}
        missing = {p: i for p, i in spectator.games[number].final.items() if record.get(p) != i}
        hold(not missing, f"announced, but not in the replay of {journal.name}", missing)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--replay", required=True)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--speed", type=float, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="xiangqid-soak-") as name, disk_of_its_own(pathlib.Path(name)) as (place, may_fill):
        try:
            spectator, happened, memory = soak(options, pathlib.Path(name), place, may_fill)
            judge(options, place, spectator)
            quarter = max(1, len(memory) // 4)
            early, late = statistics.median(memory[:quarter]), statistics.median(memory[-quarter:])
            hold(late < early * 1.1 + 1024, f"memory grew from {early} KiB to", late)
        except Fault as fault:
            print("FAIL:", fault)
            print((pathlib.Path(name) / "daemon.log").read_text()[-2000:])
            print(max((place / "journal").glob("*.xsl"), key=os.path.getmtime).read_text())
            return 1
    print(f"{len(spectator.ended())} games, {spectator.heard} messages heard, {spectator.not_durable} of them not durable;",
          ", ".join(f"{n} {what}" for what, n in happened.items()), "" if may_fill else "(no root: no full disk)")
    print(f"resident {early:.0f} KiB early in a long life, {late:.0f} KiB late: nothing lost, nothing contradicted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
