#!/usr/bin/env python3
"""Opens every page of the console in a real browser, and checks what it shows.

usage: pages.py PRODUCTS [--pictures DIRECTORY] [--quick] [--address ADDRESS]

PRODUCTS has the built executables. Each page is opened in both languages, light and dark, 360, 900 and 1400 pixels
wide (--quick: one of each), with its dialogs: axe-core finds nothing, nothing scrolls sideways, nothing is logged as
an error, the HTML checker finds nothing, no key of a text is shown, the numbers are those of report.query, and names are only ever text. --address
is a sign-in address of a console that runs already; PRODUCTS may then be `-`. The main paths are tried in
Firefox, too. axe-core comes with the PyPI package axe-playwright-python. Ends with 1 and the list of what is wrong.
"""

import argparse
import itertools
import pathlib
import sys

from checks import Checks, axe_source, check_all_html
from chromium import Chromium
from page import PageError
from days import check_days
from dialogs import dialogs
from firefox import Firefox
from numbers_shown import check_numbers
from visit import READY, WEB, choose, has_programs, open_page, sign_in
from world import World

PAGES = ["today", "reports", "reports?period=day", "reports?period=month", "reports?period=year", "limits", "downtime", "requests",
         "habits", "encouragement", "worklog", "apps", "bus", "welcome"]
#: Pages of programs that the console runs.
OF_PROGRAMS = {"limits", "downtime", "habits", "encouragement", "worklog"}


def run(sign_in_address, options):
    with Chromium() as browser:
        # Such a link is good for a minute, and a browser may take as long to start.
        address = sign_in_address()
        origin = address.split("/sign-in")[0]
        page = browser.page()
        checks = Checks(page, axe_source())
        page.size(1400)
        sign_in(page, address)
        names = [name for name in PAGES if has_programs(page) or name not in OF_PROGRAMS]
        if not has_programs(page):
            print("this console runs no programs (app.run): their pages are skipped", file=sys.stderr)
        check_numbers(page, origin, checks, open_page)
        check_days(page, origin, checks, open_page)
        languages, themes, widths = (["en"], ["light"], [1400]) if options.quick else (["en", "ko"], ["light", "dark"], [360, 900, 1400])
        for language, theme, width in itertools.product(languages, themes, widths):
            choose(page, language, theme)
            page.size(width)
            for name in names:
                where = f"{name.replace('?period=', '-')}-{language}-{theme}-{width}"
                try:
                    open_page(page, origin, name)
                except PageError as error:
                    checks.fail(where, error)
                    continue
                checks.look(where)
                if options.pictures:
                    page.picture(options.pictures / f"{where}.png")
            dialogs(page, origin, checks, open_page, names, options.pictures, f"{language}-{theme}-{width}", width)
        return checks


def run_in_firefox(sign_in_address, checks):
    """The main paths in another engine: each page loads, logs nothing, and does not scroll sideways."""
    with Firefox() as page:
        address = sign_in_address()
        origin = address.split("/sign-in")[0]
        page.size(1400)
        page.go(address)
        page.wait_for(READY, "sign-in in Firefox")
        all_pages = has_programs(page)
        for width in (360, 1400):
            page.size(width)
            for name in PAGES:
                if name in OF_PROGRAMS and not all_pages:
                    continue
                page.errors.clear()
                page.go(f"{origin}/{name}")
                page.wait_for(READY, f"{name} in Firefox")
                checks.looked += 1
                for error in page.errors:
                    checks.fail(f"firefox-{name}-{width}", f"logged: {error}")
                wide = page.evaluate("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
                if wide > 0:
                    checks.fail(f"firefox-{name}-{width}", f"scrolls sideways by {wide} px")
        # Its Intl does not tell on which day a week begins.
        page.go(f"{origin}/reports?period=week")
        page.wait_for(READY, "Reports in Firefox")
        weeks = page.evaluate("""const {dates} = await import('/app/format.js');
            return [document.querySelector('#range').textContent, dates.range('2023-06-25', '2023-07-01')]""")
        checks.looked += 1
        if weeks[0] != weeks[1]:
            checks.fail("firefox-reports", f"the week is {weeks[0]!r}, not {weeks[1]!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("products")
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--address")
    options = parser.parse_args()
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    if options.address:
        checks = run(lambda: options.address, options)
    else:
        with World(options.products, WEB) as world:
            checks = run(world.sign_in_address, options)
            run_in_firefox(world.sign_in_address, checks)
    check_all_html(checks)
    checks.end()


if __name__ == "__main__":
    main()
