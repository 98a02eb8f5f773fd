# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts of a graph that are blocks.

The graph is imported with holes in place of operations without a rule, and raised.
PyTorch runs the holes and the operations that stay in other dialects. The rest is divided
into regions, and each region is a model of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import OutputKind
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase
from torch.utils import _pytree as pytree

from parablock.backend.layouts import find_base, list_partly_read
from parablock.errors import Error
from parablock.frontend.imported import Choices, Probe
from parablock.frontend.importer import probe_program
from parablock.frontend.placeholders import list_lifted
from parablock.native import get_core_module

#: Makes the module that runs a region from its graph, and from the numbers of its inputs
#: that are weights or constants.
RegionMaker = Callable[[torch.fx.GraphModule, set[int], set[int]], torch.nn.Module]


class SplitGraph:
    """A graph whose regions are calls of the results of `make`."""

    def __init__(
        self, program: ExportedProgram, choices: Choices, make: RegionMaker
    ) -> None:
        _refuse_changes(program)
        self._out_spec = program.call_spec.out_spec
        self._lifted = [each.value for each in list_lifted(program)]
        probe = probe_program(program, choices)
        left = _find_left(program.graph_module, probe)
        for node in list_partly_read(program.graph):
            left.setdefault(node, f"'{node.target}': its memory is read beyond a view of it")
        #: Why operations were left, and how many run by PyTorch.
        self.reasons = sorted({*probe.holes.values(), *left.values()})
        graph = program.graph_module
        roles = _get_roles(graph, len(self._lifted), choices.weights)
        copies = _fold(graph, probe.constants)
        split = _partition(graph, {*probe.holes, *left, *copies})
        self.regions = _replace_regions(split, roles, make)
        self._graph = split
        self.eager_operations = sum(n.op == "call_function" for n in split.graph.nodes)

    def __call__(self, *args: Any) -> Any:
        flat = self._graph(*self._lifted, *args)
        return pytree.tree_unflatten(list(flat), self._out_spec)


def _refuse_changes(program: ExportedProgram) -> None:
    """Rejects parts that change tensors in place."""
    for spec in program.graph_signature.output_specs:
        if spec.kind != OutputKind.USER_OUTPUT:
            raise Error(f"the graph changes '{spec.target}' in place")


def _find_left(graph: torch.fx.GraphModule, probe: Probe) -> dict[Any, str]:
    """Returns operations outside of blocks."""
    core = get_core_module()
    module = core.Module.parse(core.Context(), probe.text, "torch.compile")
    module.run_passes("block-raise")
    nodes = list(graph.graph.nodes)
    return {
        nodes[entry["line"]]: f"not recognised: '{nodes[entry['line']].target}'"
        for entry in json.loads(module.list_unrecognised())
        if 0 < entry.get("line", 0) < len(nodes) and not entry["prepares"]
    }


def _get_roles(
    graph: torch.fx.GraphModule, lifted: int, weights: Mapping[int, torch.Tensor]
) -> set[str]:
    """Returns the names of the placeholders that are weights."""
    inputs = [node for node in graph.graph.nodes if node.op == "placeholder"][lifted:]
    return {node.name for number, node in enumerate(inputs) if number in weights}


def _fold(
    graph: torch.fx.GraphModule, constants: Mapping[torch.fx.Node, torch.Tensor]
) -> list[torch.fx.Node]:
    """Replaces computations of constants by their values; returns the copies of such values.

    What a call returns may be written to, so it is a copy, and views of it are computed.
    """
    output = next(node for node in reversed(graph.graph.nodes) if node.op == "output")
    returned = {find_base(node) for node in output.all_input_nodes}
    returned = {base for base in returned if base.op == "call_function"}
    views = {node for node in constants if node not in returned and find_base(node) in returned}
    copies = []
    for number, (node, tensor) in enumerate(constants.items()):
        if not node.users or node.op == "output" or node in views:
            continue
        name = f"_constant{number}"
        graph.register_buffer(name, tensor, persistent=False)
        with graph.graph.inserting_after(node):
            read = graph.graph.get_attr(name)
        read.meta["val"] = tensor
        if node in returned:
            with graph.graph.inserting_after(read):
                read = graph.graph.call_function(torch.ops.aten.clone.default, (read,))
            read.meta["val"] = tensor
            copies.append(read)
        node.replace_all_uses_with(read)
    graph.graph.eliminate_dead_code()
    graph.recompile()
    return copies


class _Support(OperatorSupportBase):
    def __init__(self, left: set[str]) -> None:
        self.left = left

    def is_node_supported(
        self, submodules: Mapping[str, torch.nn.Module], node: torch.fx.Node
    ) -> bool:
        return node.op == "call_function" and node.name not in self.left


def _partition(
    graph: torch.fx.GraphModule, left: set[torch.fx.Node]
) -> torch.fx.GraphModule:
    names = {node.name for node in left}
    # A part of a result belongs to the operation that gives it.
    for node in graph.graph.nodes:
        if getattr(node.target, "__name__", "") == "getitem":
            if node.all_input_nodes[0].name in names:
                names.add(node.name)
    partitioner = CapabilityBasedPartitioner(
        graph, _Support(names), allows_single_node_partition=True
    )
    return partitioner.partition_and_fuse()


def _replace_regions(
    graph: torch.fx.GraphModule, weights: set[str], make: RegionMaker
) -> list[torch.nn.Module]:
    regions = []
    for node in graph.graph.nodes:
        if node.op != "call_module":
            continue
        inner = graph.get_submodule(str(node.target))
        if not isinstance(inner, torch.fx.GraphModule):
            continue
        sources: Sequence[Any] = node.args
        region = make(
            inner,
            {i for i, a in enumerate(sources) if getattr(a, "name", "") in weights},
            {i for i, a in enumerate(sources) if getattr(a, "op", "") == "get_attr"},
        )
        setattr(graph, str(node.target), region)
        regions.append(region)
    return regions
