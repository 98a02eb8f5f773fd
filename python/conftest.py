# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of the tests, and their results as ./check counts them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

# Small models on cores that other tests use: threads would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

_CODES = {"passed": "PASS", "skipped": "SKIPPED"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="the full matrices, too")
    parser.addoption("--results", help="write results here, in lit's JSON")
    parser.addoption("--part", default="1/1", help="1/2: every second test; 2/2: others")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "full: only with --full")
    path = config.getoption("--results")
    if path:
        config.pluginmanager.register(_Results(Path(path)))


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    part, parts = map(int, config.getoption("--part").split("/"))
    wanted = [
        item
        for item in items
        if config.getoption("--full") or "full" not in item.keywords
    ]
    # Neighbours are alike: dealt out in turns, parts take as long as each other.
    kept = wanted[part - 1 :: parts]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


class _Results:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.tests: dict[str, dict[str, Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.split("::")[0].removeprefix("tests/")
        test = self.tests.setdefault(
            report.nodeid,
            {"name": f"Parablock :: python/{file}/{report.nodeid}", "elapsed": 0.0},
        )
        test["elapsed"] += report.duration
        if report.when == "call" or report.outcome != "passed":
            test["code"] = _CODES.get(report.outcome, "FAIL")

    def pytest_sessionfinish(self) -> None:
        tests = [test for test in self.tests.values() if "code" in test]
        self.path.write_text(json.dumps({"tests": tests}))
