"""Random numbers of one game (docs/RANDOM_NUMBERS.md): every draw is a pure function of (seed, game, counter)."""

from __future__ import annotations

from dataclasses import dataclass

WORD = 2**64
GAMMA = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """The 64-bit finaliser that turns a counter into a random word."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


@dataclass(frozen=True)
class Randomness:
    """The draws of game number `game` under `seed`."""

    seed: int
    game: int

    def word(self, counter: int) -> int:
        """The 64-bit word that game 4i shares with games 4i+1 .. 4i+3."""
        key = mix((self.seed + 0x632BE59BD9B4E019) % WORD)
        return mix((key + (self.game // 4 * 2**23 + counter) * GAMMA) % WORD)

    def bits(self, counter: int) -> int:
        """16 random bits."""
        return self.word(counter) >> 16 * (self.game % 4) & 0xFFFF

    def below(self, counter: int, n: int) -> int:
        """An exactly uniform integer in 0..n-1."""
        product = self.bits(counter) * n
        attempt = 0
        while product % 65536 < 65536 % n:
            attempt += 1
            retry = mix((self.word(counter) + attempt * 0xD1342543DE82EF95 + self.game % 4) % WORD)
            product = (retry >> 48) * n
        return product // 65536


def arrange(things: list[int], ranks: list[int]) -> list[int]:
    """The order that `ranks` describes: the k-th taken is the ranks[k]-th smallest thing not yet taken."""
    remaining = sorted(things)
    return [remaining.pop(rank) for rank in ranks]
