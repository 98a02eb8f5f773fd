# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The baseline: an interpolated Kneser-Ney model of n-grams, in nats a token."""

import numpy


def codes(stream, order, vocabulary):
    """Every n-gram of the stream as one integer, oldest token first."""
    grams = numpy.zeros(len(stream) - order + 1, dtype=numpy.int64)
    for place in range(order):
        grams = grams * vocabulary + stream[place : len(stream) - order + 1 + place]
    return grams


def look_up(table, values, wanted):
    """values[i] where wanted == table[i], 0 where it is in no place of the table."""
    places = numpy.minimum(numpy.searchsorted(table, wanted), len(table) - 1)
    return numpy.where(table[places] == wanted, values[places], 0)


def discount(counts):
    once, twice = (counts == 1).sum(), (counts == 2).sum()
    return once / max(once + 2 * twice, 1)


def probabilities(train, test, order, vocabulary):
    """P(last token | the order - 1 before it) for every n-gram of the test stream."""
    test = test.astype(numpy.int64)
    result = numpy.full(len(test) - order + 1, 1 / vocabulary)
    for length in range(1, order + 1):
        if length == order:
            grams, counts = numpy.unique(codes(train, length, vocabulary), return_counts=True)
        else:  # How many different tokens came before it, not how often it came.
            longer = numpy.unique(codes(train, length + 1, vocabulary))
            grams, counts = numpy.unique(longer % vocabulary**length, return_counts=True)
        less = discount(counts)
        histories, starts = numpy.unique(grams // vocabulary, return_index=True)
        totals = numpy.add.reduceat(counts, starts)
        kinds = numpy.diff(numpy.append(starts, len(grams)))

        wanted = codes(test, length, vocabulary)[order - length :]
        count = look_up(grams, counts, wanted)
        total = look_up(histories, totals, wanted // vocabulary)
        kind = look_up(histories, kinds, wanted // vocabulary)
        known = total > 0
        shares = numpy.maximum(count - less, 0) + less * kind * result
        result = numpy.where(known, shares / numpy.maximum(total, 1), result)
    return result


def loss(train, test, order, vocabulary):
    """Mean negative log-likelihood; the first order - 1 tokens are not scored."""
    return float(-numpy.log(probabilities(train, test, order, vocabulary)).mean())
