#!/usr/bin/env python3
"""Times extension programs of the built system: cold start to the first callback returned, a warm callback, and the
memory of an idle one; each beside a bare Swift process, with all confinement and without bubblewrap.

Method: cold: `extension.run` starts a process, hands it one callback and waits for its end; the figure is what
monitor-runner measured from the start of the process to the answer. Warm: thresholds a quarter of a second apart, from
the commit that begins the attempt to the one that notes the return (two fsyncs are in it), by `delivery.list`. Idle:
PSS of the program and, apart, of bubblewrap's two processes around it. Bare: a Swift program that echoes one byte over
a pipe, started with posix_spawn: its first byte, its later ones, and its PSS.
"""
import argparse, json, os, statistics, subprocess, time
from figures import Figures
from instance import Instance
from memory import parent, pss_kb, sharers, words
from thresholds import ALL_DAY, Client, PLIST

NAME, ID = "org.example.bench", "org.example.bench.monitor"

def bare(products, rounds):
    cold, warm = [], []
    for _ in range(rounds):
        start = time.monotonic()
        process = subprocess.Popen([f"{products}/bench-bare"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        process.stdin.write(b"x"); process.stdout.read(1)
        cold.append((time.monotonic() - start) * 1e3)
        for _ in range(20):
            start = time.monotonic()
            process.stdin.write(b"x"); process.stdout.read(1)
            warm.append((time.monotonic() - start) * 1e3)
        memory = pss_kb(process.pid)
        process.stdin.close(); process.wait()
    return cold, warm, memory

def install(instance, products):
    asker = Client(instance, "auth-service")
    asker.send("authorization.request", {"client": NAME, "for": "individual"})
    pending = []
    while not pending:
        listed = json.loads(instance.screentime("authorization", "list", "--json"))
        pending = [one["id"] for one in listed["authorizations"] if one["client"] == NAME] or listed.get("pending", [])
    instance.screentime("authorization", "approve", pending[0])
    asker.receive()
    bundle = instance.directory + "/bundle"
    os.makedirs(bundle)
    with open(bundle + "/Info.plist", "w") as file:
        file.write(PLIST)
    os.symlink(os.path.abspath(f"{products}/monitor-fixture"), bundle + "/monitor-fixture")
    instance.screentime("extension", "install", bundle, "--client", NAME, "--without-bubblewrap")

def ours(products, rounds, callbacks, extra):
    with Instance(products, extra).start("auth-service", "activity-center", "monitor-runner") as instance:
        install(instance, products)
        cold = []
        for _ in range(rounds):
            run = json.loads(instance.screentime("extension", "run-once", ID, "intervalDidStart", "--json"))
            # Where the launcher's word was read after the answer, the start is part of what the callback took.
            cold.append(run["measured"].get("start_ms", 0) + run["measured"]["took_ms"])
        events = [{"name": f"e{number}", "applications": ["one"], "threshold": {"nanosecond": number * 250_000_000}}
                  for number in range(4, 4 + callbacks)]
        activity = Client(instance, "activity-center", NAME)
        activity.call("monitoring.start", {"activities": [{"name": "a", "schedule": ALL_DAY, "events": events}]})
        now = int(time.time() * 1000)
        activity.call("usage.observe", {"device": "bench", "observations": [{"at_ms": now, "kind": "focus", "app": "one"}]})
        runner, warm, end = Client(instance, "monitor-runner"), [], time.monotonic() + callbacks * 0.25 + 30
        while len(warm) < callbacks and time.monotonic() < end:
            time.sleep(0.2)
            told = [one for one in runner.call("delivery.list", {"limit": 1000})["deliveries"] if one["state"] == "delivered"]
            warm = [one["finished_ms"] - one["started_ms"] for one in told if one["callback"] == "eventDidReachThreshold"]
        record = next(one for one in runner.call("extension.list", {})["extensions"] if one["id"] == ID)
        memory = pss_kb(record["pid"])
        around = sum(pss_kb(pid) for pid in (parent(record["pid"]), parent(parent(record["pid"])))) if "bubblewrap" in record["confinement"] else 0
        beside = sharers(instance)
        return cold, warm, memory, around, record, beside

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--figures")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    options = parser.parse_args()
    figures = Figures(options.figures)
    rounds, callbacks = (5, 10) if options.quick else (20, 40)
    bare_cold, bare_warm, bare_memory = bare(options.products, rounds)
    print("| extension programs | cold start to returned | warm callback, with its two commits | idle PSS | around it |\n|---|---|---|---|---|")
    print(f"| a bare Swift process that echoes a byte | {statistics.median(bare_cold):.1f} ms | {statistics.median(bare_warm):.2f} ms | {bare_memory / 1024:.1f} MB | |", flush=True)
    for title, extra in [("confined", {}), ("without bubblewrap", {"SCREENTIME_BUBBLEWRAP": "/nonexistent"})]:
        cold, warm, memory, around, record, beside = ours(options.products, rounds, callbacks, extra)
        cold_ms, _ = figures.median(f"an extension's cold start until its callback returned, {title}", "ms", cold, bare_cold)
        warm_ms, _ = figures.median(f"a callback in a warm extension, {title}", "ms", warm)
        figures.add(f"an idle extension's PSS, {title}", "MB", memory / 1024, bare_memory / 1024, shared_with=beside)
        print(f"| {title}: {', '.join(record['confinement'])} | {cold_ms:.0f} ms | {warm_ms:.1f} ms | {memory / 1024:.1f} MB{words(beside)} | {around / 1024:.1f} MB |", flush=True)
        print(f"|   its own memory in a callback, as measured | | | {record['measured']['memory_bytes'] / (1 << 20):.1f} MB | |", flush=True)

if __name__ == "__main__":
    main()
