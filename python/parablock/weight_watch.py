# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Detection of changes of a module's tensors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from parablock.errors import Error
from parablock.tensors import refuse_indirect

if TYPE_CHECKING:
    from parablock._core import TensorInfo

#: Elements of a tensor that are looked at.
_SAMPLES = 16

#: Where a module keeps a tensor: one of its dictionaries, and the name there.
Place = tuple[Mapping[str, Any], str]


class TensorState:
    """Address, layout, version and some elements of a tensor.

    PyTorch does not count changes of `tensor.data` or through NumPy, so some elements are
    compared, too: a change of all elements is detected, one of a few may be missed.
    """

    def __init__(self, tensor: torch.Tensor) -> None:
        self._place = _describe_place(tensor)
        self._samples = _view_samples(tensor)
        #: Key that differs for different states, as long as the memory is held.
        self.key = (*self._place, self._samples.tobytes())

    def holds(self, tensor: torch.Tensor) -> bool:
        """Returns whether the memory is still the tensor's."""
        # Memory of another place may be gone: it is not looked at.
        return (
            _describe_place(tensor) == self._place
            and self._samples.tobytes() == self.key[-1]
        )


def _describe_place(tensor: torch.Tensor) -> tuple[Any, ...]:
    # A tensor that was made under inference_mode has no version.
    version = 0 if tensor.is_inference() else tensor._version
    return tensor.data_ptr(), version, tensor.dtype, tensor.shape, tensor.stride()


class _Memory:
    """Memory that NumPy reads without holding a reference, so it can be freed."""

    def __init__(self, address: int, count: int, step: int, size: int) -> None:
        self.__array_interface__ = {
            "version": 3,
            "data": (address, True),
            "shape": (count,),
            "strides": (step * size,),
            "typestr": f"|V{size}",
        }


def _view_samples(tensor: torch.Tensor) -> np.ndarray[Any, Any]:
    """Returns a view of samples from the first to the last element."""
    is_memory = type(tensor) in (torch.Tensor, torch.nn.Parameter)
    if not is_memory or tensor.device.type != "cpu" or not tensor.numel():
        return np.empty(0)
    reach = sum(
        (size - 1) * stride
        for size, stride in zip(tensor.shape, tensor.stride(), strict=True)
    )
    size = tensor.element_size()
    if tensor.untyped_storage().nbytes() < (tensor.storage_offset() + reach + 1) * size:
        return np.empty(0)
    count = min(_SAMPLES, reach + 1)
    step = reach // (count - 1) if count > 1 else 1
    return np.asarray(_Memory(tensor.data_ptr(), count, step, size))


class WeightWatch:
    """A watch on tensors in place, a few microseconds each."""

    def __init__(
        self, places: Sequence[Place], before: Callable[[], None] | None = None
    ) -> None:
        """`before` is called first and may skip the check."""
        self._places = list(places)
        self._before = before
        self._states = [TensorState(place[name]) for place, name in self._places]
        self._lock = threading.Lock()

    def refresh_where_changed(self, refresh: Callable[[], None]) -> None:
        """Calls `refresh` if a tensor has changed since the last call; other threads wait."""
        if self._before is not None:
            self._before()
        with self._lock:
            if changed := self._find_changed():
                refresh()
                self._states = [
                    changed.get(number, state) for number, state in enumerate(self._states)
                ]

    def _find_changed(self) -> dict[int, TensorState]:
        changed = {}
        for number, (place, name) in enumerate(self._places):
            now, before = place.get(name), self._states[number]
            # Of one that is gone, who reads it says so.
            if now is None:
                changed[number] = before
            elif not before.holds(now):
                changed[number] = TensorState(now)
        return changed


def list_places(module: torch.nn.Module) -> list[Place]:
    """Returns the places of a module's parameters, so replaced ones are detected, too."""
    return [
        (inner._parameters, name)
        for inner in module.modules()
        for name, parameter in inner._parameters.items()
        if parameter is not None
    ]


class ModuleTree:
    """The modules within a module, whose forward became the program."""

    def __init__(self, module: torch.nn.Module) -> None:
        self._inner = [
            (inner, dict(inner._modules), path) for path, inner in module.named_modules()
        ]

    def check(self) -> None:
        """Rejects a module that was replaced, added or removed."""
        for inner, before, path in self._inner:
            now = inner._modules
            if len(now) == len(before) and all(now.get(name) is each for name, each in before.items()):
                continue
            name = next(name for name in {**before, **now} if now.get(name) is not before.get(name))
            was = "another module than" if name in before else "a module that was not there"
            place = f"{path}.{name}" if path else name
            raise Error(
                f"'{place}' is {was} when the module became the program: import the module again"
            )


class ModuleWeights:
    """Current weights of a module by their names in the IR.

    Buffers became numbers of the program, and modules its operations, so another one is
    an error.
    """

    def __init__(
        self,
        module: torch.nn.Module,
        parameters: Mapping[str, torch.Tensor],
        constants: Mapping[str, torch.Tensor],
    ) -> None:
        #: Places by name. Tied weights have several; a tensor outside of modules has its own.
        self._places: dict[str, list[Place]] = {}
        #: Types, shapes and devices of the parameters at import.
        self._imported = {
            name: (tensor.dtype, tensor.shape, tensor.device)
            for name, tensor in parameters.items()
        }
        by_tensor: dict[int, list[Place]] = {}
        for place, name in list_places(module):
            by_tensor.setdefault(id(place[name]), []).append((place, name))
        named: dict[int, list[str]] = {}
        for name, parameter in module.named_parameters(remove_duplicate=False):
            named.setdefault(id(parameter), []).append(name)
        #: All names of each parameter: checkpoints have a tied weight by one of them.
        self._names = {name: named.get(id(tensor), [name]) for name, tensor in parameters.items()}
        for name, tensor in parameters.items():
            own: Place = ({name: tensor}, name)
            self._places[name] = by_tensor.get(id(tensor), [own])
        self._constants = [
            _Constant(name, _find_constant(module, name, tensor))
            for name, tensor in constants.items()
            if not _grows(module, name)
        ]
        self._tree = ModuleTree(module)

    def __call__(self, info: TensorInfo) -> torch.Tensor:
        expected = self._imported[info.name]
        found = [place.get(key) for place, key in self._places[info.name]]
        if any(each is not found[0] for each in found):
            raise Error(f"'{info.name}' is not tied any more: import the module again")
        now: torch.Tensor | None = found[0]
        found_now = None if now is None else (now.dtype, now.shape, now.device)
        if now is None or found_now != expected:
            raise Error(
                f"'{info.name}': expected {_describe(*expected)}, as it was imported, got "
                f"{_describe(*found_now) if found_now else 'none'}: import the module again"
            )
        refuse_indirect(f"'{info.name}'", now)
        return now

    def list_names(self, name: str) -> list[str]:
        """Returns all names of a tied parameter."""
        return self._names.get(name, [name])

    def watch(self, infos: Sequence[TensorInfo]) -> WeightWatch:
        """Returns a watch on these weights."""
        places = [place for info in infos for place in self._places[info.name]]
        return WeightWatch(places, self.check)

    def check(self) -> None:
        """Rejects a buffer that has changed, and a module that was replaced."""
        self._tree.check()
        for constant in self._constants:
            constant.check()


class _Constant:
    """A tensor of the module that became a part of the program."""

    def __init__(self, name: str, place: Place) -> None:
        self._name = name
        self._place = place
        tensor = place[0][place[1]]
        self._value = tensor.detach().clone()
        self._state = TensorState(tensor)

    def check(self) -> None:
        now = self._place[0].get(self._place[1])
        if isinstance(now, torch.Tensor):
            if self._state.holds(now):
                return
            if _holds_all(now, self._value):
                self._state = TensorState(now)
                return
        raise Error(
            f"'{self._name}' has changed since the module was imported, when it became a "
            "part of the program: import the module again"
        )


def _find_constant(module: torch.nn.Module, name: str, tensor: torch.Tensor) -> Place:
    """Returns the module's place of the tensor, or a place for it alone."""
    path, _, last = name.rpartition(".")
    try:
        inner = module.get_submodule(path)
    except AttributeError:
        return {name: tensor}, name
    places: tuple[Mapping[str, Any], ...] = (inner._buffers, inner.__dict__)
    return next(((p, last) for p in places if p.get(last) is tensor), ({name: tensor}, name))


def _grows(module: torch.nn.Module, name: str) -> bool:
    """Returns whether a tensor is rotation frequencies that a long call changes."""
    try:
        inner = module.get_submodule(name.rpartition(".")[0])
    except AttributeError:
        return False
    return getattr(inner, "rope_type", None) in ("dynamic", "longrope")


def _holds_all(now: torch.Tensor, before: torch.Tensor) -> bool:
    """Returns whether a tensor is unchanged, or a longer table with the same content.

    Code that keeps masks and tables for the longest text so far makes larger ones.
    """
    kinds = [(each.dtype, each.device, each.dim()) for each in (now, before)]
    fits = all(size >= old for size, old in zip(now.shape, before.shape, strict=False))
    if kinds[0] != kinds[1] or not fits:
        return False
    part = now[tuple(slice(size) for size in before.shape)]
    return bool(((part == before) | ((part != part) & (before != before))).all())


def _describe(dtype: torch.dtype, shape: torch.Size, device: torch.device) -> str:
    where = f" on {device}" if device.type != "cpu" else ""
    return f"{dtype} {list(shape)}{where}"
