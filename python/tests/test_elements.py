# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on elements give PyTorch's numbers, types and shapes, by every door."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch.nn import functional as F

import parablock

Function = Callable[..., torch.Tensor]


class _Calls(torch.nn.Module):
    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: torch.Tensor) -> torch.Tensor:
        return self.function(*args)


def _run(function: Function, *args: torch.Tensor) -> torch.Tensor:
    model = parablock.from_torch(_Calls(function).eval(), args)
    result: torch.Tensor = model.optimize().compile("cpu")(*args)
    return result


def _check(function: Function, *args: torch.Tensor, atol: float = 0.0) -> None:
    _compare(_run(function, *args), function(*args), atol)


def _check_each(functions: Sequence[Function], *args: torch.Tensor, atol: float = 0.0) -> None:
    """As many results of one module, which is made once."""
    together: Any = lambda *args: tuple(function(*args) for function in functions)  # noqa: E731
    for result, function in zip(_run(together, *args), functions, strict=True):
        _compare(result, function(*args), atol)


def _compare(result: torch.Tensor, expected: torch.Tensor, atol: float) -> None:
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    assert torch.allclose(result, expected, atol=atol, rtol=atol, equal_nan=True)


_X = torch.tensor([[3.0, 5.0, -9.0], [0.5, float("nan"), 2.0]])
_BOUND = torch.tensor([1.0, 4.0, -10.0])


_BOUNDED: list[Function] = [
    lambda x: x.clamp(max=2.0),
    lambda x: x.clamp(min=-2.0),
    lambda x: x.clamp(-2.0, 4.0),
    lambda x: x.clamp(3.0, 1.0),
    lambda x: x.clamp_max(2.0),
    lambda x: x.clip(max=_BOUND),
    lambda x: x.clamp(min=_BOUND),
    lambda x: F.hardtanh(x, -0.5, 2.0),
    lambda x: F.relu6(x * 3),
    lambda x: torch.minimum(x, _BOUND),
]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_bounds(dtype: torch.dtype) -> None:
    _check_each([lambda x, f=f: f(x).to(dtype) for f in _BOUNDED], _X.to(dtype))


def test_filled() -> None:
    """A number in the place of all is none of the input; one that is computed is refused."""
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    _check(lambda x: torch.fill(x, 2.5) + x, x)
    _check(lambda x: torch.fill(x, torch.tensor(1.5)) * x, x)
    with pytest.raises(parablock.errors.Error, match=r"no rule .*'aten.fill.Tensor'"):
        _run(lambda x: torch.fill(x, x.sum()), x)


def test_bounds_of_whole_numbers() -> None:
    x = torch.tensor([-5, 3, 9])
    _check(lambda x: x.clamp(max=4), x)
    _check(lambda x: x.clamp(min=0.5), x)
    _check(lambda x, y: torch.maximum(x > 0, y > 0), x, -x)


class _Gated(torch.nn.Module):
    """No MLP: its gate is bounded."""

    def __init__(self) -> None:
        super().__init__()
        self.gate, self.up = torch.nn.Linear(8, 12), torch.nn.Linear(8, 12)
        self.down = torch.nn.Linear(12, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        gate = F.silu(self.gate(x).clamp(max=0.3))
        result: torch.Tensor = self.down(gate * self.up(x))
        return result


@torch.no_grad()
def test_bounded_gate_is_no_gate() -> None:
    torch.compiler.reset()
    module, x = _Gated().eval(), 3 * torch.randn(2, 5, 8)
    model = parablock.from_torch(module, (x,)).optimize()
    assert model.explain().to_dict()["recognised"]["mlp"] == 0
    for run in (model.compile("cpu"), torch.compile(module, backend="parablock")):
        assert torch.allclose(run(x), module(x), atol=1e-5)


class _Plain(torch.nn.Module):
    def __init__(self, activation: Function) -> None:
        super().__init__()
        self.up, self.down = torch.nn.Linear(8, 12), torch.nn.Linear(12, 8)
        self.activation = activation

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.down(self.activation(self.up(x)))
        return result


@torch.no_grad()
@pytest.mark.parametrize(
    ("name", "activation"),
    [
        ("mish", F.mish),
        ("mish", lambda x: x * torch.tanh(F.softplus(x))),
        ("hardswish", F.hardswish),
        ("hardswish", lambda x: x * F.relu6(x + 3) / 6),
        ("hardswish", lambda x: x * F.hardtanh(x + 3, 0.0, 6.0) / 6),
        ("softplus", F.softplus),
        (None, lambda x: F.softplus(x, beta=2.0)),
        (None, lambda x: F.softplus(x, threshold=1.0)),
    ],
)
def test_softer_activations(name: str | None, activation: Function) -> None:
    module, x = _Plain(activation).eval(), 3 * torch.randn(2, 5, 8)
    model = parablock.from_torch(module, (x,))
    assert ("block.mlp" in str(model)) == (name is not None)
    assert name is None or f"#block.activation<{name}>" in str(model)
    result = model.optimize().compile("cpu")(x)
    assert torch.allclose(result, module(x), atol=1e-5)


_FLOATS = torch.tensor([0.6, 1.5, -0.7, -2.5, 0.0, 3e9])


_CASTS = [
    (_FLOATS, torch.int64),
    (_FLOATS[:-1], torch.int32),
    (_FLOATS[:-1].bfloat16(), torch.int64),
    (_FLOATS, torch.bool),
    (_FLOATS, torch.bfloat16),
    (_FLOATS[:-1].bfloat16(), torch.float16),
    (torch.tensor([2**33 + 5, -7, 0]), torch.int32),
    (torch.tensor([2**33 + 70000, -7]), torch.int16),
    (torch.tensor([2**25 + 1, -7, 0]), torch.float32),
    (torch.tensor([2**25 + 1, -7, 0]), torch.bool),
    (torch.tensor([True, False]), torch.int64),
    (torch.tensor([True, False]), torch.float32),
]


def test_casts() -> None:
    sources, targets = zip(*_CASTS, strict=True)
    casts: list[Function] = [
        lambda *args, place=place, target=target: args[place].to(target)
        for place, target in enumerate(targets)
    ]
    _check_each(casts, *(source.clone() for source in sources))


def test_what_is_cut_was_rounded_before() -> None:
    """Products in 16 bits are not cut as they were before they were rounded."""
    a = torch.tensor([[[1.0, 2**-9]]]).bfloat16()
    b = torch.tensor([[[2.0], [-1.0]]]).bfloat16()
    _check(lambda a, b: (a @ b).long(), a, b)


_A, _B = torch.tensor([5, -3, 8]), torch.tensor([3, 70, -1])


_OF_BITS: list[Function] = [
    lambda a, b: a & b,
    lambda a, b: a | b,
    lambda a, b: a ^ b,
    lambda a, b: ~a - b,
    lambda a, b: a << b,
    lambda a, b: a >> b,
    lambda a, b: (a & 6) + (b << 2),
    lambda a, b: (a > 0) & (b > 0),
    lambda a, b: ~(a > 0) ^ (b > 0),
    lambda a, b: (a > 0) > (b > 0),
    lambda a, b: (a > 0) + (b > 0),
    lambda a, b: torch.logical_and(a, b - 3),
]


def test_bits() -> None:
    _check_each(_OF_BITS, _A, _B)


def test_numbers_are_rounded_before_they_are_compared() -> None:
    _check(lambda x: x > 0.3, torch.tensor([0.3]).bfloat16())


_OF_NUMBERS: list[Function] = [
    torch.relu,
    lambda x: x + 1,
    lambda x: x.sum(),
    lambda x: x.softmax(0),
    lambda x: x.log_softmax(-1),
    lambda x: x.cumsum(0),
    lambda x: torch.where(x > 0, x, 3.0),
    lambda x: -x,
    lambda x: x.expand(3),
]


def test_numbers_without_dimensions() -> None:
    _check_each(_OF_NUMBERS, torch.tensor(2.5), atol=1e-6)


@torch.no_grad()
def test_numbers_without_dimensions_compiled() -> None:
    torch.compiler.reset()
    x = torch.randn(2, 3)
    result = torch.compile(_Calls(lambda x: F.relu(x).sum()), backend="parablock")(x)
    assert result.shape == ()


@pytest.mark.parametrize(
    ("left", "right"),
    [((2, 3, 4), (4,)), ((4,), (2, 4, 3)), ((4,), (4,)), ((4,), (4, 3)), ((3, 4), (4,))],
)
def test_products_of_vectors(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    _check(torch.matmul, torch.randn(left), torch.randn(right), atol=1e-5)


def test_projection_to_a_number() -> None:
    _check(F.linear, torch.randn(2, 3), torch.randn(3), atol=1e-5)


_ROWS = torch.tensor([2, 0])


_MOVES: list[Function] = [
    lambda x: x.repeat_interleave(2),
    lambda x: x.narrow(1, -2, 2),
    lambda x: x.cumsum(0),
    lambda x: F.layer_norm(x, (2, 3)),
    lambda x: F.group_norm(x, 3),
    lambda x: (1e-40 * (x - x + 1)) / (2e-40 * (x - x + 1)),
]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64, torch.bool])
def test_triangles(dtype: torch.dtype) -> None:
    """What a diagonal cuts off is 0, whatever was there."""
    x = torch.arange(48).reshape(2, 4, 6).to(dtype)
    if dtype.is_floating_point:
        x[0, 0], x[1, :, 5] = torch.inf, torch.nan
    for diagonal in (-2, 0, 1, 7, -9):
        _check_each([lambda x, k=diagonal: x.tril(k), lambda x, k=diagonal: x.triu(k)], x)  # type: ignore[misc]


def test_moves_and_sums() -> None:
    _check_each(_MOVES, torch.arange(6.0).reshape(2, 3), atol=1e-6)


_POSITIONS: list[Function] = [
    lambda x, i: x.index_select(1, i),
    lambda x, i: x[:, i],
    lambda x, i: x[:, i - 3],
    lambda x, i: x.flatten()[i - 3],
    lambda x, i: x[:, i, i],
    lambda x, i: x.gather(1, i.expand(2, 1, 2)),
]


def test_positions_that_are_data() -> None:
    _check_each(_POSITIONS, torch.randn(2, 3, 4), _ROWS)


def test_fill_is_what_it_is() -> None:
    """A low number takes an element's place, even of one that is larger."""
    keeps = torch.tensor([True, False, False])
    _check(lambda x: torch.where(keeps, x, -70000.0), torch.tensor([1.0, 1e9, 5.0]))


def _attend(mask: torch.Tensor) -> Function:
    return lambda q, k, v: F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def test_rows_that_are_hidden_whole_are_zero() -> None:
    q, k, v = (torch.randn(2, 3, n, 16) for n in (8, 12, 12))
    mask = torch.ones(8, 12, dtype=torch.bool)
    mask[2] = False
    added = torch.zeros(8, 12).masked_fill(~mask, float("-inf"))
    for one in (mask, added):
        _check(_attend(one), q, k, v, atol=1e-5)
        given = lambda q, k, v, m: _attend(m)(q, k, v)  # noqa: E731
        _check(given, q, k, v, one, atol=1e-5)


@pytest.mark.parametrize(
    ("function", "x", "words"),
    [
        (lambda x: x.float() * 2, torch.ones(3).to(torch.float8_e4m3fn), "float8_e4m3fn"),
        (lambda x: x.to(torch.uint8) + 1, torch.ones(3), "torch.uint8"),
        (lambda x: x + torch.rand(3), torch.ones(3), "random numbers"),
        (lambda x: x @ x, torch.ones(3, 3, dtype=torch.int64), "products in i64"),
        (lambda x: x.sum(), torch.ones(0, 3), "no result"),
    ],
)
def test_refusals(function: Function, x: torch.Tensor, words: str) -> None:
    with pytest.raises(parablock.Error, match=words):
        _run(function, x)


def test_input_that_changes_is_refused() -> None:
    def change(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        y.mul_(2)
        return x + 1

    with pytest.raises(parablock.Error, match="in place"):
        _run(change, torch.ones(3), torch.ones(3))


def test_constants_are_each_calls_own() -> None:
    fixed = torch.ones(2)
    model = parablock.from_torch(
        _Calls(lambda x: (x, fixed * 2)).eval(),  # type: ignore[arg-type, return-value]
        (torch.zeros(1),),
    ).compile()
    results: Any = [model(torch.zeros(1))[1] for _ in range(2)]
    results[0].zero_()
    assert torch.equal(results[1], fixed * 2)


@pytest.mark.parametrize(
    ("queries", "keys", "more"),
    [
        ((2, 4, 17, 16), (2, 4, 17, 16), {"is_causal": True}),
        ((2, 4, 9, 16), (2, 4, 17, 16), {"scale": 0.3}),
        ((2, 4, 2, 16), (2, 2, 2, 16), {"is_causal": True, "enable_gqa": True}),
        ((2, 4, 9, 16), (2, 2, 17, 16), {"enable_gqa": True}),
        ((3, 17, 16), (3, 17, 16), {"is_causal": True}),
    ],
)
def test_bare_attention(
    queries: tuple[int, ...], keys: tuple[int, ...], more: dict[str, Any]
) -> None:
    attend = lambda q, k, v: F.scaled_dot_product_attention(q, k, v, **more)  # noqa: E731
    args = (torch.randn(queries), torch.randn(keys), torch.randn(*keys[:-1], 24))
    model = parablock.from_torch(_Calls(attend).eval(), args).optimize()
    assert model.explain().to_dict()["recognised"]["attention"] == 1
    assert not model.list_left()
    assert torch.allclose(model.compile("cpu")(*args), attend(*args), atol=1e-5)


def test_types_of_another() -> None:
    """A constant cast to the type of what data decide is a constant still."""
    for dtype in (torch.float32, torch.bfloat16):
        x = torch.randn(2, 4).to(dtype)
        _check(lambda x: torch.arange(4).type_as(x) * x, x)


@pytest.mark.parametrize("hidden", [torch.finfo(torch.float32).min, float("-inf")])
def test_bounds_of_scores(hidden: float) -> None:
    """The lowest number below scores is dropped, unless rows that are hidden show it."""
    lowest = torch.tensor(torch.finfo(torch.float32).min)
    mask = torch.zeros(6, 6).masked_fill(torch.ones(6, 6).tril() == 0, hidden)
    mask[0] = hidden
    args = (torch.randn(2, 6, 8), torch.randn(2, 6, 8))

    def attend(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        scores = torch.max(torch.bmm(x, y.transpose(1, 2)) + mask, lowest)
        return torch.bmm(scores.softmax(-1), y)

    _check(attend, *args, atol=1e-5)
