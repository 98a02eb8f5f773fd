# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules that take keys and values of earlier calls, and return or change them."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import transformers as hf
from families import FAMILIES
from generating import assert_close, count_positions, draw_prompt, get_exact_logits, make_llama

import parablock
from parablock.decoding import call_control


class _Grown(torch.nn.Module):
    """Returns keys and values of all tokens, as DynamicCache grows them."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, input_ids: Any, starts: Any, past: Any) -> Any:
        """`starts` counts the padding in front of each row."""
        tokens, held = input_ids.shape[1], past[0][0].shape[2]
        rows = torch.arange(tokens) + held
        keys = torch.arange(tokens + held)
        attention_mask = (keys <= rows[:, None]) & (keys >= starts[:, None, None])
        cache = hf.DynamicCache()
        for number, (keys, values) in enumerate(past):
            cache.update(keys, values, number)
        result = self.inner(
            input_ids=input_ids,
            attention_mask=attention_mask[:, None],
            position_ids=(rows - starts[:, None]).clamp(min=0),
            past_key_values=cache,
        )
        return result.logits, [(layer.keys, layer.values) for layer in cache.layers]


class _Changed(torch.nn.Module):
    """Writes into buffers of its caller, as StaticCache does."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(
        self, input_ids: Any, attention_mask: Any, position_ids: Any, held: Any, past: Any
    ) -> Any:
        cache = hf.StaticCache(config=self.inner.config, max_cache_len=past[0][0].shape[2])
        for layer, (keys, values) in zip(cache.layers, past, strict=True):
            layer.keys, layer.values, layer.is_initialized = keys, values, True
            layer.dtype, layer.device = keys.dtype, keys.device
            layer.cumulative_length = held
        return self.inner(
            input_ids=input_ids,
            attention_mask=attention_mask,
            position_ids=position_ids,
            past_key_values=cache,
        ).logits


def _make(name: str) -> Any:
    if name == "llama":
        return make_llama(num_hidden_layers=1, eos_token_id=None)
    return FAMILIES[name].make()


def _make_past(inner: Any, tokens: int, rows: int = 2) -> Any:
    config = inner.config
    heads = getattr(config, "num_key_value_heads", config.num_attention_heads)
    size = config.hidden_size // config.num_attention_heads
    shape = (rows, heads, tokens, size)
    layers = range(config.num_hidden_layers)
    return [(torch.zeros(shape), torch.zeros(shape)) for _ in layers]


def _allow(mask: torch.Tensor, begin: int, end: int, capacity: int) -> torch.Tensor:
    """Which keys tokens see: those up to themselves that are no padding."""
    real = torch.nn.functional.pad(mask[:, :end], (0, capacity - end)).bool()
    upto = torch.arange(capacity) <= torch.arange(begin, end)[:, None]
    return real[:, None, None] & upto


@pytest.mark.parametrize("name", ["llama", "gpt2"])
def test_grown_caches(name: str) -> None:
    """One program for prompts, parts of them, and single tokens."""
    inner, prompt = _make(name), draw_prompt((0, 2), 9)
    ids, mask = prompt["input_ids"], prompt["attention_mask"]
    exact, starts = get_exact_logits(inner, ids, mask), torch.tensor([0, 2])
    seq, past = torch.export.Dim("seq", max=40), torch.export.Dim("past", max=40)
    caches = [({2: past}, {2: past}) for _ in range(inner.config.num_hidden_layers)]
    given = (ids[:, :3].contiguous(), starts, _make_past(inner, 4))
    dims = ({1: seq}, {}, caches)
    model = parablock.from_torch(_Grown(inner), given, dynamic_shapes=dims)
    text = str(model)
    assert "block.cache_append" in text and "past_lengths" in text and "starts" in text
    compiled = model.optimize().compile("cpu")
    state: Any = _make_past(inner, 0)
    begin = 0
    for end in (4, 5, 8, 9):
        logits, state = compiled(ids[:, begin:end], starts, state)
        assert_close(logits, exact[:, begin:end], mask[:, begin:end])
        assert state[0][0].shape[2] == end
        begin = end


def test_changed_buffers() -> None:
    inner, prompt = _make("llama"), draw_prompt((0, 2), 6)
    ids, mask = prompt["input_ids"], prompt["attention_mask"]
    positions, exact = count_positions(mask), get_exact_logits(inner, ids, mask)
    past, held = _make_past(inner, 10), torch.tensor(0)
    call = (ids[:, :1], _allow(mask, 0, 1, 10), positions[:, :1], held, past)
    compiled = parablock.from_torch(_Changed(inner), call).compile("cpu")
    keys = past[0][0]
    for t in range(6):
        step = (ids[:, t, None], _allow(mask, t, t + 1, 10), positions[:, t, None])
        logits = compiled(*step, held, past)
        assert_close(logits, exact[:, t, None], mask[:, t, None])
        assert int(held) == t + 1
    assert past[0][0] is keys and bool((keys[:, :, :6] != 0).all(-1)[0].all())
    assert not bool((keys[:, :, 6:] != 0).any())


def test_padding_stays_padding() -> None:
    """Its keys are not PyTorch's: neither those returned nor those in buffers are shown later."""
    inner, prompt = _make("llama"), draw_prompt((0, 2), 6)
    ids, mask = prompt["input_ids"], prompt["attention_mask"]
    seq, past = torch.export.Dim("seq", max=40), torch.export.Dim("past", max=40)
    given = (ids[:, :3].contiguous(), torch.tensor([0, 2]), _make_past(inner, 4))
    dims = ({1: seq}, {}, [({2: past}, {2: past})])
    compiled = parablock.from_torch(_Grown(inner), given, dynamic_shapes=dims).compile("cpu")
    _, state = compiled(ids[:, :4], torch.tensor([0, 2]), _make_past(inner, 0))
    with pytest.raises(parablock.Error, match=r"padding of \[0, 2\] tokens.*got \[0, 1\]"):
        compiled(ids[:, 4:], torch.tensor([0, 1]), state)
    compiled(ids[:, 4:], torch.tensor([1, 2]), state)

    buffers, positions = _make_past(inner, 10), count_positions(mask)
    first = (ids[:, :1], _allow(mask, 0, 1, 10), positions[:, :1], torch.tensor(0), buffers)
    writing = parablock.from_torch(_Changed(inner), first).compile("cpu")
    writing(*first)
    shown = torch.ones_like(mask)
    with pytest.raises(parablock.Error, match="padding of .* got"):
        step = (ids[:, 1:2], _allow(shown, 1, 2, 10), count_positions(shown)[:, 1:2])
        writing(*step, torch.tensor(1), buffers)


def test_what_does_not_fit_is_refused() -> None:
    inner, prompt = _make("llama"), draw_prompt((0, 0), 6)
    ids, positions = prompt["input_ids"], count_positions(prompt["attention_mask"])
    mask = prompt["attention_mask"]
    past, held = _make_past(inner, 10), torch.tensor(2)
    call = (ids[:, :1], _allow(mask, 2, 3, 10), positions[:, 2:3], held, past)
    compiled = parablock.from_torch(_Changed(inner), call).compile("cpu")
    compiled(*call)
    with pytest.raises(parablock.Error, match="expected positions that count"):
        compiled(call[0], call[1], positions[:, 5:6], torch.tensor(2), past)
    hole = call[1].clone()
    hole[0, 0, 0, 1] = False
    with pytest.raises(parablock.Error, match="a mask that lets token 0 of row 0 see"):
        compiled(call[0], hole, call[2], torch.tensor(2), past)
    with pytest.raises(parablock.Error, match="at most 10 tokens, got 10"):
        compiled(call[0], call[1], call[2], torch.tensor(10), past)


def test_first_calls_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    inner, ids = _make("llama"), torch.tensor([[5], [6]])
    past, held = _make_past(inner, 10), torch.tensor(0)
    call = (ids, torch.ones(2, 1, 1, 10).bool(), torch.zeros_like(ids), held, past)
    call[1][..., 1:] = False
    compiled = parablock.from_torch(_Changed(inner), call).compile("cpu")
    monkeypatch.setattr(call_control, "_FAR", {torch.float32: -1.0})
    with pytest.raises(parablock.Error, match="the result is not what PyTorch computes"):
        compiled(*call)
    monkeypatch.undo()
    assert not bool(past[0][0].any()) and int(held) == 0
    compiled(*call)
    assert int(held) == 1


class _Doubled(torch.nn.Module):
    """What looks like a cache, and is read by no attention."""

    def forward(self, x: Any, past: Any) -> Any:
        keys = torch.cat([past, x], 2)
        return keys * 2, keys


def test_what_is_no_cache() -> None:
    """It is imported as all else is."""
    torch.manual_seed(0)
    given = (torch.randn(1, 1, 2, 8), torch.randn(1, 1, 3, 8))
    compiled = parablock.from_torch(_Doubled(), given).compile("cpu")
    for one, two in zip(compiled(*given), _Doubled()(*given), strict=True):
        assert torch.equal(one, two)


class Beginning(torch.nn.Module):
    """Keys that begin in each call, and a number that data decide."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        keys = torch.cat([x.new_zeros(0), x], -2)
        torch._check(x.argmax().item() >= 0)
        mask = x[..., :1].mT > 0
        return torch.nn.functional.scaled_dot_product_attention(x, keys, keys, mask)


def test_without_a_past_the_operation_in_the_way_is_named() -> None:
    with pytest.raises(parablock.Error, match=r"no rule for the operation 'aten.item.default'"):
        parablock.from_torch(Beginning(), (torch.randn(1, 2, 3, 4),))
