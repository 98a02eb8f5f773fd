# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="parablock") of decoders with transformers' static caches."""

from __future__ import annotations

import copy
import functools
from typing import Any

import pytest
import torch
import transformers as hf
from compiled_generation import (
    check,
    compile_forward,
    compile_steps,
    count,
    find_new_reasons,
    generate,
    make,
    run,
)
from families import to_bf16
from generating import assert_close, count_positions, draw_prompt, get_exact_logits, make_llama
from oracle import check_near, run_exactly

import parablock
from parablock.backend import cached_call
from parablock.decoding import call_control
from parablock.frontend import alibi

# Calls by hand ----------------------------------------------------------------------


@functools.cache
def _get_compiled() -> tuple[Any, Any]:
    """A model and its compiled code, which tests share."""
    module = make_llama(eos_token_id=None)
    return module, torch.compile(module, backend="parablock")


class _Steps:
    """A cache that PyTorch has filled with the first tokens of a prompt."""

    def __init__(self, padding: tuple[int, ...] = (0, 2), held: int = 4) -> None:
        self.module, self.compiled = _get_compiled()
        self.prompt = draw_prompt(padding, 8)
        self.cache = hf.StaticCache(config=self.module.config, max_cache_len=12)
        self.exact = get_exact_logits(self.module, *self.prompt.values())
        self.before = parablock.stats()
        with torch.no_grad():
            self.module(**self.describe(0, held))

    def describe(self, begin: int, end: int, **changes: Any) -> dict[str, Any]:
        """Arguments of a call, as `generate` has them."""
        mask = self.prompt["attention_mask"]
        upto = torch.arange(12) <= torch.arange(begin, end)[:, None]
        real = torch.nn.functional.pad(mask, (0, 4), value=1).bool()
        call = {
            "input_ids": self.prompt["input_ids"][:, begin:end].contiguous(),
            "attention_mask": (upto & real[:, None])[:, None],
            "position_ids": count_positions(mask)[:, begin:end].contiguous(),
            "past_key_values": self.cache,
        }
        return {**call, **changes}

    def run(self, begin: int, end: int, **changes: Any) -> torch.Tensor:
        with torch.no_grad():
            logits: torch.Tensor = self.compiled(**self.describe(begin, end, **changes)).logits
        return logits

    def check(self, begin: int, end: int, **changes: Any) -> None:
        """Logits of real tokens are near those in float64."""
        mask = self.prompt["attention_mask"][:, begin:end]
        assert_close(self.run(begin, end, **changes), self.exact[:, begin:end], mask)

    def check_by_pytorch(self, reason: str, **changes: Any) -> None:
        """The next token is PyTorch's, for a reason."""
        other = copy.deepcopy(self.cache)
        begin = int(other.layers[0].cumulative_length)
        call = {**self.describe(begin, begin + 1, **changes), "past_key_values": other}
        with torch.no_grad():
            wanted = self.module(**call).logits
        found = self.run(begin, begin + 1, **changes)
        check_near(found, wanted)
        assert reason in find_new_reasons(self.before)


def test_tokens_one_by_one() -> None:
    """Also such as are taken back and come again."""
    steps = _Steps()
    for token in (4, 5, 6):
        steps.check(token, token + 1)
    for layer in steps.cache.layers:
        layer.cumulative_length.fill_(5)
    steps.check(5, 6)
    steps.check(6, 7)
    assert int(steps.cache.layers[0].cumulative_length) == 7
    assert not find_new_reasons(steps.before)


def test_caches_are_written_in_place() -> None:
    steps = _Steps()
    steps.check(4, 5)
    keys = steps.cache.layers[0].keys
    place, old = keys.data_ptr(), keys.clone()
    steps.check(5, 6)
    assert steps.cache.layers[0].keys is keys and keys.data_ptr() == place
    changed = (keys != old).any(-1).any(1)
    assert changed.nonzero()[:, 1].unique().tolist() == [5]


def test_masks_with_holes() -> None:
    """One that hides a key of the past, too."""
    steps = _Steps()
    mask = steps.describe(4, 5)["attention_mask"].clone()
    mask[0, 0, 0, 1] = False
    reason = "expected a mask that lets token 0 of row 0 see the keys 0 to 4, got 1 0 1"
    steps.check_by_pytorch(reason, attention_mask=mask)


def test_other_positions() -> None:
    reason = "expected positions that count the real tokens"
    _Steps((0, 0)).check_by_pytorch(reason, position_ids=torch.full((2, 1), 7))


def test_layers_that_hold_different_tokens() -> None:
    steps = _Steps((0, 0))
    steps.cache.layers[1].cumulative_length.fill_(3)
    steps.check_by_pytorch("expected new keys right behind those that are there")


def test_parts_of_other_tensors() -> None:
    """Their memory stays as it is."""
    steps = _Steps()
    layer = steps.cache.layers[0]
    pair = torch.stack([layer.keys, layer.values])
    layer.keys, layer.values = pair[0], pair[1]
    steps.check(4, 5)
    assert "expected buffers of their own" in find_new_reasons(steps.before)
    assert torch.equal(pair[0], layer.keys)


def test_padding_that_becomes_tokens() -> None:
    """What was computed for padding here is no key that PyTorch would have."""
    steps = _Steps((0, 6))
    for token in (4, 5):
        steps.run(token, token + 1)
    mask = steps.describe(6, 7)["attention_mask"].clone()
    mask[1, :, :, 5] = True
    positions = torch.tensor([[6], [1]])
    with pytest.raises(parablock.Error, match=r"padding of \[0, 6\] tokens in front"):
        steps.run(6, 7, attention_mask=mask, position_ids=positions)


def test_full_caches() -> None:
    """PyTorch's own error: nothing is written behind the end of a buffer."""
    steps = _Steps((0, 0))
    for layer in steps.cache.layers:
        layer.cumulative_length.fill_(12)
    with pytest.raises(Exception, match="index"):
        steps.run(7, 8)
    assert "expected at most 12 tokens, got 12" in find_new_reasons(steps.before)


def test_first_calls_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where numbers differ from PyTorch's, all calls are PyTorch's."""
    monkeypatch.setattr(call_control, "_FAR", {torch.float32: -1.0})
    torch.compiler.reset()
    steps = _Steps()
    for token in (4, 5, 6):
        steps.check(token, token + 1)
    assert "the result is not what PyTorch computes" in find_new_reasons(steps.before)
    assert int(steps.cache.layers[1].cumulative_length) == 7
    torch.compiler.reset()


class _Counts(torch.nn.Module):
    """What a cache holds decides more than masks and positions."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, past_key_values: Any, **call: Any) -> Any:
        held = past_key_values.layers[0].cumulative_length * 0.5
        result = self.inner(past_key_values=past_key_values, **call)
        result.logits = result.logits * held
        return result


def test_counts_in_other_places() -> None:
    steps = _Steps()
    steps.compiled = torch.compile(_Counts(steps.module), backend="parablock")
    steps.exact = steps.exact * 2
    steps.check(4, 5)
    assert "caches: " in find_new_reasons(steps.before)


# generate ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gpt2", pytest.param("llama", marks=pytest.mark.full)])
def test_steps_of_generate(name: str) -> None:
    """Rows with padding in front: prompts run by PyTorch, steps and caches are here."""
    before = run(make(name), draw_prompt(), compile_steps)
    # The second graph has buffers as the first call left them.
    assert count(before, "graphs") == count(before, "compiled") == 2
    assert parablock.stats()["recognised"]["cache"] >= 8


@pytest.mark.parametrize("name", ["llama", pytest.param("gpt2", marks=pytest.mark.full)])
def test_prompts_and_steps_are_one_program(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []

    class Counted(cached_call.Decoder):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            made.append(self)

    monkeypatch.setattr(cached_call, "Decoder", Counted)
    before = run(make(name), draw_prompt(), compile_forward)
    assert count(before, "graphs") == count(before, "compiled") == 2
    assert len(made) == 1


def _make_bloom() -> Any:
    module = make("bloom")
    module.transformer.h = module.transformer.h[:1]
    module.config.num_hidden_layers = 1
    return module


def test_alibi_of_one_key() -> None:
    """Slopes are between two keys: a call that sees one says nothing of them."""
    torch.compiler.reset()
    module, before = _make_bloom(), parablock.stats()
    ids = draw_prompt()["input_ids"][:1, :1]
    compiled: Any = torch.compile(module, backend="parablock")
    with torch.no_grad():
        found = compiled(input_ids=ids, past_key_values=hf.StaticCache(module.config, 12)).logits
    check_near(found, run_exactly(module, (), {"input_ids": ids}).logits)
    assert "expected a call that sees two keys, to find ALiBi's slopes" in find_new_reasons(before)


def test_alibi() -> None:
    """Slopes of BLOOM's, which counts the keys that a mask shows, beside padding."""
    module = _make_bloom()
    before = run(module, draw_prompt(), compile_forward)
    assert count(before, "graphs") == count(before, "compiled") == 2


@pytest.mark.full
def test_alibi_that_is_rounded() -> None:
    """Falcon's, in one table with the mask, where caches grow; sizes follow from others."""
    run(make("falcon-rw"), draw_prompt(), compile_forward, None)


def test_other_numbers_than_slopes() -> None:
    """What is added to scores is held against slopes where real tokens see keys."""
    slopes = torch.tensor([0.5, 0.25], dtype=torch.float64)
    keys, starts = torch.arange(5), torch.tensor([0, 2])
    value = (slopes[:, None] * keys + 7).float().reshape(1, 2, 1, 5).repeat(2, 1, 1, 1)
    allowed = (keys >= starts[:, None])[:, None]
    value[1, :, :, :2] = -3
    alibi.check_alibi(alibi.Alibi(slopes), value, allowed, starts, 0)
    value[1, 1, 0, 3] += 1e-4
    with pytest.raises(parablock.Error, match="expected what ALiBi's slopes add to scores"):
        alibi.check_alibi(alibi.Alibi(slopes), value, allowed, starts, 0)


def test_rounded_slopes_count_from_the_first_token() -> None:
    """Multiples of 16 bits are those of keys behind the padding and the first key kept."""
    slopes = alibi.Alibi(torch.tensor([0.37, 0.11], dtype=torch.float64), torch.bfloat16)
    starts, first = torch.tensor([0, 3]), 70
    keys = first + torch.arange(200)
    value = slopes.compute(keys - starts[:, None])[:, :, None].float()
    allowed = torch.ones(2, 1, 200, dtype=torch.bool)
    alibi.check_alibi(slopes, value, allowed, starts, first)
    for others, other in ((torch.zeros(2, dtype=torch.int64), first), (starts, 0)):
        with pytest.raises(parablock.Error, match="expected what ALiBi's slopes add"):
            alibi.check_alibi(slopes, value, allowed, others, other)


@pytest.mark.full
def test_others_are_right() -> None:
    """Attention that is spelled out."""
    torch.compiler.reset()
    module, prompt = make("gptj"), draw_prompt()
    reference = copy.deepcopy(module)
    check(reference, generate(module, prompt, **compile_forward(module)), prompt)


@pytest.mark.full
def test_half_the_bits() -> None:
    torch.compiler.reset()
    module: Any = to_bf16(make("llama"))
    prompt, before = draw_prompt(), parablock.stats()
    exact = get_exact_logits(module, prompt["input_ids"], prompt["attention_mask"])
    own = copy.deepcopy(module).generate(
        **prompt, max_new_tokens=1, output_logits=True, return_dict_in_generate=True
    )
    found = generate(module, prompt, **compile_forward(module))
    check_near(found.logits[0], exact[:, -1], own.logits[0], torch.bfloat16)
    assert count(before, "compiled") == 2 and not find_new_reasons(before)
