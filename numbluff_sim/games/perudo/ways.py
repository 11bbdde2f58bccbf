"""What can be varied in Perudo's ways of playing (docs/games/perudo/PLAY.md section 3)."""

from __future__ import annotations

from numbluff_sim.contract.ways import Habit, Parameter, Ways, parameters_of
from numbluff_sim.games.perudo.config import KEYS, Persona, PerudoConfig
from numbluff_sim.i18n import bilingual

ABOUT = {
    "challenge_one_in": ("decisions", "random play challenges one time in so many"),
    "challenge_below": ("chance", "challenges a bid that is less likely than this"),
    "raise_at_least": ("chance", "bids if the likeliest of the lowest bids is at least so likely"),
    "doubt_below": ("chance", "else challenges a bid that is less likely than this"),
    "open_at_least": ("chance", "opens with a bid that is at least so likely"),
    "sharpness": ("1", "how sharply rivals are thought to doubt"),
    "fields_beyond": ("fields", "how many fields beyond the current one are looked at"),
    "first_bid_weight": ("dice", "what one matching die adds to a rival's hand after a first bid on a face"),
    "raise_weight": ("dice", "what one matching die adds to a rival's hand after a raise of another's bid"),
    "opens": ("bid", "the scripted opening: one, or a third of the dice"),
}


def parameters(config: PerudoConfig, persona: str) -> tuple[Parameter, ...]:
    """The keys that the persona's strategy reads."""
    own = KEYS[config.personas[persona].strategy]
    return parameters_of(Persona, {key: about for key, about in ABOUT.items() if key in own})


WORDS = "numbluff_sim.games.perudo:habits"
NO_BELIEF = {"first_bid_weight": 0.0, "raise_weight": 0.0}
HABITS = (Habit("listening_to_bids", {}, NO_BELIEF, bilingual(WORDS, "habits.listening_to_bids")),)


WAYS = Ways(
    parameters,
    restrictions={"no_belief": NO_BELIEF},
    starts=("threshold", "value", "bayes", "equilibrium"),
    habits=HABITS,
)
