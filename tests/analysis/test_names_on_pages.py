"""Names of every kind leave pictures, CSV and stderr whole; letters have the contrast that they need."""

from __future__ import annotations

import csv
import io
import unicodedata
from pathlib import Path

import pytest

from numbluff_sim.analysis.report.making import make_report
from numbluff_sim.analysis.report.style import ACCENTS, COLOURS, blended, contrast, letters_on
from numbluff_sim.config import load
from numbluff_sim.errors import ConfigError
from tests.browser.pages import NAMES, named_file, named_run


def test_report__any_name_in_pictures_tables_and_csv(tmp_path: Path) -> None:
    """Warnings are errors here: a glyph that the font lacks, a layout that collapses, a formula that is none."""
    names = [*NAMES[2:], "=HYPERLINK(1)", NAMES[0]]
    found = make_report([named_run(tmp_path, names)], "en", tmp_path).rendered.files
    page = found["index.html"].decode()
    assert "<img src=x" not in page
    assert "alert(2)</script>" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    for name, content in found.items():
        if name.endswith(".csv"):
            rows = list(csv.reader(io.StringIO(content.decode())))
            assert {len(row) for row in rows} <= {len(rows[0])}, name
            assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@"))], name


def test_names__one_name_however_its_accents_are_typed(tmp_path: Path) -> None:
    composed, decomposed = "Élise", unicodedata.normalize("NFD", "Élise")
    assert composed != decomposed
    text = named_file(tmp_path, [composed] * 4).read_text(encoding="utf-8")
    (tmp_path / "mixed.toml").write_text(
        text.replace(f"[personas.{composed!r}".replace("'", '"'), f"[personas.{decomposed!r}".replace("'", '"')),
        encoding="utf-8",
    )
    assert decomposed in (tmp_path / "mixed.toml").read_text(encoding="utf-8")
    assert set(load(tmp_path / "mixed.toml").seats) == {composed}
    twice = (
        f'base = "documented"\n[personas."{composed}"]\nbase = "nearest"\n[personas."{decomposed}"]\nbase = "honest"\n'
    )
    (tmp_path / "twice.toml").write_text(twice, encoding="utf-8")
    with pytest.raises(ConfigError, match="not TOML"):
        load(tmp_path / "twice.toml")


@pytest.mark.parametrize("mode", [0, 1])
def test_colours__letters_on_paper_wash_and_fills(mode: int) -> None:
    """4.5 to 1, as WCAG AA asks of letters of this size; mode 0 light, 1 dark."""
    texts = ["ink", "muted", *(name for name in COLOURS if name.endswith("_text"))]
    for name in texts:
        for ground in ("paper", "wash"):
            assert contrast(COLOURS[name][mode], COLOURS[ground][mode]) >= 4.5, (name, ground)
    by_light = {light: name for name, (light, _) in COLOURS.items()}
    for fill in ("ink", "good", "bad", "open", *ACCENTS, *(f"seat{seat}" for seat in range(6))):
        for opacity in (1.0, 0.7, 0.55, 0.45, 0.22) if fill == "ink" else (1.0,):
            letters = by_light[letters_on(fill, opacity)]
            ground = blended(COLOURS[fill][mode], COLOURS["paper"][mode], opacity)
            assert contrast(COLOURS[letters][mode], ground) >= 4.5, (letters, fill, opacity)


def test_colours__serious_and_rises_are_not_the_same() -> None:
    from numbluff_sim.analysis.studies.compare.figures import RISES

    assert COLOURS[RISES] not in (COLOURS["bad"], COLOURS["open"])
