# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that are compiled for target 'cuda', on a driver that runs kernels on the emulator."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import torch
from oracle import check_near, run_exactly

import parablock
from parablock.device_memory import DeviceArray, OpenDevice
from parablock.launcher import LaunchCopy, call


def _make_layer() -> tuple[torch.nn.Module, torch.Tensor]:
    layer = torch.nn.TransformerEncoderLayer(32, 2, 48, batch_first=True, dropout=0.0).eval()
    return layer, torch.randn(1, 5, 32)


def _compile(target: str = "cuda", **options: Any) -> Any:
    layer, x = _make_layer()
    return parablock.from_torch(layer, (x,)).optimize().compile(target, **options)


def test_a_module_with_changing_weights(fake_driver: ctypes.CDLL) -> None:
    layer, x = _make_layer()
    compiled = parablock.from_torch(layer, (x,)).optimize(chip="sm_90a").compile("cuda:0")
    result = compiled(x)
    assert isinstance(result, torch.Tensor)
    check_near(result, run_exactly(layer, (x,)))
    of_numpy = compiled(x.numpy())
    assert isinstance(of_numpy, np.ndarray) and np.array_equal(of_numpy, result.numpy())
    with torch.no_grad():
        layer.linear1.weight.mul_(2)
    changed = compiled(x)
    check_near(changed, run_exactly(layer, (x,)))
    assert not torch.equal(changed, result)
    report = compiled.run_report()
    assert (report["engine"], report["device"], report["chip"]) == ("cuda", "emulator", "sm_90a")
    weights = sum(each.nbytes for each in layer.parameters())
    assert report["launches"] > 0 and report["weights_bytes"] >= weights


def test_the_chip_that_is_there(
    fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver reads its variables once in a process."""
    text = (
        "import torch, parablock\n"
        "layer = torch.nn.TransformerEncoderLayer(32, 2, 48, batch_first=True).eval()\n"
        "x = torch.randn(1, 5, 32)\n"
        "compiled = parablock.from_torch(layer, (x,)).optimize().compile('cuda')\n"
        "assert torch.allclose(compiled(x), layer(x), atol=1e-5)\n"
        "print(compiled.run_report()['chip'])\n"
    )
    monkeypatch.setenv("PARABLOCK_FAKE_CHIP", "sm_80")
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("sm_80\n", 0), done.stderr


@pytest.mark.parametrize("driver", ["none", "/no/such/driver.so"])
def test_no_driver_is_one_error_before_compiling(
    monkeypatch: pytest.MonkeyPatch, driver: str
) -> None:
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", driver)
    layer, x = _make_layer()
    model = parablock.from_torch(layer, (x,))
    monkeypatch.setattr(type(model), "make_program", None)
    with pytest.raises(parablock.MissingError, match="no CUDA driver") as raised:
        model.compile("cuda")
    assert "\n" not in str(raised.value)


def test_a_number_without_a_device(fake_driver: ctypes.CDLL) -> None:
    with pytest.raises(parablock.MissingError, match="no CUDA device 7: the driver has 1"):
        _compile("cuda:7")


@pytest.mark.parametrize("target", ["cuda:", "cuda:-1", "cuda:01", "cuda:x", "CUDA", "gpu"])
def test_unknown_targets(target: str) -> None:
    wanted = "option 'target' requires 'cpu', 'cpu:PROCESSOR', 'cuda', 'cuda:NUMBER'"
    with pytest.raises(parablock.Error, match=wanted):
        _compile(target)


def test_options_of_the_cpu(fake_driver: ctypes.CDLL) -> None:
    for options, message in (
        ({"threads": 2}, "option 'threads' requires target 'cpu', got 'cuda' and 2 threads"),
        ({"keep_weights": True}, "option 'keep_weights' requires target 'cpu', got 'cuda'"),
    ):
        with pytest.raises(parablock.Error, match=message):
            _compile(**options)


def test_chips_that_are_none(fake_driver: ctypes.CDLL) -> None:
    with pytest.raises(parablock.Error, match="unknown chip 'sm_12': expected"):
        _compile("sm_12")


def test_arrays_of_a_device(fake_driver: ctypes.CDLL) -> None:
    device = OpenDevice(0)
    before = device.read_facts().free_bytes
    array = DeviceArray(device, (3, 4, 2), "f32", "a test")
    assert before - device.read_facts().free_bytes >= array.nbytes == 96
    assert not array.numpy().any()
    values = np.arange(24, dtype=np.float32).reshape(3, 4, 2)
    array.write(values)
    assert np.array_equal(array.numpy(), values)
    other = DeviceArray(device, (2, 5, 2), "f32", "a test")
    other.copy_rows([1, 0], array, [0, 2], 3)
    wanted = np.zeros((2, 5, 2), np.float32)
    wanted[1, :3], wanted[0, :3] = values[0, :3], values[2, :3]
    assert np.array_equal(other.numpy(), wanted)
    array.copy_rows([0], array, [2], 4)
    assert np.array_equal(array.numpy()[0], values[2])
    # A device's array is an input of a package as it is.
    assert "f32 [3, 4, 2], 'emulator'" in repr(array)
    with pytest.raises(parablock.Error, match="expected a part of 96 bytes, got 32 at 96"):
        array.copy_rows([3], array, [0], 4)
    own, copy = array._handle, LaunchCopy(8, 0, 24)
    with pytest.raises(parablock.Error, match="got 24 from 0 to 8 of one memory"):
        call("memory_copy", own, own, ctypes.byref(copy), ctypes.c_uint32(1))
    with pytest.raises(parablock.Error, match=r"float32 \[3, 4, 2\] .* got float64 \[3, 4, 2\]"):
        array.write(values.astype(np.float64))
    with pytest.raises(parablock.Error, match="for the caches: expected .* bytes, got .* free"):
        DeviceArray(device, (1 << 40,), "f32", "the caches")
    del array, other
    gc.collect()
    assert device.read_facts().free_bytes == before


def test_memory_is_given_back(fake_driver: ctypes.CDLL) -> None:
    device = OpenDevice(0)
    before = device.read_facts().free_bytes
    compiled = _compile()
    compiled(torch.randn(1, 5, 32))
    assert device.read_facts().free_bytes < before
    del compiled
    gc.collect()
    assert device.read_facts().free_bytes == before


def test_wrong_inputs(fake_driver: ctypes.CDLL) -> None:
    compiled = _compile()
    with pytest.raises(parablock.Error, match="input .src.: expected f32, got f64"):
        compiled(torch.randn(1, 5, 32).double())
    with pytest.raises(parablock.Error, match="detach"):
        compiled(torch.randn(1, 5, 32, requires_grad=True))
    assert compiled(torch.zeros(1, 5, 32)).shape == (1, 5, 32)
