#!/usr/bin/env python3
"""Compares a month of one phone, as the reports show it, with answers that were computed elsewhere.

`month_shown.py ADDRESS ZONE EXPECTED EXPECTED_DEVICE`: ADDRESS signs in; the files are `zone,date,package,foreground_ms` and
`zone,date,foreground_ms`. Each day by app: all rows that are shown, and the total. Prints what differs, then how many days hold.
"""
import collections
import csv
import sys

from chromium import Chromium
from numbers_shown import SHOWN, value
from visit import READY


def read(path, zone):
    """The last columns by date: a package and a time, or a time."""
    days = collections.defaultdict(list)
    with open(path, newline="") as file:
        for row in csv.reader(file):
            if row[0] == zone:
                days[row[1]].append(int(row[-1]))
    return days


def main():
    address, zone, by_package, by_device = sys.argv[1:]
    apps, totals = read(by_package, zone), read(by_device, zone)
    origin = address.split("/sign-in")[0]
    wrong = 0
    with Chromium() as browser:
        page = browser.page()
        page.size(1400)
        page.go(address)
        page.wait_for(f"location.pathname !== '/sign-in' && {READY}", "sign-in")
        for date in sorted(totals):
            page.go(f"{origin}/reports?period=day&by=app&from={date}")
            page.wait_for(f"location.search.includes({date!r}) && {READY}", date)
            page.evaluate("for (const one of document.querySelectorAll('#shares details')) one.open = true")
            shown = [time for _, time in page.evaluate(SHOWN, selector="#shares")]
            wanted = sorted(apps[date], reverse=True)
            total = value(page, "#report-total")
            if total != sum(totals[date]) or not shown or shown != wanted[:len(shown)] or len(shown) < min(len(wanted), 7):
                print(f"{date}: {total} and {shown}, not {sum(totals[date])} and {wanted}", file=sys.stderr)
                wrong += 1
    print(f"{len(totals) - wrong} of {len(totals)} days hold")
    raise SystemExit(1 if wrong or not totals else 0)


if __name__ == "__main__":
    main()
