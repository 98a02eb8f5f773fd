# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Placeholders of an exported graph: a call's inputs, and tensors of the module."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind


@dataclasses.dataclass(frozen=True)
class Lifted:
    """A tensor of the module that is an argument of its graph."""

    node: torch.fx.Node
    #: Its name in the module; "" for a token of effects.
    name: str
    is_parameter: bool
    #: None if the program has no such tensor.
    value: Any


def list_inputs(program: ExportedProgram) -> list[torch.fx.Node]:
    """Returns the inputs of a call in the order of its flattened arguments."""
    nodes = program.graph.find_nodes(op="placeholder")
    specs = program.graph_signature.input_specs
    pairs = zip(nodes, specs, strict=True)
    return [node for node, spec in pairs if spec.kind == InputKind.USER_INPUT]


def list_input_names(program: ExportedProgram) -> list[str]:
    """Returns the names of the inputs of a call, in order."""
    return [str(node.target) for node in list_inputs(program)]


def list_lifted(program: ExportedProgram) -> list[Lifted]:
    """Returns the other placeholders, which precede the inputs."""
    nodes = program.graph.find_nodes(op="placeholder")
    specs = program.graph_signature.input_specs
    return [
        Lifted(
            node,
            spec.target or "",
            spec.kind == InputKind.PARAMETER,
            find_tensor(program, spec.target or ""),
        )
        for node, spec in zip(nodes, specs, strict=True)
        if spec.kind != InputKind.USER_INPUT
    ]


def find_tensor(program: ExportedProgram, name: str) -> Any:
    """Returns a parameter, a buffer or another tensor of the module by its name."""
    return program.state_dict.get(name, program.constants.get(name))
