#!/usr/bin/env python3
"""Runs xiangqictl against a daemon that is played here: ctl_test.py PROGRAM.

What the program sends is compared object by object, what it prints and how it ends by case.
"""
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading

FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1"
CLOCK = {"red_ms": 3590000, "black_ms": 43210, "running": "black", "valid": True}
DONE = {"ply": 1, "fen": FEN, "result": None}
STATUS = {**DONE, "game": 3, "event": "五羊杯", "red": "王天一", "black": "郑惟桐", "turn": "black", "clock": CLOCK,
          "fouls": {"red": 1, "black": 0}, "offer": "red", "duty": "h9 must move", "provisional": None, "paused": True,
          "restoring": False, "journal": {"file": "g.xsl", "durable": False, "fault": "disk full"}, "proposed": [{"id": 2, "code": "touch_move", "zh": "摸子走子", "en": "touched"}]}
POINTS = [{"point": "abcdefghi"[i % 9] + str(i // 9), "expected": {22: "C", 25: "."}.get(i, "."),
           "reads": "x" if i in (22, 25) else ".", "changes_per_minute": 3 if i == 25 else 0, "masked": i == 44}
          for i in range(90)]
BOARD = {"in_sync": False, "link": "online", "points": POINTS, "faults": [{"point": "i4", "fault": "stuck"}]}
HEARD = [{"type": "hello", "board": "table-01", "event": "", "red": "A", "black": "B"},
         {"type": "clock", "fen": FEN, "clock": CLOCK, "turn": "black", "check": False, "last": "h2e2", "ply": 1},
         {"type": "move", "fen": FEN, "clock": CLOCK, "turn": "black", "check": False, "last": "h2e2", "ply": 1,
          "iccs": "h2e2", "zh": "炮二平五", "status": "final"}]
BOARD_LINE = "2  ・ 炮 ・ ・ 炮 ・ ・ ・ ・"

# arguments; (method, params) that must be sent, or None; the answer; exit status; texts that must be printed
CASES = [
    (["status"], ("status", {}), STATUS, 0,
     ["五羊杯: 王天一 - 郑惟桐", BOARD_LINE, "Ply 1, Black to move; paused", "Red 59:50     Black 0:43.2 *", "Red 1, Black 0",
      "Red offers a draw", "Duty: h9 must move",
      "The journal is not safe: disk full", "Ruling 2 waits: touched  摸子走子"]),
    (["--json", "status"], ("status", {}), STATUS, 0, ['"duty":"h9 must move"']),
    (["board"], ("board.status", {}), BOARD, 0, ["x!3", ".#", "h2 reads x, should read .", "faults: i4 stuck", "not in sync"]),
    (["export"], ("record.export", {"format": "pgn"}), {"format": "pgn", "text": "[Game]\n"}, 0, ["[Game]"]),
    (["export", "log"], ("record.export", {"format": "log"}), {"format": "log", "text": "# x\n"}, 0, ["# x"]),
    (["watch"], ("watch", {}), {"watching": True}, 3, ["ply 1 h2e2 炮二平五\n", "daemon does not answer"]),
    (["watch", "--json"], ("watch", {}), {"watching": True}, 3, ['{"type":"clock"']),
    (["game.new", "--red", "王", "--start_fen", "3k5/9/9/9/9/9/9/9/9/4K4 w"],
     ("game.new", {"red": "王", "start_fen": "3k5/9/9/9/9/9/9/9/9/4K4 w"}), DONE, 0, ["Ply 1: " + FEN]),
    (["game.new"], ("game.new", {}), DONE, 0, []),
    (["game.pause"], ("game.pause", {}), "the game is over", 1, ["xiangqictl: the game is over"]),
    (["game.resume"], ("game.resume", {}), DONE, 0, []),
    (["game.result", "0-0", "late"], ("game.result", {"result": "0-0", "reason": "late"}), {**DONE, "result": "0-0"}, 0,
     ["result 0-0"]),
    (["game.takeback", "0"], ("game.takeback", {"to_ply": 0}), DONE, 0, []),
    (["game.stand", "7"], ("game.stand", {"ply": 7}), DONE, 0, []),
    (["game.move", "h2e2", "--ply", "1"], ("game.move", {"iccs": "h2e2", "ply": 1}), DONE, 0, []),
    (["position.set", FEN], ("position.set", {"fen": FEN}), DONE, 0, []),
    (["board.accept"], ("board.accept", {}), DONE, 0, []),
    (["board.designate", "d2"], ("board.designate", {"point": "d2"}), DONE, 0, []),
    (["touch.adjust", "red"], ("touch.adjust", {"side": "red"}), DONE, 0, []),
    (["clock.set", "1:00:00", "45:00", "none"], ("clock.set", {"red_ms": 3600000, "black_ms": 2700000, "running": None}), DONE, 0,
     []),
    (["clock.set", "1500", "0", "red"], ("clock.set", {"red_ms": 1500, "black_ms": 0, "running": "red"}), DONE, 0, []),
    (["ruling.confirm", "2"], ("ruling.confirm", {"id": 2}), DONE, 0, []),
    (["ruling.dismiss", "2"], ("ruling.dismiss", {"id": 2}), DONE, 0, []),
    (["foul.add", "black", "talks"], ("foul.add", {"side": "black", "reason": "talks"}), DONE, 0, []),
    (["draw.offer", "red"], ("draw.offer", {"side": "red"}), DONE, 0, []),
    (["draw.accept", "black"], ("draw.accept", {"side": "black"}), DONE, 0, []),
    (["draw.decline", "black"], ("draw.decline", {"side": "black"}), DONE, 0, []),
    (["resign", "black"], ("resign", {"side": "black"}), DONE, 0, []),
    (["claim.natural_limit", "red"], ("claim.natural_limit", {"side": "red"}), DONE, 0, []),
    (["claim.repetition", "red"], ("claim.repetition", {"side": "red"}), DONE, 0, []),
    (["resign", "white"], None, None, 2, ['params.side must be "red" or "black"']),
    (["game.takeback", "two"], None, None, 2, ["params.to_ply must be a whole number"]),
    (["clock.set", "1:x", "0", "red"], None, None, 2, ["params.red_ms"]),
    (["resign"], None, None, 2, ["side is required"]),
    (["game.fly"], None, None, 2, []),
    ([], None, None, 2, ["A subcommand is required"]),
]


def serve(listener, answers, got):
    """One connection; a program that refuses by itself connects and says nothing."""
    try:
        connection, _ = listener.accept()
    except OSError:
        return                          # it did not even connect
    with connection, connection.makefile("rw", encoding="utf-8") as stream:
        for line in stream:
            request = json.loads(line)
            got.append((request["method"], request["params"]))
            reply = {"jsonrpc": "2.0", "id": request["id"]}
            if isinstance(answers, str):
                reply["error"] = {"code": -32000, "message": answers}
            else:
                reply["result"] = answers
            lines = [reply]
            if request["method"] == "watch":
                lines += [{"jsonrpc": "2.0", "method": "broadcast", "params": m} for m in HEARD]
            stream.write("".join(json.dumps(x) + "\n" for x in lines))
            stream.flush()
            return


def run(program, path, case):
    arguments, wanted, answer, status, texts = case
    got = []
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    server = threading.Thread(target=serve, args=(listener, answer, got), daemon=True)
    server.start()
    done = subprocess.run([program, "--socket", path] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=30)
    listener.close()
    os.unlink(path)
    printed = done.stdout.decode("utf-8")
    bad = []
    if got != ([wanted] if wanted else []):
        bad.append("sent %r, not %r" % (got, wanted))
    if done.returncode != status:
        bad.append("ended with %d, not %d" % (done.returncode, status))
    bad += ["did not print %r but %r" % (t, printed) for t in texts if t not in printed]
    return ["%s: %s" % (" ".join(arguments), b) for b in bad]


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "arbiter.sock")
        bad = [b for case in CASES for b in run(program, path, case)]
        alone = subprocess.run([program, "--socket", path, "status"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30)
        if alone.returncode != 3 or b"is xiangqid running?" not in alone.stdout:
            bad.append("without a daemon: %d, %r" % (alone.returncode, alone.stdout))
        config = os.path.join(folder, "x.toml")
        with open(config, "w", encoding="utf-8") as f:
            f.write('[arbiter]\nsocket = "/nowhere/s.sock"\n')
        named = subprocess.run([program, "--config", config, "status"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30)
        if named.returncode != 3 or b"/nowhere/s.sock" not in named.stdout:
            bad.append("the configuration's socket is not used: %r" % named.stdout)
    print("\n".join(bad) or "%d cases" % (len(CASES) + 2))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
