# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keys and values of cross-attention, computed once; requires NumPy alone."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.compiled import pack_parameters
from parablock.copying import NotCopied
from parablock.decoding.spaces import Space, get_space, take_rows
from parablock.errors import Error
from parablock.interrupts import call_interruptibly
from parablock.progress import show_progress

if TYPE_CHECKING:
    from parablock.model import ModelValue
    from parablock.target import Target

Array = np.ndarray[Any, Any]


@dataclasses.dataclass(frozen=True)
class Memory:
    """Keys and values by name, [batch, rows, width], which do not change."""

    arrays: dict[str, Any]
    kind: str
    #: Rows of each batch row that there is something in.
    lengths: Array
    #: Number of the text of each batch row; beams of one text share a number.
    texts: Array
    #: The memory that they lie in.
    space: Space

    def take(self, rows: Array) -> Memory:
        """Replaces batch row i by `rows[i]`."""
        if np.array_equal(self.texts[rows], self.texts):
            return self
        arrays = {
            name: take_rows(self.space, array, self.kind, rows)
            for name, array in self.arrays.items()
        }
        return Memory(arrays, self.kind, self.lengths[rows], self.texts[rows], self.space)

    def describe(self) -> dict[str, Any]:
        """Returns the model's inputs, by name."""
        describe = self.space.describe
        tensors = {name: describe(array, self.kind) for name, array in self.arrays.items()}
        return {**tensors, "attention_mask": describe(self.lengths, "i64")}

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self.arrays.values())


class MemoryProgram(NotCopied):
    """Program that computes keys and values of hidden states, once for all tokens."""

    def __init__(self, model: ModelValue, target: Target) -> None:
        self._model, self._target = model.compute_memory().optimize(), target
        #: It reads the memory of weights as long as it runs.
        self._program: Any
        with show_progress(f"compiling for {target}"):
            signature, self._program, self._weights = call_interruptibly(
                self._model.make_program, target
            )
        self._space = get_space(self._program)
        taken = [info.name for info in signature.inputs]
        if taken != ["encoder_hidden_states"]:
            raise Error(
                "generation: expected keys and values of 'encoder_hidden_states' alone, got "
                f"such of {', '.join(taken)}"
            )
        self._outputs = [(info.name, info.shape[-1]) for info in signature.outputs]
        #: The element type of hidden states, keys and values.
        self.kind = signature.inputs[0].type
        self.width = signature.inputs[0].shape[-1]

    def refresh(self) -> None:
        """Packs the current weights."""
        weights = self._model.give_weights(self._target)
        call_interruptibly(pack_parameters, self._program, weights)
        self._weights = weights

    def read_bytes(self) -> dict[str, int]:
        """Returns bytes of the program on a device."""
        made: dict[str, int] = self._program.memory()
        return made

    def run(self, hidden: Array, lengths: Array) -> Memory:
        """Computes keys and values of hidden states [batch, rows, width]."""
        texts = _find_texts(hidden, lengths)
        once, batch = np.unique(texts), len(texts)
        own = np.ascontiguousarray(hidden[once])
        space = self._space
        shapes = [((*own.shape[:2], width), self.kind) for _, width in self._outputs]
        names = [name for name, _ in self._outputs]
        made = dict(zip(names, space.allocate(shapes), strict=True))
        inputs = [space.describe(own, self.kind)]
        outputs = [space.describe(array, self.kind) for array in made.values()]
        call_interruptibly(self._program.run, inputs, outputs)
        if len(once) < batch:
            places = np.searchsorted(once, texts)
            made = {n: take_rows(space, array, self.kind, places) for n, array in made.items()}
        return Memory(made, self.kind, lengths, texts, space)


def _find_texts(hidden: Array, lengths: Array) -> Array:
    """Returns for each row the first equal one beside it.

    >>> _find_texts(np.array([[1], [1], [2], [1]]), np.array([1, 1, 1, 1]))
    array([0, 0, 2, 3])
    """
    texts = np.arange(len(hidden))
    for row in range(1, len(hidden)):
        if lengths[row] == lengths[row - 1] and np.array_equal(hidden[row], hidden[row - 1]):
            texts[row] = texts[row - 1]
    return texts
