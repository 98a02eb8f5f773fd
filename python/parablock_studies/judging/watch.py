# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments and results of a model's parts, recorded or replaced by hooks."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from parablock_studies.judging.trees import copy_tensors, list_tensors, put_tensors


@dataclasses.dataclass
class Call:
    """One call of a part. `arguments` are positional and named ones."""

    name: str
    number: int
    arguments: tuple[Any, Any]
    results: list[torch.Tensor]

    @property
    def key(self) -> tuple[str, int]:
        return self.name, self.number

    @property
    def inputs(self) -> list[torch.Tensor]:
        return list_tensors(self.arguments)


class MismatchError(Exception):
    """A run whose parts get other arguments than the recorded run's."""


@contextlib.contextmanager
def record(model: torch.nn.Module, names: Sequence[str]) -> Iterator[list[Call]]:
    """Records calls of the parts that are modules of `model`, in order."""
    with _Watcher(model, names, {}) as watcher:
        yield watcher.calls


@contextlib.contextmanager
def replay(model: torch.nn.Module, calls: Sequence[Call]) -> Iterator[list[Call]]:
    """Runs parts with their recorded arguments, and passes on the recorded results.

    So no error of a part reaches another one. Recorded are the inputs that the model's own
    code passed to each part, and the results of this part for the given inputs.
    """
    forced = {call.key: call for call in calls}
    names = list(dict.fromkeys(call.name for call in calls))
    with _Watcher(model, names, forced) as watcher:
        yield watcher.calls


class _Watcher:
    def __init__(
        self,
        model: torch.nn.Module,
        names: Sequence[str],
        forced: Mapping[tuple[str, int], Call],
    ) -> None:
        self.calls: list[Call] = []
        self._forced = forced
        self._modules = {name: model.get_submodule(name) for name in names}
        self._counts = dict.fromkeys(names, 0)
        self._open: list[Call] = []
        self._handles: list[Any] = []

    def __enter__(self) -> _Watcher:
        for name, module in self._modules.items():
            self._handles += [
                module.register_forward_pre_hook(self._make_begin(name), with_kwargs=True),
                module.register_forward_hook(self._make_end(name)),
            ]
        return self

    def __exit__(self, *_: object) -> None:
        for handle in self._handles:
            handle.remove()

    def _make_begin(self, name: str) -> Callable[..., Any]:
        def begin(_: Any, args: Any, kwargs: Any) -> Any:
            call = Call(name, self._counts[name], copy_tensors((args, kwargs)), [])
            self._counts[name] += 1
            self._open.append(call)
            forced = self._forced.get(call.key)
            if forced is None:
                return None
            return _put((args, kwargs), forced.inputs, name)

        return begin

    def _make_end(self, name: str) -> Callable[..., Any]:
        def end(_module: Any, _args: Any, results: Any) -> Any:
            call = self._open.pop()
            call.results = [tensor.detach().clone() for tensor in list_tensors(results)]
            self.calls.append(call)
            forced = self._forced.get(call.key)
            return None if forced is None else _put(results, forced.results, name)

        return end


def _put(tree: Any, tensors: list[torch.Tensor], name: str) -> Any:
    """Returns the structure with other numbers, in the present types."""
    own = list_tensors(tree)
    if [tensor.shape for tensor in own] != [tensor.shape for tensor in tensors]:
        raise MismatchError(f"'{name}' has to do with tensors of other shapes there")
    pairs = zip(own, tensors, strict=True)
    return put_tensors(tree, [tensor.to(like, copy=True) for like, tensor in pairs])
