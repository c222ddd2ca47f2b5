#!/usr/bin/env python3
"""Compares two files of figures that scripts/bench.sh wrote: each figure old, new and the factor between them, the
same for the ratios to the references, and what is outside the noise.

A change is outside the noise if each file's value is outside the other one's rounds. Where a reference was measured in
the same rounds, the same must hold for the ratios to it, in the same direction: a machine that is slower today is so for
both. Figures without rounds have no mark. Exit codes: 0 compared; 65 not the same machine, or no file of figures.
"""
import json, os, sys
from memory import words

FORMAT = 1
# What makes a machine; another kernel or compiler on it is a change to measure, and is told.
MACHINE = [("cores", "cores"), ("processor", "processor"), ("memory_mb", "MB of memory")]
TOLD = [("kernel", "kernel"), ("swift", "Swift"), ("quick", "--quick")]

def refuse(sentence):
    print(f"bench: {sentence}", file=sys.stderr)
    raise SystemExit(65)

def read(path):
    try:
        with open(path) as file:
            content = json.load(file)
    except OSError as error:
        refuse(f"'{path}' cannot be read: {os.strerror(error.errno)}.")
    except ValueError:
        refuse(f"'{path}' is not a file of figures: it is not JSON.")
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        refuse(f"'{path}' is not a file of figures of this version of scripts/bench.sh.")
    return content

def number(value):
    """Three significant digits, or all before the point."""
    if value == 0:
        return "0"
    digits = max(0, 3 - len(str(int(abs(value))))) if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}"

def ratios(figure):
    """One for each round in which the reference was measured, too."""
    rounds, beside = figure["rounds"], figure["reference_rounds"]
    return [a / b for a, b in zip(rounds, beside) if b] if len(rounds) == len(beside) else []

def is_outside(old, new, old_value, new_value):
    """Whether each value is outside the other one's rounds; None if one has no spread."""
    if len(old) < 3 or len(new) < 3:
        return None
    return not min(old) <= new_value <= max(old) and not min(new) <= old_value <= max(new)

def verdict(old, new):
    for figure in (old, new):
        if figure.get("shared_with"):
            return f"not comparable{words(figure['shared_with'])}"
    outside = is_outside(old["rounds"], new["rounds"], old["value"], new["value"])
    if outside is None:
        return ""
    falls = new["value"] < old["value"]
    beside = is_outside(ratios(old), ratios(new), old["ratio"], new["ratio"])
    if not outside or beside is False or beside and (new["ratio"] < old["ratio"]) != falls:
        return "within the noise"
    return "**better**" if falls == new["smaller_is_better"] else "**worse**"

def factor(old, new):
    """Empty where a reference is missing, or nothing can be divided by."""
    return f"{new / old:.2f}" if old and new is not None else ""

def row(old, new):
    unit = new["unit"]
    shown = [f"{number(one['value'])} {unit}".strip() for one in (old, new)]
    return [new["name"], *shown, factor(old["value"], new["value"]), factor(old["ratio"], new["ratio"]), verdict(old, new)]

def compare(old, new):
    for key, word in MACHINE:
        a, b = old["machine"].get(key), new["machine"].get(key)
        if a != b:
            refuse(f"these are figures of two machines, {a} and {b} {word}; a factor between them would mean nothing.")
    for name, one in (("old", old), ("new", new)):
        print(f"{name}: {one['machine']['commit']}, {one['began']}, load {one['parts'][0]['load_begin']} at the start")
    for key, word in TOLD:
        a, b = old["machine"].get(key), new["machine"].get(key)
        if a != b:
            print(f"{word}: {a} before, {b} now")
    print("\n| | old | new | new / old | of the ratios | |\n|---|---|---|---|---|---|")
    before = {(one["part"], one["name"]): one for one in old["figures"]}
    after = {(one["part"], one["name"]): one for one in new["figures"]}
    for key, one in after.items():
        if key in before and before[key]["unit"] == one["unit"]:
            print("| " + " | ".join(row(before[key], one)) + " |")
    for only, other, where in ((before, after, "old"), (after, before, "new")):
        parts = {part for part, _ in other}
        # A part that was not measured is one word, not all of its figures.
        missing = [name if part in parts else f"all of {part}" for part, name in only if (part, name) not in other]
        if missing:
            print(f"\nonly in the {where} one: " + ", ".join(dict.fromkeys(missing)))

if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("usage: scripts/bench.sh --compare OLD NEW", file=sys.stderr)
        raise SystemExit(64)
    compare(read(sys.argv[1]), read(sys.argv[2]))
