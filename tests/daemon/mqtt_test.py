#!/usr/bin/env python3
"""The MQTT publisher of the shipped daemon against a real Mosquitto.

A recorded game is played through the `log` driver, and what a subscriber of the broker is told is
held against what a spectator is told over TCP: the same messages, in the same order, though the
broker is killed in the middle of the game; nothing early behind a delay; the last will; what the
log says of each fault, and that it says no secret.

    mqtt_test.py XIANGQID GAME
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from remote_hall import Failed, check, free_port, wait_for

SKIPPED = 77
PASSWORD = "vermilion-chariot-9"
TOPIC = "hall/Spring Open _3/table_7"
MOMENTARY = ("clock", "heartbeat")


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


STARTED = []  # every process, so that none outlives the test


def start(command, **streams):
    STARTED.append(subprocess.Popen(command, **streams))
    return STARTED[-1]


class Broker:
    """Mosquitto with one user, a plain listener and one over TLS; it remembers over a restart."""

    def __init__(self, folder):
        self.folder, self.process = folder, None
        self.port, self.tls_port = free_port(), free_port()
        for name in ("broker", "stranger"):
            run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "2", "-subj", "/CN=" + name, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                self.path(name + ".key"), "-out", self.path(name + ".pem"))
        run("mosquitto_passwd", "-b", "-c", self.path("users"), "board", PASSWORD)
        with open(self.path("mosquitto.conf"), "w", encoding="utf-8") as f:
            # It would change to a user of its own, who cannot read here.
            f.write("user root\nallow_anonymous false\npassword_file %s\n" % self.path("users"))
            f.write("persistence true\npersistence_location %s/\n" % folder)
            f.write("autosave_on_changes true\nautosave_interval 1\n")
            f.write("listener %d 127.0.0.1\n" % self.port)
            f.write("listener %d 127.0.0.1\ncertfile %s\nkeyfile %s\n"
                    % (self.tls_port, self.path("broker.pem"), self.path("broker.key")))

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self):
        with open(self.path("mosquitto.log"), "ab") as log:
            self.process = start(["mosquitto", "-c", self.path("mosquitto.conf")], stdout=log, stderr=log)
        wait_for(self.listens, "the broker")

    def listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except ConnectionRefusedError:
            return False

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Heard:
    """Lines from somewhere, each with when it came, collected by a thread."""

    def __init__(self, stream):
        self.lines = []
        threading.Thread(target=self.listen, args=(stream,), daemon=True).start()

    def listen(self, stream):
        for line in stream:
            self.lines.append((time.time(), line.decode().rstrip("\n")))


class Subscriber:
    def __init__(self, broker, *options):
        self.process = start(
            ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(broker.port), "-u", "board", "-P", PASSWORD, "-q", "1",
             "-t", "hall/#", "-F", "%r|%t|%p", *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.heard = Heard(self.process.stdout)

    def all(self, subtopic):
        """(when, retained, payload) of what came under this topic."""
        found = []
        for when, line in list(self.heard.lines):
            retained, topic, payload = line.split("|", 2)
            if topic == TOPIC + "/" + subtopic:
                found.append((when, retained == "1", payload))
        return found

    def payloads(self, subtopic):
        return [payload for _, _, payload in self.all(subtopic)]

    def last(self, subtopic):
        return (self.payloads(subtopic) or [None])[-1]

    def events(self):
        """The events, as they came for the first time: at least once is promised."""
        seen, events = set(), []
        for payload in self.payloads("event"):
            seq = json.loads(payload)["seq"]
            if seq not in seen:
                events.append(payload)
            seen.add(seq)
        return events

    def close(self):
        self.process.kill()
        self.process.wait()


class Board:
    """The daemon, and a spectator over TCP."""

    def __init__(self, daemon, folder, game, hall, speed=20, delay="0s", **mqtt):
        self.daemon, self.folder = daemon, tempfile.mkdtemp(dir=folder)
        self.port = free_port()
        self.process = None
        self.password_file = self.path("password")
        self.write_password(PASSWORD)
        keys = {"broker": "mqtt://127.0.0.1:%d" % hall.port, "user": "board", "password_file": self.password_file,
                "topic": "hall/{event}/{board}", **mqtt}
        with open(self.path("xiangqid.toml"), "w", encoding="utf-8") as f:
            f.write('board = "table+7"\n[event]\nname = "Spring Open #3"\nred = "Red"\nblack = "Black"\n')
            f.write('[game]\nrulings = "automatic"\n[sensor]\ndriver = "log"\nlog = "%s"\nspeed = %g\n' % (game, speed))
            f.write('[broadcast]\nlisten = "127.0.0.1:%d"\nhttp = ""\ndelay = "%s"\n' % (self.port, delay))
            f.write('[arbiter]\nsocket = ""\n[journal]\ndirectory = "%s"\n[mqtt]\n' % self.path("journal"))
            for name, value in keys.items():
                f.write('%s = "%s"\n' % (name, value))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write_password(self, password, mode=0o600):
        with open(self.password_file, "w", encoding="utf-8") as f:
            f.write(password + "\n")
        os.chmod(self.password_file, mode)

    def check_config(self):
        done = subprocess.run([self.daemon, "--check-config", "--config", self.path("xiangqid.toml")],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stderr.decode()

    def start(self):
        with open(self.path("daemon.log"), "ab") as log:
            self.process = start([self.daemon, "--config", self.path("xiangqid.toml")], stdout=log, stderr=log)
        wait_for(self.connects, "the daemon")
        self.spectator = Heard(self.socket.makefile("rb"))

    def connects(self):
        try:
            self.socket = socket.create_connection(("127.0.0.1", self.port), 5)
        except ConnectionRefusedError:
            return False
        self.socket.settimeout(None)
        self.socket.sendall(b'{"since": 0, "epoch": 0}\n')  # of no epoch: the state at once
        return True

    def messages(self):
        return [json.loads(line) for _, line in list(self.spectator.lines)]

    def plies(self):
        return len(finals(self.messages()))

    def log(self):
        with open(self.path("daemon.log"), encoding="utf-8") as f:
            return f.read()

    def told(self, text):
        return [line for line in self.log().splitlines() if "mqtt: " in line and text in line]

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            check(self.process.wait(10) == 0, "the daemon ends well")
        if os.path.exists(self.path("daemon.log")):
            check(PASSWORD not in self.log(), "the log holds the password")


def finals(messages):
    return [(m["ply"], m["iccs"]) for m in messages if m["type"] == "move" and m["status"] == "final"]


def whole_game(daemon, game, folder, broker):
    """The broker is killed in the middle of a game, and is away for four plies."""
    board = Board(daemon, folder, game, broker)
    broker.start()
    follower = Subscriber(broker, "-c", "-i", "follower")
    board.start()
    wait_for(lambda: follower.last("status") == "online", "the status")
    wait_for(lambda: board.messages() and follower.last("hello"), "the hello")
    check(json.loads(follower.last("hello")) == board.messages()[0], "the hello is that of spectators")
    check(json.loads(follower.last("hello"))["red"] == "Red", "the hello says who plays")
    wait_for(lambda: len(finals(map(json.loads, follower.events()))) >= 6, "six plies")
    broker.kill()
    before = board.plies()
    wait_for(lambda: board.plies() >= before + 4, "plies without a broker")
    check(len(board.told("it is tried again")) >= 1, "the loss is told", board.log())
    broker.start()
    wait_for(lambda: any(m["type"] == "result" for m in board.messages()), "the end of the game")
    last = [m for m in board.messages() if m["type"] == "result"][-1]
    wait_for(lambda: any(json.loads(e)["type"] == "result" for e in follower.events()), "the result from the broker")

    told = {m["seq"]: line for (_, line), m in zip(list(board.spectator.lines), board.messages()) if "seq" in m}
    heard = {json.loads(e)["seq"]: e for e in follower.events()}
    order = [seq for seq in heard if seq <= last["seq"]]
    check(order == sorted(order), "the events come in their order", order)
    first = min(seq for seq in told if json.loads(told[seq])["type"] != "state")
    for seq in range(first, last["seq"] + 1):
        if seq in heard:
            check(heard[seq] == told[seq], "the event is the spectators' message", heard[seq], told[seq])
        else:
            check(json.loads(told[seq])["type"] in MOMENTARY, "an event is missing", told[seq])
    check(any(seq not in heard for seq in range(first, last["seq"])), "clocks of the outage are not sent later")
    plies = finals(map(json.loads, follower.events()))
    check(plies == finals(board.messages()), "every final ply, in order", plies)
    check([ply for ply, _ in plies] == list(range(1, len(plies) + 1)) and len(plies) > 20, "a whole game", plies)
    check(len(board.told("publishes to " + TOPIC)) == 2, "each connection is told", board.log())

    # A newcomer is given what is retained, and that is the end of the game.
    wait_for(lambda: json.loads(follower.last("state"))["result"] == last["result"], "the last state")
    newcomer = Subscriber(broker)
    wait_for(lambda: all(newcomer.all(topic) for topic in ("hello", "state", "status")), "what is retained")
    _, retained, state = newcomer.all("state")[0]
    check(retained and not any(r for _, r, _ in newcomer.all("event")), "the state is retained, events are not")
    check(json.loads(state)["moves"] == [iccs for _, iccs in plies], "the state has all moves", state)
    check(newcomer.all("status")[0][1:] == (True, "online"), "the status is retained")

    # Killed, it cannot say goodbye; ended, it does.
    board.process.send_signal(signal.SIGKILL)
    board.process.wait()
    wait_for(lambda: newcomer.last("status") == "offline", "the last will")
    board.start()
    wait_for(lambda: newcomer.last("status") == "online", "online again")
    board.stop()
    wait_for(lambda: newcomer.last("status") == "offline", "the goodbye")
    for subscriber in (follower, newcomer):
        subscriber.close()


def delayed(daemon, game, folder, broker):
    board = Board(daemon, folder, game, broker, speed=1, delay="2s")
    follower = Subscriber(broker)
    begin = time.time()
    board.start()
    wait_for(lambda: len([e for e in follower.events() if json.loads(e)["type"] == "move"]) >= 2, "plies")
    for subtopic in ("event", "state"):
        # The first shows the set-up board to everybody at once; what is retained is another day's.
        late = [when - json.loads(payload)["t"] / 1000 for when, retained, payload in follower.all(subtopic)
                if not retained and json.loads(payload)["t"] / 1000 > begin and json.loads(payload)["ply"] > 0]
        check(late and min(late) >= 1.99, "nothing is shown before the delay has passed", subtopic, late)
        check(max(late) < 4, "nothing is shown much later", subtopic, late)
    board.stop()
    follower.close()


def faults(daemon, game, folder, broker):
    """Each is told in one line, stops nothing, and needs no restart when it is mended."""
    def heals(board, text, mend):
        board.start()
        wait_for(lambda: board.told(text), "the line " + text)
        time.sleep(2.5)  # tried again in the meantime
        check(len(board.told("")) == 1, "one line", board.told(""))
        check(board.plies() > 0, "the game goes on without")
        mend()
        wait_for(lambda: board.told("publishes to"), "the publisher")
        board.stop()

    board = Board(daemon, folder, game, broker)
    board.write_password("wrong-" + PASSWORD)
    heals(board, "the broker refuses the login", lambda: board.write_password(PASSWORD))
    board = Board(daemon, folder, game, broker)
    os.remove(board.password_file)
    heals(board, "password: No such file", lambda: board.write_password(PASSWORD))
    board = Board(daemon, folder, game, broker)
    board.write_password(PASSWORD, 0o644)
    heals(board, "chmod 600", lambda: os.chmod(board.password_file, 0o600))
    broker.kill()
    heals(Board(daemon, folder, game, broker), "Connection refused", broker.start)


def over_tls(daemon, game, folder, broker):
    secure = "mqtts://127.0.0.1:%d" % broker.tls_port
    follower = Subscriber(broker)
    board = Board(daemon, folder, game, broker, broker=secure, ca=broker.path("broker.pem"))
    before = len(follower.payloads("event"))
    board.start()
    wait_for(lambda: len(follower.payloads("event")) > before + 3, "events over TLS")
    board.stop()
    follower.close()
    for ca in (broker.path("stranger.pem"), ""):
        board = Board(daemon, folder, game, broker, broker=secure, ca=ca)
        board.start()
        wait_for(lambda: board.told("certificate"), "a certificate that nobody vouches for")
        check(not board.told("publishes to"), "it is not sent there")
        board.stop()
    board = Board(daemon, folder, game, broker, broker=secure, ca="/nowhere/ca.pem")
    board.start()
    wait_for(lambda: board.told("/nowhere/ca.pem: No such file"), "the authority's file that is not there")
    board.stop()


def configuration(daemon, game, folder, broker):
    for keys, text in (({"broker": "http://hall:1883"}, "`mqtt.broker` must be"),
                       ({"broker": "mqtt://board:%s@hall:1883" % PASSWORD}, "`mqtt.broker` must be"),
                       ({"ca": "/ca.pem"}, "`mqtt.ca` is for"), ({"user": ""}, "needs `mqtt.user`"),
                       ({"topic": "hall/#"}, "`mqtt.topic` must not"), ({"topic": "{hall}"}, "placeholders")):
        status, told = Board(daemon, folder, game, broker, **keys).check_config()
        check(status == 2 and told.count("\n") == 1 and text in told, "a bad configuration", status, told)
        check(PASSWORD not in told, "the complaint holds the password", told)


def main():
    daemon, game = sys.argv[1:]
    missing = [c for c in ("mosquitto", "mosquitto_sub", "mosquitto_passwd", "openssl")
               if not shutil.which(c, path=os.environ["PATH"] + ":/usr/sbin")]
    if missing:
        print("skipped: there is no " + ", ".join(missing))
        return SKIPPED
    os.environ["PATH"] += ":/usr/sbin"
    with tempfile.TemporaryDirectory() as folder:
        broker = Broker(folder)
        try:
            for part in (configuration, whole_game, delayed, faults, over_tls):
                begin = time.monotonic()
                part(daemon, game, folder, broker)
                print("%s: good (%.1f s)" % (part.__name__, time.monotonic() - begin), flush=True)
        except Failed as failure:
            print("FAIL in %s: %s" % (part.__name__, failure))
            return 1
        finally:
            for process in STARTED:
                process.kill()
                process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
