#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a choice of tokens as IR and inputs.

usage: sampling.py IR INPUTS VOCABULARY TYPE ROWS SEED [TOKENS] [OPTION=NUMBER ...]

Every row has its own options and its own kind of logits. The first rows are the states that choose nothing. An option
that is given is that of all rows from the sixth on.
"""

import sys

import numpy as np

import safetensors_io

NAMES = ("temperature", "top_k", "top_p", "min_p", "repetition_penalty")
OPTIONS = [
    (0, 0, 1, 0, 1),
    (1, 0, 1, 0, 1),
    (0.7, 5, 1, 0, 1),
    (1.3, 0, 0.8, 0, 1),
    (0.9, 0, 1, 0.1, 1),
    (1, 0, 1, 0, 1.5),
    (0, 0, 1, 0, 3),
    (0.8, 40, 0.95, 0.02, 1.1),
    (2, 3, 0.5, 0, 0.7),
    (1, 1, 1, 0, 1),
    (1, 0, 0, 0, 1),
    (1, 0, 1, 1, 1),
    (1, 10**12, 0.999999, 1e-30, 1),
    (1e-30, 7, 0.5, 0.5, 2),
    (1e4, 7, 0.5, 0.5, 2),
    (1e-50, 0, 1, 0, 1),
]


def draw_logits(kind, size, draw):
    """A row that may end in ties, masks or numbers of all sizes."""
    logits = draw.standard_normal(size) * 3
    if kind == 1:  # Ties, and zeros of both signs.
        return np.round(logits / 2) * draw.choice([-0.0, 1.0], size)
    if kind == 2:  # All tied.
        return np.full(size, -1.5)
    if kind == 3:  # Masks.
        return np.where(draw.random(size) < 0.7, -np.inf, logits)
    if kind == 4:  # One token.
        only = np.full(size, -np.inf)
        only[draw.integers(size)] = -7.0
        return only
    if kind == 5:  # Numbers of all sizes.
        return logits * 10.0 ** draw.integers(-30, 30, size)
    return logits


def write_ir(path, vocabulary, kind, tokens):
    i64, seen = "tensor<?xi64>", f"tensor<?x{vocabulary}xi8>"
    types = {
        "logits": f"tensor<?x{tokens}x{vocabulary}x{kind}>",
        "ids": "tensor<?x?xi64>",
        "sampling": "tensor<?x5xf64>",
        "random": "tensor<?x2xi64>",
        "stops": i64,
        "padding": "tensor<1xi64>",
        "past_seen": seen,
        "past_ended": i64,
        "past_lengths": i64,
        "past_step": i64,
    }
    dims = {"ids": '["batch", "seq"]', "stops": '["stops"]', "padding": None}
    results = {"tokens": "tensor<?x1xi64>", "seen": seen, "ended": i64, "lengths": i64, "step": i64}

    def argument(name, type):
        named = dims.get(name, '["batch"]')
        open_sizes = f", block.dims = {named}" if named else ""
        return f'%{name}: {type} {{block.input = "{name}"{open_sizes}}}'

    arguments = ", ".join(argument(*each) for each in types.items())
    returned = ", ".join(f'{type} {{block.output = "{name}"}}' for name, type in results.items())
    with open(path, "w") as file:
        file.write(
            f"func.func @main({arguments}) -> ({returned}) {{\n"
            "  %next:5 = block.sample %logits after %ids options %sampling random %random stops %stops padding %padding "
            "state(%past_seen, %past_ended, %past_lengths, %past_step) : "
            f"({', '.join(types.values())}) -> ({', '.join(results.values())})\n"
            f"  return %next#0, %next#1, %next#2, %next#3, %next#4 : {', '.join(results.values())}\n}}\n"
        )


def main():
    ir, inputs, vocabulary, kind, rows, seed = (int(word) if word.isdigit() else word for word in sys.argv[1:7])
    tokens = int(sys.argv[7]) if len(sys.argv) > 7 else 1
    options = np.array([OPTIONS[(row + seed) % len(OPTIONS)] for row in range(rows)], np.float64)
    for name, number in (word.split("=") for word in sys.argv[8:]):
        options[5:, NAMES.index(name)] = float(number)
    write_ir(ir, vocabulary, kind, tokens)
    draw = np.random.default_rng(seed)
    logits = np.stack([np.stack([draw_logits(row % 7, vocabulary, draw) for _ in range(tokens)]) for row in range(rows)])
    step = draw.integers(0, 1000, rows)
    ended = np.zeros(rows, np.int64)
    # Ended, a part of a prompt, a NaN, no finite logit, an infinite one.
    for row in range(min(rows, 5)) if rows > 5 else ():
        if row == 0:
            ended[row] = draw.choice([1, -4])
        elif row == 1:
            step[row] = -2
        elif row == 2:
            logits[row, -1, draw.integers(vocabulary)] = np.nan
        else:
            logits[row, -1] = -np.inf
        if row == 4:
            logits[row, -1, draw.integers(vocabulary)] = np.inf
    with np.errstate(over="ignore"):
        logits = logits.astype(np.float32)
    safetensors_io.write(
        inputs,
        {
            "logits": logits,
            "ids": draw.integers(0, vocabulary, (rows, 3)),
            "sampling": options,
            "random": draw.integers(0, 2**32, (rows, 2)),
            "stops": np.concatenate([[-1], draw.integers(0, vocabulary, 1 + vocabulary // 8)]),
            "padding": np.array([vocabulary - 1]),
            "past_seen": (draw.random((rows, vocabulary)) < 0.3).astype(np.int8),
            "past_ended": ended,
            "past_lengths": draw.integers(0, 100, rows),
            "past_step": step,
        },
    )


if __name__ == "__main__":
    main()
