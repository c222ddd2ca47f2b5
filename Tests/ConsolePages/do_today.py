"""What a person does on Today, Requests, Apps, Bus and the introduction."""

import json
import subprocess

from chromium import Page
from page import poll
from do_limits import limits


def follow_use(person):
    """What comes into the foreground is on the page, without a question; and still after it was loaded again."""
    person.open("today")
    person.world.observe("unlocked")
    person.world.observe("focus", app="org.kde.kalzium")
    said = "document.querySelector('#now').innerText.startsWith('Kalzium')"
    person.wait(said, "the app in the foreground")
    person.open("today")
    person.wait(said, "the app in the foreground, after loading again")
    person.look("in the foreground")
    # The page shows only the person's own app, not that of another member.
    person.world.run("screentime", "member", "add", "Kid")
    person.world.observe("unlocked", member="Kid")
    person.world.observe("focus", member="Kid", app="org.videolan.VLC")
    person.world.advance(seconds=5)
    person.open("today")
    person.wait(said, "one's own app in the foreground")
    top = person.world.run("screentime", "top", "--once")
    person.expect("top", ("Now Kalzium" in top, "VLC, for" in top), (True, False))
    person.world.observe("locked")
    person.wait("document.querySelector('#now').innerText === ''", "nothing in the foreground")
    person.world.observe("locked", member="Kid")
    person.world.run("screentime", "member", "remove", "Kid")


def look_at_today(person):
    """Categories and sites instead of apps, and the hours as a table."""
    person.open("today")
    for by in ("category", "domain", "app"):
        person.press(f"[aria-labelledby=most] [data-key={by}]")
        person.wait(f"document.querySelector('[aria-labelledby=most] [aria-pressed=true]').dataset.key === {json.dumps(by)}", by)
        first = person.read("document.querySelector('[aria-labelledby=most] .use-rows li').dataset.key")
        wanted = person.page.evaluate(
            """const {report} = await import('/app/api.js'); const clock = await import('/app/clock.js');
            const {rows} = await report({from: clock.today(), to: clock.today(), segment: 'daily', by});
            return Math.max(...rows.filter(row => row.key !== '').map(row => row.value)) === rows.find(row => row.key === first)?.value""", by=by, first=first)
        person.expect(f"most used by {by}", wanted, True)
    person.press("#hours details summary")
    person.wait("document.querySelector('#hours details[open] tbody tr')", "the hours as a table")
    person.look("hours as a table")


def miss_services(person):
    """Never a silent zero: that nothing is measured is said even when another service does not answer."""
    with person.world.hung("shield-service"):
        person.open("today")
        person.wait("document.querySelector('#not-measuring')", "that nothing is measured")
        for status in ("503", "504"):
            person.forget_errors(status)
        person.look("without shield-service")
    person.forget_errors("504")
    with person.world.hung("activity-center"):
        person.page.go(f"{person.origin}/today")
        person.wait("document.querySelector('.skeleton')", "that it loads")
        asked = "performance.getEntriesByType('resource').some(one => one.name.includes('/api/clock.status'))"
        person.expect("whether it waited for the clock", person.read(asked), False)
    person.wait("document.querySelector('#not-measuring')", "that nothing is measured")
    person.forget_errors("504")
    # Where no page was asked for, it is asked which is the first one; who chooses one meanwhile stays there.
    welcomed = person.read("localStorage.getItem('welcomed') ?? ''")
    person.page.evaluate("localStorage.removeItem('welcomed')")
    with person.world.hung("activity-center"):
        person.page.go(f"{person.origin}/")
        requests = "[...document.querySelectorAll('nav a[href=\"/requests\"]')].find(one => one.offsetParent)"
        person.wait(requests, "the menu")
        person.page.click_on(requests)
        person.wait("location.pathname === '/requests'", "the page that was chosen")
        person.wait("performance.getEntriesByType('resource').some(one => one.name.includes('/api/app.run'))", "the first page is known")
    person.expect("the page", person.read("location.pathname"), "/requests")
    if welcomed:
        person.page.evaluate("localStorage.setItem('welcomed', was)", was=welcomed)
    person.wait("document.querySelector('main .page[aria-busy=\"false\"]')", "that it is loaded")
    for status in ("503", "504"):
        person.forget_errors(status)
    # That it could not be asked whether limits act is no reason to say nothing.
    person.open("today")
    person.page.evaluate("""const {fetch} = window;
        window.fetch = (path, options) => fetch(path === '/api/enforcement.list' ? '/api/no.such' : path, options);
        dispatchEvent(new Event('focus'))""")
    person.wait("document.querySelector('.side-sections .problem') && document.querySelector('#not-measuring')", "what could not be asked")
    person.forget_errors("404")


def look_for_what_hangs(person):
    """The page for developers says which service does not answer, whichever it is, and shows its log."""
    for name in ("activity-center", "auth-service"):
        with person.world.hung(name):
            person.page.go(f"{person.origin}/bus?log={name}")
            person.wait("document.querySelector('[aria-labelledby=services] li')", "the services")
            word = person.word("service.down")
            down = lambda: person.page.evaluate("""return [...document.querySelectorAll('[aria-labelledby=services] > ul > li')]
                .filter(one => one.lastElementChild.textContent === word).map(one => one.dataset.key)""", word=word)
            # No agent runs here.
            person.until(f"{name} alone does not answer", lambda: down() == [name, "desktop-agent"])
            person.expect("its log", person.read("document.querySelectorAll('.log > li').length > 0"), True)
        person.until(f"{name} answers again", lambda: down() == ["desktop-agent"])
    # That it stops is no event.
    person.open("bus")
    with person.world.hung("notifier"):
        person.wait("document.querySelector('[aria-labelledby=services] [data-key=notifier]')?.lastElementChild.textContent === "
                    + json.dumps(person.word("service.down")), "that another one is down")
    for status in ("503", "504"):
        person.forget_errors(status)


def open_in_background(person):
    """A browser has six connections to a server: tabs that nobody has seen yet keep none."""
    person.open("today")
    tabs = [person.page.send("Target.createTarget", url=f"{person.origin}/{name}", background=True)["targetId"]
            for name in ("reports", "limits", "downtime", "requests", "habits", "apps", "bus")]
    titles = lambda: [one["title"] for one in person.page.send("Target.getTargets")["targetInfos"] if one["targetId"] in tabs]
    try:
        person.until("all of them are drawn", lambda: all(" · " in title for title in titles()))
        person.page.go(f"{person.origin}/requests")
        person.wait("document.querySelector('main .page-requests[aria-busy=\"false\"]')", "a page beside seven tabs")
        # It follows what happens as soon as somebody looks at it.
        seen = Page(person.page.address.replace(person.page.address.rsplit("/", 1)[1], tabs[1]))
        person.page.send("Target.activateTarget", targetId=tabs[1])
        person.world.run("screentime", "request", "app:org.gnome.Maps", "--minutes", "10")
        seen.wait_for("document.querySelector('.badge')", "a request in a tab that is looked at")
        person.world.run("screentime", "requests", "withdraw", person.told("screentime", "requests")["requests"][0]["id"])
    finally:
        for tab in tabs:
            person.page.send("Target.closeTarget", targetId=tab)


def leave_what_hangs(person):
    """What one page waits for keeps no other one waiting: a browser has six connections to a server."""
    here = "document.querySelector('main > .page-{}')"
    person.open("today")
    for document in ("reports", "today"):
        with person.world.hung("activity-center"):
            person.page.go(f"{person.origin}/{document}")
            person.wait(here.format(document) + "?.querySelector('.skeleton')", f"{document} loads")
            for name in ("today", "reports", "bus", "reports"):
                link = f"[...document.querySelectorAll('nav a[href=\"/{name}\"]')].find(one => one.offsetParent)"
                if person.read(f"Boolean({link})"):
                    person.page.click_on(link)
                    person.wait(here.format(name), f"{name} in place of what hangs")
            person.page.go(f"{person.origin}/requests")
            person.wait(here.format("requests"), "another document")
            # On a slow machine the frame's own reads may come to their end meanwhile.
            own = ("time.status", "clock.status", "member.list", "catalog.list")
            waited = [one for one in person.page.errors if "504" in one and not any(name in one for name in own)]
            person.expect("answers to pages that were left", waited, [])
        person.wait("document.querySelector('main .page[aria-busy=\"false\"]')", "that it is loaded")
    for status in ("503", "504"):
        person.forget_errors(status)


def recover(person):
    """A page that could not be loaded tries again by itself."""
    failed = "document.querySelector('main .page .notice.problem')"
    with person.world.down("auth-service"):
        person.page.go(f"{person.origin}/requests")
        person.wait(failed, "what failed")
    person.wait(f"!{failed}", "that it is loaded without a press")
    person.expect("the page", person.text("main h1"), person.word("nav.requests"))
    for status in ("503", "504"):
        person.forget_errors(status)


def decide_request(person):
    ask = lambda *more: person.world.run("screentime", "request", "app:org.gnome.Maps", *more)
    newest = lambda: person.told("screentime", "requests")["requests"][0]
    person.open("requests")
    ask("--minutes", "20", "--reason", "Only the way <home>.")
    person.wait("document.querySelector('.request')", "the request appears by itself")
    person.expect("its reason", person.text(".request .say"), "Only the way <home>.")
    now = {"en": "just now", "ko": "방금"}[person.language]
    person.expect("when", person.text(".request .quiet").endswith(", " + now), True)
    said = person.page.evaluate("""
        const {ago} = await import('/app/format.js'), {now} = await import('/app/clock.js'), at = now();
        return [ago(at - 29_999), ago(at + 90_000), ago(at - 30_001)]""")
    person.expect("how long ago", said, [now, now, {"en": "1 minute ago", "ko": "1분 전"}[person.language]])
    person.look("request")
    person.press_word("requests.allowMinutes", time=person.duration(20))
    person.until("it is approved", lambda: newest()["state"] == "approved")
    person.wait("document.querySelector('#past')", "it is decided")
    end_exception(person)
    ask("--minutes", "25")
    person.wait("document.querySelector('.request')", "the second request")
    person.wait("!document.querySelector('[data-settling]')", "that it stands still")
    # Denied here a moment after it was allowed elsewhere, before this page knows.
    person.page.evaluate("""const {fetch} = window;
        window.fetch = async (path, options) => {
            if (path === '/api/request.decide')
                await fetch(path, {...options, body: options.body.replace('deny', 'approve')});
            return fetch(path, options);
        };
        [...document.querySelectorAll('.request .actions button')].at(-1).click()""")
    person.said(person.word("requests.decided"))
    person.wait("!document.querySelector('.request')", "it is not asked again")
    person.forget_errors("request.decide")
    person.open("today")
    person.expect("what is open", person.text("[aria-labelledby=shielded] h2"), person.word("today.opened"))
    person.open("requests")
    leave_decided_request(person, ask)
    decide_again(person, ask, newest)
    decide_otherwise(person, ask, newest)
    follow_trace(person)
    read_record(person)


def end_exception(person):
    """What is open because of a request."""
    person.wait("document.querySelector('[aria-labelledby=open-now] li')", "what is open")
    person.look("an exception")
    person.press("[aria-labelledby=open-now] button")
    person.said(person.word("requests.ended", name="Maps"))
    person.wait("!document.querySelector('#open-now')", "nothing is open")
    person.expect("no exception", person.call("exception.list")["exceptions"], [])


def open_form(person):
    """Of the request on top. What happened before may change the list once more, which then takes no press."""
    for _ in range(5):
        person.press_word("requests.other")
        if poll(lambda: person.read("document.querySelector('dialog[open]') !== null"), 2):
            return
    person.dialog("other time or a word")


def leave_decided_request(person, ask):
    """Its form is open while it is withdrawn: who leaves the form is on the page."""
    ask("--minutes", "10")
    person.wait("document.querySelector('.request')", "a request")
    open_form(person)
    person.world.run("screentime", "requests", "withdraw", person.told("screentime", "requests")["requests"][0]["id"])
    person.wait("!document.querySelector('.request')", "it is withdrawn")
    person.page.key("Escape", number=27)
    person.closed()
    person.expect("the focus afterwards", person.read("document.activeElement.id"), "main")


def decide_again(person, ask, newest):
    """What was allowed elsewhere and has ended since is not open because it is allowed again; no word is lost unsaid."""
    for key, word, decision in (("requests.allowMinutes", "", "approve"), ("requests.deny", "Tomorrow.", "deny")):
        ask("--minutes", "10")
        person.wait("document.querySelector('.request')", "a request")
        open_form(person)
        if word:
            person.type("#grant-word", word)
        person.world.run("screentime", "requests", decision, newest()["id"])
        for one in person.call("exception.list")["exceptions"]:
            person.world.run("screentime", "exceptions", "end", one["id"])
        person.press_word(key, "dialog", **({"time": person.duration(10)} if decision == "approve" else {}))
        decided = person.word("requests.decided")
        person.wait(f"document.querySelector('.dialog-problem')?.innerText === {json.dumps(decided)}", "what is said then")
        person.page.key("Escape", number=27)
        person.closed()
        person.wait("!document.querySelector('.request')", "it is in the list no more")


def decide_otherwise(person, ask, newest):
    """Other minutes with a word; then a refusal with one."""
    for key, minutes, word, state in (("requests.allowMinutes", 35, "-- 돌아와! <b>", "approved"), ("requests.deny", None, "Tomorrow.", "denied")):
        ask("--minutes", "10")
        person.wait("document.querySelector('.request')", "a request")
        open_form(person)
        if minutes:
            person.amount("grant", 0, minutes)
        person.type("#grant-word", word)
        person.look("other time or a word")
        values = {"time": person.duration(minutes)} if minutes else {}
        person.press_word(key, "dialog", **values)
        person.closed()
        person.wait("!document.querySelector('.request')", "it is decided")
        found = newest()
        person.expect("decision with a word", (found["state"], found.get("granted"), found["answer"]), (state, minutes, word))
        row = person.text("[aria-labelledby=past] li:first-child")
        person.expect("the word is listed", person.word("requests.answer", text=word) in row, True)
    for one in person.call("exception.list")["exceptions"]:
        person.call("exception.end", id=one["id"])


def read_record(person):
    """The record says what was changed of a member, and what ended before its time."""
    run = person.world.run
    record = lambda: person.read("[...document.querySelectorAll('[aria-labelledby=audit] li > span:nth-child(2)')].map(one => one.textContent)")
    run("screentime", "member", "add", "Mina", "--role", "child")
    run("screentime", "member", "set", "Mina", "--self-approval-delay", "90", "--one-more-minute", "off")
    run("screentime", "member", "set", "Mina", "--one-more-minute", "off")
    run("screentime", "request", "app:org.gnome.Maps", "--minutes", "10", "--member", "Mina")
    run("screentime", "member", "remove", "Mina")
    # Another one of the same name.
    run("screentime", "member", "add", "Mina", "--role", "guardian")
    run("screentime", "member", "remove", "Mina")
    person.open("requests")
    person.press("[aria-labelledby=audit] summary")
    person.wait("document.querySelector('[aria-labelledby=audit] details[open] li')", "the record")
    person.look("the record of a member")
    delay = person.word("audit.member.delay", time=person.duration(90))
    changes = person.page.evaluate("return (await import('/app/format.js')).list(names)", names=[delay, person.word("audit.member.noMinute")])
    ended = person.read("[...document.querySelectorAll('[aria-labelledby=past] li')].map(one => one.innerText)")
    person.expect("what was ended early", any(person.word("requests.endedAt", time="").strip() in row for row in ended), True)
    all_rows = record()
    rows = [row for row in all_rows if "Mina" in row]
    asked = person.word("requests.asksMinutes", time=person.duration(10))
    person.expect("what a removed member asked for", person.word("audit.request.pending", who="Mina", what=asked, name="Maps") in rows, True)
    guardian = rows[1]
    person.expect("what another one of the same name is", (person.word("audit.role.guardian") in guardian, person.word("audit.member.machineZone") in guardian), (True, True))
    person.expect("a member that was removed", [rows[0], rows[2]], [person.word("audit.member.removed", who="Mina")] * 2)
    rows = rows[2:]
    rows = [row for row in rows if "Maps" not in row]
    person.expect("a change that changes nothing", rows[1], person.word("audit.member.same", who="Mina"))
    rows = rows[1:]
    person.expect("what was changed", rows[1], person.word("audit.member.changed", who="Mina", what=changes))
    person.expect("what a new member is", person.word("audit.role.child") in rows[2], True)
    own = person.told("screentime", "member", "list")["members"][0]["name"]
    person.expect("an exception that was ended", person.word("audit.exception.person", who=own, name="Maps") in all_rows, True)


def follow_trace(person):
    """From the record of a decision to what it caused, on the page Bus, and to all traces."""
    person.open("requests")
    person.press("[aria-labelledby=audit] summary")
    person.wait("document.querySelector('[aria-labelledby=audit] details[open] a')", "the record")
    person.look("the record")
    # Whoever does not answer in time is left out, as on a busy machine, and said so: read again.
    for _ in range(20):
        person.press("[aria-labelledby=audit] li[data-key^=auth-] a")
        person.wait("document.querySelector('.page-bus .trace')", "the trace")
        names = person.read("[...document.querySelectorAll('.trace .span-name')].map(one => one.textContent)")
        if "request.decide" in names and len(names) > 2:
            break
        person.open("requests")
        person.press("[aria-labelledby=audit] summary")
        person.wait("document.querySelector('[aria-labelledby=audit] details[open] a')", "the record")
    person.expect("the trace of a decision", ("request.decide" in names, len(names) > 2), (True, True))
    person.look("one trace")
    person.press_word("bus.allTraces")
    person.wait("!location.search && document.querySelectorAll('.trace > li').length > 1", "all traces")
    person.press(".trace > li > details > summary")
    person.press(".trace > li > details[open] p button")
    person.wait("location.search.startsWith('?trace=') && document.querySelectorAll('.trace > li').length === 1", "only this trace")
    person.open("bus?trace=zzzz")
    person.expect("an address without a trace", person.text("[aria-labelledby=traces] > p"), person.word("bus.noTraces"))
    with person.world.hung("notifier"):
        person.open("bus")
        silent = person.word("bus.silent", services="notifier")
        person.wait(f"document.querySelector('[aria-labelledby=traces] .notice')?.innerText === {json.dumps(silent)}", "who did not answer")
        person.look("traces without a service")
    # What was asked meanwhile is refused at its deadline.
    person.forget_errors("504")
    person.forget_errors("503")


def read_log(person):
    """Of one process that is chosen, also after loading again; warnings alone where there are some."""
    page = person.page
    person.open("bus")
    person.choose("#logs ~ .inline select", "notifier")
    page.wait_for("document.querySelector('.log')?.innerText.includes('ready')", "the notifier's log")
    person.open("bus?log=notifier")
    person.expect("the chosen log", person.read("document.querySelector('#logs ~ .inline select').value"), "notifier")
    whole = person.read("document.querySelectorAll('.log > li').length")
    person.look("log")
    person.press("#logs ~ .inline [aria-pressed]")
    page.wait_for("document.querySelector('.log > li .tag')", "the warning that there is no session bus")
    bad = person.read("[document.querySelectorAll('.log > li').length, document.querySelectorAll('.log > li .tag').length]")
    person.expect("only warnings", (bad[0] == bad[1], bad[0] < whole), (True, True))


def watch_events(person):
    """Live, held, and live again; the positions of a service."""
    person.open("bus")
    types = "[...document.querySelectorAll('[aria-labelledby=live] summary')].map(one => one.textContent)"
    person.world.run("screentime", "catalog", "set", "held.example", "games")
    person.wait(f"{types}.includes('catalog.changed')", "an event")
    person.press("[aria-labelledby=live] [aria-pressed]")
    shown = person.read(f"{types}.length")
    person.world.run("screentime", "catalog", "unset", "held.example")
    # Answered after the event was published, on the same bus.
    person.wait("(await (await import('/app/api.js')).call('catalog.list', {kind: 'domain'})).items.every(one => one.subject !== 'held.example')", "it happened")
    person.expect("held events", person.read(f"{types}.length"), shown)
    person.press("[aria-labelledby=live] [aria-pressed]")
    person.world.run("screentime", "catalog", "set", "held.example", "games")
    person.wait(f"{types}.length > {shown}", "live again")
    person.world.run("screentime", "catalog", "unset", "held.example")
    person.press("[aria-labelledby=live] details summary")
    person.press("[data-key=shield-service] details summary")
    person.wait("document.querySelector('[data-key=shield-service] details[open] tbody tr')", "positions")
    person.look("bus with everything open")


def answer_question(person, client, *more):
    """The app asks, and the page allows it. Says what the page shows of the question."""
    asking = subprocess.Popen(
        [person.world.products / "screentime", "authorization", "request", "--client", client, *more],
        env=person.world.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        person.wait("document.querySelector('[aria-labelledby=questions] .request')", "the question appears by itself")
        person.look("a question")
        shown = person.text("[aria-labelledby=questions] .request")
        person.press_word("permission.allow", "[aria-labelledby=questions]")
        asking.wait(60)
        person.wait("!document.querySelector('[aria-labelledby=questions]')", "no question is left")
        return shown
    finally:
        if asking.poll() is None:
            asking.kill()
            asking.wait()


def switch_app_of_two(person):
    """Of two members: each question and switch says whose it is, and changes that."""
    client = "org.example.shared"
    person.world.run("screentime", "member", "add", "Kim <i>")
    person.open("apps")
    answer_question(person, client)
    shown = answer_question(person, client, "--member", "Kim <i>")
    person.expect("whose question it is", "Kim <i>" in shown, True)
    group = f"main [data-key='{client}'] fieldset"
    person.wait(f"document.querySelectorAll({json.dumps(group)}).length === 2", "the switches of two")
    person.look("switches of two members")
    legends = person.read(f"[...document.querySelectorAll({json.dumps(group + ' legend')})].map(one => one.firstChild.textContent)")
    members = {one["name"]: one["id"] for one in person.call("member.list")["members"]}
    person.expect("whose switches they are", sorted(legends), sorted(members))
    person.press(f"{group}[data-key='{members['Kim <i>']}'] .switch input")
    person.confirm("apps.revoke")
    person.wait(f"document.querySelectorAll({json.dumps(group + ' .switch')}).length === 3", "only one of Kim's is left")
    found = {one["member"]: one["access"] for one in person.call("authorization.list", client=client)["authorizations"]}
    person.expect("only Kim's is taken back", found, {member: name != "Kim <i>" for name, member in members.items()})
    person.world.run("screentime", "member", "remove", "Kim <i>")


def switch_app(person):
    """A question that is decided on the page Apps; then its switches, one after the other."""
    client = "org.example.visitor"
    state = lambda: [(one["status"], one["access"], one["restrictions"]) for one in person.call("authorization.list", client=client)["authorizations"]]
    person.open("apps")
    answer_question(person, client)
    row = f"main [data-key='{client}']"
    person.wait(f"document.querySelectorAll({json.dumps(row + ' .switch input')}).length === 2", "its switches")
    person.expect("allowed", state(), [("approved", True, True)])
    switch = lambda number: f"{row} .switch:nth-child({number}) input"
    is_on = lambda number: f"document.querySelector({json.dumps(switch(number))}).checked"
    person.press(switch(2))
    person.wait(f"document.querySelector({json.dumps(row + ' .tag')}).textContent === {json.dumps(person.word('apps.paused'))}", "it covers nothing")
    person.expect("without restrictions", state(), [("approved", True, False)])
    person.press(switch(1))
    person.dialog("a question")
    person.look("taking back a permission")
    person.press_word("action.cancel", "dialog")
    person.closed()
    person.expect("nothing was taken back", (person.read(is_on(1)), state()), (True, [("approved", True, False)]))
    # Taken back elsewhere while the question is open: the switch says so afterwards.
    person.press(switch(1))
    person.dialog("a question")
    person.world.run("screentime", "authorization", "revoke", client)
    person.press_word("action.cancel", "dialog")
    person.closed()
    person.wait(f"!{is_on(1)}", "the switch says that it was taken back")
    person.press(switch(1))
    person.wait(f"document.querySelectorAll({json.dumps(row + ' .switch input')}).length === 2", "both switches")
    person.press(switch(1))
    person.confirm("apps.revoke")
    person.wait(f"document.querySelectorAll({json.dumps(row + ' .switch input')}).length === 1", "only one switch")
    person.expect("taken back", [one[1] for one in state()], [False])
    person.press(switch(1))
    person.wait(f"document.querySelectorAll({json.dumps(row + ' .switch input')}).length === 2", "both switches")
    person.expect("given again", state(), [("approved", True, False)])


def look_at_programs(person):
    """The extensions of the built-in apps, and what they were called for."""
    person.open("apps")
    row = "main [data-key='org.screentime.downtime']"
    for number in (0, 1):
        person.page.evaluate("document.querySelectorAll(row + ' summary')[number].click()", row=row, number=number)
    person.wait(f"document.querySelectorAll({json.dumps(row + ' details[open] li')}).length > 1", "its extensions and callbacks")
    listed = person.read(f"[...document.querySelectorAll({json.dumps(row + ' details:first-of-type li')})].map(one => one.dataset.key).sort()")
    known = sorted(one["id"] for one in person.call("extension.list")["extensions"] if one["client"] == "org.screentime.downtime")
    person.expect("its extensions", listed, known)
    states = person.read(f"[...document.querySelectorAll({json.dumps(row + ' details:last-of-type .tag')})].map(one => one.textContent)")
    person.expect("its callbacks were delivered", (len(states) > 0, set(states)), (True, {person.word("delivery.delivered")}))
    person.look("an app with everything open")


def first_limit(person):
    """The introduction, from the settings to the first limit."""
    person.open("today")
    person.settings()
    person.press("dialog a.button")
    person.wait("location.pathname === '/welcome' && document.querySelector('#welcome-title')", "the introduction")
    person.look("introduction")
    person.press_word("welcome.next")
    person.wait("document.querySelector('.use-row')", "what was used")
    person.press_word("welcome.back")
    person.press_word("welcome.next")
    person.look("what to limit")
    subject = person.read("document.querySelector('.use-rows li').dataset.key")
    person.press(".use-rows li:first-child .use-row")
    person.amount("amount-0", 23, 15)
    person.press("#limit-save")
    person.closed()
    row = json.dumps(f"[data-key='app {subject}']")
    person.wait(f"location.pathname === '/limits' && document.querySelector({row})", "the limit is listed")
    found = [(one["days"], one["seconds"]) for one in limits(person)[subject]["limits"]]
    person.expect("the first limit, and nothing else", (found, len(limits(person))), ([("every day", 83_700)], 1))
    person.world.run("limits", "remove", subject)


def refuse_nothing_unknown(person):
    """A period that is none is the week."""
    person.open("reports?period=century&from=never&by=nothing&metric=lies")
    pressed = person.read("[...document.querySelectorAll('[aria-pressed=true]')].map(one => one.dataset.key)")
    person.expect("unknown parameters", pressed, ["week", "app"])
