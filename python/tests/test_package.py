# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Saved models, on a driver that runs kernels on the emulator."""

from __future__ import annotations

import contextlib
import ctypes
import os
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from oracle import get_distance, run_exactly

import parablock

_BUILD = Path(os.environ.get("PARABLOCK_BUILD_DIR", "build"))
_DRIVER = Path(__file__).parents[2] / _BUILD / "lib" / "libparablock-fake-driver.so"


@pytest.fixture
def fake_driver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ctypes.CDLL:
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", str(_DRIVER))
    monkeypatch.setenv("PARABLOCK_FAKE_PACKAGES", str(tmp_path))
    # Where compile() writes a package, the driver finds its code.
    folder = contextlib.nullcontext(str(tmp_path))
    monkeypatch.setattr("tempfile.TemporaryDirectory", lambda prefix: folder)
    return ctypes.CDLL(str(_DRIVER))


def _save(folder: Path, dtype: str) -> tuple[torch.nn.Module, Path]:
    """A checkpoint of one small layer, and its package."""
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=53,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=48,
        use_cache=False,
    )
    module = transformers.LlamaForCausalLM(config).eval()
    module.save_pretrained(folder / "checkpoint")
    model = parablock.from_pretrained(folder / "checkpoint", dtype=dtype)
    return module, model.optimize().save(folder / "m.pbk")


def test_save_and_load(
    fake_driver: ctypes.CDLL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, folder = _save(tmp_path, "bf16")
    package = parablock.load(folder)
    ids = torch.tensor([[5, 7, 11]])
    result = package(ids.numpy())["logits"]
    exact = run_exactly(module, (ids,)).logits
    assert get_distance(torch.from_numpy(result), exact) < 5e-2
    assert get_distance(package(ids)["logits"], exact) < 5e-2
    with pytest.raises(parablock.Error, match="expected i64"):
        package(ids.int().numpy())
    package.close()
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", "no-such-driver.so")
    with pytest.raises(parablock.MissingError, match="no-such-driver"):
        parablock.load(folder)


class _DeviceArray:
    """What other libraries' arrays say of themselves, in the driver's memory."""

    def __init__(
        self, driver: ctypes.CDLL, values: np.ndarray, stream: ctypes.c_void_p
    ) -> None:
        self.values, self.driver, self.stream = values, driver, stream
        self.pointer = ctypes.c_uint64()
        assert driver.cuMemAlloc_v2(ctypes.byref(self.pointer), values.nbytes) == 0
        self._copy("HtoD", self.pointer, ctypes.c_void_p(values.ctypes.data))
        self.__cuda_array_interface__ = {
            "shape": values.shape,
            "typestr": values.dtype.str,
            "data": (self.pointer.value, False),
            "version": 3,
            "stream": stream.value,
        }

    def _copy(self, way: str, target: object, source: object) -> None:
        size = ctypes.c_size_t(self.values.nbytes)
        copy = getattr(self.driver, f"cuMemcpy{way}Async_v2")
        assert copy(target, source, size, self.stream) == 0
        assert self.driver.cuStreamSynchronize(self.stream) == 0

    def read(self) -> np.ndarray:
        result = np.empty_like(self.values)
        self._copy("DtoH", ctypes.c_void_p(result.ctypes.data), self.pointer)
        return result


def _make_layer() -> tuple[torch.nn.Module, torch.Tensor]:
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(32, 2, 48, batch_first=True).eval()
    return layer.to(torch.bfloat16), torch.randn(1, 5, 32).to(torch.bfloat16)


def test_compile_for_a_device(fake_driver: ctypes.CDLL) -> None:
    module, x = _make_layer()
    model = parablock.from_torch(module, (x,)).optimize(chip="sm_90a")
    compiled = model.compile("sm_90a")
    result = compiled(x)
    assert result.dtype == torch.bfloat16
    assert get_distance(result, run_exactly(module, (x,))) < 3e-2
    with pytest.raises(parablock.Error, match="detach"):
        compiled(x.clone().requires_grad_())


def test_memory_of_the_device_is_used_in_place(
    fake_driver: ctypes.CDLL, tmp_path: Path
) -> None:
    module, folder = _save(tmp_path, "f32")
    package = parablock.load(folder)
    ids = torch.tensor([[5, 7, 11]])
    exact = run_exactly(module, (ids,)).logits
    stream = ctypes.c_void_p()
    assert fake_driver.cuStreamCreate(ctypes.byref(stream), 0) == 0
    given = _DeviceArray(fake_driver, ids.numpy(), stream)
    out = _DeviceArray(fake_driver, np.zeros(exact.shape, np.float32), stream)
    assert package(given, out={"logits": out})["logits"] is out
    assert get_distance(torch.from_numpy(out.read()), exact) < 1e-3
    given.__cuda_array_interface__["stream"] = None
    assert package(given, out={"logits": out})["logits"] is out
    with pytest.raises(parablock.Error, match="out="):
        package(given)
    with pytest.raises(parablock.Error, match="expected f32"):
        package(given, out={"logits": given})


def test_what_is_no_package_is_named(tmp_path: Path) -> None:
    with pytest.raises(parablock.Error, match=r"none\.pbk"):
        parablock.load(tmp_path / "none.pbk")
