# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights on target 'cuda': read where PyTorch has them, or packed once."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
import torch
from fake_cuda import FakeCuda
from generating import make_llama
from oracle import check_near, run_exactly

import parablock
from parablock import weight_watch
from parablock.device_memory import OpenDevice


class _OnDevice:
    """A module's weights as if it were on the device; each is placed once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.device = FakeCuda(monkeypatch)
        self.placed: dict[int, torch.Tensor] = {}
        self.is_off = False
        read = weight_watch.ModuleWeights.__call__

        def place(weights: Any, info: Any) -> torch.Tensor:
            tensor = read(weights, info)
            if self.is_off:
                return tensor
            key = tensor.data_ptr()
            if key not in self.placed:
                self.placed[key] = self.device.place(tensor)
            return self.placed[key]

        monkeypatch.setattr(weight_watch.ModuleWeights, "__call__", place)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_weights_are_read_in_place(
    fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch, dtype: torch.dtype
) -> None:
    module = make_llama(num_hidden_layers=1, use_cache=False).to(dtype)
    ids = torch.tensor([[5, 7, 11]])
    exact, own = run_exactly(module, (ids,)).logits, module(ids).logits
    model = parablock.from_torch(module, (ids,)).optimize()
    packed = model.compile("cuda")
    wanted = packed(ids).logits
    total = packed.memory()
    assert total["weights_in_place"] == 0
    assert total["weights"] >= sum(p.nbytes for p in module.parameters() if p.dim() == 2)
    before = OpenDevice(0).read_facts().free_bytes
    weights = _OnDevice(monkeypatch)
    compiled = model.compile("cuda")
    found = compiled(ids).logits
    check_near(found, exact, own, dtype)
    assert torch.equal(found, wanted)
    memory = compiled.memory()
    # The table of tokens and projections without a norm in front need no packing.
    table = module.get_input_embeddings().weight
    assert memory["weights_in_place"] >= table.nbytes + module.config.hidden_size**2 * dtype.itemsize
    assert memory["weights"] + memory["weights_in_place"] == total["weights"]
    assert memory["sessions"] > 0 and memory["total"] > memory["free"]
    placed = sum((t.nbytes + 7) // 8 * 8 for t in weights.placed.values())
    used = before - OpenDevice(0).read_facts().free_bytes - placed
    assert used < total["weights"]
    # A change in place shows without packing; the watch, which looks at the CPU's tensors,
    # packs what depends on the weight otherwise.
    with torch.no_grad(), torch._C.DisableTorchFunction():
        module.get_input_embeddings().weight.mul_(-1)
        weights.placed[table.data_ptr()].mul_(-1)
    check_near(compiled(ids).logits, run_exactly(module, (ids,)).logits, module(ids).logits, dtype)
    weights.is_off = True
    compiled.refresh()
    assert compiled.memory()["weights_in_place"] == 0
    check_near(compiled(ids).logits, run_exactly(module, (ids,)).logits, module(ids).logits, dtype)


def test_weights_that_cannot_be_read(
    fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address that kernels do not read, are packed."""
    module = make_llama(num_hidden_layers=1, use_cache=False)
    ids = torch.tensor([[5, 7, 11]])
    model = parablock.from_torch(module, (ids,)).optimize()
    weights = _OnDevice(monkeypatch)

    def place(tensor: torch.Tensor) -> torch.Tensor:
        with torch._C.DisableTorchFunction():
            return placed(torch.zeros(tensor.numel() + 1))[1:].view(tensor.shape).copy_(tensor)

    placed = weights.device.place
    monkeypatch.setattr(weights.device, "place", place)
    compiled = model.compile("cuda")
    check_near(compiled(ids).logits, run_exactly(module, (ids,)).logits)
    assert compiled.memory()["weights_in_place"] == 0
