# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of the tests, and their results as ./check counts them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

_CODES = {"passed": "PASS", "skipped": "SKIPPED"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="the full matrices, too")
    parser.addoption("--results", help="write results here, in lit's JSON")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "full: only with --full")
    path = config.getoption("--results")
    if path:
        config.pluginmanager.register(_Results(Path(path)))


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    if config.getoption("--full"):
        return
    kept = [item for item in items if "full" not in item.keywords]
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
