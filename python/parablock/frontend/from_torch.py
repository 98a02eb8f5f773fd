# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`parablock.from_torch`."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind

from parablock.arguments import check_inputs, check_module, check_named
from parablock.errors import Error
from parablock.frontend.cached_appends import has_caches, takes_caches
from parablock.frontend.export import export_module
from parablock.frontend.imported import Choices, Imported
from parablock.frontend.importer import import_program
from parablock.frontend.signature import TorchCalling
from parablock.frontend.turning import find_problem
from parablock.model import Model
from parablock.native import get_core_module
from parablock.progress import show_progress
from parablock.rewriting import Imports
from parablock.weight_watch import ModuleWeights

if TYPE_CHECKING:
    from parablock._core import Module, TensorInfo
    from parablock.rewriting import WeightSource


def import_module(
    module: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    dynamic_shapes: Any,
) -> Model:
    """Exports and imports a module, and recognises its blocks."""
    check_module("module", module)
    check_inputs("example_inputs", args)
    check_named("example_kwargs", kwargs)
    name = type(module).__name__
    with show_progress(f"exporting {name}"):
        program = export_module(module, args, kwargs, dynamic_shapes)
    unknown: Exception | None = None
    if has_caches(program):
        try:
            return _import_cached(module, program, name)
        except Exception as problem:
            # What looks like a cache may be something else, and be known as that.
            unknown = problem
    place = find_problem(program)
    choices = Choices(keeps_masks=place is not None, computed=frozenset())
    with show_progress(f"recognising blocks of {name}"):
        try:
            model = model_from_program(program, name, choices, owner=module)
        except Error as problem:
            # Of a call without a past, what was in the way of it as a whole says more.
            is_past = unknown is not None and takes_caches(program)
            raise (unknown if is_past else place) or problem from None
    exactly = functools.partial(_import_exactly, program, choices)
    narrowly = functools.partial(
        _import_narrowly, module, tuple(args), dict(kwargs), dynamic_shapes, choices
    )
    model.keep_owner(module, Imports(exactly, narrowly))
    return model


def _import_cached(module: torch.nn.Module, program: ExportedProgram, name: str) -> Model:
    """Returns the model as a function of new tokens and caches."""
    from parablock.decoding.cached_signature import CachedCalling, read_cached

    with show_progress(f"recognising blocks of {name}"):
        graph, whole = read_cached(program)
        model = model_from_program(whole.program, name, whole.choices)
    made, _ = model.add_caches()
    cached = made.find_unfused().clone()
    infos, arrays = model.list_weights()
    weights = {info.name: array for info, array in zip(infos, arrays, strict=True)}
    inputs = cached.get_signature().inputs
    calling = CachedCalling(program, graph, whole, inputs)
    source = ModuleWeights(module, weights, _list_constants(program))
    return Model(cached, source, calling, name)


def _import_exactly(program: ExportedProgram, choices: Choices) -> Module:
    """Returns the blocks of a program, with the numbers of f64."""
    exact = dataclasses.replace(choices, exact=True)
    return _import_raised(program, exact, "exact-numbers=true")[1]


def _import_narrowly(
    module: torch.nn.Module, args: Any, kwargs: Any, dynamic_shapes: Any, choices: Choices
) -> Module:
    """Returns the blocks of a module under autocast to bf16."""
    with torch.autocast("cpu", torch.bfloat16, cache_enabled=False):
        program = export_module(module, args, kwargs, dynamic_shapes)
    return _import_raised(program, dataclasses.replace(choices, autocast=True))[1]


def model_from_program(
    program: ExportedProgram,
    name: str,
    given: Choices | None = None,
    owner: torch.nn.Module | None = None,
) -> Model:
    """Returns the model of an exported program; `given` describes the inputs.

    Weights are those that the `owner` has when they are asked for, if there is one.
    """
    given = given or Choices()
    imported, raised = _import_raised(program, given)

    def find(info: TensorInfo) -> torch.Tensor:
        return imported.parameters[info.name]

    weights: WeightSource = find
    if owner is not None:
        weights = ModuleWeights(owner, imported.parameters, _list_constants(program))
    known = {*given.weights, *given.constants}
    calling = TorchCalling(program, imported, known, given.weights)
    return Model(raised, weights, calling, name)


def _list_constants(program: ExportedProgram) -> dict[str, torch.Tensor]:
    """Returns the buffers and other tensors that the program reads, by name."""
    signature = program.graph_signature
    nodes = program.graph.find_nodes(op="placeholder")
    kinds = (InputKind.BUFFER, InputKind.CONSTANT_TENSOR)
    names = {
        spec.target
        for node, spec in zip(nodes, signature.input_specs, strict=True)
        if spec.kind in kinds and node.users and spec.target is not None
    }
    # What each call computes anew is nothing that has to stay.
    names -= set(signature.buffers_to_mutate.values())
    known = {**program.constants, **program.state_dict}
    return {name: known[name] for name in names if isinstance(known.get(name), torch.Tensor)}


def _import_raised(
    program: ExportedProgram, choices: Choices, *options: str
) -> tuple[Imported, Module]:
    """A program, and its blocks.

    A table of open sizes that no block takes in is an input instead, where calls can
    compute it.
    """
    nodes = list(program.graph_module.graph.nodes)
    while True:
        imported = import_program(program, choices)
        try:
            return imported, _raise(imported, *options)
        except Error as problem:
            wanted = _find_computed(nodes, imported, problem)
            if choices.computed is None or wanted <= choices.computed:
                raise
            choices = dataclasses.replace(choices, computed=choices.computed | wanted)


def _find_computed(
    nodes: Sequence[torch.fx.Node], imported: Imported, problem: Error
) -> frozenset[str]:
    """Constants that are read where two sizes of a program differ."""
    # The line of a place is the number of its operation; see importer.py.
    lines = {d.line for d in problem.diagnostics if d.severity == "error"}
    readers = [nodes[line].name for line in lines if 0 < line < len(nodes)]
    return frozenset().union(*(imported.reads.get(name, ()) for name in readers))


def _raise(imported: Imported, *options: str) -> Module:
    """Recognises the blocks of an import."""
    core = get_core_module()
    module: Module = core.Module.parse(core.Context(), imported.text, "torch.export")
    if imported.dims:
        options = (*options, f"dims={','.join(imported.dims)}")
    module.run_passes(f"block-raise{{{' '.join(options)}}}" if options else "block-raise")
    return module
