# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Internal errors, which must not become silent fallbacks."""

from __future__ import annotations

import os
import warnings

#: With the value "raise", internal errors end the call that they happen in.
VARIABLE = "PARABLOCK_INTERNAL_ERRORS"


class InternalErrorWarning(RuntimeWarning):
    """A fault of the compiler; PyTorch computed instead."""


def report_fault(problem: Exception, place: str) -> str:
    """Warns of an internal error, or raises it, and returns what statistics call it."""
    if os.environ.get(VARIABLE) == "raise":
        raise problem
    text = (str(problem).splitlines() or [""])[0]
    reason = f"internal error: {type(problem).__name__}: {text}"
    warnings.warn(
        f"parablock: {reason} ({place}): PyTorch runs this part, with right results; "
        f"please report it, {VARIABLE}=raise shows where it happened",
        InternalErrorWarning,
        stacklevel=3,
    )
    return reason
