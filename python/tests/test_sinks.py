# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sinks of attention: a logit of each head that joins the softmax and has no value."""

import copy

import pytest
import torch

import parablock
from oracle import get_distance as distance

transformers = pytest.importorskip("transformers")

HEADS, KEY_HEADS, SIZE, WIDTH, TOKENS = 4, 2, 16, 64, 17


def _repeat(x: torch.Tensor) -> torch.Tensor:
    return x.repeat_interleave(HEADS // KEY_HEADS, 1)


def _joined(scores: torch.Tensor, sinks: torch.Tensor) -> torch.Tensor:
    """As gpt-oss has it: a column behind the scores, which is dropped behind the softmax."""
    column = sinks.reshape(1, -1, 1, 1).expand(scores.shape[0], -1, scores.shape[2], -1)
    joined = torch.cat([scores, column], -1)
    joined = joined - joined.max(-1, keepdim=True).values
    return torch.softmax(joined, -1)[..., :-1]


def _first(scores: torch.Tensor, sinks: torch.Tensor) -> torch.Tensor:
    column = sinks.reshape(1, -1, 1, 1).expand(scores.shape[0], -1, scores.shape[2], -1)
    return torch.softmax(torch.cat([column, scores], -1), -1)[..., 1:]


def _divided(scores: torch.Tensor, sinks: torch.Tensor) -> torch.Tensor:
    """The sum of the exponentials, with that of the sink."""
    sink = sinks.reshape(1, -1, 1, 1)
    largest = torch.maximum(scores.amax(-1, keepdim=True), sink)
    exponentials = (scores - largest).exp()
    return exponentials / (exponentials.sum(-1, keepdim=True) + (sink - largest).exp())


WEIGHTS = {"joined": _joined, "first": _first, "divided": _divided}


class Attention(torch.nn.Module):
    def __init__(self, form: str, window: int | None = None, one: bool = False) -> None:
        super().__init__()
        self.form, self.window = form, window
        self.q, self.o = torch.nn.Linear(WIDTH, WIDTH), torch.nn.Linear(WIDTH, WIDTH, bias=False)
        self.k, self.v = (torch.nn.Linear(WIDTH, KEY_HEADS * SIZE) for _ in range(2))
        self.sinks = torch.nn.Parameter(torch.randn(1 if one else HEADS))
        for parameter in self.parameters():
            torch.nn.init.normal_(parameter, 0, 0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (f(x).unflatten(-1, (-1, SIZE)).transpose(1, 2) for f in (self.q, self.k, self.v))
        k, v = _repeat(k), _repeat(v)
        tokens = x.shape[1]
        hidden = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)
        if self.window:
            hidden = hidden | torch.ones(tokens, tokens, dtype=torch.bool).tril(-self.window)
        scores = (q @ k.transpose(2, 3) * SIZE**-0.5).masked_fill(hidden, float("-inf"))
        sinks = self.sinks.expand(HEADS)
        if self.form == "scaled":  # as granite_swa has it
            share = (torch.logsumexp(scores, -1) - sinks.view(1, -1, 1)).sigmoid()
            heads = torch.softmax(scores, -1) @ v * share.unsqueeze(-1)
        else:
            heads = WEIGHTS[self.form](scores, sinks) @ v
        return self.o(heads.transpose(1, 2).reshape(x.shape[0], tokens, WIDTH))


@pytest.mark.parametrize("form", ["joined", "first", "divided", "scaled"])
@pytest.mark.parametrize("window", [None, 8])
def test_spellings(form: str, window: int | None) -> None:
    """One attention with a sink, in numbers and gradients those of float64."""
    model = Attention(form, window).eval()
    x = torch.randn(2, TOKENS, WIDTH)
    imported = parablock.from_torch(model, (x,))
    assert imported.explain().to_dict()["recognised"]["attention"] == 1
    assert " sinks " in str(imported)
    exact = copy.deepcopy(model).double()
    expected = exact(x.double())
    values = expected.detach()
    for engine in ("cpu", "reference"):
        assert distance(imported.compile(engine)(x), values) < 1e-5
    expected.square().sum().backward()
    step = imported.compile("cpu", training=True)
    step(x).square().sum().backward()
    for (name, own), other in zip(model.named_parameters(), exact.parameters()):
        assert distance(own.grad, other.grad) < 1e-4, name
    assert model.sinks.grad is not None and model.sinks.grad.abs().max() > 0


class Shifted(torch.nn.Module):
    """A maximum that no softmax takes away, whose places are not read."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x - x.max(-1, keepdim=True).values


def test_other_maxima() -> None:
    module, x = Shifted(), torch.randn(2, 5)
    found = parablock.from_torch(module, (x,)).compile("cpu", threads=1)(x)
    torch.testing.assert_close(found, module(x).detach(), rtol=1e-5, atol=1e-5)
