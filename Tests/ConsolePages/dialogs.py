"""The dialogs of the pages: each opens, holds, and closes with Escape."""

from person import NARROW, press

#: Page, name of the dialog, what is pressed in order.
DIALOGS = [
    ("reports", "filter", [".filters button"]),
    ("limits", "picker", [".page-head button, .empty button"]),
    ("limits", "limit", [".page-head button, .empty button", ".picker-list li:nth-child(3) .picker-choice"]),
    ("downtime", "day", [".page-downtime .empty button.primary, .week .week-row button"]),
]


def frames(page):
    page.evaluate("for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame)")


def dialogs(page, origin, checks, open_page, names, pictures, suffix, width):
    """Opens each dialog, checks it, and closes it with Escape."""
    settings = ("today", "more", [".tabs button"]) if width < NARROW else ("today", "settings", [".side-end button"])
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
