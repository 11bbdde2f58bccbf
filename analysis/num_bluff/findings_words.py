"""The words and numbers that the texts of findings name, beside the metric that tripped the limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from numbluff_sim.analysis.num_bluff.figures import DOCUMENTED_PLAYERS
from numbluff_sim.analysis.num_bluff.metric_words import event_titles
from numbluff_sim.analysis.report.figures import seat_words
from numbluff_sim.analysis.report.findings import ENDS, Fillings
from numbluff_sim.analysis.report.measured_runs import LabelledRun, Study
from numbluff_sim.analysis.report.ways_of_playing import AHEAD, persona_words


def more_words(study: Study, one: LabelledRun, finding: str, about: str) -> Fillings:
    """Placeholder -> text or estimate, for a finding about a run (`about`: the event, for findings told of several)."""
    if about:
        return _rarity(study, one, about)
    return MORE_WORDS[finding](study, one) if finding in MORE_WORDS else {}


def _rarity(study: Study, one: LabelledRun, event: str) -> Fillings:
    games_per = one.estimates[f"games_per_{event}"]
    words: Fillings = {
        "event": event_titles(study.words.language)[event],
        "at_least": study.numbers.integer(games_per.low),
    }
    return words | {"games_per": games_per, "per_round": one.estimates[f"{event}_per_round"]}


def _deck(study: Study, one: LabelledRun) -> Fillings:
    """What hands and visible cards take, and what is drawn beyond them, where anything is."""
    table = one.run.config.table
    beyond = {what: one.estimates[f"{what}_per_game"] for what in ("refills", "options")}
    drawn = any(estimate.value > 0 for estimate in beyond.values())
    told = {what: study.plain(estimate) for what, estimate in beyond.items()}
    words: Fillings = {f"{ENDS}{what}": estimate for what, estimate in beyond.items()} if drawn else {}
    return words | {
        "beyond": study.text("findings_more.deck_beyond", **told) if drawn else "",
        "needed": str(one.players * (table.hand_size + one.rounds)),
        "cards": str(len(one.run.config.deck.cards)),
        "rounds": str(one.rounds),
    }


def _empty_pot(study: Study, one: LabelledRun) -> Fillings:
    why = study.text("findings_more.pot_of_three") if one.players == 3 else ""
    return {"won": one.estimates["pot_won_per_game"], "why": why}


def _hands(study: Study, one: LabelledRun) -> Fillings:
    """Hands at the start and at the end, fusions, and whether a ruling gives back what they cost."""
    refilled = one.run.config.rules.refill_after_fusion
    return {
        "fusions": one.estimates["fusions_per_game"],
        "hand": one.estimates[f"hand_mean_round_{one.rounds}"],
        "start": str(one.run.config.table.hand_size),
        "unexplained": one.estimates["hand_unexplained_per_player_round"],
        "cost": study.text(f"findings_more.fusion_{'refilled' if refilled else 'costs'}"),
    }


def _frappe(study: Study, one: LabelledRun) -> Fillings:
    """What the rulebook says of the rate, which it gives for 4 players, beside that of a run with as many."""
    if one.players == DOCUMENTED_PLAYERS:
        return {"book": study.text("findings_more.book_here")}
    like = next((run for run in study.of(one.label) if run.players == DOCUMENTED_PLAYERS), None)
    if like is None:
        return {"book": study.text("findings_more.book_elsewhere")}
    rate = like.estimates["frappe_parfaite_per_round"]
    return {"book": study.text("findings_more.book_beside", rate=study.plain(rate))}


def _metrics(names: Mapping[str, str]) -> Callable[[Study, LabelledRun], Fillings]:
    return lambda _, one: {name: one.estimates[metric] for name, metric in names.items()}


_POT_LEFT = _metrics({"left": "pot_left_per_game"})
_LYING = _metrics({"honest": "honest_points_per_round", "lying": "lying_points_per_round", "lies": "lies_per_round"})
_BLUFFER = _metrics({"bluffer": "bluffer_points_per_round", "others": "other_points_per_round"})
_FUSING = _metrics(
    {
        "fusion": "fusion_points",
        "single": "single_points",
        "exact": "fusion_exact_share",
        "single_exact": "single_exact_share",
    }
)

MORE_WORDS: dict[str, Callable[[Study, LabelledRun], Fillings]] = {
    "pot_never_fills": _empty_pot,
    "deck_runs_out": _deck,
    "games_end_early": _metrics({"rounds": "rounds_per_game"}),
    "hand_shrinks": _hands,
    "hand_unexplained": _hands,
    "frappe_too_common": _frappe,
    "coup_de_maitre_rules": _metrics({"bonus": "coup_de_maitre_bonus_per_round"}),
    "pot_unclaimed": _POT_LEFT,
    "pot_is_claimed": _POT_LEFT,
    "seat_unfair": seat_words,
    "seats_are_even": seat_words,
    AHEAD.finding: persona_words,
    **dict.fromkeys(("lies_seen_with_more", "lies_seen_with_less"), _LYING),
    **dict.fromkeys(("bluffer_too_strong", "bluffer_too_weak"), _BLUFFER),
    **dict.fromkeys(("fusions_seen_with_more", "fusions_seen_with_less"), _FUSING),
}
