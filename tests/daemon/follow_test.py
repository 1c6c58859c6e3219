#!/usr/bin/env python3
"""`xiangqictl follow`: what an engine is told of a board.

First a server played here, that cuts its client off, takes moves back and starts anew; then the
shipped daemon with a recorded game, held against what a spectator hears.

    follow_test.py XIANGQICTL XIANGQID GAME
"""
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading

from remote_hall import Failed, check, free_port, wait_for

PATIENCE = 20
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
ENDING = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1"


def line(kind, **more):
    return json.dumps({"type": kind, **more}) + "\n"


def move(ply, iccs, status="final"):
    return line("move", ply=ply, iccs=iccs, status=status)


def state(start, *moves):
    return line("state", start_fen=start, moves=moves)


def position(start, *moves):
    return "position fen " + start + (" moves " + " ".join(moves) if moves else "")


# What each connection is sent; behind its last line it is cut.
CONNECTIONS = [
    line("hello") + move(1, "a0a1") + state(START) + move(1, "h2d2", "provisional") + move(1, "h2e2")
    + line("clock") + move(2, "h9g7") + '{"type": "mo',
    line("hello") + state(START, "h2e2", "h9g7") + move(3, "h0g2") + line("retract", to_ply=1)
    + move(2, "b9c7") + move(1, "b2e2", "provisional") + move(1, "b2e2"),
    line("hello") + state(ENDING) + line("result") + move(1, "a0a9") + line("heartbeat"),
]
POSITIONS = [
    position(START), position(START, "h2e2"), position(START, "h2e2", "h9g7"),
    position(START, "h2e2", "h9g7", "h0g2"), position(START, "h2e2"), position(START, "h2e2", "b9c7"),
    position(START), position(START, "b2e2"), position(ENDING), position(ENDING, "a0a9"),
]


class Server:
    """Sends each connection its text and hangs up, save on the last."""

    def __init__(self, texts):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.last = None
        threading.Thread(target=self.serve, args=(texts,), daemon=True).start()

    def serve(self, texts):
        for text in texts:
            self.last, _ = self.listener.accept()
            self.last.sendall(text.encode())
            if text is not texts[-1]:
                self.last.close()


def lines_of(command, how_many):
    """The first lines that a program prints; then it is ended."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as program:
        end = threading.Timer(PATIENCE, program.kill)
        end.start()
        got = [program.stdout.readline().rstrip("\n") for _ in range(how_many)]
        end.cancel()
        program.kill()
    return got


def refusal(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    return done.returncode, done.stderr


def by_a_played_server(ctl, folder):
    got = lines_of([ctl, "follow", Server(CONNECTIONS).address], len(POSITIONS))
    check(got == POSITIONS, "the positions", got)

    for protocol in "uci", "ucci":
        wanted = [protocol, "isready", POSITIONS[0], "go infinite"]
        for p in POSITIONS[1:]:
            wanted += ["stop", p, "go infinite"]
        got = lines_of([ctl, "follow", "--engine", protocol, Server(CONNECTIONS).address], len(wanted))
        check(got == wanted, "what the engine is told", got)

    file = os.path.join(folder, "position")
    with subprocess.Popen([ctl, "follow", "-o", file, Server(CONNECTIONS).address], stderr=subprocess.DEVNULL) as program:
        wait_for(lambda: os.path.exists(file) and open(file).read() == POSITIONS[-1] + "\n", "the file's last position")
        program.kill()
    check(os.listdir(folder) == ["position"], "something is left beside the file", os.listdir(folder))

    status, said = refusal([ctl, "follow", "-o", "/dev/full/x", Server(CONNECTIONS).address])
    check(status == 1 and "/dev/full/x cannot be written" in said, "a file that cannot be", status, said)
    for nonsense in "HTTP/1.1 400 Bad Request\n", "[]\n", '{"type":"move"}\n', '{"type":"state","start_fen":3}\n':
        status, said = refusal([ctl, "follow", Server([nonsense]).address])
        check(status == 1 and "sends what is no broadcast" in said, "nonsense", nonsense, status, said)
    for nowhere in "127.0.0.1:%d" % free_port(), "[::1]:%d" % free_port(), "no-such-host.invalid", "127.0.0.1:x":
        status, said = refusal([ctl, "follow", nowhere])
        check(status == 3 and said.startswith("xiangqictl: %s: " % nowhere), "nobody there", nowhere, status, said)
    status, said = refusal([ctl, "follow", "--engine", "xboard"])
    check(status == 2, "an unknown protocol", status, said)


def by_the_daemon(ctl, daemon, game, folder):
    port = free_port()
    config = os.path.join(folder, "xiangqid.toml")
    with open(config, "w", encoding="utf-8") as f:
        f.write('[sensor]\ndriver = "log"\nlog = "%s"\nspeed = 20\n' % game)
        f.write('[broadcast]\nlisten = "127.0.0.1:%d"\nhttp = ""\n[arbiter]\nsocket = ""\n' % port)
        f.write('[journal]\ndirectory = "%s/journal"\n' % folder)
    board = "127.0.0.1:%d" % port
    with subprocess.Popen([daemon, "--config", config], stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "the daemon")
            file = os.path.join(folder, "positions")
            with open(file, "w", encoding="utf-8") as out, subprocess.Popen([ctl, "follow", board], stdout=out) as follower:
                moves = []
                with socket.create_connection(("127.0.0.1", port), PATIENCE) as spectator:
                    for text in spectator.makefile(encoding="utf-8"):
                        message = json.loads(text)
                        if message["type"] == "state":
                            moves[:] = message["moves"]
                        elif message["type"] == "retract":
                            del moves[message["to_ply"]:]
                        elif message["type"] == "move":
                            moves[message["ply"] - 1:] = [message["iccs"]] if message["status"] == "final" else []
                        if len(moves) == 20:
                            break
                        check(message["type"] != "result", "the game ended before twenty plies")
                wanted = position(START, *moves)
                wait_for(lambda: wanted in open(file, encoding="utf-8").read().splitlines(), "the spectator's position")
                follower.kill()
        finally:
            process.kill()


def main():
    ctl, daemon, game = sys.argv[1:]
    try:
        with tempfile.TemporaryDirectory() as folder:
            by_a_played_server(ctl, folder)
        with tempfile.TemporaryDirectory() as folder:
            by_the_daemon(ctl, daemon, os.path.abspath(game), folder)
    except Failed as failed:
        print("follow_test.py:", failed)
        return 1
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
