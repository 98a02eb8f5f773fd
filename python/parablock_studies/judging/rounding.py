# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random roundings, which show how large a rounding error can be."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import torch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.weak import WeakIdKeyDictionary

T = TypeVar("T")

#: How often roundings are drawn where one evaluation leaves something to explain.
DRAWS = 16

#: How often a result is the next number, up or down. Rounding to nearest has a variance of
#: 1/12 of a squared step, and this adds as much: twice it is what rounding up or down by
#: chance has, the nearer number the likelier.
_CHANCE = 1 / 12

#: A part of the unit of a type that takes any number to the next one, and no further.
_STEP = 0.6

#: Operations that move numbers, choose among them or make them of nothing.
_EXACT = frozenset(
    """abs amax amin arange argmax bernoulli cat clamp clone constant_pad_nd copy embedding
    empty eq expand fill flip full full_like gather index index_put index_select masked_fill
    max maximum min minimum neg new_empty new_full new_ones new_zeros ones ones_like relu repeat
    roll scalar_tensor scatter select_scatter slice_scatter sort stack topk tril triu where zero
    zeros zeros_like""".split()
)


class DrawnRoundings(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Moves some results of arithmetic to a neighbouring number, by a seed.

    What follows from whole numbers and constants alone stays what it is: positions,
    masks, buckets of distances, which a step would make other ones. So does what a model
    rounds to narrower types than its own, a choice of its code.
    """

    def __init__(self, seed: int, dtype: torch.dtype) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._coarsest = torch.finfo(dtype).eps
        self._random = random.Random(seed)
        self._constants: Any = WeakIdKeyDictionary()
        self._steps: dict[tuple[torch.dtype, torch.device], torch.Tensor] = {}

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        results = function(*args, **(kwargs or {}))
        made = _list_floats(results)
        if all(operand in self._constants for operand in _list_floats((args, kwargs))):
            for tensor in made:
                self._constants[tensor] = True
            return results
        for tensor in made:
            # A constant that was written to in place is no constant any more.
            self._constants.pop(tensor, None)
            if self._is_rounded(tensor.dtype) and _rounds(function, args):
                self._move(tensor)
        return results

    def _is_rounded(self, dtype: torch.dtype) -> bool:
        return (
            dtype in (torch.float32, torch.float16, torch.bfloat16)
            and torch.finfo(dtype).eps <= self._coarsest
        )

    def _move(self, tensor: torch.Tensor) -> None:
        count, key = tensor.numel(), (tensor.dtype, tensor.device)
        steps = self._steps.get(key)
        if steps is None or steps.numel() < count:
            steps = self._steps[key] = self._draw(max(2 * count, 1 << 14), *key)
        first = self._random.randint(0, steps.numel() - count)
        step = steps[first : first + count].view(tensor.shape)
        # Numbers at the end of the range stand for masks; zeros stay what they are.
        is_number = tensor.abs() < torch.finfo(tensor.dtype).max / 2
        tensor.copy_(torch.where(is_number, torch.addcmul(tensor, tensor, step), tensor))

    def _draw(self, count: int, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
        """Returns factors that move a number up, down or not."""
        generator = torch.Generator().manual_seed(self._random.getrandbits(32))
        draw = torch.rand(count, generator=generator)
        signs = (draw < _CHANCE / 2).float() - (draw > 1 - _CHANCE / 2).float()
        return (signs * _STEP * torch.finfo(dtype).eps).to(dtype).to(device)


class Drawn(Generic[T]):
    """Measurements of runs with drawn roundings, made on demand.

    >>> next(iter(Drawn(lambda: torch.ones(3) / 3, torch.numel, torch.float32)))
    3
    """

    def __init__(
        self, run: Callable[[], Any], measure: Callable[[Any], T], dtype: torch.dtype
    ) -> None:
        self._run, self._measure, self._dtype = run, measure, dtype
        self._known: list[T] = []

    def __iter__(self) -> Iterator[T]:
        for number in range(DRAWS):
            if number == len(self._known):
                with DrawnRoundings(number + 1, self._dtype):
                    results = self._run()
                # Only measures are kept, because a run has all values of a model.
                self._known.append(self._measure(results))
            yield self._known[number]


def _list_floats(tree: Any) -> list[torch.Tensor]:
    return [
        leaf
        for leaf in pytree.tree_leaves(tree)
        if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()
    ]


def _rounds(function: Any, args: Any) -> bool:
    schema = function._schema
    name = schema.name.partition("::")[2].rstrip("_").lstrip("_")
    if name == "to_copy":
        return bool(args[0].is_floating_point()) and args[0].element_size() > 2
    views = (result.alias_info for result in schema.returns)
    is_view = any(alias is not None and not alias.is_write for alias in views)
    return not is_view and name not in _EXACT
