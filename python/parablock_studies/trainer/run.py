# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One training: a module, its optimizer, and the engine that computes its steps."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

import parablock
from parablock.errors import Error
from parablock.training.trained import TrainedModel
from parablock_studies.trainer.settings import Settings
from parablock_studies.trainer.text import VOCABULARY, Text


@dataclasses.dataclass
class History:
    """Measurements of each step."""

    losses: list[float] = dataclasses.field(default_factory=list)
    wall_ms: list[float] = dataclasses.field(default_factory=list)
    cpu_ms: list[float] = dataclasses.field(default_factory=list)
    #: Losses of held-out text, by the number of steps that were done then.
    held_out: dict[int, float] = dataclasses.field(default_factory=dict)

    @property
    def step(self) -> int:
        return len(self.losses)


def compute_loss(logits: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """Returns the mean cross entropy of the tokens behind the first."""
    return F.cross_entropy(logits.reshape(-1, VOCABULARY), rows[:, 1:].reshape(-1))


class Run:
    """A training, step by step."""

    def __init__(self, settings: Settings, text: Text, history: History | None = None) -> None:
        self.settings = settings
        self.history = history or History()
        self._text = text
        self.module = settings.make_module()
        self.optimizer = settings.make_optimizer(self.module)
        self._call: Callable[[torch.Tensor], Any] | None = None

    @property
    def is_done(self) -> bool:
        return self.history.step >= self.settings.steps

    @property
    def parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.module.parameters())

    def prepare(self) -> None:
        """Makes the engine; its compilation is not part of a step's time."""
        torch.set_num_threads(self.settings.threads)
        rows = self._draw(0)
        if self.settings.engine == "parablock":
            model = parablock.from_torch(self.module, (rows[:, :-1],))
            options: dict[str, Any] = {"training": True}
            if self.settings.device == "cpu":
                options["threads"] = self.settings.threads
                options["memory_budget"] = self.settings.memory_budget
            self._call = model.compile(self.settings.device, **options)
        elif self.settings.engine == "torch-compile":
            self._call = torch.compile(self.module)
        else:
            self._call = self.module
        compute_loss(self.call(rows), rows).backward()  # type: ignore[no-untyped-call]
        self.optimizer.zero_grad()

    def call(self, rows: torch.Tensor) -> torch.Tensor:
        """Logits of the engine."""
        assert self._call is not None, "prepare() comes first"
        logits: torch.Tensor = self._call(rows[:, :-1]).logits
        return logits

    @property
    def engine(self) -> TrainedModel | None:
        return self._call if isinstance(self._call, TrainedModel) else None

    def advance(self) -> float:
        """Runs a step and returns its loss."""
        step, history = self.history.step, self.history
        wall, cpu = time.perf_counter(), time.process_time()
        rows = self._draw(step)
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.get_rate(step)
        loss = compute_loss(self.call(rows), rows)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.module.parameters(), self.settings.clip)
        value = loss.item()
        if not math.isfinite(value):
            raise Error(f"{self.settings.name}: the loss of step {step + 1} is {value}")
        self.optimizer.step()
        self.optimizer.zero_grad()
        history.losses.append(value)
        history.wall_ms.append((time.perf_counter() - wall) * 1e3)
        history.cpu_ms.append((time.process_time() - cpu) * 1e3)
        return value

    def evaluate(self, rows: int) -> float:
        """Returns the loss of held-out rows, computed by PyTorch for every engine."""
        total, batch = 0.0, self.settings.batch
        with torch.no_grad():
            held_out = self._text.list_held_out(rows, self.settings.tokens)
            for part in (held_out[i : i + batch] for i in range(0, rows, batch)):
                loss = compute_loss(self.module(part[:, :-1]).logits, part)
                total += loss.item() * len(part)
        self.history.held_out[self.history.step] = total / rows
        return total / rows

    def _draw(self, step: int) -> torch.Tensor:
        settings = self.settings
        return self._text.draw(settings.seed, step, settings.batch, settings.tokens)
