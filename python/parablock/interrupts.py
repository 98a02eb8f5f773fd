# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Long calls of the compiler that Ctrl-C interrupts."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def call_interruptibly(function: Callable[..., T], *arguments: Any) -> T:
    """Calls a function of the extension; KeyboardInterrupt does not wait for it.

    Python looks at signals between its own steps, and this is one step: so another
    thread takes it, and goes on behind after an interrupt until it is done.

    >>> call_interruptibly(max, 2, 3)
    3
    """
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments)
    outcome: queue.SimpleQueue[tuple[list[T], BaseException | None]]
    outcome = queue.SimpleQueue()

    def work() -> None:
        try:
            outcome.put(([function(*arguments)], None))
        except BaseException as problem:
            outcome.put(([], problem))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    results, problem = outcome.get()
    # It has the arguments until it ends.
    thread.join()
    try:
        if problem is not None:
            raise problem
        return results[0]
    finally:
        # Its traceback has this frame, and with it memory of a device.
        del problem
