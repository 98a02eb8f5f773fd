# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Few of all combinations, in which each two values of two factors meet."""

import itertools


def cover_pairs(*factors):
    """Returns combinations of one value of each factor, a list, so that any two values of any two factors are in one.

    Each combination begins with a pair that is open, and takes, factor by factor, the value that meets most others for
    the first time; among equals, the one that was taken least.
    """
    factors = [list(factor) for factor in factors]
    open_pairs = {
        ((a, i), (b, j))
        for a, b in itertools.combinations(range(len(factors)), 2)
        for i, j in itertools.product(range(len(factors[a])), range(len(factors[b])))
    }
    taken = [[0] * len(factor) for factor in factors]
    chosen = []
    for first in sorted(open_pairs):
        if first not in open_pairs:
            continue
        places = dict(first)
        for factor in range(len(factors)):
            if factor in places:
                continue

            def rank(place):
                new = sum(tuple(sorted([(factor, place), other])) in open_pairs for other in places.items())
                return new, -taken[factor][place]

            places[factor] = max(range(len(factors[factor])), key=rank)
        for factor, place in places.items():
            taken[factor][place] += 1
        open_pairs.difference_update(itertools.combinations(sorted(places.items()), 2))
        chosen.append(tuple(factors[factor][places[factor]] for factor in range(len(factors))))
    return chosen
