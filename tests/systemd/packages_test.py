#!/usr/bin/env python3
"""Builds the packages as they are shipped, holds them to lintian and to what must be in them.

usage: packages_test.py --source TOP --build DIRECTORY
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

WANTED = {
    "xiangqid": """
        /etc/avahi/services/xiangqid.service /etc/xiangqid/xiangqid.toml
        /usr/bin/xiangqid /usr/bin/xiangqictl /usr/bin/xiangqi-judge /usr/bin/xiangqi-replay
        /usr/lib/systemd/system/xiangqid.service /usr/lib/systemd/system/xiangqid-broadcast.socket
        /usr/lib/systemd/system/xiangqid-http.socket /usr/lib/sysusers.d/xiangqid.conf
        /usr/lib/udev/rules.d/60-xiangqid.rules
        /usr/share/bash-completion/completions/xiangqid /usr/share/bash-completion/completions/xiangqictl
        /usr/share/doc/xiangqid/BOARD_WIRE.md /usr/share/doc/xiangqid/changelog.Debian.gz
        /usr/share/doc/xiangqid/copyright
        /usr/share/man/man1/xiangqictl.1.gz /usr/share/man/man1/xiangqi-judge.1.gz
        /usr/share/man/man1/xiangqi-replay.1.gz /usr/share/man/man5/xiangqid.toml.5.gz
        /usr/share/man/man8/xiangqid.8.gz""",
    "xiangqi-boardsim": """
        /usr/bin/xiangqi-boardsim /usr/lib/systemd/system/xiangqi-boardsim.service
        /usr/share/bash-completion/completions/xiangqi-boardsim
        /usr/share/doc/xiangqi-boardsim/changelog.Debian.gz /usr/share/doc/xiangqi-boardsim/copyright
        /usr/share/man/man8/xiangqi-boardsim.8.gz""",
}


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, text=True, **options)


def output(*command):
    return run(*command, stdout=subprocess.PIPE).stdout


def build(source, there):
    """Makes the packages; the paths of those of this machine's architecture."""
    jobs = os.environ.get("JOBS", str(os.cpu_count()))
    run("cmake", "--preset", "deb", "-B", there, "--log-level=WARNING", cwd=source)
    run("cmake", "--build", there, "-j", jobs, stdout=subprocess.DEVNULL)
    for old in there.glob("*.deb"):
        old.unlink()
    run("cpack", cwd=there, stdout=subprocess.DEVNULL)
    return {output("dpkg-deb", "-f", deb, "Package").strip(): deb for deb in there.glob("*.deb")}


def complaints(package, deb):
    """What is wrong with one package."""
    listed = output("dpkg-deb", "-c", deb).splitlines()
    files = {line.split()[5].removeprefix(".") for line in listed if not line.startswith("d")}
    for missing in sorted(set(WANTED[package].split()) - files):
        yield f"{package} lacks {missing}"
    for line in listed:
        if line.split()[1] != "root/root":
            yield f"not root's: {line}"
    conffiles = run("dpkg-deb", "--ctrl-tarfile", deb, stdout=subprocess.PIPE, errors="replace").stdout
    if package == "xiangqid" and "/etc/xiangqid/xiangqid.toml" not in conffiles:
        yield "the configuration is no conffile"
    lintian = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", deb], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if lintian.returncode != 0:
        yield lintian.stdout


def keys_without_a_word(source):
    """Keys of the configuration that its manual page does not mention."""
    page = (source / "systemd/man/xiangqid.toml.5").read_text()
    explained = set(re.findall(r"\w+", " ".join(re.findall(r"^\.It Ic (.*?)(?: Pq .*)?$", page, re.M))))
    keys = set(re.findall(r"^(\w+) = ", (source / "config/xiangqid.toml").read_text(), re.M))
    assert "rulebook" in keys and "rulebook" in explained
    return sorted(keys - explained)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    wrong = [f"xiangqid.toml(5) does not explain {key}" for key in keys_without_a_word(options.source)]
    packages = build(options.source, options.build)
    assert set(packages) == set(WANTED), packages
    for package, deb in packages.items():
        wrong += complaints(package, deb)
        print(deb.name, deb.stat().st_size // 1024, "KiB,", output("dpkg-deb", "-f", deb, "Depends").strip())
    print("\n".join(wrong) or "the packages are sound")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
