# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="parablock") of caches that grow, and that keep a window."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
import transformers as hf
from compiled_generation import (
    NEW,
    check,
    compile_forward,
    compile_steps,
    count,
    find_new_reasons,
    generate,
    make,
    run,
)
from families import VOCABULARY
from generating import draw_prompt, make_llama

import parablock

WINDOW = 5


def _make_mistral() -> Any:
    """One layer, which sees a window."""
    torch.manual_seed(0)
    config = hf.MistralConfig(
        vocab_size=VOCABULARY,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=8,
        intermediate_size=48,
        max_position_embeddings=128,
        sliding_window=WINDOW,
        eos_token_id=None,
        pad_token_id=0,
    )
    module = hf.MistralForCausalLM(config).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() > 1:
                parameter.copy_(torch.randn(parameter.shape) * 1.5 / parameter.shape[-1] ** 0.5)
    return module


def _make_llama() -> Any:
    return make_llama(num_hidden_layers=1, eos_token_id=None, pad_token_id=0)


@pytest.mark.parametrize("tokens", [9, 3])
def test_windows_that_roll(tokens: int) -> None:
    """Prompts longer than the window; such as fill it later, with padding in front."""
    prompt = draw_prompt((0, 2, 1), tokens)
    before = run(_make_mistral(), prompt, compile_forward)
    # Few graphs, however many steps there are.
    assert count(before, "compiled") <= 4


def test_windows_after_prompts_of_pytorch() -> None:
    before = run(_make_mistral(), draw_prompt((3, 0)), compile_steps)
    assert count(before, "compiled") <= 2


@pytest.mark.full
@pytest.mark.parametrize("cache", ["static", None])
@pytest.mark.parametrize("name", ["gemma2", "mistral"])
def test_layers_with_and_without_windows(name: str, cache: str | None) -> None:
    run(make(name), draw_prompt(), compile_forward, cache)


@pytest.mark.parametrize("name", ["llama", pytest.param("gpt2", marks=pytest.mark.full)])
def test_caches_that_grow(name: str) -> None:
    """DynamicCache: one graph for all lengths."""
    module = make(name) if name == "gpt2" else _make_llama()
    before = run(module, draw_prompt(), compile_forward, None)
    assert count(before, "compiled") < NEW


def test_windows_of_caches_that_grow() -> None:
    run(_make_mistral(), draw_prompt((0, 2)), compile_forward, None)


def test_masks_with_holes() -> None:
    """A key that is hidden within a window: the call is PyTorch's."""
    torch.compiler.reset()
    module = _make_mistral()
    compiled = torch.compile(module, backend="parablock")
    ids = draw_prompt((0, 0), 9)["input_ids"]
    caches = [hf.StaticCache(config=module.config, max_cache_len=16) for _ in range(2)]
    with torch.no_grad():
        for cache in caches:
            module(input_ids=ids[:, :8], past_key_values=cache)
        mask = torch.ones(2, 1, 1, WINDOW, dtype=torch.bool)
        mask[1, :, :, 2] = False
        call = {"input_ids": ids[:, 8:], "attention_mask": mask}
        call["position_ids"] = torch.full((2, 1), 8)
        wanted = module(**call, past_key_values=caches[0]).logits
        before = parablock.stats()
        found = compiled(**call, past_key_values=caches[1]).logits
    assert torch.allclose(found, wanted, atol=1e-5)
    reason = "a mask that lets token 0 of row 1 see the keys 4 to 8 of those from 4 on, got 1 1 0"
    assert reason in find_new_reasons(before)


def test_padding_that_becomes_tokens() -> None:
    """What was computed for padding here is no key that PyTorch would have."""
    torch.compiler.reset()
    module: Any = torch.compile(_make_llama(), backend="parablock")
    prompt = draw_prompt((0, 2), 6)
    cache, mask = hf.DynamicCache(), prompt["attention_mask"]
    with torch.no_grad():
        for end in (4, 5):
            begin = cache.get_seq_length()
            module(
                input_ids=prompt["input_ids"][:, begin:end],
                attention_mask=mask[:, :end],
                position_ids=(mask.cumsum(1) - 1).clamp(min=0)[:, begin:end],
                past_key_values=cache,
            )
        with pytest.raises(parablock.Error, match=r"padding of \[0, 2\] tokens in front"):
            module(
                input_ids=prompt["input_ids"][:, 5:],
                attention_mask=torch.ones_like(mask),
                position_ids=torch.full((2, 1), 5),
                past_key_values=cache,
            )


@pytest.mark.full
def test_biases_of_positions() -> None:
    """BLOOM's scores are sums of biases and products; it has no window."""
    torch.compiler.reset()
    module, prompt, before = make("bloom"), draw_prompt(), parablock.stats()
    reference = copy.deepcopy(module)
    check(reference, generate(module, prompt, **compile_forward(module)), prompt)
    assert parablock.stats()["compiled"] > before["compiled"]
    assert find_new_reasons(before) == ""
