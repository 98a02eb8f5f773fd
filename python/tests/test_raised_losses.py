# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cross entropies that block-raise makes `block.cross_entropy` of, and those that it leaves."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

import pytest
import torch
import transformers as hf
from gradients import find_worst, take_gradients
from oracle import differentiate_exactly
from torch.nn import functional
from torch.nn.functional import cross_entropy

import parablock

COUNT, ROWS, TOKENS, WIDTH = 37, 2, 9, 24


class Head(torch.nn.Module):
    """A model of tokens that returns what `lose` makes of its logits and of labels."""

    def __init__(self, lose: Callable[..., Any], bias: bool = False, tied: bool = False) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.embedding = torch.nn.Embedding(COUNT, WIDTH)
        self.norm = torch.nn.LayerNorm(WIDTH)
        self.head = torch.nn.Linear(WIDTH, COUNT, bias=bias)
        if tied:
            self.head.weight = self.embedding.weight
        self.lose = lose
        with torch.no_grad():
            self.norm.bias.normal_(0.4, 1)

    def forward(self, ids: torch.Tensor, labels: torch.Tensor) -> Any:
        return self.lose(self.head(self.norm(self.embedding(ids))), labels)


def _flat(logits: torch.Tensor, labels: torch.Tensor, **options: Any) -> torch.Tensor:
    return cross_entropy(logits.float().flatten(0, 1), labels.reshape(-1), **options)


def _pad(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """As transformers shifts labels."""
    shifted = functional.pad(labels, (0, 1), value=-100)[..., 1:].contiguous()
    return _flat(logits, shifted)


def _bound(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    return _flat(7 * torch.tanh(logits * (1.3 / 7)), labels)


def _nll(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    return functional.nll_loss(logits.flatten(0, 1).log_softmax(-1), labels.flatten())


RAISED: dict[str, Any] = {
    "mean": Head(_flat),
    "sum": Head(lambda x, y: _flat(x, y, reduction="sum")),
    "of a batch": Head(lambda x, y: _flat(x, y, reduction="sum") / 23),
    "ignored class": Head(lambda x, y: _flat(x, y.clamp(min=2), ignore_index=2)),
    "bias": Head(_flat, bias=True),
    "tied": Head(_flat, tied=True),
    "rows but the last": Head(lambda x, y: _flat(x[:, :-1], y[:, 1:])),
    "shifted labels": Head(_pad),
    "soft cap": Head(_bound),
    "by dimension": Head(lambda x, y: cross_entropy(x.transpose(1, 2), y)),
    "logarithms": Head(_nll),
    "module": Head(lambda x, y: torch.nn.CrossEntropyLoss()(x.view(-1, x.shape[-1]), y.view(-1))),
}
_EVERYDAY = ("mean", "rows but the last", "soft cap", "logarithms", "weighted", "squared")
_WEIGHT = torch.linspace(0.5, 2, COUNT)
LEFT: dict[str, Any] = {
    "smooth": Head(lambda x, y: _flat(x, y, label_smoothing=0.1)),
    "weighted": Head(lambda x, y: _flat(x, y, weight=_WEIGHT.to(x.dtype))),
    "each row": Head(lambda x, y: _flat(x, y, reduction="none")),
    "shares": Head(lambda x, y: cross_entropy(x.flatten(0, 1), (x * 0.3).flatten(0, 1).softmax(-1))),
    "squared": Head(lambda x, y: (_flat(x, y, reduction="none") ** 2).mean()),
    "logits, too": Head(lambda x, y: (_flat(x, y), x)),
}


def _pick(names: Iterable[str]) -> list[Any]:
    full = pytest.mark.full
    return [pytest.param(n, marks=() if n in _EVERYDAY else full) for n in names]


def _make_args(seed: int = 3) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(COUNT, (ROWS, TOKENS), generator=generator)
    labels = torch.randint(COUNT, (ROWS, TOKENS), generator=generator)
    labels[0, :3] = labels[1, -1] = -100
    return ids, labels


def _add_up(results: Any) -> torch.Tensor:
    parts = results if isinstance(results, tuple) else (results,)
    return torch.stack([part.sum() * (n + 1) for n, part in enumerate(parts)]).sum()


def _check(module: torch.nn.Module, args: Any, *, raised: bool) -> str:
    """Compares losses and gradients with float64, and returns the text of the module."""
    losses: list[float] = []

    def backpropagate(results: Any) -> None:
        losses.append(_add_up(results).item())
        _add_up(results).backward()

    exact = differentiate_exactly(module, args, backpropagate)
    own = copy.deepcopy(module)
    _add_up(own(*args)).backward()
    limit = max(5e-6, 1.5 * find_worst(take_gradients(own), exact)[0])
    model = parablock.from_torch(module, args)
    assert ("block.cross_entropy" in str(model)) == raised
    backpropagate(model.compile("cpu", training=True)(*args))
    found = take_gradients(module)
    assert found.keys() == exact.keys()
    distance, whose = find_worst(found, exact)
    assert distance < limit, whose
    assert losses[1] == pytest.approx(losses[0], rel=2e-6)
    return str(model)


@pytest.mark.parametrize("name", _pick(RAISED))
def test_losses_that_are_blocks(name: str) -> None:
    ids, labels = _make_args()
    args = (ids, labels.clamp(min=2)) if name == "ignored class" else (ids, labels)
    text = _check(RAISED[name], args, raised=True)
    # No value has the logits of all rows.
    assert f"x{COUNT}xf32>" not in text.replace(f"tensor<{COUNT}xf32>", "")


@pytest.mark.parametrize("name", _pick(LEFT))
def test_losses_that_are_left(name: str) -> None:
    _check(LEFT[name], _make_args(), raised=False)


def test_padded_vocabulary() -> None:
    """Classes with a bias of -inf have no share and no gradient."""
    module = Head(_flat, bias=True)
    with torch.no_grad():
        module.head.bias[-5:] = -torch.inf
    ids, labels = _make_args()
    args = (ids, labels.clamp(max=COUNT - 6))
    _check(module, args, raised=True)


def test_no_targets() -> None:
    """A mean over no rows is NaN, a sum is 0, and gradients are those of PyTorch."""
    for name, is_nan in (("mean", True), ("sum", False)):
        module, (ids, labels) = RAISED[name], _make_args()
        step = parablock.from_torch(module, (ids, labels)).compile("cpu", training=True)
        labels[:] = -100
        own = copy.deepcopy(module)
        for call in (own, step):
            loss = call(ids, labels)
            loss.backward()
            assert loss.isnan().item() == is_nan
        expected, found = take_gradients(own), take_gradients(module)
        for key, value in expected.items():
            torch.testing.assert_close(found[key], value, equal_nan=True)


def test_reason_of_logits_that_are_results() -> None:
    model = parablock.from_torch(LEFT["logits, too"], _make_args())
    (missed,) = model.explain().to_dict()["missed"]
    assert missed["kind"] == "cross entropy"
    assert "return the loss alone" in missed["detail"]


def test_open_sizes() -> None:
    """A loss over an open number of rows is left, and runs."""
    module, args = RAISED["mean"], _make_args()
    tokens = torch.export.Dim("T", min=2, max=64)
    model = parablock.from_torch(module, args, dynamic_shapes=({1: tokens}, {1: tokens}))
    assert "block.cross_entropy" not in str(model)
    ids, labels = (torch.cat([x, x[:, 2:6]], 1) for x in args)
    loss = model.compile("cpu")(ids, labels)
    assert loss.item() == pytest.approx(module(ids, labels).item(), rel=2e-6)


class LossAlone(torch.nn.Module):
    """The loss of a model of transformers without its logits."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        loss: torch.Tensor = self.model(input_ids=ids, labels=labels, use_cache=False).loss
        return loss


def test_causal_loss_of_transformers() -> None:
    torch.manual_seed(0)
    config = hf.LlamaConfig(
        vocab_size=COUNT,
        hidden_size=WIDTH,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
    )
    module = LossAlone(hf.LlamaForCausalLM(config).eval())
    args = _make_args()
    _check(module, args, raised=True)
    # All labels are checked, also the first one, which is no row's target.
    step = parablock.from_torch(module, args).compile("cpu", training=True)
    ids, labels = args
    for place in (0, 3):
        wrong = labels.clone()
        wrong[1, place] = COUNT
        with pytest.raises(parablock.Error, match=f"got {COUNT}"):
            step(ids, wrong)


def test_memory_of_a_step() -> None:
    """The logits of all rows, and gradients by them, are not in memory."""
    rows, count = 512, 4096
    ids = torch.arange(rows).reshape(2, rows // 2)
    peaks = []
    for kind in (RAISED["mean"], LEFT["squared"]):
        module = Head(kind.lose)
        module.embedding = torch.nn.Embedding(count, WIDTH)
        module.head = torch.nn.Linear(WIDTH, count, bias=False)
        step = parablock.from_torch(module, (ids, ids)).compile("cpu", training=True)
        parts = step.memory().predicted
        peaks.append(parts.arena + parts.results + parts.saved)
    logits = 4 * rows * count
    assert peaks[0] < logits < peaks[1] / 2
