"""The report in headless Chromium: no console errors, no overflow on a phone and a desk, folded and unfolded, all
text inside its drawing.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from numbluff_sim.analysis.report.making import make_report
from tests.common.held import LIMIT
from tests.games.num_bluff.made_up_runs import made_up_run
from tests.games.perudo.made_up_runs import reference_run

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless",
    "--hide-scrollbars",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--v=0",
    "--virtual-time-budget=5000",
    "--allow-file-access-from-files",
)
PHONE, DESK = 390, 1280
pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="no Chromium on this machine: the report is not opened in a browser"
)

#: Opens the page in a frame of the wanted width, since a headless window cannot be as narrow as a phone, and writes
#: what it measures into the DOM.
FRAME = """<!doctype html><meta charset="utf-8"><pre id="measured"></pre>
<iframe id="page" src="page.html" style="width:WIDTHpx;height:900px;border:0"></iframe>
<script>
addEventListener("load", () => {
  const page = document.getElementById("page").contentDocument, root = page.documentElement, found = {};
  const measure = name => { found[name] = [root.scrollWidth, root.clientWidth]; };
  measure("folded");
  page.querySelectorAll("details").forEach(part => { part.open = true; });
  measure("unfolded");
  found.outside = [];
  page.querySelectorAll("figure svg").forEach(svg => {
    const box = svg.getBoundingClientRect();
    svg.querySelectorAll("text").forEach(text => {
      const inner = text.getBoundingClientRect();
      const sticksOut = inner.left < box.left - 1 || inner.right > box.right + 1;
      if (inner.width && sticksOut) found.outside.push(text.textContent);
    });
  });
  found.narrow = [...page.querySelectorAll("figure svg")].filter(svg => svg.getBoundingClientRect().width < 200).length;
  found.contents = getComputedStyle(page.querySelector(".contents")).position;
  found.pictures = page.querySelectorAll("figure svg").length;
  document.getElementById("measured").textContent = JSON.stringify(found);
});
</script>"""


def num_bluff_runs():
    runs = [
        made_up_run(
            preset,
            players,
            2000,
            pot=0.0 if players == 3 else 9.0,
            fuse=fuse,
            lie=2 * fuse,
            recycles=float(players == 6),
        )
        for preset, fuse in (("documented", 0.0), ("plays_to_win", 0.2))
        for players in (3, 4, 5, 6)
    ]
    return [
        *runs,
        made_up_run(
            "plays_to_win", 4, 2000, {"rules.master_bonus": False, "rules.wild_adjusts": "both"}, fuse=0.2, lie=0.4
        ),
    ]


def perudo_runs():
    return [
        *(reference_run("documented", players, 150) for players in (2, 3, 6)),
        reference_run("random", 4, 150, rules__palifico_two_players=False),
    ]


@pytest.fixture(
    scope="module",
    params=[(runs, language) for runs in (num_bluff_runs, perudo_runs) for language in ("en", "fr")],
    ids=lambda param: f"{param[0].__name__}-{param[1]}",
)
def page(request, tmp_path_factory):
    runs, language = request.param
    folder = tmp_path_factory.mktemp(language)
    made = make_report(runs(), language, Path("results/report"))
    (folder / "page.html").write_bytes(made.rendered.files["index.html"])
    return folder / "page.html"


def opened(page, width, profile):
    frame = page.with_name(f"frame{width}.html")
    frame.write_text(FRAME.replace("WIDTH", str(width)))
    command = [BROWSER, *FLAGS, f"--user-data-dir={profile}", "--window-size=1400,1000", "--dump-dom", frame.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True)
    measured = re.search(r'<pre id="measured">(.*?)</pre>', done.stdout, re.DOTALL)
    assert measured, done.stdout[-2000:]
    return json.loads(measured[1]), [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_report__no_overflow_no_errors_no_cut_text(page, width, tmp_path):
    found, console = opened(page, width, tmp_path)
    assert console == []
    assert found["folded"] == [width, width]
    assert found["unfolded"] == [width, width]
    assert found["pictures"] >= 10
    assert found["narrow"] == 0
    assert found["outside"] == []
    assert found["contents"] == "sticky"


def test_report__console_errors_would_be_seen(page, tmp_path):
    broken = page.with_name("broken.html")
    broken.write_text(page.read_text().replace("function unfold", "nothing.here(); function unfold"))
    (page.parent / "b").mkdir(exist_ok=True)
    (page.parent / "b" / "page.html").write_bytes(broken.read_bytes())
    _, console = opened(page.parent / "b" / "page.html", DESK, tmp_path)
    assert any("ReferenceError" in line for line in console)


def test_report__overflow_would_be_seen(page, tmp_path):
    wide = page.parent / "w"
    wide.mkdir(exist_ok=True)
    (wide / "page.html").write_text(page.read_text().replace("<main>", '<main><div style="width:700px">x</div>'))
    found, _ = opened(wide / "page.html", PHONE, tmp_path)
    assert found["folded"][0] > PHONE
