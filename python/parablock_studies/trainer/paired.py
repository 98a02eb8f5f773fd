# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differences over seeds, with the interval that Student's t gives them."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Sequence

LEVEL = 0.95


@dataclasses.dataclass(frozen=True)
class Difference:
    """A mean of differences, its interval, and the probability of one as far from 0."""

    mean: float
    low: float
    high: float
    p: float
    count: int


def compare(values: Sequence[float], others: Sequence[float]) -> Difference | None:
    """Compares `values` with `others`, pair by pair; None for fewer than two pairs.

    >>> found = compare([3.0, 5.0, 7.0], [1.0, 2.0, 3.0])
    >>> found.mean, round(found.low, 4), round(found.high, 4), round(found.p, 4)
    (3.0, 0.5159, 5.4841, 0.0351)
    """
    differences = [a - b for a, b in zip(values, others, strict=True)]
    count = len(differences)
    if count < 2:
        return None
    mean = statistics.mean(differences)
    error = statistics.stdev(differences) / math.sqrt(count)
    reach = find_quantile(LEVEL, count - 1) * error
    if error > 0:
        p = 1 - get_share(abs(mean) / error, count - 1)
    else:
        p = 1.0 if mean == 0 else 0.0
    return Difference(mean, mean - reach, mean + reach, p, count)


def get_share(t: float, degrees: int) -> float:
    """Returns the share of Student's distribution within `t` of 0, by its finite sum.

    >>> round(get_share(12.7062, 1), 6), round(get_share(2.0, 10), 6)
    (0.95, 0.926612)
    """
    angle = math.atan(t / math.sqrt(degrees))
    cosine = math.cos(angle)
    is_odd = degrees % 2
    term, total = (cosine, 0.0) if is_odd else (1.0, 0.0)
    # Each term has two degrees more than the one before.
    for k in range(3 if is_odd else 2, degrees + 1, 2):
        total += term
        term *= cosine**2 * (k - 1) / k
    if not is_odd:
        return math.sin(angle) * total
    return 2 / math.pi * (angle + math.sin(angle) * total)


def find_quantile(share: float, degrees: int) -> float:
    """Returns the distance from 0 within which that share of the distribution lies.

    >>> [round(find_quantile(0.95, degrees), 4) for degrees in (1, 2, 3, 10, 30)]
    [12.7062, 4.3027, 3.1824, 2.2281, 2.0423]
    """
    low, high = 0.0, 1.0
    while get_share(high, degrees) < share:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if get_share(middle, degrees) < share else (low, middle)
    return high


def find_significant(probabilities: Sequence[float]) -> list[bool]:
    """Returns the differences that are significant together, by Holm's procedure.

    >>> find_significant([0.04, 0.001, 0.03])
    [False, True, False]
    """
    order = sorted(range(len(probabilities)), key=lambda i: probabilities[i])
    found = [False] * len(probabilities)
    for rank, index in enumerate(order):
        if probabilities[index] > (1 - LEVEL) / (len(order) - rank):
            break
        found[index] = True
    return found
