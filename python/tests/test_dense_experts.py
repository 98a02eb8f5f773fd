# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts that all rows go through: what they are, and what is left as it is."""

import dataclasses
from typing import Any

import experts
import pytest
import torch
from torch.nn import functional

import parablock

EXPERTS, ROWS, WIDTH, HIDDEN = 4, 5, 8, 6


@dataclasses.dataclass
class Form:
    """How a module computes experts on all rows."""

    of_input: bool = True
    weight: str = "sigmoid"
    is_expanded: bool = False
    is_transposed: bool = True
    has_biases: bool = False
    is_gated: bool = True
    act: Any = functional.silu
    is_turned: bool = True


class Dense(torch.nn.Module):
    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form, self.gate = form, torch.nn.Linear(WIDTH, EXPERTS, bias=False)
        columns = 2 * HIDDEN if form.is_gated else HIDDEN
        shapes = {"up": (WIDTH, columns), "down": (HIDDEN, WIDTH)}
        for name, shape in shapes.items():
            shape = shape if form.is_transposed else shape[::-1]
            setattr(self, name, torch.nn.Parameter(torch.randn(EXPERTS, *shape)))
        self.up_bias = torch.nn.Parameter(torch.randn(EXPERTS, columns))
        self.down_bias = torch.nn.Parameter(torch.randn(EXPERTS, WIDTH))

    def _weigh(self, x: torch.Tensor) -> torch.Tensor:
        logits = self.gate(x)
        best, places = logits.topk(2, -1)
        if self.form.weight == "plain":
            return torch.zeros_like(logits).scatter(-1, places, best.sigmoid())
        hidden = torch.full_like(logits, -torch.inf).scatter(1, places, best)
        return hidden.softmax(-1) if self.form.weight == "softmax" else hidden.float().sigmoid()

    def _multiply(self, rows: torch.Tensor, name: str) -> torch.Tensor:
        stack, bias = getattr(self, name), getattr(self, f"{name}_bias")
        product = torch.bmm(rows, stack if self.form.is_transposed else stack.mT)
        return product + bias[:, None] if self.form.has_biases else product

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        form, weights = self.form, self._weigh(x)
        # Without a transposition, weights are those of other rows and experts.
        spread = (weights.T if form.is_turned else weights).reshape(EXPERTS, -1, 1)
        rows = x.expand(EXPERTS, -1, -1) if form.is_expanded else x.repeat(EXPERTS, 1).view(EXPERTS, -1, WIDTH)
        columns = self._multiply(rows * spread if form.of_input else rows, "up")
        if form.is_gated:
            gate, own = columns.chunk(2, -1)
            inner = form.act(gate) * own
        else:
            inner = form.act(columns)
        results = self._multiply(inner, "down")
        return x + (results if form.of_input else results * spread).sum(0)


def _compare(module: torch.nn.Module, count: int) -> None:
    x = torch.randn(ROWS, WIDTH)
    made = parablock.from_torch(module, (x,))
    assert made.explain().to_dict()["recognised"].get("experts", 0) == count
    found = made.compile("cpu", threads=1)(x)
    torch.testing.assert_close(found, module(x).detach(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "form",
    [
        Form(),
        Form(weight="softmax", is_expanded=True, is_transposed=False),
        Form(weight="plain", is_gated=False, act=functional.relu),
        Form(of_input=False),
        Form(of_input=False, weight="softmax", has_biases=True),
        Form(of_input=False, weight="plain", is_expanded=True, is_transposed=False, is_gated=False, act=functional.relu),
    ],
    ids=["sigmoid", "softmax", "plain", "outputs", "biases", "ungated"],
)
def test_forms(form: Form) -> None:
    torch.manual_seed(0)
    _compare(Dense(form), 1)


@pytest.mark.parametrize(
    "form",
    [
        # Rows of weight 0 would give something.
        Form(has_biases=True),
        Form(is_gated=False, act=torch.sigmoid),
        Form(is_turned=False),
        Form(of_input=False, act=functional.softsign),
    ],
    ids=["biases", "ungated", "other-rows", "softsign"],
)
def test_what_is_left(form: Form) -> None:
    """Other functions stay operations, with PyTorch's result."""
    torch.manual_seed(1)
    _compare(Dense(form), 0)


def test_in_torch_compile() -> None:
    experts.check_compiled(experts.make("llama4"), 1)


def test_scattered_values() -> None:
    """Values at places of rows; places that nothing names stay."""

    class Scatter(torch.nn.Module):
        def forward(self, x: torch.Tensor, places: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
            return x.scatter(-1, places, values)

    torch.manual_seed(3)
    given = (torch.randn(3, 5), torch.tensor([[0, 3], [4, 1], [1, 0]]), torch.randn(3, 2))
    for x, places, values in (given, (given[0].fill_(-torch.inf), *given[1:])):
        found = parablock.from_torch(Scatter(), (x, places, values)).compile("cpu", threads=1)(x, places, values)
        assert torch.equal(found, x.scatter(-1, places, values))
    with pytest.raises(parablock.Error, match=r"scatter.*another dimension"):
        parablock.from_torch(Scatter(), (given[0], given[1][:2], given[2]))
