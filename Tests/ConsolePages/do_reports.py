"""What a person does on the page Reports."""

import csv
import datetime
import io
import json
import pathlib
import tempfile

from do_dismissed import HOLD
from page import PageError, poll
from world import NOW

#: Milliseconds of the report that the page shows, as report-service answers.
TOTAL = """const {report} = await import('/app/api.js');
    const {rows} = await report({from, to, segment: 'daily', by: 'total', ...filter});
    return rows.reduce((sum, row) => sum + row.value, 0)"""


def shown_total(person):
    return person.text("#report-total")


def wanted_total(person, first, last, **selection):
    value = person.page.evaluate(TOTAL, **{"from": first, "to": last, "filter": selection})
    return person.page.evaluate("return (await import('/app/format.js')).time(value).innerText ?? (await import('/app/format.js')).time(value)", value=value)


def is_shown(person, total, what):
    person.wait(f"document.querySelector('#report-total')?.innerText === {json.dumps(total)}", f"{what}: {total}")
    person.checks.looked += 1


def move_in_time(person):
    """Other periods, earlier and later, and by a press on a column, a day of the calendar, a week of the trend."""
    person.open("reports")
    is_shown(person, wanted_total(person, "2023-06-25", "2023-06-28"), "this week")
    person.press(".report-range button:first-child")
    is_shown(person, wanted_total(person, "2023-06-18", "2023-06-24"), "the week before")
    person.wait("location.search.includes('from=2023-06-18')", "the address")
    person.press(".report-range button:last-child")
    is_shown(person, wanted_total(person, "2023-06-25", "2023-06-28"), "this week again")
    person.expect("there is no later week", person.read("document.querySelector('.report-range button:last-child').disabled"), True)
    person.expect("the focus stays where it can go on", person.read("document.querySelector('.report-range').contains(document.activeElement)"), True)
    for period, first in (("day", "2023-06-28"), ("month", "2023-06-01"), ("year", "2023-01-01")):
        person.press(f".report-bar [data-key={period}]")
        is_shown(person, wanted_total(person, first, "2023-06-28"), period)
    press_column(person, "#segments", 4)
    is_shown(person, wanted_total(person, "2023-05-01", "2023-05-31"), "May, from its column")
    person.expect("the focus stays on the chart", person.read("document.activeElement === document.querySelector('#segments st-chart')"), True)
    # The column that was chosen belonged to the year.
    before = person.read("location.search")
    person.page.key("Enter", number=13)
    person.expect("the address after a second Enter", person.read("location.search"), before)
    chart = "document.querySelector('#segments st-chart')"
    first = person.read(f"{chart}.model.stops(900)[0].text")
    person.expect("what it says then", person.read(f"{chart}.ariaValueText"), first)
    press_column(person, "#segments", 30)
    is_shown(person, wanted_total(person, "2023-05-31", "2023-05-31"), "the last of May, from its column")
    person.look("May")


#: What the browser asks for, the region that the machine is set to, the week of 28 June 2023 that belongs to them, and
#: how the 8th of May is written in English.
REGIONS = [
    ("en-US", None, ("2023-06-25", "2023-07-01"), "May 8"), ("en-GB,en", None, ("2023-06-26", "2023-07-02"), "8 May"),
    ("de-DE,en-US", None, ("2023-06-26", "2023-07-02"), "8 May"), ("en-US", "GB", ("2023-06-26", "2023-07-02"), "8 May"),
    ("ko", "EG", ("2023-06-24", "2023-06-30"), "8 May"), ("en-DE", "KR", ("2023-06-25", "2023-07-01"), "8 May"),
]
#: The days of the week as the list of Settings and as the chart have them, and a date.
WEEK = """const {dates, dayCode, weekdays} = await import('/app/format.js');
    return [weekdays().map(dayCode)[0], dates.short('2023-05-08')]"""


def begin_week(person):
    """On the day of the person's region, which the machine knows better than the browser."""
    page = person.page
    agent = page.evaluate("return navigator.userAgent")
    days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    for asked, region, (first, last), date in REGIONS:
        page.send("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=asked)
        script = page.send("Page.addScriptToEvaluateOnNewDocument", source=f"""const {{fetch: send}} = window;
            window.fetch = async (path, options) => {{
                const answer = await send(path, options);
                return path === '/session' ? Response.json({{...await answer.json(), region: {json.dumps(region)}}}) : answer;
            }};""")
        try:
            where = f"{asked} in {region}"
            person.open("reports?period=week")
            is_shown(person, wanted_total(person, first, "2023-06-28"), where)
            person.expect(f"{where}: the first day", page.evaluate(WEEK)[0], days[datetime.date.fromisoformat(first).weekday()])
            name = page.evaluate("return (await import('/app/format.js')).dates.range(first, last)", first=first, last=last)
            person.expect(f"{where}: the week", person.text("#range"), name)
            if person.language == "en":
                person.expect(f"{where}: a date", page.evaluate(WEEK)[1], date)
        finally:
            page.send("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
    page.send("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage="en-US")
    # Firefox asks this list; here the browser knows it too.
    regions = "AE BR CA CN DE EG FR GB IN IR JP KR MV MX PT RU SA TW US".split()
    told = page.evaluate("""const {firstDayIn} = await import('/app/format.js');
        return regions.map(region => { const place = new Intl.Locale(`en-${region}`);
            return [firstDayIn(region), (place.getWeekInfo?.() ?? place.weekInfo).firstDay % 7]; })""", regions=regions)
    person.expect("first days", [region for region, (ours, theirs) in zip(regions, told) if ours != theirs], [])
    said = page.evaluate("""const {daysText, weekdayName} = await import('/app/format.js');
        const name = weekdayName;
        const {list} = await import('/app/format.js'); const {t} = await import('/app/words.js');
        const run = (from, to) => t('days.range', {from: name(from), to: name(to)});
        return [[[1, 2, 3, 4, 5], run(1, 5)], [[0, 6], list([name(6), name(0)])], [[0, 5, 6], run(5, 0)], [[0, 1, 5, 6], run(5, 1)],
            [[1, 3], list([name(1), name(3)])], [[0, 1, 3], list([name(0), name(1), name(3)])], [[2], name(2)],
            [[0, 1, 2, 3, 4, 5, 6], t('days.all')], [[1, 2, 3, 4, 5, 6], run(1, 6)]].filter(([days, text]) => daysText(days) !== text)""")
    person.expect("days as a person says them", said, [])


def press_column(person, figure, number):
    """Goes to a column of a chart with the keys, and presses it."""
    person.page.evaluate("document.querySelector(figure + ' st-chart').focus()", figure=figure)
    person.page.key("Home")
    for _ in range(number):
        person.page.key("ArrowRight")
    person.page.key("Enter", number=13)


def change_what_is_shown(person):
    """Pickups and notifications instead of time, and by category, site and device."""
    person.open("reports?period=month")
    for metric in ("pickups", "notifications", "duration"):
        person.choose("#metric", metric)
        wanted = person.page.evaluate(
            """const {report} = await import('/app/api.js'); const {count} = await import('/app/format.js');
            const {rows} = await report({from: '2023-06-01', to: '2023-06-28', segment: 'daily', by: 'total', metric});
            const value = rows.reduce((sum, row) => sum + row.value, 0);
            const shown = metric === 'duration' ? (await import('/app/format.js')).time(value) : count(value);
            return shown.innerText ?? String(shown)""", metric=metric)
        is_shown(person, wanted, metric)
    for by in ("category", "domain", "device", "app"):
        person.press(f"#shares [data-key={by}]")
        person.wait(f"location.search.includes('by={by}') || '{by}' === 'app' && document.querySelector('#shares [aria-pressed=true]').dataset.key === 'app'", by)
        person.wait(f"document.querySelector('#shares thead th').textContent === {json.dumps(person.word('by.' + by))}", f"the table by {by}")
        person.look(f"report by {by}")


#: As long as names may be, or nearly.
MINA = "Mina <b> Maximiliane Alexandra von Hohenstaufen-Oettingen-Wa"


def change_device_and_member(person):
    """Only a phone; and what somebody else used."""
    run = person.world.run
    run("screentime", "member", "add", MINA)
    file = pathlib.Path(person.world.directory, "mina.jsonl")
    for owner, hours, end in ((None, "16:00", 20), (MINA, "15:00", 25)):
        start = int(NOW.replace(hour=int(hours[:2])).timestamp() * 1000)
        kinds = [("unlocked", {}, 0), ("focus", {"app": "org.gnome.Maps"}, 0), ("locked", {}, end)]
        file.write_text("".join(
            json.dumps({"device": "phone", "device_model": "android", "at_ms": start + minutes * 60_000, "kind": kind, **more}) + "\n"
            for kind, more, minutes in kinds), encoding="utf-8")
        run("screentime", "import", "observations", str(file), *(["--member", owner] if owner else []))
    person.open("reports?period=day")
    person.choose("#device", "phone")
    is_shown(person, wanted_total(person, "2023-06-28", "2023-06-28", devices=["phone"]), "the phone")
    person.look("report of a phone")
    members = [one["name"] for one in person.call("member.list")["members"]]
    person.choose("#device", "")
    other = person.read("[...document.querySelectorAll('#member option')].map(one => [one.value, one.textContent])")
    person.expect("whom the report can be of", sorted(name for _, name in other), sorted(members))
    person.choose("#member", next(value for value, name in other if name == MINA))
    text = person.page.evaluate("const shown = (await import('/app/format.js')).time(25 * 60000); return shown.innerText ?? shown")
    is_shown(person, text, "Mina's use")
    person.look("report of somebody else")
    person.page.send("Emulation.setEmulatedMedia", media="print")
    person.expect("what a printed report is of", person.text("#report-of"), f"{person.word('metric.duration')} · {MINA}")
    person.page.send("Emulation.setEmulatedMedia", media="")
    # Where she lives it is tomorrow already.
    run("screentime", "member", "set", MINA, "--zone", "Pacific/Auckland")
    mina = next(one["id"] for one in person.call("member.list")["members"] if one["name"] == MINA)
    person.open(f"reports?period=day&member={mina}")
    name = person.page.evaluate("return (await import('/app/format.js')).dates.full('2023-06-29')")
    person.wait(f"document.querySelector('#range').innerText === {json.dumps(name)}", "her day")
    # 3 PM in Berlin: the chart and its table have her clock, as the hours have.
    person.open(f"reports?period=day&member={mina}&from=2023-06-29")
    person.press("#timeline details summary")
    hers = person.page.evaluate("return (await import('/app/format.js')).minuteTime(60)")
    person.expect("by her clock", person.text("#timeline tbody tr td:nth-child(2)"), hers)
    person.expect("and the chart", person.page.evaluate("""const chart = document.querySelector('#timeline st-chart');
        return [...chart.querySelectorAll('text.axis')].some(one => one.textContent === hers)""", hers=hers), True)
    person.open(f"reports?period=month&member={mina}")
    person.press(".legend .use-row")
    person.wait("document.querySelector('.chosen-part')", "what can be done with it")
    person.expect("a limit would be one's own", person.read("document.querySelector('.chosen-part a')"), None)
    run("screentime", "member", "remove", MINA)
    person.open("reports?period=month&device=nosuch")
    person.expect("a device that nobody has", (shown_total(person), person.read("document.querySelector('#device').value")), (wanted_total(person, "2023-06-01", "2023-06-28", devices=["nosuch"]), "nosuch"))
    person.choose("#device", "")
    is_shown(person, wanted_total(person, "2023-06-01", "2023-06-28"), "all devices again")
    for address in ("reports?from=9999-12-31", "reports?period=month&from=9999-12-31", "reports?period=year&from=9999-12-31", "reports?from=0050-01-01"):
        person.open(address)
        person.expect(f"{address} is the present", person.read("document.querySelector('.report-range button:last-child').disabled"), True)


def filter_use(person):
    """Only some apps and sites; then everything again."""
    person.open("reports?period=month")
    whole = shown_total(person)
    person.press(".filters button")
    person.pick("firefox", "steam")
    wanted = wanted_total(person, "2023-06-01", "2023-06-28", applications=["firefox", "com.valvesoftware.Steam"])
    is_shown(person, wanted, "only two apps")
    person.look("a filtered report")
    person.press_word("reports.noFilter")
    is_shown(person, whole, "everything")


def see_loading(person):
    """A report that takes long says so, and keeps what it shows until then."""
    person.open("reports")
    week = wanted_total(person, "2023-06-25", "2023-06-28")
    is_shown(person, week, "this week")
    person.page.evaluate(HOLD, held="/api/report.query", fails=False)
    person.press_word("period.month")
    person.wait("document.querySelector('.page').ariaBusy === 'true'", "that it loads")
    person.expect("it is seen", person.read("getComputedStyle(document.querySelector('.page'), '::before').position"), "fixed")
    person.expect("what is shown meanwhile", shown_total(person), week)
    person.look("a report that takes long")
    person.page.evaluate("window.release()")
    is_shown(person, wanted_total(person, "2023-06-01", "2023-06-28"), "the month")
    person.wait("document.querySelector('.page').ariaBusy === 'false'", "that it is loaded")


def narrow_calendar(person):
    """A window that becomes narrower has fewer days; what was chosen is none of them, and the page goes on."""
    person.page.size(1400)
    try:
        person.open("reports?period=year")
        calendar = "document.querySelector('#calendar st-chart')"
        person.wait(f"{calendar}?.getAttribute('aria-valuemax')", "the calendar")
        whole = person.read(f"{calendar}.ariaValueMax")
        person.page.evaluate(f"{calendar}.focus()")
        person.page.key("End", number=35)
        person.expect("the newest day", person.read(f"{calendar}.ariaValueNow"), whole)
        for width in (500, 420):
            person.page.size(width)
            person.wait(f"Number({calendar}.ariaValueMax) < {whole} && {calendar}.querySelector('svg').clientWidth <= {calendar}.clientWidth", "fewer days")
            person.expect(f"what is chosen, {width} px", person.read(f"[{calendar}.ariaValueNow, {calendar}.querySelectorAll('.chosen, .tip').length]"), ["0", 0])
            person.page.key("End", number=35)
        # With a day chosen that a wider one has at another place, it is drawn again from another answer.
        person.page.evaluate("document.querySelector('#calendar').dataset.old = 'yes'; dispatchEvent(new Event('focus'))")
        person.wait("!document.querySelector('#calendar').dataset.old", "it is drawn again")
        person.look("a calendar that became narrower")
    finally:
        person.page.size(person.width)


def read_long_tip(person):
    """On a phone a long text of a column is whole."""
    person.page.size(360)
    try:
        person.open("reports?period=week&by=category")
        person.press(".legend li:nth-child(2) .use-row")
        person.wait("document.querySelector('.bar.parted')", "a part of each column")
        person.page.evaluate("document.querySelector('#segments st-chart').focus()")
        for _ in range(3):
            person.page.key("ArrowRight", number=39)
        person.wait("document.querySelector('#segments .tip')", "what the column is")
        person.look("a long text of a column")
        tip = "document.querySelector('#segments .tip')"
        found = person.read(f"(() => {{ const tip = {tip}; const box = tip.getBoundingClientRect(); return [tip.scrollWidth <= tip.clientWidth, tip.innerText === document.querySelector('#segments st-chart').ariaValueText, box.left >= 0 && box.right <= innerWidth]; }})()")
        person.expect("it is whole", found, [True, True, True])
    finally:
        person.page.size(person.width)


def see_average(person):
    """The line of the trend is the average that the text tells, also after weeks without use."""
    hours = [3, 0, 0, 1, 0, 2, 0]
    weeks = [{"start": str(datetime.date(2023, 5, 1) + datetime.timedelta(7 * number)), "value": 3_600_000 * value} for number, value in enumerate(hours)]
    found = person.page.evaluate(
        """const {trendFigure} = await import('/app/pages/reports-more.js');
        const {fill} = await import('/app/h.js');
        const {duration} = await import('/app/format.js');
        const place = document.createElement('div');
        document.querySelector('main').append(place);
        fill(place, trendFigure(weeks, 'duration', [], () => {}));
        for (let i = 0; i < 100 && !place.querySelector('.usual'); i += 1) await new Promise(requestAnimationFrame);
        const height = selector => Number(place.querySelector(selector).getAttribute(selector === '.usual' ? 'y1' : 'cy'));
        const dots = [...place.querySelectorAll('.dot')].map(one => Number(one.getAttribute('cy')));
        const shown = [place.querySelector('figcaption').innerText.includes(duration(2 * 3600000)), height('.usual') - dots[5], dots[1] - dots[0] > 20];
        place.remove();
        return shown;""", weeks=weeks)
    person.expect("two hours are said, and the line is as high as a week of two hours", found, [True, 0, True])


def read_a_year(person):
    """A year of 366 days is whole, and the timeline counts what two devices show at once once."""
    found = person.page.evaluate(
        """const {readCalendar} = await import('/app/data/reports.js');
        const year = to => readCalendar(to, {metric: 'duration', filter: {}, person: {zone: 'Europe/Berlin'}});
        return Promise.all(['2020-12-31', '2021-12-31', '2020-02-29', '2021-02-28'].map(async to => (await year(to)).from))""")
    person.expect("the first day of a year", found, ["2020-01-01", "2021-01-01", "2019-03-01", "2020-02-29"])
    spans = [[0, 60], [30, 40], [50, 90], [100, 120]]
    found = person.page.evaluate(
        """const {lengthOf} = await import('/app/pages/reports-more.js');
        return lengthOf(spans.map(([start_ms, end_ms]) => ({start_ms, end_ms})))""", spans=spans)
    person.expect("how long it was used", found, 110)


def go_back_in_time(person):
    """Back returns from a day to its month, and to the year before it, with the filter that was chosen."""
    person.open("today")
    person.page.evaluate("document.querySelector('nav a[href=\"/reports\"]').click()")
    person.press_word("period.year")
    is_shown(person, wanted_total(person, "2023-01-01", "2023-06-28"), "the year")
    person.press_word("period.month")
    person.press(".filters button")
    person.pick("firefox")
    filtered = wanted_total(person, "2023-06-01", "2023-06-28", applications=["firefox"])
    is_shown(person, filtered, "only one app")
    press_column(person, "#segments", 7)
    is_shown(person, wanted_total(person, "2023-06-08", "2023-06-08", applications=["firefox"]), "a day of it")
    # What is shown of a time is no step.
    person.press_word("by.category")
    person.wait("location.search.includes('by=category')", "by category")
    back = "history.back()"
    person.page.evaluate(back)
    is_shown(person, filtered, "the month again")
    person.expect("the address", "period=month" in person.read("location.search"), True)
    person.page.evaluate("window.isOld = true; location.reload()")
    person.wait("!window.isOld && document.querySelector('#report-total data')", "it is loaded again")
    is_shown(person, filtered, "filtered after a reload")
    person.page.evaluate(back)
    is_shown(person, wanted_total(person, "2023-01-01", "2023-06-28"), "the year again")
    person.page.evaluate(back)
    person.wait("document.querySelector('.page-reports #range') && !location.search", "the week again")
    person.page.evaluate(back)
    person.wait("location.pathname === '/today'", "the page before")


def choose_slice(person):
    """A slice is highlighted; its app gets another category, and a limit."""
    person.open("reports?period=month")
    person.press(".legend li[data-key='com.valvesoftware.Steam'] .use-row")
    person.wait("document.querySelector('.chosen-part')", "what can be done with it")
    said = person.word("reports.highlight", name="Steam")
    person.expect("the highlighted slice", person.text("#segments figcaption .quiet"), said)
    person.look("a highlighted slice")
    # What has no slice of its own is in that of the others.
    last = ".legend li:nth-child(8)"
    person.press(f"{last} .use-row")
    person.wait("document.querySelectorAll('.slice.chosen').length === 1", "a slice")
    # The middle may cut it.
    named = person.read("document.querySelector('#shares .middle + .axis').textContent").rstrip("…")
    person.expect("the slice of others", (person.read("document.querySelector('.slice.chosen').dataset.hue"), person.text(f"{last} .use-name").startswith(named)), ("7", True))
    person.press(".legend li[data-key='com.valvesoftware.Steam'] .use-row")
    person.wait("document.querySelector('.chosen-part strong')?.textContent === 'Steam'", "the slice again")
    category = lambda: person.read("document.querySelector('#chosen-category').value")
    before = category()
    # What was picked and not moved is forgotten with the slice, and with the page.
    person.choose("#chosen-category", "education")
    other = ".legend li:not([data-key='com.valvesoftware.Steam']) .use-row"
    steam = ".legend li[data-key='com.valvesoftware.Steam'] .use-row"
    person.press(other)
    person.wait("document.querySelector('.chosen-part strong')?.textContent !== 'Steam'", "another slice")
    person.press(steam)
    person.wait("document.querySelector('.chosen-part strong')?.textContent === 'Steam'", "the slice again")
    person.expect("its category after another slice", category(), before)
    person.choose("#chosen-category", "education")
    person.page.evaluate("document.querySelector('a[href=\"/limits\"]').click()")
    person.wait("document.querySelector('.page-limits h1')", "Limits")
    person.page.evaluate("history.back()")
    person.wait(f"document.querySelector('.page-reports') && document.querySelector({json.dumps(steam)})", "Reports again")
    person.press(steam)
    person.wait("document.querySelector('#chosen-category')", "what can be done with it")
    person.expect("its category after another page", category(), before)
    for to in ("education", before):
        person.choose("#chosen-category", to)
        # Who goes through the list with the arrow keys moves nothing yet.
        found = person.told("screentime", "catalog", "show", "com.valvesoftware.Steam")
        person.expect("its category before", found["category"] == to, False)
        # It stays chosen when the page is drawn again.
        person.page.evaluate("document.querySelector('#segments').dataset.old = 'yes'; dispatchEvent(new Event('focus'))")
        person.world.run("screentime", "catalog", "set", "org.kde.kalzium", "education")
        person.wait("!document.querySelector('#segments').dataset.old", "the page is drawn again")
        person.expect("what is chosen", category(), to)
        person.press("#chosen-move")
        name = person.page.evaluate("return (await import('/app/names.js')).categoryName(to)", to=to)
        person.said(person.word("chosen.moved", category=name))
        person.wait(f"document.querySelector('#chosen-category option[selected]').value === {json.dumps(to)}", "it is drawn")
        found = person.told("screentime", "catalog", "show", "com.valvesoftware.Steam")
        person.expect("its category", found["category"], to)
    # What was picked for another slice while one moves stays picked.
    person.page.evaluate("""const {fetch} = window; const isHeld = new Promise(resolve => { window.release = resolve; });
        window.fetch = async (path, options) => { if (path.startsWith('/api/catalog.set')) await isHeld; return fetch(path, options); };""")
    person.choose("#chosen-category", "education")
    person.press("#chosen-move")
    person.press(other)
    person.wait("document.querySelector('.chosen-part strong')?.textContent !== 'Steam'", "another slice")
    person.choose("#chosen-category", "travel")
    person.page.evaluate("window.release()")
    person.said(person.word("chosen.moved", category=person.page.evaluate("return (await import('/app/names.js')).categoryName('education')")))
    person.wait("document.querySelector('#chosen-category option[selected]')?.value === 'travel'", "what was picked meanwhile")
    person.press(steam)
    person.wait("document.querySelector('.chosen-part strong')?.textContent === 'Steam'", "the slice again")
    person.world.run("screentime", "catalog", "unset", "com.valvesoftware.Steam")
    person.world.run("screentime", "catalog", "unset", "org.kde.kalzium")
    person.press(".chosen-part a")
    # More was used than it begins with; where that is said late, it moves the buttons.
    person.wait("location.pathname === '/limits' && document.querySelector('#acts-now')", "the form of a limit")
    person.press_word("action.cancel", "dialog")
    person.closed()


def export(person, what):
    person.press("#export")
    person.dialog("what can be exported")
    person.look("what can be exported")
    person.press_word(f"export.{what}", "dialog")
    person.closed()


def save_files(person):
    """CSV, JSON and a picture, and printing: what is in the files is what is on the page."""
    with tempfile.TemporaryDirectory(prefix="console-downloads-") as directory:
        person.page.save_into(directory)
        person.open("reports?period=month")
        export(person, "csv")
        text = downloaded(person, directory, ".csv").decode()
        person.expect("it says that it is UTF-8", text[0], "\ufeff")
        rows = list(csv.reader(io.StringIO(text[1:])))
        export(person, "json")
        found = json.loads(downloaded(person, directory, ".json"))
        total = person.page.evaluate(TOTAL, **{"from": "2023-06-01", "to": "2023-06-28", "filter": {}})
        person.expect("JSON", (found["from"], found["to"], found["total"], sum(row["value"] for row in found["rows"]) <= total), ("2023-06-01", "2023-06-30", total, True))
        person.expect("lines of the CSV", len(rows) - 1, len({(row["segment_start"], row["key"]) for row in found["rows"] if row["value"]}))
        month = person.read("document.querySelector('#range').textContent")
        # What is shown then, though it came while somebody chose.
        person.press("#export")
        person.dialog("what can be exported")
        person.page.evaluate("document.querySelector('.report-range button').click()")
        person.wait(f"document.querySelector('#range').textContent !== {json.dumps(month)}", "the month before")
        person.press_word("export.json", "dialog")
        earlier = json.loads(downloaded(person, directory, "2023-05-01.json"))
        person.expect("the month that came meanwhile", (earlier["from"], earlier["to"]), ("2023-05-01", "2023-05-31"))
        person.open("reports?period=month")
        formulas = [cell for row in rows for cell in row if cell.startswith(("=", "+", "@"))]
        person.expect("formulas in the CSV", formulas, [])
        person.press("#segments .figure-foot button")
        picture = downloaded(person, directory, ".png")
        month = person.read("document.querySelector('#range').innerText")
        [name] = pathlib.Path(directory).glob("*.png")
        person.expect("the picture's name has the month", name.stem.endswith(f", {month}"), True)
        person.expect("a picture", (picture[:8], int.from_bytes(picture[16:20], "big") > 600), (b"\x89PNG\r\n\x1a\n", True))
        person.page.evaluate("""window.drawn = []; const {fillText} = CanvasRenderingContext2D.prototype;
            CanvasRenderingContext2D.prototype.fillText = function(text, ...more) { drawn.push(text); return fillText.call(this, text, ...more); }""")
        person.press("#shares .figure-foot button")
        downloaded(person, directory, f"{person.word('reports.shares')}, {month}.png")
        rows = person.read("[...document.querySelectorAll('#shares tbody tr')].slice(0, 6).map(row => [...row.children].map(one => one.textContent))")
        said = [text for name, time, share in rows for text in (name, f"{time}, {share}")]
        person.expect("six names and shares", (len(rows), [text for text in said if text not in person.read("drawn")]), (6, []))
        person.expect("what the shares are of", person.word("by.app") in " ".join(person.read("drawn")), True)
    person.page.evaluate("window.printed = 0; window.print = () => { window.printed += 1; }")
    export(person, "print")
    person.expect("printed", person.read("window.printed"), 1)
    person.page.send("Emulation.setEmulatedMedia", media="print")
    person.expect("what is printed has no menu", person.read("[...document.querySelectorAll('.side, .tabs, .filters')].every(one => getComputedStyle(one).display === 'none')"), True)
    person.page.send("Emulation.setEmulatedMedia", media="")
    colours = "['--heat-0', '--heat-4', '--hue-0', '--bar', '--accent-soft'].map(name => getComputedStyle(document.documentElement).getPropertyValue(name).trim())"
    theme = person.read("document.documentElement.dataset.theme ?? null")
    dress = lambda name: person.page.evaluate("if (name) document.documentElement.dataset.theme = name; else delete document.documentElement.dataset.theme", name=name)
    dress("light")
    light = person.read(colours)
    dress("dark")
    dark = person.read(colours)
    person.page.send("Emulation.setEmulatedMedia", media="print")
    person.expect("colours of print in the dark theme", (dark != light, person.read(colours)), (True, light))
    person.page.send("Emulation.setEmulatedMedia", media="")
    dress(theme)


def downloaded(person, directory, ending):
    if not poll(lambda: person.page.has_saved(ending)):
        raise PageError(f"no file {ending} was saved")
    [file] = pathlib.Path(directory).glob(f"*{ending}")
    return file.read_bytes()


def zoom_day(person):
    """The timeline of a day: closer, earlier, and the whole again."""
    person.open("reports?period=day&from=2023-06-27")
    text = lambda: person.text("#timeline figcaption > p")
    button = lambda name: f"#timeline .figure-head [aria-label={json.dumps(person.word('timeline.' + name), ensure_ascii=False)}]"
    whole = text()
    person.press(button("in"))
    person.wait(f"document.querySelector('#timeline figcaption > p').innerText !== {json.dumps(whole)}", "closer")
    closer = text()
    person.press(button("earlier"))
    person.wait(f"document.querySelector('#timeline figcaption > p').innerText !== {json.dumps(closer)}", "earlier")
    person.look("a zoomed timeline")
    for _ in range(3):
        if person.read(f"!document.querySelector({json.dumps(button('out'))}).disabled"):
            person.press(button("out"))
    person.expect("the whole day again", text(), whole)
    person.press("#timeline details summary")
    person.look("a timeline as a table")


def show_scene(person):
    """The report of an app, which the app draws itself; again when the period changes."""
    person.open("reports?period=month")
    person.choose("#scene", "org.screentime.downtime/Total Activity")
    person.wait("document.querySelector('iframe.scene')?.src.includes('org.screentime.downtime')", "the app's report")
    first = person.read("document.querySelector('iframe.scene').src")
    person.expect("its rights", person.read("document.querySelector('iframe.scene').getAttribute('sandbox')"), "")
    status = person.page.evaluate("const answer = await fetch(source); return [answer.status, answer.headers.get('content-type').split(';')[0], (await answer.text()).length > 200]", source=first)
    person.expect("the app's report", status, [200, "text/html", True])
    person.press(".report-bar [data-key=week]")
    person.wait(f"document.querySelector('iframe.scene')?.src && document.querySelector('iframe.scene').src !== {json.dumps(first)}", "drawn again for another period")
    person.checks.looked += 1


#: Answers of report-service wait, or fail.
HOLD = """const {fetch} = window;
    const isHeld = new Promise(resolve => { window.release = () => { window.fetch = fetch; resolve(); }; });
    window.asked = 0;
    window.fetch = async (path, options) => {
        if (path !== '/api/report.query') return fetch(path, options);
        window.asked += 1;
        if (fails) return new Response(JSON.stringify({title: 'unavailable', status: 503, detail: 'It stopped.'}), {status: 503});
        await isHeld;
        return fetch(path, options);
    };"""


def keep_heading(person):
    """Numbers stand under the heading of what they are of, also while others are read, and where that fails."""
    def shown():
        return person.read("[document.querySelector('#range').textContent, document.querySelector('#report-total').innerText, document.querySelector('#metric').value]")

    range_of = lambda first, last: person.page.evaluate("return (await import('/app/format.js')).dates.range(first, last)", first=first, last=last)
    person.open("reports?period=week")
    before = shown()
    person.page.evaluate(HOLD, fails=False)
    person.press(".report-range button:first-child")
    person.press(".legend li:nth-child(2) .use-row")
    person.wait("document.querySelector('.chosen-part')", "the page is drawn again")
    person.expect("while another week is read", shown(), before)
    # The next press goes on from what was asked for.
    person.press(".report-range button:first-child")
    person.wait("window.asked > 4", "both are asked for")
    person.page.evaluate("window.release()")
    person.wait(f"document.querySelector('#range').textContent === {json.dumps(range_of('2023-06-11', '2023-06-17'))}", "two weeks before")
    is_shown(person, wanted_total(person, "2023-06-11", "2023-06-17"), "two weeks before")
    person.expect("what was chosen of another week", person.read("document.querySelector('.chosen-part')"), None)
    before = shown()
    person.page.evaluate(HOLD, fails=True)
    person.press(".report-range button:first-child")
    person.wait("document.querySelector('main .problem')", "it fails")
    person.expect("where another week cannot be read", shown(), before)
    person.choose("#metric", "pickups")
    person.wait("document.querySelector('#metric').value === 'duration'", "it fails again")
    person.expect("where pickups cannot be read", shown(), before)
    person.look("a report that fails")
    with tempfile.TemporaryDirectory(prefix="console-downloads-") as directory:
        person.page.save_into(directory)
        export(person, "csv")
        rows = list(csv.reader(io.StringIO(downloaded(person, directory, ".csv").decode()[1:])))
        person.expect("what is saved meanwhile", (rows[0][-1], min(row[0] for row in rows[1:])[:10] >= "2023-06-11", max(row[0] for row in rows[1:])[:10] <= "2023-06-17"), ("duration_ms", True, True))
    person.page.evaluate("window.release()")
    person.press("main .problem button")
    person.wait(f"document.querySelector('#range').textContent === {json.dumps(range_of('2023-06-04', '2023-06-10'))} && document.querySelector('#metric').value === 'pickups'", "what was asked for")


def read_counts(person):
    """The axis of a chart fits numbers that are no times."""
    person.open("reports?period=week&metric=pickups")
    for chart in ("#segments", "#trend"):
        person.wait(f"document.querySelector('{chart} .grid-label, {chart} text')", chart)
        top = person.page.evaluate("""return Math.max(...[...document.querySelectorAll(`${chart} text`)]
            .map(one => Number(one.textContent.replace(/[^0-9.]/g, ''))).filter(Number.isFinite))""", chart=chart)
        person.expect(f"the axis of {chart}", top < 1000, True)


def press_fast(person):
    """Later and earlier without waiting; and in the head of a report that could not be read at first."""
    person.open("reports?period=week&from=2023-06-18")
    person.page.evaluate("""const press = name => document.querySelector(`.report-range button:${name}-child`).click();
        for (let i = 0; i < 3; i += 1) press('last'); press('first');""")
    is_shown(person, wanted_total(person, "2023-06-18", "2023-06-24"), "three later, which ends with the present week, one earlier")
    person.wait("location.search.includes('from=2023-06-18')", "the address")
    person.page.evaluate("for (let i = 0; i < 2; i += 1) document.querySelector('.report-range button:last-child').click()")
    is_shown(person, wanted_total(person, "2023-06-25", "2023-06-28"), "this week")
    person.expect("the address of the present week", person.read("location.search.includes('from=')"), False)
    person.open("today")
    person.page.evaluate(HOLD, fails=True)
    person.page.evaluate("document.querySelector('a[href=\"/reports\"]').click()")
    person.wait("document.querySelector('main .problem')", "it fails at first")
    person.page.evaluate("window.release()")
    person.press(".report-bar [data-key=month]")
    is_shown(person, wanted_total(person, "2023-06-01", "2023-06-28"), "the month")
