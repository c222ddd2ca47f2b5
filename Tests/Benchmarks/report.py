#!/usr/bin/env python3
"""Times reports of a year against the ways others would make them, on the same rows.

Method: 1,000,000 stretches of use in 2025, 50 apps, one at a time, none over midnight, go to activity-center as
observations and so to report-service. The question is milliseconds by day and app for the whole year (18,250 cells).
Ours: report.query over the bus, all pages, decoded by the client; beside it the time inside the service (its own span,
encoding included). The first time in a calendar is the median of five day starts that were not asked for before.
References, warm: SQLite scanning the rows, SQLite reading a roll-up table made by hand, DuckDB scanning the rows
(threads: all) for the same question, each with all cells fetched. DuckDB's hours are those in which a stretch begins, and
its nested days have the sum of each app, of the day, and the longest stretch.
aw-server (PyPI) is the peer: bulk ingest over HTTP and its query by day and app, on a tenth of the rows, since it needs
minutes for all. What PyPI does not give is named as not measured. --venv keeps the peers between runs.
"""
import argparse, json, os, random, shutil, socket, sqlite3, statistics, subprocess, sys, tempfile, time, urllib.request
from datetime import datetime, timezone
from figures import Figures
from instance import Instance
from memory import pss_kb, sharers, words

SERVICES = ["auth-service", "activity-center", "report-service"]
YEAR, DAYS, APPS, DAY_MS = int(datetime(2025, 1, 1, tzinfo=timezone.utc).timestamp() * 1000), 365, 50, 86_400_000
HOUR_MS = 3_600_000
RAW = f"SELECT (start_ms - {YEAR}) / {DAY_MS} AS day, app, sum(end_ms - start_ms) FROM use GROUP BY day, app"
# By the name of our figure.
DUCK_QUERIES = {
    "table": RAW.replace(" / ", " // "),
    "hours": f"SELECT (start_ms - {YEAR}) // {HOUR_MS} AS hour, sum(end_ms - start_ms) FROM use GROUP BY hour ORDER BY hour",
    "nested": "SELECT day, sum(ms), max(longest), list({'app': app, 'ms': ms} ORDER BY app) FROM "
              f"(SELECT (start_ms - {YEAR}) // {DAY_MS} AS day, app, sum(end_ms - start_ms) AS ms, max(end_ms - start_ms) AS longest FROM use GROUP BY day, app) "
              "GROUP BY day ORDER BY day",
}
SAME_AS = {"rows": "table", "first": "table", "kathmandu_first": "table"}

def rows(count, days=DAYS, begin=YEAR):
    """Sorted, one at a time, each day about the same number."""
    random.seed(11)
    for day in range(days):
        number = count // days + (1 if day < count % days else 0)
        slot = DAY_MS // number
        for index in range(number):
            start = begin + day * DAY_MS + index * slot + random.randrange(slot // 4)
            yield start, start + 1 + random.randrange(slot // 2), f"org.example.app{random.randrange(APPS):02}"

def median_ms(body, rounds):
    body()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        body()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)

def ours(products, data, rounds):
    with Instance(products).start(*SERVICES) as instance:
        directory = instance.directory
        def bench(*arguments):
            return subprocess.run([f"{products}/bench-bus", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
        ingest, shown = (int(part) / 1e9 for part in bench("fill", directory + "/run", data).split())
        def ask(count, **question):
            lines = bench("report", directory + "/run", str(count), json.dumps(dict({"from": "2025-01-01", "to": "2025-12-31"}, **question)))
            return [[int(part) for part in line.split()] for line in lines.splitlines()]
        def both(name, question, count=rounds):
            times = ask(count, **question)
            if count > 1: times = times[1:]
            inside[name] = [t[1] / 1e3 for t in times]
            result[name] = (statistics.median(t[0] for t in times) / 1e6, statistics.median(inside[name]), times[0][2])
        inside = {}  # Milliseconds in the service, each round.
        result = {"ingest_s": ingest, "shown_s": shown, "inside": inside}
        def first(name, zone):
            times = [ask(1, zone=zone, shape="table", day_start_minutes=60 * hour)[0] for hour in range(5)]
            inside[name] = [t[1] / 1e3 for t in times]
            result[name] = (statistics.median(t[0] for t in times) / 1e6, statistics.median(inside[name]), times[0][2])
        first("first", "UTC")
        both("table", {"zone": "UTC", "shape": "table"})
        both("rows", {"zone": "UTC"})
        both("category", {"zone": "UTC", "by": "category"})
        both("app", {"zone": "UTC", "by": "total", "applications": ["org.example.app07", "org.example.app08"]})
        both("hours", {"zone": "UTC", "segment": "hourly", "by": "total"})
        both("nested", {"zone": "UTC", "shape": "activity"})
        first("kathmandu_first", "Asia/Kathmandu")
        both("kathmandu", {"zone": "Asia/Kathmandu", "shape": "table"})
        sizes = {name: sum(os.path.getsize(f"{directory}/state/{name}/{file}") for file in os.listdir(f"{directory}/state/{name}"))
                 for name in SERVICES}
        result["report_mb"] = sizes["report-service"] / 1e6
        result["pss_mb"] = pss_kb(instance.processes["report-service"].pid) / 1024
        result["sharers"] = sharers(instance)
        return result

def sqlite(all_rows, rounds):
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE use(start_ms INTEGER, end_ms INTEGER, app TEXT)")
    base.executemany("INSERT INTO use VALUES(?,?,?)", all_rows)
    raw = median_ms(lambda: base.execute(RAW).fetchall(), max(1, rounds // 3))
    base.execute(f"CREATE TABLE rollup AS {RAW}")
    return raw, median_ms(lambda: base.execute("SELECT * FROM rollup").fetchall(), rounds)

def durable(all_rows):
    """Seconds for the same observations (two a row) in batches of 4000, each committed with fsync."""
    with tempfile.TemporaryDirectory() as directory:
        base = sqlite3.connect(directory + "/raw.sqlite3", isolation_level=None)
        base.execute("PRAGMA journal_mode=WAL"); base.execute("PRAGMA synchronous=FULL")
        base.execute("CREATE TABLE o(at INTEGER, ordinal INTEGER, kind INTEGER, app TEXT, PRIMARY KEY(at, ordinal, kind, app)) WITHOUT ROWID")
        start = time.monotonic()
        for first in range(0, len(all_rows), 2000):
            base.execute("BEGIN")
            base.executemany("INSERT INTO o VALUES(?,?,?,?)", (entry for s, e, app in all_rows[first:first + 2000] for entry in ((s, 1, 1, app), (e, 0, 2, app))))
            base.execute("COMMIT")
        return time.monotonic() - start

def install(venv, *packages):
    """Whether PyPI gave it."""
    if not os.path.exists(f"{venv}/bin/python") and subprocess.run([sys.executable, "-m", "venv", venv]).returncode:
        return False
    return subprocess.run([f"{venv}/bin/pip", "install", "-q", *packages], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

DUCK = """
import duckdb, json, statistics, sys, time
base = duckdb.connect()
base.execute(f"CREATE TABLE use AS SELECT column0::BIGINT AS start_ms, column1::BIGINT AS end_ms, column2 AS app FROM read_csv('{sys.argv[1]}', header=false)")
result = {}
for name, query in json.loads(sys.argv[2]).items():
    times = []
    for _ in range(int(sys.argv[3]) + 1):
        start = time.perf_counter(); cells = base.execute(query).fetchall(); fetched = time.perf_counter() - start
        start = time.perf_counter(); base.execute(query); times.append((fetched, time.perf_counter() - start))
    result[name] = (statistics.median(t[0] for t in times[1:]) * 1000, statistics.median(t[1] for t in times[1:]) * 1000, len(cells))
print(json.dumps(result))
"""

def duckdb(venv, data, rounds):
    """By figure: milliseconds with all cells fetched, without fetching them, and the number of rows."""
    if not install(venv, "duckdb"):
        return {}
    out = subprocess.run([f"{venv}/bin/python", "-c", DUCK, data, json.dumps(DUCK_QUERIES), str(rounds)], check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(out)

def aw(venv, some, begin=YEAR, days=DAYS):
    """Rows a second and milliseconds of the query; None when it is not to be had."""
    # These go together: with the versions that pip picks by itself every bucket or query is answered 500.
    if not (install(venv, "aw-server==0.12.0", "aw-core>=0.5.13", "peewee==3.17.0")
            and install(venv, "--no-deps", "flask==2.2.5", "werkzeug==2.2.3")):
        return None
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = tempfile.mkdtemp(prefix="awbench-")
    server = subprocess.Popen([f"{venv}/bin/aw-server", "--port", str(port), "--storage", "peewee"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=dict(os.environ, HOME=home, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home))
    api = f"http://127.0.0.1:{port}/api/0"
    def call(path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(api + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=600) as answer:
            return json.load(answer)
    try:
        for _ in range(200):
            if server.poll() is not None: return None
            try:
                call("/info"); break
            except OSError: time.sleep(0.1)
        else: return None
        call("/buckets/bench", {"client": "bench", "type": "currentwindow", "hostname": "bench"})
        def text(ms): return datetime.fromtimestamp(ms / 1000, timezone.utc).isoformat()
        start = time.monotonic()
        for first in range(0, len(some), 1000):
            call("/buckets/bench/events", [{"timestamp": text(s), "duration": (e - s) / 1000, "data": {"app": app, "title": app}} for s, e, app in some[first:first + 1000]])
        rate = len(some) / (time.monotonic() - start)
        periods = [f"{text(begin + day * DAY_MS)}/{text(begin + (day + 1) * DAY_MS)}" for day in range(days)]
        start = time.monotonic()
        answer = call("/query/", {"timeperiods": periods, "query": ['events = query_bucket("bench");', 'RETURN = merge_events_by_keys(events, ["app"]);']})
        return rate, (time.monotonic() - start) * 1000, sum(len(day) for day in answer)
    except OSError as error:
        print(f"aw-server: {error}", file=sys.stderr)
        return None
    finally:
        server.terminate(); server.wait(20)
        shutil.rmtree(home, ignore_errors=True)

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--venv", required=True)
    parser.add_argument("--figures")
    options = parser.parse_args()
    figures = Figures(options.figures)
    all_rows = list(rows(options.rows))
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as data:
        data.writelines(f"{s},{e},{app}\n" for s, e, app in all_rows)
        data.flush()
        result = ours(options.products, data.name, options.rounds)
        duck = duckdb(options.venv, data.name, options.rounds)
    raw, rollup = sqlite(all_rows, options.rounds)
    peer = aw(options.venv, all_rows[::10])
    served = result["table"][1]
    print(f"Reports of a year: {len(all_rows):,} stretches of use, {APPS} apps\n\n| | end to end, ms | in the service, ms | cells | DuckDB, ms | ratio | aim in the service, ms |\n|---|---|---|---|---|---|---|")
    aims = {"table": 2, "rows": 2, "first": 15, "kathmandu_first": 15, "hours": 10, "nested": 10}
    names = [("by day and app, table", "table"), ("by day and app, rows", "rows"), ("first time in this calendar", "first"), ("by day and category", "category"),
             ("two of the apps, by day", "app"), ("by hour, total", "hours"), ("nested, by day", "nested"), ("Asia/Kathmandu, first time", "kathmandu_first"), ("Asia/Kathmandu", "kathmandu")]
    for name, key in names:
        whole, inside, cells = result[key]
        reference = duck.get(SAME_AS.get(key, key))
        figures.add(f"a year {name}, in the service", "ms", inside, reference and reference[0], result["inside"][key], aim=aims.get(key))
        scan = f"{reference[0]:.1f} | {inside / reference[0]:.2f}" if reference else " | "
        print(f"| {name} | {whole:.2f} | {inside:.2f} | {cells:,} | {scan} | {aims.get(key, '')} |")
    print(f"\nThe same table by others, in ms: SQLite's scan of the rows {raw:.1f} ({raw / served:.0f} x ours in the service), SQLite's roll-up by hand {rollup:.2f} ({rollup / served:.1f} x), "
          + (f"DuckDB's scan {duck['table'][0]:.1f} (without fetching {duck['table'][1]:.1f})" if duck else "DuckDB not measured: PyPI does not give it here")
          + (f", aw-server {peer[1]:,.0f} for a tenth of the rows ({peer[1] / served:,.0f} x)." if peer else ", aw-server not measured: it could not be installed or did not start."))
    alone = durable(all_rows)
    acknowledged, shown = (2 * len(all_rows) / result[key] for key in ("ingest_s", "shown_s"))
    figures.add("ingest of a year, acknowledged", "/s", acknowledged, 2 * len(all_rows) / alone, smaller_is_better=False)
    figures.add("ingest of a year, until the report has it", "/s", shown, peer and peer[0], smaller_is_better=False)
    figures.add("report-service on disk after a year", "MB", result["report_mb"])
    figures.add("report-service's PSS after a year", "MB", result["pss_mb"], shared_with=result["sharers"])
    print(f"\nIngest of the year: {acknowledged:,.0f} observations/s acknowledged ({alone / result['ingest_s']:.2f} x SQLite alone, same batches and "
          f"durability), {shown:,.0f}/s until the report has them"
          + (f"; aw-server {peer[0]:,.0f} events/s in bulk: ours {len(all_rows) / result['shown_s'] / peer[0]:.0f} x" if peer else "")
          + f". report-service: {result['report_mb']:.1f} MB on disk, PSS {result['pss_mb']:.1f} MB after it{words(result['sharers'])}.", flush=True)


if __name__ == "__main__":
    main()
