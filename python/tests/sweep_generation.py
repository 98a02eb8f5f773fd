# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawn decoders beside transformers: tokens, exact logits, steps, padding in front.

Tokens are greedy ones, those of beams, and those of prompts that come in parts.

    python tests/sweep_generation.py [first seed] [seeds] [family ..]

prints what differs, what is refused, and how many there were.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import torch
from drawing import draw_case
from generating import count_positions, get_exact_logits
from oracle import get_distance
from recipes import RECIPES
from wider import WIDER

import parablock

#: Relative distance from float64 that logits in f32 may have.
TOLERANCE = 2e-5
_NEW = 8


@dataclasses.dataclass
class Outcome:
    """How far logits are from the exact ones, and those of steps from all at once."""

    distance: float
    steps: float


def list_decoders() -> list[str]:
    """Families that generate tokens by themselves."""
    return [
        name
        for name, recipe in {**RECIPES, **WIDER}.items()
        if recipe.model.endswith(("ForCausalLM", "LMHeadModel"))
    ]


def check(name: str, seed: int) -> Outcome:
    """Draws a model; an assertion or the package's error says what is wrong."""
    case = draw_case(name, seed)
    module: Any = case.module.float()
    for inner in module.modules():
        if hasattr(getattr(inner, "config", None), "use_cache"):
            inner.config.use_cache = True
    for field in ("bos_token_id", "eos_token_id"):
        setattr(module.generation_config, field, None)
    module.generation_config.pad_token_id = 0
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(5, case.vocabulary, (3, 9), generator=generator)
    mask = torch.ones_like(ids)
    for row, count in enumerate((0, 4, 1)):
        mask[row, :count] = ids[row, :count] = 0
    compiled = parablock.generation(module)
    options = {"attention_mask": mask, "max_new_tokens": _NEW, "do_sample": False}
    for mode in ({"num_beams": 2}, {"prefill_chunk_size": 4}, {}):
        found = compiled.generate(ids, **options, **mode)
        expected = module.generate(ids, **options, **mode)
        assert torch.equal(found, expected), f"{mode} other tokens: {case.description}"
    mask = torch.nn.functional.pad(mask, (0, _NEW), value=1)
    real = mask.bool()
    exact = get_exact_logits(module, expected, mask)[real]
    positions = count_positions(mask)
    given = {"attention_mask": mask, "position_ids": positions}
    logits = compiled(expected, **given).logits[real]
    cache, steps = compiled.make_cache(), []
    for end in range(1, mask.shape[1] + 1):
        call = {
            "input_ids": expected[:, end - 1 : end],
            "attention_mask": mask[:, :end],
            "position_ids": positions[:, end - 1 : end],
        }
        steps.append(compiled(**call, past_key_values=cache).logits)
    outcome = Outcome(
        get_distance(logits, exact), get_distance(torch.cat(steps, 1)[real], exact)
    )
    assert max(outcome.distance, outcome.steps) < TOLERANCE, f"{outcome}: {case.description}"
    return outcome


def main(arguments: list[str]) -> None:
    first = int(arguments[0]) if arguments else 0
    count = int(arguments[1]) if len(arguments) > 1 else 1
    names = arguments[2:] or list_decoders()
    refused = failures = 0
    for seed in range(first, first + count):
        for name in names:
            try:
                print(f"{name} {seed}: {check(name, seed)}", flush=True)
            except parablock.Error as problem:
                refused += 1
                print(f"{name} {seed}: refused: {str(problem)[:300]}", flush=True)
            except Exception as problem:
                failures += 1
                print(f"{name} {seed}: {type(problem).__name__}: {problem}", flush=True)
    print(f"{failures} of {count * len(names)} failed, {refused} were refused")


if __name__ == "__main__":
    main(sys.argv[1:])
