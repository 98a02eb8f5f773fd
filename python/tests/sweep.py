# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawn models beside PyTorch in float64: masks of padding, and any sizes.

    python tests/sweep.py [first seed] [seeds] [family ..]

prints what differs.
"""

from __future__ import annotations

import random
import sys
import traceback
from typing import Any

import torch
from drawing import RECIPES, Case, Draw, Sizes, draw_case
from oracle import get_distance, run_exactly
from torch.utils import _pytree as pytree

import parablock

#: Relative distance from float64 that results may have.
TOLERANCE = 2e-5


def _make_call(case: Case, draw: Draw, batch: int, tokens: int) -> Sizes:
    """Keyword arguments of a call."""
    generator = torch.Generator().manual_seed(draw.randrange(1 << 30))
    call: Sizes = {}

    def ids(count: int) -> torch.Tensor:
        return torch.randint(5, case.vocabulary, (batch, count), generator=generator)

    if case.kind == "pixels":
        config: Any = case.module.config
        size = (batch, config.num_channels, config.image_size, config.image_size)
        call["pixel_values"] = torch.randn(size, generator=generator).to(case.dtype)
    elif case.kind == "stack":
        width = case.vocabulary
        for name, count in (("hidden", tokens), ("memory", max(tokens - 2, 1))):
            values = torch.randn(batch, count, width, generator=generator)
            call[name] = values.to(case.dtype)
    else:
        call["input_ids"] = ids(tokens)
    if case.kind == "pair":
        call["decoder_input_ids"] = ids(max(tokens - 3, 1))
    if case.padding:
        hides = case.kind == "stack"
        cross = hides and case.module.cross
        keys = call["memory"].shape[1] if cross else tokens
        lengths = torch.randint(1, keys + 1, (batch, 1), generator=generator)
        mask = torch.arange(keys) < lengths
        call["key_padding_mask" if hides else "attention_mask"] = (
            ~mask if hides else mask.long()
        )
    return call


def _dimensions(case: Case, call: Sizes) -> Sizes | None:
    if not case.dynamic:
        return None
    batch = torch.export.Dim("batch", min=1, max=32)
    seq = torch.export.Dim("seq", min=2, max=60)
    other = torch.export.Dim("other", min=2, max=60)
    dims: Sizes = {}
    for name in call:
        second = name in ("decoder_input_ids", "memory")
        cross = name == "key_padding_mask" and case.module.cross
        dims[name] = {0: batch, 1: other if second or cross else seq}
    return dims


def check(case: Case, seed: int) -> None:
    """Imports, compiles and compares; an assertion says what is not as it should."""
    draw = random.Random(seed)
    tokens = draw.choice([5, 7, 11, 18])
    call = _make_call(case, draw, draw.choice([2, 3]), tokens)
    model = parablock.from_torch(
        case.module, (), _dimensions(case, call), example_kwargs=call
    )
    explanation = model.explain().to_dict()
    found = explanation["recognised"]
    assert (found["attention"], found["mlp"]) == (case.attention, case.mlp), (
        found,
        explanation["missed"],
    )
    compiled = model.optimize().compile()
    calls = [call]
    if case.dynamic:
        calls += [_make_call(case, draw, 1, 4), _make_call(case, draw, 4, 23)]
    for number, inputs in enumerate(calls):
        _compare(case, compiled, inputs, number)


def _compare(case: Case, compiled: Any, call: Sizes, number: int) -> None:
    exact = pytree.tree_leaves(run_exactly(case.module, (), call))
    results = pytree.tree_leaves(compiled(**call))
    with torch.no_grad():
        own = pytree.tree_leaves(case.module(**call))
    for values, eager, expected in zip(results, own, exact, strict=True):
        mask = call.get("attention_mask")
        if mask is None and "key_padding_mask" in call:
            mask = ~call["key_padding_mask"]
        if mask is not None and mask.shape == expected.shape[:2]:
            real = mask.bool()
            values, eager, expected = values[real], eager[real], expected[real]
        limit = TOLERANCE
        if case.dtype == torch.bfloat16:
            limit = max(2e-2, 1.5 * get_distance(eager, expected))
        distance = get_distance(values, expected)
        assert distance < limit, (
            f"call {number}: expected a distance below {limit:.2g}, got {distance:.2g} "
            f"(eager {get_distance(eager, expected):.2g})"
        )


def main(arguments: list[str]) -> None:
    first = int(arguments[0]) if arguments else 0
    count = int(arguments[1]) if len(arguments) > 1 else 1
    names = arguments[2:] or [*RECIPES, "nn"]
    failures = 0
    for seed in range(first, first + count):
        for name in names:
            case = None
            try:
                case = draw_case(name, seed)
                check(case, seed)
            except Exception as problem:
                failures += 1
                text = str(problem).splitlines() or [type(problem).__name__]
                print(f"{name} {seed}: {type(problem).__name__}: {text[0][:400]}")
                print(f"  {case.description if case else ''}")
                if not isinstance(problem, parablock.Error | AssertionError):
                    traceback.print_exc(limit=-3)
            else:
                print(f"{name} {seed}: fine")
            sys.stdout.flush()
    print(f"{failures} of {count * len(names)} failed")


if __name__ == "__main__":
    main(sys.argv[1:])
