#!/usr/bin/env python3
"""Arbiters from the network against the shipped daemon: TLS, tokens, the desk's doors, reload, and
what strangers may not. With a real certificate (made by the openssl command) and a real TLS client.

    remote_arbiter_test.py XIANGQID XIANGQICTL
"""
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile

from remote_client import Lines, WebSocket, connect, ended, tls
from remote_hall import Failed, Hall, check, listens, wait_for

SKIPPED = 77
FORBIDDEN = -32001


def own_address():
    """An address of this machine that is no loopback one, or None. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = s.getsockname()[0]
        return None if address.startswith("127.") else address


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


def token_of_carl(hall):
    """The token of one who came last."""
    token = hall.token("add", "carl")
    hall.reload()
    return token


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
    a_full_lobby(hall, token_of_carl(hall))
    log = hall.log()
    check("token:anna has come in from 127.0.0.1" in log, "the log says who came in")
    with open(hall.tokens, encoding="utf-8") as f:
        hashes = [line.strip().split("$")[-1] for line in f]
    for secret in hall.secrets + hashes + ["0000-1"]:
        check(secret not in log and secret not in hall.journal(), "a secret is in the log or the journal")


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
