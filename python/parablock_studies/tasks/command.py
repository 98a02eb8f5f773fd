# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes tasks for `block-drift --tasks`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from parablock.decoding.text import open_tokenizer
from parablock.errors import Error
from parablock.output import replace_file
from parablock.weights import write_tensors
from parablock_studies.tasks.drawing import KINDS, draw_tasks, encode_tasks


#: Tasks of a kind; three digits have as many sums.
_MOST = 1_000_000


def run_tasks(arguments: argparse.Namespace) -> None:
    """Writes tasks of each kind, the same for the same seed and tokenizer."""
    kinds = list(dict.fromkeys(arguments.kind.split(",")))
    for kind in kinds:
        if kind not in KINDS:
            raise Error(f"--kind: expected some of {', '.join(KINDS)}, got '{kind}'")
    if not 2 <= arguments.count <= _MOST:
        raise Error(
            f"--count: expected at least 2, one to choose by and one to report on, and at most "
            f"{_MOST}, got {arguments.count}"
        )
    if arguments.seed < 0:
        raise Error(f"--seed: expected at least 0, got {arguments.seed}")
    encode, start = _encode_bytes, [0]
    if arguments.model:
        tokenizer = open_tokenizer(
            Path(arguments.model), "tasks", "without a folder, each byte is a token"
        )

        def encode(text: str) -> Sequence[int]:
            ids: Sequence[int] = tokenizer.encode(text, add_special_tokens=False).ids
            return ids

        # Some tokenizers begin every text with a token of their own.
        whole, bare = tokenizer.encode("a|").ids, encode("a|")
        start = whole[: len(whole) - len(bare)] if whole[-len(bare) :] == bare else []
    tensors = []
    for kind in kinds:
        rows, spans = encode_tasks(draw_tasks(kind, arguments.seed, arguments.count), encode, start)
        tensors.append((f"{kind}.input_ids", np.asarray(rows, np.int64), "i64"))
        tensors.append((f"{kind}.answers", np.asarray(spans, np.int64), "i64"))
    with replace_file(arguments.output) as file:
        write_tensors(file, tensors)


def _encode_bytes(text: str) -> Sequence[int]:
    return text.encode()
