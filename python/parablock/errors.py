# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes wrong, with the compiler's own words about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler and the place that it is about.

    >>> print(Diagnostic("error", "expected a type", "model.mlir", 3, 5))
    model.mlir:3:5: error: expected a type
    """

    severity: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        return f"{place}{self.severity}: {self.message}"


class Error(Exception):
    """Bad input, or a pass that failed. `diagnostics` is all that was said.

    >>> Error("no such file").exit_code
    1
    """

    #: What a command line tool ends with.
    exit_code = 1

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


class MissingError(Error):
    """Something optional is not here: a device, a driver, ptxas, a package."""

    exit_code = 4


class ToleranceError(Error):
    """Numbers are further apart than they may be."""

    exit_code = 3


def make_error(
    status: int, message: str, diagnostics: Sequence[Diagnostic] = ()
) -> Error:
    """The exception for a status of the C API."""
    kind = MissingError if status == MissingError.exit_code else Error
    return kind(message, diagnostics)
