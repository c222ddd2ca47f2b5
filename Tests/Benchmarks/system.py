#!/usr/bin/env python3
"""Times the whole system, with the built services: durable ingest, import of a month, a focus change until its
interval is recorded, and what idle costs.

Method: a fresh instance in a temporary directory for each part. Ingest: batches of focus changes over the bus, eight
open, until the last is acknowledged (which is after its commit, synchronous FULL); beside it SQLite alone, the same
number of rows in the same batches and durability. Import: the command line, from start to exit, which is when the
report shows it. Focus: a real X server, window manager and xterms; from the instant that the sensor gave the change
(the end of the interval) to the arrival of usage.recorded at a subscriber. Idle: voluntary context switches and PSS of
all processes over the given seconds, without input.
"""
import argparse, json, os, random, shutil, signal, sqlite3, statistics, subprocess, sys, tempfile, time

SERVICES = ["auth-service", "activity-center", "shield-service", "notifier", "report-service", "monitor-runner"]

class Instance:
    def __init__(self, products, extra=None):
        self.products = products
        self.directory = tempfile.mkdtemp(prefix="stbench-")
        self.environment = dict(os.environ, SCREENTIME_RUNTIME_DIR=self.directory + "/run",
                                SCREENTIME_STATE_DIR=self.directory + "/state", HOME=self.directory, **(extra or {}))
        self.processes = {}

    def start(self, *names):
        for name in names:
            process = subprocess.Popen([f"{self.products}/{name}"], stdout=subprocess.PIPE, text=True, env=self.environment)
            line = process.stdout.readline().strip()
            if not line.startswith("READY"):
                raise SystemExit(f"{name} did not become ready: {line!r}")
            self.processes[name] = process
        return self

    def screentime(self, *arguments):
        return subprocess.run([f"{self.products}/screentime", *arguments], env=self.environment, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(list(self.processes.values())):
            process.terminate()
            process.wait(20)
        shutil.rmtree(self.directory, ignore_errors=True)

def ingest(products, rounds):
    count, batch = 400_000, 2_000
    ours, alone = [], []
    for _ in range(rounds):
        with Instance(products).start("auth-service", "activity-center") as instance:
            ns = int(subprocess.run([f"{products}/bench-bus", "observe", instance.directory + "/run", str(count), str(batch)],
                                    stdout=subprocess.PIPE, text=True, check=True).stdout)
            ours.append(count / ns * 1e9)
        with tempfile.TemporaryDirectory() as directory:
            base = sqlite3.connect(directory + "/raw.sqlite3", isolation_level=None)
            base.execute("PRAGMA journal_mode=WAL"); base.execute("PRAGMA synchronous=FULL")
            base.execute("CREATE TABLE o(at INTEGER, ordinal INTEGER, kind INTEGER, subject INTEGER, PRIMARY KEY(at, ordinal, kind, subject)) WITHOUT ROWID")
            start = time.monotonic()
            for first in range(0, count, batch):
                base.execute("BEGIN")
                base.executemany("INSERT INTO o VALUES(?,0,1,?)", ((first + i, i % 20) for i in range(batch)))
                base.execute("COMMIT")
            alone.append(count / (time.monotonic() - start))
            base.close()
    figure, reference = statistics.median(ours), statistics.median(alone)
    print(f"| durable ingest, batches of {batch} | {figure:,.0f}/s | {figure / reference:.2f} x SQLite alone from Python ({reference:,.0f}/s) | >= 100,000/s |", flush=True)

def month(products, rounds, path):
    times = []
    for _ in range(rounds):
        with Instance(products).start("auth-service", "activity-center", "report-service") as instance:
            start = time.monotonic()
            instance.screentime("import", "digital-wellbeing", path, "--device", "phone")
            times.append(time.monotonic() - start)
    rows = sum(1 for _ in open(path)) - 1
    print(f"| import of {rows:,} rows until the report shows them | {statistics.median(times):.2f} s | | <= 1 s |", flush=True)

def made_up_month(directory):
    """A month of our own making, for whoever has no real one: the same shape and size."""
    random.seed(7)
    path = directory + "/events.csv"
    with open(path, "w") as file:
        file.write("id,timestamp_ms,type,package,instance_id\n")
        at, number = 1_700_000_000_000, 0
        while number < 11_660:
            package = f"com.example.app{random.randrange(60)}"
            for kind, gap in ((1, random.randrange(200, 90_000)), (2, random.randrange(0, 50)), (23, random.randrange(100, 600_000))):
                number += 1
                file.write(f"{number},{at},{kind},{package},{number // 3}\n")
                at += gap
    return path

def focus(products, switches):
    try:
        import zmq
    except ImportError:
        print("| focus change to recorded interval | not measured: python3-zmq is missing | | <= 20 ms |")
        return
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
                              pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    display = ":" + os.read(read, 16).decode().strip()
    extra = {"DISPLAY": display}
    others = []
    try:
        environment = dict(os.environ, DISPLAY=display)
        others.append(subprocess.Popen(["openbox"], env=environment, stderr=subprocess.DEVNULL))
        for name in ("BenchA", "BenchB"):
            others.append(subprocess.Popen(["xterm", "-class", name, "-e", "cat"], env=environment, stderr=subprocess.DEVNULL))
            subprocess.run(["xdotool", "search", "--sync", "--class", name], env=environment, check=True, stdout=subprocess.DEVNULL)
        with Instance(products, extra) as instance:
            # Two apps, not two windows of one: only a change of app ends an interval.
            entries = instance.directory + "/.local/share/applications"
            os.makedirs(entries)
            for name in ("BenchA", "BenchB"):
                with open(f"{entries}/{name}.desktop", "w") as entry:
                    entry.write(f"[Desktop Entry]\nType=Application\nName={name}\nExec=xterm\nStartupWMClass={name}\n")
            instance.environment.pop("XDG_DATA_HOME", None)
            instance.start("auth-service", "activity-center", "shield-service", "desktop-agent")
            events = zmq.Context().socket(zmq.SUB)
            events.connect(f"ipc://{instance.directory}/run/activity-center.events")
            events.subscribe("usage.recorded")
            windows = [subprocess.run(["xdotool", "search", "--class", name], env=environment, check=True, stdout=subprocess.PIPE,
                                      text=True).stdout.split()[-1] for name in ("BenchA", "BenchB")]
            late = []
            for index in range(switches):
                subprocess.run(["xdotool", "windowfocus", "--sync", windows[index % 2], "windowactivate", windows[index % 2]],
                               env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                while events.poll(1500 if index else 300):
                    now = time.time() * 1000
                    data = json.loads(events.recv_multipart()[1])["data"]
                    if data["intervals"]:
                        late.append(now - data["intervals"][-1]["end_ms"])
                        break
            events.close(0)
        if late:
            print(f"| focus change to recorded interval | median {statistics.median(late):.1f} ms, worst {max(late):.1f} ms of {len(late)} | | <= 20 ms |", flush=True)
        else:
            print("| focus change to recorded interval | no interval came | | <= 20 ms |", flush=True)
    finally:
        for process in reversed(others):
            process.terminate(); process.wait()
        server.terminate(); server.wait()

def switches_of(pid):
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        for line in open(f"/proc/{pid}/task/{task}/status"):
            if line.startswith("voluntary_ctxt_switches"):
                total += int(line.split()[1])
    return total

def pss_of(pid):
    for line in open(f"/proc/{pid}/smaps_rollup"):
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0

def idle(products, seconds):
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
                              pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    display = ":" + os.read(read, 16).decode().strip()
    bus = subprocess.Popen(["dbus-daemon", "--session", "--print-address", "--nofork"], stdout=subprocess.PIPE, text=True)
    address = bus.stdout.readline().strip()
    environment = dict(os.environ, DISPLAY=display, DBUS_SESSION_BUS_ADDRESS=address)
    others = [subprocess.Popen(["openbox"], env=environment, stderr=subprocess.DEVNULL),
              subprocess.Popen(["dunst"], env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)]
    try:
        with Instance(products, {"DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": address}).start(*SERVICES, "desktop-agent") as instance:
            instance.screentime("status", "--wait", "20")
            time.sleep(5)  # Connections settle; what comes after is idle.
            pids = {name: process.pid for name, process in instance.processes.items()}
            before = {name: switches_of(pid) for name, pid in pids.items()}
            time.sleep(seconds)
            woken = {name: (switches_of(pid) - before[name]) / seconds for name, pid in pids.items()}
            memory = {name: pss_of(pid) for name, pid in pids.items()}
            print(f"| idle for {seconds} s: wake-ups per second, all processes | {sum(woken.values()):.2f} | "
                  + ", ".join(f"{name} {value:.2f}" for name, value in woken.items() if value > 0) + " | 0 |")
            print(f"| idle: PSS, all processes | {sum(memory.values()) / 1024:.1f} MB | "
                  + ", ".join(f"{name} {value / 1024:.1f}" for name, value in memory.items()) + " | <= 40 MB |", flush=True)
    finally:
        for process in reversed(others):
            process.terminate(); process.wait()
        bus.terminate(); bus.wait(); server.terminate(); server.wait()

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--idle-seconds", type=int, default=60)
    parser.add_argument("--month", help="a Digital Wellbeing events.csv; default: one made up")
    options = parser.parse_args()
    print("The whole system\n\n| | measured | beside it | aim |\n|---|---|---|---|")
    ingest(options.products, options.rounds)
    with tempfile.TemporaryDirectory() as directory:
        month(options.products, options.rounds, options.month or made_up_month(directory))
    focus(options.products, 40)
    idle(options.products, options.idle_seconds)

if __name__ == "__main__":
    main()
