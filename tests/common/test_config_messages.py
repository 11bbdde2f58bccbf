"""Every refused configuration names file, key, value, what is expected and the nearest valid name."""

from __future__ import annotations

from pathlib import Path

import pytest

from numbluff_sim.config import load
from numbluff_sim.errors import ConfigError

FAMILY = '[[deck.families]]\nname = "x"\nkind = "classic"\n'

#: case -> (file, key, pieces of the message)
REFUSED: dict[str, tuple[str, str | None, tuple[str, ...]]] = {
    "unknown key": (
        '[rules]\nwild_adjust = "both"',
        "rules.wild_adjust",
        ('unknown key rules.wild_adjust (value "both")', '"wild_adjusts"', "Did you mean"),
    ),
    "unknown table": ("[tabel]\nplayers = 4", "tabel", ("unknown key tabel (value a table)", 'Did you mean "table"?')),
    "unknown ruling value": (
        '[rules]\nwild_adjusts = "hiden"',
        "rules.wild_adjusts",
        ('rules.wild_adjusts = "hiden"', 'expected one of "hidden", "both", "none"', 'Did you mean "hidden"?'),
    ),
    "ruling of another type": (
        "[rules]\nmaster_bonus = 1",
        "rules.master_bonus",
        ("rules.master_bonus = 1", "expected true or false"),
    ),
    "text for a number": (
        '[table]\nplayers = "4"',
        "table.players",
        ('table.players = "4"', "a whole number from 3 to 6"),
    ),
    "fraction for a whole number": (
        "[table]\nplayers = 4.0",
        "table.players",
        ("table.players = 4.0", "a whole number from 3 to 6"),
    ),
    "true for a whole number": (
        "[table]\nplayers = true",
        "table.players",
        ("table.players = true", "a whole number from 3 to 6"),
    ),
    "number for a table": ("rules = 3", "rules", ("rules = 3", "expected a table with the keys wild_adjusts")),
    "2 players": ("[table]\nplayers = 2", "table.players", ("table.players = 2", "from 3 to 6")),
    "7 players": ("[table]\nplayers = 7", "table.players", ("table.players = 7", "from 3 to 6")),
    "hand of 13": ("[table]\nhand_size = 13", "table.hand_size", ("table.hand_size = 13", "from 1 to 12")),
    "no turn": ("[table]\nturns_as_bluffer = 0", "table.turns_as_bluffer", ("from 1 to 10",)),
    "no games": ("[run]\ngames = 0", "run.games", ("run.games = 0", "from 1 to 100000000000")),
    "negative games": ("[run]\ngames = -5", "run.games", ("run.games = -5",)),
    "absurd games": ("[run]\ngames = 1000000000000", "run.games", ("run.games = 1000000000000",)),
    "negative seed": ("[run]\nseed = -1", "run.seed", ("from 0 to 9223372036854775807",)),
    "no threads": ("[run]\nthreads = 0", "run.threads", ("from 1 to 256",)),
    "small batch": ("[run]\nbatch = 63", "run.batch", ("from 64 to 10000000",)),
    "no detail": ("[run]\ndetail_every = 0", "run.detail_every", ("from 1 to 1000000000",)),
    "unknown rows": (
        '[run]\nrows = "game"',
        "run.rows",
        ('expected one of "none", "games", "rounds"', 'Did you mean "games"?'),
    ),
    "deck too small": (
        FAMILY + "values = [0, 5]",
        "deck.families",
        ("6 cards are too few to deal one round", "at least 16 cards", "4 players"),
    ),
    "deck too large": ("[deck.rouge]\ncopies = 20", "deck.families", ("425 cards are too many", "at most 250")),
    "no families": ("[deck]\nfamilies = []", "deck.families", ("deck.families = 0 families", "1 to 100")),
    "families no list": (
        "[deck]\nfamilies = 3",
        "deck.families",
        ("deck.families = 3", "a list of tables with the keys name, kind, values, copies, reach"),
    ),
    "family twice": (
        FAMILY + "values = [0, 16]\n" + FAMILY + "values = [0, 16]",
        "deck.families[1].name",
        ('= "x" is taken', "a name of its own"),
    ),
    "family named by sign": (
        '[[deck.families]]\nname = "Bleu!"\nkind = "classic"\nvalues = [0, 20]',
        "deck.Bleu!.name",
        ("small letters, digits and _",),
    ),
    "family of unknown kind": (
        '[deck.rouge]\nkind = "clasic"',
        "deck.rouge.kind",
        ('one of "classic", "rainbow", "shadow"', 'Did you mean "classic"?'),
    ),
    "unknown family": (
        "[deck.rainbw]\nreach = 2",
        "deck.rainbw",
        ("unknown key deck.rainbw", "kind and values adds", 'Did you mean "rainbow"?'),
    ),
    "family no table": (
        "[deck]\nrainbow = 5",
        "deck.rainbow",
        ("deck.rainbow = 5 cannot be used; expected a table", "one key of it, such as deck.rainbow.values"),
    ),
    "new family without values": (
        '[deck.teal]\nkind = "classic"',
        "deck.teal",
        ("deck.teal is new and has no values; expected kind and values",),
    ),
    "new family without kind": (
        "[deck.teal]\nvalues = [1, 20]",
        "deck.teal",
        ("deck.teal is new and has no kind; expected kind and values",),
    ),
    "values missing": (FAMILY, "deck.x.values", ("key deck.x.values is missing", "a list of 2 whole numbers")),
    "one value": (
        "[deck.rouge]\nvalues = [5]",
        "deck.rouge.values",
        ("deck.rouge.values = [5]", "a list of 2 whole numbers"),
    ),
    "three values": (
        "[deck.rouge]\nvalues = [5, 6, 7]",
        "deck.rouge.values",
        ("deck.rouge.values = [5, 6, 7]", "a list of 2 whole numbers"),
    ),
    "values downwards": (
        "[deck.rouge]\nvalues = [5, 2]",
        "deck.rouge.values",
        ("deck.rouge.values = [5, 2] runs downwards", "[lowest, highest]"),
    ),
    "value of 100": ("[deck.rouge]\nvalues = [0, 100]", "deck.rouge.values[1]", ("= 100", "from 0 to 99")),
    "reach below 0": ("[deck.rainbow]\nreach = -1", "deck.rainbow.reach", ("deck.rainbow.reach = -1", "from 0 to 20")),
    "reach of a classic family": (
        "[deck.rouge]\nreach = 1",
        "deck.rouge.reach",
        ("cannot be used in a classic family", "expected 0"),
    ),
    "no copies": ("[deck.rouge]\ncopies = 0", "deck.rouge.copies", ("from 1 to 250",)),
    "points overflow by turns": (
        "[table]\nplayers = 6\nturns_as_bluffer = 10\n[deck.rouge]\nvalues = [20, 31]",
        "table.turns_as_bluffer",
        ("turns_as_bluffer = 10 makes points that do not fit", "60 x 6 x 3 x 31 = 33480"),
    ),
    "points overflow by values": (
        "[table]\nplayers = 6\nturns_as_bluffer = 5\n[deck.rouge]\nvalues = [60, 70]",
        "deck.rouge.values",
        ("do not fit their column", "30 x 6 x 3 x 70 = 37800"),
    ),
    "unknown persona": (
        '[play]\nseats = ["neares"]',
        "play.seats",
        ('names no persona: "neares"', '"plays_to_win"', 'Did you mean "nearest"?'),
    ),
    "two seats of four": (
        '[play]\nseats = ["nearest", "liar"]',
        "play.seats",
        ("has 2 names", "one name for all or 4", "table.players = 4"),
    ),
    "no seats": ("[play]\nseats = []", "play.seats", ("play.seats = []", "one or more texts")),
    "seat no text": ("[play]\nseats = [1]", "play.seats[0]", ("play.seats[0] = 1", "a text")),
    "unknown base of a persona": (
        '[personas.x]\nbase = "neerest"',
        "personas.x.base",
        ('= "neerest" is not a persona', 'Did you mean "nearest"?'),
    ),
    "personas in a circle": (
        '[personas.x]\nbase = "y"\n[personas.y]\nbase = "x"',
        "personas.y.base",
        ("runs in a circle: x -> y -> x",),
    ),
    "persona on itself": ('[personas.x]\nbase = "x"', "personas.x.base", ("runs in a circle: x -> x",)),
    "personas no table": ("personas = 3", "personas", ("personas = 3", "a table of named tables")),
    "persona no table": ("[personas]\nx = 3", "personas.x", ("personas.x = 3", "a table with the keys knowledge")),
    "persona on no table": (
        '[personas]\nx = 3\n[personas.y]\nbase = "x"',
        "personas.x",
        ("personas.x = 3", "a table with the keys"),
    ),
    "unknown weight": (
        "[personas.x]\nweights = { gpa = 1 }",
        "personas.x.weights.gpa",
        ("unknown key personas.x.weights.gpa (value 1)", 'Did you mean "gap"?'),
    ),
    "weight nan": ("[personas.x]\nweights = { gap = nan }", "personas.x.weights.gap", ("= nan", "a finite number")),
    "weight inf": (
        "[personas.x]\nbluffer = { points = -inf }",
        "personas.x.bluffer.points",
        ("= -inf", "a finite number"),
    ),
    "weight too large": (
        "[personas.x]\nweights = { gap = 10.0, points = 2.0 }",
        "personas.x.weights.gap",
        ("do not fit 16 bits", "within 1024", "1082"),
    ),
    "temperature too large": (
        "[personas.x]\nbluffer = { temperature = 40.0 }",
        "personas.x.bluffer.temperature",
        ("= 40.0", "16 bits"),
    ),
    "temperature below 0": (
        "[personas.x]\nweights = { temperature = -0.1 }",
        "personas.x.weights.temperature",
        ("a finite number, at least 0",),
    ),
    "lie above 1": (
        "[personas.x]\nlies = { total = 1.5 }",
        "personas.x.lies.total",
        ("= 1.5", "a finite number from 0 to 1"),
    ),
    "lies summing above 1": (
        "[personas.x]\nlies = { total = 0.7, family = 0.4 }",
        "personas.x.lies",
        ("is the sum of total and family", "at most 1"),
    ),
    "lie of 61": ("[personas.x]\nlies = { size = 61 }", "personas.x.lies.size", ("from 1 to 60",)),
    "uniform fusion": (
        '[personas.x]\nbase = "random"\nmay_fuse = true',
        "personas.x.may_fuse",
        ("= true", 'choice = "uniform"', "expected false"),
    ),
    "unknown preset as base": (
        'base = "documentd"',
        "base",
        ('"documentd" is not a preset', "or the path of a .toml file", 'Did you mean "documented"?'),
    ),
    "base no text": ("base = 3", "base", ("base = 3", "a preset's name or another file")),
    "base missing": (
        'base = "other.toml"',
        "base",
        ("other.toml: there is no such file", "the base of", "an existing TOML file"),
    ),
    "base in a circle": ('base = "tweak.toml"', "base", ("runs in a circle: tweak.toml -> tweak.toml",)),
    "unknown game": ('game = "num_blu"', "game", ('game = "num_blu" is not a game', 'Did you mean "num_bluff"?')),
    "not TOML": ("[table]\nplayers = = 4", None, ("not TOML", "line 2", "expected TOML such as")),
}


@pytest.mark.parametrize("case", REFUSED)
def test_load__refused(case: str, tmp_path: Path) -> None:
    text, key, pieces = REFUSED[case]
    file = tmp_path / "tweak.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(file)
    message = str(caught.value)
    assert caught.value.key == key, message
    assert message.startswith(str(tmp_path)), message
    assert "expected" in message
    assert "\n" not in message
    assert [piece for piece in pieces if piece not in message] == [], message


def test_load__names_the_file_that_says_it(tmp_path: Path) -> None:
    (tmp_path / "lower.toml").write_text("[table]\nplayers = 9\n")
    (tmp_path / "upper.toml").write_text('base = "lower.toml"\n[table]\nhand_size = 4\n')
    with pytest.raises(ConfigError, match=r"lower\.toml: table\.players = 9"):
        load(tmp_path / "upper.toml")
    (tmp_path / "upper.toml").write_text('base = "lower.toml"\n[table]\nplayers = 8\n')
    with pytest.raises(ConfigError, match=r"upper\.toml: table\.players = 8"):
        load(tmp_path / "upper.toml")
    with pytest.raises(ConfigError, match=r"^override: table\.players = 7"):
        load(tmp_path / "upper.toml", overrides={"table.players": 7})


def test_load__counts_further_problems() -> None:
    with pytest.raises(ConfigError, match=r"\(2 more problems after this one\)"):
        load(overrides={"table.players": 7, "run.games": 0, "rules.last_tie": "coin"})


def test_load__file_not_utf8(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes("# règles".encode("latin-1"))
    with pytest.raises(
        ConfigError, match=r"latin\.toml: not UTF-8: byte 0xe8 at position 3; expected a TOML file saved as UTF-8\."
    ):
        load(file)


def test_load__file_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "notepad.toml"
    file.write_bytes(b"\xef\xbb\xbf[table]\r\nplayers = 5\r\n")
    assert load(file).players == 5


def test_load__missing_file_and_folder(tmp_path: Path) -> None:
    (tmp_path / "tweak.toml").write_text("")
    with pytest.raises(
        ConfigError, match=r'there is no such file; expected an existing TOML file\. Did you mean "tweak\.toml"\?'
    ):
        load(tmp_path / "tweek.toml")
    with pytest.raises(ConfigError, match=r"there is no such file; expected an existing TOML file\.$"):
        load(tmp_path / "nowhere" / "tweak.toml")
    with pytest.raises(ConfigError, match="this is a folder; expected a TOML file"):
        load(tmp_path)
    with pytest.raises(ConfigError, match="cannot be read: "):
        load(tmp_path / "tweak.toml" / "below.toml")


def test_load__file_and_preset_together() -> None:
    with pytest.raises(
        ConfigError, match=r'a file \(a\.toml\) and a preset \("random"\) are both given; expected one of the two'
    ):
        load("a.toml", preset="random")


def test_load__unknown_preset() -> None:
    with pytest.raises(
        ConfigError,
        match=r'"plays_to_wim" is not a preset; expected one of "documented".* Did you mean "plays_to_win"\?',
    ):
        load(preset="plays_to_wim")


def test_load__overrides_that_exclude_each_other() -> None:
    with pytest.raises(ConfigError, match=r"run\.games is given, and so is run = 3; expected one of the two"):
        load(overrides={"run": 3, "run.games": 5})


def test_load__override_key_without_name() -> None:
    with pytest.raises(ConfigError, match=r'"run\.\.games" is not a key'):
        load(overrides={"run..games": 3})
