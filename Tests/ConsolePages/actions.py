"""Opens the dialogs, as a person would, and checks each."""

import json

#: Page, name of the dialog, what is pressed in order, and whether it needs the programs.
DIALOGS = [
    ("reports", "filter", [".filters button"]),
    ("limits", "picker", [".page-head button, .empty button"]),
    ("limits", "limit", [".page-head button, .empty button", ".picker-list li:nth-child(3) input"]),
    ("downtime", "day", [".page-downtime .empty button.primary, .week .week-row button"]),
]


def dialogs(page, origin, checks, open_page, names, pictures, suffix, width):
    settings = ("today", "more", [".tabs button"]) if width < 900 else ("today", "settings", [".side-end button"])
    for where, name, presses in [*DIALOGS, settings]:
        if where not in names:
            continue
        open_page(page, origin, where)
        for selector in presses:
            page.wait_for(f"document.querySelector({json.dumps(selector)})", selector)
            page.click(selector)
            page.wait_for("document.querySelector('dialog[open]')", name)
        page.evaluate("for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame)")
        checks.look(f"dialog-{name}-{suffix}")
        if pictures:
            page.picture(pictures / f"dialog-{name}-{suffix}.png", whole=False)
        page.key("Escape", number=27)
        page.wait_for("!document.querySelector('dialog')", f"{name} closes with Escape")
