"""What a person does on the pages Limits and Downtime."""

import datetime
import json

from world import ZONE


def limits(person):
    return {one.get("subject", "total"): one for one in person.told("limits", "list")}


def set_limit(person):
    person.open("limits")
    person.press(".page-head button, .empty button")
    person.pick_one("firefox")
    person.amount("amount-0", 0, 1)
    person.wait("document.querySelector('#acts-now')", "a limit below the use says that it acts now")
    person.look("limit that acts now")
    say = 'Tea is "ready" <b>now</b>, ${ 1 }.'
    person.type("#limit-say", say)
    person.press("#limit-save")
    person.closed()
    # The shield comes by itself, as an event.
    covered = person.word("limits.covered")
    person.wait(f"document.querySelector('[data-key=\"app firefox\"] .tag')?.textContent === {json.dumps(covered)}", "it is covered")
    limit = limits(person)["firefox"]
    person.expect("limit", [limit["todaySeconds"], limit["limits"][0]["say"], limit["shut"]], [60, say, True])


def keep_limit(person):
    """A form that is saved as it was opened changes nothing; words are words."""
    run = person.world.run
    run("limits", "set", "--domain", "wikipedia.org", "75s", "--days", "mon,tue,wed,thu,fri,sun")
    run("limits", "set", "--domain", "wikipedia.org", "30m", "--days", "sat", "--warn", "90s", "--say", "Only on Saturday.")
    before = limits(person)["wikipedia.org"]
    person.open("limits?new=domain%20wikipedia.org")
    person.press("#limit-save")
    person.closed()
    person.expect("limit that was only opened", limits(person)["wikipedia.org"], before)
    person.open("limits?new=domain%20wikipedia.org")
    person.wait("document.querySelector('#amount-0-m')", "the form")
    person.page.evaluate("document.querySelector('#amount-0-m').focus(); document.querySelector('#amount-0-m').select()")
    for key in "60":
        person.page.insert(key)
    person.type("#limit-say", "--")
    person.press("#limit-save")
    person.closed()
    after_rules = limits(person)["wikipedia.org"]["limits"]
    after = [[one["seconds"], one["say"]] for one in after_rules]
    person.expect("an hour as 60 minutes, and words like an option", sorted(after), [[1800, "--"], [3600, "--"]])
    person.open("limits?new=domain%20wikipedia.org")
    person.wait("document.querySelector('#limit-save')", "the form")
    run("limits", "remove", "--domain", "wikipedia.org")
    person.press("#limit-save")
    person.closed()
    again = limits(person).get("wikipedia.org", {"limits": []})["limits"]
    person.expect("a limit that was removed elsewhere while its form was saved", again, after_rules)
    run("limits", "remove", "--domain", "wikipedia.org")


def set_several_rules(person):
    """Of everything: other days, a warning; then one of the rules is removed again."""
    person.open("limits")
    person.press(".page-head button, .empty button")
    person.press("#picker-list [data-key=total] .picker-choice")
    person.amount("amount-0", 9, 30)
    person.press_word("limit.otherDays", "dialog")
    person.amount("amount-1", 11, 0)
    person.choose("#limit-warn", "15")
    person.press("dialog details summary")
    person.wait("document.querySelectorAll('dialog details li').length === 7", "the coming week")
    person.look("limit of several rules")
    person.press("#limit-save")
    person.closed()
    found = [(one["days"], one["seconds"], one["warnSeconds"]) for one in limits(person)["total"]["limits"]]
    person.expect("rules of other days", sorted(found), [("mon-fri", 34_200, 900), ("sat,sun", 39_600, 900)])
    person.press("[data-key='total'] .end button")
    person.dialog("the form")
    person.press("dialog [data-key=rule-0] > p button")
    person.wait("!document.querySelector('#amount-1-m')", "one rule is left")
    person.press("#limit-save")
    person.closed()
    person.expect("one rule is left", len(limits(person)["total"]["limits"]), 1)
    person.press("[data-key='total'] .end button:last-child")
    person.confirm()
    person.wait("!document.querySelector('[data-key=total]')", "it is gone")
    person.expect("removed total", "total" in limits(person), False)


def remove_limit(person):
    person.open("limits")
    person.press("[data-key='app firefox'] .end button:last-child")
    person.confirm()
    person.wait("!document.querySelector('[data-key=\"app firefox\"]')", "the limit is gone")
    person.expect("removed limit", "firefox" in limits(person), False)
    # Whoever uses the keyboard goes on from here.
    person.wait("document.activeElement !== document.body && document.querySelector('main').contains(document.activeElement)", "the focus stays on the page")


def mark_and_unmark(person):
    """Always allowed, and what does not count."""
    person.open("limits")
    for mark, field in (("allow", "alwaysAllowed"), ("ignore", "doesNotCount")):
        person.press(f"#marks-{mark} + button")
        person.pick_one("example.net")
        row = f"[data-key=marks-{mark}] [data-key='domain example.net']"
        person.wait(f"document.querySelector({json.dumps(row)})", "the mark is listed")
        person.expect(field, limits(person)["example.net"][field], True)
        person.press(f"{row} button")
        person.wait(f"!document.querySelector({json.dumps(row)})", "the mark is gone")
        person.expect(f"not {field}", "example.net" in limits(person), False)


def set_hours(person):
    person.open("downtime")
    person.press(".page-downtime .empty button.primary")
    person.press("#day-save")
    person.wait("document.querySelector('.week .off')", "the hours are drawn")
    person.expect("hours", limits(person)["total"]["hours"], [{"days": "every day", "windows": ["07:00-22:00"]}])
    person.press_word("downtime.clear")
    person.confirm()
    person.wait("!document.querySelector('.week .off')", "no hours are drawn")
    person.expect("removed hours", "total" in limits(person), False)


def set_first_hours(person):
    """Of one day only; the others stay open."""
    person.open("downtime")
    name = person.name_of("total")
    person.press(".page-downtime .empty button.primary")
    person.wait("document.querySelector('#same input')", "the days")
    person.page.evaluate("for (const one of document.querySelectorAll('#same label:not([data-key=sat]) input')) one.click()")
    person.press("#day-save")
    person.wait("document.querySelector('.week .off')", "the hours are drawn")
    person.said(person.word("downtime.saved", name=name))
    days = [one["days"] for one in limits(person)["total"]["hours"] if one["windows"] != ["00:00-24:00"]]
    person.expect("hours of one day", [day for day in days if day not in ("sat", "sun")], [])
    person.world.run("limits", "remove", "hours", "total")


def set_hours_of_one(person):
    """Of one site: two windows on one day, one of them now, which is asked about first; then removed."""
    person.open("downtime")
    person.press("#week ~ .inline > button:last-child, .section-head button")
    person.pick_one("reddit.com")
    person.wait("document.querySelector('#week').innerText.includes('reddit.com')", "the week of the site")
    person.press(".page-downtime .empty button.primary")
    person.dialog("the day")
    person.page.evaluate("for (const one of document.querySelectorAll('#same label:not([data-key=wed]) input')) one.click()")
    person.press_word("downtime.addWindow", "dialog")
    person.choose("#from-1", "16:30")
    person.choose("#to-1", "18:15")
    # The hour is cleared and typed again; its minutes are still there.
    person.page.evaluate("document.querySelector('#from-1').focus()")
    person.page.key("Backspace", number=8)
    missing = person.word("downtime.timeMissing")
    person.wait(f"document.querySelector('dialog').innerText.includes({json.dumps(missing)})", "what is missing")
    person.expect("without a time", (person.read("document.querySelector('#from-1').value"), person.read("document.querySelector('#day-save').disabled")), ("", True))
    person.look("a time is missing")
    person.page.key("4", number=52)
    person.wait("document.querySelector('#from-1').value.endsWith(':30') && !document.querySelector('#day-save').disabled", "the time is typed again")
    person.choose("#from-1", "16:30")
    person.look("two windows")
    person.press("#day-save")
    person.wait("document.querySelectorAll('dialog').length === 2", "a question, because it acts now")
    person.press_word("downtime.nowSave", "dialog")
    person.closed()
    person.wait("document.querySelector('#downtime-now')", "what is now")
    now = person.text("#downtime-now")
    time = person.page.evaluate("return (await import('/app/format.js')).minuteTime(18 * 60 + 15)")
    person.expect("what is now", now, person.word("downtime.offNow", time=time))
    hours = {one["days"]: one["windows"] for one in limits(person)["reddit.com"]["hours"]}
    person.expect("hours of a site", hours.get("wed"), ["00:00-16:30", "18:15-22:00"])
    person.press_word("downtime.clear")
    person.confirm()
    person.wait("!document.querySelector('#downtime-now')", "no hours")
    person.expect("removed hours of a site", "reddit.com" in limits(person), False)


def off_until_morning(person):
    """The day after a night that is off is not open all day."""
    person.world.run("limits", "hours", "total", "--days", "fri", "00:00-22:00")
    person.world.run("limits", "hours", "total", "--days", "sat", "07:00-24:00")
    person.open("downtime")
    time = lambda minutes: person.page.evaluate("return (await import('/app/format.js')).minuteTime(minutes)", minutes=minutes)
    day = lambda date: person.page.evaluate("return (await import('/app/format.js')).dates.day(date)", date=date)
    rows = person.read("[...document.querySelectorAll('[aria-labelledby=coming] li')].map(one => [...one.children].map(part => part.innerText))")
    texts = dict(rows)
    night = person.word("week.window", **{"from": time(22 * 60), "to": time(7 * 60)})
    until = person.word("week.until", to=time(7 * 60))
    person.expect("the night and the morning", (texts[day("2023-06-30")], texts[day("2023-07-01")], texts[day("2023-07-02")]), (night, until, person.word("downtime.openDay")))
    name = person.page.evaluate("return (await import('/app/format.js')).weekdayName(6, 'long')")
    person.expect("Saturday read aloud", person.read("document.querySelector('.week-row[data-key=\"6\"] .hidden').textContent"), person.word("week.dayOff", day=name, windows=until))
    person.world.run("limits", "remove", "hours", "total")


def show_words_by_day(person):
    """Words and warnings of some days only."""
    run = person.world.run
    run("limits", "set", "--domain", "wikipedia.org", "75m", "--days", "mon-fri")
    run("limits", "set", "--domain", "wikipedia.org", "30m", "--days", "sat,sun", "--warn", "5m", "--say", "Only on Saturday.")
    person.open("limits")
    days = person.page.evaluate("return (await import('/app/format.js')).daysText([0, 6])")
    text = person.text("[data-key='domain wikipedia.org'] .what")
    person.expect("words of some days", f"{days}: {person.word('limits.warns', time=person.duration(5))} · “Only on Saturday.”" in text, True)
    person.press("[data-key='domain wikipedia.org'] .end button")
    person.dialog("the form")
    shown = person.text("dialog")
    person.expect("words by day in the form", [f"{days}: {part}" in shown for part in ("“Only on Saturday.”", person.word("limit.warnBefore", time=person.duration(5)))], [True, True])
    person.look("words by day")
    # A rule whose days another one took.
    person.page.evaluate("for (const one of document.querySelectorAll('#days-0 input')) if (!one.checked) one.click()")
    person.wait("document.querySelector('#no-days') && document.querySelector('#limit-save').disabled", "why it cannot be saved")
    person.press_word("action.cancel", "dialog")
    person.closed()
    run("limits", "remove", "--domain", "wikipedia.org")


def pick_whole_category(person):
    """A whole category goes with its apps; an address is a site."""
    pick = lambda selection: person.page.evaluate(
        "import('/app/parts/picker.js').then(({pick}) => pick({title: 'pick', selection})).then(found => { window.picked = found; })", selection=selection)
    done = lambda n: person.press_word("picker.done", "dialog", n=n)
    row = lambda key: f"#picker-list [data-key={json.dumps(key)}] input"
    person.open("limits")
    person.page.evaluate("""const {fetch} = window;
        const isHeld = new Promise(resolve => { window.release = () => { window.fetch = fetch; resolve(); }; });
        window.fetch = async (path, options) => { if (path === '/api/report.query') await isHeld; return fetch(path, options); }""")
    pick(None)
    person.wait("document.querySelector('#picker-list [data-key=games]')", "the picker")
    places = "return ['#picker-list [data-key=games]', '#picker-list [data-key=reading]', 'dialog .picker ~ label'].map(one => document.querySelector(one).getBoundingClientRect().top)"
    before = person.page.evaluate(places)
    person.page.evaluate("window.release()")
    person.wait("document.querySelector('#picker-list [data-key=games] .num')?.textContent", "the use")
    person.expect("where the rows are once the use is known", person.page.evaluate(places), before)
    person.press(row("games"))
    person.press("dialog .picker ~ label input")
    person.wait("document.querySelector('dialog .picker ~ label input').checked", "the whole category")
    person.press("#picker-list [data-key=games] button")
    steam = row("app com.valvesoftware.Steam")
    person.wait(f"document.querySelector({json.dumps(steam)})", "what is in it")
    person.expect("an app of a whole category", person.read(f"[document.querySelector({json.dumps(steam)}).checked, document.querySelector({json.dumps(steam)}).disabled]"), [True, True])
    count = person.read("Number(document.querySelector('dialog .actions .primary').textContent.match(/\\d+/)[0])")
    person.press("dialog .actions .primary")
    person.closed()
    found = person.read("window.picked")
    person.expect("the number of what is chosen", sum(len(found[name]) for name in ("applications", "categories", "web_domains")), count)
    person.expect("the apps of the category", "com.valvesoftware.Steam" in found["applications"], True)
    # Opened again, with something else beside it; the category goes, and what came with it.
    pick({**found, "web_domains": [*found["web_domains"], "beside.example"]})
    person.wait(f"document.querySelector({json.dumps(row('games'))})?.checked", "it is chosen")
    person.press(row("games"))
    for address in ("https://www.somewhere.example./", "somewhere.example?a=1", "https://www.Somewhere.example:8080/a/b?c"):
        person.type("#picker-search", address)
        person.wait(f"document.querySelectorAll('#picker-list li').length === 1 && document.querySelector({json.dumps(row('domain somewhere.example'))})", address)
    site = row("domain somewhere.example")
    person.wait(f"document.querySelector({json.dumps(site)})", "the site of an address")
    person.press(site)
    done(2)
    person.closed()
    left = person.read("window.picked")
    person.expect("what is left", (left["applications"], left["categories"], sorted(left["web_domains"])), ([], [], ["beside.example", "somewhere.example"]))
    # A part of a site that is in no list is of the category of the site; what the selection does not get is not shown as chosen.
    pick({**found, "categories": ["other"], "applications": []})
    person.wait(f"document.querySelector({json.dumps(row('other'))})?.checked", "other things, whole")
    person.type("#picker-search", "nothing of that")
    person.page.key("Escape", number=27)
    person.wait("document.querySelector('#picker-search')?.value === '' && document.querySelectorAll('#picker-list li').length > 1", "Escape empties the search")
    person.expect("what is chosen then", person.read(f"document.querySelector({json.dumps(row('other'))}).checked"), True)
    person.type("#picker-search", "m.facebook.com")
    part = row("domain m.facebook.com")
    person.press(part)
    person.wait(f"document.querySelector({json.dumps(part)}).checked", "it can be chosen")
    person.press("dialog .actions .primary")
    person.closed()
    person.expect("a part of a site", "m.facebook.com" in person.read("window.picked.web_domains"), True)


def show_many(person):
    """More limits than Today has room for, and hours of something with a long name without spaces."""
    run = person.world.run
    sites = [f"many-{number}.example" for number in range(7)]
    for site in sites:
        run("limits", "set", "--domain", site, "30m")
    run("limits", "total", "23h")
    name = person.name_of("app", "org.example.long")
    person.expect("a long name", len(name), 120)
    run("limits", "hours", "org.example.long", "08:00-20:00")
    person.open("today")
    rows = person.read("[...document.querySelectorAll('[aria-labelledby=left] .left-name')].map(one => one.textContent)")
    person.expect("limits on Today", (len(rows), rows[-1]), (6, person.name_of("total")))
    more = len([one for one in limits(person).values() if one.get("todaySeconds") is not None]) - 6
    person.expect("limits elsewhere", person.text("[aria-labelledby=left] a"), person.word("today.moreLimits", n=more))
    person.look("many limits")
    off_for_days(person)
    person.open("downtime")
    person.choose("#target", person.read("[...document.querySelectorAll('#target option')].at(-1).value"))
    person.wait(f"document.querySelector('#week').innerText.includes({json.dumps(name)})", "the week of the app")
    person.look("hours of a long name")
    for target in [*sites, "total"]:
        run("limits", "remove", *(["--domain"] if "." in target else []), target)
    run("limits", "remove", "hours", "org.example.long")


def save_what_counts(person):
    """A form compares with what the limit counts, which is less than what was used."""
    run = person.world.run
    run("limits", "total", "6h")
    run("limits", "ignore", "com.valvesoftware.Steam")
    person.expect("the limit counts less than was used", limits(person)["total"]["usedSeconds"] < 5 * 3600, True)
    person.open("limits")
    person.press("[data-key='total'] .end button")
    person.type("#limit-say", "Enough.")
    person.press("#limit-save")
    person.closed()
    person.expect("other words", limits(person)["total"]["limits"][0]["say"], "Enough.")
    run("limits", "unignore", "com.valvesoftware.Steam")
    run("limits", "remove", "total")


def off_for_days(person):
    """Hours of days that follow each other: what is off now, until when."""
    day = lambda number: person.page.evaluate("return (await import('/app/format.js')).weekdayName(number, 'long')", number=number)
    time = lambda minute: person.page.evaluate("return (await import('/app/format.js')).minuteTime(minute)", minute=minute)
    cases = [
        ([("wed", "08:00-12:00"), ("thu", "none"), ("fri", "09:30-24:00")], "downtime.offUntilDay", 5, 570),
        ([("wed", "08:00-12:00"), ("thu", "09:30-24:00")], "downtime.offNow", 4, 570),
        ([("wed", "08:00-12:00"), ("thu", "18:00-24:00")], "downtime.offUntilDay", 4, 1080),
        ([("wed", "08:00-12:00")], "downtime.offNow", 2, 1440),
        ([("mon,tue,thu,fri,sat,sun", "none"), ("wed", "08:00-12:00")], "downtime.offUntilDay", None, 480),
        ([("mon,tue,wed,thu,fri,sat,sun", "none")], "downtime.offAlways", 0, 0),
    ]
    next_week = person.page.evaluate("return (await import('/app/format.js')).dates.day('2023-07-05')")
    for hours, key, weekday, minute in cases:
        for days, times in hours:
            person.world.run("limits", "hours", "total", times, "--days", days)
        person.open("downtime")
        person.expect(f"hours {hours}", person.text("#downtime-now"), person.word(key, day=next_week if weekday is None else day(weekday), time=time(minute)))
        person.world.run("limits", "remove", "hours", "total")


def travel(person):
    """After a change of the zone the page says what is covered, which may not be what the clock says."""
    run = person.world.run
    shut = lambda: limits(person)["total"]["shut"]
    zone = lambda name: run("screentime", "member", "set", person.world.me(), "--zone", name)
    at = lambda text: person.page.evaluate(
        "const {moment} = await import('/app/format.js'); return moment(Date.parse(text))", text=text)

    def expect_now(what, is_shut, key, time):
        person.until(f"{what}: shut", lambda: shut() == is_shut)
        person.open("downtime")
        person.expect(what, person.text("#downtime-now"), person.word(key, time=at(time)))
        person.look(what)

    # It is Wednesday afternoon in Berlin, and morning in New York and Honolulu.
    end = person.world.moment.astimezone(ZONE) + datetime.timedelta(minutes=2)
    run("limits", "hours", "total", f"08:00-{end:%H:%M}")
    person.expect("open in Berlin", shut(), False)
    person.world.advance(minutes=3)
    person.until("off in Berlin", shut)
    zone("America/New_York")
    expect_now("off though New York says open", True, "downtime.stillOff", "2023-06-29T12:00:00Z")
    run("limits", "remove", "hours", "total")
    zone("Europe/Berlin")
    run("limits", "hours", "total", "08:00-22:00")
    zone("Pacific/Honolulu")
    expect_now("open though Honolulu says off", False, "downtime.stillOpen", "2023-06-29T08:00:00Z")
    run("limits", "remove", "hours", "total")
    zone("Europe/Berlin")


def limit_hangul_site(person):
    """A site whose name is not ASCII is the one that has a limit, however it is spelled."""
    run = person.world.run
    run("limits", "set", "--domain", "xn--3e0b707e.kr", "2h", "--say", "Enough")
    person.open("limits")
    person.press(".page-head button.primary")
    person.type("dialog input[type=search]", "한국.kr")
    person.press(".picker-list li:first-child .picker-choice")
    person.wait("document.querySelector('#limit-say')", "the form")
    person.expect("what it has", person.read("[document.querySelector('#limit-say').value, document.querySelector('#amount-0-h').value]"), ["Enough", "2"])
    person.press_word("action.cancel", "dialog")
    person.closed()
    run("limits", "remove", "--domain", "xn--3e0b707e.kr")


def see_time_pass(person):
    """What was not so when a form was opened, and would act when it is saved, is said before it acts."""
    person.open("limits?new=app%20org.kde.kalzium")
    used = person.page.evaluate("const {report} = await import('/app/api.js'); const clock = await import('/app/clock.js'); const {rows} = await report({from: clock.today(), to: clock.today(), by: 'app'}); return rows.find(row => row.key === 'org.kde.kalzium').value")
    minutes = int(used) // 60_000 + 3
    person.amount("amount-0", minutes // 60, minutes % 60)
    person.expect("before it acts", person.read("document.querySelector('#acts-now')"), None)
    person.world.observe("unlocked")
    person.world.observe("focus", app="org.kde.kalzium")
    person.world.advance(4)
    person.world.observe("locked")
    person.press("#limit-save")
    person.wait("document.querySelector('#acts-now')", "it would act now")
    person.expect("nothing is saved", "org.kde.kalzium" in limits(person), False)
    # Cancelled while it is looked at what is used now.
    person.page.evaluate("for (const one of document.querySelectorAll('dialog .actions button')) one.click()")
    person.closed()
    # Later than what was begun.
    person.page.evaluate("const {readLimits} = await import('/app/data/limits.js'); for (let i = 0; i < 3; i += 1) await readLimits()")
    person.open("limits?new=app%20org.kde.kalzium")
    person.wait("document.querySelector('#limit-save')", "the form")
    person.expect("a form that was cancelled", "org.kde.kalzium" in limits(person), False)
    person.amount("amount-0", minutes // 60, minutes % 60)
    person.wait("document.querySelector('#acts-now')", "it would act now")
    person.press("#limit-save")
    person.closed()
    person.until("saved", lambda: limits(person)["org.kde.kalzium"]["shut"])
    person.world.run("limits", "remove", "org.kde.kalzium")
