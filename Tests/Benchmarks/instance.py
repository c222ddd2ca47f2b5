"""One instance of the built system, in a temporary directory of its own."""
import os, shutil, subprocess, sys, tempfile

SERVICES = ["auth-service", "activity-center", "shield-service", "notifier", "report-service", "monitor-runner"]

class Instance:
    def __init__(self, products, extra=None):
        self.products = products
        self.directory = tempfile.mkdtemp(prefix="stbench-")
        self.environment = dict(os.environ, SCREENTIME_RUNTIME_DIR=self.directory + "/run",
                                SCREENTIME_STATE_DIR=self.directory + "/state", HOME=self.directory, **(extra or {}))
        self.processes = {}

    def start(self, *names):
        try:
            for name in names:
                self.processes[name] = subprocess.Popen([f"{self.products}/{name}"], stdout=subprocess.PIPE, text=True, env=self.environment)
                line = self.processes[name].stdout.readline().strip()
                if not line.startswith("READY"):
                    raise SystemExit(f"{name} did not become ready: {line!r}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def screentime(self, *arguments):
        done = subprocess.run([f"{self.products}/screentime", *arguments], env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise SystemExit(f"screentime {arguments[0]} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(list(self.processes.values())):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                print(f"bench: {process.args[0]} did not stop in 20 s; it is killed.", file=sys.stderr)
                process.kill()
                process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)
