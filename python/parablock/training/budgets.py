# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Choice of the values that a step keeps within a budget of memory."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from parablock.arguments import is_whole, make_error
from parablock.errors import Error

if TYPE_CHECKING:
    from parablock._core import Module
    from parablock.training.memory import StepPlan

_UNITS = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_FORM = re.compile(rf"min|(\d{{1,9}}(?:\.\d{{1,9}})?)%|(\d{{1,18}})({'|'.join(filter(None, _UNITS))})?")
_MOST_BYTES = (1 << 63) - 1
#: The checkpoints that a step is tried with, at most.
_MOST = 32


def read_budget(budget: int | str | None) -> str | None:
    """Returns a budget in the form of block-checkpoint.

    >>> read_budget(2048), read_budget("40%"), read_budget("min"), read_budget(None)
    ('2048', '40%', 'min', None)
    """
    if budget is None:
        return None
    if is_whole(budget) and 0 <= int(budget) <= _MOST_BYTES:
        return str(int(budget))
    if isinstance(budget, str) and _FORM.fullmatch(budget):
        return budget
    raise make_error(
        "memory_budget", "None, bytes, a share such as '40%', or 'min'", budget
    )


def choose_kept(step: Module, layers: str) -> None:
    """Applies a list of kept values of block-checkpoint."""
    step.run_passes(f"block-checkpoint{{layers={layers} memory-budget=100%}}")


@dataclasses.dataclass(frozen=True)
class _Checkpoint:
    layers: str
    kept_bytes: int


class Fitting:
    """Checkpoints of a step, and the memory with those that were tried.

    `plan` returns the engine's plan of a step with a checkpoint. The first checkpoint that
    fits is taken from one list, which does not depend on the budget. So a smaller budget
    takes the same checkpoint, or one with a smaller peak.
    """

    def __init__(self, step: Module, plan: Callable[[Module], StepPlan]) -> None:
        self._step = step
        self._plan = plan
        #: Checkpoints; the first one keeps most and recomputes least.
        self._all = [
            _Checkpoint(each["layers"], each["kept_bytes"])
            for each in json.loads(step.list_checkpoints(_MOST))
        ]
        whole = plan(self._apply(0))
        self._totals = {0: whole.predict().total}
        self._rest = whole.least - self._all[0].kept_bytes

    def fit(self, budget: str) -> Module:
        """Returns the step with the cheapest checkpoint whose peak is within `budget`."""
        limit = self._resolve(budget)
        for number in range(len(self._all)):
            if self._bound(number) <= limit and self._measure(number) <= limit:
                return self._apply(number)
        raise Error(
            f"expected a memory budget of at least {self._find_least()} bytes, the least "
            f"peak of this step, got {limit}"
        )

    def _resolve(self, budget: str) -> int:
        found = _FORM.fullmatch(budget)
        assert found is not None
        share, number, unit = found.groups()
        if number is not None:
            return int(number) * _UNITS[unit or ""]
        part = float(share or 0) / 100
        if part > 1:
            raise Error(f"memory_budget: expected a share of at most 100%, got '{budget}'")
        least = self._find_least()
        return least + int((self._measure(0) - least) * part)

    def _find_least(self) -> int:
        least = self._measure(0)
        for number in reversed(range(len(self._all))):
            if self._bound(number) < least:
                least = min(least, self._measure(number))
        return least

    def _bound(self, number: int) -> int:
        """Returns a lower bound of the step's bytes."""
        return self._rest + self._all[number].kept_bytes

    def _measure(self, number: int) -> int:
        if number not in self._totals:
            self._totals[number] = self._plan(self._apply(number)).predict().total
        return self._totals[number]

    def _apply(self, number: int) -> Module:
        step = self._step.clone()
        if layers := self._all[number].layers:
            choose_kept(step, layers)
        return step
