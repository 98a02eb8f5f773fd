# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of the tests, and which of them run on a day."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test" / "support"))
import tiers  # noqa: E402

# Small models on cores that other tests use: threads would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Code that one test compiles is reused by the others of this run alone, or of the runs to
# which ./check gives the same folder, where no other build finds it.
_CACHE = tempfile.TemporaryDirectory(prefix="parablock-codes-")
os.environ["PARABLOCK_CACHE"] = os.environ.get("PARABLOCK_TEST_CODES", _CACHE.name)

# An internal error of the compiler fails a test, whatever PyTorch would compute instead.
os.environ["PARABLOCK_INTERNAL_ERRORS"] = "raise"

# The files that take longest, which start first, so that no worker ends with one of them.
_LONGEST = [
    f"test_{name}.py"
    for name in (
        "window_caches train training static_caches op_samples autocast elements journeys "
        "ecosystem training_memory gradients ways backend_training past_keys"
    ).split()
]


#: Files of which each test runs once in so many days.
_DAYS = {
    f"test_{name}.py": days
    for days, names in {
        2: "window_caches train training static_caches op_samples autocast elements training_memory gradients "
        "backend backend_training past_keys training_around training_segments training_losses "
        "training_convolutions training_tables gradient_digits own_loops generation_modes",
        4: "journeys ecosystem ways",
    }.items()
    for name in names.split()
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="the full matrices, too")
    parser.addoption("--slice", help="K/N: only this part of the tests that have a full version")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "full: only with --full")
    config.addinivalue_line("markers", "together(name): files that have models in common")


def _is_wanted(item: pytest.Item, full: bool, part: tiers.Slice | None, is_chosen: bool) -> bool:
    days = _DAYS.get(item.path.name, 1)
    if part:
        return (days > 1 or "full" in item.keywords) and part.has(item.nodeid)
    if full:
        return True
    return "full" not in item.keywords and (is_chosen or tiers.is_turn(item.nodeid, days))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part = config.getoption("--slice")
    part = tiers.Slice(part) if part else None
    full = config.getoption("--full")
    # Files that are named on the command line run whole.
    is_chosen = config.args_source is pytest.Config.ArgsSource.ARGS
    wanted = [item for item in items if _is_wanted(item, full, part, is_chosen)]
    config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
    order = {name: place for place, name in enumerate(_LONGEST)}
    items[:] = sorted(wanted, key=lambda item: order.get(item.path.name, len(order)))
    # One worker runs a file, and files that have models in common: models are made once.
    for item in items:
        together = item.get_closest_marker("together")
        name = together.args[0] if together else item.nodeid.split("::")[0]
        item.add_marker(pytest.mark.xdist_group(name))


# Of a run whose time is limited.
_SECONDS = os.environ.get("PARABLOCK_TEST_SECONDS")
_BEGIN = time.monotonic()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if _SECONDS and time.monotonic() - _BEGIN > float(_SECONDS):
        pytest.skip("no time left")
