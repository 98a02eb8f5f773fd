# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What cannot hold, and the words in which it is refused."""

import dataclasses
import fnmatch
import re

ANY = "*"
GPU = ("sm_80", "sm_90a", "package")


@dataclasses.dataclass
class Refusal:
    sources: tuple | str
    operations: tuple | str
    sinks: tuple | str
    #: A regular expression for the error.
    words: str
    #: For some of the sources alone, which nobody lists.
    may_hold: bool = False

    def covers(self, *way):
        def fits(name, patterns):
            return any(fnmatch.fnmatch(name, each) for each in ([patterns] if isinstance(patterns, str) else patterns))

        return all(fits(name, each) for name, each in zip(way, (self.sources, self.operations, self.sinks)))

    def matches(self, text):
        return re.search(self.words, text)


REFUSALS = [
    Refusal(ANY, "shard", "cpu", r"engine 'cpu' runs a single rank per process"),
    Refusal(ANY, "shard", GPU, r"engine 'emulate' runs a single rank|no GPU code for '"),
    # TOSA's shapes are numbers.
    Refusal(("jax-symbolic", "torch-gpt2"), "tosa", ANY, r"needs a sequence length that is a number at this level"),
    # A second stream is no chain of sublayers.
    Refusal("tm-cross-safe", "drift", ANY, r"layer 0 .*: expected layers of one stack, got a cross-attention"),
    # block-drift opens all rows, and calls those of an input with no names of dimensions 'batch'.
    Refusal("tm-torch_pre_gelu-linalg-open", "drift", ANY, r"\('batch'\) has no size; give one with --dims=batch=SIZE"),
    # Rows are the first dimension of what drift draws.
    Refusal("tm-tokens-first", "drift", ANY, r"expected an input of as many rows as layers have"),
]


def find(source, operation, sink):
    """The first row that covers a way, or nothing."""
    return next((row for row in REFUSALS if row.covers(source, operation, sink)), None)
