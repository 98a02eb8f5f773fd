# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A line about long work, which disappears when the work is done."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator

_ERASE = "\r\033[K"
_WIDTH = 24
#: Work this short is not worth a line.
_PATIENCE = 0.3


def _write(text: str) -> None:
    sys.stderr.write(_ERASE + text)
    sys.stderr.flush()


@contextlib.contextmanager
def show_progress(text: str) -> Iterator[None]:
    """Shows the line and the seconds on a terminal, and nothing elsewhere.

    >>> with show_progress("compiling"):
    ...     pass
    """
    if not sys.stderr.isatty():
        yield
        return
    started, done = time.monotonic(), threading.Event()

    def tick() -> None:
        while not done.wait(_PATIENCE):
            _write(f"{text} ({time.monotonic() - started:.0f} s)")

    watcher = threading.Thread(target=tick, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        _write("")


@contextlib.contextmanager
def show_steps(text: str, count: int) -> Iterator[Callable[[str], None]]:
    """Yields a function to call before each step, with the step's name.

    >>> with show_steps("peers", 2) as step:
    ...     step("one")
    ...     step("two")
    """
    done = 0

    def step(name: str) -> None:
        nonlocal done
        if sys.stderr.isatty():
            filled = _WIDTH * done // max(count, 1)
            bar = "#" * filled + "." * (_WIDTH - filled)
            _write(f"{text} [{bar}] {done}/{count} {name}")
        done += 1

    try:
        yield step
    finally:
        if sys.stderr.isatty():
            _write("")
