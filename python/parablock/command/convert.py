# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts a checkpoint to parallel layers, and writes a folder with a card of one page."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from parablock.decoding.text import open_tokenizer
from parablock.errors import Error
from parablock.healing import heal
from parablock.output import make_scratch, write_output
from parablock.pretrained import from_pretrained

#: Parts of the data: to fit, to choose by and to report on.
_LEAST_ROWS = 4


def run_convert(arguments: argparse.Namespace) -> None:
    """Measures, corrects and heals pairs of layers, saves the model, and prints its card."""
    folder, output = Path(arguments.model), Path(arguments.output)
    model = from_pretrained(folder, dtype=arguments.dtype or "f32")
    data: Any = arguments.data
    if not arguments.data.endswith(".safetensors"):
        data = _read_rows(folder, Path(arguments.data), arguments.seq, arguments.rows)
    names = (
        *("pairing", "correction", "from_layer", "tasks", "budget_generation"),
        *("budget_perplexity", "budget_tasks", "budget_order", "seed", "generate"),
    )
    options = {name: getattr(arguments, name) for name in names}
    with make_scratch() as scratch:
        options["choice"] = Path(scratch, "choice.json")
        if arguments.heal:
            drift = heal(model, data, arguments.heal, budget=arguments.budget_kl, **options)
        else:
            drift = model.drift(data, arguments.budget_kl, **options)
        if not drift.chosen:
            raise Error(f"no pair fits the budget: nothing is written\n{drift}")
        model.optimize(parallel=drift, weights=arguments.weights).save_pretrained(output)
    if arguments.json:
        write_output(arguments.json, json.dumps(drift.to_dict(), indent=2))
    print((output / "README.md").read_text(), end="")


def _read_rows(folder: Path, text: Path, length: int, most: int) -> np.ndarray[Any, Any]:
    """Returns rows of tokens of a text, in its order."""
    tokenizer = open_tokenizer(folder, "convert", "give --data=FILE.safetensors with input_ids")
    try:
        words = text.read_text(encoding="utf-8", errors="replace")
    except OSError as problem:
        raise Error(f"cannot read '{text}': {problem}") from problem
    ids = tokenizer.encode(words, add_special_tokens=False).ids
    rows = len(ids) // length
    if rows < _LEAST_ROWS:
        raise Error(
            f"'{text}': expected at least {_LEAST_ROWS} rows of {length} tokens, got {len(ids)} tokens: "
            "give a longer text, or a smaller --seq"
        )
    found = np.asarray(ids[: rows * length], np.int64).reshape(rows, length)
    # From all over the text.
    return found if rows <= most else found[np.linspace(0, rows - 1, most).astype(int)]
