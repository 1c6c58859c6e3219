#!/usr/bin/env python3
"""Kills the daemon with SIGKILL at random moments of a game and starts it again, and holds it to
what it had told its spectators.

A recorded game is played through the `log` driver, faster than life. After each kill the world
goes on from the last event that the journal kept, sometimes a little further, because hands do not
wait for a daemon: what happened meanwhile shows only in the board's next whole reading.

Nothing that was announced may be lost or contradicted: each final ply stays in the record, each
ruling and the result stay what they were. At the end the record is that of the game undisturbed,
and a replay of the journal says the same.
"""
import argparse
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
# So that the mate at the end is a result.
GAME = '[game]\nrulings = "automatic"\n'
SENSED = ("lift", "drop", "press")
# A daemon that has not begun to serve by then never will (sanitizers and busy machines are slow).
STARTS_WITHIN = 30


class World:
    """The game's events, and how far they have happened."""

    def __init__(self, path):
        self.head, self.events = [], []
        for line in open(path, encoding="utf-8"):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if words[1] in SENSED:
                self.events.append((int(words[0]), line.split(None, 1)[1].strip()))
            elif words[1] == "hello":
                self.head.append(line.split(None, 1)[1].strip())
        self.board = {}
        for rank, row in zip(range(9, -1, -1), START.split("/")):
            file = 0
            for c in row:
                if c.isdigit():
                    file += int(c)
                else:
                    self.board["abcdefghi"[file] + str(rank)] = c
                    file += 1
        self.done = 0

    def happen(self, n):
        for _, event in self.events[self.done:self.done + n]:
            words = event.split()
            if words[0] == "lift":
                self.board.pop(words[1], None)
            elif words[0] == "drop":
                self.board[words[1]] = words[2]
        self.done = min(self.done + n, len(self.events))

    def reading(self):
        rows = []
        for rank in range(9, -1, -1):
            row = "".join(self.board.get(f + str(rank), "1") for f in "abcdefghi")
            rows.append(re.sub("1+", lambda m: str(len(m.group())), row))
        return "/".join(rows)

    def write(self, path):
        """What is still to happen, as a log that begins with the board as it stands."""
        begin = self.events[self.done - 1][0] if self.done else 0
        with open(path, "w", encoding="utf-8") as out:
            out.write("# xiangqi sensor log 1\n")
            for line in self.head:
                out.write("0 %s\n" % line)
            out.write("0 board %s\n" % self.reading())
            for t, event in self.events[self.done:]:
                out.write("%d %s\n" % (t - begin, event))


class Spectator:
    """What has been announced, over all the daemon's lives."""

    def __init__(self):
        # Plies made final, and the whole record: one that became final just before a kill was
        # perhaps heard of in the next life's state only.
        self.final, self.rulings, self.result, self.moves = {}, {}, None, []
        self.heard = 0

    def hear(self, m):
        kind = m["type"]
        self.heard += 1
        if kind == "hello":
            return
        if m["game"] != 1:
            fail("another game began: %s" % m)
        if self.result is not None and m["result"] != self.result:
            fail("the result was %s, and now: %s" % (self.result, m))
        if "durable" in m:
            fail("not durable although the disk is well: %s" % m)
        if kind == "state":
            self.moves = m["moves"]
            for ply, iccs in self.final.items():
                if len(self.moves) < ply or self.moves[ply - 1] != iccs:
                    fail("ply %d was announced as %s, but the state has %s" % (ply, iccs, self.moves))
        elif kind == "retract" and m["to_ply"] < max(self.final, default=0):
            fail("retracted: %s" % m)
        elif kind == "move":
            if self.final.get(m["ply"], m["iccs"]) != m["iccs"]:
                fail("ply %d was announced as %s: %s" % (m["ply"], self.final[m["ply"]], m))
            if m["status"] == "final":
                self.final[m["ply"]] = m["iccs"]
            self.moves[m["ply"] - 1:] = [m["iccs"]]
        elif kind == "ruling":
            known = self.rulings.setdefault(m["id"], m)
            if (known["code"], known["side"]) != (m["code"], m["side"]):
                fail("ruling %d was %s: %s" % (m["id"], known["code"], m))
        elif kind == "result":
            self.result = m["result"]


def fail(text):
    print("FAIL: " + text)
    sys.exit(1)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Daemon:
    """One life of the daemon, with a spectator's connection to it."""

    def __init__(self, options, folder, speed, port):
        config = os.path.join(folder, "xiangqid.toml")
        with open(config, "w", encoding="utf-8") as out:
            out.write(GAME + '[sensor]\ndriver = "log"\nlog = "%s/rest.xsl"\nspeed = %g\n' % (folder, speed))
            out.write('[broadcast]\nlisten = "127.0.0.1:%d"\nhttp = ""\n' % port)
            out.write('[arbiter]\nsocket = ""\n[journal]\ndirectory = "%s/journal"\n' % folder)
        self.log = open(os.path.join(folder, "daemon.log"), "a", encoding="utf-8")
        self.process = subprocess.Popen([options.daemon, "--config", config], stderr=self.log)
        limit = time.monotonic() + STARTS_WITHIN
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), 0.2)
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > limit:
                    fail("the daemon did not start; see its last words:\n" + self.words(folder))
                time.sleep(0.002)
        # Whoever says that it comes from another epoch gets the state at once.
        self.socket.sendall(b'{"since": 0, "epoch": 0}\n')
        self.rest = b""

    def words(self, folder):
        self.log.flush()
        return "".join(open(os.path.join(folder, "daemon.log"), encoding="utf-8").readlines()[-5:])

    def listen(self, spectator, seconds):
        """Hears what is announced in this time; what a killed daemon had still sent, too."""
        limit = time.monotonic() + seconds
        while True:
            wait = limit - time.monotonic()
            if wait <= 0:
                return
            self.socket.settimeout(wait)
            try:
                data = self.socket.recv(65536)
            except (socket.timeout, BlockingIOError):
                return
            except ConnectionResetError:
                return
            if not data:
                return
            lines = (self.rest + data).split(b"\n")
            self.rest = lines.pop()
            for line in lines:
                spectator.hear(json.loads(line))

    def kill(self, spectator):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.listen(spectator, 0.2)
        self.socket.close()
        self.log.close()


def journal_of(folder):
    names = [n for n in sorted(os.listdir(os.path.join(folder, "journal"))) if n.endswith(".xsl")]
    if len(names) != 1:
        fail("one game has %d journals: %s" % (len(names), names))
    return os.path.join(folder, "journal", names[0])


def kept(journal, lives):
    """How many of the board's events the journal kept since the last start. A life too short to be
    noted in it kept none."""
    n = starts = 0
    for line in open(journal, encoding="utf-8"):
        words = line.split()
        if line.startswith("# restart"):
            n, starts = 0, starts + 1
        elif len(words) > 2 and words[1] in SENSED and line.endswith("\n"):
            n += 1
    return n if starts + 1 == lives else 0


def replay(options, arguments):
    """What a spectator of a replay hears, and its last message."""
    out = subprocess.run([options.replay] + arguments, stdout=subprocess.PIPE, check=True)
    spectator = Spectator()
    last = None
    for line in out.stdout.splitlines():
        last = json.loads(line)
        spectator.hear(last)
    return spectator, last


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--replay", required=True)
    parser.add_argument("--game", required=True)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)

    with tempfile.NamedTemporaryFile("w", suffix=".toml") as config:
        config.write(GAME)
        config.flush()
        undisturbed, _ = replay(options, ["--config", config.name, options.game])

    world, spectator = World(options.game), Spectator()
    # About an eleventh of a second of life each, with the game spread over all of them.
    speed = world.events[-1][0] / 1000 / (options.kills * 0.09)
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="xiangqid-") as folder:
        lives = 0
        for _ in range(options.kills):
            world.write(os.path.join(folder, "rest.xsl"))
            daemon = Daemon(options, folder, speed, port)
            lives += 1
            daemon.listen(spectator, chance.uniform(0, 0.22))
            daemon.kill(spectator)
            seen = kept(journal_of(folder), lives)
            world.happen(seen)
            # The hands go on while nobody sees them; but no more than a ply, for what is more than
            # two is the arbiter's to say.
            if seen > 0 and chance.random() < 0.3:
                world.happen(chance.randint(1, 2))
        # The rest, undisturbed.
        world.write(os.path.join(folder, "rest.xsl"))
        daemon = Daemon(options, folder, 1000, port)
        limit = time.monotonic() + 20
        while spectator.result != undisturbed.result or spectator.moves != undisturbed.moves:
            if time.monotonic() > limit:
                break
            daemon.listen(spectator, 0.1)
        daemon.kill(spectator)
        again, last = replay(options, [journal_of(folder)])
        if spectator.moves != undisturbed.moves:
            fail("the record is %s, not %s" % (spectator.moves, undisturbed.moves))
        if again.final != undisturbed.final:
            fail("a replay of the journal has %s" % again.final)
        if last["result"] != spectator.result or spectator.result != undisturbed.result:
            fail("the result is %s, replayed %s, undisturbed %s"
                 % (spectator.result, last["result"], undisturbed.result))
        print("%d kills, %d messages heard, %d plies, result %s: nothing lost, nothing contradicted"
              % (options.kills, spectator.heard, len(spectator.moves), spectator.result))


if __name__ == "__main__":
    main()
