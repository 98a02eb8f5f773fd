# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for the device that is there, kept between processes, and weights on it."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import json
import logging
import os
import subprocess
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from build_tree import DRIVER

import parablock
from parablock import launcher
from parablock.device_code import compile_package, upload_weights
from parablock.native import get_core_module
from parablock.tensors import convert, to_stored
from parablock.weights import read_safetensors

_HOPPER = ("sm_90a", (9, 0))
_IDS = np.array([[5, 7, 11]])


@pytest.fixture(scope="module")
def model(checkpoint: Path) -> Any:
    return parablock.from_pretrained(checkpoint, dtype="bf16").optimize(chip="sm_90a")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "codes"


@pytest.fixture(scope="module")
def kept(model: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A file of code, and what it is."""
    folder = tmp_path_factory.mktemp("kept")
    _compile(model, folder)
    (file,) = _list_packages(folder)
    return file, file.read_bytes()


def _list_packages(folder: Path) -> list[Path]:
    """Returns the files of packages; the others are those of kernels."""
    return [file for file in folder.iterdir() if b"manifest.json" in file.read_bytes()]


def _compile(
    model: Any, cache: Path | None, device: tuple[str, tuple[int, int]] = _HOPPER
) -> dict[str, bytes]:
    """Returns the files of the package."""
    place = None if cache is None else str(cache)
    with compile_package(model._module, *device, place) as package:
        return {file.name: file.read_bytes() for file in package.iterdir()}


def _count() -> tuple[int, int]:
    stats = parablock.stats()
    return stats["cache_hits"], stats["cache_misses"]


def test_kept_packages_are_the_same_files(
    model: Any, kept: tuple[Path, bytes], folder: Path
) -> None:
    folder.mkdir(mode=0o700)
    (folder / kept[0].name).write_bytes(kept[1])
    hits, misses = _count()
    again = _compile(model, folder)
    assert _count() == (hits + 1, misses)
    anew = _compile(model, None)
    assert _count() == (hits + 1, misses)
    assert again == anew and "sm_90a.cubin" in again
    assert "sm_80.ptx" not in again, "no code for another chip"
    assert not any(name.endswith("safetensors") for name in again), "no weights"


def test_damaged_packages_are_made_again(
    model: Any, kept: tuple[Path, bytes], folder: Path
) -> None:
    folder.mkdir(mode=0o700)
    file, whole = folder / kept[0].name, kept[1]
    for damaged in (whole[: len(whole) // 2], whole[:-1] + b"?", b""):
        file.write_bytes(damaged)
        hits, misses = _count()
        _compile(model, folder)
        assert _count() == (hits, misses + 1)
        assert file.read_bytes() == whole


def test_limit(model: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARABLOCK_CACHE_LIMIT", "10KiB")
    _compile(model, folder)
    assert not _list_packages(folder)
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 10 << 10


def test_what_a_package_is_kept_by(
    model: Any, kept: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another chip, form of code or model is another file."""
    folder = kept[0].parent
    before = len(_list_packages(folder))
    assert "sm_80.cubin" in _compile(model, folder, ("sm_80", (8, 6)))
    assert "sm_80.cubin" not in _compile(model, folder, ("sm_80", (10, 0)))
    monkeypatch.setenv("PATH", "/none")
    for name in ("CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(name, raising=False)
    without = _compile(model, folder)
    assert "sm_90a.cubin" not in without and "sm_90a.ptx" in without
    chips = json.loads(without["manifest.json"])["chips"]
    assert [chip["cubin"] for chip in chips] == [None]
    assert len(_list_packages(folder)) == before + 3


def _make_layers(*hidden: int) -> Any:
    """Returns layers of those hidden widths."""
    make = functools.partial(
        torch.nn.TransformerEncoderLayer, 32, 2, batch_first=True, dropout=0.0
    )
    layers = torch.nn.Sequential(*(make(dim_feedforward=width) for width in hidden)).eval()
    return parablock.from_torch(layers, (torch.randn(1, 5, 32),)).optimize(chip="sm_90a")


def test_kernels_that_models_have_in_common(folder: Path) -> None:
    """A layer that has changed costs its own kernels; those of alike layers are one."""
    _compile(_make_layers(48, 64), folder)
    made = set(folder.iterdir())
    _compile(_make_layers(48, 64, 64), folder)
    assert [file in made for file in folder.iterdir()].count(False) == 1, "the package alone"
    made = set(folder.iterdir())
    changed = _make_layers(48, 80)
    found = _compile(changed, folder)
    added = set(folder.iterdir()) - made
    assert 1 < len(added) < len(made) / 2
    assert found == _compile(changed, None)
    # Files that are damaged, or another kernel's, are made again.
    kernels = sorted(added - set(_list_packages(folder)))
    for file in _list_packages(folder):
        file.unlink()
    whole = [file.read_bytes() for file in kernels]
    kernels[0].write_bytes(whole[0][:-1] + b"?")
    kernels[-1].write_bytes(whole[0])
    assert _compile(changed, folder) == found
    assert [file.read_bytes() for file in kernels] == whole


def test_files_that_others_may_have_written(
    model: Any, kept: tuple[Path, bytes], folder: Path
) -> None:
    folder.mkdir(mode=0o700)
    file = folder / kept[0].name
    for spoil in (
        lambda: file.symlink_to(kept[0]),
        lambda: os.mkfifo(file),
        lambda: file.write_bytes(kept[1]) and file.chmod(0o666),
    ):
        spoil()
        hits, misses = _count()
        _compile(model, folder)
        assert _count() == (hits, misses + 1)
        assert file.is_file() and not file.is_symlink() and file.stat().st_mode & 0o777 == 0o600
        assert file.read_bytes() == kept[1]
        file.unlink()
    assert kept[0].read_bytes() == kept[1]
    file.mkdir()
    assert "sm_90a.cubin" in _compile(model, folder)


def test_folders_that_others_may_write_to(
    model: Any, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    with caplog.at_level(logging.WARNING, "parablock"):
        assert "sm_90a.cubin" in _compile(model, folder)
    assert f"{folder}: expected a folder that no other user may write to" in caplog.text
    assert not list(folder.iterdir())


_SCRIPT = """
import hashlib, pathlib, sys
import parablock
from parablock.device_code import compile_package
model = parablock.from_pretrained(sys.argv[1], dtype="bf16").optimize(chip="sm_90a")
with compile_package(model._module, "sm_90a", (9, 0), sys.argv[2]) as package:
    files = sorted(package.iterdir())
    print(hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest())
"""


def test_processes_at_once(
    model: Any, checkpoint: Path, kept: tuple[Path, bytes], folder: Path
) -> None:
    """Both have the whole package, and leave whole files."""
    words = [sys.executable, "-c", _SCRIPT, str(checkpoint), str(folder)]
    started = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    digests = {process.communicate()[0].strip() for process in started}
    again = _compile(model, folder)
    whole = b"".join(again[name] for name in sorted(again))
    assert digests == {hashlib.sha256(whole).hexdigest()}
    assert {file.suffix for file in folder.iterdir()} == {".code"}
    (package,) = _list_packages(folder)
    assert package.read_bytes() == kept[1]


def test_images_of_machine_code(
    model: Any, kept: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A manifest must say which parts of its file they are, and have each kernel."""
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", str(DRIVER))
    device = launcher.call("device_open", ctypes.c_int(0))

    def refuse(change: Callable[[list[Any]], Any], message: str) -> None:
        with compile_package(model._module, *_HOPPER, str(kept[0].parent)) as package:
            manifest = json.loads((package / "manifest.json").read_text())
            (chip,) = manifest["chips"]
            assert sum(image["bytes"] for image in chip["images"]) == chip["cubin"]["bytes"]
            change(chip["images"])
            text = json.dumps(manifest).encode()
            (package / "manifest.json").write_bytes(text)
            digest = hashlib.sha256(text).hexdigest()
            (package / "manifest.sha256").write_text(f"{digest}  manifest.json\n")
            with pytest.raises(parablock.Error, match=message):
                opened = launcher.call("package_open", str(package).encode())
                launcher.call("program_create", opened, device, None)

    first = "expected images that are the file of machine code, got"
    refuse(lambda images: images[0].update(bytes=1 << 40), f"{first} larger ones")
    refuse(lambda images: images.pop(), rf"{first} \d+ bytes behind them")
    refuse(lambda images: images[0].update(functions=[7]), "expected names of functions")
    refuse(
        lambda images: images[-1].update(functions=["none"]),
        "kernel '.*': expected an image of sm_90a.cubin with it, got none",
    )


def test_a_later_device_is_named(
    model: Any, kept: tuple[Path, bytes], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "parablock"):
        _compile(model, kept[0].parent, ("sm_80", (12, 0)))
        (said,) = [text for text in caplog.messages if "later than" in text]
        assert said.startswith("a device of compute capability 12.0 is later")
        caplog.clear()
        _compile(model, kept[0].parent)
    assert not [text for text in caplog.messages if "later than" in text]


def test_unknown_chips_are_named(model: Any) -> None:
    with pytest.raises(parablock.Error, match="unknown chip 'sm_70': expected sm_80"):
        _compile(model, None, ("sm_70", (7, 0)))


class _Program:
    """What the launcher's library gets of weights."""

    def __init__(self) -> None:
        self.tensors: dict[str, bytes] = {}
        self.largest = 0
        self.stops = False
        kind = ctypes.CFUNCTYPE(
            ctypes.c_int,
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_uint64,
            ctypes.c_void_p,
            ctypes.c_uint64,
            ctypes.POINTER(launcher.LaunchError),
        )
        self.pbl_program_set_weight_part = kind(self._set)

    def _set(
        self, _: int, name: bytes, offset: int, data: int, size: int, error: Any
    ) -> int:
        if self.stops:
            error.contents.code = 1
            error.contents.message = b"no more"
            return 1
        known = self.tensors.setdefault(name.decode(), b"")
        assert offset == len(known), "parts come in order"
        self.tensors[name.decode()] = known + ctypes.string_at(data, size)
        self.largest = max(self.largest, size)
        return 0


def test_weights_are_packed_as_files_are(
    model: Any,
    kept: tuple[Path, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To the same bytes, and from no more originals at a time than one of them has."""
    saved = model.save(tmp_path / "m.pbk")
    wanted = read_safetensors(saved / "weights.safetensors")
    program, alive = _Program(), list[Any]()
    monkeypatch.setattr("parablock.device_code.get_library", lambda: program)
    most = 0

    def find(info: Any) -> Any:
        nonlocal most
        array = np.array(to_stored(model._weights(info))[0])
        alive.append(weakref.ref(array))
        most = max(most, sum(each() is not None for each in alive))
        return array

    with compile_package(model._module, *_HOPPER, str(kept[0].parent)) as package:
        upload_weights(0, package, model._module, find, threads=1)
    assert len(alive) > 2 * most, "originals are let go"
    together = _Program()
    monkeypatch.setattr("parablock.device_code.get_library", lambda: together)
    with compile_package(model._module, *_HOPPER, str(kept[0].parent)) as package:
        upload_weights(0, package, model._module, find, threads=3)
    assert together.tensors == program.tensors
    assert sorted(program.tensors) == sorted(wanted)
    for name, tensor in wanted.items():
        assert program.tensors[name] == tensor.array.tobytes(), name
    together.stops = True
    with (
        compile_package(model._module, *_HOPPER, str(kept[0].parent)) as package,
        pytest.raises(parablock.Error, match="^no more$"),
    ):
        upload_weights(0, package, model._module, model._weights)


def test_weights_of_other_shapes_are_refused(
    model: Any, kept: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parablock.device_code.get_library", _Program)

    def find(info: Any) -> Any:
        return to_stored(model._weights(info))[0][:1]

    with (
        compile_package(model._module, *_HOPPER, str(kept[0].parent)) as package,
        pytest.raises(parablock.Error, match=r"expected tensor '.*' to be bf16 \["),
    ):
        upload_weights(0, package, model._module, find)
    with compile_package(model._module, *_HOPPER, str(kept[0].parent)) as package:
        core = get_core_module()
        packing = core.Packing(model._module.context, str(package / "recipe.mlir"))
        with pytest.raises(parablock.Error, match=r"expected \d tensors to pack, got 0"):
            packing.upload(0, [], 0, 0)
        with pytest.raises(parablock.Error, match="expected a weight below"):
            packing.upload(1000, [], 0, 0)


def test_numbers_on_a_device(
    model: Any,
    kept: tuple[Path, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Code from the cache and weights in pieces compute what a saved package does."""
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", str(DRIVER))
    wanted = parablock.load(model.save(tmp_path / "m.pbk"))(_IDS)["logits"]
    call = launcher.call
    device = call("device_open", ctypes.c_int(0))
    with compile_package(model._module, *_HOPPER, str(kept[0].parent)) as package:
        opened = call("package_open", str(package).encode())
        program = call("program_create", opened, device, None)
        upload_weights(program, package, model._module, model._weights)
    dims = (launcher.LaunchDim * 2)(
        launcher.LaunchDim(b"batch", 1), launcher.LaunchDim(b"seq", _IDS.size)
    )
    session = call("session_create", program, dims, ctypes.c_uint32(2))
    size = ctypes.c_uint64(_IDS.nbytes)
    call("session_set_input", session, b"input_ids", _IDS.ctypes.data, size)
    call("session_launch", session, None)
    found = np.empty(wanted.shape, np.uint16)
    size = ctypes.c_uint64(found.nbytes)
    call("session_get_result", session, b"logits", found.ctypes.data, size)
    assert np.array_equal(convert(found, "bf16", "f32"), wanted)
    first = b"packed" + b"0" * 8
    for name, offset, reason in (
        (b"packed.lm_head.weight", 16, r"expected at most 0 bytes from \d+ on, got 8 from 16 on"),
        (b"none", 0, "no parameter 'none'"),
    ):
        with pytest.raises(parablock.Error, match=reason):
            call(
                "program_set_weight_part",
                program,
                name,
                ctypes.c_uint64(offset),
                first,
                ctypes.c_uint64(8),
            )
    for close, handle in (
        ("session_destroy", session),
        ("program_destroy", program),
        ("package_close", opened),
        ("device_close", device),
    ):
        getattr(launcher.get_library(), f"pbl_{close}")(ctypes.c_void_p(handle))
