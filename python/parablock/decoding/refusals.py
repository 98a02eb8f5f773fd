# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors for unsupported decoders, raised before export or at the offending submodule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from transformers import PreTrainedModel
from transformers.cache_utils import DummyLayer, DynamicLayer, DynamicSlidingWindowLayer

from parablock.decoding.conventions import read_cache
from parablock.errors import Error
from parablock.frontend.imported import UnknownOperation

#: Caches of layers that hold keys and values of tokens alone, or those of another layer.
_KNOWN_CACHES = (DynamicLayer, DynamicSlidingWindowLayer, DummyLayer)
#: Names in results of states other than caches of keys and values.
_STATES = ("cache_params", "state", "mems", "past_buckets_states")


class UnknownPart(Error):
    """An unsupported part of a module."""

    def __init__(self, message: str, problem: Error, part: torch.nn.Module) -> None:
        super().__init__(message, problem.diagnostics)
        self.part = part


@torch.no_grad()
def check_caches(
    module: Any, tokens: str = "input_ids", given: Mapping[str, Any] | None = None
) -> None:
    """Rejects a decoder with other state than keys and values of tokens.

    `given` are the results of an encoder, if the module has one.
    """
    name = type(module).__name__
    ids = torch.tensor([[2, 1, 2]], device=module.device)
    call = {tokens: ids, **(given or {})}
    try:
        result = module(**call, use_cache=True)
    except Exception as problem:
        # The module's code may raise any exception.
        said = (str(problem).splitlines() or [""])[0]
        alone = "tokens and an encoder's results" if given else "tokens"
        raise Error(
            f"generation: expected a decoder that runs on {alone} alone, got {name}, which "
            f"does not: {type(problem).__name__}: {said}"
        ) from problem
    wanted = "generation: expected layers that keep keys and values of each token"
    past = read_cache(result)
    for state in _STATES:
        if past is None and getattr(result, state, None) is not None:
            raise Error(f"{wanted}, got {name}, which keeps a state ('{state}') instead")
    if past is None and getattr(module, "_is_stateful", False):
        raise Error(f"{wanted}, got {name}, whose layers keep states of their own")
    own = getattr(past, "self_attention_cache", past)
    for number, cache in enumerate(getattr(own, "layers", ())):
        if type(cache) not in _KNOWN_CACHES:
            raise Error(
                f"{wanted} and nothing else, got layer {number} of {name}, whose cache is a "
                f"{type(cache).__name__}"
            )


def name_part(module: Any, problem: Error) -> Error:
    """Returns the error with the path of the part that it comes from.

    `module` is a model of transformers, or has one inside as its `module`.
    """
    path = _find_path(problem)
    while not isinstance(module, PreTrainedModel) and hasattr(module, "module"):
        module, path = module.module, path.removeprefix("module.")
    try:
        part = module.get_submodule(path)
    except AttributeError:
        part = module
    if part is module:
        kind = type(module).__name__
        return Error(f"generation: {kind} is not known: {problem}", problem.diagnostics)
    return UnknownPart(
        f"generation: '{path}' ({_name_kinds(module, path)}) is not known: "
        f"{_find_reason(problem)}",
        problem,
        part,
    )


def _find_path(problem: Error) -> str:
    """Returns the path at which an import stopped, if it is known."""
    if isinstance(problem, UnknownOperation):
        return problem.path
    return next((said.file for said in problem.diagnostics if said.file), "")


def _find_reason(problem: Error) -> str:
    if isinstance(problem, UnknownOperation):
        return problem.reason
    return next((said.message for said in problem.diagnostics if said.file), str(problem))


def _name_kinds(module: torch.nn.Module, path: str) -> str:
    """Returns the class of a part, and of the module that contains it."""
    parent = path.rpartition(".")[0]
    kinds = [type(module.get_submodule(each)).__name__ for each in (path, parent)]
    return " of ".join(kind for kind in kinds if kind != "ModuleList")
