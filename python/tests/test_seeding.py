# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests draw without a generator is a function of their names."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from seeding import seed_by_name


def _draw() -> list[float]:
    return [random.random(), float(np.random.random()), float(torch.rand(()))]


@pytest.fixture(scope="module")
def drawn() -> list[float]:
    return _draw()


@pytest.mark.parametrize("number", [1, 2])
def test_draws_depend_on_the_name(number: int, request: pytest.FixtureRequest) -> None:
    found = _draw()
    seed_by_name(request.node.nodeid)
    assert found == _draw()
    seed_by_name(request.node.nodeid.replace(f"[{number}]", "[3]"))
    assert not set(found) & set(_draw())


def test_fixtures_of_modules_depend_on_their_own_names(
    drawn: list[float], request: pytest.FixtureRequest
) -> None:
    seed_by_name("tests/test_seeding.py::drawn")
    expected = _draw()
    assert request.node.nodeid.startswith("tests/test_seeding.py::") and drawn == expected
