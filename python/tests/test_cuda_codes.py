# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights of codes on target 'cuda', on a driver that runs kernels on the emulator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from generating import make_llama
from oracle import check_near

import parablock

pytestmark = pytest.mark.usefixtures("fake_driver")
DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}
#: Bytes of a matrix that runs as codes and scales.
READ: dict[str, Callable[[int, int], int]] = {
    "int8": lambda rows, columns: rows * (columns + 4),
    "int4-g128": lambda rows, columns: rows * (columns // 2 + columns // 128 * 4),
}
CASES = [("bf16", "int8"), ("f16", "int4-g128"), ("bf16", "int4-g128"), ("f16", "int8")]


def _make(dtype: str, **options: Any) -> Any:
    """Its widths are whole cells of codes."""
    sizes = {"hidden_size": 128, "intermediate_size": 256, "num_hidden_layers": 1}
    return make_llama(eos_token_id=None, **sizes, **options).to(DTYPES[dtype])


def _take_turns(cases: list[Any], first: int) -> list[Any]:
    """All but the first ones are for full runs."""
    return cases[:first] + [pytest.param(*each, marks=pytest.mark.full) for each in cases[first:]]


def _list_matrices(module: Any) -> tuple[list[Any], int]:
    """Matrices of layers, and the bytes of all else."""
    layers = [p for p in module.model.layers.parameters() if p.dim() == 2]
    size = sum(p.nbytes for p in module.parameters()) - sum(p.nbytes for p in layers)
    return layers, size


@pytest.mark.parametrize(("dtype", "form"), _take_turns(CASES, 2))
def test_codes_are_uploaded(
    dtype: str, form: str, caplog: pytest.LogCaptureFixture
) -> None:
    module, ids = _make(dtype, use_cache=False), torch.tensor([[5, 7, 11], [13, 17, 19]])
    model = parablock.from_torch(module, (ids,)).optimize(weights=form)
    on_device, on_cpu, exactly = (model.compile(each) for each in ("cuda", "cpu", "reference"))
    found, own, exact = (each(ids).logits for each in (on_device, on_cpu, exactly))
    check_near(found, exact)
    check_near(found, own)
    # Codes are not the model's numbers.
    assert float((own - module(ids).logits).detach().abs().max()) > 0.02
    layers, others = _list_matrices(module)
    assert on_device.memory()["weights"] == others + sum(READ[form](*p.shape) for p in layers)
    assert "codes" not in caplog.text


@pytest.mark.parametrize(("dtype", "form"), [("bf16", "int4-g32"), ("f32", "int8")])
def test_other_codes_are_unpacked(
    dtype: str, form: str, caplog: pytest.LogCaptureFixture
) -> None:
    """They take the memory of numbers, which is logged."""
    module, ids = _make(dtype, use_cache=False), torch.tensor([[5, 7, 11]])
    model = parablock.from_torch(module, (ids,)).optimize(weights=form)
    compiled = model.compile("cuda")
    check_near(compiled(ids).logits, model.compile("cpu")(ids).logits)
    layers, others = _list_matrices(module)
    size = sum(p.nbytes for p in layers)
    assert compiled.memory()["weights"] == others + size
    said = f"codes of '{form}' take the memory of the model's type on 'cuda:0', {size} bytes: "
    assert said in caplog.text
