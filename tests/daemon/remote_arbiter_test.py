#!/usr/bin/env python3
"""Arbiters from the network against the shipped daemon: TLS, tokens, the desk's doors, reload, and
what strangers may not. With a real certificate (made by the openssl command) and a real TLS client.

    remote_arbiter_test.py XIANGQID XIANGQICTL
"""
import glob
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

from remote_client import PATIENCE, Lines, WebSocket, connect, ended, request, tls

SKIPPED = 77
FORBIDDEN = -32001


class Failed(Exception):
    pass


def check(holds, what, *got):
    if not holds:
        raise Failed(what + (": %r" % (got,) if got else ""))


def wait_for(holds, what):
    limit = time.monotonic() + PATIENCE
    while not holds():
        check(time.monotonic() < limit, "%s did not come" % what)
        time.sleep(0.05)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def own_address():
    """An address of this machine that is no loopback one, or None. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = s.getsockname()[0]
        return None if address.startswith("127.") else address


def listens(port):
    try:
        connect(port).close()
        return True
    except ConnectionRefusedError:
        return False


class Hall:
    """A daemon with a simulated board, its certificate and its tokens."""

    def __init__(self, daemon, ctl, folder):
        self.daemon, self.ctl, self.folder = daemon, ctl, folder
        self.process = None
        self.http, self.lines, self.https = free_port(), free_port(), free_port()
        self.tokens, self.secrets = self.path("tokens"), []
        self.certify("board")
        with open(self.path("xiangqid.toml"), "w", encoding="utf-8") as f:
            f.write('[sensor]\ndriver = "sim"\nspeed = 4\n[journal]\ndirectory = "%s"\n' % self.path("journal"))
            f.write('[broadcast]\nlisten = ""\nhttp = "0.0.0.0:%d"\nmax_per_address = 20\n' % self.http)
            f.write('[arbiter]\nsocket = "%s"\n' % self.path("arbiter.sock"))
            f.write('listen = "127.0.0.1:%d"\nhttps = "127.0.0.1:%d"\n' % (self.lines, self.https))
            f.write('certificate = "%s"\nkey = "%s"\n' % (self.path("board.pem"), self.path("board.key")))
            f.write('token_file = "%s"\n' % self.tokens)

    def path(self, name):
        return os.path.join(self.folder, name)

    def certify(self, name):
        """A certificate for board.pem and board.key, replaced in place."""
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-days", "2", "-subj", "/CN=" + name, "-addext", "subjectAltName=DNS:localhost",
                        "-keyout", self.path("board.key"), "-out", self.path("board.pem")],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.chmod(self.path("board.key"), 0o600)

    def token(self, *arguments, status=0):
        """Runs `xiangqictl token`; what it printed."""
        done = subprocess.run([self.ctl, "--config", self.path("xiangqid.toml"), "token", *arguments],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE)
        check(done.returncode == status, "token %s" % (arguments,), done.returncode, done.stdout, done.stderr)
        printed = done.stdout.decode().strip()
        if arguments[0] == "add" and status == 0:
            self.secrets.append(printed.split(".")[1])
        return printed or done.stderr.decode()

    def start(self):
        with open(self.path("daemon.log"), "ab") as log:
            self.process = subprocess.Popen([self.daemon, "--config", self.path("xiangqid.toml")], stdout=log, stderr=log)
        wait_for(self.serves, "the daemon")

    def serves(self):
        try:
            with connect(self.http) as c:
                return request(c, "/healthz", {}, "localhost")[0] == 200
        except ConnectionError:
            return False

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)

    def log(self):
        with open(self.path("daemon.log"), encoding="utf-8") as f:
            return f.read()

    def reload(self):
        before = self.log().count("was read again")
        self.process.send_signal(signal.SIGHUP)
        wait_for(lambda: self.log().count("was read again") > before, "the reload")
        check(self.serves(), "the daemon serves after the reload")

    def journal(self):
        texts = []
        for path in glob.glob(self.path("journal") + "/*.xsl"):
            check(os.stat(path).st_mode & 0o007 == 0, "a journal that all can read", path)
            with open(path, encoding="utf-8") as f:
                texts.append(f.read())
        check(os.stat(self.path("journal")).st_mode & 0o007 == 0, "a journal's directory that all can look into")
        return "".join(texts)

    def page(self, port, path, context=None, to="127.0.0.1", host=None, **headers):
        with connect(port, to=to, source="", context=context) as c:
            fields = {name.replace("_", "-"): value for name, value in headers.items()}
            return request(c, path, fields, host or "localhost:%d" % port)

    def logged_in(self, token, **options):
        caller = Lines(self.lines, **options)
        name = caller.call("auth", token=token)
        check(name.get("name") == "token:" + token.split(".")[0], "log in", name)
        return caller


def tokens_by_command(hall):
    hall.token("list")
    anna, screen = hall.token("add", "anna"), hall.token("add", "screen", "--watch")
    check(os.stat(hall.tokens).st_mode & 0o777 == 0o600, "the token file's mode")
    check(hall.token("list") == "anna  arbiter\nscreen  watch", "the list of tokens")
    check("already" in hall.token("add", "anna", status=1), "a second token of one name")
    check("a-z" in hall.token("add", "an:na", status=2), "a name that breaks the file")
    check("no token" in hall.token("remove", "nobody", status=1), "removing nobody's token")
    with open(hall.tokens, encoding="utf-8") as f:
        text = f.read()
    for secret in hall.secrets:
        check(len(secret.replace("-", "")) * 5 >= 128, "a short token", len(secret))
        check(secret not in text, "a token stands in the file as it is")
    os.chmod(hall.tokens, 0o640)
    check("chmod 600" in hall.token("list", status=1), "a token file that the group can read")
    os.chmod(hall.tokens, 0o600)
    return anna, screen


def faults_at_the_start(hall):
    """Each is told in one line, and the game goes on without arbiters from the network."""
    def start_with(text, *remedies):
        before = len(hall.log()) if os.path.exists(hall.path("daemon.log")) else 0
        hall.start()
        told = [line for line in hall.log()[before:].splitlines() if "error" in line]
        check(len(told) == 1 and text in told[0], "one clear line at the start", told)
        for port in (hall.lines, hall.https):
            check(listens(port) == ("already in use" in text), "who listens in spite of " + text)
        for remedy in remedies:
            remedy()
            hall.reload()
            check(listens(hall.lines), "a reload mends what the start could not")
        hall.stop()

    key, kept = hall.path("board.key"), hall.path("kept.key")
    os.rename(key, kept)
    start_with("board.key: No such file")
    other = hall.path("other.pem")
    subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key],
                   check=True, stderr=subprocess.DEVNULL)
    os.chmod(key, 0o600)
    start_with("board.key: is not the key of ")
    os.rename(kept, key)
    os.chmod(key, 0o644)
    start_with("everybody may open this key", lambda: os.chmod(key, 0o600))
    shutil.copy(hall.path("board.pem"), other)
    with open(hall.path("board.pem"), "w", encoding="utf-8") as f:
        f.write("no certificate\n")
    start_with("board.pem: holds no certificate")
    os.rename(other, hall.path("board.pem"))
    os.chmod(hall.tokens, 0o644)
    start_with("tokens: others than its owner may open it; chmod 600")
    os.chmod(hall.tokens, 0o600)
    with open(hall.tokens, encoding="utf-8") as f:
        good = f.read()
    with open(hall.tokens, "a", encoding="utf-8") as f:
        f.write("bea:arbiter:secret-in-the-open\n")
    start_with("tokens: line 3: the hash is none")
    check("secret-in-the-open" not in hall.log(), "what stands in a bad line is in the log")
    with open(hall.tokens, "w", encoding="utf-8") as f:
        f.write(good)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", hall.lines))
        taken.listen()
        start_with("127.0.0.1:%d: Address already in use" % hall.lines)


def lines_over_tls(hall, anna, screen):
    caller = Lines(hall.lines)
    check(caller.connection.version() == "TLSv1.3", "the version of TLS", caller.connection.version())
    for method in ("status", "watch", "board.status", "game.pause", "record.export"):
        refused = caller.call(method) if method != "record.export" else caller.call(method, format="log")
        check(refused.get("code") == FORBIDDEN, method + " without a token", refused)
    check(caller.call("auth", token="anna.wrong").get("message") == "this token is not known", "a wrong token")
    check(caller.call("auth", token=anna) == {"name": "token:anna", "role": "arbiter"}, "a good token")
    check("game" in caller.call("status"), "the status")
    check("ply" in caller.call("game.pause"), "a call")
    check("ply" in caller.call("game.resume"), "a call")
    check('"method":"game.pause","params":{},"by":"token:anna"' in hall.journal(), "the journal names the caller")

    watcher = hall.logged_in(screen)
    check(watcher.call("watch") == {"watching": True}, "a watch")
    check(watcher.call("game.pause").get("code") == FORBIDDEN, "a watcher's call")
    wait_for(lambda: watcher.call("status") and len(watcher.notes) > 2, "what is watched")

    with connect(hall.lines) as plain:
        plain.sendall(b'{"jsonrpc":"2.0","id":1,"method":"status"}\n')
        heard = plain.recv(4096)
        check(b"jsonrpc" not in heard, "an answer without TLS", heard)
        check(ended(plain), "a connection without TLS is ended")
    for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
        try:
            Lines(hall.lines, context=tls(version, version))
            raise Failed("TLS %s is spoken" % version.name)
        except (ssl.SSLError, ConnectionError):
            pass
    Lines(hall.lines, context=tls(maximum=ssl.TLSVersion.TLSv1_2)).connection.close()
    long = Lines(hall.lines)
    long.connection.sendall(b"x" * 70_000)
    check(ended(long.connection), "an endless line")
    return caller


def guesses_are_slowed(hall, anna):
    guesser = Lines(hall.lines, source="127.0.0.77")
    answers = [guesser.call("auth", token="anna.0000-%d" % i)["message"] for i in range(8)]
    check(answers[:5] == ["this token is not known"] * 5, "five guesses are looked at", answers)
    check(all(a.startswith("too many wrong tokens: try again in ") for a in answers[5:]), "the rest are not", answers)
    check("try again" in guesser.call("auth", token=anna)["message"], "the right one must wait as well")
    hall.logged_in(anna).connection.close()         # from elsewhere it need not


def a_full_lobby(hall, anna):
    """Strangers who say nothing keep nobody out, and one network has only so many places."""
    crowd = [connect(hall.lines, source="127.0.1.%d" % (1 + i // 16)) for i in range(64)]
    check(ended(connect(hall.lines, source="127.0.1.1")), "a seventeenth connection from one address")
    hall.logged_in(anna, source="127.0.1.9").connection.close()
    check(ended(crowd[0]), "the oldest stranger goes")
    for c in crowd:
        c.close()


def a_slow_reader(hall, anna):
    slow = hall.logged_in(anna)
    asking = b'{"jsonrpc":"2.0","id":1,"method":"board.status"}\n' * 1000
    slow.connection.settimeout(5)
    try:
        for _ in range(100):
            slow.connection.sendall(asking)
        raise Failed("100,000 answers are kept for one who fetches none")
    except (ssl.SSLError, OSError):
        pass
    check(hall.serves(), "the others are served meanwhile")


def the_desk_over_https(hall, anna):
    own = "https://localhost:%d" % hall.https
    status, headers, body = hall.page(hall.https, "/arbiter", tls())
    check(status == 200 and b"arbiter.js" in body, "the desk's page", status)
    check("frame-ancestors 'none'" in headers["content-security-policy"], "the desk cannot be framed", headers)
    check(hall.page(hall.https, "/arbiter.js", tls())[0] == 200, "the page's script")
    check(hall.page(hall.https, "/", tls())[1].get("location") == "/arbiter", "the way to the desk")
    check(hall.page(hall.https, "/metrics", tls())[0] == 404, "a path that is not there")
    for origin in ("https://example.org", "http://localhost:%d" % hall.https, "https://localhost", "null"):
        check(WebSocket(hall.https, context=tls(), Origin=origin).status == 403, "a page of " + origin)
    for origin in ({}, {"Origin": own}):
        desk = WebSocket(hall.https, context=tls(), **origin)
        check(desk.status == 101, "the desk's WebSocket", desk.status)
        check(desk.call("status").get("code") == FORBIDDEN, "without a token")
        check(desk.call("auth", token=anna).get("role") == "arbiter", "by token")
        check(desk.call("status").get("game", 0) >= 1, "the status")
    try:
        desk.send("x" * 70_000)
        desk.hear()
        raise Failed("an endless frame is taken")
    except (ConnectionError, ssl.SSLError):
        pass


def the_desk_of_this_machine(hall):
    local = WebSocket(hall.http, Origin="http://localhost:%d" % hall.http)
    check(local.status == 101 and "ply" in local.call("game.pause"), "a call from this machine")
    check("ply" in local.call("game.resume"), "a call from this machine")
    check('"by":"local"' in hall.journal(), "the journal says that it came from this machine")
    check(local.call("auth", token="whatever") == {"name": "local", "role": "arbiter"}, "no token is needed")
    for host in ("127.0.0.1:%d", "[::1]:%d", "LOCALHOST:%d"):
        check(WebSocket(hall.http, host=host % hall.http).status == 101, "by the name " + host)
    for wrong in ({"Origin": "http://example.org"}, {"Origin": "null"}, {"Origin": "http://localhost:1"},
                  {"host": "board.example.org:%d" % hall.http}, {"host": "localhost.example.org"},
                  {"X_Forwarded_For": "203.0.113.5"}, {"Via": "1.1 proxy"}):
        check(WebSocket(hall.http, **wrong).status == 403, "a stranger's page", wrong)
        if "Origin" not in wrong:
            check(hall.page(hall.http, "/arbiter", **wrong)[0] == 403, "the desk's page for a stranger", wrong)
    check(hall.page(hall.http, "/arbiter")[0] == 200, "the desk's page")
    check(hall.page(hall.http, "/arbiter?lang=en")[0] == 200, "the desk's page with a query")

    address = own_address()
    if address is None:
        print("not tried: this machine has no address but loopback ones")
    else:
        for wrong in ({}, {"host": "localhost"}, {"source": "127.0.0.1"}, {"Origin": "http://%s:%d" % (address, hall.http)}):
            check(WebSocket(hall.http, to=address, **wrong).status == 403, "from the network without TLS", wrong)
        check(hall.page(hall.http, "/arbiter", to=address)[0] == 403, "the desk's page from the network")
        check(hall.page(hall.http, "/overlay", to=address)[0] == 200, "the public pages from the network")

    crowd = [WebSocket(hall.http, path="/live") for _ in range(20)]
    check(all(c.status == 101 for c in crowd), "as many spectators as may be")
    check(WebSocket(hall.http, path="/live").status == 503, "one more")
    check("game" in WebSocket(hall.http).call("status"), "this machine's desk in a full house")
    for c in crowd:
        c.connection.close()

    calls = hall.journal().count(" rpc ")
    spectator = WebSocket(hall.http, path="/live")
    check(spectator.status == 101, "a spectator")
    spectator.send('{"jsonrpc":"2.0","id":1,"method":"game.pause"}')
    check(json.loads(spectator.hear())["type"] == "hello", "a spectator hears the broadcast")
    check(hall.journal().count(" rpc ") == calls, "a spectator's call is heard")


def reloads(hall, anna, anna_session):
    bea = hall.token("add", "bea")
    check("not known" in Lines(hall.lines).call("auth", token=bea)["message"], "a token before the reload")
    hall.reload()
    bea_session = hall.logged_in(bea)
    check("game" in anna_session.call("status"), "a session lives through a reload")

    def subject():
        with connect(hall.https, context=tls()) as c:
            return c.getpeercert(binary_form=True)
    before = subject()
    hall.certify("renewed")
    hall.reload()
    check(subject() != before, "a renewed certificate is shown")
    with open(hall.path("board.key"), "w", encoding="utf-8") as f:
        f.write("")
    hall.reload()
    check("the certificate in use stays: " in hall.log(), "a spoilt key is told")
    check(subject() != before, "a spoilt key changes nothing")
    hall.certify("again")

    desk = WebSocket(hall.https, context=tls())
    check(desk.call("auth", token=anna).get("role") == "arbiter", "anna's desk")
    os.chmod(hall.tokens, 0o644)
    hall.reload()
    check("the tokens in use stay: " in hall.log(), "a token file that all can read is told")
    check("game" in anna_session.call("status"), "the tokens in use stay")
    os.chmod(hall.tokens, 0o600)

    hall.token("remove", "anna")
    hall.reload()
    check(ended(anna_session.connection), "who lost his token is out")
    check(ended(desk.connection), "from the desk as well")
    check("not known" in Lines(hall.lines).call("auth", token=anna)["message"], "he does not come back")
    check("game" in bea_session.call("status"), "the others stay")
    rotated = hall.token("add", "anna")
    hall.reload()
    hall.logged_in(rotated)

    with open(hall.path("xiangqid.toml"), "a", encoding="utf-8") as f:
        f.write('[mqtt]\ntopic = "other"\n')
    hall.reload()
    check("`mqtt.topic` was changed, which needs a restart" in hall.log(), "what needs a restart is named")


def play(hall):
    anna, screen = tokens_by_command(hall)
    faults_at_the_start(hall)
    hall.start()
    silent = [connect(hall.lines, source="127.0.0.50"), connect(hall.https, source="127.0.0.50"),
              connect(hall.lines, source="127.0.0.50", context=tls())]
    session = lines_over_tls(hall, anna, screen)
    guesses_are_slowed(hall, anna)
    the_desk_over_https(hall, anna)
    the_desk_of_this_machine(hall)
    a_slow_reader(hall, anna)
    reloads(hall, anna, session)
    check(all(ended(c) for c in silent), "who says nothing is ended")
    a_full_lobby(hall, hall.token("list") and hall_token(hall))
    log = hall.log()
    check("token:anna has come in from 127.0.0.1" in log, "the log says who came in")
    with open(hall.tokens, encoding="utf-8") as f:
        hashes = [line.strip().split("$")[-1] for line in f]
    for secret in hall.secrets + hashes + ["0000-1"]:
        check(secret not in log and secret not in hall.journal(), "a secret is in the log or the journal")


def hall_token(hall):
    token = hall.token("add", "carl")
    hall.reload()
    return token


def main():
    if shutil.which("openssl") is None:
        print("skipped: the openssl command is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(sys.argv[1], sys.argv[2], folder)
        try:
            play(hall)
            print("passed")
            return 0
        except Failed as failure:
            print("FAIL: %s" % failure)
            print(hall.log()[-4000:] if os.path.exists(hall.path("daemon.log")) else "")
            return 1
        finally:
            hall.stop()


if __name__ == "__main__":
    sys.exit(main())
