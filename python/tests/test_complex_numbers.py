# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex tensors in modules: rotations by tables and by computed angles, sums, shapes."""

from typing import Any

import numpy as np
import pytest
import torch

import parablock

_POINTS = (1, 3, 5, 9)


class _Rotation(torch.nn.Module):
    """Products, sums and shapes of complex numbers, one of them a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)
        angles = torch.outer(torch.arange(20.0), torch.linspace(0.1, 1, 4))
        self.register_buffer("table", torch.polar(torch.ones(20, 4), angles))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        hidden = self.linear(x)
        first, second = hidden.chunk(2, -1)
        numbers = torch.view_as_complex(hidden.reshape(*hidden.shape[:-1], 4, 2))
        table = self.table[: x.shape[1]]
        turned = torch.polar(second.abs() + 1, first).conj()
        joined = torch.complex(second, first) * 2
        mixed = numbers * table * turned - numbers + joined
        moved = (joined * turned).unsqueeze(1).transpose(1, 2)
        return torch.view_as_real(mixed).flatten(2), torch.view_as_real(moved), (numbers * table).real


class _Angles(_Rotation):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        numbers = torch.view_as_complex(self.linear(x).unflatten(-1, (4, 2)))
        return (torch.angle(numbers * numbers),)


def _compare(made: Any, module: torch.nn.Module, x: torch.Tensor) -> None:
    exact = module.double()(x.double())
    module.float()
    for found, wanted in zip(made(x), exact, strict=True):
        np.testing.assert_allclose(np.asarray(found), wanted.detach(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("is_open", [False, True])
def test_rotations(is_open: bool) -> None:
    """Also of sizes that are unknown at import."""
    module, x = _Rotation(), torch.randn(2, 5, 8)
    tokens = torch.export.Dim("tokens", min=1, max=20)
    sizes: Any = {"x": {1: tokens}} if is_open else None
    made = parablock.from_torch(module, (x,), dynamic_shapes=sizes).compile()
    for count in _POINTS if is_open else (5,):
        _compare(made, module, torch.randn(2, count, 8))


def test_an_unknown_operation() -> None:
    with pytest.raises(parablock.Error, match=r"'aten\.angle\.default' of complex numbers"):
        parablock.from_torch(_Angles(), (torch.randn(2, 5, 8),))
    module = _Angles()
    compiled = torch.compile(module, backend="parablock")
    before = parablock.stats()["fallbacks"]
    x = torch.randn(2, 5, 8)
    torch.testing.assert_close(compiled(x)[0], module(x)[0])
    reasons = set(parablock.stats()["fallbacks"]) - set(before)
    assert "'aten.angle.default' of complex numbers" in reasons
    assert not any("data decide" in reason for reason in reasons)
