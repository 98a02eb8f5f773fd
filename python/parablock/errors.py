# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions with the compiler's diagnostics."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping, Sequence


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler and its location.

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
    """Bad input, or a pass that failed. `diagnostics` has all messages.

    >>> Error("no such file").exit_code
    1
    """

    #: Exit code of a command line tool.
    exit_code = 1

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


class MissingError(Error):
    """An optional dependency is missing: a device, a driver, ptxas, a package."""

    exit_code = 4


class ToleranceError(Error):
    """Numbers are out of tolerance."""

    exit_code = 3


class InternalError(RuntimeError):
    """A fault of the compiler, which no fallback catches."""

    #: The C API's status.
    status = 2


def make_error(
    status: int, message: str, diagnostics: Sequence[Diagnostic] = ()
) -> Exception:
    """Returns the exception for a status of the C API."""
    if status == InternalError.status:
        return InternalError(message)
    kind = MissingError if status == MissingError.exit_code else Error
    return kind(message, diagnostics)


@contextlib.contextmanager
def name_files(names: Mapping[str, str]) -> Iterator[None]:
    """Replaces names of temporary files in errors.

    >>> with name_files({"folder/a.safetensors": "the weights"}):
    ...     raise Error("folder/a.safetensors: no tensor")
    Traceback (most recent call last):
    parablock.errors.Error: the weights: no tensor
    """

    def rename(text: str) -> str:
        for path, name in names.items():
            text = text.replace(path, name)
        return text

    try:
        yield
    except Error as error:
        diagnostics = [
            dataclasses.replace(d, message=rename(d.message), file=rename(d.file))
            for d in error.diagnostics
        ]
        raise type(error)(rename(str(error)), diagnostics) from None
