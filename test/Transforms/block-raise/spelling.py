# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The list of spellings; writers.py prints each as several tools do.

A spelling is a function of a Case that returns the value of one piece; `expect` is found in the op that it becomes.
"""

import collections

B, T, S, H, DH = 2, 7, 5, 6, 4
D = H * DH


class Case:
    """One spelling within a function: its arguments have names of their own, the stream is shared."""

    def __init__(self, writer, x, prefix):
        self.w, self.x, self.prefix, self.count = writer, x, prefix, 0

    def weight(self, *shape, element="f32"):
        return self.data(shape, element)

    def data(self, shape, element="f32", attributes=""):
        self.count += 1
        return self.w.argument(f"{self.prefix}_{self.count}", shape, element, attributes)


Spelling = collections.namedtuple("Spelling", "construct how expect tools function")
SPELLINGS = []


def spelling(construct, how, expect, tools="tosa tflite linalg primitive mapped stablehlo"):
    def register(function):
        SPELLINGS.append(Spelling(construct, how, expect, tools.split(), function))
        return function
    return register


def project(c, x, out, bias=False):
    """[B, T, D] times weights [out, D]."""
    y = c.w.einsum("btd,ed->bte", x, c.weight(out, x.shape[-1]))
    return c.w.add(y, c.weight(out)) if bias else y


def positions(c, n=T, element="i64"):
    """A column and a row of 0, 1, .."""
    row = c.w.iota(n, element)
    return c.w.reshape(row, (n, 1)), c.w.reshape(row, (1, n))
