# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Special tokens of a checkpoint's folder."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from parablock.errors import Error
from parablock.weights import load_json


@dataclasses.dataclass(frozen=True)
class SpecialTokens:
    """Tokens that end a text, and the token of padding."""

    stop: tuple[int, ...] = ()
    pad: int | None = None

    @property
    def padding(self) -> int:
        """Token that fills rows."""
        return self.pad if self.pad is not None else next(iter(self.stop), 0)


def read_special_tokens(folder: Path, config: Path) -> SpecialTokens:
    """Returns the tokens of generation_config.json, or of the config without such a file.

    As in transformers, a token that is missing in one file is not read from the other.
    """
    path = folder / "generation_config.json"
    path = path if path.is_file() else config
    if not path.is_file():
        return SpecialTokens()
    try:
        read = load_json(path.read_bytes())
        # Models of text and images have a config for the text.
        read = {**(read.get("text_config") or {}), **read}
    except (ValueError, AttributeError, TypeError) as problem:
        raise Error(f"'{path}' is not a config: {problem}") from problem
    stop, padding = (
        _read_ids(path, key, read[key]) if read.get(key) is not None else ()
        for key in ("eos_token_id", "pad_token_id")
    )
    return SpecialTokens(stop, next(iter(padding), None))


def _read_ids(path: Path, key: str, value: Any) -> tuple[int, ...]:
    """Returns one token or several; null values are dropped."""
    ids = value if isinstance(value, list) else [value]
    if not all(type(each) is int for each in ids):
        raise Error(f"'{path}': expected {key} to be a number or a list of them, got {value!r}")
    # Some configs say -1 for none.
    return tuple(each for each in ids if each >= 0)
