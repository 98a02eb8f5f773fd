# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A device that fails: one error, memory that is given back, and a model that lives on."""

from __future__ import annotations

import ctypes
import functools
import gc
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import experts
import numpy as np
import pytest
import tiers
import torch
from build_tree import DRIVER
from generating import make_llama

import parablock
from parablock.errors import Error

_KINDS = ("allocation", "launch", "call")


class _Driver:
    """The driver's own functions for tests."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(str(DRIVER))
        self.library.parablockFakeGetCount.restype = ctypes.c_uint64
        self.library.parablockFakeGetUsed.restype = ctypes.c_uint64

    def fail_at(self, fault: str) -> None:
        """Fails at an event, counted from now on; an empty text clears faults."""
        assert self.library.parablockFakeSetFault(fault.encode())

    def count(self, kind: str) -> int:
        found: int = self.library.parablockFakeGetCount(_KINDS.index(kind))
        return found

    def measure_used(self) -> int:
        gc.collect()
        used: int = self.library.parablockFakeGetUsed()
        return used


@pytest.fixture(scope="module")
def driver() -> Iterator[_Driver]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PARABLOCK_CUDA_DRIVER", str(DRIVER))
        made = _Driver()
        yield made
        made.fail_at("")


@pytest.fixture(scope="module")
def module() -> Any:
    return make_llama(num_hidden_layers=1, num_key_value_heads=1, eos_token_id=None)


class _Doors:
    """What runs on the device, and returns what it computes; each is made once, for the test that first needs it."""

    def __init__(self, module: Any, folder: Path) -> None:
        self.module, self.folder = module, folder
        self.ids = np.array([[5, 7, 11], [2, 3, 4]])
        self.made: dict[str, Callable[[], Any]] = {}

    def __getitem__(self, name: str) -> Callable[[], Any]:
        if name not in self.made:
            self.made[name] = getattr(self, f"_make_{name.replace(' ', '_')}")()
        return self.made[name]

    @functools.cached_property
    def _model(self) -> parablock.Model:
        self.module.save_pretrained(self.folder / "llama")
        return parablock.from_pretrained(self.folder / "llama")

    @functools.cached_property
    def _pages(self) -> Any:
        return self._model.generator(target="cuda", page_rows=2)

    @functools.cached_property
    def _generation(self) -> Any:
        return parablock.generation(self.module, target="cuda")

    def _generate(self, generator: Any) -> Callable[[], Any]:
        return lambda: generator.generate(self.ids, 3, stop=())

    def _make_compile(self) -> Callable[[], Any]:
        compiled = self._model.optimize().compile("cuda")
        return lambda: compiled(self.ids)["logits"]

    def _make_generator(self) -> Callable[[], Any]:
        return self._generate(self._model.generator(target="cuda"))

    def _make_pages(self) -> Callable[[], Any]:
        return self._generate(self._pages)

    def _make_shared(self) -> Callable[[], Any]:
        """Pages of two beginnings that a row each computes, and rows of several lengths behind."""
        rows = [[5, 7, 11, 2, 9], [8, 3, 1, 4], [5, 7, 11, 2, 3, 4, 6], [8, 3, 1, 2, 9]]
        return lambda: self._pages.generate(rows, 3, stop=())

    def _make_experts(self) -> Callable[[], Any]:
        """Kernels of experts report to memory of the host."""
        mixture = experts.make("mixtral", num_hidden_layers=1)
        mixture.save_pretrained(self.folder / "mixtral")
        return self._generate(parablock.from_pretrained(self.folder / "mixtral").generator(target="cuda"))

    def _make_generation(self) -> Callable[[], Any]:
        prompt = torch.from_numpy(self.ids)
        return lambda: self._generation.generate(prompt, max_new_tokens=3).numpy()

    def _make_beams(self) -> Callable[[], Any]:
        prompt = torch.from_numpy(self.ids)
        return lambda: self._generation.generate(prompt, max_new_tokens=3, num_beams=2).numpy()

    def _make_made(self) -> Callable[[], Any]:
        optimized = self._model.optimize()
        return lambda: optimized.compile("cuda")(self.ids)["logits"]

    def _make_made_generator(self) -> Callable[[], Any]:
        return lambda: self._generate(self._model.generator(target="cuda"))()


@pytest.fixture(scope="module")
def doors(driver: _Driver, module: Any, tmp_path_factory: pytest.TempPathFactory) -> _Doors:
    return _Doors(module, tmp_path_factory.mktemp("faults"))


_MESSAGES = {
    "allocation": r"not enough device memory for .*: expected \d+ bytes, got \d+ of \d+ free",
    "launch": "CUDA_ERROR_LAUNCH_FAILED",
    "call": r"cu[A-Z]\w+: CUDA_ERROR_UNKNOWN",
}


def _choose_some(count: int) -> set[int]:
    """Returns the first two places, the last one, and some between, others each day."""
    step = count // 4 + 1
    return {*range(1, min(count, 2) + 1), *range(1 + tiers.TURN % step, count + 1, step), count} - {0}


def _try_faults(
    driver: _Driver, run: Callable[[], Any], kind: str, choose: Callable[[int], Iterable[int]]
) -> int:
    """Fails events of a kind, one in each run, and returns how many there are."""
    driver.fail_at("")
    wanted = run()
    used = driver.measure_used()
    driver.fail_at("call:1000000")
    assert np.array_equal(run(), wanted)
    count = driver.count(kind)
    for place in sorted(choose(count)):
        driver.fail_at(f"{kind}:{place}")
        try:
            found = run()
        except Error as problem:
            driver.fail_at("")
            assert re.search(_MESSAGES[kind], str(problem)), problem
            assert "\n" not in str(problem)
            assert np.array_equal(run(), wanted), (place, str(problem))
        else:
            # What is given back may fail without a result that is lost.
            assert np.array_equal(found, wanted), place
            driver.fail_at("")
        assert driver.measure_used() <= used, place
    return count


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize(
    "name",
    [
        "compile",
        "generator",
        "pages",
        pytest.param("shared", marks=pytest.mark.full),
        "experts",
        "generation",
        "beams",
    ],
)
def test_faults_at_events(
    driver: _Driver, doors: _Doors, name: str, kind: str
) -> None:
    """Of many events some are tried, the first ones and the last one among them."""
    count = _try_faults(driver, doors[name], kind, _choose_some)
    assert count or (name, kind) == ("compile", "allocation")


@pytest.mark.full
@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("name", ["generator", "generation"])
def test_faults_at_every_event(
    driver: _Driver, doors: _Doors, name: str, kind: str
) -> None:
    assert _try_faults(driver, doors[name], kind, lambda count: range(1, count + 1))


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("name", ["made", pytest.param("made generator", marks=pytest.mark.full)])
def test_faults_from_the_first_call_on(
    driver: _Driver, doors: _Doors, name: str, kind: str
) -> None:
    """Code is loaded, weights are packed, and slots for tokens are allocated."""
    count = _try_faults(
        driver, doors[name], kind, lambda count: {1, count // 3, 2 * count // 3, count - 2}
    )
    assert count > 8
