# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Saved models, on a driver that runs kernels on the emulator."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import torch
from families import FAMILIES, make_inputs
from oracle import get_distance, run_exactly

import parablock

_BUILD = Path(os.environ.get("PARABLOCK_BUILD_DIR", "build"))
_DRIVER = Path(__file__).parents[2] / _BUILD / "lib" / "libparablock-fake-driver.so"


def test_save_and_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    family = FAMILIES["llama"]
    module = family.make()
    module.save_pretrained(tmp_path / "checkpoint")
    model = parablock.from_pretrained(tmp_path / "checkpoint", dtype="bf16")
    folder = model.optimize().save(tmp_path / "m.pbk")
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", str(_DRIVER))
    monkeypatch.setenv("PARABLOCK_FAKE_PACKAGES", str(tmp_path))
    package = parablock.load(folder)
    (ids,) = make_inputs(family, batch=1, tokens=5)
    result = package(ids.numpy())["logits"]
    exact = run_exactly(module, (ids,)).logits
    assert get_distance(torch.from_numpy(result), exact) < 5e-2
    with pytest.raises(parablock.Error, match="expected i64"):
        package(ids.int().numpy())
    package.close()
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", "no-such-driver.so")
    with pytest.raises(parablock.MissingError, match="no-such-driver"):
        parablock.load(folder)


def test_what_is_no_package_is_named(tmp_path: Path) -> None:
    with pytest.raises(parablock.Error, match=r"none\.pbk"):
        parablock.load(tmp_path / "none.pbk")
