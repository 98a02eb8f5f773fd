# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What several files of tests use."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import numpy as np
import pytest
import torch
from build_tree import DRIVER
from families import FAMILIES, make_inputs
from oracle import run_exactly
from seeding import seed_by_name


@pytest.fixture(autouse=True, scope="session")
def _hide_tools() -> None:
    """Takes the tools off PATH: a test names those of the build, and runs where none are on it."""
    folders = os.environ["PATH"].split(os.pathsep)
    hidden = [folder for folder in folders if not Path(folder, "block-opt").exists()]
    os.environ["PATH"] = os.pathsep.join(hidden)


@pytest.fixture(autouse=True)
def _seed(request: pytest.FixtureRequest) -> None:
    """Seeds what a test draws by its name."""
    seed_by_name(request.node.nodeid)


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> None:
    """Seeds what a fixture of several tests draws by its name, whichever test comes first."""
    if fixturedef.scope != "function":
        seed_by_name(f"{fixturedef.baseid}::{fixturedef.argname}")


@pytest.fixture
def fake_driver(monkeypatch: pytest.MonkeyPatch) -> ctypes.CDLL:
    """A device of this machine, whose kernels run on the emulator."""
    monkeypatch.setenv("PARABLOCK_CUDA_DRIVER", str(DRIVER))
    return ctypes.CDLL(str(DRIVER))


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Llama in several files, with ids and logits as expected.npz, also in float64."""
    folder = tmp_path_factory.mktemp("checkpoint") / "llama"
    module = FAMILIES["llama"].make()
    module.save_pretrained(folder, max_shard_size="40KB")
    (ids,) = make_inputs(FAMILIES["llama"])
    with torch.no_grad():
        logits = module(ids).logits
    exact = run_exactly(module, (ids,)).logits
    arrays = {"ids": ids, "logits": logits, "exact": exact}
    np.savez(folder / "expected.npz", **{name: each.numpy() for name, each in arrays.items()})
    return folder
