"""What a person does with the built-in apps: Habits, Worklog, Encouragement, the evening of Downtime."""

import datetime
import json


def ask_permission(person, page, program):
    """Refused once, asked again, and allowed."""
    person.open(page)
    for answer in ("deny", "allow"):
        person.press_word("permission.ask")
        ask = f"[...document.querySelectorAll('main button')].find(one => one.textContent.trim() === {json.dumps(person.word('permission.ask'))})"
        person.page.evaluate(f"{ask}.click()")
        person.dialog("the question")
        person.expect("how many questions a double press asks", person.read("document.querySelectorAll('dialog').length"), 1)
        person.forget_errors("422", "app.run")
        person.look(f"permission of {program}")
        person.press_word(f"permission.{answer}", "dialog")
        person.closed()
        if answer == "deny":
            person.wait("!document.querySelector('main [aria-busy=true]')", "the answer arrived")
            person.wait(f"[...document.querySelectorAll('main button')].some(one => one.textContent.trim() === {json.dumps(person.word('permission.ask'))})", "it can be asked again")
    # The app said that it was refused.
    person.forget_errors("422", "app.run")
    wanted = f"org.screentime.{program}"
    person.wait(f"!document.querySelector('main [aria-busy=true]') && ![...document.querySelectorAll('main button')].some(one => one.textContent.trim() === {json.dumps(person.word('permission.ask'))})", "it is allowed")
    states = [one["status"] for one in person.call("authorization.list", client=wanted)["authorizations"]]
    person.expect(f"permission of {program}", states, ["approved"])


def select_new(person, field, *searches):
    """Makes a selection for the field of the form."""
    group = f"[aria-labelledby={field}-label]"
    person.wait(f"document.querySelector({json.dumps(group)})", field)
    text = person.word("selection.new")
    person.page.evaluate(
        "[...document.querySelectorAll(group + ' button')].find(one => one.textContent.trim() === text).click()",
        group=group + ".inline", text=text)
    person.pick(*searches)
    person.wait(f"document.querySelector('#{field}')?.value", "the selection is chosen")
    shown = person.read(f"document.querySelector('#{field}').selectedOptions[0].textContent")
    content = person.text(f"[aria-labelledby={field}-label].inline + .quiet")
    person.expect("what the list shows as chosen", content.startswith(shown.split(" ")[0]), True)


def save(person):
    """The form on top."""
    person.wait("!document.querySelector('dialog .actions .primary').disabled", "the form can be saved")
    person.press("dialog .actions .primary")
    person.closed()


def habits(person):
    ask_permission(person, "habits", "streaks")
    name = '지금 <b>"less"</b> = 1'
    person.press_word("habits.add")
    person.type("#habit-name", name)
    select_new(person, "habit-selection", "steam")
    person.amount("habit-amount", 1, 15)
    person.look("a new habit")
    save(person)
    person.wait("document.querySelector('.rows .streak')", "the habit is listed")
    found = person.told("streaks", "list")
    person.expect("a habit", [(one["task"], one["aim"], one["minutes"], one["counted"]) for one in found], [(name, "decrease", 75, True)])
    person.expect("its name", person.text(".rows .name"), name)
    # Another with the same selection, which is edited first; the other way round.
    person.press_word("habits.add")
    person.type("#habit-name", "-h")
    person.press_word("habits.aim.increase", "dialog")
    person.expect("nothing is chosen", person.read("document.querySelector('#habit-selection').value"), "")
    person.choose("#habit-selection", person.read("document.querySelector('#habit-selection').options[1].value"))
    person.press_word("selection.edit", "dialog")
    person.wait("document.querySelector('#picker-search')", "the picker")
    person.type("#picker-search", "wikipedia.org")
    person.press("#picker-list li:first-child input")
    person.press_word("picker.done", "dialog", n=2)
    person.wait("document.querySelectorAll('dialog').length === 1 && document.querySelector('dialog').innerText.includes('wikipedia.org')", "the site is in the selection")
    save(person)
    person.wait("document.querySelectorAll('.rows .streak').length === 2", "two habits")
    person.expect("a name like an option", [one["task"] for one in person.told("streaks", "list")], [name, "-h"])
    person.expect("the edited selection beside the one of the first habit", contents(person, "streaks"), [
        (["com.valvesoftware.Steam"], []), (["com.valvesoftware.Steam"], ["wikipedia.org"])])
    save_in_two_pages(person)
    person.look("habits")
    for left in (1, 0):
        person.press(".rows .end button")
        person.confirm()
        person.wait(f"document.querySelectorAll('.rows .streak').length === {left}", "it is removed")
    person.expect("no habits", person.told("streaks", "list"), [])


def contents(person, program):
    found = person.call("selection.list", client=f"org.screentime.{program}")["selections"]
    return sorted((one["applications"], one["web_domains"]) for one in found)


def save_in_two_pages(person):
    """Two pages that were read at the same time make a selection each: both are there."""
    names = person.page.evaluate(
        """const {Selections} = await import('/app/parts/program.js');
        const picked = web_domains => ({applications: [], categories: [], web_domains, include_entire_category: false});
        const pages = ['one.example', 'two.example'].map(site => [new Selections('org.screentime.streaks', []), site]);
        const names = pages.map(([page, site]) => page.draft(picked([site])));
        await Promise.all(pages.map(([page], i) => page.write(names[i])));
        // The first is in use and its page saves once more; the second was made after its form was opened.
        await pages[0][0].tidy(async () => [names[0]]);
        return names""")
    both = [one for one in contents(person, "streaks") if one[1] and one[1][0].endswith(".example")]
    person.expect("selections of two pages", both, [([], ["one.example"]), ([], ["two.example"])])
    for name in names:
        person.call("selection.remove", name=name, client="org.screentime.streaks")


def worklog(person):
    status = lambda: person.told("worklog", "status")
    ask_permission(person, "worklog", "worklog")
    for name in ("aaa", "zzz"):
        person.world.run("screentime", "selection", "create", name, "--client", "org.screentime.worklog", "--domain", f"{name}.example")
    person.world.run("screentime", "selection", "create", "apps", "--client", "org.screentime.worklog", "--app", "vlc")
    person.open("worklog")
    person.press_word("worklog.setup")
    person.dialog("the form")
    # Whoever looked at all of the list sees nevertheless what is made next.
    for name in ("aaa", "zzz", "aaa"):
        person.choose("#setup-gaming", name)
    options = lambda field: person.read(f"[...document.querySelectorAll('#setup-{field} option')].map(one => one.value)")
    person.expect("what can be chosen", [("apps" in options(field), "zzz" in options(field)) for field in ("gaming", "social")], [(False, True), (True, True)])
    group = "[aria-labelledby=setup-gaming-label].inline button:last-child"
    person.press(group)
    person.type("#picker-search", "kalzium")
    person.wait("document.querySelector('#picker-list').matches('p')", "an app is not among what can be covered as a game")
    person.press("dialog:last-of-type header button")
    person.wait("document.querySelectorAll('dialog').length === 1", "the picker is closed")
    select_new(person, "setup-gaming", "youtube.com")
    select_new(person, "setup-social", "reddit.com", "github.com")
    person.look("what is closed")
    save(person)
    shut = person.word("worklog.shut")
    person.wait(f"[...document.querySelectorAll('.rows .tag')].filter(one => one.textContent === {json.dumps(shut)}).length === 2", "both are closed")
    found = status()
    person.expect("both are closed", (found["gamingShut"], found["socialShut"]), (True, True))
    covered = {one["subject"] for one in person.call("shield.list")["shields"] if one["kind"] == "domain"}
    person.expect("the sites are covered", covered >= {"youtube.com", "reddit.com", "github.com"}, True)
    switch_evenings(person)
    person.world.run("worklog", "evenings", "on")
    person.open("today")
    person.wait("document.querySelector('.next-rows')", "what comes next")
    person.expect("the end of the evening", person.word("next.eveningEnds") in person.text(".next-rows"), True)
    person.world.run("worklog", "evenings", "off")
    person.open("worklog")
    person.press_word("worklog.goalSet")
    select_new(person, "goal-selection", "builder")
    person.amount("goal-amount", 20, 0)
    save(person)
    person.wait("document.querySelectorAll('[aria-labelledby=goal] button').length === 2", "the goal")
    found = status()
    person.expect("the goal", (found["goalMinutes"], found["goalReached"]), (1200, False))
    person.look("worklog with a goal")
    person.press_word("action.change", "[aria-labelledby=goal]")
    person.dialog("the goal")
    own = person.read("document.querySelector('#goal-selection').value")
    person.expect("no word of what is closed", person.text("#goal-closed"), None)
    person.choose("#goal-selection", found["gamingSelection"])
    person.wait("document.querySelector('#goal-closed')", "that what is closed is no goal")
    person.choose("#goal-selection", own)
    person.amount("goal-amount", 19, 59)
    save(person)
    person.wait(f"document.querySelector('[aria-labelledby=goal] .quiet').innerText.includes({json.dumps(person.duration(1199))})", "the changed goal")
    person.press_word("action.remove", "[aria-labelledby=goal]")
    person.wait("document.querySelectorAll('[aria-labelledby=goal] button').length === 1", "no goal")
    # A person's own selection may be called like those that the pages once made.
    person.world.run("screentime", "selection", "create", "selection 1", "--client", "org.screentime.worklog", "--domain", "mine.example")
    # What acts is chosen in the form when it is opened again; what is edited and then dismissed is not written.
    person.page.evaluate("const button = document.querySelector('[aria-labelledby=stores] .actions button'); button.click(); button.click()")
    person.wait("document.querySelector('dialog')?.innerText.includes('youtube.com') && document.querySelector('dialog').innerText.includes('github.com')", "what acts now")
    before = contents(person, "worklog")
    person.press("[aria-labelledby=setup-gaming-label].inline button:nth-last-child(2)")
    person.wait("document.querySelector('#picker-search')", "the picker")
    person.type("#picker-search", "wikipedia.org")
    person.press("#picker-list li:first-child input")
    person.press_word("picker.done", "dialog", n=2)
    person.wait("document.querySelectorAll('dialog').length === 1 && document.querySelector('dialog').innerText.includes('wikipedia.org')", "it is in the form")
    # What both have, and is edited for one, stays as it was for the other.
    person.page.evaluate("""for (const field of ['gaming', 'social']) {
        const list = document.querySelector('#setup-' + field); list.value = 'zzz'; list.dispatchEvent(new Event('change')); }""")
    person.press("[aria-labelledby=setup-gaming-label].inline button:nth-last-child(2)")
    person.wait("document.querySelector('#picker-search')", "the picker")
    person.type("#picker-search", "wikipedia.org")
    person.press("#picker-list li:first-child input")
    person.press_word("picker.done", "dialog", n=2)
    person.wait("document.querySelectorAll('dialog').length === 1", "the picker closes")
    person.expect("the other field", person.read("document.querySelector('#setup-social').value"), "zzz")
    person.press_word("action.cancel", "dialog")
    person.closed()
    person.expect("a form that was dismissed", contents(person, "worklog"), before)
    # Four of the command line, two that act, and that of the last goal, which can be chosen again.
    person.expect("no other selection is left over", len(before), 7)
    keep_named_selections(person)
    person.press_word("worklog.stop", "[aria-labelledby=stores]")
    person.confirm("worklog.stop")
    person.wait("document.querySelector('.empty')", "nothing is closed")
    found = status()
    person.expect("stopped", (found["gamingShut"], found["socialShut"], found["evenings"], found.get("goalMinutes")), (False, False, False, None))
    person.expect("no shield is left", person.call("shield.list")["shields"], [])


def keep_named_selections(person):
    """Saving the form removes what the pages made and nothing uses, and never what a person named."""
    person.press_word("action.change", "[aria-labelledby=stores]")
    person.dialog("the form")
    save(person)
    person.wait("!document.querySelector('main [aria-busy=true]')", "it is saved")
    names = [one["name"] for one in person.call("selection.list", client="org.screentime.worklog")["selections"]]
    person.expect("selections that a person named", sorted(set(names) & {"aaa", "zzz", "selection 1"}), ["aaa", "selection 1", "zzz"])
    person.expect("what is left", len(names), 6)


def switch_evenings(person):
    """On and off by a press; and by somebody else, also while a press is being carried out."""
    is_on = lambda value: f"document.querySelector('.switch input').checked === {json.dumps(value)}"
    at_rest = "!document.querySelector('.switch input[aria-busy=true]')"
    said = lambda: person.told("worklog", "status")["evenings"]
    def press_off():
        # It is evening: that covers something.
        opened = person.word("worklog.open")
        person.wait(f"document.querySelector('[data-key=social] .tag').textContent === {json.dumps(opened)}", "the evening")
        person.press(".switch input")
        person.confirm("now.action")

    for value in (True, False):
        press_off() if not value else person.press(".switch input")
        person.wait(f"{at_rest} && {is_on(value)}", f"evenings {value}")
        person.expect("evenings", said(), value)
    for value in (True, False):
        person.world.run("worklog", "evenings", "on" if value else "off")
        person.wait(is_on(value), f"evenings {value}, by somebody else")
    person.page.evaluate("""const {fetch} = window; window.sent = 0;
        const isHeld = new Promise(resolve => { window.release = () => { window.fetch = fetch; resolve(); }; });
        window.fetch = async (path, options) => {
            if (path === '/api/app.run' && options.body.includes('evenings')) { window.sent += 1; await isHeld; }
            return fetch(path, options);
        }""")
    person.press(".switch input")
    person.world.run("worklog", "until", "50", "--selection", "aaa")
    person.wait("document.querySelectorAll('[aria-labelledby=goal] button').length === 2", "the page is drawn again")
    person.expect("what is being switched", person.read(f"[{at_rest}, document.querySelector('.switch input').checked]"), [False, True])
    person.page.evaluate("window.release()")
    person.wait(f"{at_rest} && {is_on(True)}", "evenings at last")
    person.expect("how often it was asked", (person.read("window.sent"), said()), (1, True))
    press_off()
    person.wait(f"{at_rest} && {is_on(False)}", "evenings off")
    person.world.run("worklog", "until", "none")
    person.wait("document.querySelectorAll('[aria-labelledby=goal] button').length === 1", "no goal")


def encouragement(person):
    status = lambda: person.told("encouragement", "status")
    ask_permission(person, "encouragement", "encouragement")
    say = "--그만! <i>Enough</i>"
    person.press_word("encouragement.start")
    select_new(person, "promise-selection", "reddit.com")
    person.amount("promise-amount", 23, 30)
    person.type("#promise-say", say)
    save(person)
    person.wait("document.querySelector('.quote')", "the promise")
    found = status()
    person.expect("a promise", (found["running"], found["limitSeconds"], found["sentence"]), (True, 84_600, say))
    person.expect("its words", person.text(".quote"), say)
    person.look("a promise")
    person.press_word("action.change")
    person.type("#promise-say", "Now the book.")
    save(person)
    person.wait("document.querySelector('.quote').innerText === 'Now the book.'", "the other words")
    person.expect("other words", status()["sentence"], "Now the book.")
    person.press_word("encouragement.stop")
    person.look("a promise that is to end")
    person.page.key("Escape", number=27)
    person.closed()
    person.expect("nothing has ended", status()["sentence"], "Now the book.")
    person.press_word("encouragement.stop")
    person.confirm("encouragement.end")
    person.wait("document.querySelector('.empty')", "no promise")
    person.expect("stopped", status()["running"], False)


def evening(person):
    status = lambda: person.told("downtime", "status")
    ask_permission(person, "downtime", "downtime")
    person.press_word("evening.start")
    select_new(person, "evening-selection", "vlc")
    person.choose("#evening-from", "")
    person.wait("document.querySelector('dialog .actions .primary').disabled", "without a time it cannot be saved")
    person.choose("#evening-from", "18:00")
    person.choose("#evening-to", "19:00")
    person.wait("!document.querySelector('#acts-now')", "it does not act now")
    person.choose("#evening-from", "16:00")
    person.choose("#evening-to", "17:45")
    person.wait("document.querySelector('#acts-now')", "it says that it acts now")
    person.look("an evening that acts now")
    save(person)
    person.wait(f"document.querySelector('[aria-labelledby=evening]').innerText.includes({json.dumps(person.word('evening.shieldsNow'))})", "it covers now")
    found = status()
    person.expect("an evening", (found["from"], found["to"], found["shielding"]), ("16:00", "17:45", True))
    covered = [one["subject"] for one in person.call("shield.list")["shields"]]
    person.expect("the app is covered", covered, ["org.videolan.VLC"])
    person.look("the evening")
    person.press_word("action.change", "[aria-labelledby=evening]")
    person.choose("#evening-from", "21:00")
    person.choose("#evening-to", "06:30")
    save(person)
    person.wait(f"!document.querySelector('[aria-labelledby=evening]').innerText.includes({json.dumps(person.word('evening.shieldsNow'))})", "it covers later")
    person.expect("another evening", (status()["from"], status()["to"]), ("21:00", "06:30"))
    changed = json.dumps(person.word("program.changed"))
    is_said = f"document.querySelector('[aria-labelledby=evening]').innerText.includes({changed})"
    person.expect("the selection is as it was taken", person.read(is_said), False)
    person.world.run("screentime", "selection", "edit", status()["selection"], "--client", "org.screentime.downtime", "--add-app", "firefox")
    person.wait(is_said, "what was changed elsewhere does not act")
    person.look("an evening whose selection was changed")
    # Changed elsewhere, outside of its time, which publishes no event: read when somebody comes back, and by the form.
    person.world.run("downtime", "start", "--selection", status()["selection"], "--from", "20:45", "--to", "23:30")
    person.page.evaluate("dispatchEvent(new Event('focus'))")
    shown = person.page.evaluate("const {minuteTime} = await import('/app/format.js'); return minuteTime(20 * 60 + 45)")
    person.wait(f"document.querySelector('[aria-labelledby=evening]').innerText.includes({json.dumps(shown)})", "the other times")
    person.world.run("downtime", "start", "--selection", status()["selection"], "--from", "20:15", "--to", "23:30")
    person.press_word("action.change", "[aria-labelledby=evening]")
    person.wait("document.querySelector('#evening-from')?.value === '20:15'", "the times of now")
    # Somebody changes the selection while this form is open.
    person.world.run("screentime", "selection", "edit", status()["selection"], "--client", "org.screentime.downtime", "--add-app", "steam")
    person.press("dialog .actions .primary")
    other = person.word("selection.other")
    person.wait(f"document.querySelector('dialog .dialog-problem').innerText === {json.dumps(other)}", "the selection is another one")
    person.expect("nothing is saved", status()["to"], "23:30")
    person.press_word("action.cancel", "dialog")
    person.closed()
    person.press_word("action.change", "[aria-labelledby=evening]")
    # Another page tidies the selection away while this form is open.
    used = status()["selection"]
    remove = ("screentime", "selection", "remove", used, "--client", "org.screentime.downtime")
    person.world.run(*remove)
    person.choose("#evening-to", "23:45")
    save(person)
    found = status()
    person.expect("saved as the form showed it", (found["selection"], found["to"], found["selectionIsCurrent"]), (used, "23:45", True))
    person.world.run(*remove)
    person.wait(f"document.querySelector('[aria-labelledby=evening]').innerText.includes({json.dumps(person.word('program.removed'))})", "a removed selection is told")
    person.expect("its name", person.text("[aria-labelledby=evening] .name"), person.word("selection.gone"))
    person.look("an evening whose selection was removed")
    person.press_word("action.change", "[aria-labelledby=evening]")
    person.wait("document.querySelector('dialog .actions .primary')?.disabled", "nothing is chosen")
    select_new(person, "evening-selection", "steam")
    save(person)
    person.expect("another selection", (status()["selection"] != used, status()["selectionIsCurrent"]), (True, True))
    person.press_word("evening.stop", "[aria-labelledby=evening]")
    person.wait(f"[...document.querySelectorAll('main button')].some(one => one.textContent === {json.dumps(person.word('evening.start'))})", "it is stopped")
    person.expect("stopped", status()["running"], False)
    drawn = person.page.evaluate("""const {evening} = await import('/app/pages/downtime-evening.js');
        return evening({status: {authorized: true, running: true, shielding: false}, selections: []}, () => {}).textContent""")
    person.expect("read while it is stopped", person.word("evening.start") in drawn, True)


def begin_meanwhile(person):
    """The evening's time comes while its form is open: that it would act is said before it does."""
    if not person.told("downtime", "status")["authorized"]:
        ask_permission(person, "downtime", "downtime")
    person.open("downtime")
    person.press_word("evening.start")
    select_new(person, "evening-selection", "vlc")
    at = lambda minute: (person.world.moment + datetime.timedelta(minutes=minute)).strftime("%H:%M")
    person.choose("#evening-from", at(3))
    person.choose("#evening-to", at(60))
    person.wait("!document.querySelector('#acts-now')", "it does not act now")
    person.world.advance(5)
    person.page.evaluate("await (await import('/app/clock.js')).refresh()")
    person.press("dialog .actions .primary")
    person.wait("document.querySelector('#acts-now')", "it would act now")
    # The second press of two.
    begins = person.page.evaluate(
        """const button = document.querySelector('dialog .actions .primary');
        button.dispatchEvent(new MouseEvent('click', {detail: 2, bubbles: true}));
        return button.getAttribute('aria-busy')""")
    person.expect("the second press saves", begins, None)
    person.expect("it does not run", person.told("downtime", "status")["running"], False)
    person.press("dialog .actions .primary")
    person.closed()
    person.until("it covers", lambda: person.told("downtime", "status")["shielding"])
    person.world.run("downtime", "stop")
