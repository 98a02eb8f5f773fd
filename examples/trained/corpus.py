# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text that the Python package trains on, too, and rows of it."""

import importlib.util
import pathlib

import numpy

VOCABULARY = 128
_STUDIES = pathlib.Path(__file__).parents[2] / "python" / "parablock_studies"


def load(path):
    """A module of the studies alone: training here takes no Parablock."""
    spec = importlib.util.spec_from_file_location("studies_module", _STUDIES / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


gather = load("trainer/corpus.py").gather


def rows(stream, count, length):
    """`count` rows of `length` tokens, spread evenly over the stream."""
    if len(stream) < count * length:
        raise SystemExit(f"error: {count} rows of {length} tokens wanted, {len(stream)} tokens there")
    starts = numpy.linspace(0, len(stream) - length, count).astype(numpy.int64)
    return numpy.stack([stream[start : start + length] for start in starts]).astype(numpy.int64)
