# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of the tests, and their results as ./check counts them."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test" / "support"))

# Small models on cores that other tests use: threads would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Code that one test compiles is there for others, and for nobody else: of this run alone,
# or of those that ./check gives the same folder, where no other build finds it.
_CACHE = tempfile.TemporaryDirectory(prefix="parablock-codes-")
os.environ["PARABLOCK_CACHE"] = os.environ.get("PARABLOCK_TEST_CODES", _CACHE.name)

# The files that take longest: of runs side by side, none is left with one at its end.
_LONGEST = [
    f"test_{name}.py"
    for name in (
        "window_caches train training static_caches op_samples autocast elements journeys "
        "ecosystem training_memory gradients ways backend_training past_keys"
    ).split()
]

_ROOT = Path(__file__).resolve().parents[1]

_CODES = {"passed": "PASS", "skipped": "SKIPPED"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="the full matrices, too")
    parser.addoption("--results", help="write results here, in lit's JSON")
    parser.addoption("--kept", help="a folder of results that stay while nothing changes")
    parser.addoption("--claims", help="a folder that runs side by side share files by")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "full: only with --full")
    config.addinivalue_line("markers", "together(name): files that have models in common")
    claims = config.getoption("--claims")
    if claims:
        config.pluginmanager.register(_Claims(Path(claims)))
    path = config.getoption("--results")
    results = _Results(Path(path)) if path else None
    if results:
        config.pluginmanager.register(results)
    kept = config.getoption("--kept")
    inputs = _find_inputs() if kept and results else None
    if inputs:
        config.pluginmanager.register(_KeptFiles(inputs, Path(kept), claims, results))


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    wanted = [
        item
        for item in items
        if config.getoption("--full") or "full" not in item.keywords
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
    order = {name: place for place, name in enumerate(_LONGEST)}
    items[:] = sorted(wanted, key=lambda item: order.get(item.path.name, len(order)))


class _Claims:
    """Runs files that no other run has taken: models are made once for each file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.taken: dict[str, bool] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> bool | None:
        marker = item.get_closest_marker("together")
        name = marker.args[0] if marker else item.nodeid.split("::")[0].replace("/", ".")
        if name not in self.taken:
            try:
                (self.folder / name).mkdir(parents=True)
                self.taken[name] = True
            except FileExistsError:
                self.taken[name] = False
        if self.taken[name]:
            return None
        # Somebody else has seen to it. What was set up for the item before, which took this
        # one for the next, may be none of the next one's: its folder, where that has another.
        item.session._setupstate.teardown_exact(nextitem)
        return True


class _Results:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.tests: dict[str, dict[str, Any]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Seconds of processors, whatever else they have to do meanwhile."""
        before = sum(os.times()[:4])
        result = yield
        if item.nodeid in self.tests:
            took = sum(os.times()[:4]) - before
            self.tests[item.nodeid]["metrics"] = {"processor_seconds": took}
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.split("::")[0].removeprefix("tests/")
        test = self.tests.setdefault(
            report.nodeid,
            {"name": f"Parablock :: python/{file}/{report.nodeid}", "elapsed": 0.0},
        )
        test["elapsed"] += report.duration
        if report.when == "call" or report.outcome != "passed":
            test["code"] = _CODES.get(report.outcome, "FAIL")

    def add_kept(self, nodeid: str, code: str) -> None:
        file = nodeid.split("::")[0].removeprefix("tests/")
        name = f"Parablock :: python/{file}/{nodeid}"
        self.tests[nodeid] = {"name": name, "elapsed": 0.0, "code": code, "metrics": {"kept": 1}}

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        tests = [test for test in self.tests.values() if "code" in test]
        self.path.write_text(json.dumps({"tests": tests}))


def _find_inputs() -> Any:
    """What tests depend on (test/kept_results.py), if that can be told."""
    sys.path.insert(0, str(_ROOT / "test"))
    import kept_results

    build = os.environ.get("PARABLOCK_BUILD_DIR") or str(_ROOT / "build")
    return kept_results.get_inputs(str(_ROOT), build)


class _KeptFiles:
    """Files whose tests passed and have what they had are not run again."""

    def __init__(
        self, inputs: Any, folder: Path, claims: str | None, results: _Results
    ) -> None:
        import kept_results

        self.inputs = inputs
        self.kept = kept_results.Kept(folder)
        self.claims = Path(claims) if claims else None
        self.results = results
        self.keys: dict[str, str] = {}
        self.wanted: dict[str, list[str]] = {}

    def _is_ours_to_say(self, file: str) -> bool:
        """Of runs side by side, one counts what none of them runs."""
        if not self.claims:
            return True
        try:
            (self.claims / f"kept.{file.replace('/', '.')}").mkdir(parents=True)
        except FileExistsError:
            return False
        return True

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        for item in items:
            self.wanted.setdefault(item.nodeid.split("::")[0], []).append(item.nodeid)
        known: set[str] = set()
        for file, names in self.wanted.items():
            self.keys[file] = self.inputs.make_key(f"python/{file}")
            codes = self.kept.find(f"python/{file}", self.keys[file])
            if codes is None or not codes.keys() >= set(names):
                continue
            known.update(names)
            if self._is_ours_to_say(file):
                for name in names:
                    self.results.add_kept(name, codes[name])
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in known])
        items[:] = [item for item in items if item.nodeid not in known]

    def pytest_sessionfinish(self) -> None:
        for file, names in self.wanted.items():
            tests = [self.results.tests.get(name, {}) for name in names]
            if any("kept" in test.get("metrics", {}) for test in tests):
                continue
            codes = {name: test.get("code") for name, test in zip(names, tests, strict=True)}
            passed = set(codes.values()) <= set(_CODES.values())
            if passed and self.inputs.stay(f"python/{file}"):
                self.kept.keep(f"python/{file}", self.keys[file], codes)
