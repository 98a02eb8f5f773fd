# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generation without PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.arguments import make_error, read_whole, take_memory
from parablock.copying import NotCopied
from parablock.decoding.decoder import Decoder, DecoderChoices, read_target
from parablock.decoding.pages import read_paging
from parablock.decoding.sampling import Sampling, read_seed
from parablock.errors import Error
from parablock.interrupts import call_interruptibly
from parablock.special_tokens import SpecialTokens

if TYPE_CHECKING:
    from parablock.model import ModelValue
    from parablock.target import CodeFolder

Array = np.ndarray[Any, Any]

_MOST_TOKENS = (1 << 63) - 1


def make_generator(
    model: ModelValue,
    target: str,
    threads: int,
    form: str | None,
    cache: CodeFolder,
    page_rows: int | None,
    pool_pages: int | None,
    keep_weights: bool,
) -> Generator:
    """Returns the generator of `Model.generator`."""
    paging = read_paging(page_rows, pool_pages)
    choices = DecoderChoices(form, paging=paging, chooses_tokens=True)
    made_for = read_target(target, threads, cache, keep_weights)
    decoder = Decoder(model, made_for, choices)
    return Generator(decoder, model.special_tokens)


class Generator(NotCopied):
    """Continues rows of tokens. Made by `Model.generator`.

    generator = parablock.from_pretrained("checkpoint").generator()
    tokens = generator.generate([[1, 2, 3]], max_new_tokens=8)
    """

    def __init__(self, decoder: Decoder, special_tokens: SpecialTokens) -> None:
        self.decoder = decoder
        self.special_tokens = special_tokens

    def report(self) -> dict[str, Any]:
        """Returns the report of the latest call: engine, kernels, times or device, memory."""
        return self.decoder.report()

    def memory(self) -> dict[str, int]:
        """Returns bytes on the device: weights, PyTorch's beside them, and what calls need."""
        return self.decoder.memory()

    def generate(
        self,
        ids: Any,
        max_new_tokens: int = 20,
        *,
        temperature: float = 0.0,
        top_k: int = 0,
        top_p: float = 1.0,
        min_p: float = 0.0,
        repetition_penalty: float = 1.0,
        seed: int | None = None,
        stop: int | Iterable[int] | None = None,
        stream: Callable[[Array], Any] | None = None,
    ) -> Array:
        """Returns tokens [rows, prompt and new ones]; every row has the same number.

        `ids` is an array of rows, or a list of lists that may be of different
        lengths: shorter ones come back with padding in front. At temperature 0 it is
        the likeliest token that comes next, otherwise one is drawn of those that
        `top_k`, `top_p` and `min_p` leave; row by row, `seed` draws the same again.
        A row ends with a token of `stop`, which are the checkpoint's own unless they
        are given, and is padded behind it. `stream` is called with the new tokens of
        all rows, one of each, after every step; what it returns ends generation if it
        is true.
        """
        if stream is not None and not callable(stream):
            raise make_error("stream", "None or a function of new tokens", stream)
        prompt, starts = self._read_prompt(ids)
        count = read_whole("max_new_tokens", max_new_tokens, 1, _MOST_TOKENS)
        stops = self._read_stops(stop)
        sampling = Sampling(temperature, top_k, top_p, min_p, repetition_penalty)
        generation = self.decoder.begin_generation(
            prompt,
            starts,
            count,
            sampling,
            read_seed(seed),
            stops.tolist(),
            self._find_padding(),
        )
        made = take_memory("max_new_tokens", (count, len(prompt)), np.int64)
        handler = None if stream is None else lambda step: bool(stream(made[step].copy()))
        call_interruptibly(generation.begin)
        steps = generation.run(made, handler)
        return np.concatenate([prompt, made[:steps].T], axis=1)

    def _read_prompt(self, ids: Any) -> tuple[Array, Array]:
        """Returns rows of one length, and the padding in front of each."""
        try:
            rows = [np.asarray(row) for row in ids]
        except (TypeError, ValueError) as problem:
            raise Error(
                f"ids: expected rows of tokens as in [[1, 2, 3]]: {problem}"
            ) from problem
        if not rows:
            raise Error("ids: expected at least one row of tokens, got none")
        for number, row in enumerate(rows):
            if row.ndim != 1 or row.size == 0 or row.dtype.kind not in "iu":
                raise Error(
                    "ids: expected rows of at least one whole number each, as in [[1, 2, 3]], "
                    f"got {row.dtype} {list(row.shape)} as row {number}"
                )
        width = max(len(row) for row in rows)
        starts = np.array([width - len(row) for row in rows], np.int64)
        prompt = np.full((len(rows), width), self._find_padding(), np.int64)
        for target, row, start in zip(prompt, rows, starts, strict=True):
            target[start:] = row
        return prompt, starts

    def _find_padding(self) -> int:
        """Returns a valid token for places that are not read."""
        padding = self.special_tokens.padding
        return padding if padding < self.decoder.vocabulary else 0

    def _read_stops(self, stop: int | Iterable[int] | None) -> Array:
        """Returns the tokens that end a row."""
        if stop is None:
            return np.array(self.special_tokens.stop, np.int64)
        try:
            stops = np.asarray([stop] if isinstance(stop, int | np.integer) else [*stop])
        except (TypeError, ValueError):
            raise Error(f"stop: expected a token or several, got {stop!r}") from None
        if stops.ndim != 1 or (stops.size and stops.dtype.kind not in "iu"):
            raise Error(f"stop: expected a token or several, got {stop!r}")
        return stops.astype(np.int64)
