#!/usr/bin/env python3
"""Runs the parts of scripts/bench.sh one after the other, each until its deadline, and writes all figures to one file,
with the machine, and its load before and after each part. Exit codes: 0 all measured; 1 a part failed or did not end.
"""
import argparse, datetime, json, os, signal, subprocess, sys, tempfile, time
from compare import FORMAT
from figures import write

HERE = os.path.dirname(os.path.abspath(__file__))
# Seconds; each takes a fraction of it on a machine with two cores.
DEADLINES = {"bus": 600, "system": 600, "desktop": 600, "covers": 1500, "size": 60, "report": 1800, "thresholds": 1800, "extension": 600, "console": 1800}
# Seconds in which a part that was told to end stops its processes.
ENDING = 60

def arguments(part, options):
    quick = options.quick
    own = {"bus": ["--rounds", "3" if quick else "7"],
           "desktop": ["--idle-seconds", "10" if quick else "60"],
           "covers": ["--rounds", "5" if quick else "30", "--peers", options.venv],
           "report": ["--rounds", "9" if quick else "21", "--rows", "100000" if quick else "1000000", "--venv", options.venv],
           "thresholds": ["--quick"] if quick else [],
           "extension": ["--quick"] if quick else [],
           "console": ["--venv", options.venv, *(["--quick", "--rounds", "3", "--idle-seconds", "10"] if quick else [])]}
    if part == "system" and options.month:
        own["system"] = ["--month", options.month]
    return own.get(part, [])

def output_of(*command):
    return subprocess.run(command, cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()

def machine(options):
    with open("/proc/cpuinfo") as file:
        processor = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), os.uname().machine)
    changed = "" if not output_of("git", "status", "--porcelain") else " with changes"
    return {"cores": os.cpu_count(), "processor": processor,
            "memory_mb": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20,
            "kernel": os.uname().release, "swift": options.swift,
            "commit": output_of("git", "rev-parse", "--short=12", "HEAD") + changed, "quick": options.quick}

def load():
    return round(os.getloadavg()[0], 2)

def session_of(session):
    """The living processes of a session."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            yield int(name)

def end(process):
    """Asks a part to end, which ends its processes; what is left of its session is killed, by pid."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for pid in session_of(process.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

def run(part, options, figures):
    """Returns what went wrong, or None."""
    deadline = options.deadline or DEADLINES[part]
    process = subprocess.Popen([sys.executable, f"{HERE}/{part}.py", "--products", options.products, "--figures", figures,
                                *arguments(part, options)], stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        code = process.wait(deadline)
        return f"ended with {code}" if code else None
    except subprocess.TimeoutExpired:
        return f"did not end in {deadline} s"
    finally:
        end(process)

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--venv", required=True, help="directory of what is compared")
    parser.add_argument("--month")
    parser.add_argument("--swift", required=True, help="its version")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--deadline", type=int, help="seconds for each part; default: its own")
    parser.add_argument("parts", nargs="*", help=f"default: all of {', '.join(DEADLINES)}")
    options = parser.parse_args()
    for part in options.parts:
        if part not in DEADLINES:
            parser.error(f"'{part}' is no part")
    result = {"format": FORMAT, "began": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
              "machine": machine(options), "parts": [], "figures": []}
    print(f"{result['machine']['cores']} cores, load {load()} at the start, {result['machine']['kernel']}", flush=True)
    failed = False
    for part in options.parts or DEADLINES:
        print(flush=True)
        begin, before = time.monotonic(), load()
        with tempfile.TemporaryDirectory(prefix="stbench-") as directory:
            failure = run(part, options, directory + "/figures")
            if os.path.exists(directory + "/figures"):
                with open(directory + "/figures") as file:
                    result["figures"] += [{"part": part, **figure} for figure in json.load(file)]
        result["parts"].append({"name": part, "seconds": round(time.monotonic() - begin, 1), "load_begin": before,
                                "load_end": load(), "failure": failure})
        write(options.output, result)
        if failure:
            failed = True
            print(f"bench: {part} {failure}.", file=sys.stderr, flush=True)
    print(f"\nFigures: {options.output}", flush=True)
    raise SystemExit(1 if failed else 0)

if __name__ == "__main__":
    main()
