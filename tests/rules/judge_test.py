#!/usr/bin/env python3
"""xiangqi-judge from outside: what it prints, what it refuses, what its JSON holds."""
import json
import subprocess
import sys
import tempfile
import unittest

JUDGE = sys.argv.pop(1)
FIGURE = "3a3R1/3Nck3/3ab4/P4r3/9/8p/2p5n/C3BA2B/4A4/4K4 w - - 0 1"
CYCLE = "h9h3 f8f9 h3h9 f9f8"


def run(*args):
    return subprocess.run([JUDGE, *args], capture_output=True, timeout=60)


def judged(*args):
    done = run(*args, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Json(unittest.TestCase):
    def test_members(self):
        report = judged("--fen", FIGURE, "--moves", CYCLE, "--cycle")
        self.assertEqual(report["rulebook"], "cxa-2010")
        self.assertEqual(report["start_fen"], FIGURE)
        self.assertEqual([m["class"] for m in report["moves"]], ["chase", "chase", "check", "idle"])
        first = report["moves"][0]
        self.assertEqual((first["iccs"], first["zh"], first["side"]), ("h9h3", "车二退六", "red"))
        self.assertEqual(first["targets"],
                         [{"point": "c3", "piece": "p", "protected": False, "joint": False}])
        self.assertIn("c3", first["why"])
        self.assertEqual(report["status"], "playing")
        self.assertEqual(report["cycle"]["length"], 4)
        self.assertEqual(report["verdict"]["outcome"], "red_must_change")
        self.assertIn("24.2.3", report["verdict"]["articles"])
        self.assertTrue(report["verdict"]["zh"] and report["verdict"]["en"])

    def test_books_differ(self):
        outcomes = {book: judged("--rulebook", book, "--fen", FIGURE, "--moves", CYCLE, "--cycle")
                    ["verdict"]["outcome"] for book in ("cxa-2010", "asian")}
        self.assertEqual(outcomes, {"cxa-2010": "red_must_change", "asian": "draw"})

    def test_game_without_cycle(self):
        report = judged("--moves", "炮二平五 马8进7")
        self.assertIsNone(report["cycle"])
        self.assertIsNone(report["verdict"])
        self.assertEqual(len(report["moves"]), 2)
        self.assertTrue(report["final_fen"].endswith(" w - - 2 2"))

    def test_repetition_in_a_game(self):
        start = "2b6/4k4/9/9/9/9/9/9/2p6/3K3R1 w - - 0 1"
        moves = "h0e0 e8f8 " + "e0f0 f8e8 f0e0 e8f8 " * 3
        report = judged("--fen", start, "--moves", moves)
        self.assertEqual(report["verdict"]["outcome"], "red_loses")
        self.assertEqual(report["events"][0]["ply"], 12)
        self.assertEqual(report["events"][0]["kind"], "repetition")

    def test_natural_limit_in_a_game(self):
        moves = "f0f1 d9d8 f1f0 d8d9 " * 30
        report = judged("--fen", "3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1", "--moves", moves)
        limits = [e for e in report["events"] if e["kind"] == "natural_limit"]
        self.assertEqual([(e["ply"], e["claimant"]) for e in limits], [(120, "red"), (120, "black")])

    def test_mate(self):
        report = judged("--fen", "4k4/1R7/9/9/9/9/9/9/9/R2K5 w - - 0 1", "--moves", "a0a9")
        self.assertEqual(report["moves"][0]["class"], "check")
        self.assertEqual(report["status"], "checkmate")

    def test_open_line(self):
        report = judged("--moves", "h2e2 h9g7", "--cycle")
        self.assertFalse(report["cycle"]["closed"])


class Text(unittest.TestCase):
    def test_both_languages(self):
        zh = run("--fen", FIGURE, "--moves", CYCLE, "--cycle").stdout.decode()
        self.assertIn("楚河", zh)
        self.assertIn("红方应变着", zh)
        en = run("--fen", FIGURE, "--moves", CYCLE, "--cycle", "--lang", "en").stdout.decode()
        self.assertIn("Red must change", en)
        self.assertIn("chases the black pawn on c3", en)
        self.assertTrue(en.isascii())


class Pgn(unittest.TestCase):
    def test_encodings(self):
        text = "[Event \"棋\"]\n\n1. 炮二平五 馬8進7 2. 馬二進三 *\n"
        said = set()
        for encoding in ("utf-8", "gb18030", "big5"):
            with tempfile.NamedTemporaryFile(suffix=".pgn") as file:
                file.write(text.encode(encoding))
                file.flush()
                said.add(run("--pgn", file.name).stdout)
        self.assertEqual(len(said), 1)
        self.assertIn("炮二平五", said.pop().decode())


class Records(unittest.TestCase):
    def test_formats(self):
        moves = ["h2e2", "h9g7"]
        dhtmlxq = "[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][/DhtmlXQ]".encode()
        # Plain XQF: the head with the start array, an entry without a move, then the moves.
        squares = [80, 70, 60, 50, 40, 30, 20, 10, 0, 72, 12, 83, 63, 43, 23, 3]
        head = bytearray(0x400)
        head[0:3] = b"XQ\x0a"
        head[0x10:0x30] = bytes(squares + [89 - s for s in squares])
        entries = [(0, 0, 0xF0), (72, 42, 0xF0), (79, 67, 0)]
        xqf = bytes(head) + b"".join(bytes([a + 0x18, b + 0x20, tag, 0]) + bytes(4)
                                     for a, b, tag in entries)
        for record in (b"1. h2e2 h9g7 *", dhtmlxq, xqf):
            with tempfile.NamedTemporaryFile() as file:
                file.write(record)
                file.flush()
                self.assertEqual([m["iccs"] for m in judged("--record", file.name)["moves"]], moves)

    def test_ply_that_stood(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write("1. 马b0-c3 *".encode())
            file.flush()
            done = run("--record", file.name)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"ply 1 is against the rules", done.stderr)


class Refusals(unittest.TestCase):
    def refused(self, *args):
        done = run(*args)
        self.assertEqual(done.returncode, 2, args)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
        return done.stderr.decode()

    def test_bad_input(self):
        self.assertIn("column", self.refused("--fen", "x"))
        self.assertIn("a0a5", self.refused("--moves", "h2e2 a0a5"))
        self.assertIn("cxa-2010", self.refused("--rulebook", "chess"))
        self.assertIn("zh or en", self.refused("--lang", "fr"))
        self.assertIn("/no/such", self.refused("--pgn", "/no/such"))
        self.assertIn("--bogus", self.refused("--bogus"))
        self.refused("--cycle")
        self.refused("--perft", "99")
        self.refused("--perft", "x")
        self.refused("--fen", FIGURE, "--pgn", "x")
        self.refused("--fen", "4k4/9/9/9/9/9/9/9/9/9 w - - 0 1")


class Perft(unittest.TestCase):
    def test_counts(self):
        self.assertEqual(run("--perft", "3").stdout, b"79666\n")
        self.assertEqual(run("--perft", "0").stdout, b"1\n")


if __name__ == "__main__":
    unittest.main()
