# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text of tokens, one by one."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parablock.errors import Error, MissingError

#: Tokens of the prompt that the text of the next one may depend on.
_CONTEXT = 5
#: Character that decoders return for an incomplete one.
_INCOMPLETE = "\ufffd"


def open_tokenizer(
    folder: Path, use: str = "--prompt", instead: str = "--ids takes numbers of tokens"
) -> Any:
    """Returns the tokenizer of a checkpoint's folder."""
    if not importlib.util.find_spec("tokenizers"):
        raise MissingError(
            f"{use} requires tokenizers, which is not installed: pip install tokenizers; "
            f"{instead}"
        )
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise Error(
            f"'{folder}': expected a tokenizer.json for {use}, got none; {instead}"
        )
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_file(str(path))
    except Exception as problem:
        # The package has no class of its own for what is wrong with a file.
        raise Error(f"'{path}' is not a tokenizer: {problem}") from problem


class TextStream:
    """New text for each token, without special ones and parts of characters."""

    def __init__(self, tokenizer: Any, prompt: Sequence[int]) -> None:
        self._tokenizer = tokenizer
        self._ids = list(prompt)[-_CONTEXT:]
        #: Where the text of the latest tokens begins, and what of it was given.
        self._first, self._given = 0, len(self._ids)

    def add(self, token: int) -> str:
        """Returns the new text; nothing while a character is incomplete."""
        self._ids.append(token)
        return "" if self._decode().endswith(_INCOMPLETE) else self.finish()

    def finish(self) -> str:
        """Returns the remaining text."""
        before = self._tokenizer.decode(self._ids[self._first : self._given])
        text = self._decode()[len(before) :]
        if text:
            self._first, self._given = self._given, len(self._ids)
        return text

    def _decode(self) -> str:
        text: str = self._tokenizer.decode(self._ids[self._first :])
        return text


class StopTexts:
    """Search for stop texts in a text that arrives in parts."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = stops
        self._held = ""
        self.has_ended = False

    def add(self, text: str) -> str:
        """Returns the text that cannot be the beginning of a stop text.

        >>> stops = StopTexts(["END"])
        >>> stops.add("to the E"), stops.add("NEN"), stops.add("D of")
        ('to the ', 'EN', '')
        """
        self._held += text
        places = [self._held.find(stop) for stop in self._stops]
        found = min((place for place in places if place >= 0), default=-1)
        if found >= 0:
            self.has_ended = True
            given, self._held = self._held[:found], ""
            return given
        held = max((_overlap(self._held, stop) for stop in self._stops), default=0)
        place = len(self._held) - held
        given, self._held = self._held[:place], self._held[place:]
        return given

    def finish(self) -> str:
        """Returns the text that was held back, if no stop text followed."""
        given, self._held = self._held, ""
        return given


def _overlap(text: str, stop: str) -> int:
    """Returns the number of letters at the end of a text that `stop` begins with.

    >>> _overlap("to the E", "END"), _overlap("END", "x")
    (1, 0)
    """
    most = min(len(text), len(stop) - 1)
    return next((n for n in range(most, 0, -1) if text.endswith(stop[:n])), 0)
