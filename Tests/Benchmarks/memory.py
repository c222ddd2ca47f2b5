"""Proportional set sizes, and who else would make them smaller."""
import os

def pss_kb(pid):
    with open(f"/proc/{pid}/smaps_rollup") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Pss:"))

def swift_files(pid):
    """Device and inode of each library of Swift and each program that a process has mapped; none if it has ended."""
    found = set()
    try:
        with open(f"/proc/{pid}/maps") as file:
            for line in file:
                parts = line.split(maxsplit=5)
                if len(parts) == 6 and os.path.basename(parts[5].strip()).startswith(("libswift", "lib_Foundation", "libFoundation")):
                    found.add((parts[3], parts[4]))
    except OSError:
        pass
    return found

def parent(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0

def is_of(pid, instance):
    """Whether a process is one of an instance, or below this program."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            if instance.directory.encode() + b"/state" in file.read():
                return True
    except OSError:
        pass
    while pid > 1 and pid != os.getpid():
        pid = parent(pid)
    return pid == os.getpid()

def sharers(instance):
    """
    The other programs that have mapped the same libraries of Swift, as "name (pid)". A page that they share counts less
    for each, so what is measured beside them is too small.
    """
    ours = set().union(*(swift_files(process.pid) for process in instance.processes.values()))
    found = []
    for pid in sorted(int(name) for name in os.listdir("/proc") if name.isdigit()):
        if ours & swift_files(pid) and not is_of(pid, instance):
            try:
                with open(f"/proc/{pid}/comm") as file:
                    found.append(f"{file.read().strip()} ({pid})")
            except OSError:
                pass
    return found

def words(found):
    """For a printed row; empty if nobody shares."""
    others = f" and {len(found) - 3} others" if len(found) > 3 else ""
    return f"; too small: measured beside {', '.join(found[:3])}{others}" if found else ""
