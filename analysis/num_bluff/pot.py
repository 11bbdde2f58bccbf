"""The cagnotte: how it grows, who wins it, what it decides (rule 8)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from numbluff_sim.analysis.metrics.tally_reader import ROUNDS
from numbluff_sim.analysis.num_bluff.sample import POT_EVENTS, Sample
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.intervals import histogram_mean, mean, proportion, quantile, shares
from numbluff_sim.analysis.statistics.waits import Waits
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES

QUANTILES = (10, 50, 90)


def pot_size(sample: Sample) -> Iterator[Estimator]:
    """Points in the pot after each round: mean and quantiles. One pot a game and round: independent."""
    games = sample.detail_games
    width = (
        sample.bin_width if sample.detail.mean({"pot_after": 1.0}) else 1
    )  # pots that are all empty are 0, not 0 to width - 1
    yield mean(
        "pot_after_mean",
        sample.detail.ratio({"pot_after": 1.0}, ROUNDS),
        n=sample.detail_rounds,
        denominator="rounds",
        games=games,
        unit="points",
        within=(0.0, sample.deck_points),
    )
    for r, counts in enumerate(sample.tally["pot_by_round"], start=1):
        yield histogram_mean(
            f"pot_mean_round_{r}", counts, denominator="games", games=games, unit="points", width=width
        )
        for percent in QUANTILES:
            yield quantile(
                f"pot_p{percent}_round_{r}",
                counts,
                percent / 100,
                denominator="games",
                games=games,
                unit="points",
                width=width,
            )


def pot_wins(sample: Sample) -> Iterator[Estimator]:
    """Pots won: by event, size, wait; what nobody gets; share of the winner's score."""
    games, width, effect, tally = sample.detail_games, sample.bin_width, sample.pot_effect, sample.tally
    yield sample.per_round("pot_won_per_round", *POT_EVENTS)
    yield from shares(
        [f"pot_won_by_{event}_share" for event in POT_EVENTS],
        [sample.total(event) for event in POT_EVENTS],  # each of them pays out the pot, whatever is in it
        denominator="pots won",
        games=sample.games,
        design_effect=effect,
    )
    by_event = {event: tally["pot_when_won"][EVENT_NAMES.index(event)] for event in POT_EVENTS}
    for event, counts in by_event.items():
        yield histogram_mean(
            f"pot_won_mean_{event}",
            counts,
            denominator="pots won",
            games=games,
            unit="points",
            width=width,
            design_effect=effect,
        )
    yield mean(
        "pot_won_mean_any",
        sample.every.ratio({"pot_won": 1.0}, dict.fromkeys(POT_EVENTS, 1.0)),
        n=sample.total(*POT_EVENTS),
        denominator="pots won",
        games=sample.games,
        unit="points",
        within=(0.0, sample.deck_points),
    )
    for event, counts in {**by_event, "any": sum(by_event.values())}.items():
        for percent in QUANTILES:
            yield quantile(
                f"pot_won_p{percent}_{event}",
                counts,
                percent / 100,
                denominator="pots won",
                games=games,
                unit="points",
                width=width,
                design_effect=effect,
            )
    yield from pot_waits(sample)
    yield sample.per_game("pot_left_per_game", "pot_left", unit="points", most=sample.deck_points)
    yield sample.per_game("pot_won_per_game", "pot_won", unit="points", most=sample.deck_points * sample.rounds)
    yield mean(
        "pot_unclaimed_share",
        sample.every.ratio({"pot_left": 1.0}, {"pot_left": 1.0, "pot_won": 1.0}),
        n=sample.total("pot_left", "pot_won"),
        denominator="points that entered the pot",
        games=sample.games,
        unit="share",
        within=(0.0, 1.0),
    )


def waits(sample: Sample) -> Waits:
    """How long pots wait for their winner, in the detail games: a wait starts with the game and with every win, and the
    last one of a game is cut off by its end.
    """
    tally, games = sample.tally, sample.detail_games
    wins = tally["round_events"][:, [EVENT_NAMES.index(event) for event in POT_EVENTS]].sum(axis=1)
    starts = np.concatenate([[sample.games], wins[:-1]]) * (games / max(sample.games, 1))
    played = np.concatenate([[games], tally["detail_rounds"]])
    seen = tally["pot_wait"][: sample.rounds + 1]
    return Waits(seen, starts, played, sample.pot_effect, games, "pots", "rounds")


def pot_waits(sample: Sample) -> Iterator[Estimator]:
    """Rounds until a pot is won: at most those of a game in the mean, quantiles infinite beyond them."""
    found = waits(sample)
    yield found.restricted_mean("pot_wait_mean")
    for percent in QUANTILES:
        yield found.quantile(f"pot_wait_p{percent}", percent / 100)


def pot_and_victory(sample: Sample) -> Iterator[Estimator]:
    """Share of the winner's score that came from the pot, in percent (sole winners)."""
    counts = sample.tally["pot_share"]
    sole = int(counts.sum())
    yield histogram_mean("pot_share_of_winner_mean", counts, denominator="sole winners", games=sole, unit="percent")
    for percent in QUANTILES:
        yield quantile(
            f"pot_share_of_winner_p{percent}",
            counts,
            percent / 100,
            denominator="sole winners",
            games=sole,
            unit="percent",
        )
    yield proportion(
        "winner_owes_half_to_pot_share",
        int(counts[50:].sum()),
        sole,
        denominator="sole winners",
        games=sole,
        gate=sample.gate,
    )
