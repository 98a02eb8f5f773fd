# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several runs side by side, a step of each in turn."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from parablock.errors import Error
from parablock_studies.trainer import checkpoint
from parablock_studies.trainer.run import Run
from parablock_studies.trainer.settings import Settings
from parablock_studies.trainer.text import Text

_SECONDS_BETWEEN_LINES = 10.0


class Interrupt:
    """A request to stop; a second request stops at once."""

    def __init__(self) -> None:
        self.is_set = False

    def _take(self, number: int, frame: Any) -> None:
        if self.is_set:
            raise KeyboardInterrupt
        self.is_set = True

    @contextlib.contextmanager
    def watch(self) -> Iterator[None]:
        """Defers interrupts until steps are finished."""
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            for number in before:
                signal.signal(number, self._take)
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class Experiment:
    """Training of several runs, with a checkpoint of each."""

    def __init__(
        self, text: Text, out: Path, *, resume: bool, every: int, rows: int, stop: int | None
    ) -> None:
        self._text, self._out = text, out
        self._resume, self._every, self._rows = resume, every, rows
        self._stop = stop

    def check(self, settings: Sequence[Settings]) -> None:
        """Rejects a folder whose checkpoint would be lost, or that has none to resume."""
        self._out.mkdir(parents=True, exist_ok=True)
        there = [each for each in settings if self._has_checkpoint(each)]
        if there and not self._resume:
            raise Error(
                f"'{self._get_folder(there[0])}' has a checkpoint already: --resume goes on "
                "with it, another --out leaves it alone"
            )
        if self._resume and not there:
            raise Error(
                f"--resume: expected a checkpoint such as '{self._get_folder(settings[0])}', "
                "found none"
            )

    def open(self, settings: Sequence[Settings]) -> list[Run]:
        """Returns runs, new ones or those of their checkpoints."""
        return [
            checkpoint.load(each, self._text, self._get_folder(each))
            if self._has_checkpoint(each)
            else Run(each, self._text)
            for each in settings
        ]

    def _has_checkpoint(self, settings: Settings) -> bool:
        return (self._get_folder(settings) / checkpoint.STATE).exists()

    def _get_folder(self, settings: Settings) -> Path:
        return self._out / settings.name

    def train(self, runs: Sequence[Run]) -> None:
        """Trains a step of each run in turn, so a busy moment of the machine affects all.

        After an interrupt each has its step done and a checkpoint.
        """
        waiting = [run for run in runs if not run.is_done]
        interrupt = Interrupt()
        with _be_deterministic():
            for run in waiting:
                _say(f"{run.settings.name}: {run.parameters} parameters, step {run.history.step}")
                run.prepare()
            with interrupt.watch():
                self._advance(waiting, interrupt)
        if interrupt.is_set:
            raise KeyboardInterrupt

    def _advance(self, runs: Sequence[Run], interrupt: Interrupt) -> None:
        spoken = time.monotonic()
        end = max((run.settings.steps for run in runs), default=0)
        for step in range(min(self._stop or end, end)):
            for run in runs:
                if run.history.step == step < run.settings.steps:
                    torch.set_num_threads(run.settings.threads)
                    run.advance()
                    self._keep(run)
            if time.monotonic() - spoken > _SECONDS_BETWEEN_LINES:
                spoken = time.monotonic()
                _say("; ".join(_describe(run) for run in runs))
            if interrupt.is_set:
                break
        for run in runs:
            self.save(run)

    def _keep(self, run: Run) -> None:
        """Evaluates and saves a run at intervals and at its end."""
        step = run.history.step
        if run.is_done or (self._every and step % self._every == 0):
            run.evaluate(self._rows)
            self.save(run)

    def save(self, run: Run) -> None:
        checkpoint.save(run, self._text, self._get_folder(run.settings))


def _describe(run: Run) -> str:
    history = run.history
    recent = history.losses[-20:]
    if not recent:
        return f"{run.settings.name} waits"
    return (
        f"{run.settings.name} step {history.step}/{run.settings.steps} loss "
        f"{sum(recent) / len(recent):.4f} {sorted(history.wall_ms[-20:])[len(recent) // 2]:.0f} ms"
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def _be_deterministic() -> Iterator[None]:
    """Makes PyTorch deterministic for a number of threads."""
    was = torch.are_deterministic_algorithms_enabled()
    # Otherwise each new tensor is filled first, which takes time.
    memory: Any = torch.utils.deterministic
    filled = memory.fill_uninitialized_memory
    threads = torch.get_num_threads()
    torch.use_deterministic_algorithms(True)
    memory.fill_uninitialized_memory = False
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(was)
        memory.fill_uninitialized_memory = filled
        torch.set_num_threads(threads)
