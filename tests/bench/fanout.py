#!/usr/bin/env python3
"""Compares what a delivery costs: our crowd, the bare loop that is this kernel's limit, and mosquitto.

usage: fanout.py CLIENT [--hubcast PROGRAM] [--rounds N]

CLIENT is a folder with the load client `fanout`, the bare broadcaster `epollcast` and the folder
`preamble`. The servers take turns in each round; printed are medians over the rounds, and ratios.
"""
import argparse
import json
import pathlib
import resource
import shutil
import statistics
import subprocess
import tempfile
import time

SUBSCRIBE, PUBLISH = 18001, 18002
LONE = ["--messages", "60", "--interval-us", "20000"]
BURST = ["--messages", "2000", "--interval-us", "0"]
# What is compared: its name, the options of the load client, and who takes part.
SCENES = [
    ("lone messages, 100 spectators", [*LONE, "--conns", "100"], ("hubcast", "epollcast", "mosquitto")),
    ("lone messages, 1,000 spectators", [*LONE, "--conns", "1000"], ("hubcast", "epollcast", "mosquitto")),
    ("burst of 2,000, 100 spectators", [*BURST, "--conns", "100"], ("hubcast", "epollcast batch")),
    ("burst of 2,000, 1,000 spectators", [*BURST, "--conns", "1000"], ("hubcast", "epollcast batch")),
    ("lone messages, 4,500 spectators", [*LONE, "--conns", "4500"], ("hubcast",)),
    ("the same, and 500 that never read", [*LONE, "--conns", "5000", "--slow", "500"], ("hubcast",)),
]


def command(server, options, place):
    """The server's command line, and what the load client needs to speak to it."""
    address = [f"127.0.0.1:{SUBSCRIBE}", f"127.0.0.1:{PUBLISH}"]
    if server == "hubcast":
        return [options.hubcast, str(SUBSCRIBE), str(PUBLISH)], ["--pub", address[1]]
    if server.startswith("epollcast"):
        mode = server.split()[1] if " " in server else "write"
        return [options.client / "epollcast", *address, mode], ["--pub", address[1]]
    file = pathlib.Path(place) / "mosquitto.conf"
    file.write_text(f"listener {SUBSCRIBE} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
    spoken = options.client / "preamble"
    return ([shutil.which("mosquitto") or "/usr/sbin/mosquitto", "-c", file],
            ["--preamble", spoken / "mqtt_connect", "--preamble", spoken / "mqtt_subscribe", "--pub", address[0],
             "--pub-preamble", spoken / "mqtt_connect", "--pub-frame", "mqtt"])


def measure(server, load, options, place):
    """One run of the load client against a server of its own."""
    program, spoken = command(server, options, place)
    running = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
        ran = subprocess.run([options.client / "fanout", f"127.0.0.1:{SUBSCRIBE}", *spoken, *load, "--sources", "8",
                              "--pid", str(running.pid)], stdout=subprocess.PIPE, text=True, check=True)
    finally:
        running.terminate()
        running.wait()
    return json.loads(ran.stdout)


# Figures of a run: how it is printed, and its value.
FIGURES = {
    "µs CPU a delivery": lambda r: r["server_cpu_s_per_1e6"],
    "µs to the last": lambda r: r["latency_us"]["last_client"]["p50"],
    "thousand deliveries/s": lambda r: r["deliveries_per_s"] / 1000,
    "bytes a spectator": lambda r: r["rss_bytes_per_connection"],
    "KiB grown": lambda r: r["rss_kb"]["end"] - r["rss_kb"]["connected"],
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("client", type=pathlib.Path)
    parser.add_argument("--hubcast", default="build/bench_hubcast")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    lost = 0
    with tempfile.TemporaryDirectory() as place:
        for name, load, servers in SCENES:
            runs = {server: [] for server in servers}
            for _ in range(options.rounds):
                for server in servers:
                    runs[server].append(measure(server, load, options, place))
            print(f"\n{name}\n{'':18}" + "".join(f"{figure:>24}" for figure in FIGURES))
            for server, measured in runs.items():
                lost += sum(r["lost"] for r in measured) if server == "hubcast" else 0
                row = ""
                for value in FIGURES.values():
                    mine = statistics.median(map(value, measured))
                    ours = statistics.median(map(value, runs["hubcast"]))
                    ratio = f" (x{ours / mine:.2f})" if server != "hubcast" and mine > 0 else ""
                    row += f"{mine:14.1f}{ratio:>10}"
                print(f"{server:18}{row}", flush=True)
    print(f"\nlost by ours: {lost}    (x: ours over theirs)")
    return 1 if lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
