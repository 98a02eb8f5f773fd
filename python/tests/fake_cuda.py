# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors on a device 'cuda:0', in the memory of the driver that emulates kernels.

That memory is the host's, so PyTorch computes with it as with the CPU's.
"""

from __future__ import annotations

import ctypes
import types
from typing import Any

import pytest
import torch
from torch.overrides import TorchFunctionMode

from parablock.device_memory import DeviceArray, OpenDevice

DEVICE = torch.device("cuda:0")

_GET_DEVICE = torch.Tensor.device.__get__


class CudaTensor(torch.Tensor):
    """A tensor whose device is the driver's."""

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        return DEVICE


class FakeCuda(TorchFunctionMode):
    """Makes tensors of the device where PyTorch is asked for them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self._device = OpenDevice(0)
        #: Memory of all tensors.
        self._arrays: list[DeviceArray] = []
        stream = types.SimpleNamespace(cuda_stream=0, synchronize=lambda: None)
        monkeypatch.setattr(torch.cuda, "current_stream", lambda device=None: stream)
        monkeypatch.setattr(torch.cuda, "synchronize", lambda device=None: None)

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        given = dict(kwargs or {})
        if function == _GET_DEVICE and self.holds(args[0]):
            return DEVICE
        if function is torch.Tensor.cpu:
            return args[0].detach().as_subclass(torch.Tensor)
        if function is torch.Tensor.to and DEVICE in args:
            return args[0] if isinstance(args[0], CudaTensor) else self.place(args[0])
        is_made = torch.device(given.get("device") or "cpu") == DEVICE
        if is_made:
            del given["device"]
        result = function(*args, **given)
        copies = function in (torch.Tensor.clone, torch.Tensor.long)
        if is_made or (copies and isinstance(result, CudaTensor)):
            return self.place(result)
        return result

    def move(self, module: torch.nn.Module) -> None:
        """Moves the parameters of a module to the device."""
        for parameter in module.parameters():
            parameter.data = self.place(parameter.data).as_subclass(torch.Tensor)

    def holds(self, tensor: torch.Tensor) -> bool:
        """Returns whether a tensor's memory is the device's, as of one that autograd returns."""
        with torch._C.DisableTorchFunction():
            address = tensor.data_ptr()
        return any(a.pointer <= address < a.pointer + a.nbytes for a in self._arrays)

    def place(self, values: torch.Tensor) -> CudaTensor:
        """Returns a tensor of the device with these values."""
        with torch._C.DisableTorchFunction():
            values = values.detach().contiguous()
            count = (values.nbytes + 7) // 8
            array = DeviceArray(self._device, (count,), "f64", "a test's tensor")
            self._arrays.append(array)
            memory = (ctypes.c_byte * (8 * count)).from_address(array.pointer)
            whole = torch.frombuffer(memory, dtype=values.dtype, count=values.numel())
            return whole.view(values.shape).copy_(values).as_subclass(CudaTensor)


def bring_back(tensor: Any) -> torch.Tensor:
    """Returns the values of a tensor of the device."""
    assert isinstance(tensor, CudaTensor)
    with torch._C.DisableTorchFunction():
        return tensor.clone().as_subclass(torch.Tensor)
