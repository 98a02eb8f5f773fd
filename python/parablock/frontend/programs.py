# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exported programs as IR whose blocks are recognised, with weights and a calling convention."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from torch.export import ExportedProgram

from parablock.errors import Error
from parablock.frontend.imported import Choices, Imported
from parablock.frontend.importer import import_program
from parablock.frontend.open_spellings import is_causal, spell_causal_masks
from parablock.frontend.placeholders import list_lifted
from parablock.frontend.places import describe_place
from parablock.frontend.signature import TorchCalling
from parablock.native import get_core_module
from parablock.weight_watch import ModuleWeights

if TYPE_CHECKING:
    from parablock._core import Module, TensorInfo
    from parablock.rewriting import WeightSource


def read_program(
    program: ExportedProgram,
    given: Choices | None = None,
    owner: torch.nn.Module | None = None,
) -> tuple[Module, WeightSource, TorchCalling]:
    """Returns IR, weights and calling convention of a program; `given` describes the inputs.

    With an `owner`, weights are read from that module when a model requests them.
    """
    given = given or Choices()
    imported, raised = import_raised(program, given)

    def find(info: TensorInfo) -> torch.Tensor:
        return imported.parameters[info.name]

    weights: WeightSource = find
    if owner is not None:
        weights = ModuleWeights(owner, imported.parameters, list_constants(program))
    known = {*given.weights, *given.constants}
    calling = TorchCalling(program, imported, known, given.weights)
    return raised, weights, calling


def list_constants(program: ExportedProgram) -> dict[str, torch.Tensor]:
    """Returns the buffers and other tensors that the program reads, by name."""
    # Buffers that each call overwrites need not keep their values.
    changed = set(program.graph_signature.buffers_to_mutate.values())
    return {
        each.name: each.value
        for each in list_lifted(program)
        if not each.is_parameter
        and each.node.users
        and each.name not in changed
        and isinstance(each.value, torch.Tensor)
    }


def import_raised(
    program: ExportedProgram, choices: Choices, *options: str
) -> tuple[Imported, Module]:
    """Returns the import of a program, and its module of recognised blocks.

    A table of open sizes that no block absorbs becomes an input if calls can compute it.
    """
    while True:
        nodes = list(program.graph_module.graph.nodes)
        imported = import_program(program, choices)
        try:
            return imported, _raise(imported, *options)
        except Error as problem:
            readers = _find_readers(nodes, problem) if imported.dims else []
            names = (imported.reads.get(node.name, ()) for node in readers)
            wanted: frozenset[str] = frozenset().union(*names)
            if choices.computed is not None and not wanted <= choices.computed:
                choices = dataclasses.replace(choices, computed=choices.computed | wanted)
            elif choices.computed is not None and any(map(is_causal, readers)):
                program = spell_causal_masks(program)
            elif readers:
                raise _name_place(readers[0], problem) from problem
            else:
                raise


def _find_readers(nodes: Sequence[torch.fx.Node], problem: Error) -> list[torch.fx.Node]:
    """Returns the operations at which two sizes of a program differ."""
    # The line of a place is the number of its operation; see importer.py.
    lines = [d.line for d in problem.diagnostics if d.severity == "error"]
    return [nodes[line] for line in lines if 0 < line < len(nodes)]


def _name_place(node: torch.fx.Node, problem: Error) -> Error:
    """Returns the error of an operation with its line of the model's code."""
    reason = next(d.message for d in problem.diagnostics if d.severity == "error")
    return Error(
        f"{describe_place(node)}: '{node.target}' of open sizes has no rule ({reason}): "
        "import the model at a known size",
        problem.diagnostics,
    )


def _raise(imported: Imported, *options: str) -> Module:
    """Recognises the blocks of an import."""
    core = get_core_module()
    module: Module = core.Module.parse(core.Context(), imported.text, "torch.export")
    if imported.dims:
        options = (*options, f"dims={','.join(imported.dims)}")
    module.run_passes(f"block-raise{{{' '.join(options)}}}" if options else "block-raise")
    return module
