#!/usr/bin/env python3
"""Times the system in a real X session, and what it costs when nothing happens there.

Method: an X server, a window manager, a notification daemon and a session bus of its own. Focus: two xterms; from the
instant that the sensor gave the change (the end of the interval) to the arrival of usage.recorded at a subscriber.
Idle: voluntary context switches of the six services, the agent and its guard over the given seconds, after the person
was reported idle, while other programs fork 20 times a second. The one bus is the session's and the system's: where
there is no system bus, the agent looks for it every 30 s. Memory: PSS of the services and the agent at the end of that.
"""
import argparse, contextlib, json, os, statistics, subprocess, threading, time
import zmq
from figures import Figures
from instance import SERVICES, Instance
from memory import parent, pss_kb, sharers, words

FORKS_PER_SECOND = 20
# Seconds until nothing happens any more: connections settle, the person is idle, deadlines of the start have passed.
SETTLING, IDLE_AFTER = 15, 5

def await_window_manager(environment):
    """Windows that open before it is there are mapped again when it comes."""
    end = time.monotonic() + 60
    while b"window id #" not in subprocess.run(["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"], env=environment,
                                               stdout=subprocess.PIPE).stdout:
        if time.monotonic() > end:
            raise SystemExit("no window manager came")
        time.sleep(0.05)

@contextlib.contextmanager
def session():
    """An X session; gives its environment."""
    read, write = os.pipe()
    others = [subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
                               pass_fds=[write], stderr=subprocess.DEVNULL)]
    os.close(write)
    try:
        own = {"DISPLAY": ":" + os.read(read, 16).decode().strip()}
        others.append(subprocess.Popen(["dbus-daemon", "--session", "--print-address", "--nofork"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True))
        own["DBUS_SESSION_BUS_ADDRESS"] = own["DBUS_SYSTEM_BUS_ADDRESS"] = others[-1].stdout.readline().strip()
        for name in ("openbox", "dunst"):
            others.append(subprocess.Popen([name], env=dict(os.environ, **own), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        await_window_manager(dict(os.environ, **own))
        yield own
    finally:
        os.close(read)
        for process in reversed(others):
            process.terminate()
            process.wait(20)

def focus(products, switches, figures):
    with session() as own, contextlib.ExitStack() as apps, Instance(products, own) as instance:
        environment = dict(os.environ, **own)
        # Two apps, not two windows of one: only a change of app ends an interval.
        entries = instance.directory + "/.local/share/applications"
        os.makedirs(entries)
        for name in ("BenchA", "BenchB"):
            xterm = subprocess.Popen(["xterm", "-class", name, "-e", "cat"], env=environment, stderr=subprocess.DEVNULL)
            apps.callback(lambda process=xterm: (process.terminate(), process.wait(20)))
            with open(f"{entries}/{name}.desktop", "w") as entry:
                entry.write(f"[Desktop Entry]\nType=Application\nName={name}\nExec=xterm\nStartupWMClass={name}\n")
        windows = [subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--class", name], env=environment, check=True, stdout=subprocess.PIPE,
                                  text=True).stdout.split()[-1] for name in ("BenchA", "BenchB")]
        instance.environment.pop("XDG_DATA_HOME", None)
        instance.start("auth-service", "activity-center", "shield-service", "desktop-agent")
        events = zmq.Context().socket(zmq.SUB)
        events.connect(f"ipc://{instance.directory}/run/activity-center.events")
        events.subscribe("usage.recorded")
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
    if not late:
        raise SystemExit("no interval came")
    median, _ = figures.median("focus change to recorded interval", "ms", late, aim=20)
    figures.add("focus change to recorded interval, the worst", "ms", max(late), aim=20)
    print(f"| focus change to recorded interval | median {median:.1f} ms, worst {max(late):.1f} ms of {len(late)} | <= 20 ms |", flush=True)

def wakeups(pid):
    """Voluntary context switches of all threads so far."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status") as file:
            total += next(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt_switches"))
    return total

def clones():
    """Processes and threads that began on the machine since its start."""
    with open("/proc/stat") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("processes"))

class Forks:
    """Short-lived processes, one after the other, while the body of a `with` runs."""
    def __enter__(self):
        self.end = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        return self

    def run(self):
        while not self.end.wait(1 / FORKS_PER_SECOND):
            subprocess.run(["true"], check=True)

    def __exit__(self, *_):
        self.end.set()
        self.thread.join()

def idle(products, seconds, figures):
    with session() as own, Instance(products, {**own, "SCREENTIME_IDLE_SECONDS": str(IDLE_AFTER)}).start(*SERVICES, "desktop-agent") as instance:
        instance.screentime("status", "--wait", "20")
        time.sleep(SETTLING)
        pids = {name: process.pid for name, process in instance.processes.items()}
        pids |= {"desktop-guard": pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if parent(pid) == pids["desktop-agent"]}
        with Forks():
            begun, before = clones(), {name: wakeups(pid) for name, pid in pids.items()}
            time.sleep(seconds)
            begun = clones() - begun
            woken = {name: wakeups(pid) - before[name] for name, pid in pids.items()}
        memory = {name: pss_kb(process.pid) / 1024 for name, process in instance.processes.items()}
        beside = sharers(instance)
    named = ", ".join(f"{name} {value}" for name, value in woken.items() if value) or "none"
    figures.add(f"wake-ups in {seconds} s, idle, {FORKS_PER_SECOND} forks a second beside it", "", sum(woken.values()), aim=0, begun_meanwhile=begun)
    print(f"| idle for {seconds} s, {begun:,} processes and threads begun on the machine meanwhile: wake-ups | {sum(woken.values())} ({named}) | 0 |")
    figures.add("PSS, six services and the agent, idle", "MB", sum(memory.values()), aim=40, shared_with=beside)
    print(f"| idle: PSS, six services and the agent | {sum(memory.values()):.1f} MB ("
          + ", ".join(f"{name} {value:.1f}" for name, value in memory.items()) + f"){words(beside)} | <= 40 MB |", flush=True)

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--figures")
    parser.add_argument("--idle-seconds", type=int, default=60)
    options = parser.parse_args()
    figures = Figures(options.figures)
    print("An X session\n\n| | measured | aim |\n|---|---|---|")
    focus(options.products, 40, figures)
    idle(options.products, options.idle_seconds, figures)

if __name__ == "__main__":
    main()
