"""What would cover something at once is said first, and only that."""

import json

from do_limits import limits
from do_programs import ask_permission, save, select_new


def covered(person):
    return sorted((one["kind"], one["subject"]) for one in person.call("shield.list")["shields"])


def is_covered(person, subject):
    return person.call("shield.explain", subject=subject)["shielded"]


def answer(person, what, press, is_still, is_then, action="now.action"):
    """Presses what asks first: dismissed, nothing happens; accepted, it does."""
    for is_wanted in (False, True):
        press()
        person.dialog(f"the question: {what}")
        if is_wanted:
            person.look(f"question {what}")
            person.press_word(action, "dialog")
            person.closed()
            person.wait("!document.querySelector('main [aria-busy=true]')", "it is done")
        else:
            person.press_word("action.cancel", "dialog")
            person.closed()
            person.expect(f"{what}, dismissed", is_still(), True)
    person.until(f"{what}, accepted", is_then)


def unmark(person):
    """Marks are taken away: a limit acts at once, or it does not."""
    run = person.world.run
    steam, maps = "com.valvesoftware.Steam", "org.gnome.Maps"
    bin_of = lambda mark, app: f"[data-key=marks-{mark}] [data-key='app {app}'] button"
    run("limits", "allow", steam)
    run("limits", "allow", maps)
    run("limits", "set", steam, "1m")
    person.open("limits")
    person.wait(f"document.querySelector({json.dumps(bin_of('allow', maps))})", "the marks")
    answer(person, "no longer allowed", lambda: person.press(bin_of("allow", steam)),
           lambda: not is_covered(person, steam) and limits(person)[steam]["alwaysAllowed"], lambda: is_covered(person, steam))
    person.said(person.word("marks.allowRemoved", name="Steam"))
    # Nothing covers the other one: it is not asked about.
    person.press(bin_of("allow", maps))
    person.said(person.word("marks.allowRemoved", name="Maps"))
    run("limits", "remove", steam)
    run("limits", "ignore", steam)
    used = counted(person)
    run("limits", "total", f"{used + 60}s")
    person.open("limits")
    answer(person, "counts again", lambda: person.press(bin_of("ignore", steam)),
           lambda: covered(person) == [], lambda: ("category", "all") in covered(person))
    run("limits", "remove", "total")


def move_to_covered(person):
    """An app is moved into a category whose limit is used up, or that it uses up."""
    run = person.world.run
    maps = "org.gnome.Maps"
    run("limits", "set", "--category", "games", "1m")
    person.open("reports?period=day")
    person.press(f".legend li[data-key='{maps}'] .use-row")
    person.wait("document.querySelector('#chosen-category')", "what can be done with it")
    category = lambda: person.told("screentime", "catalog", "show", maps)["category"]
    before = category()
    def move():
        person.choose("#chosen-category", "games")
        person.press("#chosen-move")

    answer(person, "moved to games", move,
           lambda: category() == before and person.read("document.querySelector('#chosen-category').value") == "games",
           lambda: is_covered(person, maps))
    run("screentime", "catalog", "unset", maps)
    run("limits", "remove", "--category", "games")


def limit_what_is_open(person):
    """The form of a limit does not say that it covers what is held open."""
    run = person.world.run
    app = "com.valvesoftware.Steam"
    run("limits", "allow", app)
    person.open(f"limits?new=app%20{app}")
    person.amount("amount-0", 0, 1)
    person.wait("document.querySelector('#limit-save')", "the form")
    person.expect("what is always allowed", (person.read("document.querySelector('#acts-now')"), person.text("#limit-save")), (None, person.word("limit.save")))
    person.press("#limit-save")
    person.closed()
    person.expect("it is not covered", is_covered(person, app), False)
    run("limits", "disallow", app)
    person.until("without the mark it is", lambda: is_covered(person, app))
    run("limits", "remove", app)


#: The answers come (`isKnown`) and the patience of a form has no end, or they are held until `release`; `opened` is what was
#: said when the first dialog came on the screen.
SLOW = """const {fetch, setTimeout} = window;
    const isHeld = new Promise(resolve => { window.release = () => { Object.assign(window, {fetch, setTimeout}); resolve(); }; });
    if (isKnown) window.setTimeout = (body, wait, ...rest) => wait === 400 ? 0 : setTimeout(body, wait, ...rest);
    else window.fetch = async (path, options) => { await isHeld; return fetch(path, options); };
    window.opened = null;
    const observer = new MutationObserver(() => {
        if (!document.querySelector('dialog[open]')) return;
        observer.disconnect();
        window.opened = document.querySelector('#acts-now') !== null;
    });
    observer.observe(document.body, {childList: true, subtree: true, attributeFilter: ['open']});"""


def limit_at_once(person):
    """The form of a limit comes with what it says first: it does not move under a press. It waits for that, but not long."""
    app = "com.valvesoftware.Steam"
    for is_known in (True, False):
        person.open("limits")
        person.page.evaluate(SLOW, isKnown=is_known)
        # A second press opens nothing more.
        person.page.evaluate("""const {editLimit} = await import('/app/pages/limit-dialog.js');
            for (let i = 0; i < 2; i += 1) editLimit({kind: 'app', subject, limits: []});""", subject=app)
        person.wait("window.opened !== null", "the form")
        person.expect("it says so when it opens", person.read("window.opened"), is_known)
        person.page.evaluate("window.release()")
        person.wait("document.querySelector('#acts-now')", "it says that it covers")
        person.expect("dialogs", person.read("document.querySelectorAll('dialog').length"), 1)
        person.press_word("action.cancel", "dialog")
        person.closed()


def close_again(person):
    """Worklog: the goal, its end and the evenings."""
    status = lambda: person.told("worklog", "status")
    shut = lambda: (status()["gamingShut"], status()["socialShut"])
    run = person.world.run
    prepare_worklog(person)
    run("worklog", "setup", "--gaming", "play", "--social", "talk")
    run("worklog", "until", "--selection", "work", "5")
    person.open("worklog")
    opened = person.word("worklog.open")
    both = f"[...document.querySelectorAll('.rows .tag')].filter(one => one.textContent === {json.dumps(opened)}).length === 2"
    person.wait(both, "the goal is reached")
    person.press_word("action.change", "[aria-labelledby=goal]")
    person.wait("document.querySelector('#goal-now')", "another goal closes both")
    person.look("another goal")
    person.press_word("action.cancel", "dialog")
    person.closed()
    answer(person, "goal removed", lambda: person.press_word("action.remove", "[aria-labelledby=goal]"),
           lambda: shut() == (False, False), lambda: shut() == (True, True))
    # In the evening, social media are open.
    run("worklog", "evenings", "on")
    person.open("worklog")
    person.wait(f"document.querySelector('[data-key=social] .tag')?.textContent === {json.dumps(opened)}", "the evening")
    answer(person, "evenings off", lambda: person.press(".switch input"),
           lambda: not status()["socialShut"] and person.read("document.querySelector('.switch input').checked"), lambda: status()["socialShut"])
    # A selection that was changed elsewhere is said here.
    run("screentime", "selection", "edit", "talk", "--client", "org.screentime.worklog", "--add-domain", "github.com")
    person.open("worklog")
    said = person.word("program.changed")
    person.wait(f"document.querySelector('[aria-labelledby=stores]').innerText.includes({json.dumps(said)})", "that it was changed elsewhere")
    person.look("worklog changed elsewhere")
    switch_again(person)
    run("worklog", "stop")


def switch_again(person):
    """Restrictions of an app that covers something."""
    person.open("apps")
    client = "org.screentime.worklog"
    switch = f"[data-key='{client}'] .choice .switch:nth-of-type(2) input"
    person.press(switch)
    person.wait(f"!document.querySelector({json.dumps(switch)}).checked", "it is off")
    person.call("shield.list")
    person.wait(f"!document.querySelector({json.dumps(switch)}).hasAttribute('aria-busy') || document.querySelector({json.dumps(switch)}).getAttribute('aria-busy') === 'false'", "it is done")
    answer(person, "restrictions on again", lambda: person.press(switch),
           lambda: covered(person) == [], lambda: ("domain", "youtube.com") in covered(person))


STEAM, MAPS = "com.valvesoftware.Steam", "org.gnome.Maps"
#: What is set up, what the page is asked, what is done then, and what that covers or not: the page says the same before.
#: `{used}`: seconds that a limit of everything counts, and a minute.
CASES = [
    (["limits set {steam} 1m", "limits allow {steam}", "limits allow --category games"],
     "covers", {"disallow": [{"kind": "app", "subject": STEAM}]}, "limits disallow {steam}", STEAM),
    (["limits set --category games 1m", "limits allow {steam}", "limits allow --category games"],
     "covers", {"disallow": [{"kind": "app", "subject": STEAM}]}, "limits disallow {steam}", STEAM),
    (["limits set --category games 1m", "limits allow {steam}"], "covers", {"disallow": [{"kind": "app", "subject": STEAM}]}, "limits disallow {steam}", STEAM),
    (["limits set --domain youtube.com 1m", "limits allow --domain m.youtube.com"],
     "covers", {"disallow": [{"kind": "domain", "subject": "m.youtube.com"}]}, "limits disallow --domain m.youtube.com", "m.youtube.com"),
    (["limits set --domain youtube.com 1m", "limits allow --domain m.youtube.com", "limits allow --domain youtube.com"],
     "covers", {"disallow": [{"kind": "domain", "subject": "m.youtube.com"}]}, "limits disallow --domain m.youtube.com", "m.youtube.com"),
    (["limits set --category games 1m", "limits allow --category games"],
     "covers", {"disallow": [{"kind": "category", "subject": "games"}]}, "limits disallow --category games", STEAM),
    (["limits allow --category games"], "covers", {"disallow": [{"kind": "category", "subject": "games"}]}, "limits disallow --category games", STEAM),
    (["limits ignore {maps}", "limits total {used}s"], "coveredByCounting", ["app", MAPS], "limits unignore {maps}", "all"),
    (["limits ignore {maps}", "limits ignore --category travel", "limits total {used}s"],
     "coveredByCounting", ["app", MAPS], "limits unignore {maps}", "all"),
    (["limits ignore --category travel", "limits total {used}s"],
     "coveredByMoving", ["app", MAPS, "reading"], "screentime catalog set {maps} reading", "all"),
    (["limits set --category games {games}s"], "coveredByMoving", ["app", MAPS, "games"], "screentime catalog set {maps} games", MAPS),
    (["limits ignore {maps}", "limits set --category games {games}s"],
     "coveredByMoving", ["app", MAPS, "games"], "screentime catalog set {maps} games", MAPS),
    (["limits set --category games 1m"], "coveredByMoving", ["app", MAPS, "games"], "screentime catalog set {maps} games", MAPS),
    # The mark of a site holds those open that are part of it.
    (["limits set --domain m.youtube.com 1m", "limits allow --domain youtube.com"],
     "covers", {"disallow": [{"kind": "domain", "subject": "youtube.com"}]}, "limits disallow --domain youtube.com", "m.youtube.com"),
    (["limits hours --domain m.youtube.com 01:00-02:00", "limits allow --domain youtube.com"],
     "covers", {"disallow": [{"kind": "domain", "subject": "youtube.com"}]}, "limits disallow --domain youtube.com", "m.youtube.com"),
    # Another app's store covers the sites of games, which does not make their apps covered.
    (["limits set --category games {games}s", "worklog on"], "coveredByMoving", ["app", MAPS, "games"], "screentime catalog set {maps} games", MAPS),
    (["limits ignore {steam}", "worklog on", "limits set --category games {fewer}s"],
     "coveredByCounting", ["app", STEAM], "limits unignore {steam}", STEAM),
]


#: Whether something is covered, of `all` everything.
IS_SHUT = """async subject => { const {call} = await import('/app/api.js');
    return subject === 'all' ? (await call('shield.list')).shields.some(one => one.subject === 'all') : (await call('shield.explain', {subject})).shielded; }"""


def counted(person, *target):
    """Seconds that a limit of a target counts."""
    run = person.world.run
    run("limits", *(["total"] if not target else ["set", *target]), "23h")
    used = limits(person)[target[-1] if target else "total"]["usedSeconds"]
    run("limits", "remove", *(target or ["total"]))
    return used


def predict_covers(person):
    """What the page says that it would cover is what is covered then, and nothing else."""
    run = person.world.run
    person.open("limits")
    games = counted(person, "--category", "games") + 60
    run("limits", "ignore", STEAM)
    fewer = counted(person, "--category", "games") + 60
    run("limits", "unignore", STEAM)
    prepare_worklog(person)
    for setup, method, target, does, subject in CASES:
        setup = [one for one in setup if "{used}" not in one], [one for one in setup if "{used}" in one]
        names = {"steam": STEAM, "maps": MAPS, "games": games, "fewer": fewer}
        for one in setup[0]:
            if one == "worklog on":
                run("worklog", "setup", "--gaming", "games", "--social", "talk")
                continue
            run(*one.format(**names).split(" "))
        for one in setup[1]:
            run(*one.format(**names, used=counted(person) + 60).split(" "))
        said = person.page.evaluate(
            """const cover = await import('/app/data/cover.js'); const names = await import('/app/names.js');
            names.forget(); await names.load();
            const [kind, subject, ...more] = Array.isArray(target) ? target : [];
            const found = await cover[method](kind ? {kind, subject} : target, ...more);
            return found.length > 0""", method=method, target=target)
        before = is_shut(person, subject)
        run(*does.format(**names).split(" "))
        if said:
            # A limit is used up a moment after the catalogue was changed.
            person.wait(f"await ({IS_SHUT})({json.dumps(subject)})", f"{does}: {subject} is covered")
        person.expect(f"{' & '.join([*setup[0], *setup[1]])}: {method}", (before, is_shut(person, subject)), (False, said))
        for words in ("remove total", f"remove {STEAM}", "remove --domain youtube.com", "remove --category games", f"unignore {MAPS}", f"disallow {STEAM}",
                      "unignore --category travel", "disallow --category games", "disallow --domain m.youtube.com", "disallow --domain youtube.com",
                      f"unignore {STEAM}", "remove --domain m.youtube.com", "remove hours --domain m.youtube.com"):
            run("limits", *words.split(" "), check=False)
        run("screentime", "catalog", "unset", MAPS, check=False)
        run("worklog", "stop", check=False)
    person.expect("nothing is left", limits(person), {})


def prepare_worklog(person):
    """It may act, and has selections of games, talk and work."""
    person.open("worklog")
    if not person.told("worklog", "status")["authorized"]:
        ask_permission(person, "worklog", "worklog")
    have = [one["name"] for one in person.call("selection.list", client="org.screentime.worklog")["selections"]]
    options = {"games": ["--category", "games"], "play": ["--domain", "youtube.com"], "talk": ["--domain", "reddit.com"], "work": ["--app", "org.gnome.Builder"]}
    for name in set(options) - set(have):
        person.world.run("screentime", "selection", "create", name, "--client", "org.screentime.worklog", *options[name])


def end_more_time(person):
    """The end of more time covers something, or it does not."""
    run = person.world.run
    run("limits", "set", STEAM, "1m")
    give_time(person, STEAM)
    end = ".rows [data-key] button"
    person.open("requests")
    person.wait(f"document.querySelector({json.dumps(end)})", "the time that runs")
    answer(person, "more time ended", lambda: person.press(end), lambda: not is_covered(person, STEAM), lambda: is_covered(person, STEAM))
    give_time(person, STEAM)
    run("limits", "remove", STEAM)
    person.open("requests")
    person.press(end)
    person.said(person.word("requests.ended", name="Steam"))


def give_time(person, app):
    made = person.call("request.create", subject=app, kind="app", minutes=60)["request"]
    person.call("request.decide", id=made["id"], decision="approve", minutes=60)


def see_whose_time(person):
    """Today shows one's own time, Requests says whose it is."""
    person.world.run("screentime", "member", "add", "Kid", "--role", "child")
    person.open("requests")
    kid = next(one["id"] for one in person.call("member.list")["members"] if one["name"] == "Kid")
    made = person.call("request.create", subject=MAPS, kind="app", member=kid, minutes=60)["request"]
    person.call("request.decide", id=made["id"], decision="approve", minutes=60)
    person.wait("document.querySelector('main').innerText.includes('Kid')", "whose it is")
    person.look("more time of somebody else")
    person.open("today")
    person.expect("Today", person.read("document.querySelector('[data-key=shielded], #shielded') === null"), True)
    person.call("exception.end", id=made["id"])
    person.world.run("screentime", "member", "remove", "Kid")


def reach_goal_meanwhile(person):
    """The goal of Worklog is reached while its form is open: that another one closes both is read before it is saved."""
    run, status = person.world.run, lambda: person.told("worklog", "status")
    prepare_worklog(person)
    run("worklog", "setup", "--gaming", "play", "--social", "talk")
    run("worklog", "until", "--selection", "work", "1380")
    person.open("worklog")
    person.press_word("action.change", "[aria-labelledby=goal]")
    person.dialog("the form")
    person.amount("goal-amount", 8, 0)
    person.expect("nothing is closed by it", person.read("document.querySelector('#goal-now')"), None)
    run("worklog", "until", "--selection", "work", "5")
    person.until("the goal is reached", lambda: not status()["gamingShut"])
    person.press_word("action.save", "dialog")
    person.wait("document.querySelector('#goal-now')", "that it closes both")
    person.expect("dismissed", (status()["gamingShut"], status()["goalMinutes"]), (False, 5))
    person.press_word("action.save", "dialog")
    person.closed()
    person.until("accepted", lambda: status()["gamingShut"])
    # Without restrictions nothing is closed, and nothing is asked; unless they are switched on while the form is open.
    person.call("authorization.switch", client="org.screentime.worklog", restrictions=False)
    run("worklog", "until", "none")
    person.open("worklog")
    person.press_word("action.change", "[aria-labelledby=stores]")
    person.dialog("the stores")
    person.expect("no notice", person.read("document.querySelector('dialog .notice')"), None)
    person.call("authorization.switch", client="org.screentime.worklog", restrictions=True)
    person.press_word("action.save", "dialog")
    person.wait("document.querySelector('dialog .notice')", "that both are covered")
    person.press_word("action.cancel", "dialog")
    person.closed()
    person.call("authorization.switch", client="org.screentime.worklog", restrictions=False)
    person.open("worklog")
    person.wait(f"document.querySelector('main').innerText.includes({json.dumps(person.word('program.restrictionsOff'))})", "that it covers nothing")
    person.expect("tags", person.read("[...document.querySelectorAll('.rows .tag.on')].length"), 0)
    person.look("worklog without restrictions")
    person.call("authorization.switch", client="org.screentime.worklog", restrictions=True)
    run("worklog", "stop")


def change_hours_meanwhile(person):
    """Downtime: hours that were removed elsewhere while a form was open; and hours of what is always allowed."""
    run = person.world.run
    run("limits", "hours", "total", "01:00-02:00")
    edit = f"[aria-label='{person_day(person)}']"
    person.press(edit)
    person.dialog("the form of a day")
    run("limits", "remove", "hours", "total")
    person.until("it is open", lambda: covered(person) == [])
    person.choose("#from-0", "02:30")
    save_again(person, off_text(person, 3))
    person.wait("document.querySelectorAll('dialog').length === 2", "the question")
    person.press_word("action.cancel", "dialog")
    person.press_word("action.cancel", "dialog")
    person.closed()
    person.expect("dismissed", (covered(person), limits(person)), ([], {}))
    # What the form shows is saved, also if only that was removed.
    run("limits", "hours", "total", "01:00-18:00", "--days", "wed")
    person.open("downtime")
    person.press(edit)
    person.dialog("the form of a day")
    run("limits", "remove", "hours", "total")
    save_again(person, off_text(person, 3))
    person.said(person.word("downtime.saved", name=person.name_of("total")))
    person.expect("what was shown", [(one["days"], one["windows"]) for one in limits(person)["total"]["hours"]], [("wed", ["01:00-18:00"])])
    run("limits", "remove", "hours", "total")
    # Hours that were added elsewhere are said before they are replaced.
    run("limits", "hours", MAPS, "mon 07:00-22:00")
    press_day(person, 1, f"app {MAPS}")
    run("limits", "hours", MAPS, "mon 07:00-12:00,13:00-22:00")
    person.choose("#to-0", "08:00")
    before = limits(person)[MAPS]["hours"]
    save_again(person, off_text(person, 1, (0, 7), (12, 13), (22, 24)))
    person.expect("nothing is lost before", before, [{**before[0], "windows": ["07:00-12:00", "13:00-22:00"]}])
    person.said(person.word("downtime.saved", name="Maps"))
    # So is a day that would get the same hours.
    run("limits", "hours", MAPS, "mon 07:00-22:00")
    press_day(person, 1, f"app {MAPS}")
    person.press("dialog .days label:nth-child(5)")
    run("limits", "hours", MAPS, "mon 07:00-22:00; thu 09:00-24:00")
    save_again(person, off_text(person, 4, (0, 9)))
    person.said(person.word("downtime.saved", name="Maps"))
    person.expect("then it is replaced", {one["days"]: one["windows"] for one in limits(person)[MAPS]["hours"]}, {"mon,thu": ["07:00-22:00"]})
    run("limits", "remove", "hours", MAPS)
    # So are longer mornings, where the form writes both of the days that share them.
    run("limits", "hours", MAPS, "07:00-22:00")
    press_day(person, 1, f"app {MAPS}")
    person.press("dialog .days label:nth-child(3)")
    run("limits", "hours", MAPS, "09:00-22:00")
    save_again(person, off_text(person, 1, (22, 33), is_daily=True))
    person.said(person.word("downtime.saved", name="Maps"))
    person.expect("the mornings of the form, and those of the command", {one["days"]: one["windows"] for one in limits(person)[MAPS]["hours"]}, {"tue": ["07:00-22:00"], "mon,wed-sun": ["09:00-22:00"]})
    run("limits", "remove", "hours", MAPS)
    # What was said of one day is said of another one that is added then.
    run("limits", "hours", MAPS, "mon,thu 07:00-22:00")
    press_day(person, 1, f"app {MAPS}")
    run("limits", "hours", MAPS, "mon 08:00-22:00; thu 09:00-24:00")
    save_again(person, off_text(person, 1, (0, 8), (22, 24)), is_last=False)
    person.press("dialog .days label:nth-child(5)")
    save_again(person, off_text(person, 4, (0, 9)))
    person.said(person.word("downtime.saved", name="Maps"))
    person.expect("both are replaced", {one["days"]: one["windows"] for one in limits(person)[MAPS]["hours"]}, {"mon,thu": ["07:00-22:00"]})
    run("limits", "remove", "hours", MAPS)
    # An evening that was opened elsewhere up to midnight is not closed again without a word.
    run("limits", "hours", MAPS, "mon 00:00-22:00; tue 07:00-24:00")
    press_day(person, 1, f"app {MAPS}")
    run("limits", "hours", MAPS, "tue 00:00-24:00")
    save_again(person, off_text(person, 1, (22, 24)))
    person.said(person.word("downtime.saved", name="Maps"))
    run("limits", "remove", "hours", MAPS)
    # A morning of a day is its own, also when the evening before it closes meanwhile.
    run("limits", "hours", MAPS, "tue 07:00-24:00")
    press_day(person, 2, f"app {MAPS}")
    run("limits", "hours", MAPS, "mon 00:00-22:00; tue 07:00-24:00")
    person.choose("#to-0", "05:00")
    person.press("#day-save")
    person.said(person.word("downtime.saved", name="Maps"))
    person.expect("the morning of the form, the evening of the command", {one["days"]: one["windows"] for one in limits(person)[MAPS]["hours"]}, {"mon": ["00:00-22:00"], "tue": ["05:00-24:00"]})
    run("limits", "remove", "hours", MAPS)
    # A morning that another command closed while the form of the evening before it was open stays closed.
    run("limits", "hours", MAPS, "mon 00:00-22:00; tue 07:00-24:00")
    press_day(person, 1, f"app {MAPS}")
    run("limits", "hours", MAPS, "tue 10:00-24:00")
    person.choose("#from-0", "22:30")
    person.press("#day-save")
    person.said(person.word("downtime.saved", name="Maps"))
    person.expect("the evening of the form, the morning of the command", {one["days"]: one["windows"] for one in limits(person)[MAPS]["hours"]}, {"mon": ["00:00-22:30"], "tue": ["10:00-24:00"]})
    run("limits", "remove", "hours", MAPS)
    run("limits", "allow", MAPS)
    run("limits", "hours", MAPS, "01:00-18:00")
    person.open("downtime")
    person.choose("#target", f"app {MAPS}")
    person.press(edit)
    person.dialog("the form of a day")
    person.choose("#from-0", "16:00")
    person.press("#day-save")
    person.said(person.word("downtime.saved", name="Maps"))
    person.expect("it is always allowed", is_covered(person, MAPS), False)
    run("limits", "remove", "hours", MAPS)
    run("limits", "disallow", MAPS)


def save_again(person, now, is_last=True):
    """The form of a day that was changed elsewhere says what is set now, before it is saved nevertheless."""
    before = limits(person)
    person.press("#day-save")
    person.wait(f"document.querySelector('dialog .dialog-problem').innerText === {json.dumps(person.word('state.changed', now=now))}", now)
    person.forget_errors("conflict")
    person.expect("not saved yet", limits(person), before)
    if is_last:
        person.press("#day-save")


def off_text(person, day, *windows, is_daily=False):
    """When a day is off, in the words of the page; hours that end on the next morning are above 24."""
    return person.page.evaluate("""const {dayText} = await import('/app/parts/week.js');
        const off = Array.from({length: 7}, () => []);
        for (const one of is_daily ? off.keys() : [day]) off[one] = windows.map(([from, to]) => ({from: from * 60, to: to * 60}));
        return dayText(off, day);""", day=day, windows=windows, is_daily=is_daily)


def person_day(person, day=3):
    """The name of the button of a weekday, of the present one by default."""
    person.open("downtime")
    return person.page.evaluate("""const {weekdayName} = await import('/app/format.js'); const {t} = await import('/app/words.js');
        return t('downtime.editDay', {day: weekdayName(day, 'long')})""", day=day)


def change_hours_over_midnight(person):
    """Hours of the command line that run into the next day: a change of one day leaves the others as they are shown."""
    run = person.world.run
    rules = lambda target: {one["days"]: one["windows"] for one in limits(person)[target]["hours"]}
    run("limits", "hours", "total", "07:00-01:00")
    press_day(person, 5)
    person.choose("#to-0", "08:00")
    person.press("#day-save")
    person.said(person.word("downtime.saved", name=person.name_of("total")))
    found = rules("total")
    person.expect("Friday, and the others", (found.pop("fri", None), list(found.values())), (["00:00-01:00", "08:00-24:00"], [["00:00-01:00", "07:00-24:00"]]))
    run("limits", "remove", "hours", "total")
    # It is open by the hours of the day before, which a change of that day would end.
    run("limits", "hours", MAPS, "20:00-18:00")
    press_day(person, 2, f"app {MAPS}")
    person.choose("#to-0", "20:30")
    person.press("#day-save")
    person.said(person.word("downtime.saved", name="Maps"))
    person.expect("today is as it was", is_covered(person, MAPS), False)
    # Today itself is changed: in between nothing is covered either.
    run("limits", "hours", MAPS, "20:00-18:00")
    press_day(person, 3, f"app {MAPS}")
    person.page.evaluate("""window.shielded = []; window.source = new EventSource('/events');
        window.source.addEventListener('shield.applied', event => window.shielded.push(event.data));
        await new Promise(resolve => { window.source.onopen = resolve; });""")
    person.choose("#from-0", "18:30")
    person.press("#day-save")
    person.said(person.word("downtime.saved", name="Maps"))
    person.expect("today is still as it was", is_covered(person, MAPS), False)
    # Something that is covered after it: what came before has been delivered.
    run("limits", "hours", "org.gnome.Weather", "none")
    person.wait("window.shielded.length > 0", "another app is covered")
    person.expect("what was covered", [MAPS in one for one in person.read("window.shielded")], [False])
    person.page.evaluate("window.source.close()")
    run("limits", "remove", "hours", "org.gnome.Weather")
    run("limits", "remove", "hours", MAPS)


def press_day(person, day, target=None):
    name = person_day(person, day)
    if target:
        person.choose("#target", target)
    person.press(f"[aria-label='{name}']")
    person.dialog("the form of a day")


#: What is asked for at `held` waits until `release`; `pending`: how many requests are under way, each until its answer was taken.
COUNTED = """const {fetch} = window; const isHeld = new Promise(resolve => { window.release = resolve; });
    Object.assign(window, {isAsked: false, pending: 0});
    window.fetch = async (path, options) => {
        window.pending += 1;
        try {
            if (path.startsWith(held)) { window.isAsked = true; await isHeld; }
            const answer = await fetch(path, options);
            await answer.clone().text();
            return answer;
        } finally { setTimeout(() => setTimeout(() => { window.pending -= 1; })); }
    };"""


def cancel_while_saving(person):
    """What is dismissed while it is looked at what it would do is not saved."""
    run = person.world.run
    run("limits", "hours", MAPS, "01:00-18:00")
    press_day(person, 3, f"app {MAPS}")
    person.page.evaluate(COUNTED, held="/api/app.run")
    person.choose("#from-0", "19:00")
    person.press("#day-save")
    person.wait("window.isAsked", "it is looked at")
    person.press_word("action.cancel", "dialog")
    person.closed()
    person.page.evaluate("window.release()")
    person.wait("window.pending === 0", "it is over")
    person.expect("what it has", [one["windows"] for one in limits(person)[MAPS]["hours"]], [["01:00-18:00"]])
    run("limits", "remove", "hours", MAPS)


def type_while_saving(person):
    """A limit is saved as it was when Save was pressed; what is written while that is looked at is not in it."""
    # The second one covers now, which was said; what is written then would not.
    for subject, pressed, written, covers in ((MAPS, (5, 0), (6, 30), False), (STEAM, (0, 1), (10, 0), True)):
        person.open(f"limits?new=app%20{subject}")
        person.amount("amount-0", *pressed)
        person.wait(f"document.querySelector('{'#acts-now' if covers else '#limit-save'}')", "the form")
        person.page.evaluate(COUNTED, held="/api/app.run")
        person.press("#limit-save")
        person.wait("window.isAsked", "it is looked at")
        person.amount("amount-0", *written)
        person.wait("!document.querySelector('#acts-now')", "that what is written covers nothing")
        person.page.evaluate("window.release()")
        person.closed()
        found = [one["seconds"] for one in limits(person)[subject]["limits"]]
        person.expect("the limit", found, [pressed[0] * 3600 + pressed[1] * 60])
        person.until(f"whether {subject} is covered", lambda: is_covered(person, subject) == covers)
        person.world.run("limits", "remove", subject)


def open_as_it_is(person):
    """A form shows what is set when it opens, also if that was changed elsewhere since the page was drawn; on another
    page it does not open."""
    run = person.world.run
    run("limits", "hours", MAPS, "mon 08:00-20:00")
    run("limits", "set", MAPS, "1h", "--days", "mon")
    edit = person_day(person, 1)
    person.choose("#target", f"app {MAPS}")
    run("limits", "hours", MAPS, "mon 12:00-14:00")
    person.press(f"[aria-label='{edit}']")
    person.dialog("the form of a day")
    person.expect("Monday", person.read("[...document.querySelectorAll('dialog input[type=time]')].map(one => one.value)"), ["00:00", "12:00", "14:00", "00:00"])
    person.press_word("action.cancel", "dialog")
    person.closed()
    person.open("limits")
    edit = f"[aria-label={json.dumps(person.word('limits.edit', name='Maps'), ensure_ascii=False)}]"
    person.wait(f"document.querySelector({json.dumps(edit)})", "the limit")
    run("limits", "set", MAPS, "2h", "--days", "mon")
    person.press(edit)
    person.dialog("the form of the limit")
    person.expect("the limit", person.read("document.querySelector('#amount-0-h').value"), "2")
    person.press_word("action.cancel", "dialog")
    person.closed()
    person.page.evaluate(COUNTED, held="/api/app.run")
    person.press(edit)
    person.wait("window.isAsked", "it is read")
    person.page.evaluate("document.querySelector('a[href=\"/reports\"]').click()")
    person.wait("document.querySelector('.page-reports h1')", "Reports")
    person.page.evaluate("window.release()")
    person.wait("window.pending === 0", "it is over")
    person.expect("forms", person.read("document.querySelectorAll('dialog').length"), 0)
    run("limits", "remove", "hours", MAPS)
    run("limits", "remove", MAPS)


def limit_unforeseen(person):
    """What a limit would cover cannot be told: it is not saved. And what does not count is not counted in the form."""
    run = person.world.run
    run("limits", "ignore", STEAM)
    fewer = counted(person, "--category", "games")
    person.open("limits?new=category%20games")
    person.amount("amount-0", fewer // 3600, fewer % 3600 // 60 + 1)
    person.wait("document.querySelector('#limit-save')", "the form")
    person.expect("without what does not count", person.read("document.querySelector('#acts-now')"), None)
    person.page.evaluate("""const {fetch} = window; window.release = () => { window.fetch = fetch; };
        window.fetch = async (path, options) => path === '/api/monitoring.recount'
            ? new Response(JSON.stringify({title: 'unavailable', status: 503, detail: 'It stopped.'}), {status: 503}) : fetch(path, options)""")
    person.press("#limit-save")
    person.wait("document.querySelector('.dialog-problem').innerText !== ''", "why it is not saved")
    person.expect("it is not saved", "games" in limits(person), False)
    person.page.evaluate("window.release()")
    person.press("#limit-save")
    person.closed()
    person.expect("it is saved, and covers nothing", is_covered(person, STEAM), False)
    # Another limit covers it, too.
    run("limits", "remove", "--category", "games")
    run("limits", "unignore", STEAM)
    run("limits", "set", "--category", "games", "1m")
    run("limits", "set", STEAM, "1m")
    person.open("limits")
    person.press(f"[data-key='app {STEAM}'] button:last-of-type")
    person.dialog("whether it is removed")
    stays = person.word("limits.removeStays")
    person.expect("what is promised", stays in person.text("dialog"), True)
    person.press_word("action.remove", "dialog")
    person.closed()
    person.until("it stays covered", lambda: is_covered(person, STEAM) and STEAM not in limits(person))
    run("limits", "remove", "--category", "games")


def is_shut(person, subject):
    if subject == "all":
        return ("category", "all") in covered(person)
    return is_covered(person, subject)


def limit_with_more_time(person):
    """More time of somebody else, of another category or for apps alone does not hold a limit open; one's own does."""
    run = person.world.run
    would = lambda kind, subject="": person.page.evaluate(
        "return (await import('/app/data/cover.js')).wouldCover({kind, subject})", kind=kind, subject=subject)
    person.open("limits")
    run("screentime", "member", "add", "Kid", "--role", "child")
    members = {one["name"]: one["id"] for one in person.call("member.list")["members"]}

    def allow(subject, member):
        made = person.call("request.create", subject=subject[1], kind=subject[0], member=member, minutes=60)["request"]
        person.call("request.decide", id=made["id"], decision="approve", minutes=60)

    allow(("app", MAPS), members["Kid"])
    person.expect("more time of a child", would("app", MAPS), True)
    run("limits", "set", "--category", "games", "1m")
    run("screentime", "request", STEAM, "--minutes", "60")
    own = next(one for one in person.call("request.list", state="pending")["requests"] if one["subject"] == STEAM)
    person.call("request.decide", id=own["id"], decision="approve", minutes=60)
    run("limits", "remove", "--category", "games")
    person.until("nothing covers games", lambda: covered(person) == [])
    person.expect("one's own", (would("app", STEAM), would("category", "games"), would("total")), (False, True, True))
    for one in person.call("exception.list")["exceptions"]:
        person.call("exception.end", id=one["id"])
    run("screentime", "member", "remove", "Kid")
