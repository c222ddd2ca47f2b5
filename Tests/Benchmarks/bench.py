#!/usr/bin/env python3
"""Times the bus against raw libzmq, in one interleaved run, and prints ratios of medians.

Method: each round runs the C reference and ours one after the other, in alternating order, each with fresh processes,
the same socket types over ipc and the same bytes (a real usage.recorded event of about 400 bytes, as the envelope of
a request, an answer and an event). A figure is the time from the first to the last answer or event, scaled to all.
Absolute times depend on the machine and on where the scheduler puts the processes; read the ratios.
"""
import argparse, json, os, statistics, subprocess, sys, tempfile

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

def compare(name, rounds, measure, aim, unit, better_is_lower):
    raw, ours = [], []
    for index in range(rounds):
        for kind in (("raw", "bus") if index % 2 == 0 else ("bus", "raw")):
            (raw if kind == "raw" else ours).append(measure(kind))
    reference, figure = statistics.median(raw), statistics.median(ours)
    ratio = figure / reference if better_is_lower else reference / figure
    show = (lambda ns: f"{ns / 1000:.1f} us") if unit == "us" else (lambda ns: f"{1e9 / ns:,.0f}/s")
    print(f"| {name} | {show(reference)} | {show(figure)} | {ratio:.2f} | {aim} |", flush=True)
    return {"name": name, "raw_ns": reference, "ours_ns": figure, "ratio": ratio, "rounds": rounds}

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stbench-") as directory:
        os.chmod(directory, 0o700)
        bench = Bench(options.products, directory)
        print(f"Bus against raw libzmq in C, median of {options.rounds} interleaved rounds\n")
        print("| | raw libzmq | ours | ratio | aim |\n|---|---|---|---|---|")
        results = [
            compare("round trip", options.rounds, lambda kind: bench.ask(kind, 20_000, 1), "<= 1.15", "us", True),
            compare("pipelined, 64 open", options.rounds, lambda kind: bench.ask(kind, 200_000, 64), ">= 0.40", "rate", False),
            compare("published to decoded", options.rounds, lambda kind: bench.publish(kind, 300_000), ">= 0.50", "rate", False),
        ]
    if options.json:
        json.dump(results, open(options.json, "w"), indent=2)

main()
