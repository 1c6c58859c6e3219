#!/usr/bin/env python3
"""The packages on a whole system: a guest with systemd as PID 1 installs them, a board made by
xiangqi-boardsim is plugged in, a game is played through a pulled cable, a killed daemon and a power
cut, and the record is right. Then upgrade and purge.

usage: whole_system_test.py --architecture amd64|arm64 --packages DIRECTORY --games FILE --place DIRECTORY
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

import guest as vm

SKIPPED = 77
GAME = "end-031"  # 31 plies from the start array to mate
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
GADGET = "/sys/kernel/config/usb_gadget/xiangqi-BOARDSIM/UDC"
# What a package may leave: the system's own notes of what it did, and the board simulator's test.
NOT_OURS = r"^/(proc|sys|dev|run|tmp|var/log|var/tmp|var/cache|var/lib/(dpkg|systemd|apt)|root)(/|$)|^/etc/default/xiangqi-boardsim$"
TRACES = f"find / -xdev 2>/dev/null | grep -Ev '{NOT_OURS}' | sort"


def say(what):
    print(f"[{time.strftime('%H:%M:%S')}] {what}", flush=True)


def newer(package, place):
    """The same package one release later, with another default in its configuration."""
    tree = pathlib.Path(place) / "newer"
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    control = tree / "DEBIAN/control"
    version = re.search(r"^Version: (.*)$", control.read_text(), re.M).group(1)
    control.write_text(control.read_text().replace(f"Version: {version}", f"Version: {version}+next"))
    configuration = tree / "etc/xiangqid/xiangqid.toml"
    configuration.write_text(configuration.read_text() + "# one line more\n")
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree, pathlib.Path(place) / "newer.deb"],
                   check=True, stdout=subprocess.DEVNULL)
    return version


def payload(packages, game, place):
    """A tar that the guest reads from its second disk."""
    files = pathlib.Path(place) / "files"
    files.mkdir()
    for package in packages:
        shutil.copy(package, files / (package.name.split("_")[0] + ".deb"))
    shutil.copy(pathlib.Path(place) / "newer.deb", files)
    (files / "game.jsonl").write_text(json.dumps({"start_fen": START, "moves_iccs": " ".join(game)}) + "\n")
    made = pathlib.Path(place) / "payload.tar"
    subprocess.run(["tar", "-C", files, "-cf", made, "."], check=True)
    return made


def image(architecture, packages, place):
    """The guest's image, made anew when the packages' dependencies or its recipe change."""
    here = pathlib.Path(__file__).parent
    depends = [subprocess.run(["dpkg-deb", "-f", p, "Depends"], check=True, capture_output=True, text=True).stdout
               for p in packages]
    recipe = "".join([*depends, (here / "image.sh").read_text(), (here / "guest_shell.sh").read_text()])
    there = pathlib.Path(place) / f"image-{architecture}"
    made_by = there / "recipe"
    if not made_by.exists() or made_by.read_text() != recipe:
        say("makes the guest's image")
        subprocess.run([here / "image.sh", architecture, there, *packages], check=True)
        made_by.write_text(recipe)
    return there


class Evening:
    """What happens, in order. `moves` is the truth about the game."""

    def __init__(self, guest, moves):
        self.guest = guest
        self.moves = moves
        self.spectator = None

    # ------------------------------------------------------------ helpers

    def ply(self, number):
        """Waits until a spectator has been told of this ply, final."""
        slow = 6 * self.guest.patience
        self.spectator.awaits(f"ply {number}", lambda m: m.get("ply", 0) >= number and
                              (m["type"] == "state" or m.get("status") == "final"), slow)

    def link(self, wanted, since):
        self.spectator.awaits(f"board {wanted}", lambda m: m["type"] in ("board", "state") and m.get("link") == wanted,
                              2 * self.guest.patience, since)

    def announced(self):
        """Every final move that a spectator has seen, by its ply."""
        return {m["ply"]: m["iccs"] for m in self.spectator.messages
                if m["type"] == "move" and m["status"] == "final"}

    def hold_announcements_to_the_truth(self):
        for ply, iccs in self.announced().items():
            assert self.moves[ply - 1] == iccs, f"ply {ply} was announced as {iccs}, played was {self.moves[ply - 1]}"

    def page(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.guest.ports[9956]}{path}",
                                    timeout=self.guest.patience) as answer:
            return answer.read().decode()

    def play(self, from_ply):
        self.guest.run(f"""echo 'OPTIONS="--game /root/game.jsonl --games 1 --think 600 --from-ply {from_ply}"' \
                               >/etc/default/xiangqi-boardsim
                           modprobe dummy_hcd
                           systemctl start xiangqi-boardsim""")

    # ------------------------------------------------------------ the evening

    def installed(self):
        self.before = self.guest.run(TRACES)
        self.guest.run("tar -C /root -xf /dev/vdb && dpkg -i /root/xiangqid.deb /root/xiangqi-boardsim.deb")
        assert self.guest.run("systemctl is-active xiangqid") == "active"
        assert self.guest.run("systemctl is-enabled xiangqid") == "enabled"
        assert self.guest.run("systemctl is-active xiangqi-boardsim || true") == "inactive"
        status = self.guest.run("systemctl show -P StatusText xiangqid")
        assert status.startswith("game 1, ply 0; board"), status
        assert self.guest.run("stat -c %U /proc/$(systemctl show -P MainPID xiangqid)") == "xiangqid"
        exposure = self.guest.run("systemd-analyze security --no-pager xiangqid | tail -1")
        assert float(re.search(r"([\d.]+) OK", exposure).group(1)) <= 1.5, exposure
        assert '"link":"online"' not in self.page("/healthz")
        assert "<html" in self.page("/")
        self.guest.run("xiangqictl status")
        refused, _ = self.guest.run("setpriv --reuid=nobody --regid=nogroup --clear-groups xiangqictl status", check=False)
        assert refused != 0, "a stranger may call"
        said = self.guest.run("journalctl -u xiangqid XIANGQI_GAME=1 -o json | tail -1")
        assert '"XIANGQI_BOARD":"table-01"' in said and '"XIANGQI_PLY":"0"' in said, said

    def reloaded(self):
        self.guest.run("cp /etc/xiangqid/xiangqid.toml /root/; echo nonsense >>/etc/xiangqid/xiangqid.toml")
        status, _ = self.guest.run("systemctl reload xiangqid", check=False)
        assert status != 0, "a configuration with a mistake is taken"
        assert self.guest.run("systemctl is-active xiangqid") == "active"
        self.guest.run("""cp /root/xiangqid.toml /etc/xiangqid/
                          sed -i 's/^red = ""/red = "Red of the test"/' /etc/xiangqid/xiangqid.toml
                          systemctl reload xiangqid""")
        self.guest.becomes("systemctl is-active xiangqid", "active")

    def watched(self):
        self.guest.run("systemctl kill --kill-who=main -s STOP xiangqid")
        self.guest.becomes("systemctl show -P NRestarts xiangqid", "1")
        self.guest.becomes("systemctl is-active xiangqid", "active")

    def held_sockets(self):
        sockets = "xiangqid-broadcast.socket xiangqid-http.socket"
        self.guest.run(f"systemctl stop xiangqid && systemctl start {sockets} && systemctl start xiangqid")
        assert '"board":"table-01"' in self.page("/healthz")
        self.guest.run(f"systemctl stop xiangqid {sockets} && systemctl start xiangqid")
        self.guest.becomes("systemctl is-active xiangqid", "active")

    def plugged_in(self):
        self.spectator = vm.Spectator(self.guest.ports[9955])
        mark = self.spectator.mark()
        self.play(from_ply=0)
        self.link("online", mark)
        nodes = self.guest.run("stat -c %G:%a /dev/bus/usb/*/* | sort -u").splitlines()
        assert "xiangqid:660" in nodes, nodes
        self.ply(3)

    def cable_pulled(self):
        mark = self.spectator.mark()
        self.guest.run(f"cat {GADGET} >/root/udc; echo >{GADGET}")
        self.spectator.awaits("board gone", lambda m: m["type"] == "board" and m["link"] != "online",
                              2 * self.guest.patience, mark)
        mark = self.spectator.mark()
        self.guest.run(f"cat /root/udc >{GADGET}")
        self.link("online", mark)
        self.ply(8)

    def daemon_killed(self):
        mark = self.spectator.mark()
        self.guest.run("systemctl kill -s KILL xiangqid")
        state = self.spectator.awaits("state of a new daemon", lambda m: m["type"] == "state",
                                      2 * self.guest.patience, mark)
        seen = max(self.announced())
        assert state["ply"] >= seen, f"ply {seen} was announced, after the kill it is {state['ply']}"
        self.ply(13)

    def power_cut(self):
        self.guest.cut_power()
        self.hold_announcements_to_the_truth()
        seen = max(self.announced())
        self.spectator.ending = True
        older = self.spectator
        self.guest.boot()
        self.guest.becomes("systemctl is-active xiangqid", "active")
        self.spectator = vm.Spectator(self.guest.ports[9955])
        state = self.spectator.awaits("state", lambda m: m["type"] == "state", 2 * self.guest.patience)
        assert state["moves"] == self.moves[:len(state["moves"])], state["moves"]
        assert len(state["moves"]) >= seen, f"ply {seen} was announced, after the cut there are {len(state['moves'])}"
        self.spectator.messages[:0] = older.messages
        return len(state["moves"])

    def played_to_the_end(self, ply):
        # A stop that long has paused the clocks. The hands have made one move that nobody saw.
        self.guest.run("xiangqictl game.resume")
        self.play(from_ply=ply + 1)
        self.ply(ply + 1)
        ruling = self.spectator.awaits("checkmate", lambda m: m["type"] == "ruling" and m["code"] == "checkmate",
                                       4 * self.guest.patience)
        mark = self.spectator.mark()
        self.guest.run(f"xiangqictl ruling.confirm {ruling['id']}")
        result = self.spectator.awaits("result", lambda m: m["type"] == "result", self.guest.patience, mark - 1)
        assert (result["result"], result["reason"]) == ("1-0", "checkmate"), result
        self.hold_announcements_to_the_truth()
        assert max(self.announced()) == len(self.moves)
        newcomer = vm.Spectator(self.guest.ports[9955])
        state = newcomer.awaits("state", lambda m: m["type"] == "state", self.guest.patience)
        newcomer.ending = True
        assert state["moves"] == self.moves
        # The journal tells the same to whoever replays it.
        last = self.guest.run("xiangqi-replay /var/lib/xiangqid/*.xsl | grep '\"type\":\"result\"' | tail -1")
        assert json.loads(last)["result"] == "1-0", last
        rulings = [m for m in self.spectator.messages if m["type"] == "ruling" and m["severity"] in ("foul", "loss")]
        assert all(m["code"] == "checkmate" for m in rulings), rulings

    def started_by_the_board(self):
        self.guest.run(f"systemctl stop xiangqid; cat {GADGET} >/root/udc; echo >{GADGET}; sleep 1; cat /root/udc >{GADGET}")
        self.guest.becomes("systemctl is-active xiangqid", "active")

    def upgraded(self, version):
        assert self.guest.run("dpkg-query -W -f '${Version}' xiangqid") == version
        self.guest.run("dpkg --force-confdef --force-confold -i /root/newer.deb")
        assert self.guest.run("dpkg-query -W -f '${Version}' xiangqid") == version + "+next"
        assert "Red of the test" in self.guest.run("cat /etc/xiangqid/xiangqid.toml")
        self.guest.becomes("systemctl is-active xiangqid", "active")
        with_games = self.guest.run("xiangqi-replay /var/lib/xiangqid/*.xsl | grep -c '\"type\":\"result\"'")
        assert int(with_games) >= 1

    def purged(self):
        self.guest.run("systemctl stop xiangqi-boardsim && dpkg -P xiangqid xiangqi-boardsim")
        after = self.guest.run(TRACES)
        left = set(after.splitlines()) - set(self.before.splitlines())
        assert not left, "left behind: " + " ".join(sorted(left))
        remains = self.guest.run("getent passwd xiangqid; getent group xiangqid; ls -d /run/xiangqid "
                                 "/var/lib/systemd/deb-systemd-helper*/*xiangqi* 2>/dev/null; true")
        assert remains == "", remains


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--architecture", choices=vm.MACHINES, required=True)
    parser.add_argument("--packages", required=True)
    parser.add_argument("--games", required=True)
    parser.add_argument("--place", required=True)
    options = parser.parse_args()
    if missing := vm.available(options.architecture):
        print("skipped, for there is no", ", ".join(missing))
        return SKIPPED
    if os.geteuid() != 0:
        print("skipped: making the guest's image wants root")
        return SKIPPED

    packages = sorted(pathlib.Path(options.packages).glob(f"*_{options.architecture}.deb"))
    if not packages and options.architecture == "arm64":
        print("skipped: there are no packages for arm64")
        return SKIPPED
    assert len(packages) == 2, f"two packages are wanted in {options.packages}, there are {packages}"
    game = next(g for g in map(json.loads, pathlib.Path(options.games).read_text().splitlines()) if g["id"] == GAME)
    moves = game["moves_iccs"].split()
    boots_from = image(options.architecture, packages, options.place)
    with tempfile.TemporaryDirectory(dir=options.place) as place:
        version = newer(next(p for p in packages if p.name.startswith("xiangqid_")), place)
        guest = vm.Guest(options.architecture, boots_from, place, payload(packages, moves, place))
        say(f"boots, {'with KVM' if guest.accelerated else 'emulated'}")
        try:
            guest.boot()
            evening = Evening(guest, moves)
            for step in (evening.installed, evening.reloaded, evening.watched, evening.held_sockets,
                         evening.plugged_in, evening.cable_pulled, evening.daemon_killed):
                say(step.__name__.replace("_", " "))
                step()
            say("power cut")
            ply = evening.power_cut()
            say(f"played to the end from ply {ply}")
            evening.played_to_the_end(ply)
            say("started by the board")
            evening.started_by_the_board()
            say("upgraded")
            evening.upgraded(version)
            say("purged")
            evening.purged()
        except BaseException:
            shutil.copy(pathlib.Path(place) / "console.log", options.place)
            try:
                print(guest.run("journalctl -b --no-pager | tail -150; xiangqictl status; xiangqictl board", check=False)[1])
            except (AssertionError, OSError) as error:
                print("the guest says no more:", error)
            raise
        finally:
            guest.cut_power()
    print("the whole system does what it is to do")
    return 0


if __name__ == "__main__":
    sys.exit(main())
