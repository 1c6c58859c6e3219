#!/usr/bin/env python3
"""The arbiter's command against the running daemon, end to end: a game from a log, the arbiter's
calls over the Unix socket by xiangqictl, the journal that names who called, and a second user who
is not of the socket's group and is refused. Run as root, for another user is needed; else skipped.

    arbiter_e2e_test.py XIANGQID XIANGQICTL
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
NOBODY = 65534
# Machines that build at the same time are slow; what takes longer will never come.
PATIENCE = 60

LOG = """# xiangqi sensor log 1
0 hello identity press buttons
0 board rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR
100 lift h2
600 drop e2 C
1100 press red
1600 lift h9
2100 drop g7 n
2600 press black
"""


class Failed(Exception):
    pass


def wait_for(what, holds):
    limit = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > limit:
            raise Failed("%s did not come" % what)
        time.sleep(0.1)


class Table:
    def __init__(self, daemon, ctl, folder):
        self.ctl, self.folder = ctl, folder
        self.socket = os.path.join(folder, "arbiter.sock")
        log, config = os.path.join(folder, "game.xsl"), os.path.join(folder, "xiangqid.toml")
        with open(log, "w", encoding="utf-8") as f:
            f.write(LOG)
        with open(config, "w", encoding="utf-8") as f:
            f.write('[sensor]\ndriver = "log"\nlog = "%s"\n' % log)
            f.write('[broadcast]\nlisten = "127.0.0.1:0"\nhttp = ""\n')
            f.write('[arbiter]\nsocket = "%s"\n[journal]\ndirectory = "%s/journal"\n' % (self.socket, folder))
        self.log = open(os.path.join(folder, "daemon.log"), "wb")
        self.process = subprocess.Popen([daemon, "--config", config], stdout=self.log, stderr=self.log)

    def call(self, *arguments, user=None):
        """Exit status and what was printed."""
        command = [self.ctl, "--socket", self.socket] + list(arguments)
        if user:
            command = ["setpriv", "--reuid=%d" % user[0], "--regid=%d" % user[1], "--clear-groups"] + command
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=PATIENCE)
        return done.returncode, done.stdout.decode("utf-8")

    def expect(self, status, *arguments, text="", user=None):
        got, printed = self.call(*arguments, user=user)
        if got != status or text not in printed:
            raise Failed("%s: ended with %d and printed %r" % (" ".join(arguments), got, printed))
        return printed

    def stands_at(self, text):
        return text in self.call("status")[1]

    def journal(self):
        texts = []
        for path in sorted(glob.glob(self.folder + "/journal/**/*", recursive=True)):
            if os.path.isfile(path):
                with open(path, encoding="utf-8", errors="replace") as f:
                    texts.append(f.read())
        return "".join(texts)

    def calls(self):
        """The journaled calls: method and who called."""
        found = []
        for line in self.journal().splitlines():
            words = line.split(" ", 2)
            if len(words) == 3 and words[1] == "rpc":
                call = json.loads(words[2].rsplit(" #", 1)[0])
                found.append((call["method"], call.get("by")))
        return found


def play(table):
    wait_for("the arbiter's socket", lambda: os.path.exists(table.socket))
    wait_for("the second ply", lambda: table.stands_at("Ply 2, Red to move"))

    # The arbiter, who is root here.
    table.expect(0, "status")
    table.expect(0, "foul.add", "red", "talks")
    table.expect(0, "draw.offer", "red")
    table.expect(1, "draw.offer", "black")              # not on his own time
    table.expect(1, "ruling.confirm", "99")
    table.expect(2, "resign", "white")
    table.expect(0, "game.move", "h0g2")
    table.expect(0, "status", text="Ply 3, Black to move")
    table.expect(0, "game.takeback", "2")
    table.expect(0, "status", text="Ply 2, Red to move")
    table.expect(0, "export", "log", text="game.takeback")

    # A second user: first the socket's own mode keeps him out, then who he is.
    before = table.journal()
    stranger = (NOBODY, NOBODY)
    if table.call("resign", "red", user=stranger)[0] == 0:
        raise Failed("a stranger has resigned for Red")
    os.chmod(table.socket, 0o666)
    for command in (["status"], ["resign", "red"], ["board"]):
        if table.call(*command, user=stranger)[0] == 0:
            raise Failed("a stranger was let in: %s" % command)
    if table.journal() != before:
        raise Failed("a stranger's call is in the journal")
    table.expect(0, "status")                           # and nothing has changed for the arbiter

    # One of the socket's group may call.
    table.expect(0, "foul.add", "black", "late", user=(NOBODY, os.stat(table.socket).st_gid))
    table.expect(0, "resign", "black")
    table.expect(1, "foul.add", "red", "x")             # the game is over (5.8)

    wanted = [("foul.add", "unix:root"), ("game.takeback", "unix:root"), ("foul.add", "unix:nobody"),
              ("resign", "unix:root")]
    wait_for("the calls in the journal", lambda: all(w in table.calls() for w in wanted))


def main():
    if os.geteuid() != 0:
        print("skipped: another user can be played by root only")
        return SKIPPED
    if shutil.which("setpriv") is None:
        print("skipped: setpriv (util-linux) is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        # Whoever calls must be able to run the command, wherever it was built.
        ctl = shutil.copy(sys.argv[2], os.path.join(folder, "xiangqictl"))
        table = Table(sys.argv[1], ctl, folder)
        try:
            play(table)
            print("passed")
            return 0
        except Failed as failure:
            print("FAIL: %s" % failure)
            with open(table.log.name, encoding="utf-8", errors="replace") as f:
                print(f.read()[-3000:])
            return 1
        finally:
            table.process.terminate()
            table.process.wait(PATIENCE)
            table.log.close()


if __name__ == "__main__":
    sys.exit(main())
