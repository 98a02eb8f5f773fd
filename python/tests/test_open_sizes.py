# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes far from the imported ones: right numbers, or an error that names the line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as hf
from families import FAMILIES, VOCABULARY, forbid_caches, make_inputs, randomise
from oracle import get_distance, run_exactly

import parablock
from parablock.frontend import size_forms
from parablock.frontend.export import export_module
from parablock.frontend.imported import Choices
from parablock.frontend.programs import read_program
from parablock.frontend.size_forms import Fixed, Kind, Steps

#: Rows of the tables that small modules have.
_ROWS = 300


class _Module(torch.nn.Module):
    """A projection, and what is computed of its result and of sizes."""

    def __init__(self, use: Callable[[Any, torch.Tensor], Any]) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.use = use
        self.linear = torch.nn.Linear(16, 16)
        at = torch.arange(_ROWS)
        near = (at[:, None] - at < 200) & (at[:, None] >= at)
        self.register_buffer("window", near)
        self.register_buffer("late", torch.where(at >= 256, 2.0, 1.0)[:, None])
        self.register_buffer("slopes", -0.1 * (at[:, None] - at).abs().float())
        self.register_buffer("drawn", (torch.rand(_ROWS, _ROWS) > 0.3) | torch.eye(_ROWS).bool())
        self.rows = torch.nn.Embedding(_ROWS, 16)
        self.near = torch.nn.Embedding(2 * _ROWS - 1, 1)

    def forward(self, x: torch.Tensor) -> Any:
        return self.use(self, self.linear(x))


def _attend(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    heads = x[:, None]
    result = torch.nn.functional.scaled_dot_product_attention(heads, heads, heads, mask)
    return result[:, 0]


def _count(x: torch.Tensor) -> torch.Tensor:
    return torch.arange(x.shape[1])


def _chunk(_: Any, x: torch.Tensor) -> torch.Tensor:
    chunks = _count(x) // 200
    return _attend(x, chunks[:, None] == chunks)


def _scale(_: Any, x: torch.Tensor) -> torch.Tensor:
    """As Llama 4 scales queries of long texts."""
    steps = torch.log(torch.floor((_count(x) + 1.0) / 200) + 1.0)
    return x * (steps * 0.1 + 1.0)[:, None]


def _hide_far(_: Any, x: torch.Tensor) -> torch.Tensor:
    at = _count(x)
    return _attend(x, (at[:, None] - at < 200) & (at[:, None] >= at))


def _attend_causally(*given: torch.Tensor) -> torch.Tensor:
    query, key, value = (each.unflatten(-1, (2, 8)).transpose(1, 2) for each in given)
    attend = torch.nn.functional.scaled_dot_product_attention
    return attend(query, key, value, is_causal=True).transpose(1, 2).flatten(-2)


def _scale_positions(x: torch.Tensor) -> torch.Tensor:
    return x * torch.log(_count(x) + 2.0)[:, None]


def _make_dims(least: int, most: int) -> dict[int, Any]:
    return {0: torch.export.Dim("batch", max=99), 1: torch.export.Dim("seq", min=least, max=most)}


def _import(use: Callable[..., Any], most: int, least: int = 2) -> tuple[Any, Any]:
    module = _Module(use).eval()
    example = (torch.randn(2, 7, 16),)
    return module, parablock.from_torch(module, example, (_make_dims(least, most),)).compile()


#: What decoders are refused for, whose constants no call computes.
_UNPROVED = {
    "parity": (lambda _, x: x * (1.0 + x.shape[1] % 2), r"Mod\(seq, 2\).*has no rule"),
    "quotient": (lambda _, x: x * (1 + x.shape[1] // 200), "seq//200.*has no rule"),
    "odd positions": (lambda _, x: x * (1 + _count(x) % 2)[:, None], "remainder.*has no rule"),
    "scale": (_scale, "changes beyond 199 tokens: give the dimension's max=199"),
    "rounded positions": (
        lambda _, x: x + _count(x).to(torch.bfloat16)[:, None],
        "changes beyond 257 tokens",
    ),
    "chunks": (_chunk, "changes beyond 200 tokens: give the dimension's max=200"),
    "difference": (lambda _, x: x * (x.shape[1] - x.shape[0]), "depend on sizes"),
    "table": (lambda m, x: x * m.late[: x.shape[1]], "depend on sizes"),
}


@pytest.mark.parametrize("name", _UNPROVED)
def test_what_has_no_proof_is_refused_without_calls(name: str) -> None:
    use, message = _UNPROVED[name]
    dims = _make_dims(2, _ROWS - 1 if name == "table" else 2000)
    program = export_module(_Module(use).eval(), (torch.randn(2, 7, 16),), {}, (dims,))
    with pytest.raises(parablock.Error, match=message) as found:
        read_program(program, Choices())
    if message != "depend on sizes":
        assert "test_open_sizes.py" in str(found.value)


_REFUSED = {
    "padding to even": (
        lambda _, x: torch.nn.functional.pad(x, (0, 0, 0, x.shape[1] % 2)),
        "has no rule|depend on sizes|stands in its place",
    ),
    "positions": (lambda _, x: (x, _count(x)), "a result that depends on sizes alone"),
    "size": (lambda _, x: (x, x.shape[1]), "a result that depends on sizes alone"),
}


@pytest.mark.parametrize("name", _REFUSED)
def test_what_other_sizes_change_is_refused(name: str) -> None:
    use, message = _REFUSED[name]
    with pytest.raises(parablock.Error, match=message):
        _import(use, 2000)


#: What fixes a size while the module is traced, with the message that names it.
_FIXED = {
    "linspace": (
        lambda _, x: x * torch.linspace(0, 1, x.shape[1])[:, None],
        r"'torch\.linspace' requires x\.shape\[1\] == 7; .*: import the model at a known size",
    ),
    "pool": (
        lambda _, x: torch.nn.functional.max_pool1d(x.mT, 2).mT,
        r"'torch\.nn\.functional\.max_pool1d' requires x\.shape\[1\] == 7; .*at a known size",
    ),
    "loop": (
        lambda _, x: torch.stack([x[:, at] for at in range(x.shape[1])], 1),
        r"the code requires x\.shape\[1\] == 7; .*operations of any size",
    ),
    "largest": (
        lambda _, x: x.topk(6, 1).values,
        r"'torch\.Tensor\.topk' requires x\.shape\[1\] >= 6; .*give Dim\('seq', min=6, max=2000\)",
    ),
}


@pytest.mark.parametrize("name", _FIXED)
def test_what_fixes_a_size_is_named_with_its_line(name: str) -> None:
    use, message = _FIXED[name]
    with pytest.raises(parablock.Error, match=r"test_open_sizes\.py:\d+: " + message):
        _import(use, 2000)


def _mix(factors: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return factors.to(x.dtype) @ x


def _distances(x: torch.Tensor) -> torch.Tensor:
    return _count(x)[:, None] - _count(x)


#: Everyday uses of sizes and positions, of which each call computes what has no proof.
_EVERYDAY: dict[str, Callable[[Any, torch.Tensor], Any]] = {
    "root of the size": lambda _, x: x * x.shape[1] ** -0.5,
    "difference of sizes": lambda _, x: x * (x.shape[1] - x.shape[0]),
    "parity": lambda _, x: x * (1.0 + x.shape[1] % 2),
    "quotient": lambda _, x: x * (1 + x.shape[1] // 200),
    "running mean": lambda _, x: x.cumsum(1) / (_count(x) + 1)[:, None],
    "mean": lambda _, x: x - x.mean(1, keepdim=True),
    "flip": lambda _, x: x.flip(1),
    "roll": lambda _, x: x.roll(1, 1),
    "every other": lambda _, x: x[:, ::2],
    "odd rows": lambda _, x: x[:, 1::2],
    "first half": lambda _, x: x[:, : x.shape[1] // 2],
    "all but last": lambda _, x: x[:, :-1],
    "all but first": lambda _, x: x[:, 1:],
    "last": lambda _, x: x[:, -1],
    "last four": lambda _, x: x[:, -4:],
    "shift": lambda _, x: torch.nn.functional.pad(x, (0, 0, 1, 0))[:, :-1],
    "token in front": lambda m, x: torch.cat([m.rows.weight[:1].expand(x.shape[0], 1, 16), x], 1),
    "repeats": lambda _, x: x.repeat_interleave(2, 1),
    "repeated halves": lambda _, x: x.chunk(2, -1)[0].repeat(1, 1, 2),
    "pairs": lambda _, x: torch.stack([x, -x], 2).flatten(1, 2),
    "pool": lambda _, x: torch.nn.functional.avg_pool1d(x.mT, 2).mT,
    "interpolate": lambda _, x: torch.nn.functional.interpolate(x.mT, scale_factor=2).mT,
    "interpolate to": lambda _, x: torch.nn.functional.interpolate(x.mT, x.shape[1] // 2).mT,
    "share of the size": lambda _, x: x * (_count(x) / x.shape[1])[:, None],
    "odd positions": lambda _, x: x * (1 + _count(x) % 2)[:, None],
    "rounded positions": lambda _, x: x + _count(x).to(torch.bfloat16)[:, None],
    "one of sixteen": lambda _, x: x + torch.nn.functional.one_hot(_count(x) * 7 % 16, 16),
    "from the end": lambda m, x: x + m.rows(x.shape[1] - 1 - _count(x)),
    "rows of a table": lambda m, x: x + m.rows.weight[: x.shape[1]],
    "late rows": lambda m, x: x * m.late[: x.shape[1]],
    "decay": lambda _, x: _mix(torch.exp(-0.1 * _distances(x).abs()), x),
    "slopes of a buffer": lambda m, x: _attend(x, m.slopes[: x.shape[1], : x.shape[1]]),
    "drawn mask": lambda m, x: _attend(x, m.drawn[: x.shape[1], : x.shape[1]]),
    "prefix": lambda _, x: _attend(x, (_distances(x) >= 0) | (_count(x) < 5)),
    "half a prefix": lambda _, x: _attend(x, (_distances(x) >= 0) | (_count(x) < x.shape[1] // 2)),
    "dilated": lambda _, x: _attend(x, _distances(x) % 2 == 0),
    "blocks": lambda _, x: _attend(x, _count(x)[:, None] // 16 == _count(x) // 16),
    "table of distances": lambda m, x: _attend(x, m.near(_distances(x) + _ROWS - 1)[..., 0]),
    "scale": _scale,
    "chunks": _chunk,
    "queries scaled by positions": lambda _, x: _attend_causally(_scale_positions(x), x, x),
    "tokens scaled by positions": lambda _, x: _attend_causally(*[_scale_positions(x)] * 3),
    "gated values": lambda _, x: _attend_causally(x, x, x * torch.sigmoid(x)),
}


@pytest.mark.parametrize("name", _EVERYDAY)
@torch.no_grad()
def test_everyday_uses(name: str) -> None:
    """Numbers of calls of several sizes, one after the other: odd, even, the same again."""
    most = _ROWS - 2
    module, compiled = _import(_EVERYDAY[name], most, least=5)
    for batch, tokens in ((1, 6), (4, 9), (2, 97), (1, most), (3, most - 1), (2, 150), (2, 150)):
        x = torch.randn(batch, tokens, 16)
        wanted = run_exactly(module, (x,))
        assert get_distance(compiled(x), wanted) < 1e-5, (name, batch, tokens)


@torch.no_grad()
def test_indices_beyond_a_table_are_refused_at_the_call() -> None:
    _, compiled = _import(lambda m, x: x + m.rows(_count(x) * 2 % 7 + x.shape[1]), 2 * _ROWS)
    compiled(torch.randn(1, _ROWS - 7, 16))
    with pytest.raises(parablock.Error, match=f"expected indices from 0 to {_ROWS - 1}, got 30"):
        compiled(torch.randn(1, _ROWS + 1, 16))


def test_packages_and_drift_compute_no_tables(tmp_path: Path) -> None:
    module = _Module(lambda _, x: x * x.shape[1] ** -0.5).eval()
    dims = (_make_dims(2, _ROWS),)
    model = parablock.from_torch(module, (torch.randn(2, 7, 16),), dims)
    reason = "has nothing that computes 'of_sizes.*: import the model at known sizes"
    with pytest.raises(parablock.Error, match=f"a package {reason}"):
        model.save(tmp_path / "model.pbk")
    with pytest.raises(parablock.Error, match=f"drift {reason}"):
        model.drift(torch.randn(3, 9, 16))
    assert not list(tmp_path.iterdir())


@torch.no_grad()
def test_sizes_that_exporting_took_for_others_are_refused() -> None:
    module, compiled = _import(lambda _, x: x[:, x.shape[1] // 2 :], _ROWS, least=4)
    x = torch.randn(3, 10, 16)
    assert get_distance(compiled(x), run_exactly(module, (x,))) < 1e-5
    with pytest.raises(parablock.Error, match="expected sizes for which .*as exported, got"):
        compiled(torch.randn(1, 10, 16))


_HELD: dict[str, tuple[Callable[[Any, torch.Tensor], Any], int]] = {
    "window": (_hide_far, _ROWS - 1),
    "window of a table": (
        lambda m, x: _attend(x, m.window[: x.shape[1], : x.shape[1]]),
        _ROWS - 1,
    ),
    "scale up to its length": (_scale, 199),
    "chunks up to their length": (_chunk, 200),
}


@pytest.mark.parametrize("name", _HELD)
@torch.no_grad()
def test_numbers_at_far_sizes(name: str) -> None:
    """Even and prime ones, and the largest."""
    use, most = _HELD[name]
    module, compiled = _import(use, most)
    for batch, tokens in ((1, 2), (4, 8), (2, 97), (3, most - 1), (1, most)):
        x = torch.randn(batch, tokens, 16)
        assert get_distance(compiled(x), run_exactly(module, (x,))) < 1e-5
    with pytest.raises(parablock.Error, match=f"at most {most} for seq"):
        compiled(torch.randn(1, most + 1, 16))


def _make_window_in_a_table() -> Any:
    torch.manual_seed(0)
    config = hf.GPTNeoConfig(
        num_layers=2,
        hidden_size=48,
        num_heads=4,
        vocab_size=VOCABULARY,
        max_position_embeddings=320,
        window_size=200,
        attention_types=[[["local", "global"], 1]],
    )
    module = hf.GPTNeoForCausalLM(config).eval()
    randomise(module)
    return module


@torch.no_grad()
def test_window_in_a_table_of_a_decoder() -> None:
    """GPT-Neo's, whose mask is a buffer, beyond that window."""
    module = _make_window_in_a_table()
    ids = torch.randint(1, VOCABULARY, (1, 290), generator=torch.Generator().manual_seed(1))
    compiled = parablock.generation(module)
    exact = run_exactly(module, (ids,), {"use_cache": False}).logits
    assert get_distance(compiled(input_ids=ids).logits, exact) < 2e-5


#: Families whose everyday test is elsewhere, at sizes that are not those of an import.
_IDS = [name for name, family in FAMILIES.items() if family.kind == "ids"]
_FAR = [name for name in _IDS if name not in ("mistral", "gptj")]


@pytest.mark.parametrize(
    "name", ["mistral", "gptj", *(pytest.param(name, marks=pytest.mark.full) for name in _FAR)]
)
@torch.no_grad()
def test_families_at_far_sizes(name: str) -> None:
    """Beyond windows, up to the last row of a table, even and prime."""
    module = FAMILIES[name].make()
    forbid_caches(module)
    (ids,) = make_inputs(FAMILIES[name])
    # RoBERTa's positions begin behind the padding's row.
    most = 62 if name == "roberta" else 63
    sizes = {
        0: torch.export.Dim("batch", max=64),
        1: torch.export.Dim("seq", min=2, max=most),
    }
    compiled = parablock.from_torch(module, (ids,), {"input_ids": sizes}).compile()
    for batch, tokens in ((1, 2), (4, 16), (2, 37), (1, most - 1), (2, most)):
        given = make_inputs(FAMILIES[name], batch=batch, tokens=tokens)
        exact = run_exactly(module, given)
        key = "logits" if "logits" in exact else "last_hidden_state"
        assert get_distance(getattr(compiled(*given), key), getattr(exact, key)) < 1e-5


def test_forms_of_positions() -> None:
    """A position, a difference, a window, and what has no end."""
    rows, columns = (size_forms.count(0, 63, along=along) for along in (-2, -1))
    distance = size_forms.apply("sub", [rows, columns], lambda given: given[0] - given[1])
    assert isinstance(distance, Steps)
    assert (distance.line.low, distance.line.high) == (-63, 63)
    near = size_forms.apply(
        "lt", [distance, size_forms.number(9)], lambda given: given[0] < given[1]
    )
    settled = size_forms.settle(near)
    assert (settled.kind, settled.bound, settled.limit) == (Kind.FLAT, 10, None)
    chunks = size_forms.apply(
        "floor_divide", [rows, size_forms.number(16)], lambda given: given[0] // given[1]
    )
    settled = size_forms.settle(chunks)
    assert (settled.kind, settled.limit) == (Kind.OTHER, None) or settled.bound >= 48
    same = size_forms.apply("sub", [rows, rows], lambda given: given[0] - given[1])
    assert isinstance(same, Fixed)
    assert bool(same.value == 0)


def test_numbers_beyond_every_table() -> None:
    """What an unlimited size is compared with has to be looked at."""
    rows = size_forms.count(0, 1 << 40, along=-1)
    far = size_forms.number(size_forms.REACH)
    found = size_forms.apply("lt", [rows, far], lambda given: given[0] < given[1])
    settled = size_forms.settle(found)
    assert settled.kind is Kind.OTHER
    assert settled.limit == size_forms.REACH // 2
