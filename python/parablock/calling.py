# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversion of a call's arguments to inputs, and of outputs to its result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from parablock.errors import Error
from parablock.tensors import is_torch

#: Prefix of the names of inputs that follow from the sizes of others.
OF_SIZES = "of_sizes."
#: The input that dropout depends on, drawn anew for every call.
SEED = "dropout_seed"


class Calling(Protocol):
    """A calling convention."""

    def flatten(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Returns inputs by name."""

    def bind_data(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Returns the given inputs by name, of any sizes."""

    def unflatten(self, outputs: Mapping[str, Any]) -> Any:
        """Returns the call's result."""


class Results(dict[str, Any]):
    """Results by name, as keys, attributes or, in their order, numbers.

    >>> results = Results(logits=5, states=7)
    >>> results["logits"], results.states, results[0]
    (5, 7, 5)
    """

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"no result '{name}', there are {', '.join(self)}")

    def __getitem__(self, key: str | int | slice) -> Any:
        if isinstance(key, str):
            return super().__getitem__(key)
        return tuple(self.values())[key]


#: Tokenizers' names of the masks that inputs of lengths are measured from.
_MASKS = {"lengths": "attention_mask", "encoder_lengths": "attention_mask"}


class CallingByName:
    """Inputs in order or by name, or in a dictionary as tokenizers return it.

    A mask of padding may replace the lengths of its rows. A tokenizer's output that the
    model has no input for must have no effect, such as a mask without padding.
    """

    def __init__(self, ranks: Mapping[str, int], results: Mapping[str, str]) -> None:
        """`ranks` of the inputs by name; `results` are other names of outputs."""
        self.ranks = dict(ranks)
        self.names = tuple(ranks)
        self._results = dict(results)
        #: The mask that each input of lengths is measured from.
        self._masks = {
            name: _MASKS.get(name, name)
            for name, rank in self.ranks.items()
            if rank == 1 and (name in _MASKS or name.endswith("_mask"))
        }
        if "encoder_lengths" in self._masks and "lengths" in self._masks:
            self._masks["lengths"] = "decoder_attention_mask"

    def flatten(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Inputs by name.

        >>> calling = CallingByName({"ids": 2, "lengths": 1}, {})
        >>> calling.flatten([1], {"lengths": 2})
        {'ids': 1, 'lengths': 2}
        """
        inputs = self.bind_data(args, kwargs)
        ids = next((inputs[n] for n in self.names if n.endswith("ids") and n in inputs), None)
        for name in self._masks:
            source = inputs.get("decoder_input_ids") if name == "lengths" else None
            if name not in inputs and ids is not None:
                inputs[name] = _make_full(ids if source is None else source)
        if "token_type_ids" in self.names and "token_type_ids" not in inputs:
            if ids is not None:
                inputs["token_type_ids"] = ids * 0 if is_torch(ids) else np.zeros_like(ids)
        return inputs

    def bind_data(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> dict[str, Any]:
        first = args[0] if len(args) == 1 else None
        if isinstance(first, Mapping):
            args, kwargs = [], {**first, **kwargs}
        if len(args) > len(self.names):
            raise Error(f"expected at most {len(self.names)} inputs, got {len(args)}")
        inputs = dict(zip(self.names, args, strict=False))
        masks = {mask: name for name, mask in self._masks.items()}
        for name, value in kwargs.items():
            if value is None:
                continue
            target = masks.get(name, name)
            if target in inputs:
                raise Error(f"got the input '{target}' twice")
            if target in self.names:
                inputs[target] = value
            elif name in ("attention_mask", "token_type_ids"):
                _check_nothing_said(name, value)
            else:
                raise Error(
                    f"expected the inputs {', '.join(self.names)}, got '{name}'"
                )
        for name, mask in self._masks.items():
            if name in inputs and np.ndim(inputs[name]) == 2:
                inputs[name] = measure_lengths(mask, inputs[name])
        return inputs

    def unflatten(self, outputs: Mapping[str, Any]) -> Any:
        return Results(
            (self._results.get(name, name), value) for name, value in outputs.items()
        )


def measure_lengths(name: str, mask: Any, *, hides: bool = False) -> Any:
    """Returns the lengths of a mask's rows, whose padding is behind the real tokens.

    >>> measure_lengths("mask", np.array([[1, 1, 0], [1, 0, 0]]))
    array([2, 1])
    """
    array = mask.detach() if is_torch(mask) else np.asarray(mask)
    if array.ndim != 2:
        got = "none" if mask is None else list(array.shape)
        raise Error(f"input '{name}': expected a mask [batch, tokens], got {got}")
    real = array == 0 if hides else array != 0
    lengths = real.sum(1)
    width = real.shape[1]
    if is_torch(mask):
        import torch

        positions: Any = torch.arange(width, device=real.device)
    else:
        positions, lengths = np.arange(width), lengths.astype(np.int64)
    if not bool((real == (positions < lengths[:, None])).all()):
        raise Error(
            f"input '{name}': expected the padding behind the real tokens "
            "(tokenizer.padding_side = 'right')"
        )
    return lengths


def _make_full(ids: Any) -> Any:
    """Returns lengths of rows without padding."""
    rows, tokens = np.shape(ids)[:2]
    if is_torch(ids):
        return ids.new_full((rows,), tokens)
    return np.full((rows,), tokens, np.int64)


def _check_nothing_said(name: str, value: Any) -> None:
    """Rejects an input that the model does not have and that would change results."""
    array = value if is_torch(value) else np.asarray(value)
    if name == "token_type_ids" and bool((array != 0).any()):
        raise Error(
            f"input '{name}': expected zeros, since the model was imported without "
            "types: from_pretrained(.., padding=True) takes them where it has any"
        )
    if name == "attention_mask" and bool((array == 0).any()):
        raise Error(
            f"input '{name}': expected no padding, since the model was imported "
            "without lengths of rows: from_pretrained(.., padding=True) takes them"
        )


def name_arguments(names: Iterable[str]) -> str:
    """Returns names for a message.

    >>> name_arguments(["x", "y"]), name_arguments([])
    ("'x', 'y'", 'none')
    """
    return ", ".join(f"'{name}'" for name in names) or "none"
