"""The figures of one part of scripts/bench.sh, as they are written to the file beside the printed tables."""
import json, os, signal, statistics, sys

# What ends a part ends its processes first, in the finally clauses.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda number, _: sys.exit(128 + number))

class Figures:
    """Written after each figure, so that a part that fails keeps those before."""

    def __init__(self, path):
        self.path, self.all = path, []

    def add(self, name, unit, value, reference=None, rounds=(), reference_rounds=(), smaller_is_better=True,
            aim=None, aim_is_of="value", **more):
        """
        value, reference: in `unit`; the reference is measured in the same run, by other means.
        rounds: the single values whose median is the value; their spread tells noise from change.
        aim: the largest value that is wanted, or the smallest where smaller is not better; of the value or of the
            ratio to the reference.
        more: shared_with, the programs beside which a memory was measured; begun_meanwhile, processes and threads on
            the machine.
        """
        assert aim_is_of in ("value", "ratio")
        figure = {"name": name, "unit": unit, "value": value, "reference": reference,
                  "ratio": value / reference if reference else None,
                  "aim": aim, "aim_is_of": aim_is_of, "smaller_is_better": smaller_is_better,
                  "rounds": list(rounds), "reference_rounds": list(reference_rounds), **more}
        self.all.append(figure)
        if self.path:
            write(self.path, self.all)

    def median(self, name, unit, rounds, reference_rounds=(), **more):
        """A figure that is the median of its rounds. Returns it and the reference's."""
        value = statistics.median(rounds)
        reference = statistics.median(reference_rounds) if reference_rounds else None
        self.add(name, unit, value, reference, rounds, reference_rounds, **more)
        return value, reference

def write(path, content):
    """In one step: who reads it finds the one before or this one."""
    with open(path + ".new", "w") as file:
        json.dump(content, file, indent=1)
        file.write("\n")
    os.replace(path + ".new", path)
