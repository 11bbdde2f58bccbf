"""How often each rule fires: events, exact hits and their mechanism, gaps, ties, mishaps of deck and hand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from numbluff_sim.analysis.num_bluff.sample import Sample
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.intervals import histogram_mean, inverse, proportion, quantile, shares
from numbluff_sim.games.num_bluff.code_names import MECHANISM_NAMES, TIE_NAMES
from numbluff_sim.games.num_bluff.rules_section import EVENT_GROUPS, EVENT_NAMES

DISPUTES = ("closest", "farthest")
EXACT_KINDS = ("exact_one_family", "exact_printed", "exact_printed_one_family")


def events(sample: Sample) -> Iterator[Estimator]:
    """Every event per round and per game, games with at least one, one game in how many."""
    for event in EVENT_NAMES:
        yield sample.per_round(f"{event}_per_round", event)
    for group, members in EVENT_GROUPS.items():
        yield sample.per_round(f"{group}_per_round", *members)
    for event in EVENT_NAMES:
        yield sample.per_game(f"{event}_per_game", event, unit="rounds", most=sample.rounds)
    for event, games_with in zip(EVENT_NAMES, sample.tally["games_with"], strict=True):
        share = sample.game_share(f"games_with_{event}", int(games_with))
        yield share
        yield inverse(f"games_per_{event}", share, unit="games")
    yield sample.per_round("miroir_several_per_round", "miroir_several")


def events_by_round(sample: Sample) -> Iterator[Estimator]:
    """`{event}_round_{r}`: share of the rounds of this number (1 = first) that ended with the event. One round a
    game: independent.
    """
    for r, counts in enumerate(sample.tally["round_events"], start=1):
        for event, hits in zip(EVENT_NAMES, counts, strict=True):
            yield proportion(
                f"{event}_round_{r}",
                int(hits),
                int(counts.sum()),
                denominator="rounds",
                games=sample.games,
                gate=sample.gate,
            )


def exact_hits(sample: Sample) -> Iterator[Estimator]:
    """Exact players, exact values' kinds, mechanisms."""
    tally, effect = sample.tally, sample.player_effect
    yield sample.per_player_round("exact_per_player_round", "exact", sample.others)
    everyone, _, *kinds, bluffer = (int(count) for count in tally["exact_kinds"])
    for name, hits in zip(EXACT_KINDS, kinds, strict=True):
        yield proportion(
            f"{name}_per_player_round",
            hits,
            everyone,
            denominator="player-rounds",
            games=sample.detail_games,
            design_effect=effect,
            gate=sample.gate,
        )
    yield proportion(
        "bluffer_one_family_per_round",
        bluffer,
        sample.detail_rounds,
        denominator="rounds",
        games=sample.detail_games,
        design_effect=sample.round_effect,
        gate=sample.gate,
    )
    exact_players = tally["exact_players"]
    yield proportion(
        "several_exact_per_round",
        int(exact_players[2:].sum()),
        int(exact_players.sum()),
        denominator="rounds",
        games=sample.detail_games,
        design_effect=sample.round_effect,
        gate=sample.gate,
    )
    yield from shares(
        [f"mechanism_{name}_share" for name in MECHANISM_NAMES[1:]],
        tally["mechanism"].sum(axis=0)[1:],
        denominator="exact player-rounds",
        games=sample.detail_games,
        design_effect=effect,
    )


def gaps_and_ties(sample: Sample) -> Iterator[Estimator]:
    """Gaps of closest and farthest, how disputes were settled (rule 7)."""
    games, effect = sample.detail_games, sample.round_effect
    for dispute, ties in zip(DISPUTES, sample.tally["ties"], strict=True):
        counts = sample.tally[f"gap_{dispute}"]
        yield histogram_mean(
            f"gap_{dispute}_mean", counts, denominator="rounds", games=games, unit="gap", design_effect=effect
        )
        for percent in (10, 50, 90):
            yield quantile(
                f"gap_{dispute}_p{percent}",
                counts,
                percent / 100,
                denominator="rounds",
                games=games,
                unit="gap",
                design_effect=effect,
            )
        yield from shares(
            [f"{dispute}_by_{name}_share" for name in TIE_NAMES],
            ties,
            denominator="rounds",
            games=games,
            design_effect=effect,
        )


def table_and_deck(sample: Sample) -> Iterator[Estimator]:
    """Recycled decks, early ends, options, refills, empty hands, hand sizes (T6-T8)."""
    tally, games = sample.tally, sample.detail_games
    slots = sample.rounds * sample.players
    yield sample.per_game("recycles_per_game", "recycles", unit="recycles", most=sample.rounds)
    yield sample.per_game("rounds_per_game", "rounds", unit="rounds", most=sample.rounds)
    yield sample.game_share("early_end_per_game", sample.games - int(tally["round_events"][-1].sum()))
    yield sample.per_game("fusions_per_game", "fusions", unit="fusions", most=slots)
    yield sample.per_game("options_per_game", "options", unit="options", most=slots)
    yield sample.per_game("refills_per_game", "refills", unit="cards", most=slots)
    yield sample.per_game("empty_hands_per_game", "empty_hands", unit="hands", most=slots)
    hands, unexplained, games_unexplained = (int(count) for count in tally["hand_unexplained"])
    yield sample.game_share("hand_unexplained_per_game", games_unexplained, of=games)
    yield proportion(
        "hand_unexplained_per_player_round",
        unexplained,
        hands,
        denominator="player-rounds",
        games=games,
        design_effect=sample.rounds * sample.players,
        gate=sample.gate,
    )
    for r, counts in enumerate(tally["hand_size"], start=1):
        yield histogram_mean(
            f"hand_mean_round_{r}",
            counts,
            denominator="player-rounds",
            games=games,
            unit="cards",
            design_effect=sample.players,
        )


def hand_shares(sample: Sample, round_number: int) -> list[Estimator]:
    """Share of each hand size 0, 1, ... after a round (1 = first); hands of one game counted as one."""
    counts = sample.tally["hand_size"][round_number - 1]
    used = int(np.flatnonzero(counts).max(initial=0)) + 1
    return shares(
        [f"hand_{size}_share_round_{round_number}" for size in range(used)],
        counts[:used],
        denominator="player-rounds",
        games=sample.detail_games,
        design_effect=sample.players,
    )
