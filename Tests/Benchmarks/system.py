#!/usr/bin/env python3
"""Times the whole system, with the built services: durable ingest, and import of a month.

Method: a fresh instance in a temporary directory for each part. Ingest: batches of focus changes over the bus, eight
open, until the last is acknowledged (which is after its commit, synchronous FULL); beside it SQLite alone, the same
number of rows in the same batches and durability. Import: the command line, from start to exit, which is when the
report shows it.
"""
import argparse, random, sqlite3, subprocess, tempfile, time
from figures import Figures
from instance import Instance

def ingest(products, rounds, figures):
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
    figure, reference = figures.median("durable ingest", "/s", ours, alone, smaller_is_better=False, aim=100_000)
    print(f"| durable ingest, batches of {batch} | {figure:,.0f}/s | {figure / reference:.2f} x SQLite alone from Python ({reference:,.0f}/s) | >= 100,000/s |", flush=True)

def month(products, rounds, path, figures):
    times = []
    for _ in range(rounds):
        with Instance(products).start("auth-service", "activity-center", "report-service") as instance:
            start = time.monotonic()
            instance.screentime("import", "digital-wellbeing", path, "--device", "phone")
            times.append(time.monotonic() - start)
    rows = sum(1 for _ in open(path)) - 1
    figure, _ = figures.median("import of a month until the report shows it", "s", times, aim=1)
    print(f"| import of {rows:,} rows until the report shows them | {figure:.2f} s | | <= 1 s |", flush=True)

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

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--figures")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--month", help="a Digital Wellbeing events.csv; default: one made up")
    options = parser.parse_args()
    figures = Figures(options.figures)
    print("The whole system\n\n| | measured | beside it | aim |\n|---|---|---|---|")
    ingest(options.products, options.rounds, figures)
    with tempfile.TemporaryDirectory() as directory:
        month(options.products, options.rounds, options.month or made_up_month(directory), figures)

if __name__ == "__main__":
    main()
