# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.export, with workarounds for model code."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree

from parablock.errors import Error
from parablock.frontend.exclusive import trace_alone


#: Operations that are spelled in others; all that are not stay as they are.
_SPELLED = (torch.ops.aten.einsum.default,)


@contextlib.contextmanager
def _without_caches(module: torch.nn.Module) -> Iterator[None]:
    """Turns caches off, because a graph cannot return them."""
    configs = {
        id(config): config
        for inner in module.modules()
        if (config := getattr(inner, "config", None)) is not None
        and hasattr(config, "use_cache")
    }
    before = [(config, config.use_cache) for config in configs.values()]
    for config, _ in before:
        config.use_cache = False
    try:
        yield
    finally:
        for config, value in before:
            config.use_cache = value


@contextlib.contextmanager
def _without_growth(module: torch.nn.Module) -> Iterator[None]:
    """Fixes rotations whose frequencies change beyond a length."""
    for inner in module.modules():
        if getattr(inner, "rope_type", None) == "longrope":
            # Its second frequencies are made by the first call.
            inner(torch.zeros(1), torch.zeros(1, 1, dtype=torch.int64))
    growing: list[Any] = [
        inner
        for inner in module.modules()
        if getattr(inner, "rope_type", None) == "dynamic"
        and inner.max_seq_len_cached == inner.original_max_seq_len
    ]
    hooks = [
        inner.register_forward_pre_hook(_check_length, with_kwargs=True)
        for inner in growing
    ]
    for inner in growing:
        inner.rope_type = "default"
    try:
        yield
    finally:
        for inner, hook in zip(growing, hooks, strict=True):
            inner.rope_type = "dynamic"
            hook.remove()


@contextlib.contextmanager
def _without_hints() -> Iterator[None]:
    """Makes nn.Transformer apply masks as they are.

    It compares a mask with a causal one where no `is_causal` is given, and passes what it
    finds on as a hint. A graph cannot depend on numbers, and the hint changes none.
    """
    layers: Any = torch.nn.modules.transformer
    detect = layers._detect_is_causal_mask
    layers._detect_is_causal_mask = lambda mask, is_causal=None, size=None: is_causal is True
    try:
        yield
    finally:
        layers._detect_is_causal_mask = detect


@contextlib.contextmanager
def _without_left_layers(module: torch.nn.Module) -> Iterator[None]:
    """Turns off the code of random layer skipping; rejects rates above 0."""
    rates = {
        name: inner.layerdrop
        for name, inner in module.named_modules()
        if inner.training and isinstance(getattr(inner, "layerdrop", None), float | int)
    }
    for name, rate in rates.items():
        if rate > 0:
            raise Error(f"'{name}' has layerdrop = {rate:g}: layers are not left out at random")
    draw = torch.rand

    def draw_most(*size: Any, **options: Any) -> Any:
        is_number = size in (((),), ([],)) and not options
        return 1.0 if is_number else draw(*size, **options)

    try:
        torch.rand = draw_most if rates else draw
        yield
    finally:
        torch.rand = draw


def _check_length(rotation: Any, args: Any, kwargs: Any) -> None:
    positions = kwargs["position_ids"] if "position_ids" in kwargs else args[1]
    fits = positions.shape[-1] <= rotation.original_max_seq_len
    torch._check(fits)  # type: ignore[no-untyped-call]


@contextlib.contextmanager
def _with_attributes_kept(module: torch.nn.Module) -> Iterator[None]:
    """Restores the attributes of a module after tracing."""
    before = [(inner, dict(inner.__dict__)) for inner in module.modules()]
    try:
        yield
    finally:
        for inner, attributes in before:
            inner.__dict__.clear()
            inner.__dict__.update(attributes)


def export_module(
    module: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    dynamic_shapes: Any = None,
    *,
    has_guards: bool = True,
) -> ExportedProgram:
    """Returns a functional graph of high-level operations.

    Without `has_guards` the caller checks sizes before a call.
    """
    with (
        trace_alone(),
        _without_caches(module),
        _without_growth(module),
        _without_left_layers(module),
        _without_hints(),
        torch.no_grad(),
    ):
        try:
            program: ExportedProgram = torch.export.export(
                module,
                *_separate((tuple(args), dict(kwargs))),
                dynamic_shapes=dynamic_shapes,
                strict=False,
            )
        except Exception as problem:
            raise Error(f"torch.export cannot trace the module: {problem}") from problem
        if not has_guards:
            _drop_guards(program.graph_module.graph)
        known = torch.export.default_decompositions()
        program = program.run_decompositions({spelled: known[spelled] for spelled in _SPELLED})
    drop_assertions(program.graph_module.graph)
    _name_types(program.graph_module.graph)
    return program


def _separate(arguments: Any) -> Any:
    """Returns arguments as separate tensors over the same memory.

    A tensor that is given twice would be one input, read for both arguments in each call.
    Guards of an exported view would be of its base, which a program is not given.
    """
    seen: set[int] = set()

    def separate(tensor: torch.Tensor) -> torch.Tensor:
        is_first = id(tensor) not in seen
        seen.add(id(tensor))
        is_alone = tensor._base is None or isinstance(tensor, torch.nn.Parameter)
        is_plain = type(tensor) in (torch.Tensor, torch.nn.Parameter)
        if (is_first and is_alone) or not is_plain or tensor.is_conj() or tensor.is_neg():
            return tensor
        alone = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
        own = (tensor.storage_offset(), tensor.shape, tensor.stride())
        return alone.set_(tensor.untyped_storage(), *own).requires_grad_(tensor.requires_grad)

    return pytree.tree_map_only(torch.Tensor, separate, arguments)


def _drop_guards(graph: torch.fx.Graph) -> None:
    for node in list(graph.nodes):
        if node.op == "call_module" and not node.users:
            graph.erase_node(node)


def drop_assertions(graph: torch.fx.Graph) -> None:
    """Removes assertions on dtypes, which keep dead code alive."""
    for node in list(graph.nodes):
        if node.target is torch.ops.aten._assert_tensor_metadata.default:
            graph.erase_node(node)
    graph.eliminate_dead_code()


def _name_types(graph: torch.fx.Graph) -> None:
    """Replaces casts to another tensor's type by casts to the named type."""
    for node in graph.nodes:
        if node.target is torch.ops.aten.type_as.default:
            node.target = torch.ops.aten.to.dtype
            node.args = (node.args[0], node.meta["val"].dtype)
