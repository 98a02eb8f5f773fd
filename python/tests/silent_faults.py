# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of compiled models that were silently wrong, rebuilt from what they say.

Each is a model of a few layers of which one is hit, and a backend that makes the
mistake of the report. What is told of a report is in our words.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import torch
from families import FAMILIES, make_inputs, randomise
from torch import nn

VOCABULARY, WIDTH, HEADS, TOKENS = 29, 32, 4, 4


@dataclasses.dataclass(frozen=True)
class Form:
    """How a layer says what it does."""

    #: What scores are divided by; the root of the head's size where it is None.
    divisor: float | None = None
    #: Keys are moved to [batch, head, size, token] at once.
    moves_keys: bool = False
    #: The activation is computed twice, the second time in place.
    in_place: bool = False


class Layer(nn.Module):
    """Attention and an MLP, by hand."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form
        self.norm_1, self.norm_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, 48), nn.Linear(48, WIDTH)
        self.gain: torch.Tensor
        self.register_buffer("gain", torch.ones(WIDTH))

    def attend(self, x: torch.Tensor) -> torch.Tensor:
        batch, tokens, _ = x.shape
        sizes = (batch, tokens, HEADS, WIDTH // HEADS)
        query, value = (m(x).view(sizes).permute(0, 2, 1, 3) for m in (self.q, self.v))
        key = self.k(x).view(sizes)
        if self.form.moves_keys:
            scores = torch.matmul(query, key.permute(0, 2, 3, 1))
        else:
            scores = torch.matmul(query, key.permute(0, 2, 1, 3).transpose(-2, -1))
        scores = scores / (self.form.divisor or math.sqrt(WIDTH // HEADS))
        result = torch.matmul(scores.softmax(-1), value)
        return self.o(result.permute(0, 2, 1, 3).reshape(x.shape))  # type: ignore[no-any-return]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attend(self.norm_1(x)) * self.gain
        hidden = self.up(self.norm_2(x))
        active = torch.tanh(hidden)
        if self.form.in_place:
            hidden.tanh_()
            active = active + hidden
        return x + self.down(active)  # type: ignore[no-any-return]


class Tower(nn.Module):
    """A language model of such layers."""

    def __init__(self, *forms: Form) -> None:
        super().__init__()
        torch.manual_seed(3)
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(Layer(form) for form in forms)
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY)
        randomise(self)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.embedding(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))  # type: ignore[no-any-return]


@dataclasses.dataclass(frozen=True)
class Report:
    """Where it was reported, what goes wrong, and how."""

    source: str
    make: Callable[[], tuple[nn.Module, tuple[Any, ...], Callable[..., Any]]]
    layer: str
    inside: str = ""


def make_tower(*forms: Form) -> tuple[Tower, tuple[torch.Tensor]]:
    """The model, and ids for it."""
    generator = torch.Generator().manual_seed(5)
    ids = torch.randint(0, VOCABULARY, (2, TOKENS), generator=generator)
    return Tower(*forms).eval(), (ids,)


@contextlib.contextmanager
def changed(target: Any, name: str, value: Any) -> Iterator[None]:
    """An attribute that is another one for a while."""
    before = getattr(target, name)
    setattr(target, name, value)
    try:
        yield
    finally:
        setattr(target, name, before)


def _with_change(
    model: nn.Module, target: Any, name: str, value: Any
) -> Callable[..., Any]:
    """A function that runs the model as it would be if it had that attribute."""

    def run(*args: Any) -> Any:
        with changed(target, name, value):
            return model(*args)

    return run


def _compile(
    model: nn.Module, rewrite: Callable[[torch.fx.GraphModule], None]
) -> Callable[..., Any]:
    def backend(graph: torch.fx.GraphModule, _: Any) -> Callable[..., Any]:
        rewrite(graph)
        graph.recompile()
        return graph.forward

    function: Callable[..., Any] = torch.compile(model, backend=backend)
    return function


def _find_scores(graph: torch.fx.GraphModule) -> list[Any]:
    """Quotients of products under a softmax."""
    return [
        node.args[0]
        for node in graph.graph.nodes
        if "softmax" in str(node.target) and isinstance(node.args[0], torch.fx.Node)
    ]


def _ignore_scale(graph: torch.fx.GraphModule) -> None:
    for scores in _find_scores(graph):
        assert scores.target is operator.truediv, scores.target
        query = scores.args[0].args[0]
        scores.args = (scores.args[0], math.sqrt(query.meta["example_value"].shape[-1]))


def make_ignored_scale() -> Any:
    model, inputs = make_tower(Form(), Form(divisor=2.0))
    return model, inputs, _compile(model, _ignore_scale)


def _take_any_move(graph: torch.fx.GraphModule) -> None:
    for scores in _find_scores(graph):
        moved = scores.args[0].args[1]
        if moved.args[1:] == (0, 2, 3, 1):
            moved.target, moved.args = "transpose", (moved.args[0], -2, -1)


def make_any_move() -> Any:
    model, inputs = make_tower(Form(), Form(moves_keys=True))
    return model, inputs, _compile(model, _take_any_move)


def _write_early(graph: torch.fx.GraphModule) -> None:
    for node in list(graph.graph.nodes):
        if node.op == "call_method" and node.target == "tanh_":
            for reader in list(node.args[0].users):
                if reader.target is torch.tanh:
                    node.append(reader)


def make_early_write() -> Any:
    model, inputs = make_tower(Form(in_place=True), Form())
    return model, inputs, _compile(model, _write_early)


def make_live_dropout() -> Any:
    model = FAMILIES["gpt2"].make()
    dropout: nn.Module = model.get_submodule("transformer.h.1.mlp.dropout")
    inputs = make_inputs(FAMILIES["gpt2"])
    return model, inputs, _with_change(model, dropout, "training", True)


def _normalise_in_one_pass(norm: nn.LayerNorm) -> Callable[..., Any]:
    def forward(x: torch.Tensor) -> torch.Tensor:
        wide = x.float()
        mean = wide.mean(-1, keepdim=True)
        variance = (wide * wide).mean(-1, keepdim=True) - mean * mean
        result = (wide - mean) * torch.rsqrt(variance + norm.eps)
        return (result * norm.weight + norm.bias).to(x.dtype)

    return forward


def make_lost_digits() -> Any:
    model, inputs = make_tower(Form(), Form())
    norm: Any = model.get_submodule("layers.1.norm_2")
    # What the norm takes away again.
    bias: Any = model.get_parameter("layers.1.o.bias")
    with torch.no_grad():
        bias += 200
    return model, inputs, _with_change(model, norm, "forward", _normalise_in_one_pass(norm))


def make_dropped_cap() -> Any:
    model = FAMILIES["gemma2"].make()
    attention = model.get_submodule("model.layers.1.self_attn")
    # Small enough that scores of a small model reach it.
    for name in ("model.layers.0.self_attn", "model.layers.1.self_attn"):
        inner: Any = model.get_submodule(name)
        inner.attn_logit_softcapping = 2.0
    run = _with_change(model, attention, "attn_logit_softcapping", None)
    return model, make_inputs(FAMILIES["gemma2"]), run


def make_stale_buffer() -> Any:
    model, inputs = make_tower(Form(), Form())
    layer: Any = model.layers[1]
    run = _with_change(model, layer, "gain", layer.gain.clone())
    layer.gain.mul_(1.5)
    return model, inputs, run


def make_empty_rows() -> Any:
    model, inputs = make_tower(Form(), Form())
    layer: Any = model.layers[1]
    attend = layer.attend

    def attend_to_nothing(x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = attend(x).clone()
        result[0, 1] = float("nan")
        return result

    return model, inputs, _with_change(model, layer, "attend", attend_to_nothing)


REPORTS = {
    # A pass that makes fused attention of products and a softmax takes the scale to be
    # that of the head's size, whatever the model divides by.
    "scale": Report("pytorch/pytorch#174049", make_ignored_scale, "layers.1"),
    # The same pass takes every permutation of keys for the transposition that it looks
    # for, one that moves heads as well among them.
    "keys": Report("pytorch/pytorch#195320", make_any_move, "layers.1"),
    # A value that was read before a tensor is written in place is computed after it.
    "in place": Report("pytorch/pytorch#94777", make_early_write, "layers.0"),
    # Code that was made in training mode is kept when the model is in evaluation mode.
    "dropout": Report(
        "pytorch/pytorch#105653", make_live_dropout, "transformer.h.1", "mlp"
    ),
    # A norm's variance is the difference of two large sums, and digits get lost.
    "norm": Report("pytorch/pytorch#55044", make_lost_digits, "layers.1", "norm_2"),
    # Scores are not capped, though the model has a cap, by a kernel that could.
    "cap": Report(
        "vllm-project/vllm-metal#665", make_dropped_cap, "model.layers.1", "self_attn"
    ),
    # A buffer is read as it was when the code was made.
    "buffer": Report("pytorch/pytorch#115774", make_stale_buffer, "layers.1"),
    # Rows that may look at no key at all are not numbers.
    "rows": Report("pytorch/pytorch#103963", make_empty_rows, "layers.1"),
}
