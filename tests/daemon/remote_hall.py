"""A daemon with a simulated board that arbiters reach from the network, for the tests."""
import glob
import os
import signal
import socket
import subprocess
import time

from remote_client import PATIENCE, Lines, connect, request


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
