"""Does in the pages what a person does, and looks at what the services have afterwards."""

import json

#: Page, name of the dialog, what is pressed in order.
DIALOGS = [
    ("reports", "filter", [".filters button"]),
    ("limits", "picker", [".page-head button, .empty button"]),
    ("limits", "limit", [".page-head button, .empty button", ".picker-list li:nth-child(3) .picker-choice"]),
    ("downtime", "day", [".page-downtime .empty button.primary, .week .week-row button"]),
]


#: Where a message is: in the dialog that is open, else below the page.
SAID = "(document.querySelector('dialog[open] .toasts') ?? document.querySelector('#toasts'))"


def press(page, selector):
    page.wait_for(f"document.querySelector({json.dumps(selector)})", selector)
    page.click(selector)


def press_text(page, text, within="main"):
    """Presses the button with exactly this text."""
    find = f"[...document.querySelectorAll({json.dumps(within + ' button')})].find(one => one.textContent.trim() === {json.dumps(text)} && !one.disabled)"
    page.wait_for(find, text)
    page.evaluate(f"{find}.dataset.pressed = 'now'")
    page.click("[data-pressed=now]")
    page.evaluate("for (const one of document.querySelectorAll('[data-pressed]')) delete one.dataset.pressed")


def frames(page):
    page.evaluate("for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame)")


def dialogs(page, origin, checks, open_page, names, pictures, suffix, width):
    """Opens each dialog, checks it, and closes it with Escape."""
    settings = ("today", "more", [".tabs button"]) if width < 900 else ("today", "settings", [".side-end button"])
    for where, name, presses in [*DIALOGS, settings]:
        if where not in names:
            continue
        open_page(page, origin, where)
        for selector in presses:
            press(page, selector)
            page.wait_for("document.querySelector('dialog[open]')", name)
        frames(page)
        checks.look(f"dialog-{name}-{suffix}")
        if pictures:
            page.picture(pictures / f"dialog-{name}-{suffix}.png", whole=False)
        page.key("Escape", number=27)
        page.wait_for("!document.querySelector('dialog')", f"{name} closes with Escape")


class Actions:
    """What a person does, each against what the program of the command line says."""

    def __init__(self, page, origin, checks, open_page, world):
        self.page, self.origin, self.checks, self.world = page, origin, checks, world
        self.open = lambda name: open_page(page, origin, name)

    def expect(self, what, shown, wanted):
        self.checks.looked += 1
        if shown != wanted:
            self.checks.fail(f"action: {what}", f"{shown!r} is not {wanted!r}")

    def limits(self):
        return {one.get("subject", "total"): one for one in json.loads(self.world.run("limits", "list", "--json"))}

    def all(self, has_programs):
        self.follow_use()
        self.change_day_start()
        self.weekly_report()
        self.explain_settings()
        self.decide_request()
        self.go_back()
        self.refuse_nothing_unknown()
        self.read_log()
        self.sign_in_again()
        if has_programs:
            self.set_limit()
            self.keep_limit()
            self.set_hours()
            self.set_first_hours()
            self.mark_and_unmark()
            self.allow_program()
            self.remove_limit()

    def follow_use(self):
        """What comes into the foreground is on the page, without a question; and still after it was loaded again."""
        self.open("today")
        self.world.observe("unlocked")
        self.world.observe("focus", app="org.kde.kalzium")
        said = "document.querySelector('#now').innerText.startsWith('Kalzium')"
        self.page.wait_for(said, "the app in the foreground")
        self.open("today")
        self.page.wait_for(said, "the app in the foreground, after loading again")
        self.world.observe("locked")
        self.page.wait_for("document.querySelector('#now').innerText === ''", "nothing in the foreground")
        self.checks.looked += 1

    def change_day_start(self):
        page = self.page
        self.open("today")
        press(page, ".side-end button")
        page.wait_for("document.querySelector('#day-start')")
        for text in ("04:00", "00:00"):
            page.evaluate("const field = document.querySelector('#day-start'); field.value = text; field.dispatchEvent(new Event('change'))", text=text)
            page.wait_for(f"{SAID}.innerText === 'Saved.' && document.querySelector('#day-start').value === {json.dumps(text)}", "saved")
            wanted = int(text[:2]) * 60
            page.wait_for(f"(await import('/app/clock.js')).dayStartMinutes() === {wanted}", "the page's day")
            members = json.loads(self.world.run("screentime", "member", "list", "--json"))["members"]
            self.expect("day start", members[0]["day_start_minutes"], wanted)
            page.evaluate(f"{SAID}.replaceChildren()")

    def weekly_report(self):
        """Switched on, moved, and off again: the notifier plans what the page says."""
        page = self.page
        self.open("today")
        press(page, ".side-end button")
        page.wait_for("document.querySelector('#weekly-day')")

        def choose(field, value):
            page.evaluate("""const field = document.querySelector(id); field.value = value;
                field.dispatchEvent(new Event('change'))""", id=field, value=value)
            page.wait_for(f"{SAID}.innerText === 'Saved.'", "saved")
            page.evaluate(f"{SAID}.replaceChildren()")

        def planned():
            answer = json.loads(self.world.run("screentime", "report", "weekly", "--json"))
            found = [one for one in answer["notifications"] if one["state"] == "scheduled"]
            return [(one["trigger"], one["details"]) for one in found]

        details = {"weekly_report": True, "tells_opening": True}
        for field, value, components in [
            ("#weekly-day", "0", {"weekday": 1, "hour": 18, "minute": 0}),
            ("#weekly-time", "07:45", {"weekday": 1, "hour": 7, "minute": 45}),
            ("#weekly-day", "6", {"weekday": 7, "hour": 7, "minute": 45}),
        ]:
            choose(field, value)
            trigger, found = planned()[0]
            self.expect("the weekly report", (trigger["components"], trigger["repeats"], found), (components, True, details))
        self.open("today")
        press(page, ".side-end button")
        page.wait_for("document.querySelector('#weekly-time')?.value === '07:45'", "the chosen time, after loading again")
        self.expect("the chosen day", page.evaluate("return document.querySelector('#weekly-day').value"), "6")
        self.channels(choose)
        # Two choices, one at once after the other: both count.
        page.evaluate("""for (const [id, value] of [['#weekly-time', '06:30'], ['#weekly-day', '3']]) {
            const field = document.querySelector(id); field.value = value; field.dispatchEvent(new Event('change')); }""")
        page.wait_for(f"{SAID}.innerText === 'Saved.'", "saved")
        page.evaluate("const said = async () => (await (await import('/app/parts/weekly.js')).readWeekly()); while ((await said()).day !== 3) await new Promise(done => setTimeout(done, 20))")
        self.expect("two choices", planned()[0][0]["components"], {"weekday": 4, "hour": 6, "minute": 30})
        page.evaluate(f"{SAID}.replaceChildren()")
        choose("#weekly-day", "")
        self.expect("no weekly report", planned(), [])

    def channels(self, choose):
        """Also by mail and webhook: what is refused stays written and is explained; a key is shown once."""
        page = self.page
        said = "document.querySelector('.dialog-problem').innerText"

        def written(field, value):
            page.evaluate("""const field = document.querySelector(id); field.value = value;
                field.dispatchEvent(new Event('change'))""", id=field, value=value)

        def known():
            lines = self.world.run("screentime", "report", "weekly").splitlines()
            return [line.split(" to ")[1].split(";")[0].removesuffix(".") for line in lines if line.startswith("Reports are also")]

        written("#channel-webhook", "http://example.org/x")
        page.wait_for(f"{said}.includes('not allowed')", "an address that is refused")
        kept = page.evaluate("return document.querySelector('#channel-webhook').value")
        self.expect("a refused address", (kept, known()), ("http://example.org/x", []))
        choose("#channel-webhook", "http://127.0.0.1:9/x")
        page.wait_for("document.querySelector('#webhook-key code').innerText.startsWith('whsec_')", "the key")
        self.expect("the refusal is gone", page.evaluate(f"return {said}"), "")
        page.errors = [one for one in page.errors if "400" not in one or "channel.set" not in one]
        choose("#channel-email", "mina@example.org")
        self.expect("two channels", known(), ["mina@example.org", "http://127.0.0.1:9/x"])
        self.checks.look("action: channels")
        choose("#channel-email", "")
        choose("#channel-webhook", "")
        self.expect("no channels", known(), [])

    def go_back(self):
        """From a page with an open dialog: the dialog belongs to the page that is left."""
        page = self.page
        self.open("today")
        page.evaluate("document.querySelector('nav a[href=\"/reports\"]').click()")
        press(page, ".filters button")
        page.wait_for("document.querySelector('dialog[open]')", "the filter")
        page.evaluate("history.back()")
        page.wait_for("location.pathname === '/today' && document.querySelector('.page-today')", "the page before")
        self.expect("an open dialog", page.evaluate("return document.querySelectorAll('dialog').length"), 0)

    def refuse_nothing_unknown(self):
        """An address that is no page is Today, and a period that is none is the week."""
        self.open("reports?period=century&from=never&by=nothing&metric=lies")
        pressed = self.page.evaluate("return [...document.querySelectorAll('[aria-pressed=true]')].map(one => one.dataset.key)")
        self.expect("unknown parameters", pressed, ["week", "app"])

    def read_log(self):
        """Of one process that is chosen, also after loading again; warnings alone where there are some."""
        page = self.page
        self.open("bus")
        page.evaluate("""const choice = document.querySelector('#logs ~ .inline select'); choice.value = 'notifier';
            choice.dispatchEvent(new Event('change'))""")
        page.wait_for("document.querySelector('.log')?.innerText.includes('ready')", "the notifier's log")
        self.open("bus?log=notifier")
        whole = page.evaluate("return document.querySelectorAll('.log > li').length")
        self.checks.look("action: log")
        press(page, "#logs ~ .inline [aria-pressed]")
        page.wait_for("document.querySelector('.log > li .tag')", "the warning that there is no session bus")
        bad = page.evaluate("return [document.querySelectorAll('.log > li').length, document.querySelectorAll('.log > li .tag').length]")
        self.expect("only warnings", (bad[0] == bad[1], bad[0] < whole), (True, True))

    def set_limit(self):
        page = self.page
        self.open("limits")
        press(page, ".page-head button, .empty button")
        page.wait_for("document.querySelector('#picker-search')")
        page.type("#picker-search", "firefox")
        page.wait_for("document.querySelectorAll('#picker-list li').length === 1", "one result")
        press(page, "#picker-list .picker-choice")
        page.wait_for("document.querySelector('#limit-save')")
        for part, text in (("h", "0"), ("m", "1")):
            page.type(f"#amount-0-{part}", text)
        page.wait_for("document.querySelector('#acts-now')", "a limit below the use says that it acts now")
        self.checks.look("action: limit that acts now")
        say = 'Tea is "ready" <b>now</b>, {name}.'
        page.type("#limit-say", say)
        press(page, "#limit-save")
        page.wait_for("!document.querySelector('dialog')", "the dialog closes")
        # The shield comes by itself, as an event.
        page.wait_for("document.querySelector('[data-key=\"app firefox\"] .tag')?.textContent === 'Covered'", "it is covered")
        limit = self.limits()["firefox"]
        self.expect("limit", [limit["todaySeconds"], limit["limits"][0]["say"], limit["shut"]], [60, say, True])

    def keep_limit(self):
        """A form that is saved as it was opened changes nothing; words are words."""
        self.world.run("limits", "set", "--domain", "wikipedia.org", "75s", "--days", "mon,tue,wed,thu,fri,sun")
        self.world.run("limits", "set", "--domain", "wikipedia.org", "30m", "--days", "sat", "--warn", "90s", "--say", "Only on Saturday.")
        before = self.limits()["wikipedia.org"]
        self.open("limits?new=domain%20wikipedia.org")
        press(self.page, "#limit-save")
        self.page.wait_for("!document.querySelector('dialog')", "the dialog closes")
        self.expect("limit that was only opened", self.limits()["wikipedia.org"], before)
        self.open("limits?new=domain%20wikipedia.org")
        self.page.wait_for("document.querySelector('#amount-0-m')")
        self.page.evaluate("document.querySelector('#amount-0-m').focus(); document.querySelector('#amount-0-m').select()")
        for key in "60":
            self.page.send("Input.insertText", text=key)
        self.page.type("#limit-say", "--")
        press(self.page, "#limit-save")
        self.page.wait_for("!document.querySelector('dialog')", "the dialog closes")
        after_rules = self.limits()["wikipedia.org"]["limits"]
        after = [[one["seconds"], one["say"]] for one in after_rules]
        self.expect("an hour as 60 minutes, and words like an option", sorted(after), [[1800, "--"], [3600, "--"]])
        self.open("limits?new=domain%20wikipedia.org")
        self.page.wait_for("document.querySelector('#limit-save')")
        self.world.run("limits", "remove", "--domain", "wikipedia.org")
        press(self.page, "#limit-save")
        self.page.wait_for("!document.querySelector('dialog')", "the dialog closes")
        again = self.limits().get("wikipedia.org", {"limits": []})["limits"]
        self.expect("a limit that was removed elsewhere while its form was saved", again, after_rules)
        self.world.run("limits", "remove", "--domain", "wikipedia.org")

    def set_first_hours(self):
        """Of one day only; the others stay open."""
        page = self.page
        self.open("downtime")
        press(page, ".page-downtime .empty button.primary")
        page.wait_for("document.querySelector('#same input')")
        page.evaluate("for (const one of document.querySelectorAll('#same label:not([data-key=sat]) input')) one.click()")
        press(page, "#day-save")
        page.wait_for("document.querySelector('.week .off')", "the hours are drawn")
        page.wait_for("document.querySelector('#toasts').innerText.startsWith('Saved')", "what was done")
        days = [one["days"] for one in self.limits()["total"]["hours"] if one["windows"] != ["00:00-24:00"]]
        self.expect("hours of one day", [day for day in days if day not in ("sat", "sun")], [])
        self.world.run("limits", "remove", "hours", "total")

    def sign_in_again(self):
        """In another tab of the same browser: this page goes on, and what was written in it can be saved."""
        self.open("today")
        ticket = self.world.sign_in_address().split("#")[1]
        answer = self.page.evaluate(
            """await fetch('/session', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({ticket})});
            return (await (await import('/app/api.js')).call('member.list')).members.length""", ticket=ticket)
        self.expect("a page after signing in again", answer, 1)
        # Signed out, then signed in elsewhere: the page that asked for it comes back when it is looked at.
        ticket = self.world.sign_in_address().split("#")[1]
        self.page.evaluate("await (await import('/app/api.js')).signOut(); await (await import('/app/api.js')).check()")
        self.page.wait_for("document.querySelector('.signin .command')", "the page says how to sign in")
        self.page.evaluate(
            """await fetch('/session', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({ticket})});
            const {fetch: send} = window;
            [window.unanswered, window.again] = [0, 0];
            window.fetch = (path, options) => { window.unanswered += 1; return send(path, options).finally(() => { window.unanswered -= 1; }); };
            new MutationObserver(all => { for (const one of all) for (const node of one.removedNodes) window.again += node.matches?.('.side') ?? 0; })
                .observe(document.querySelector('#app'), {childList: true});
            document.dispatchEvent(new Event('visibilitychange'));
            dispatchEvent(new Event('focus'))""", ticket=ticket)
        self.page.wait_for("!document.querySelector('.signin') && document.querySelector('main .page')", "the page is back")
        self.page.evaluate("for (let i = 0; i < 5; i += 1) { if (window.unanswered) i = 0; await new Promise(requestAnimationFrame); }")
        self.expect("how often the frame was drawn again", self.page.evaluate("return window.again"), 0)

    def remove_limit(self):
        page = self.page
        self.open("limits")
        press(page, "[data-key='app firefox'] .end button:last-child")
        press_text(page, "Remove", "dialog")
        page.wait_for("!document.querySelector('[data-key=\"app firefox\"]')", "the limit is gone")
        self.expect("removed limit", "firefox" in self.limits(), False)
        # Whoever uses the keyboard goes on from here.
        self.page.wait_for("document.activeElement !== document.body && document.querySelector('main').contains(document.activeElement)", "the focus stays on the page")

    def set_hours(self):
        page = self.page
        self.open("downtime")
        press(page, ".page-downtime .empty button.primary")
        press(page, "#day-save")
        page.wait_for("document.querySelector('.week .off')", "the hours are drawn")
        hours = self.limits()["total"]["hours"]
        self.expect("hours", hours, [{"days": "every day", "windows": ["07:00-22:00"]}])
        press_text(page, "Remove all hours")
        press_text(page, "Remove", "dialog")
        page.wait_for("!document.querySelector('.week .off')", "no hours are drawn")
        self.expect("removed hours", "total" in self.limits(), False)

    def mark_and_unmark(self):
        page = self.page
        self.open("limits")
        press(page, "#marks-allow + button")
        page.wait_for("document.querySelector('#picker-search')")
        page.type("#picker-search", "example.net")
        press(page, "#picker-list .picker-choice")
        page.wait_for("document.querySelector('.rows [data-key=\"domain example.net\"]')", "the mark is listed")
        self.expect("always allowed", self.limits()["example.net"]["alwaysAllowed"], True)
        press(page, ".rows [data-key='domain example.net'] button")
        page.wait_for("!document.querySelector('.rows [data-key=\"domain example.net\"]')", "the mark is gone")

    def allow_program(self):
        page = self.page
        self.open("encouragement")
        press_text(page, "Give permission…")
        page.wait_for("document.querySelector('dialog[open]')", "the question")
        self.checks.look("action: permission")
        press_text(page, "Allow", "dialog")
        page.wait_for("[...document.querySelectorAll('main button')].some(one => one.textContent.trim() === 'Make a promise')", "it is allowed")
        self.expect("permission", json.loads(self.world.run("encouragement", "status", "--json"))["authorized"], True)

    def explain_settings(self):
        """What cannot be read is not just missing."""
        page = self.page
        self.open("today")
        page.evaluate("const {fetch} = window; window.fetch = (path, options) => fetch(path === '/api/notification.list' ? '/api/no.such' : path, options)")
        press(page, ".side-end button")
        page.wait_for("document.querySelector('dialog .problem')?.innerText.includes('no.such')", "why the weekly report is missing")
        page.errors = [one for one in page.errors if "no.such" not in one]
        self.checks.look("action: settings without a service")
        self.open("reports")

    def decide_request(self):
        page = self.page
        self.open("requests")
        self.world.run("screentime", "request", "app:org.gnome.Maps", "--minutes", "20", "--reason", "Only the way home.")
        page.wait_for("document.querySelector('.request')", "the request appears by itself")
        self.checks.look("action: request")
        press_text(page, "Allow 20 min")
        page.wait_for("document.querySelector('#past')", "it is decided")
        state = json.loads(self.world.run("screentime", "requests", "--json"))["requests"][0]["state"]
        self.expect("decision", state, "approved")
        self.world.run("screentime", "request", "app:org.gnome.Maps", "--minutes", "25")
        page.wait_for("document.querySelector('.request')", "the second request")
        # Denied here a moment after it was allowed elsewhere, before this page knows.
        page.evaluate("""const {fetch} = window;
            window.fetch = async (path, options) => {
                if (path === '/api/request.decide')
                    await fetch(path, {...options, body: options.body.replace('deny', 'approve')});
                return fetch(path, options);
            };
            [...document.querySelectorAll('.request .actions button')].at(-1).click()""")
        page.wait_for(f"{SAID}.innerText === 'This was decided already.'", "that it was decided")
        page.wait_for("!document.querySelector('.request')", "it is not asked again")
        page.errors = [one for one in page.errors if "request.decide" not in one]
