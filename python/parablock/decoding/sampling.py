# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which token comes next: filters of logits as transformers has them, and a draw."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from parablock.errors import Error

Array = np.ndarray[Any, Any]


@dataclasses.dataclass(frozen=True)
class Sampling:
    """How tokens are chosen: the likeliest one at temperature 0."""

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0

    def check(self) -> None:
        """An error that names what is out of its range."""
        _check_number("temperature", self.temperature, 0, math.inf)
        _check_number("top_p", self.top_p, 0, 1)
        _check_number("min_p", self.min_p, 0, 1)
        _check_number("repetition_penalty", self.repetition_penalty, 0, math.inf)
        if self.repetition_penalty == 0:
            raise Error("repetition_penalty: expected more than 0, got 0")
        if isinstance(self.top_k, bool) or not isinstance(self.top_k, int | np.integer):
            raise Error(f"top_k: expected a whole number, got {self.top_k!r}")
        if self.top_k < 0:
            raise Error(f"top_k: expected 0 (all tokens) or more, got {self.top_k}")

    def filter(self, logits: Array, seen: Array | None) -> Array:
        """Scores [rows, vocabulary] whose softmax tokens are drawn from.

        `seen` says of each token whether its row has it already.
        """
        # Copied by what changes them alone.
        scores = logits.astype(np.float32, copy=False)
        if seen is not None and self.repetition_penalty != 1:
            scores = penalise(scores, seen, self.repetition_penalty)
        if self.temperature == 0:
            return scores
        if self.temperature != 1:
            scores = scores / np.float32(self.temperature)
        if self.top_k:
            scores = keep_best(scores, self.top_k)
        if self.top_p < 1:
            scores = keep_mass(scores, self.top_p)
        if self.min_p > 0:
            scores = keep_likely(scores, self.min_p)
        return scores


def _check_number(name: str, value: Any, least: float, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise Error(f"{name}: expected a number, got {value!r}")
    if not (least <= value <= most and math.isfinite(value)):
        wanted = f"from {least} on" if most == math.inf else f"from {least} to {most}"
        raise Error(f"{name}: expected a number {wanted}, got {value}")


def penalise(scores: Array, seen: Array, penalty: float) -> Array:
    """Makes tokens that were there before less likely by a factor."""
    factor = np.float32(penalty)
    return np.where(seen, np.where(scores < 0, scores * factor, scores / factor), scores)


def keep_best(scores: Array, count: int) -> Array:
    """The `count` best tokens, and what is as good as the last of these.

    >>> keep_best(np.array([[1.0, 3.0, 2.0]]), 2)
    array([[-inf,   3.,   2.]])
    """
    place = scores.shape[1] - min(count, scores.shape[1])
    least = np.partition(scores, place, axis=1)[:, place, None]
    return np.where(scores < least, -np.inf, scores)


def keep_mass(scores: Array, mass: float) -> Array:
    """The fewest tokens, from the best one on, whose probabilities sum to `mass`."""
    ordered = np.sort(scores, axis=1)
    sums = np.cumsum(softmax(ordered), axis=1, dtype=ordered.dtype)
    dropped = sums <= ordered.dtype.type(1 - mass)
    # The best one stays whatever it is.
    dropped[:, -1] = False
    kept = scores.copy()
    for row, count in enumerate(dropped.sum(1)):
        least = ordered[row, count]
        below = scores[row] < least
        kept[row, below] = -np.inf
        # Of equals the first ones go.
        equal = np.flatnonzero(scores[row] == least)
        kept[row, equal[: count - below.sum()]] = -np.inf
    return kept


def keep_likely(scores: Array, share: float) -> Array:
    """Tokens of at least that share of the best one's probability."""
    chances = softmax(scores)
    best = chances.max(1, keepdims=True)
    return np.where(chances < chances.dtype.type(share) * best, -np.inf, scores)


def softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(1, keepdims=True))
    chances: Array = powers / powers.sum(1, keepdims=True)
    return chances


class Sampler:
    """Draws tokens; each row has random numbers of its own, which a seed repeats."""

    def __init__(self, sampling: Sampling, seed: int | None, rows: int) -> None:
        sampling.check()
        if seed is not None and (
            isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0
        ):
            raise Error(f"seed: expected None or a whole number from 0 on, got {seed!r}")
        self._sampling = sampling
        sequence = np.random.SeedSequence(None if seed is None else int(seed))
        self._draws = [np.random.Generator(np.random.PCG64(s)) for s in sequence.spawn(rows)]

    def choose(self, logits: Array, seen: Array | None) -> Array:
        """The next token of each row."""
        scores = self._sampling.filter(logits, seen)
        if self._sampling.temperature == 0:
            best: Array = scores.argmax(1)
            return best
        sums = np.cumsum(softmax(scores.astype(np.float64)), axis=1)
        points = [draw.random() for draw in self._draws] * sums[:, -1]
        # The first token whose sum is beyond the point.
        return np.array(
            [
                np.searchsorted(row, point, "right")
                for row, point in zip(sums, points, strict=True)
            ]
        )
