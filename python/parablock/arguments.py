# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of what callers pass to public functions and methods.

Each function returns a valid argument and raises an Error for any other one. All
errors have one form: `option 'threads' requires a whole number, got 1.5`.
"""

from __future__ import annotations

import errno
import math
import operator
import os
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from parablock.errors import Error

#: Codes that weights of decoders become, of the forms in docs/use/Quantise.md.
CODE_FORMS = ("int8", "int4", "int4-g128")
_LONGEST = 80
_UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
_PLAIN = (type(None), bool, int, float, complex, str, bytes, os.PathLike, np.generic)


def describe(value: Any) -> str:
    """Returns an argument for a message: its value if it is short, else its type.

    >>> describe(1.5), describe([1, "a"]), describe({1: object()}), describe("a" * 99)
    ('1.5', "[1, 'a']", 'a dict', "'aaaaaaaaaa..' of 99 characters")
    """
    if isinstance(value, str) and len(value) > _LONGEST:
        return f"{value[:10]!r}"[:-1] + f"..' of {len(value)} characters"
    if _is_plain(value) and _has_few_digits(value):
        text = str(value) if isinstance(value, np.generic) else repr(value)
        if len(text) <= _LONGEST:
            return text
    kind = value.__name__ if isinstance(value, type) else type(value).__name__
    if isinstance(value, type):
        return f"the class {kind}"
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"


def _is_plain(value: Any) -> bool:
    if type(value) in (list, tuple):
        return len(value) <= _LONGEST and all(type(v) in _PLAIN for v in value)
    return isinstance(value, _PLAIN)


def _has_few_digits(value: Any) -> bool:
    """Returns whether Python can print an integer; it rejects thousands of digits."""
    numbers = value if isinstance(value, list | tuple) else [value]
    return all(not isinstance(n, int) or n.bit_length() < 256 for n in numbers)


def make_error(option: str, requirement: str, value: Any) -> Error:
    """Returns the error for a wrong argument.

    >>> print(make_error("threads", "a whole number", 1.5))
    option 'threads' requires a whole number, got 1.5
    """
    return Error(f"option '{option}' requires {requirement}, got {describe(value)}")


def is_whole(value: Any) -> bool:
    """Returns whether a value is an integer; truth values are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def read_whole(
    option: str,
    value: Any,
    least: int | None = None,
    most: int | None = None,
    note: str = "",
) -> int:
    """Returns a whole number within limits; `note` explains the least one.

    >>> read_whole("threads", np.int64(2), 0)
    2
    """
    if not is_whole(value):
        raise make_error(option, "a whole number", value)
    number = operator.index(value)
    if (least is not None and number < least) or (most is not None and number > most):
        limits = [] if least is None else [f"from {least}{note}"]
        limits += [] if most is None or least is not None and number < least else [f"to {most}"]
        raise make_error(option, f"a whole number {' '.join(limits)}", value)
    return number


def read_size(option: str, size: Any) -> int:
    """Returns a number of bytes.

    >>> read_size("a", "5GB"), read_size("a", "40 kb"), read_size("a", 7)
    (5000000000, 40000, 7)
    """
    if is_whole(size) and int(size) > 0:
        return int(size)
    found = re.fullmatch(r"(\d+) *([KMG]I?B)", size.upper()) if isinstance(size, str) else None
    if not found or not int(found[1]):
        raise make_error(option, "a number of bytes, or one as '5GB'", size)
    return int(found[1]) * _UNITS[found[2]]


def read_number(option: str, value: Any) -> float:
    """Returns a finite number.

    >>> read_number("scale", 2)
    2.0
    """
    is_real = isinstance(value, int | float | np.integer | np.floating)
    if isinstance(value, bool) or not is_real:
        raise make_error(option, "a number", value)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise make_error(option, "a finite number", value)
    return number


def read_flag(option: str, value: Any) -> bool:
    """Returns a truth value.

    >>> read_flag("training", np.True_)
    True
    """
    if not isinstance(value, bool | np.bool_):
        raise make_error(option, "True or False", value)
    return bool(value)


def read_text(option: str, value: Any, requirement: str = "a string") -> str:
    """Returns a string that the compiler can read: UTF-8 without NUL characters."""
    if not isinstance(value, str):
        raise make_error(option, requirement, value)
    if "\0" in value or not _is_encodable(value):
        raise make_error(option, f"{requirement} of Unicode characters, without NUL", value)
    return str(value)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_choice(option: str, value: Any, choices: Collection[str | None]) -> Any:
    """Returns one of a few strings.

    >>> read_choice("dtype", "f32", ("f32", "bf16"))
    'f32'
    """
    if isinstance(value, str | None) and value in choices:
        return value
    *others, last = (str(c) if c is None else repr(c) for c in choices)
    words = f"{', '.join(others)} or {last}" if others else last
    raise make_error(option, words, value)


def read_path(option: str, value: Any) -> Path:
    """Returns a path that a file system can have.

    >>> read_path("path", "model.pbk")
    PosixPath('model.pbk')
    """
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(text, str) or not text or "\0" in text:
        raise make_error(option, "a path", value)
    try:
        os.lstat(text)
    except UnicodeEncodeError:
        raise make_error(option, "a path", value) from None
    except OSError as problem:
        if problem.errno == errno.ENAMETOOLONG:
            raise make_error(option, "a path that the file system can have", value) from None
    return Path(text)


def read_names(option: str, value: Any) -> list[str]:
    """Returns a list of strings; one string is a list in which commas separate them.

    >>> read_names("require", "a,b"), read_names("require", ["a", "b"])
    (['a', 'b'], ['a', 'b'])
    """
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, Sequence | set | frozenset) or isinstance(value, bytes):
        raise make_error(option, "a string or a list of strings", value)
    return [read_text(option, name) for name in value]


def take_memory(option: str, shape: Sequence[int], dtype: Any, *, zeros: bool = False) -> Any:
    """Allocates an array whose size an option determines."""
    make = np.zeros if zeros else np.empty
    try:
        return make(shape, dtype)
    except (MemoryError, OverflowError, ValueError):
        size = math.prod(shape) * np.dtype(dtype).itemsize
        raise Error(
            f"option '{option}' requires {size} bytes for {list(shape)} numbers of "
            f"{np.dtype(dtype)}, which is more memory than there is"
        ) from None


def check_module(option: str, value: Any) -> None:
    """Rejects a value that is not a PyTorch module."""
    import torch

    if not isinstance(value, torch.nn.Module):
        raise make_error(option, "a module of PyTorch (torch.nn.Module)", value)


def check_inputs(option: str, value: Any) -> None:
    """Rejects a value that is not a tuple or list of a module's arguments."""
    if not isinstance(value, tuple | list):
        raise Error(
            f"option '{option}' requires a tuple of the module's arguments, got "
            f"{describe(value)}: one argument is (x,), names are example_kwargs="
        )


def check_named(option: str, value: Any) -> None:
    """Rejects a value that is not a mapping of names to values."""
    is_named = isinstance(value, Mapping) and all(isinstance(name, str) for name in value)
    if not is_named:
        raise make_error(option, "a mapping of names to values", value)
