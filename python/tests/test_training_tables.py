# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of tables that PyTorch leaves out of gradients, as those of padding are."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from families import randomise
from gradients import find_worst
from oracle import differentiate_exactly

import parablock

WIDTH, COUNT, PADDING = 16, 23, 3


class Tables(torch.nn.Module):
    """A layer between a table and a head that is the same weight."""

    def __init__(
        self, is_twice: bool = False, other: int = PADDING, **options: object
    ) -> None:
        super().__init__()
        torch.manual_seed(0)
        options = {"padding_idx": PADDING, **options}
        self.table = torch.nn.Embedding(COUNT, WIDTH, **options)  # type: ignore[arg-type]
        self.layer = torch.nn.TransformerEncoderLayer(
            WIDTH, 2, 24, dropout=0.0, batch_first=True, norm_first=True
        )
        self.is_twice, self.other = is_twice, other
        with torch.no_grad():
            self.table.weight.normal_()

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        hidden = self.layer(self.table(ids))
        if self.is_twice:
            hidden = hidden + torch.nn.functional.embedding(
                ids, self.table.weight, self.other
            )
        return torch.nn.functional.linear(hidden, self.table.weight)


class Positions(Tables):
    """Rows of a table at places that are known, the one of padding among them."""

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        hidden = super().forward(ids) @ self.table.weight
        result: torch.Tensor = hidden + self.table(torch.arange(ids.shape[1])[None])
        return result


IDS = torch.tensor([[5, PADDING, 7, PADDING, 9], [1, 2, PADDING, 5, 7]])


def _lose(result: torch.Tensor) -> torch.Tensor:
    return result.square().mean()


def _compare(module: torch.nn.Module, call: Callable[..., torch.Tensor]) -> None:
    exact = differentiate_exactly(module, (IDS,), lambda r: _lose(r).backward())
    _lose(call(IDS)).backward()
    found = {n: p.grad for n, p in module.named_parameters() if p.grad is not None}
    assert found.keys() == exact.keys()
    assert find_worst(found, exact)[0] < 2e-5


@pytest.mark.parametrize("is_twice", [False, True])
def test_lookups_of_padding_give_no_gradient(is_twice: bool) -> None:
    """The head's part of the row stays."""
    module = Tables(is_twice).eval()
    model = parablock.from_torch(module, (IDS,))
    _compare(module, model.compile("cpu", training=True))
    exact = differentiate_exactly(module, (IDS,), lambda r: _lose(r).backward())
    found = model.gradients(IDS, loss=_lose).gradients
    assert find_worst(found, exact)[0] < 1e-9


@pytest.mark.parametrize("kind", ["Roberta", "Bert"])
def test_families_leave_padding_out(kind: str) -> None:
    """RoBERTa's positions have a row of padding, too."""
    hf = pytest.importorskip("transformers")
    config = getattr(hf, f"{kind}Config")(
        vocab_size=COUNT,
        hidden_size=WIDTH,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=24,
        max_position_embeddings=16,
        pad_token_id=PADDING,
    )
    torch.manual_seed(0)
    module = getattr(hf, f"{kind}ForMaskedLM")(config).eval()
    randomise(module)
    lose: Callable[[Any], torch.Tensor] = lambda r: r.logits.square().mean()
    exact = differentiate_exactly(module, (IDS,), lambda r: lose(r).backward())
    lose(parablock.from_torch(module, (IDS,)).compile("cpu", training=True)(IDS)).backward()
    found = {n: p.grad.clone() for n, p in module.named_parameters() if p.grad is not None}
    module.zero_grad()
    lose(module(IDS)).backward()
    own = {n: p.grad for n, p in module.named_parameters() if p.grad is not None}
    # A bias of keys changes no softmax: its gradient is what f32 rounds, PyTorch's too.
    assert find_worst(found, exact)[0] < max(5e-5, 2 * find_worst(own, exact)[0])


def test_torch_compile_leaves_padding_out() -> None:
    torch.compiler.reset()
    module = Tables().eval()
    before = parablock.stats()
    _compare(module, torch.compile(module, backend="parablock"))
    assert parablock.stats()["fallbacks"] == before["fallbacks"]


@pytest.mark.parametrize(
    "module",
    [
        Tables(is_twice=True, other=PADDING + 1),
        Tables(is_twice=True, padding_idx=None),
        Tables(scale_grad_by_freq=True),
        Positions(),
    ],
)
def test_lookups_that_are_not_known_are_refused(module: torch.nn.Module) -> None:
    """By name, and only where a gradient is wanted of them."""
    module = copy.deepcopy(module).eval()
    model = parablock.from_torch(module, (IDS,))
    with pytest.raises(parablock.Error, match='"table.weight" has no gradient: its lookups'):
        model.compile("cpu", training=True)
    module.table.weight.requires_grad_(False)
    model.compile("cpu", training=True)(IDS).sum().backward()
    assert module.layer.linear1.weight.grad is not None
