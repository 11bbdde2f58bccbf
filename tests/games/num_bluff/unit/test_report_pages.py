"""The report's files: whole in themselves, the same each time, in one language, with numbers behind every figure."""

import csv
import io
import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from numbluff_sim.analysis.num_bluff.sections import report_page
from numbluff_sim.analysis.report.making import make_report
from numbluff_sim.analysis.report.measured_runs import measure
from numbluff_sim.analysis.report.model import Paragraph, Picture
from numbluff_sim.analysis.report.page import render
from numbluff_sim.analysis.statistics.estimates import ALPHA
from numbluff_sim.analysis.statistics.sequential import METHOD
from numbluff_sim.analysis.studies.check.baselines import load_baseline
from numbluff_sim.errors import RunError
from numbluff_sim.i18n import LANGUAGES, balance_catalogue
from numbluff_sim.studies.report.written import write_files
from tests.games.num_bluff.made_up_runs import made_up_run

OUT = Path("results/report")


def some_runs():
    return [
        made_up_run("documented", 3, 2000, pot=0.0),
        made_up_run("documented", 4, 2000),
        made_up_run("plays_to_win", 4, 2000, fuse=0.2, lie=0.5),
        made_up_run("plays_to_win", 6, 2000, fuse=0.2, lie=0.5, recycles=1.0),
    ]


@cache
def whole_report(language):
    return make_report(some_runs(), language, OUT)


#: Pages are made in French by `make test`, for it says all in longer words, and in English too by `make thorough`.
MADE_IN = ["fr", pytest.param("en", marks=pytest.mark.thorough)]


@pytest.fixture(scope="module", params=MADE_IN)
def made(request):
    return whole_report(request.param)


@pytest.fixture(scope="module")
def html(made):
    return made.rendered.files["index.html"].decode()


class Outline(HTMLParser):
    """Tags and what they refer to, ids, visible text."""

    def __init__(self, html):
        super().__init__()
        self.references, self.ids, self.targets, self.words, self.language, self.images, self.hidden = (
            [],
            [],
            [],
            [],
            None,
            [],
            0,
        )
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.hidden += tag in ("style", "script")
        self.ids += [known["id"]] if "id" in known else []
        if tag == "html":
            self.language = known.get("lang")
        if tag == "svg":
            self.images.append(known)
        for name in ("src", "href", "xlink:href", "action", "poster"):
            value = known.get(name)
            if value:
                (self.targets if value.startswith("#") else self.references).append(value)

    def handle_endtag(self, tag):
        self.hidden -= tag in ("style", "script")

    def handle_data(self, text):
        if not self.hidden:
            self.words.append(text)

    @property
    def text(self):
        return re.sub(r"[ \n]+", " ", " ".join(self.words))


def test_page__asks_nothing_of_a_network(html):
    assert Outline(html).references == ["data:,"]
    assert re.findall(r"@import|url\((?!#)", html) == []


def test_page__ids_are_single_and_links_lead_somewhere(html):
    outline = Outline(html)
    assert len(outline.ids) == len(set(outline.ids))
    assert {target[1:] for target in outline.targets} <= set(outline.ids)


def test_page__names_its_language_and_its_pictures(html, made):
    outline = Outline(html)
    assert outline.language == made.page.language
    assert len(outline.images) == sum(
        isinstance(block, Picture) for section in made.page.sections for block in section.blocks
    )
    assert all(len(image["aria-label"]) > 40 and image["role"] == "img" for image in outline.images)


def test_page__contents_list_names_every_part(html, made):
    for name in ("findings", "claims", *(section.name for section in made.page.sections), "glossary", "making"):
        assert f'<a href="#{name}">' in html
        assert f'id="{name}"' in html


def test_french_page__has_no_english_sentence():
    page = Outline(whole_report("fr").rendered.files["index.html"].decode()).text
    english, french = (
        balance_catalogue("numbluff_sim.games.num_bluff:report", language).texts for language in LANGUAGES
    )
    pieces = {
        piece.strip() for key, text in english.items() if text != french[key] for piece in re.split(r"\{\w+\}", text)
    }
    assert sorted(piece for piece in pieces if len(piece) > 12 and piece in page) == []
    claims = load_baseline()[0].claims
    assert [
        text.en
        for claim in claims
        for text in (claim.text, claim.source)
        if text.en in page or text.in_language("fr") == text.en
    ] == []


@pytest.mark.parametrize("language", MADE_IN)
@pytest.mark.thorough
def test_page__same_bytes_each_time(language):
    assert render(report_page(some_runs(), language, OUT)).files == whole_report(language).rendered.files


def test_files__every_picture_has_png_svg_csv_and_json(made):
    files = made.rendered.files
    pictures = [block for section in made.page.sections for block in section.blocks if isinstance(block, Picture)]
    assert len(pictures) >= 15
    for picture in pictures:
        assert files[f"figures/{picture.name}.png"].startswith(b"\x89PNG")
        assert files[f"figures/{picture.name}.svg"].startswith(b"<?xml")
        records = json.loads(files[f"data/{picture.name}.json"])
        rows = list(csv.DictReader(io.StringIO(files[f"data/{picture.name}.csv"].decode())))
        assert len(rows) == len(records) == len(picture.records)
        assert set(rows[0]) == set(records[0])


def test_files__estimates_carry_interval_n_and_method(made):
    records = json.loads(made.rendered.files["data/event_rates.json"])
    miroir = next(
        r for r in records if r["event"] == "miroir_parfait" and r["run"] == "documented" and r["players"] == 4
    )
    assert miroir["low"] < miroir["value"] < miroir["high"]
    assert miroir["n"] == 24000
    assert miroir["denominator"] == "rounds"
    assert miroir["level"] == 0.95
    assert miroir["documented"] == 0.0006


def test_page__a_single_run_is_enough():
    page = report_page([made_up_run(games=2000)], "en", OUT)
    drawn = {block.name for part in page.sections for block in part.blocks if isinstance(block, Picture) and block.draw}
    assert "event_rates" in drawn
    assert "lying" not in drawn  # nobody lies: no empty picture


@pytest.mark.parametrize("language", LANGUAGES)
def test_page__few_detail_games_give_words_in_place_of_pictures(language):
    made = make_report([made_up_run(games=500, detail=20)], language, OUT)
    files = made.rendered.files
    assert "figures/event_rates.png" in files
    assert [name for name in files if "pot_by_round" in name] == []
    too_few = balance_catalogue("numbluff_sim.games.num_bluff:report", language).text(
        "common.too_few", needed=100, games=20
    )
    assert too_few in files["index.html"].decode()


@pytest.mark.parametrize("games", [1, 2, 30])
def test_page__hardly_any_games_still_give_a_page(games):
    html = (
        make_report([made_up_run(games=games, detail=min(games, 1))], "en", OUT).rendered.files["index.html"].decode()
    )
    text = Outline(html).text
    assert "nan" not in text.lower().split()
    assert "∞" not in text


def test_page__two_runs_alike_are_told_apart():
    page = report_page([made_up_run(games=500), made_up_run(games=500, overrides={"run.seed": 2})], "en", OUT)
    table = next(block for block in page.sections[0].blocks if type(block).__name__ == "Table")
    assert list(table.head) == ["", "documented\n4 players", "documented (2)\n4 players"]


def test_page__runs_with_other_rulings_say_so(undrawn):
    run = made_up_run("plays_to_win", games=500, overrides={"rules.master_bonus": False})
    assert "plays_to_win, without the bonus" in make_report([run], "en", OUT).rendered.files["index.html"].decode()


def test_claims__judged_on_the_runs_made_for_them(made):
    claims = {claim["claim"]: claim for claim in made.claims}
    assert claims["miroir_rate"]["run"] == "documented"
    assert claims["rarity_order"]["verdict"] == "differs"
    assert claims["hand_stable"]["run"] == "plays_to_win"


def test_write_files__a_file_in_the_way_is_refused(made, tmp_path):
    (tmp_path / "there").write_text("x")
    with pytest.raises(RunError, match="is a file; expected a folder"):
        write_files(made, tmp_path / "there")


def test_write_files__everything_below_out(made, tmp_path):
    write_files(made, tmp_path / "new" / "report")
    written = {
        str(path.relative_to(tmp_path / "new" / "report")) for path in (tmp_path / "new").rglob("*") if path.is_file()
    }
    assert written == set(made.rendered.files)


@pytest.mark.parametrize(
    ("overrides", "label"),
    [
        ({"deck.rainbow.reach": 5, "deck.jaune.values": [0, 12]}, "documented, jaune.values = 0-12, rainbow.reach = 5"),
        ({"deck.violet": {"kind": "classic", "values": [0, 9]}}, "documented, + violet"),
        ({f"deck.{name}.values": [1, 16] for name in ("rouge", "vert", "bleu", "jaune")}, "documented, deck"),
    ],
)
def test_page__runs_with_another_deck_name_its_families(overrides, label):
    assert (
        report_page([made_up_run(games=500, overrides=overrides)], "fr", OUT)
        .sections[0]
        .blocks[1]
        .head[1]
        .startswith(label + "\n")
    )


def test_files__every_number_of_a_figure_carries_interval_n_and_denominator(made):
    for section in made.page.sections:
        for picture in section.blocks:
            if isinstance(picture, Picture):
                for record in picture.records:
                    assert {"n", "denominator", "level", "method"} <= set(record), picture.name
                    assert any(key.endswith("low") for key in record), picture.name


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        (
            "en",
            (
                "stopped itself after 3,000 games",
                "Frappe Parfaite, share of rounds (±\u00a04.6%)",
                "Seat 2, share of wins (±\u00a00.001)",
            ),
        ),
        (
            "fr",
            (
                "s'est arrêtée d'elle-même après 3\u202f000 parties",
                "Frappe Parfaite, part des rounds (±\u00a04,6\u202f%)",
            ),
        ),
    ],
)
def test_making__tells_what_a_run_stopped_itself_on(language, texts):
    run = made_up_run()
    measured = [
        {"name": "frappe_parfaite_per_round", "half_width": 0.046, "relative": True},
        {"name": "seat_1_win_share", "half_width": 0.001, "relative": False},
    ]
    plain = making(run, language)
    run.meta["until"] = {"reached": True, "games": 3000, "alpha": 0.05, "measured": measured}
    told = making(run, language)
    assert all(text in told and text not in plain for text in texts)
    run.meta["until"]["games"] = 2000  # the run was extended since
    assert making(run, language) == plain


@pytest.mark.parametrize(("language", "text"), [("en", "sequential intervals"), ("fr", "intervalles séquentiels")])
def test_page__of_a_run_looked_at_before_has_sequential_intervals_and_says_so(language, text):
    run, again, stopped = (made_up_run() for _ in range(3))
    run.meta["looks"], again.meta["looks"], stopped.meta["until"] = [3000], [1000, 3000], {"reached": True}
    once, later, until = (
        measure([one], ALPHA)[0].estimates["frappe_parfaite_per_round"] for one in (run, again, stopped)
    )
    assert later.low < once.low < once.high < later.high
    assert later.method == until.method == f"{METHOD} of {once.method}"
    told = [any(text in fact for fact in report_page([one], language, OUT).facts) for one in (run, again)]
    assert told == [False, True]


def making(run, language):
    return " ".join(
        block.text for block in report_page([run], language, OUT).making.blocks if isinstance(block, Paragraph)
    )
