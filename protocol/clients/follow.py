#!/usr/bin/env python3
"""Follows a board: follow.py [HOST [PORT]]. Prints each position's moves; goes on where it left off
after a lost connection. Needs nothing but Python 3.8."""
import json
import socket
import sys
import time

HOST = sys.argv[1] if len(sys.argv) > 1 else "localhost"
PORT = int(sys.argv[2]) if len(sys.argv) > 2 else 9955
SILENCE = 10          # the daemon speaks every 5 s; after twice that the line is dead

moves = []            # the game as it stands, ICCS


def take(message):
    """What one message changes."""
    kind = message["type"]
    if kind == "state":
        moves[:] = message["moves"]
    elif kind == "move":
        moves[message["ply"] - 1:] = [message["iccs"]]
    elif kind == "retract":
        del moves[message["to_ply"]:]
    if kind in ("state", "move", "retract"):
        zh = message.get("zh", "")
        mark = "?" if message.get("status") == "provisional" else ""
        print(message["game"], len(moves), zh + mark, message["fen"].split()[0], flush=True)
    elif kind == "ruling":
        print("ruling %(id)d %(status)s: %(en)s" % message, flush=True)
    elif kind == "result":
        print("result", message["result"], message["reason"], flush=True)


def follow(last):
    """One connection, until it breaks; keeps in `last` where it got to."""
    with socket.create_connection((HOST, PORT), SILENCE) as s:
        if "since" in last:
            s.sendall((json.dumps(last) + "\n").encode())
        for line in s.makefile(encoding="utf-8"):
            message = json.loads(line)
            if message["type"] != "hello":
                last["since"] = message["seq"]
                take(message)
            elif last.get("epoch") != message["epoch"]:    # the daemon has started anew
                last.clear()
                last["epoch"] = message["epoch"]


position = {}
while True:
    try:
        follow(position)
    except (OSError, ValueError) as error:                 # ValueError: cut off within a line
        print("connection lost: %s" % error, file=sys.stderr)
    time.sleep(1)
