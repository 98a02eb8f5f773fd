# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triples, and few of them that meet every pair."""

import itertools


def all_triples(sources, operations, sinks):
    return list(itertools.product(sources, operations, sinks))


def triples_of_week(sources, operations, sinks, week):
    """Returns one of as many parts of all triples as there are sinks. Each source and operation meet once in it, and
    each two values of others at least once."""
    places = itertools.product(enumerate(sources), enumerate(operations), enumerate(sinks))
    return [(source, operation, sink) for (i, source), (j, operation), (k, sink) in places
            if (i + j + k + week) % len(sinks) == 0]


def cover_pairs(sources, operations, sinks, cost):
    """For each source and operation a sink: one that neither has met, else the cheapest."""
    open_pairs = set(itertools.product(sources, sinks)) | set(itertools.product(operations, sinks))
    triples = []

    def add(source, operation, sink):
        open_pairs.difference_update({(source, sink), (operation, sink)})
        triples.append((source, operation, sink))

    # Along diagonals, so that sources and operations meet new sinks together.
    for shift, (number, source) in itertools.product(range(len(operations)), enumerate(sources)):
        operation = operations[(number + shift) % len(operations)]
        new = {sink: len({(source, sink), (operation, sink)} & open_pairs) for sink in sinks}
        add(source, operation, min(sinks, key=lambda sink: (new[sink] < 2, cost(sink))))
    for first, sink in sorted(open_pairs):
        if (first, sink) not in open_pairs:
            continue
        add(*((first, operations[0]) if first in sources else (sources[0], first)), sink)
    return triples
