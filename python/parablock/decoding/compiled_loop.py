# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Requests of transformers' `generate` that the compiled loop over tokens answers.

`generate` prepares processors, criteria and arguments. If each of them is one whose effect on
tokens is known exactly, the loop of lib/Engines/Generation runs instead of transformers' own.
"""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from transformers.generation import logits_process as processors
from transformers.generation import stopping_criteria as criteria

from parablock.decoding.conventions import CACHE
from parablock.decoding.sampling import Sampling, read_seed
from parablock.errors import Error

Array = np.ndarray[Any, Any]

#: The option `seed` of the call of `generate` that runs, if it is given.
_seed: contextvars.ContextVar[int | None] = contextvars.ContextVar("seed", default=None)

#: Processors in the order of the loop: its option, and the attribute that has the value.
_FILTERS: dict[type, tuple[str, str]] = {
    processors.RepetitionPenaltyLogitsProcessor: ("repetition_penalty", "penalty"),
    processors.TemperatureLogitsWarper: ("temperature", "temperature"),
    processors.TopKLogitsWarper: ("top_k", "top_k"),
    processors.TopPLogitsWarper: ("top_p", "top_p"),
    processors.MinPLogitsWarper: ("min_p", "min_p"),
}
#: Attributes of these processors that the loop has no option for, with their usual values.
_USUAL = {
    "filter_value": -math.inf,
    "min_tokens_to_keep": 1,
    "logits_indices": None,
    "cu_seq_lens_q": None,
}
#: Arguments of the model that the loop has, or that make no difference to it.
_KNOWN = ("attention_mask", "position_ids", "use_cache", "logits_to_keep", CACHE)


class OwnLoop(Exception):
    """The reason why transformers' own loop runs."""


@dataclasses.dataclass(frozen=True)
class LoopRequest:
    """A request to the compiled loop."""

    #: Largest number of new tokens of a row.
    count: int
    sampling: Sampling
    seed: int
    #: Tokens that end a row.
    stops: list[int]
    #: The token of rows that have ended.
    padding: int
    #: Receives the new tokens of each step.
    streamer: Any
    #: Tokens in front of each row that have no penalty, if there are such.
    ignored: Any

    def has_same_penalties(self, starts: Array) -> bool:
        """Returns whether penalties are of the tokens behind the padding of each row."""
        if self.sampling.repetition_penalty == 1:
            return True
        ignored = 0 if self.ignored is None else np.asarray(self.ignored)
        return bool(np.all(ignored == starts))


@contextlib.contextmanager
def seeded(seed: Any) -> Iterator[None]:
    """Sets the option `seed` for the calls inside."""
    token = _seed.set(None if seed is None else read_seed(seed))
    try:
        yield
    finally:
        _seed.reset(token)


def check_no_seed(reason: str) -> None:
    """Rejects a seed for a loop that draws by PyTorch's random numbers."""
    if _seed.get() is not None:
        raise Error(
            f"option 'seed' requires the compiled loop over tokens, which does not run: {reason} "
            "(omit seed=, and use torch.manual_seed)"
        )


def read_request(width: int, given: Mapping[str, Any], vocabulary: int) -> LoopRequest:
    """Returns the request of transformers' arguments, or raises OwnLoop.

    `width` is the number of tokens of a row, and `given` has the keyword arguments of `_sample`.
    """
    rest = dict(given)
    try:
        listed = rest.pop("logits_processor")
        stopping = rest.pop("stopping_criteria")
        config = rest.pop("generation_config")
    except KeyError as missing:
        raise OwnLoop(f"this version of transformers passes no {missing}") from None
    streamer = rest.pop("streamer", None)
    if rest.pop("synced_gpus", False):
        raise OwnLoop("option 'synced_gpus'")
    _check_config(config, rest)
    sampling = _read_filters(listed, config.do_sample)
    end, stops = _read_criteria(stopping)
    padding = _read_padding(config, stops, vocabulary)
    seed = _seed.get()
    if config.do_sample and seed is None:
        raise OwnLoop("do_sample=True draws by PyTorch's random numbers without option 'seed'")
    if seed is not None and not config.do_sample:
        raise Error("option 'seed' requires do_sample=True, got False")
    ignored = [getattr(each, "prompt_ignore_length", None) for each in listed]
    return LoopRequest(
        max(1, end - width),
        sampling,
        seed or 0,
        stops,
        padding,
        streamer,
        next((each for each in ignored if each is not None), None),
    )


def _check_config(config: Any, rest: Mapping[str, Any]) -> None:
    """Rejects results other than tokens, and arguments that the loop does not have."""
    for name in ("return_dict_in_generate", "prefill_chunk_size", "is_assistant"):
        if value := getattr(config, name, None):
            raise OwnLoop(f"option '{name}' is {value!r}")
    if not rest.get("use_cache"):
        raise OwnLoop("option 'use_cache' is False")
    if not getattr(rest.get(CACHE), "is_of_generate", False):
        raise OwnLoop(f"the caller's own cache in '{CACHE}'")
    for name, value in rest.items():
        if name not in _KNOWN and value is not None:
            raise OwnLoop(f"option '{name}'")


def _read_filters(listed: Any, do_sample: bool) -> Sampling:
    """Returns the options of processors in the order of the loop."""
    order, last = list(_FILTERS), -1
    options: dict[str, Any] = {"temperature": 1.0 if do_sample else 0.0}
    for processor in listed:
        kind = type(processor)
        place = order.index(kind) if kind in _FILTERS else -1
        unusual = [n for n, v in _USUAL.items() if getattr(processor, n, v) != v]
        # A temperature would make the loop draw.
        is_idle = not do_sample and kind is processors.TemperatureLogitsWarper
        if place <= last or unusual or is_idle:
            named = f" with {', '.join(unusual)}" if unusual else " without do_sample" if is_idle else ""
            raise OwnLoop(f"processor '{kind.__name__}'{named}")
        option, attribute = _FILTERS[kind]
        options[option], last = getattr(processor, attribute), place
    return Sampling(**options)


def _read_criteria(stopping: Any) -> tuple[int, list[int]]:
    """Returns the number of tokens that ends all rows, and tokens that end one."""
    end, stops = None, []
    for criterion in stopping:
        kind = type(criterion)
        if kind is criteria.MaxLengthCriteria:
            end = min(criterion.max_length, criterion.max_length if end is None else end)
        elif kind is criteria.EosTokenCriteria:
            stops += criterion.eos_token_id.flatten().tolist()
        else:
            raise OwnLoop(f"stopping criterion '{kind.__name__}'")
    if end is None:
        raise OwnLoop("no largest number of tokens")
    return int(end), stops


def _read_padding(config: Any, stops: list[int], vocabulary: int) -> int:
    """Returns the token of rows that have ended."""
    tensor = getattr(config, "_pad_token_tensor", None)
    if tensor is None:
        if stops:
            raise OwnLoop("no padding token beside end tokens")
        return 0
    padding = int(tensor)
    if not 0 <= padding < vocabulary:
        raise OwnLoop(f"padding token {padding}, which the vocabulary does not have")
    return padding
