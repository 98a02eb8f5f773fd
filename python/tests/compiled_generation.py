# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of compiled decoders with transformers' caches share."""

from __future__ import annotations

import copy
from typing import Any

import torch
import transformers as hf
from families import FAMILIES
from generating import assert_close, get_exact_logits, make_llama

import parablock

NEW = 6


def make(name: str) -> Any:
    """A model of a test's own, which compiling changes."""
    module: Any = make_llama(eos_token_id=None) if name == "llama" else FAMILIES[name].make()
    module.generation_config.pad_token_id = 0
    return module


def compile_steps(module: Any) -> dict[str, Any]:
    """As `generate` compiles steps by itself; prompts run eagerly."""
    config = hf.CompileConfig(backend="parablock", mode="default")
    config._compile_all_devices = True
    return {"compile_config": config}


def compile_forward(module: Any) -> dict[str, Any]:
    module.forward = torch.compile(module.forward, backend="parablock")
    return {"disable_compile": True}


def generate(module: Any, prompt: Any, cache: str | None = "static", **options: Any) -> Any:
    return module.generate(
        **prompt,
        max_new_tokens=NEW,
        do_sample=False,
        cache_implementation=cache,
        return_dict_in_generate=True,
        output_logits=True,
        **options,
    )


def check(module: Any, found: Any, prompt: Any) -> None:
    """Tokens are transformers' own, logits near those in float64."""
    ids, mask = prompt["input_ids"], prompt["attention_mask"]
    wanted = module.generate(**prompt, max_new_tokens=NEW, do_sample=False)
    assert torch.equal(found.sequences, wanted)
    mask = torch.nn.functional.pad(mask, (0, NEW), value=1)
    exact = get_exact_logits(module, found.sequences, mask)[:, ids.shape[1] - 1 : -1]
    assert_close(torch.stack(found.logits, 1), exact, torch.ones(exact.shape[:2]))


def run(
    module: Any, prompt: Any, compiling: Any, cache: str | None = "static"
) -> dict[str, Any]:
    """Tokens are transformers' own, and nothing is left to PyTorch; the counts before."""
    torch.compiler.reset()
    reference, before = copy.deepcopy(module), parablock.stats()
    check(reference, generate(module, prompt, cache, **compiling(module)), prompt)
    assert not find_new_reasons(before)
    return before


def count(before: dict[str, Any], name: str) -> int:
    """How much a count of parablock.stats() has grown."""
    return parablock.stats()[name] - before[name]  # type: ignore[no-any-return]


def find_new_reasons(before: dict[str, Any]) -> str:
    known = before["fallbacks"]
    after = parablock.stats()["fallbacks"]
    return "; ".join(reason for reason in after if after[reason] > known.get(reason, 0))
