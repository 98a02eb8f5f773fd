# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights on target 'cuda': read where PyTorch has them, or packed once."""

from __future__ import annotations

import ctypes
import logging
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from fake_cuda import CudaTensor, FakeCuda
from generating import make_llama
from oracle import check_near, run_exactly

import parablock
from parablock import device_code, device_packing, weight_watch
from parablock.device_memory import OpenDevice
from parablock.device_packing import DevicePacking


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


def _refuse_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """No weight comes to the CPU, and the CPU packs none."""

    def refuse(*args: Any) -> Any:
        raise AssertionError("expected the device to pack the weight")

    monkeypatch.setattr(device_code._Upload, "_pack", refuse)
    monkeypatch.setattr(device_packing, "_Copy", refuse)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_weights_are_packed_on_the_device(
    fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch, dtype: torch.dtype
) -> None:
    """From where PyTorch has them, to the bits of the CPU's packing."""
    module = make_llama(num_hidden_layers=2, use_cache=False).to(dtype)
    ids = torch.tensor([[5, 7, 11]])
    model = parablock.from_torch(module, (ids,)).optimize()
    with monkeypatch.context() as patch:
        patch.setattr(DevicePacking, "find_program", lambda *_: None)
        wanted = model.compile("cuda")(ids).logits
    _OnDevice(monkeypatch)
    _refuse_copies(monkeypatch)
    before = OpenDevice(0).read_facts().free_bytes
    compiled = model.compile("cuda")
    memory = compiled.memory()
    assert torch.equal(compiled(ids).logits, wanted)
    assert memory["weights_packed_by_cpu"] == 0 and compiled.run_report()["packed_by_cpu"] == {}
    # Merged projections and the norms' gains in front of them stay PyTorch's besides.
    merged = [layer.self_attn.q_proj.weight for layer in module.model.layers]
    assert memory["originals"] > sum(weight.nbytes for weight in merged)
    # Each packing reads the weights where they are, and leaves nothing behind.
    after = OpenDevice(0).read_facts().free_bytes
    for _ in range(2):
        compiled.refresh()
    assert OpenDevice(0).read_facts().free_bytes >= after - compiled.memory()["sessions"]
    assert before > after


def test_weights_of_the_cpu_are_packed_on_the_device(
    fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copies are there for one weight after the other, and gone behind it."""
    module = make_llama(num_hidden_layers=3, use_cache=False)
    ids = torch.tensor([[5, 7, 11]])
    model = parablock.from_torch(module, (ids,)).optimize()
    alive: list[weakref.ref[Any]] = []
    most = 0
    make = device_packing._Copy.__init__

    def note(copy: Any, *args: Any) -> None:
        nonlocal most
        make(copy, *args)
        alive.append(weakref.ref(copy))
        most = max(most, sum(each() is not None for each in alive))

    monkeypatch.setattr(device_packing._Copy, "__init__", note)
    compiled = model.compile("cuda")
    check_near(compiled(ids).logits, run_exactly(module, (ids,)).logits, module(ids).logits)
    assert len(alive) > 2 * most > 0
    assert all(each() is None for each in alive)
    assert compiled.memory()["originals"] == compiled.memory()["weights_packed_by_cpu"] == 0


class _Exponential(torch.nn.Module):
    """A weight with a function that rounds as its library does."""

    def __init__(self) -> None:
        super().__init__()
        self.logarithms = torch.nn.Parameter(torch.randn(16, 8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.logarithms.exp()


def test_weights_without_a_program_are_named(
    fake_driver: ctypes.CDLL, caplog: pytest.LogCaptureFixture
) -> None:
    module, x = _Exponential().eval(), torch.randn(3, 16)
    with caplog.at_level(logging.INFO, "parablock"):
        compiled = parablock.from_torch(module, (x,)).optimize().compile("cuda")
    check_near(compiled(x), run_exactly(module, (x,)), module(x))
    ((name, reason),) = compiled.run_report()["packed_by_cpu"].items()
    assert reason == "'tosa.exp' may round differently on a device"
    assert compiled.memory()["weights_packed_by_cpu"] == module.logarithms.nbytes
    assert f"weight '{name}' is packed by the CPU: {reason}" in caplog.messages


def _step(module: torch.nn.Module, kind: type[torch.optim.Optimizer]) -> None:
    optimizer = kind(module.parameters(), lr=0.05)  # type: ignore[call-arg]
    module(torch.tensor([[1, 2, 3]])).logits.square().mean().backward()
    optimizer.step()


def _replace(module: torch.nn.Module) -> None:
    for parameter in module.parameters():
        parameter.data = parameter.data * 1.25


_CHANGES: dict[str, Callable[[torch.nn.Module], Any]] = {
    "sgd": lambda module: _step(module, torch.optim.SGD),
    "adam": lambda module: _step(module, torch.optim.AdamW),
    "load": lambda module: module.load_state_dict(
        {name: tensor * 0.75 for name, tensor in module.state_dict().items()}
    ),
    "replace": _replace,
}


@pytest.mark.parametrize("change", _CHANGES)
def test_changes_of_weights(
    fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """Counted ones are seen on a device, where no elements are looked at."""
    monkeypatch.setattr(weight_watch, "_view_samples", lambda tensor: np.empty(0))
    module = make_llama(num_hidden_layers=1, use_cache=False)
    ids = torch.tensor([[5, 7, 11]])
    compiled = parablock.from_torch(module, (ids,)).optimize().compile("cuda")
    before = compiled(ids).logits
    _CHANGES[change](module)
    found = compiled(ids).logits
    check_near(found, run_exactly(module, (ids,)).logits, module(ids).logits)
    assert (found - before).norm() > 0.01 * before.norm()
    # PyTorch does not count what is done to `data`.
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.data.mul_(1.5)
    assert torch.equal(compiled(ids).logits, found)
    compiled.refresh()
    check_near(compiled(ids).logits, run_exactly(module, (ids,)).logits, module(ids).logits)


@pytest.mark.parametrize("kind", ["allocation", "launch", "call"])
def test_faults_while_weights_are_packed(fake_driver: ctypes.CDLL, kind: str) -> None:
    """One error, and no numbers of weights of which some are old, until they are packed again."""
    fake_driver.parablockFakeGetCount.restype = ctypes.c_uint64
    fake_driver.parablockFakeGetUsed.restype = ctypes.c_uint64
    module = make_llama(num_hidden_layers=2, use_cache=False)
    ids = torch.tensor([[5, 7, 11]])
    compiled = parablock.from_torch(module, (ids,)).optimize().compile("cuda")
    wanted = compiled(ids).logits
    compiled.refresh()
    used = fake_driver.parablockFakeGetUsed()
    assert fake_driver.parablockFakeSetFault(b"")
    compiled.refresh()
    count = fake_driver.parablockFakeGetCount(("allocation", "launch", "call").index(kind))
    assert count > 3
    # The last calls give back memory, which cannot fail.
    last = count - 12 if kind == "call" else count
    for number in {*range(1, 4), *range(4, last, count // 6 + 1), last}:
        assert fake_driver.parablockFakeSetFault(b"%s:%d" % (kind.encode(), number))
        try:
            with pytest.raises(parablock.Error) as found:
                compiled.refresh()
        finally:
            assert fake_driver.parablockFakeSetFault(b"")
        assert "\n" not in str(found.value)
        with pytest.raises(parablock.Error, match=r"a packing that failed: refresh\(\) packs"):
            compiled(ids)
        compiled.refresh()
        assert torch.equal(compiled(ids).logits, wanted)
        assert fake_driver.parablockFakeGetUsed() == used, (kind, number)


def test_weights_that_cannot_be_read(
    fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of an address that kernels do not read have a copy on the device."""
    module = make_llama(num_hidden_layers=1, use_cache=False)
    ids = torch.tensor([[5, 7, 11]])
    model = parablock.from_torch(module, (ids,)).optimize()
    weights = _OnDevice(monkeypatch)

    def place(tensor: torch.Tensor) -> torch.Tensor:
        with torch._C.DisableTorchFunction():
            memory = placed(torch.zeros(tensor.numel() + 1))[1:].view(tensor.shape)
            return memory.copy_(tensor).as_subclass(CudaTensor)

    placed = weights.device.place
    monkeypatch.setattr(weights.device, "place", place)
    copied: list[torch.Tensor] = []

    def copy(tensor: torch.Tensor) -> torch.Tensor:
        # What PyTorch copies lies on the device.
        assert not device_packing.is_readable(tensor)
        copied.append(placed(tensor))
        return copied[-1]

    for user in (device_code, device_packing):
        monkeypatch.setattr(user, "make_readable", copy)
    _refuse_copies(monkeypatch)
    compiled = model.compile("cuda")
    check_near(compiled(ids).logits, run_exactly(module, (ids,)).logits)
    assert compiled.memory()["weights_in_place"] == 0 < len(copied)
