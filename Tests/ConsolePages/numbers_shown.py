"""The numbers of the pages are those of report.query, taken from the page as a person sees it."""

QUERY = """const { call } = await import('/app/api.js');
const clock = await import('/app/clock.js');
const answer = await call('report.query', { from: from || clock.today(), to: to || clock.today(), segment: 'daily', by, metric, shape: 'rows' });
const all = {};
for (const row of answer.rows) all[row.key] = (all[row.key] ?? 0) + row.value;
return all;"""

SHOWN = """return [...document.querySelectorAll(selector + ' .use-row')].map(row =>
  [row.querySelector('.use-name').textContent, Number(row.querySelector('data').value)]);"""


def query(page, by, metric="duration", since="", until=""):
    return page.evaluate(QUERY, **{"from": since, "to": until, "by": by, "metric": metric})


def value(page, selector):
    return page.evaluate("return Number(document.querySelector(selector)?.querySelector('data')?.value ?? NaN)", selector=selector)


def compare(checks, where, shown, wanted):
    if shown != wanted:
        checks.fail(where, f"shows {shown}, report.query has {wanted}")


def check_numbers(page, origin, checks, open_page):
    open_page(page, origin, "today")
    total = query(page, "total")
    compare(checks, "today, total", value(page, "#total"), sum(total.values()))
    for name, metric in (("pickups", "pickups"), ("notifications", "notifications")):
        compare(checks, f"today, {name}", value(page, f"#{name}"), sum(query(page, "total", metric).values()))
    apps = sorted(query(page, "app").values(), reverse=True)
    rows = page.evaluate(SHOWN, selector="main section")
    compare(checks, "today, apps", [time for _, time in rows], apps[:len(rows)])
    for name in page.evaluate("const { allApps } = await import('/app/names.js'); return allApps().map(one => one.name).filter(Boolean)"):
        # A name is one text: it made no element.
        found = page.evaluate(
            """return [...document.querySelectorAll('.use-name')].filter(one => one.textContent === name).every(one =>
              one.childNodes.length === 1 && one.firstChild.nodeType === 3);""", name=name)
        if not found:
            checks.fail("today, names", f"{name!r} is more than text")
    for period in ("day", "week", "month", "year"):
        for by in ("app", "category", "domain", "device"):
            open_page(page, origin, f"reports?period={period}&by={by}")
            since, until = page.evaluate(
                """const { startOf, lastOf } = await import('/app/data/reports.js'); const { today } = await import('/app/clock.js');
                const start = startOf(period, today()); return [start, lastOf(period, start)];""", period=period)
            where = f"reports by {period} and {by}"
            compare(checks, where + ", total", value(page, "#report-total"), sum(query(page, "total", since=since, until=until).values()))
            wanted = sorted(query(page, by, since=since, until=until).values(), reverse=True)
            rows = page.evaluate(SHOWN, selector="#shares")
            compare(checks, where, [time for _, time in rows], wanted[:len(rows)])
    checks.looked += 17
