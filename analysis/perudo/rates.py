"""What happens in a round: events, length, bids, challenges and how well stated chances are calibrated, cups."""

from __future__ import annotations

from collections.abc import Iterator

from numbluff_sim.analysis.metrics.tally_reader import ROUNDS
from numbluff_sim.analysis.perudo.sample import (
    BINS,
    CHALLENGED,
    CHALLENGED_2,
    CHALLENGED_BOTH,
    CHALLENGED_TRUE,
    CHALLENGED_TRUE_2,
    FACED,
    FACED_2,
    FACED_CHALLENGED,
    FACED_TRUE,
    ROUND_EVENTS,
    TRUE,
    TRUE_2,
    Sample,
)
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.intervals import histogram_mean, quantile, shares
from numbluff_sim.games.perudo.code_names import OPENER_NAMES

QUANTILES = (10, 50, 90)


def events(sample: Sample) -> Iterator[Estimator]:
    """What can happen in a round, as shares of all rounds (R8-R10, R15)."""
    for event, variable in ROUND_EVENTS.items():
        yield sample.per_round(f"{event}_per_round", variable)


def length(sample: Sample) -> Iterator[Estimator]:
    """Rounds of a game, bids of a round; rounds with D dice in play occur at most once a game."""
    games, rounds = sample.detail_games, sample.total("rounds")
    yield sample.per_game("rounds_per_game", "rounds", unit="rounds", most=sample.rounds)
    for percent in QUANTILES:
        yield quantile(
            f"rounds_p{percent}", sample.tally["length"], percent / 100, denominator="games", games=games, unit="rounds"
        )
    most = float(sample.tally["round_bids"].shape[1] - 1)
    yield sample.per_game("bids_per_game", "bids", unit="bids", most=most * sample.rounds)
    yield sample.ratio("bids_per_round", {"bids": 1.0}, ROUNDS, n=rounds, denominator="rounds", unit="bids", most=most)
    by_dice = sample.tally["round_bids"]
    for percent in QUANTILES:
        yield quantile(
            f"bids_p{percent}",
            by_dice.sum(axis=0),
            percent / 100,
            denominator="rounds",
            games=games,
            unit="bids",
            design_effect=sample.round_effect,
        )
    for dice in range(2, sample.dice_in_all + 1):
        yield histogram_mean(f"bids_at_{dice}_dice", by_dice[dice], denominator="rounds", games=games, unit="bids")


def challenges(sample: Sample) -> Iterator[Estimator]:
    """How often a bid is challenged, how often the challenger is right, bids on stars."""
    yield sample.share_of("challenge_per_bid", "rounds", {"bids": 1.0}, denominator="bids")
    rounds, effect = sample.total("rounds"), sample.round_effect
    right = sample.per_round("", "bid_true")
    yield _complement("challenge_right_per_round", right)
    stats = sample.tally["bid_quantity"].sum(axis=(0, 1))
    yield sample.detail_share(
        "challenged_stars_per_round", stats[2], stats[0], denominator="rounds", design_effect=effect
    )
    yield sample.detail_share(
        "challenged_stars_true_share", stats[3], stats[2], denominator="challenged bids on stars", design_effect=effect
    )
    yield sample.ratio(
        "opener_in_challenge_per_round",
        {"opener_lost": 1.0, "opener_won": 1.0},
        ROUNDS,
        n=rounds,
        denominator="rounds",
        unit="share",
        most=1.0,
    )


def _complement(name: str, share: Estimator) -> Estimator:
    """1 - share."""
    return Estimator(
        name,
        1 - share.value,
        share.n,
        share.denominator,
        share.method,
        share.unit,
        share.games,
        lambda alpha: (1 - share.bounds(alpha)[1], 1 - share.bounds(alpha)[0]),
    )


def calibration(sample: Sample) -> Iterator[Estimator]:
    """By the chance that a bid is true as the next player sees it, in steps of 5 %: how often it is challenged, how
    often it was true.

    A game holds many bids of one bin, so that errors come from the squares and products of a game's counts.
    """
    for bin_, row in enumerate(sample.tally["calibration"]):
        stats = [int(stat) for stat in row]
        faced, challenged = stats[FACED], stats[CHALLENGED]
        yield sample.paired_share(
            f"true_at_{bin_}",
            (stats[TRUE], faced),
            (stats[TRUE_2], stats[FACED_2]),
            stats[FACED_TRUE],
            denominator="bids",
        )
        yield sample.paired_share(
            f"challenged_at_{bin_}",
            (challenged, faced),
            (stats[CHALLENGED_2], stats[FACED_2]),
            stats[FACED_CHALLENGED],
            denominator="bids",
        )
        yield sample.paired_share(
            f"challenged_true_at_{bin_}",
            (stats[CHALLENGED_TRUE], challenged),
            (stats[CHALLENGED_TRUE_2], stats[CHALLENGED_2]),
            stats[CHALLENGED_BOTH],
            denominator="challenged bids",
        )


def bin_middle(bin_: int) -> float:
    """The middle of a bin of stated chances."""
    return (bin_ + 0.5) / BINS


def openers(sample: Sample) -> Iterator[Estimator]:
    """Why the opener opens, and how often the opener loses the round's die."""
    stats = sample.tally["opener"]
    effect, games = sample.round_effect, sample.detail_games
    yield from shares(
        [f"opened_by_{rule}_share" for rule in OPENER_NAMES],
        stats[:, 0],
        denominator="rounds",
        games=games,
        design_effect=effect,
    )
    for rule, (rounds, lost, _, _) in zip(OPENER_NAMES, stats, strict=True):
        yield sample.detail_share(
            f"opened_by_{rule}_lost_share", lost, rounds, denominator="rounds", design_effect=effect
        )


def cups(sample: Sample) -> Iterator[Estimator]:
    """Cups lifted at a challenge, and dice that nobody ever sees (R19)."""
    rounds, games = sample.total("rounds"), sample.detail_games
    yield sample.ratio(
        "cups_lifted_per_round",
        {"cups_lifted": 1.0},
        ROUNDS,
        n=rounds,
        denominator="rounds",
        unit="cups",
        most=float(sample.players),
    )
    on_table, dice = sample.total("cups"), sample.total("dice")
    yield sample.ratio(
        "cups_lifted_share", {"cups_lifted": 1.0}, {"cups": 1.0}, n=on_table, denominator="cups", unit="share", most=1.0
    )
    yield sample.ratio(
        "dice_hidden_share",
        {"dice": 1.0, "dice_shown": -1.0},
        {"dice": 1.0},
        n=dice,
        denominator="dice",
        unit="share",
        most=1.0,
    )
    for players in range(2, sample.players + 1):
        lifted = sample.tally["cups"][players]
        yield histogram_mean(
            f"cups_lifted_of_{players}",
            lifted,
            denominator="rounds",
            games=games,
            unit="cups",
            design_effect=sample.round_effect,
        )
        yield sample.detail_share(
            f"all_cups_of_{players}_share",
            lifted[players],
            lifted.sum(),
            denominator="rounds",
            design_effect=sample.round_effect,
        )
