"""How long timekpr-next lets a banned program run: its PlayTime feature, which ends the program.

Method: the package's own code that lists all processes, matches them and signals those that match
(timekpr/server/user/playtime.py), called as its daemon calls it, with its daemon's pause between two passes
(TIMEKPR_POLLTIME of the package's settings); from exec to the end of the program. Left out, in its favour: the daemon's
questions to logind and its accounts of each user's time, which come before in each pass. Prints the milliseconds, as JSON.
To be run by Debian's Python, for which the packages are.
"""
import argparse, contextlib, json, os, random, re, shutil, subprocess, sys, tempfile, threading, time

PROGRAM = "benchbanned"
# The packages are unpacked, not installed: an installed one starts a daemon that watches every user.
GET = ("mkdir -p {0} && cd {0} && apt-get download timekpr-next python3-psutil && "
       "for package in *.deb; do dpkg -x \"$package\" .; done")

def folder(peers):
    return os.path.join(peers, "timekpr-next")

def missing(peers):
    """A sentence if the package is not there; else None."""
    if os.path.isdir(folder(peers) + "/usr/lib/python3/dist-packages/timekpr"):
        return None
    return f"timekpr-next is not measured, because it is not there; to get it: {GET.format(folder(peers))}"

def poll_time(root):
    with open(root + "/etc/timekpr/timekpr.conf") as file:
        return int(re.search(r"^TIMEKPR_POLLTIME *= *(\d+)", file.read(), re.MULTILINE)[1])

def normal_user():
    """A uid that it controls: ours, or if that is a system's (UID_MIN of login.defs), any person's."""
    return os.getuid() if os.getuid() >= 1000 else 1000

class Settings:
    """What its process list reads of its settings; the defaults of the package."""
    def getTimekprPlayTimeEnhancedActivityMonitorEnabled(self):
        return False

@contextlib.contextmanager
def watching(root):
    """Its passes, in threads of their own: one lists and matches, the main loop of GLib signals."""
    sys.path.insert(0, root + "/usr/lib/python3/dist-packages")
    from gi.repository import GLib
    from timekpr.server.user.playtime import timekprPlayTimeConfig
    processes, user, pause = timekprPlayTimeConfig(Settings()), str(normal_user()), poll_time(root)
    processes.processPlayTimeFilters(user, [[PROGRAM, "banned"]])
    loop, end = GLib.MainLoop(), threading.Event()

    def passes():
        # As executeTimekprWorker of timekpr/server/interface/dbus/daemon.py.
        while not end.is_set():
            began = time.time()
            processes.processPlayTimeActivities()
            processes.killPlayTimeProcesses(user)
            end.wait(pause - min(time.time() - began, pause / 2))

    threads = [threading.Thread(target=loop.run), threading.Thread(target=passes)]
    for thread in threads:
        thread.start()
    try:
        yield pause
    finally:
        end.set()
        loop.quit()
        for thread in threads:
            thread.join()

def kills(peers, rounds):
    """Milliseconds from exec of a banned program until it has ended, each begun at a random instant between two passes."""
    late = []
    with tempfile.TemporaryDirectory(prefix="stbench-") as directory, watching(folder(peers)) as pause:
        os.chmod(directory, 0o755)
        program = f"{directory}/{PROGRAM}"
        shutil.copy(os.path.realpath("/usr/bin/sleep"), program)
        for _ in range(rounds):
            time.sleep(random.uniform(0, pause))
            began = time.monotonic()
            person = {} if normal_user() == os.getuid() else {"user": normal_user(), "group": normal_user()}
            process = subprocess.Popen([program, "300"], **person)
            try:
                process.wait(60)
                late.append((time.monotonic() - began) * 1000)
            finally:
                process.kill()
                process.wait()
    return late

def measured(peers, rounds):
    """The same, from any Python."""
    return json.loads(subprocess.run(["/usr/bin/python3", __file__, peers, str(rounds)], check=True, stdout=subprocess.PIPE).stdout)

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("peers", help="directory in which the packages were unpacked")
    parser.add_argument("rounds", type=int)
    options = parser.parse_args()
    if missing(options.peers):
        raise SystemExit(missing(options.peers))
    print(json.dumps(kills(options.peers, options.rounds)))
