"""Every kind of page in Chromium, on a phone in dark and on a desk in light: no errors, no overflow, no text over
another or cut by its drawing, letters that can be read. `make test` looks at each in one language on a phone, `make
thorough` at the rest.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright

from numbluff_sim.i18n import LANGUAGES
from numbluff_sim.kernels.common.jit import COMPILED
from tests.browser.pages import PAGES

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
#: Width of the window in pixels -> smallest letters in a drawing.
PHONE, DESK = 390, 1280
SMALLEST = {PHONE: 6.5, DESK: 8.0}
FIND = (Path(__file__).parent / "find.js").read_text(encoding="utf-8")
UNFOLD = "document.querySelectorAll('details').forEach(part => { part.open = true; })"
#: Marks one element of each way that text looks outside drawings (whose contrast find.js measures): axe takes its time.
MARK = """() => {
  const seen = new Set();
  for (const element of document.querySelectorAll("body *:not(svg, svg *)")) {
    if (![...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent.trim())) continue;
    let way = "";
    for (let one = element; one; one = one.parentElement)
      way += `${one.tagName} ${one.className} ${one.getAttribute("style")} ${one.cellIndex};`;
    if (!seen.has(way)) element.dataset.looked = "";
    seen.add(way);
  }
}"""
AXE = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
Made = Callable[[str, str], Path]
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: pages are not opened in a browser"),
    pytest.mark.skipif(not COMPILED, reason="plays as many games as a user would"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A page by name in a language: made once, what it tells played once for both languages."""

    @cache
    def folder(name: str) -> Path:
        return tmp_path_factory.mktemp(name)

    @cache
    def page(name: str, language: str) -> Path:
        path = folder(name) / f"{language}.html"
        path.write_bytes(PAGES[name](folder(name), language))
        return path

    return page


#: The language in which `make test` looks at a page.
FIRST_OF = dict(zip(PAGES, cycle(LANGUAGES), strict=False))
#: Pages laid out as others are: compare's, the report's.
ALIKE = ("rulings", "knockout", "perudo", "mixed", "mixed_perudo", "one_at_a_time")
BOTH = [
    pytest.param(name, language, marks=[] if language == FIRST_OF[name] and name not in ALIKE else pytest.mark.thorough)
    for name in PAGES
    for language in LANGUAGES
]


def opened(browser: Browser, page: Path, width: int, scheme: str = "light") -> dict[str, Any]:
    """What is wrong with a page in a window of this width."""
    tab = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.goto(page.as_uri())
    folded = tab.evaluate("document.documentElement.scrollWidth")
    tab.evaluate(UNFOLD)
    found: dict[str, Any] = tab.evaluate(FIND.replace("SMALLEST", str(SMALLEST[width])))
    tab.evaluate(MARK)
    pale = Axe().run(tab, context={"include": [["[data-looked]"]]}, options=AXE).response["violations"]
    found["pale"] += [node["html"] for rule in pale for node in rule["nodes"]]
    found |= {"said": said, "folded": folded, "contents": tab.evaluate(CONTENTS)}
    tab.close()
    return found


CONTENTS = "getComputedStyle(document.querySelector('.contents')).position"
NOTHING = {"overlapping": [], "cut": [], "small": [], "pale": [], "wide": [], "said": [], "contents": "sticky"}


@pytest.mark.parametrize(
    ("width", "scheme"), [(PHONE, "dark"), pytest.param(DESK, "light", marks=pytest.mark.thorough)]
)
@pytest.mark.parametrize(("name", "language"), BOTH)
def test_page__nothing_over_another_nor_cut_nor_pale(
    browser: Browser, made: Made, name: str, language: str, width: int, scheme: str
) -> None:
    assert opened(browser, made(name, language), width, scheme) == {**NOTHING, "folded": width}


#: Columns of a table whose heads stand wholly in the window.
COLUMNS = """selector => [...document.querySelector(selector).querySelectorAll('thead th')].slice(1)
  .filter(head => head.getBoundingClientRect().right <= innerWidth).map(head => head.innerText)"""


@pytest.mark.parametrize(
    ("name", "width", "table", "expected"),
    [("report", DESK, "#rates table", "plays_to_win"), ("compare", PHONE, "#variant_1 table", "diff")],
)
def test_tables__what_is_compared_is_on_the_screen(
    browser: Browser, made: Made, name: str, width: int, table: str, expected: str
) -> None:
    """Both ways of playing on a desk; the difference on a phone."""
    tab = browser.new_page(viewport={"width": width, "height": 900})
    tab.goto(made(name, FIRST_OF[name]).as_uri())
    tab.evaluate(UNFOLD)
    heads = tab.evaluate(f"({COLUMNS})({table!r})")
    tab.close()
    assert [head for head in heads if head.startswith(expected)] != [], heads


BROKEN = {
    "said": ("function unfold", "nothing.here(); function unfold"),
    "wide": ("<main>", '<main><div style="width:2000px">too wide</div>'),
    "pale": ("<main>", '<main><p style="color:#bbb;background:#fff">pale</p>'),
    "overlapping": ("</svg>", '<text x="50" y="50">one</text><text x="52" y="53">two</text></svg>'),
    "cut": ("</svg>", '<text x="-20" y="50">cut</text></svg>'),
    "small": ("</svg>", '<text x="50" y="50" style="font-size:2px">small</text></svg>'),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_finder__would_see_it(browser: Browser, made: Made, tmp_path: Path, fault: str) -> None:
    text = made("sobol", FIRST_OF["sobol"]).read_text(encoding="utf-8")
    (tmp_path / "page.html").write_text(re.sub(*map(str, BROKEN[fault]), text, count=1), encoding="utf-8")
    assert opened(browser, tmp_path / "page.html", PHONE)[fault] != []
