# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights of a module that change after they were read: no call mixes old and new ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from oracle import get_distance
from torch import nn

import parablock
from parablock.target import Target
from parablock.weight_watch import WeightWatch, list_places

LIMIT = 1e-5


class Layer(nn.Module):
    """A layer with a buffer that scales it, a plain tensor, and tied MLP weights."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(3)
        self.inner: Any = nn.TransformerEncoderLayer(
            16, 2, 16, batch_first=True, norm_first=True
        )
        self.inner.linear2.weight = self.inner.linear1.weight
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.full((16,), 0.5))
        self.shift = torch.full((16,), 0.25)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.inner(x * self.scale + self.shift)
        return result


@pytest.fixture
def module() -> Layer:
    return Layer().eval()


@pytest.fixture(scope="module")
def hidden() -> torch.Tensor:
    return torch.randn(2, 5, 16, generator=torch.Generator().manual_seed(5))


def _scale_data(module: Layer) -> None:
    for parameter in module.parameters():
        parameter.data.mul_(1.5)


def _scale_norm(module: Layer) -> None:
    module.inner.norm1.weight.detach().numpy()[:] *= 2


def _load(module: Layer) -> None:
    state = module.state_dict()
    module.load_state_dict({k: v * 0.7 if "inner" in k else v for k, v in state.items()})


def _assign(module: Layer) -> None:
    state = {k: v * 0.7 if "inner" in k else v for k, v in module.state_dict().items()}
    state["inner.linear2.weight"] = state["inner.linear1.weight"]
    module.load_state_dict(state, assign=True)
    module.inner.linear2.weight = module.inner.linear1.weight


def _replace(module: Layer) -> None:
    module.inner.linear1.weight = module.inner.linear2.weight = nn.Parameter(
        module.inner.linear1.weight.detach().flip(0)
    )


def _set_data(module: Layer) -> None:
    weight = module.inner.self_attn.in_proj_weight
    weight.data = weight.flip(0)


CHANGES: list[Callable[[Layer], None]] = [
    _scale_data, _scale_norm, _load, _assign, _replace, _set_data
]  # fmt: skip


@torch.no_grad()
def test_compiled_models(module: Layer, hidden: torch.Tensor) -> None:
    imported = parablock.from_torch(module, (hidden,))
    versions = [imported.compile(), imported.optimize().compile()]
    before = module(hidden)
    for compiled in versions:
        assert get_distance(compiled(hidden), before) < LIMIT
    for change in CHANGES:
        change(module)
        after = module(hidden)
        assert get_distance(after, before) > 0.01, change
        for compiled in versions:
            assert get_distance(compiled(hidden), after) < LIMIT, change
        before = after
    assert get_distance(imported.compile()(hidden), before) < LIMIT


@torch.no_grad()
def test_a_change_while_code_is_made(
    module: Layer, hidden: torch.Tensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As another thread may make it."""
    imported, compile_program = parablock.from_torch(module, (hidden,)), Target.compile

    def compile_and_change(*args: Any, **kwargs: Any) -> Any:
        made = compile_program(*args, **kwargs)
        _replace(module)
        return made

    monkeypatch.setattr(Target, "compile", compile_and_change)
    before, compiled = module(hidden), imported.compile()
    assert get_distance(module(hidden), before) > 0.01
    assert get_distance(compiled(hidden), module(hidden)) < LIMIT


def test_steps_of_training(module: Layer, hidden: torch.Tensor) -> None:
    step = parablock.from_torch(module, (hidden,)).compile(training=True)
    for change in CHANGES:
        change(module)
        module.zero_grad()
        expected = module(hidden)
        expected.square().sum().backward()
        wanted = {n: p.grad.clone() for n, p in module.named_parameters() if p.grad is not None}
        module.zero_grad()
        found = step(hidden)
        assert get_distance(found.detach(), expected.detach()) < LIMIT, change
        found.square().sum().backward()
        for name, parameter in module.named_parameters():
            assert parameter.grad is not None
            assert get_distance(parameter.grad, wanted[name]) < LIMIT, (change, name)


@torch.no_grad()
def test_graphs(module: Layer, hidden: torch.Tensor) -> None:
    compiled = torch.compile(module, backend="parablock")
    compiled(hidden)
    _scale_data(module)
    assert get_distance(compiled(hidden), module(hidden)) < LIMIT


@torch.no_grad()
def test_codes_are_of_the_weights_that_were_there(
    module: Layer, hidden: torch.Tensor
) -> None:
    compiled = parablock.from_torch(module, (hidden,)).optimize(weights="int8").compile()
    before = compiled(hidden)
    _scale_data(module)
    assert torch.equal(compiled(hidden), before)


@torch.no_grad()
def test_what_is_not_seen_is_said(module: Layer, hidden: torch.Tensor) -> None:
    compiled = parablock.from_torch(module, (hidden,)).compile()
    before = compiled(hidden)
    module.inner.self_attn.in_proj_weight.data[0, 1] += 9
    assert torch.equal(compiled(hidden), before)
    compiled.refresh()
    assert get_distance(compiled(hidden), module(hidden)) < LIMIT


def test_what_is_another_module(module: Any, hidden: torch.Tensor) -> None:
    model = parablock.from_torch(module, (hidden,))
    compiled: list[Any] = [model.compile(), model.compile(training=True)]
    tied, gain = module.inner.linear1.weight, module.inner.norm1.weight
    scale, shift = module.scale, module.shift
    # The same values are the same module, and so are those with more behind them.
    module.scale = module.scale.clone()

    def refuse(message: str) -> None:
        for each in compiled * 2:
            with pytest.raises(parablock.Error, match=message):
                each(hidden)

    def accept() -> None:
        for each in compiled:
            assert get_distance(each(hidden).detach(), module(hidden).detach()) < LIMIT

    accept()
    module.inner.linear2.weight = nn.Parameter(tied.detach().clone())
    refuse(r"'inner.linear\d.weight' is not tied any more: import the module again")
    module.inner.linear2.weight = tied
    accept()
    del module.inner.norm1.weight
    refuse("'inner.norm1.weight': expected torch.float32 .*, got none: import")
    module.inner.norm1.weight = gain
    accept()
    # The parameters that the program has are no longer the module's.
    attention, module.inner.self_attn = module.inner.self_attn, nn.Identity()
    refuse("'inner.self_attn' is another module than when the module became the program")
    module.inner.self_attn = attention
    accept()
    module.inner.more = nn.Identity()
    refuse("'inner.more' is a module that was not there when the module became the program")
    del module.inner.more
    accept()
    module.scale.mul_(2)
    refuse("'scale' has changed since the module was imported")
    module.scale = scale
    module.shift = torch.ones(16)
    refuse("'shift' has changed since the module was imported")
    module.shift = torch.cat([shift, shift])
    with torch.no_grad():
        expected = module.inner(hidden * scale + shift)
    for each in compiled:
        assert get_distance(each(hidden).detach(), expected) < LIMIT
    module.shift = shift
    accept()
    module.half()
    module.scale = scale
    refuse(r"expected torch.float32 \[.*\], .* got torch.float16 \[.*\]: import")
    module.float().to("meta")
    module.scale = scale
    refuse(r"got torch.float32 \[.*\] on meta: import")


def test_watching() -> None:
    """Whatever counts changes, what does not have a count, and what nobody counts."""
    module: Any = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 2, bias=False))
    seen = 0

    def count() -> None:
        nonlocal seen
        seen += 1

    def look() -> int:
        before = seen
        for _ in range(2):
            watch.refresh_where_changed(count)
        return seen - before

    watch = WeightWatch(list_places(module))
    assert look() == 0
    with torch.no_grad():
        module[0].bias.add_(1)
    assert look() == 1
    module[1].weight = nn.Parameter(torch.ones(2, 2))
    assert look() == 1
    with torch.inference_mode():
        module[1].weight = nn.Parameter(torch.zeros(2, 2))
    assert look() == 1
    module[0].weight.data.t()[:] = 5
    assert look() == 1
    module[0].weight.detach().numpy()[:] = np.nan
    assert look() == 1
    module[1].weight.data = module[1].weight.data.t()
    assert look() == 1
    # Memory that was given back is not looked at.
    module[0].bias.untyped_storage().resize_(0)
    assert look() == 1


def test_a_change_that_cannot_be_packed_is_tried_again() -> None:
    module = nn.Linear(3, 2)
    watch = WeightWatch(list_places(module))
    module.weight.data.fill_(1)

    def fail() -> None:
        raise parablock.Error("not now")

    for _ in range(2):
        with pytest.raises(parablock.Error, match="not now"):
            watch.refresh_where_changed(fail)
