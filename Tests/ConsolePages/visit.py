"""Signs in to the console, and opens its pages."""

import pathlib

READY = "document.readyState === 'complete' && document.querySelector('main .page[aria-busy=\"false\"]')"
WEB = pathlib.Path(__file__).resolve().parents[2] / "Services/hands/console/Web"


def choose(page, language, theme):
    page.evaluate("localStorage.setItem('language', language); localStorage.setItem('theme', theme)", language=language, theme=theme)


def open_page(page, origin, name):
    page.errors.clear()
    page.go(f"{origin}/{name}")
    page.wait_for(READY, name)
    # Fonts and charts are drawn in the next frames.
    page.evaluate("await document.fonts.ready; for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame)")


def sign_in(page, address):
    page.go(address)
    page.wait_for(f"location.pathname !== '/sign-in' && {READY}", "sign-in")


def has_programs(page):
    """Whether this console runs the built-in apps."""
    return page.evaluate("return (await import('/app/api.js')).may('app.run')")
