# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Continuation of a text with a checkpoint, and its speed."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from parablock.command.reading import measure_reading
from parablock.decoding.generator import Generator
from parablock.decoding.text import StopTexts, TextStream, open_tokenizer
from parablock.errors import Error
from parablock.pretrained import from_pretrained

Array = np.ndarray[Any, Any]


def run_generate(arguments: argparse.Namespace) -> None:
    """Writes new text, or token numbers, while it is generated."""
    folder = Path(arguments.model)
    writer, prompt = _open_writer(arguments, folder)
    model = from_pretrained(folder, dtype=arguments.dtype or "f32", padding=False)
    generator = model.generator(arguments.target, arguments.threads, weights=arguments.weights)
    clock = _Clock(writer)
    try:
        generator.generate(
            [prompt],
            arguments.max_new_tokens,
            temperature=arguments.temperature,
            top_k=arguments.top_k,
            top_p=arguments.top_p,
            min_p=arguments.min_p,
            repetition_penalty=arguments.repetition_penalty,
            seed=arguments.seed,
            stop=writer.stops,
            stream=clock.take,
        )
    except KeyboardInterrupt:
        # The written text stays, and the next output begins on a new line.
        writer.finish()
        raise
    writer.finish()
    print(clock.describe(generator, arguments.threads), file=sys.stderr)


def _open_writer(
    arguments: argparse.Namespace, folder: Path
) -> tuple[_TextWriter | _NumberWriter, list[int]]:
    """Returns the writer and the tokens of the prompt."""
    if (arguments.prompt is None) == (arguments.ids is None):
        raise Error("expected either --prompt or --ids")
    if arguments.ids is not None:
        return _NumberWriter(arguments.stop), arguments.ids
    tokenizer = open_tokenizer(folder)
    prompt = tokenizer.encode(arguments.prompt).ids
    if not prompt:
        raise Error("--prompt: expected a text of at least one token, got none")
    return _TextWriter(TextStream(tokenizer, prompt), arguments.stop), prompt


class _TextWriter:
    """Writes text, up to one that ends it."""

    #: The checkpoint's own.
    stops: Sequence[int] | None = None

    def __init__(self, stream: TextStream, stops: Sequence[str]) -> None:
        if "" in stops:
            raise Error("--stop: expected a text, got an empty one")
        self._stream, self._ends = stream, StopTexts(stops)

    def take(self, token: int) -> bool:
        """Writes a token; returns true at an end."""
        _write(self._ends.add(self._stream.add(token)))
        return self._ends.has_ended

    def finish(self) -> None:
        if not self._ends.has_ended:
            _write(self._ends.add(self._stream.finish()) + self._ends.finish())
        _write("\n")


class _NumberWriter:
    """Writes numbers of tokens."""

    def __init__(self, stops: Sequence[str]) -> None:
        for stop in stops:
            if not stop.isdecimal():
                raise Error(f"--stop: expected the number of a token with --ids, got '{stop}'")
        self.stops = [int(stop) for stop in stops] or None
        self._separator = ""

    def take(self, token: int) -> bool:
        _write(f"{self._separator}{token}")
        self._separator = ","
        return False

    def finish(self) -> None:
        _write("\n")


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


class _Clock:
    """Records the times of tokens and passes them on."""

    def __init__(self, writer: _TextWriter | _NumberWriter) -> None:
        self._writer = writer
        self._times = [time.perf_counter()]

    def take(self, tokens: Array) -> bool:
        self._times.append(time.perf_counter())
        return self._writer.take(int(tokens[0]))

    def describe(self, generator: Generator, threads: int) -> str:
        """Returns tokens per second, and the speed of reading weights beside a plain loop."""
        begin, *times = self._times
        count = len(times)
        plural = "s" if count > 1 else ""
        text = f"{count} token{plural}, the first one after {times[0] - begin:.3f} s"
        if count == 1:
            return text
        step = (times[-1] - times[0]) / (count - 1)
        size = generator.decoder.count_bytes()
        if generator.decoder.target.engine == "cuda":
            # A loop on the CPU says nothing about a device's memory.
            return (
                f"{text}, then {1 / step:.1f} a second\n"
                f"{size / 1e6:.1f} MB of weights a token: {size / step / 1e9:.1f} GB/s"
            )
        speed, memory = size / step, measure_reading(size, threads)
        return (
            f"{text}, then {1 / step:.1f} a second\n"
            f"{size / 1e6:.1f} MB of weights a token: {speed / 1e9:.1f} GB/s, "
            f"{speed / memory:.2f} of memory speed ({memory / 1e9:.1f} GB/s)"
        )
