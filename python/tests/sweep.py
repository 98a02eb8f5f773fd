# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawn models beside PyTorch in float64: masks of padding, and any sizes.

    python tests/sweep.py [first seed] [seeds] [family | all | wider ..] [--chip=sm_90a [--numbers]]

prints what differs, and a table. With a chip, each model becomes a package for it as well,
and with --numbers the emulator runs it.
"""

from __future__ import annotations

import dataclasses
import random
import re
import sys
import tempfile
import traceback
from typing import Any

import torch
from calls import get_dimensions, make_call
from drawing import STACKS, Case, draw_case
from families import forbid_caches
from oracle import get_distance, run_exactly
from recipes import RECIPES, Sizes
from torch.utils import _pytree as pytree
from wider import WIDER

import parablock

#: Relative distance from float64 that results may have.
TOLERANCE = 2e-5


@dataclasses.dataclass
class Outcome:
    """What came of a case: recognised or refused as expected, and the error."""

    recognised: bool
    distance: float = 0.0


def check(case: Case, seed: int, chip: str = "", numbers: bool = False) -> Outcome:
    """Imports, compiles and compares; an assertion says what is not as it should."""
    draw = random.Random(seed)
    tokens = draw.choice([5, 7, 11, 18])
    call = make_call(case, draw, draw.choice([2, 3]), tokens)
    try:
        model = parablock.from_torch(
            case.module, (), get_dimensions(case, call), example_kwargs=call
        )
    except parablock.Error as problem:
        if case.left and re.search(case.left, str(problem)):
            return Outcome(False)
        raise
    forbid_caches(case.module)
    is_whole = _check_counts(case, model)
    if chip:
        made = model.optimize(chip=chip)
        with tempfile.TemporaryDirectory() as folder:
            made.save(f"{folder}/model.pbk")
        if not numbers:
            return Outcome(is_whole)
        return Outcome(is_whole, _compare(case, made.compile(f"emulate:{chip}"), call, 0))
    compiled = model.optimize().compile()
    calls = [call]
    if case.dynamic:
        calls += [make_call(case, draw, 1, 4), make_call(case, draw, 4, 23)]
    distances = [
        _compare(case, compiled, inputs, number) for number, inputs in enumerate(calls)
    ]
    return Outcome(is_whole, max(distances))


def _check_counts(case: Case, model: parablock.Model) -> bool:
    """Whether all is recognised; what is not has to be what the case says."""
    explanation = model.explain().to_dict()
    found = explanation["recognised"]
    if (found["attention"], found["mlp"]) == (case.attention, case.mlp):
        return True
    reasons = f"{found} {explanation['missed']} {model.list_left()}"
    assert case.left and re.search(case.left, reasons), reasons
    return False


def _compare(case: Case, compiled: Any, call: Sizes, number: int) -> float:
    exact = pytree.tree_leaves(run_exactly(case.module, (), call))
    results = pytree.tree_leaves(compiled(**call))
    with torch.no_grad():
        own = pytree.tree_leaves(case.module(**call))
    worst = 0.0
    for values, eager, expected in zip(results, own, exact, strict=True):
        mask = call.get("attention_mask") if case.padding else None
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
        worst = max(worst, distance)
    return worst


def main(arguments: list[str]) -> None:
    numbers = "--numbers" in arguments
    chip = "".join(a.partition("=")[2] for a in arguments if a.startswith("--chip="))
    arguments = [a for a in arguments if not a.startswith("--")]
    first = int(arguments[0]) if arguments else 0
    count = int(arguments[1]) if len(arguments) > 1 else 1
    groups = {"all": [*RECIPES, *STACKS], "wider": [*WIDER]}
    wanted = arguments[2:] or ["all"]
    names = [name for group in wanted for name in groups.get(group, [group])]
    failures = 0
    table: dict[str, list[Outcome]] = {name: [] for name in names}
    for seed in range(first, first + count):
        for name in names:
            case = None
            try:
                case = draw_case(name, seed)
                outcome = check(case, seed, chip, numbers)
                table[name].append(outcome)
            except Exception as problem:
                failures += 1
                text = str(problem).splitlines() or [type(problem).__name__]
                print(f"{name} {seed}: {type(problem).__name__}: {text[0][:400]}")
                print(f"  {case.description if case else ''}")
                if not isinstance(problem, parablock.Error | AssertionError):
                    traceback.print_exc(limit=-3)
            else:
                print(f"{name} {seed}: fine, {outcome}")
            sys.stdout.flush()
    for name, outcomes in table.items():
        whole = sum(outcome.recognised for outcome in outcomes)
        worst = max((outcome.distance for outcome in outcomes), default=0.0)
        print(f"{name:22} {count} seeds, {whole} recognised, error at most {worst:.1e}")
    print(f"{failures} of {count * len(names)} failed")


if __name__ == "__main__":
    main(sys.argv[1:])
