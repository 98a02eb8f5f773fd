# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Saved models, on a driver that runs kernels on the emulator."""

from __future__ import annotations

import copy
import ctypes
import hashlib
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from build_tree import BIN, DRIVER, ROOT
from oracle import check_near, run_exactly

import parablock
from parablock import dlpack, launcher
from parablock.weights import read_safetensors



def _save(folder: Path, dtype: str) -> tuple[torch.nn.Module, Path]:
    """A module of one small layer, and its package beside its checkpoint."""
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


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[torch.nn.Module, Path]:
    """One in f32, for all that only run it."""
    return _save(tmp_path_factory.mktemp("saved"), "f32")


@pytest.fixture
def package(
    saved: tuple[torch.nn.Module, Path], fake_driver: ctypes.CDLL
) -> parablock.Package:
    return parablock.load(saved[1])


def test_save_and_load(
    fake_driver: ctypes.CDLL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, folder = _save(tmp_path, "bf16")
    package = parablock.load(folder)
    ids = torch.tensor([[5, 7, 11]])
    result = package(ids.numpy())["logits"]
    exact = run_exactly(module, (ids,)).logits
    own = copy.deepcopy(module).to(torch.bfloat16)(ids).logits
    check_near(result, exact, own, torch.bfloat16)
    check_near(package(ids)["logits"], exact, own, torch.bfloat16)
    with pytest.raises(parablock.Error, match="expected i64"):
        package(ids.int().numpy())
    package.close()
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", "no-such-driver.so")
    with pytest.raises(parablock.MissingError, match="no-such-driver"):
        parablock.load(folder)


@pytest.fixture
def fake_driver(fake_driver: ctypes.CDLL) -> Iterator[ctypes.CDLL]:
    """The driver as other libraries use it, which make the context current first."""
    assert fake_driver.cuCtxPushCurrent_v2(None) == 0
    yield fake_driver
    assert fake_driver.cuCtxPopCurrent_v2(None) == 0


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
    check_near(result, run_exactly(module, (x,)), module(x))
    with pytest.raises(parablock.Error, match="detach"):
        compiled(x.clone().requires_grad_())


def test_memory_of_the_device_is_used_in_place(
    fake_driver: ctypes.CDLL,
    saved: tuple[torch.nn.Module, Path],
    package: parablock.Package,
) -> None:
    ids = torch.tensor([[5, 7, 11]])
    exact = run_exactly(saved[0], (ids,)).logits
    stream = ctypes.c_void_p()
    assert fake_driver.cuStreamCreate(ctypes.byref(stream), 0) == 0
    given = _DeviceArray(fake_driver, ids.numpy(), stream)
    out = _DeviceArray(fake_driver, np.zeros(exact.shape, np.float32), stream)
    assert package(given, out={"logits": out})["logits"] is out
    check_near(out.read(), exact)
    given.__cuda_array_interface__["stream"] = None
    assert package(given, out={"logits": out})["logits"] is out
    with pytest.raises(parablock.Error, match="out="):
        package(given)
    with pytest.raises(parablock.Error, match="expected f32"):
        package(given, out={"logits": given})


def test_calls_with_the_same_memory_are_one_graph(
    fake_driver: ctypes.CDLL,
    saved: tuple[torch.nn.Module, Path],
    package: parablock.Package,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names: list[str] = []

    def watch(name: str, *arguments: object) -> int:
        names.append(name)
        handle: int = launcher.call(name, *arguments)
        return handle

    monkeypatch.setattr("parablock.package.call", watch)
    ids = torch.tensor([[5, 7, 11]])
    exact = run_exactly(saved[0], (ids,)).logits
    stream = ctypes.c_void_p()
    assert fake_driver.cuStreamCreate(ctypes.byref(stream), 0) == 0
    given = _DeviceArray(fake_driver, ids.numpy(), stream)
    other = _DeviceArray(fake_driver, ids.numpy(), stream)
    out = _DeviceArray(fake_driver, np.zeros(exact.shape, np.float32), stream)
    for array in (given, given, given, other, other):
        package(array, out={"logits": out})
        check_near(out.read(), exact)
    ways = [name for name in names if name in ("session_launch", "session_replay")]
    first, again = "session_launch", "session_replay"
    assert ways == [first, again, again, first, again]


def _package(model: Path, folder: Path) -> parablock.Package:
    """Of a program without weights."""
    command = (BIN / "block-translate", "--block-to-package", "--chip=sm_80", model, "-o", folder)
    subprocess.run(command, check=True)
    nothing = (2).to_bytes(8, "little") + b"{}"
    (folder / "weights.safetensors").write_bytes(nothing)
    digest = hashlib.sha256(nothing).hexdigest()
    note = f"{digest}  weights.safetensors\n"
    (folder / "weights.safetensors.sha256").write_text(note)
    return parablock.load(folder)


_SAME_NAME = """
func.func @main(%x: tensor<4x8xf32> {block.input = "x"}) -> (tensor<4x8xf32> {block.output = "x"}) {
  %0 = block.activation %x {kind = #block.activation<relu>} : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
"""


def test_an_input_and_a_result_of_one_name(
    fake_driver: ctypes.CDLL, tmp_path: Path
) -> None:
    (tmp_path / "m.mlir").write_text(_SAME_NAME)
    package = _package(tmp_path / "m.mlir", tmp_path / "p.pbk")
    x = np.random.default_rng(1).standard_normal((4, 8)).astype(np.float32)
    np.testing.assert_array_equal(package(x)["x"], np.maximum(x, 0))
    stream = ctypes.c_void_p()
    assert fake_driver.cuStreamCreate(ctypes.byref(stream), 0) == 0
    given = _DeviceArray(fake_driver, x, stream)
    out = _DeviceArray(fake_driver, np.full_like(x, np.nan), stream)
    for _ in range(2):
        package(given, out={"x": out})
        np.testing.assert_array_equal(out.read(), np.maximum(x, 0))
        np.testing.assert_array_equal(given.read(), x)


@pytest.fixture
def derived(fake_driver: ctypes.CDLL, tmp_path: Path) -> parablock.Package:
    """Of a mask: every second row turned over, and numbers of one row less than it has."""
    return _package(ROOT / "test/Package/Inputs/derived.mlir", tmp_path / "p.pbk")


def _pick(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    picked = ~mask[::2]
    rows = 2 * len(picked) - 1
    counts = np.resize(picked, (rows, 8)) - np.arange(8 * rows).reshape(rows, 8)
    return picked, counts


def test_masks_and_sizes_that_follow(derived: parablock.Package) -> None:
    assert [(port.kind, port.shape) for port in derived.inputs] == [("i1", ("n", 8))]
    shapes = {port.name: (port.kind, port.shape) for port in derived.outputs}
    assert shapes["picked"] == ("i1", ("n ceildiv 2", 8))
    assert shapes["counts"] == ("i16", ("((n ceildiv 2) * 2) - 1", 8))
    for rows in (1, 6, 7):
        mask = np.random.default_rng(rows).random((rows, 8)) < 0.5
        picked, counts = _pick(mask)
        result = derived(mask)
        assert result["picked"].dtype == np.bool_
        assert result["counts"].dtype == np.int16
        np.testing.assert_array_equal(result["picked"], picked)
        np.testing.assert_array_equal(result["counts"], counts)
        np.testing.assert_array_equal(result["same"], mask)
        of_torch = derived(torch.from_numpy(mask))
        assert of_torch["picked"].dtype == torch.bool
        assert of_torch["counts"].dtype == torch.int16
        np.testing.assert_array_equal(of_torch["counts"].numpy(), counts)
    with pytest.raises(parablock.Error, match="expected i1 .* got i8"):
        derived(np.zeros((2, 8), np.int8))


def test_masks_on_the_device(
    fake_driver: ctypes.CDLL, derived: parablock.Package
) -> None:
    stream = ctypes.c_void_p()
    assert fake_driver.cuStreamCreate(ctypes.byref(stream), 0) == 0
    mask = np.arange(40).reshape(5, 8) % 3 == 0
    picked, counts = _pick(mask)

    def make_results() -> dict[str, _DeviceArray]:
        empty = {"again": picked, "counts": counts.astype(np.int16), "picked": picked}
        empty["same"] = mask
        return {
            name: _DeviceArray(fake_driver, np.zeros_like(values), stream)
            for name, values in empty.items()
        }

    out = make_results()
    derived(_DeviceArray(fake_driver, mask, stream), out=out)
    np.testing.assert_array_equal(out["picked"].read(), picked)
    np.testing.assert_array_equal(out["again"].read(), picked)
    np.testing.assert_array_equal(out["counts"].read(), counts)
    np.testing.assert_array_equal(out["same"].read(), mask)
    out["counts"] = out["picked"]
    with pytest.raises(parablock.Error, match=r"'counts': expected i16 \[5, 8\]"):
        derived(_DeviceArray(fake_driver, mask, stream), out=out)
    wrong = np.full((5, 8), 3, np.uint8).view(np.bool_)
    with pytest.raises(parablock.Error, match="each byte of i1 to be 0 or 1, got 3"):
        derived(_DeviceArray(fake_driver, wrong, stream), out=make_results())


def test_arrays_with_gaps(
    package: parablock.Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library is given an address, and what lies there has to stay."""
    rows = np.arange(40, dtype=np.int64).reshape(4, 10)
    views = (rows[::2, ::2], rows.T, rows[:, ::-1], np.asfortranarray(rows))
    expected = [package(np.ascontiguousarray(view))["logits"] for view in views]

    def call_late(name: str, *arguments: object) -> object:
        """Writes over whatever a copy has left behind."""
        others = [np.ones(view.shape, np.int64) for view in views for _ in range(9)]
        assert others
        return launcher.call(name, *arguments)

    monkeypatch.setattr("parablock.package.call", call_late)
    for view, logits in zip(views, expected, strict=True):
        assert not view.flags.c_contiguous
        np.testing.assert_array_equal(package(view)["logits"], logits)


def test_threads_take_turns(package: parablock.Package) -> None:
    inputs = [np.arange(first, first + 6)[None] for first in (0, 10, 20, 30)]
    expected = [package(ids)["logits"] for ids in inputs]
    right = []

    def work(number: int) -> None:
        for _ in range(10):
            got = package(inputs[number])["logits"]
            right.append(np.array_equal(got, expected[number]))

    threads = [threading.Thread(target=work, args=[n]) for n in range(len(inputs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True] * 40


def test_ids_that_are_no_rows(
    fake_driver: ctypes.CDLL, package: parablock.Package
) -> None:
    for value in (53, -1, 1 << 40):
        ids = np.array([[5, 7], [11, value]])
        expected = rf"input 'input_ids': expected 0 to 52, got {value} at \[1, 1\]"
        with pytest.raises(parablock.Error, match=expected):
            package(ids)
        stream = ctypes.c_void_p()
        assert fake_driver.cuStreamCreate(ctypes.byref(stream), 0) == 0
        out = _DeviceArray(fake_driver, np.zeros((2, 2, 53), np.float32), stream)
        with pytest.raises(parablock.Error, match=expected):
            package(_DeviceArray(fake_driver, ids, stream), out={"logits": out})
    assert package(np.array([[5, 7]]))["logits"].shape == (1, 2, 53)


def test_closed_packages(package: parablock.Package) -> None:
    package(np.array([[5, 7]]))
    package.close()
    package.close()
    with pytest.raises(parablock.Error, match=r"open package, got one after close"):
        package(np.array([[5, 7]]))


def test_few_sessions_are_kept(
    package: parablock.Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parablock.package._MOST_SESSIONS", 3)
    results = {}
    for tokens in (1, 2, 3, 1, 4, 5, 1, 2):
        got = package(np.arange(tokens)[None])["logits"]
        np.testing.assert_array_equal(got, results.setdefault(tokens, got))
    # Four and two came last of the others; one was always among the latest.
    kept = [key[-1] for key in package._sessions]
    assert kept == [5, 1, 2]


def test_damaged_packages(
    saved: tuple[torch.nn.Module, Path], package: parablock.Package, tmp_path: Path
) -> None:
    copied = shutil.copytree(saved[1], tmp_path / "damaged.pbk")
    code = copied / "sm_90a.cubin"
    if not code.exists():
        code = copied / "sm_90a.ptx"
    data = bytearray(code.read_bytes())
    data[len(data) // 2] ^= 1
    code.write_bytes(data)
    with pytest.raises(parablock.Error, match=rf"{code.name}: expected the hash"):
        parablock.load(copied)


def test_damaged_weights(
    saved: tuple[torch.nn.Module, Path], package: parablock.Package, tmp_path: Path
) -> None:
    copied = shutil.copytree(saved[1], tmp_path / "damaged.pbk")
    command = ["sha256sum", "--check", "--strict", "--quiet"]
    hashes = ["manifest.sha256", "weights.safetensors.sha256"]
    subprocess.run([*command, *hashes], cwd=copied, check=True)
    weights = copied / "weights.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    with pytest.raises(parablock.Error, match="safetensors: expected the hash"):
        parablock.load(copied)
    (copied / "weights.safetensors.sha256").unlink()
    with pytest.raises(parablock.Error, match=r"sha256: No such file"):
        parablock.load(copied)


def test_what_is_no_package_is_named(tmp_path: Path) -> None:
    with pytest.raises(parablock.Error, match=r"none\.pbk"):
        parablock.load(tmp_path / "none.pbk")


class _Exported(_DeviceArray):
    """The same memory by DLPack; no capsule of NumPy's says that it is CUDA's."""

    def __init__(
        self,
        driver: ctypes.CDLL,
        values: np.ndarray,
        dtype: tuple[int, int],
        strides: tuple[int, ...] | None = None,
    ) -> None:
        stream = ctypes.c_void_p()
        assert driver.cuStreamCreate(ctypes.byref(stream), 0) == 0
        super().__init__(driver, values, stream)
        del self.__cuda_array_interface__
        rank = values.ndim
        self.tensor = dlpack.Tensor(data=self.pointer.value, rank=rank)
        self.tensor.device.type = 2
        self.tensor.dtype.code, self.tensor.dtype.bits = dtype
        self.tensor.dtype.lanes = 1
        self.tensor.shape = (ctypes.c_int64 * rank)(*values.shape)
        if strides:
            self.tensor.strides = (ctypes.c_int64 * rank)(*strides)
        self.streams: list[int] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0

    def __dlpack__(self, stream: int) -> object:
        self.streams.append(stream)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        return make(ctypes.addressof(self.tensor), b"dltensor", None)


_I64, _F32, _COMPLEX = (0, 64), (2, 32), (5, 64)


def test_arrays_of_other_libraries_by_dlpack(
    fake_driver: ctypes.CDLL,
    saved: tuple[torch.nn.Module, Path],
    package: parablock.Package,
) -> None:
    ids = torch.tensor([[5, 7, 11]])
    exact = run_exactly(saved[0], (ids,)).logits
    given = _Exported(fake_driver, ids.numpy(), _I64, strides=(3, 1))
    empty = np.zeros(exact.shape, np.float32)
    out = _Exported(fake_driver, empty, _F32)
    assert package(given, out={"logits": out})["logits"] is out
    check_near(out.read(), exact)
    # What made the input is done before what reads it on the default stream.
    assert given.streams == [1]
    wrong = _Exported(fake_driver, ids.numpy(), _COMPLEX)
    with pytest.raises(parablock.Error, match="expected dense elements"):
        package(wrong, out={"logits": out})
    columns = _Exported(fake_driver, np.ones((2, 3), np.int64), _I64, (1, 2))
    with pytest.raises(parablock.Error, match=r"i64 with strides \(1, 2\)"):
        package(columns)


def test_memory_of_other_devices_is_refused(package: parablock.Package) -> None:
    class Elsewhere:
        def __dlpack_device__(self) -> tuple[int, int]:
            return 10, 0

    with pytest.raises(parablock.Error, match="of a CUDA device, got rocm:0"):
        package(Elsewhere())


_WITHOUT_COMPILER = """
import sys
sys.modules.update({"torch": None, "parablock._core": None})
import numpy, parablock
from parablock.launcher import get_library
get_library()
assert "llvm" not in open("/proc/self/maps").read().lower()
package = parablock.load(sys.argv[1])
print(package(numpy.array([[5, 7, 11]]))["logits"].shape)
maps = open("/proc/self/maps").read()
assert "libmlir" not in maps.lower() and "parablock-c" not in maps, maps
try:
    parablock.from_pretrained(sys.argv[2])
except parablock.MissingError as error:
    print(error)
"""


def test_loading_needs_no_compiler(saved: tuple[torch.nn.Module, Path]) -> None:
    """The driver that stands in for a GPU has LLVM in it, and nothing else."""
    folder = saved[1].parent
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_COMPILER, saved[1], folder / "checkpoint"],
        capture_output=True,
        text=True,
        env={"PARABLOCK_CUDA_DRIVER": str(DRIVER)},
    )
    assert done.returncode == 0, done.stderr
    shape, reason = done.stdout.splitlines()
    assert shape == "(1, 3, 53)"
    assert reason.startswith("the compiler cannot be loaded")


def test_copies_are_refused(package: parablock.Package) -> None:
    """Two would give the same memory back."""
    with pytest.raises(TypeError, match=r"load\(\) it once more"):
        copy.copy(package)


@pytest.mark.parametrize("form", ["int8", "int4", "int4-g128", "mxfp4", "fp8"])
def test_packages_of_codes(checkpoint: Path, tmp_path: Path, form: str) -> None:
    """Every form of codes becomes a package, whose weights a device reads unpacked."""
    model = parablock.from_pretrained(checkpoint).optimize(weights=form, chip="sm_90a")
    package = model.save(tmp_path / "codes.pbk")
    stored = read_safetensors(package / "weights.safetensors")
    assert {tensor.kind for tensor in stored.values()} == {"f32"}
    assert model.count("sm_90a")["model"]["launches"] > 0
