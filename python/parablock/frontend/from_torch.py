# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`parablock.from_torch`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch.export import ExportedProgram

from parablock.errors import Error
from parablock.frontend.export import export_module
from parablock.frontend.imported import Choices, Imported
from parablock.frontend.importer import import_program
from parablock.frontend.padding import find_masks
from parablock.frontend.signature import TorchCalling
from parablock.frontend.sizes import choose_sizes, get_dimension_names
from parablock.model import Model
from parablock.native import get_core_module
from parablock.progress import show_progress

if TYPE_CHECKING:
    from parablock._core import Context, Module, TensorInfo


def import_module(
    module: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    dynamic_shapes: Any,
) -> Model:
    """Exports, imports and raises a module."""
    if isinstance(args, torch.Tensor | Mapping | str):
        raise Error(
            "example_inputs: expected a tuple of the module's arguments, got "
            f"{type(args).__name__}: one argument is (x,), names are example_kwargs="
        )
    name = type(module).__name__
    with show_progress(f"exporting {name}"):
        program = export_module(module, args, kwargs, dynamic_shapes)
    with show_progress(f"recognising blocks of {name}"):
        return model_from_program(program, name)


def model_from_program(
    program: ExportedProgram,
    name: str,
    given: Choices | None = None,
) -> Model:
    """The model of an exported program; `given` says what inputs are."""
    given = dataclasses.replace(given or Choices(), masks=find_masks(program))
    imported, raised = _raise_program(program, given)
    parameters = imported.parameters

    def find(info: TensorInfo) -> torch.Tensor:
        return parameters[info.name]

    known = {*given.weights, *given.constants}
    calling = TorchCalling(program, imported, known)
    return Model(raised, find, calling, name)


def _raise_program(
    program: ExportedProgram, given: Choices
) -> tuple[Imported, Module]:
    """The program at its own size, or at any that it was exported for."""
    context = get_core_module().Context()
    variants = [
        _import(program, dataclasses.replace(given, sizes=sizes), context)
        for sizes in choose_sizes(program)
    ]
    imported, raised = variants[0]
    if len(variants) > 1:
        raised.open_sizes(variants[1][1], get_dimension_names(program))
    return imported, raised


def _import(
    program: ExportedProgram, choices: Choices, context: Context
) -> tuple[Imported, Module]:
    imported = import_program(program, choices)
    module = get_core_module().Module.parse(context, imported.text, "torch.export")
    module.run_passes("block-raise")
    return imported, module
