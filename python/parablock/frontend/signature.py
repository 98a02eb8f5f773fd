# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calling convention and result structure of a module."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree

from parablock.calling import SEED, name_arguments
from parablock.errors import Error
from parablock.frontend.guards import InputGuards
from parablock.frontend.imported import Imported, OutputName
from parablock.frontend.placeholders import list_input_names
from parablock.frontend.turning import Turner


class TorchCalling:
    """The calling convention of an exported program."""

    def __init__(
        self,
        program: ExportedProgram,
        imported: Imported,
        known: Collection[int] = (),
        weights: Collection[int] = (),
    ) -> None:
        """`known` are numbers of inputs that are no matter of a call, `weights` of them."""
        self._in_spec = program.call_spec.in_spec
        self._out_spec = program.call_spec.out_spec
        self._imported = imported
        self._masks = imported.masks
        self._turner = Turner(program, imported.masks, weights)
        #: How the call that a thread is in was turned.
        self._calls = threading.local()
        self._guards = InputGuards(program, known)
        #: Of the arguments in order.
        self._names = _name_positional(program)

    def flatten(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        flat = self._flatten(args, kwargs)
        self._guards.check(flat)
        flat = self._turn(flat)
        for check in self._imported.checks:
            check.check(flat.__getitem__)
        inputs = {name: flat[i] for name, i in self._imported.inputs.items()}
        for mask in self._masks:
            inputs[mask.name] = mask.measure(flat[mask.position])
        if self._imported.size_inputs is not None:
            inputs.update(self._imported.size_inputs.compute(flat.__getitem__))
        if self._imported.drops:
            # As torch.manual_seed says, and another one for every call.
            inputs[SEED] = torch.randint(1 << 53, (1,))
        return inputs

    def bind_data(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> dict[str, Any]:
        inputs = self._imported.inputs
        masks = {mask.name: mask for mask in self._masks}
        if args:
            flat = self._turn(self._flatten(args, kwargs))
            given = {name: flat[i] for name, i in inputs.items()}
            given.update({mask.name: flat[mask.position] for mask in self._masks})
        else:
            given = dict(kwargs)
        for name, value in given.items():
            if name not in inputs and name not in masks:
                names = name_arguments(dict.fromkeys([*inputs, *masks]))
                raise Error(f"expected some of the inputs {names}, got '{name}'")
            if name in masks and np.ndim(value) == 2:
                given[name] = masks[name].measure(value)
        return given

    def _flatten(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Returns leaves in the order of the example inputs."""
        first = args[0] if len(args) == 1 and not kwargs else None
        if isinstance(first, Mapping):
            # A tokenizer's dictionary, unless the module takes one itself.
            if pytree.tree_structure(((first,), {})) != self._in_spec:
                args, kwargs = [], first
        args, kwargs = self._order(args, kwargs)
        flat, spec = pytree.tree_flatten((args, kwargs))
        if spec == self._in_spec:
            return flat
        wanted = self._in_spec.children()
        parts = [
            *zip(self._names, wanted[0].children(), args, strict=True),
            *zip(kwargs, wanted[1].children(), kwargs.values(), strict=True),
        ]
        for name, expected, value in parts:
            if pytree.tree_structure(value) != expected:
                raise Error(
                    f"input '{name}': expected {_describe(expected)}, "
                    f"got {_describe(pytree.tree_structure(value))}"
                )
        raise Error("expected arguments nested as in the example inputs")

    def _order(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Returns arguments in the form of the example inputs: in order, and by name."""
        in_order, by_name = self._in_spec.children()
        keywords = list(by_name.context)
        names = [*self._names, *keywords]
        if len(args) > len(names):
            raise Error(
                f"expected at most {len(names)} inputs ({name_arguments(names)}), "
                f"got {len(args)}"
            )
        given = dict(zip(names, args, strict=False))
        for name, value in kwargs.items():
            if name in given:
                raise Error(f"got the input '{name}' twice")
            if name in names:
                given[name] = value
            elif value is not None:
                raise Error(
                    f"expected the inputs {name_arguments(names)} as in the example "
                    f"inputs, got '{name}': import the module with it to pass it"
                )
        missing = [name for name in names if name not in given]
        if missing:
            raise Error(
                f"expected the inputs {name_arguments(names)} as in the example "
                f"inputs, got no {name_arguments(missing)}"
            )
        return (
            tuple(given[name] for name in self._names),
            {name: given[name] for name in keywords},
        )

    def _turn(self, flat: Sequence[Any]) -> list[Any]:
        """Returns inputs whose padding is behind the real tokens of each row."""
        turned, self._calls.turn = self._turner.turn(flat)
        return turned

    def unflatten(self, outputs: Mapping[str, Any]) -> Any:
        results = [_get_result(output, outputs) for output in self._imported.outputs]
        turn = getattr(self._calls, "turn", None)
        if turn is not None:
            results = [
                turn.undo(result) if is_turned else result
                for result, is_turned in zip(results, turn.results, strict=True)
            ]
        return self._unflatten(results)

    def _unflatten(self, flat: Sequence[Any]) -> Any:
        return pytree.tree_unflatten(flat, self._out_spec)


def _name_positional(program: ExportedProgram) -> list[str]:
    """Returns the names of positional arguments of the example inputs.

    Exporting names placeholders after parameters, and leaves of what is nested
    after the parameter with their place behind it.
    """
    names, leaves = [], list_input_names(program)
    for number, argument in enumerate(program.call_spec.in_spec.children()[0].children()):
        own, leaves = leaves[: argument.num_leaves], leaves[argument.num_leaves :]
        names.append(own[0] if argument.is_leaf() and own else f"argument {number}")
    return names


def _describe(spec: pytree.TreeSpec) -> str:
    """Describes a place of the arguments."""
    if spec.is_leaf():
        return "one value"
    kind = "None" if spec.type is type(None) else spec.type.__name__
    count = len(spec.children())
    return f"{kind} of {count}" if count else kind


def _get_result(output: Any, outputs: Mapping[str, Any]) -> Any:
    """Returns an output by its name, or a copy of a constant."""
    if isinstance(output, OutputName):
        return outputs[output]
    return output.clone() if isinstance(output, torch.Tensor) else output
