# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loop over tokens of a decoder on a device, with logits and choices on the CPU.

The rules of a choice are the extension's, so tokens are those of the CPU's loop for the
same logits.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.errors import Error
from parablock.native import get_core_module
from parablock.tensors import convert

if TYPE_CHECKING:
    from parablock._core import Sampling
    from parablock.decoding.decoder import Decoder

Array = np.ndarray[Any, Any]


@dataclasses.dataclass(frozen=True)
class Request:
    """Rows to continue, and options."""

    #: [rows, width] tokens; the first `starts` of each row are padding.
    prompt: Array
    starts: Array
    #: Largest number of new tokens of each row.
    count: int
    sampling: Sampling
    seed: int
    #: Tokens that end a row.
    stops: Sequence[int]
    #: The token of rows that have ended.
    padding: int


class DeviceGeneration:
    """Rows of tokens that go on, as `Generation` of the extension."""

    def __init__(self, decoder: Decoder, request: Request) -> None:
        self._decoder, self._request = decoder, request
        rows, width = request.prompt.shape
        self._check_prompt(width)
        # The last token is none that anything is computed of.
        decoder.check_room(width + request.count - 1, request.starts)
        self._caches = decoder.make_caches(width + request.count)
        self._logits = decoder.allocate_logits(rows, 1)
        #: For each row and token, whether the row contains it.
        self._seen = np.zeros((rows, decoder.vocabulary), np.uint8)
        for marks, row, start in zip(self._seen, request.prompt, request.starts, strict=True):
            marks[row[start:]] = 1
        self._has_ended = np.zeros(rows, bool)
        self._context = get_core_module().Context()

    def _check_prompt(self, width: int) -> None:
        request, vocabulary = self._request, self._decoder.vocabulary
        real = np.arange(width) >= request.starts[:, None]
        wrong = real & ((request.prompt < 0) | (request.prompt >= vocabulary))
        if wrong.any():
            row, token = np.argwhere(wrong)[0]
            raise Error(
                f"ids: expected tokens below {vocabulary}, got {request.prompt[row, token]} "
                f"in row {row}"
            )

    def begin(self) -> None:
        """Runs the prompt."""
        self._append(self._request.prompt)

    def _append(self, tokens: Array) -> None:
        last = np.array([tokens.shape[1] - 1])
        starts = self._request.starts
        self._decoder.run(tokens, self._caches, starts, last, self._logits)

    def run(self, tokens: Array, handler: Callable[[int], bool] | None) -> int:
        """Writes tokens [steps, rows], and returns the number of steps.

        A true result of `handler` ends them.
        """
        for step in range(self._request.count):
            if step:
                self._append(np.ascontiguousarray(tokens[step - 1][:, None]))
            self._choose(step, tokens[step])
            if handler is not None and handler(step):
                return step + 1
            if self._has_ended.all():
                return step + 1
        return self._request.count

    def _choose(self, step: int, tokens: Array) -> None:
        """Chooses the next token of each row."""
        core, request = get_core_module(), self._request
        scores = convert(self._logits[:, 0], self._decoder.kind, "f32")
        for row, (own, seen) in enumerate(zip(scores, self._seen, strict=True)):
            if self._has_ended[row]:
                tokens[row] = request.padding
                continue
            own = np.array(own)
            core.filter_logits(self._context, request.sampling, own, seen)
            token = core.choose_token(
                self._context, request.sampling, request.seed, row, step, own
            )
            tokens[row], seen[token] = token, 1
            self._has_ended[row] = token in request.stops
