"""Prints, for each zone of the system's data, seconds of Unix time and the offset there by Python's zoneinfo.

usage: offsets.py SEED
"""
import random
import sys
import zoneinfo
from datetime import datetime, timedelta, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def offset(zone, second):
    return int((EPOCH + timedelta(seconds=second)).astimezone(zone).utcoffset().total_seconds())


def change(zone, low, high):
    """The first second with another offset than at `low`, by bisection."""
    before = offset(zone, low)
    while high - low > 1:
        middle = (low + high) // 2
        if offset(zone, middle) == before:
            low = middle
        else:
            high = middle
    return high


def seconds(zone, chance):
    """Chance instants from 1850 to 2450, and both sides of changes near some of them."""
    for _ in range(40):
        yield chance.randrange(-3786912000, 15147648000)
    for _ in range(12):
        low = chance.randrange(-2840140800, 5364662400)
        high = low + 86400 * 100
        if offset(zone, low) != offset(zone, high):
            found = change(zone, low, high)
            yield from (found - 1, found)


chance = random.Random(int(sys.argv[1]))
for name in sorted(zoneinfo.available_timezones()):
    if name[0].isupper():
        zone = zoneinfo.ZoneInfo(name)
        for second in seconds(zone, chance):
            print(name, second, offset(zone, second))
