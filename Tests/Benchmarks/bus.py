#!/usr/bin/env python3
"""Times the bus against raw libzmq, in one interleaved run, and prints ratios of medians.

Method: each round runs the C reference and ours one after the other, in alternating order, each with fresh processes,
the same socket types over ipc and the same bytes (a real usage.recorded event of about 400 bytes, as the envelope of
a request, an answer and an event). A figure is the time from the first to the last answer or event, scaled to all.
Absolute times depend on the machine and on where the scheduler puts the processes; read the ratios.
"""
import argparse, os, subprocess, tempfile
from figures import Figures

def start(*command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)
    line = process.stdout.readline().strip()
    if line != "READY":
        raise SystemExit(f"{command[0]} did not become ready: {line!r}")
    return process

def finish(*command):
    return int(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)

class Bench:
    def __init__(self, products, directory):
        self.raw, self.bus = f"{products}/bench-raw", f"{products}/bench-bus"
        self.directory = directory
        subprocess.run([self.bus, "bytes", directory], check=True)

    def ask(self, kind, count, window):
        endpoint = f"ipc://{self.directory}/raw"
        if kind == "raw":
            server = start(self.raw, "answer", endpoint, f"{self.directory}/answer")
            client = (self.raw, "ask", endpoint, f"{self.directory}/request", str(count), str(window))
        else:
            server = start(self.bus, "answer", self.directory)
            client = (self.bus, "ask", self.directory, str(count), str(window))
        try:
            return finish(*client) / count
        finally:
            server.kill(); server.wait()

    def publish(self, kind, count):
        endpoint = f"ipc://{self.directory}/raw"
        if kind == "raw":
            server = start(self.raw, "publish", endpoint, f"{self.directory}/event", str(count))
            client = (self.raw, "take", endpoint, str(count))
        else:
            server = start(self.bus, "publish", self.directory, str(count))
            client = (self.bus, "take", self.directory, str(count))
        try:
            return finish(*client) / count
        finally:
            server.kill(); server.wait()

def compare(figures, name, rounds, measure, aim, is_rate):
    """The time of one, or how many a second; aim: of the ratio to raw libzmq."""
    raw, ours = [], []
    for index in range(rounds):
        for kind in (("raw", "bus") if index % 2 == 0 else ("bus", "raw")):
            ns = measure(kind)
            (raw if kind == "raw" else ours).append(1e9 / ns if is_rate else ns / 1000)
    value, reference = figures.median(name, "/s" if is_rate else "us", ours, raw, smaller_is_better=not is_rate,
                                      aim=aim, aim_is_of="ratio")
    show = (lambda rate: f"{rate:,.0f}/s") if is_rate else (lambda us: f"{us:.1f} us")
    print(f"| {name} | {show(reference)} | {show(value)} | {value / reference:.2f} | {'>=' if is_rate else '<='} {aim:.2f} |", flush=True)

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--figures")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    figures = Figures(options.figures)
    with tempfile.TemporaryDirectory(prefix="stbench-") as directory:
        os.chmod(directory, 0o700)
        bench = Bench(options.products, directory)
        print(f"Bus against raw libzmq in C, median of {options.rounds} interleaved rounds\n")
        print("| | raw libzmq | ours | ratio | aim |\n|---|---|---|---|---|")
        compare(figures, "round trip", options.rounds, lambda kind: bench.ask(kind, 20_000, 1), 1.15, False)
        compare(figures, "pipelined, 64 open", options.rounds, lambda kind: bench.ask(kind, 200_000, 64), 0.40, True)
        compare(figures, "published to decoded", options.rounds, lambda kind: bench.publish(kind, 300_000), 0.60, True)

main()
