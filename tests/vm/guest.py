"""A virtual machine that a test drives from outside: boots, runs scripts in it, cuts its power."""
import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import threading
import time

# Programs and what they need beyond the common options.
MACHINES = {
    "amd64": ["qemu-system-x86_64", "-machine", "q35", "-cpu", "max"],
    "arm64": ["qemu-system-aarch64", "-machine", "virt,gic-version=3", "-cpu", "cortex-a53"],
}
CONSOLES = {"amd64": "ttyS0", "arm64": "ttyAMA0"}


class Guest:
    """`image` is what image.sh made; its disk is copied to `place` and changed there only."""

    def __init__(self, architecture, image, place, payload):
        self.architecture = architecture
        self.image = pathlib.Path(image)
        self.place = pathlib.Path(place)
        self.payload = payload
        self.disk = self.place / "disk.img"
        subprocess.run(["cp", "--sparse=always", self.image / "root.img", self.disk], check=True)
        self.ports = {}
        self.process = None

    @property
    def accelerated(self):
        """Whether this machine can run the guest's own instructions. There are machines, virtual ones
        themselves, with a /dev/kvm that does not work; their processor does not claim that it could."""
        if self.architecture != "amd64" or os.uname().machine != "x86_64" or not os.access("/dev/kvm", os.R_OK | os.W_OK):
            return False
        return bool({"vmx", "svm"} & set(pathlib.Path("/proc/cpuinfo").read_text().split()))

    @property
    def patience(self):
        """Seconds that anything may take: an emulated machine on a busy one is slow."""
        return 30 if self.accelerated else 120

    def boot(self):
        program, *machine = MACHINES[self.architecture]
        self.ports = {port: free_port() for port in (9955, 9956)}
        forwards = "".join(f",hostfwd=tcp:127.0.0.1:{here}-10.0.2.15:{there}" for there, here in self.ports.items())
        line = self.place / "shell"
        line.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            ["nice", "-n", "10", program, *machine, "-accel", "kvm" if self.accelerated else "tcg,tb-size=512", "-m", "1024", "-nodefaults",
             "-display", "none", "-no-reboot", "-kernel", self.image / "kernel", "-initrd", self.image / "initramfs",
             "-append", f"console={CONSOLES[self.architecture]} panic=-1 mitigations=off",
             "-serial", f"file:{self.place}/console.log",
             "-drive", f"file={self.disk},if=none,id=disk,format=raw", "-device", "virtio-blk-pci,drive=disk",
             "-drive", f"file={self.payload},if=none,id=payload,format=raw,readonly=on",
             "-device", "virtio-blk-pci,drive=payload",
             "-chardev", f"socket,id=shell,path={line},server=on,wait=off", "-device", "virtio-serial-pci",
             "-device", "virtserialport,chardev=shell,name=shell", "-device", "virtio-rng-pci",
             "-netdev", f"user,id=net{forwards}", "-device", "virtio-net-pci,netdev=net"],
            stdin=subprocess.DEVNULL)
        self.shell = socket.socket(socket.AF_UNIX)
        until(lambda: connects(self.shell, str(line)), 30, "QEMU starts")
        self.shell.settimeout(15 * self.patience)
        self.lines = self.shell.makefile()
        assert self.lines.readline() == "hello\n", "the guest does not boot; see console.log"

    def run(self, script, check=True):
        """Runs a shell script as root and returns what it printed."""
        self.shell.sendall(base64.b64encode(script.encode()) + b"\n")
        answer = self.lines.readline().rstrip("\n")
        assert answer, f"the guest is gone in: {script}"
        output, status = answer.rsplit(" ", 1)
        text = base64.b64decode(output).decode(errors="replace").rstrip()
        assert not check or status == "0", f"exit status {status}: {script}\n{text}"
        return text if check else (int(status), text)

    def becomes(self, script, wanted):
        """Waits until a script prints what is wanted."""
        until(lambda: self.run(script, check=False)[1] == wanted, 4 * self.patience, f"{script} prints {wanted}")

    def cut_power(self):
        self.process.kill()
        self.process.wait()
        self.shell.close()


class Spectator:
    """Follows the broadcast, through whatever ends its connection, and keeps all messages."""

    def __init__(self, port):
        self.port = port
        self.messages = []
        self.ending = False
        self.news = threading.Condition()
        self.thread = threading.Thread(target=self.follow, daemon=True)
        self.thread.start()

    def follow(self):
        while not self.ending:
            try:
                with socket.create_connection(("127.0.0.1", self.port), 10) as stream:
                    stream.settimeout(30)
                    for line in stream.makefile(encoding="utf-8"):
                        with self.news:
                            self.messages.append(json.loads(line))
                            self.news.notify_all()
            except (OSError, ValueError):
                pass
            time.sleep(0.2)

    def awaits(self, what, wanted, seconds, since=0):
        """The first message, from number `since` on, that is as wanted."""
        limit = time.monotonic() + seconds
        with self.news:
            while True:
                for message in self.messages[since:]:
                    if wanted(message):
                        return message
                since = len(self.messages)
                left = limit - time.monotonic()
                assert left > 0, f"not seen within {seconds} s: {what}; the last: {self.messages[-3:]}"
                self.news.wait(left)

    def mark(self):
        with self.news:
            return len(self.messages)


def until(condition, seconds, what):
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, f"not within {seconds} s: {what}"
        time.sleep(0.3)


def connects(stream, path):
    try:
        stream.connect(path)
        return True
    except OSError:
        return False


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def available(architecture):
    """What is missing to run a guest, or nothing."""
    wanted = [MACHINES[architecture][0], "mmdebstrap", "mke2fs", "cpio", "modprobe"]
    return [program for program in wanted if shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None]
