#!/usr/bin/env python3
"""Runs a sample client against a server of three connections: clients_test.py COMMAND...

The first is cut within a line, the second goes on where the first ended, the third comes from a
daemon that has started anew. The client must resume by number and must keep the right moves.
"""
import json
import socket
import subprocess
import sys
import threading

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"


def line(kind, seq, **more):
    message = {"type": kind, "seq": seq, "game": 1, "fen": START + " w - - 0 1", **more}
    return json.dumps(message) + "\n"


def move(seq, ply, iccs, status="final"):
    return line("move", seq, ply=ply, iccs=iccs, zh=iccs.upper(), status=status)


def hello(epoch):
    return json.dumps({"type": "hello", "epoch": epoch}) + "\n"


ROUNDS = [
    (None, hello(7) + line("state", 3, moves=["h2e2"]) + move(4, 2, "h9g7", "provisional") + '{"type": "mo'),
    ({"since": 4, "epoch": 7}, hello(7) + move(5, 2, "h9g7") + move(6, 3, "h0g2") + line("retract", 7, to_ply=1)
     + line("ruling", 8, id=1, status="proposed", en="three fouls")),
    ({"since": 8, "epoch": 7}, hello(8) + line("state", 0, moves=[]) + line("clock", 1)
     + line("result", 2, result="1-0", reason="resign")),
    ({"since": 2, "epoch": 8}, ""),
]
WANTED = ["1 1  " + START, "1 2 H9G7? " + START, "1 2 H9G7 " + START, "1 3 H0G2 " + START, "1 1  " + START,
          "ruling 1 proposed: three fouls", "1 0  " + START, "result 1-0 resign"]


def serve(listener, bad):
    for wanted, text in ROUNDS:
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(10)
            if wanted is not None:
                got = connection.makefile(encoding="utf-8").readline()
                if not got or json.loads(got) != wanted:
                    bad.append("the client sent %r, not %r" % (got, wanted))
            connection.sendall(text.encode())


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(20)
    bad = []
    server = threading.Thread(target=serve, args=(listener, bad))
    server.start()
    client = subprocess.Popen(sys.argv[1:] + ["127.0.0.1", str(listener.getsockname()[1])],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    server.join(30)
    client.terminate()
    printed = client.communicate()[0].decode("utf-8").splitlines()
    if server.is_alive():
        bad.append("the client did not connect four times")
    if printed != WANTED:
        bad.append("printed:\n  %s\nnot:\n  %s" % ("\n  ".join(printed), "\n  ".join(WANTED)))
    print("\n".join(bad) or "ok")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
