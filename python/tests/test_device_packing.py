# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights that the device packs: the bits of the CPU's packing, in memory of the program alone."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiers
from build_tree import BIN

import parablock
from parablock import launcher
from parablock.device_memory import DeviceArray, OpenDevice
from parablock.device_packing import DevicePacking
from parablock.launcher import call
from parablock.native import get_core_module
from parablock.target import Target
from parablock.tensors import convert, find_numpy_type

_SIZES = "--layers=2 --width=64 --heads=4 --vocab=61 --positions=32 --batch=1 --seq=7".split()
_FAMILIES = subprocess.run(
    [BIN / "block-gen", "--list-families"], capture_output=True, text=True, check=True
).stdout.split("\n")
_NAMES = [line.split()[0] for line in _FAMILIES if line.strip()]
_TYPES = ["f32", "bf16", "f16"]
_CHIPS = ["sm_80", "sm_90a"]
_CASES = tiers.take_turn(itertools.product(_NAMES, _TYPES, _CHIPS), 31)


def _draw(shape: tuple[int, ...], kind: str) -> np.ndarray[Any, Any]:
    """Numbers of every size, among them zeros of both signs and subnormal ones."""
    if kind not in ("f64", "f32", "bf16", "f16"):
        return np.random.randint(0, 100, shape).astype(find_numpy_type(kind))
    values = np.random.standard_normal(shape).astype(np.float32)
    small, least = (1e-3, 1e-7) if kind == "f16" else (1e-30, 1e-39)
    for number, place in zip((0.0, -0.0, small, least, -least, 100), range(6), strict=True):
        values.reshape(-1)[place :: 11 + place] *= np.float32(number)
    return np.asarray(convert(values, "f32", kind))


class _Parts:
    """What a program of the launcher's library gets of one weight."""

    def __init__(self) -> None:
        self.data = b""
        kind = ctypes.CFUNCTYPE(
            ctypes.c_int,
            *(ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_void_p),
            *(ctypes.c_uint64, ctypes.c_void_p),
        )
        self.function = kind(self._set)
        self.address = ctypes.cast(self.function, ctypes.c_void_p).value or 0

    def _set(self, _: int, name: bytes, offset: int, data: int, size: int, error: int) -> int:
        assert offset == len(self.data)
        self.data += ctypes.string_at(data, size)
        return 0


def _run(code: int, originals: list[np.ndarray[Any, Any]], size: int) -> bytes:
    session = call("session_create", code, None, ctypes.c_uint32(0))
    for number, array in enumerate(originals):
        place, count = array.ctypes.data, ctypes.c_uint64(array.nbytes)
        call("session_set_input", session, str(number).encode(), place, count)
    call("session_launch", session, None)
    result = np.empty(size, np.uint8)
    call("session_get_result", session, b"packed", result.ctypes.data, ctypes.c_uint64(size))
    launcher.give_back("session_destroy", session)
    return result.tobytes()


def _read_parameters(text: str) -> dict[str, tuple[tuple[int, ...], str]]:
    core = get_core_module()
    module = core.Module.parse(core.Context(), text, "a model")
    return {i.name: (tuple(i.shape), i.type) for i in module.get_signature().parameters}


def _make_recipe(folder: Path, model: str, chip: str) -> Path:
    (folder / "m.mlir").write_text(model)
    recipe = folder / "recipe.mlir"
    optimize, prepack = f"--block-optimize=chip={chip}", f"--block-prepack=recipe={recipe}"
    command = [BIN / "block-opt", folder / "m.mlir", optimize, prepack, "-o", folder / "n.mlir"]
    subprocess.run(command, check=True, capture_output=True)
    return recipe


def _compare(folder: Path, model: str, chip: str) -> tuple[int, dict[str, str]]:
    """Returns how many weights the device has packed, to the CPU's bits, and why others not."""
    _make_recipe(folder, model, chip)
    parameters = _read_parameters(model)
    weights = {name: _draw(*parameters[name]) for name in parameters}
    device = OpenDevice(0)
    packing = DevicePacking(device, Target("cuda", chip, 0), folder, is_later=False)
    core = get_core_module()
    count = 0
    for index, (name, originals) in enumerate(packing.list_weights()):
        # A weight without originals is a constant of the package.
        if packing.is_original(index) or not originals:
            continue
        code = packing.find_program(index, name)
        if code is None:
            continue
        parts, given = _Parts(), [weights[each] for each in originals]
        tensors = [
            core.Tensor(array, parameters[each][1])
            for array, each in zip(given, originals, strict=True)
        ]
        assert packing._packing.upload(index, tensors, parts.address, 0) == (0, "")
        found = _run(code, given, len(parts.data))
        assert found == parts.data, (name, _describe(found, parts.data))
        count += 1
    return count, packing.reasons


def _describe(found: bytes, wanted: bytes) -> str:
    both = [np.frombuffer(each, np.uint8) for each in (found, wanted)]
    wrong = np.flatnonzero(both[0] != both[1])
    return f"{wrong.size} of {both[0].size} bytes from {wrong[0]}"


@pytest.mark.parametrize(("family", "kind", "chip"), _CASES)
def test_bits_are_those_of_the_cpu(
    fake_driver: ctypes.CDLL, tmp_path: Path, family: str, kind: str, chip: str
) -> None:
    made = subprocess.run(
        [BIN / "block-gen", f"--family={family}", f"--dtype={kind}", *_SIZES],
        capture_output=True,
        text=True,
        check=True,
    )
    count, reasons = _compare(tmp_path, made.stdout, chip)
    assert reasons == {}
    assert count or family == "none"


def test_what_has_no_program(tmp_path: Path) -> None:
    """Numbers that a device would round otherwise, and constants, are named."""
    all_, row = "affine_map<(d0, d1) -> (d0, d1)>", "affine_map<(d0, d1) -> (d0)>"
    recipe = f"""
#all = {all_}
#row = {row}
module attributes {{recipe.schema = 2 : i64}} {{
  func.func @prepack(%a: tensor<4x8xbf16> {{recipe.tensor = "a"}}, %b: tensor<4x8xf32> {{recipe.tensor = "b"}})
      -> (tensor<4x8xf32> {{recipe.tensor = "exp"}}, tensor<4x8xbf16> {{recipe.tensor = "twice"}},
          tensor<4xf32> {{recipe.tensor = "sums"}}, tensor<8x4xf32> {{recipe.tensor = "shape"}},
          tensor<8x4xf32> {{recipe.tensor = "turned"}}) {{
    %0 = math.exp %b : tensor<4x8xf32>
    %1 = arith.mulf %a, %a : tensor<4x8xbf16>
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    %2 = linalg.generic {{indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}}
        ins(%b : tensor<4x8xf32>) outs(%zero : tensor<4xf32>) {{
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %in, %out : f32
      linalg.yield %sum : f32
    }} -> tensor<4xf32>
    %flat = tensor.collapse_shape %b [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
    %3 = tensor.expand_shape %flat [[0, 1]] output_shape [8, 4] : tensor<32xf32> into tensor<8x4xf32>
    %e = tensor.empty() : tensor<8x4xf32>
    %4 = linalg.transpose ins(%b : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    return %0, %1, %2, %3, %4
        : tensor<4x8xf32>, tensor<4x8xbf16>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }}
  func.func @restore() {{
    return
  }}
}}
"""
    (tmp_path / "recipe.mlir").write_text(recipe)
    core = get_core_module()
    packing = core.Packing(core.Context(), str(tmp_path / "recipe.mlir"))
    names = [name for name, _ in packing.list()]
    found = {name: packing.find_device_program(i) for i, name in enumerate(names)}
    assert found["exp"] == (-1, "'math.exp' may round differently on a device")
    assert found["twice"] == (-1, "'arith.mulf' of bf16 may round differently on a device")
    rounded = "'linalg.generic' rounds its sums, which a device does at each step"
    assert found["sums"] == (-1, rounded)
    assert found["turned"] == (names.index("turned"), "")
    # Another shape of the same bytes requires no program.
    assert [name for i, name in enumerate(names) if packing.is_original(i)] == ["shape"]
    assert packing.find_device_program(5) == (-1, "")
    with pytest.raises(parablock.Error, match="weight 'exp': no program for devices: 'math.exp'"):
        packing.write_device_package(0, str(tmp_path / "p"), "sm_90a", False, None)
    with pytest.raises(parablock.Error, match="expected a weight below 5, got 5"):
        packing.write_device_package(5, str(tmp_path / "p"), "sm_90a", False, None)


def test_copies_in_pieces(fake_driver: ctypes.CDLL) -> None:
    """Whatever fails, the next copy is whole, and nothing is kept but one pair of pieces."""
    fake_driver.parablockFakeGetCount.restype = ctypes.c_uint64
    device = OpenDevice(0)
    values = np.random.randint(0, 1 << 60, (9 << 17) + 3)
    array = DeviceArray(device, values.shape, "i64", "a test")
    assert fake_driver.parablockFakeSetFault(b"")
    array.write(values)
    assert np.array_equal(array.numpy(), values)
    objects = fake_driver.parablockFakeGetObjects()
    for number in range(2, 20, 3):
        assert fake_driver.parablockFakeSetFault(b"call:%d" % number)
        with contextlib.suppress(parablock.Error):
            array.write(values)
        assert fake_driver.parablockFakeSetFault(b"")
        array.write(values[::-1])
        assert np.array_equal(array.numpy(), values[::-1])
        assert fake_driver.parablockFakeGetObjects() == objects
