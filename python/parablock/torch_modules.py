# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`parablock.from_torch`."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch.export import ExportedProgram

from parablock.arguments import check_inputs, check_module, check_named
from parablock.decoding.cached_signature import CachedCalling, read_cached
from parablock.errors import Error
from parablock.frontend.cached_appends import has_caches, takes_caches
from parablock.frontend.export import export_module
from parablock.frontend.imported import Choices
from parablock.frontend.programs import import_raised, list_constants, read_program
from parablock.frontend.turning import find_problem
from parablock.model import ModelValue
from parablock.progress import show_progress
from parablock.public import Model
from parablock.rewriting import Imports
from parablock.weight_watch import ModuleWeights

if TYPE_CHECKING:
    from parablock._core import Module


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
            # The inputs may be no caches; the module is then imported as it is.
            unknown = problem
    place = find_problem(program)
    choices = Choices(keeps_masks=place is not None, computed=frozenset())
    with show_progress(f"recognising blocks of {name}"):
        try:
            model = Model(*read_program(program, choices, module), name)
        except Error as problem:
            # For a call without a past, the error of this import is the more useful one.
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
    with show_progress(f"recognising blocks of {name}"):
        graph, whole = read_cached(program)
        model = ModelValue(*read_program(whole.program, whole.choices), name)
    made, _ = model.add_caches()
    cached = made.find_unfused().clone()
    infos, arrays = model.list_weights()
    weights = {info.name: array for info, array in zip(infos, arrays, strict=True)}
    inputs = cached.get_signature().inputs
    calling = CachedCalling(program, graph, whole, inputs)
    source = ModuleWeights(module, weights, list_constants(program))
    return Model(cached, source, calling, name)


def _import_exactly(program: ExportedProgram, choices: Choices) -> Module:
    """Returns the blocks of a program, with the numbers of f64."""
    exact = dataclasses.replace(choices, exact=True)
    return import_raised(program, exact, "exact-numbers=true")[1]


def _import_narrowly(
    module: torch.nn.Module, args: Any, kwargs: Any, dynamic_shapes: Any, choices: Choices
) -> Module:
    """Returns the blocks of a module under autocast to bf16."""
    with torch.autocast("cpu", torch.bfloat16, cache_enabled=False):
        program = export_module(module, args, kwargs, dynamic_shapes)
    return import_raised(program, dataclasses.replace(choices, autocast=torch.bfloat16))[1]
