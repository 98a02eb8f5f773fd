# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of the tests, and which of them run on a day."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Generator
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
        3: "command device_packing encoded_rows generate_command generator group_loops objects serial_router tasks "
        "text_types",
        7: "arguments autocast backend backend_training cache_names choice_frontends code_cache compiled_loop convert "
        "cuda_backend cuda_choice cuda_codes cuda_failures cuda_faults cuda_generation cuda_graphs cuda_reports "
        "cuda_sizes cuda_steps cuda_target cuda_training cuda_weights dense_experts device_code drift_choice dropout "
        "ecosystem elements expert_checkpoints expert_codes experts generation generation_codes generation_modes "
        "generation_pairs generation_positions generation_refusals gguf gguf_experts gradient_digits gradients "
        "healing indices journeys judge layouts one_token onnx op_samples open_sizes own_backwards own_loops package "
        "padding padding_in_front pages past_keys pretrained reversible shortcut similarity sinks sorting "
        "static_caches tokens torch_families torch_heads torch_sizes train training training_around "
        "training_convolutions training_empty training_losses training_memory training_segments training_tables "
        "upper_layers way_back way_back_codes way_back_experts ways weight_cache weight_watch window_caches",
    }.items()
    for name in names.split()
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="the full matrices, too")
    parser.addoption("--slice", help="K/N: only this part of the tests that have a full version")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "full: only with --full")
    config.addinivalue_line("markers", "daily: every day, although its file takes turns")
    config.addinivalue_line("markers", "together(name): files that have models in common")
    if seconds := os.environ.get("PARABLOCK_TEST_SECONDS"):
        config.pluginmanager.register(_Deadline(float(seconds)))


def _choose_part(items: list[pytest.Item], part: tiers.Slice) -> list[pytest.Item]:
    """Returns the tests of a slice of what no days of a week have, whole files in the order of this week."""
    paths = {item.path for item in items if part.has(item.path.name)}
    rare = {
        path
        for path in paths
        if tiers.source_exceeds_week(path.read_text(encoding="utf-8"), _DAYS.get(path.name, 1))
    }
    wanted = [item for item in items if item.path in rare or (item.path in paths and "full" in item.keywords)]
    return sorted(wanted, key=lambda item: tiers.find_place(item.path.name))


def _choose_day(items: list[pytest.Item]) -> list[pytest.Item]:
    """Returns the tests of this day. The cases of one test take turns, so that it runs every day if it has enough."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if "full" not in item.keywords:
            cases.setdefault(item.nodeid.split("[")[0], []).append(item)
    days = {
        name: 1 if "daily" in own[0].keywords else _DAYS.get(own[0].path.name, 1)
        for name, own in cases.items()
    }
    return [
        item
        for name, own in cases.items()
        for item in tiers.take_turn(own, days[name], tiers.find_offset(name))
    ]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Processes must have the same names, or none of their tests runs.
    if changing := [item.nodeid for item in items if " at 0x" in item.nodeid]:
        raise pytest.UsageError(f"expected names without an address, got '{changing[0]}'")
    part = config.getoption("--slice")
    part = tiers.Slice(part) if part else None
    full = config.getoption("--full")
    # Files that are named on the command line run whole.
    is_chosen = config.args_source is pytest.Config.ArgsSource.ARGS
    if part:
        wanted = _choose_part(items, part)
    elif full:
        wanted = items
    elif is_chosen:
        wanted = [item for item in items if "full" not in item.keywords]
    else:
        wanted = _choose_day(items)
    ids = {id(item) for item in wanted}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in ids])
    order = {} if part else {name: place for place, name in enumerate(_LONGEST)}
    items[:] = sorted(wanted, key=lambda item: order.get(item.path.name, len(order)))
    # One worker runs a file, and files that have models in common: models are made once.
    for item in items:
        together = item.get_closest_marker("together")
        name = together.args[0] if together else item.nodeid.split("::")[0]
        item.add_marker(pytest.mark.xdist_group(name))


class _Deadline:
    """The end of a run whose time is limited: the test that runs then is skipped, and so are those after it."""

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self.test: pytest.Item | None = None
        # The interpreter handles the signal in the main thread, where tests run.
        signal.signal(signal.SIGUSR1, self._skip)
        main = threading.main_thread().ident
        assert main is not None
        timer = threading.Timer(seconds, signal.pthread_kill, (main, signal.SIGUSR1))
        timer.daemon = True
        timer.start()

    def _skip(self, *_: object) -> None:
        self.is_over = True
        if self.test:
            pytest.skip("no time left")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if self.is_over:
            pytest.skip("no time left")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        self.test = item
        try:
            if self.is_over:
                pytest.skip("no time left")
            yield
        finally:
            self.test = None
