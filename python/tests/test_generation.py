# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families beside transformers: greedy tokens, exact logits, steps beside the whole."""

from __future__ import annotations

from typing import Any

import pytest
import sweep_generation
import torch
from drawing import draw_case
from families import FAMILIES, to_bf16
from generating import (
    OTHERS,
    QUICK,
    assert_close,
    draw_prompt,
    get_compiled,
    get_exact_logits,
    get_module,
)
from oracle import get_distance

import parablock

pytestmark = pytest.mark.together("generation")

NAMES = [*QUICK, *(pytest.param(name, marks=pytest.mark.full) for name in OTHERS)]


@pytest.mark.parametrize("name", NAMES)
def test_greedy_tokens_and_logits(name: str) -> None:
    """Of rows with padding in front, beyond the windows of those that have one."""
    module, compiled, prompt = get_module(name), get_compiled(name), draw_prompt()
    options = {"max_new_tokens": 14, "do_sample": False}
    found = compiled.generate(
        **prompt, **options, return_dict_in_generate=True, output_logits=True
    )
    assert torch.equal(found.sequences, module.generate(**prompt, **options))
    mask = torch.nn.functional.pad(prompt["attention_mask"], (0, 14), value=1)
    exact = get_exact_logits(module, found.sequences, mask)[:, 8:-1]
    assert_close(torch.stack(found.logits, 1), exact, torch.ones(exact.shape[:2]))


@pytest.mark.parametrize("name", NAMES)
def test_steps_equal_the_whole(name: str) -> None:
    """One token at a time, parts of several, and what was cropped and done again."""
    module, compiled = get_module(name), get_compiled(name)
    prompt = draw_prompt((3, 0), 17)
    ids, mask = prompt["input_ids"], prompt["attention_mask"]
    exact = get_exact_logits(module, ids, mask)
    whole = compiled(**prompt).logits
    assert_close(whole, exact, mask)
    for parts in ([1] * 17, [4, 1, 7, 5], [16, 1]):
        cache, logits = compiled.make_cache(), []
        for part in parts:
            begin, end = cache.get_seq_length(), cache.get_seq_length() + part
            # Other tokens, which are forgotten again.
            wrong = ids[:, begin:end].flip(0)
            compiled(wrong, attention_mask=mask[:, :end], past_key_values=cache)
            cache.crop(-part)
            result = compiled(
                ids[:, begin:end], attention_mask=mask[:, :end], past_key_values=cache
            )
            assert result.past_key_values is cache and cache.get_seq_length() == end
            logits.append(result.logits)
        assert_close(torch.cat(logits, 1), exact, mask)


def count_rows(cache: Any) -> list[int]:
    """Rows of the buffers of all attentions."""
    return [array.shape[1] for array in cache.caches.arrays]


def test_rings() -> None:
    """A layer with a window keeps its tokens and some more, however many there are."""
    module, compiled = get_module("gemma2"), get_compiled("gemma2")
    prompt = draw_prompt((0, 70), 190)
    ids, mask = prompt["input_ids"], prompt["attention_mask"]
    exact = get_exact_logits(module, ids, mask)
    # More at once than a ring has rows.
    assert_close(compiled(**prompt).logits, exact, mask)
    kept = torch.tensor([180, 3, 189])
    some = compiled(**prompt, logits_to_keep=kept)
    assert_close(some.logits, exact[:, kept], mask[:, kept])
    cache, logits = compiled.make_cache(), []
    for begin, end in ((0, 130), *((t, t + 1) for t in range(130, 190))):
        call = {"attention_mask": mask[:, :end], "past_key_values": cache}
        logits.append(compiled(ids[:, begin:end], **call).logits)
    assert_close(torch.cat(logits, 1), exact, mask)
    window = 5 + 64
    assert count_rows(cache) == [window, window, 256, 256]
    assert cache.caches.nbytes == 2 * 32 * 4 * sum(count_rows(cache))
    # What is taken back, as far as there is something before it, and done again.
    with pytest.raises(parablock.Error, match="expected at most 65 tokens, .*window.* got 66"):
        cache.crop(-66)
    cache.crop(-65)
    cache.batch_select_indices(torch.tensor([1, 0, 1]))
    cache.reorder_cache(torch.tensor([2, 1, 1]))
    rows = torch.tensor([1, 0, 0])
    call = {"attention_mask": mask[rows], "past_key_values": cache}
    again = compiled(ids[rows, 125:], **call)
    assert_close(again.logits, exact[rows, 125:], mask[rows, 125:])
    assert count_rows(cache) == [window, window, 256, 256]


DRAWN = ("bart-decoder", "apertus", "roberta-decoder", "bitnet", "deepseek_v2", "deepseek_v3", "minicpm3")


@pytest.mark.full
@pytest.mark.parametrize("name", DRAWN)
def test_drawn_decoders(name: str) -> None:
    """Positions that count padding, ops between blocks, latent attention, each in all modes."""
    sweep_generation.check(name, 1)


@pytest.mark.full
def test_windows_of_many_tokens() -> None:
    """One that is larger than the sizes that are usually looked at."""
    module = FAMILIES["mistral"].make()
    module.config.sliding_window = 200
    for layer in module.model.layers:  # type: ignore[union-attr]
        if hasattr(layer.self_attn, "sliding_window"):
            layer.self_attn.sliding_window = 200
    compiled = parablock.generation(module)
    prompt = draw_prompt((30, 0), 230)
    mask = prompt["attention_mask"]
    exact = get_exact_logits(module, prompt["input_ids"], mask)
    assert_close(compiled(**prompt).logits, exact, mask)
    cache = compiled.make_cache()
    compiled(prompt["input_ids"][:, :-1], attention_mask=mask[:, :-1], past_key_values=cache)
    last = compiled(prompt["input_ids"][:, -1:], attention_mask=mask, past_key_values=cache)
    assert_close(last.logits, exact[:, -1:], mask[:, -1:])
    # The window bites.
    module.config.sliding_window = 500
    wide = get_exact_logits(module, prompt["input_ids"], mask)
    assert get_distance(wide[1, -1], exact[1, -1]) > 1e-3


@pytest.mark.full
@pytest.mark.parametrize("name", ["gpt2", "llama", "mistral"])
def test_reference(name: str) -> None:
    """The reference engine copies caches, and gives the same tokens."""
    module, compiled = get_module(name), get_compiled(name, target="reference")
    prompt, options = draw_prompt(), {"max_new_tokens": 5, "do_sample": False}
    found = compiled.generate(**prompt, **options)
    assert torch.equal(found, module.generate(**prompt, **options))


@pytest.mark.full
def test_latent_attention_of_half_the_bits() -> None:
    """Matrices that are put together from weights of 16 bits are of 16 bits."""
    module: Any = to_bf16(draw_case("deepseek_v3", 1).module.float())
    compiled = parablock.generation(module)
    ids = draw_prompt()["input_ids"] % compiled.config.vocab_size
    exact = get_exact_logits(module, ids, torch.ones_like(ids))
    with torch.no_grad():
        eager = module(input_ids=ids, use_cache=False).logits
    limit = max(2e-2, 1.5 * get_distance(eager, exact))
    assert get_distance(compiled(ids).logits, exact) < limit


@pytest.mark.full
def test_half_the_bits() -> None:
    """A model in bf16 has caches and logits in bf16."""
    module: Any = to_bf16(FAMILIES["llama"].make())
    compiled = parablock.generation(module)
    prompt = draw_prompt()
    ids, mask = prompt["input_ids"], prompt["attention_mask"]
    exact = get_exact_logits(module, ids, mask)[mask.bool()]
    with torch.no_grad():
        eager = module(**prompt).logits[mask.bool()]
    logits = compiled(**prompt).logits
    assert compiled.dtype == logits.dtype == torch.bfloat16
    limit = max(2e-2, 1.5 * get_distance(eager, exact))
    assert get_distance(logits[mask.bool()], exact) < limit
    cache = compiled.make_cache()
    steps = [
        compiled(ids[:, t, None], attention_mask=mask[:, : t + 1], past_key_values=cache).logits
        for t in range(ids.shape[1])
    ]
    assert get_distance(torch.cat(steps, 1)[mask.bool()], exact) < limit
    assert cache.caches.nbytes == 2 * 2 * 3 * cache.caches.capacity * 24 * 2
