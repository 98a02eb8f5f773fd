# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.export, with workarounds for model code."""

from __future__ import annotations

import contextlib
import itertools
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from parablock.errors import Error
from parablock.frontend.complex_numbers import split_complex_numbers
from parablock.frontend.exclusive import trace_alone
from parablock.frontend.expert_modules import with_gathered_experts
from parablock.frontend.fixed_sizes import describe_fixed_sizes
from parablock.frontend.group_loops import join_group_loops
from parablock.frontend.open_spellings import find_spellings


_log = logging.getLogger(__name__)

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
        with_gathered_experts(module),
        torch.no_grad(),
    ):
        given = _separate((tuple(args), dict(kwargs)))
        program: ExportedProgram = _export(module, given, dynamic_shapes)
        if not has_guards:
            _drop_guards(program.graph_module.graph)
        known = torch.export.default_decompositions()
        spelled = {target: known[target] for target in _SPELLED}
        if has_guards:
            spelled.update(find_spellings(program.graph_module.graph))
        # Decomposing gives the shapes of new operations.
        join_group_loops(program.graph_module.graph)
        try:
            program = program.run_decompositions(spelled)
        except GuardOnDataDependentSymNode as problem:
            raise Error(f"the graph depends on a number that data decide: {problem}") from problem
        except Exception as problem:
            raise Error(_explain_failure(program, problem)) from problem
        split_complex_numbers(program.graph_module.graph)
    drop_assertions(program.graph_module.graph)
    _name_types(program.graph_module.graph)
    return program


def _explain_failure(program: ExportedProgram, problem: Exception) -> str:
    """Returns why a graph has no decomposition; PyTorch fails inside of operations that take functions."""
    nodes = program.graph_module.graph.nodes
    functions = {str(node.target) for node in nodes if isinstance(node.target, torch._ops.HigherOrderOperator)}
    named = ", ".join(f"'{each}'" for each in sorted(functions))
    where = f", which has operations that take functions ({named}): do without them" if named else ""
    said = str(problem).strip() or type(problem).__name__
    return f"torch.export cannot decompose the graph{where}: {said.splitlines()[0]}"


def _export(module: torch.nn.Module, given: Any, dynamic_shapes: Any) -> ExportedProgram:
    def export(**options: Any) -> ExportedProgram:
        program: ExportedProgram = torch.export.export(
            module, *given, dynamic_shapes=dynamic_shapes, strict=False, **options
        )
        return program

    try:
        return export()
    except Exception as problem:
        first = problem
    if dynamic_shapes is None or "Constraints violated" not in str(first):
        raise Error(f"torch.export cannot trace the module: {first}") from first
    # The graph asserts which sizes are not allowed, and each call checks that. The way of
    # tracing with the fewest assertions depends on the module.
    found: list[ExportedProgram] = []
    for is_deferred, is_oblivious in ((False, False), (True, False), (True, True)):
        tracing: Any = torch.fx.experimental._config
        options = {"prefer_deferred_runtime_asserts_over_guards": True} if is_deferred else {}
        with tracing.patch(backed_size_oblivious=is_oblivious), _ContiguousSlices():
            try:
                found.append(export(**options))
            except Exception as problem:
                # The first error describes the problem with the requested sizes.
                _log.info("another way of tracing does not help: %s", problem)
        if found and not _count_refused(found[-1]):
            return found[-1]
    if not found:
        places = describe_fixed_sizes(export, first)
        raise Error(f"torch.export cannot trace the module: {places or first}") from first
    return min(found, key=_count_refused)


class _ContiguousSlices(TorchFunctionMode):
    """Makes slices of open sizes copies, so that tracing adds no guards on strides."""

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        result = function(*args, **(kwargs or {}))
        if function is torch.Tensor.__getitem__ and isinstance(result, torch.Tensor):
            if any(isinstance(size, torch.SymInt) for size in result.shape):
                return result.clone(memory_format=torch.contiguous_format)
        return result


#: Sizes at which assertions are compared.
_SAMPLED = range(1, 14)


def _count_refused(program: ExportedProgram) -> int:
    """Returns the number of small sizes that a program's assertions reject."""
    asserted = list_asserted(program)
    symbols = sorted({s for each in asserted for s in each.free_symbols}, key=str)[:3]
    count = 0
    for sizes in itertools.product(_SAMPLED, repeat=len(symbols)):
        given = dict(zip(symbols, sizes, strict=True))
        count += not all(holds(each, given) for each in asserted)
    return count


def holds(asserted: Any, sizes: Mapping[Any, int]) -> bool:
    """Returns whether sizes by symbol satisfy an assertion."""
    try:
        return bool(asserted.subs(sizes) != False)  # noqa: E712
    except ZeroDivisionError:
        return False


def list_asserted(program: ExportedProgram) -> list[Any]:
    """Returns the assertions of an export on sizes, as expressions of symbols."""
    return [
        node.args[0].meta["val"].node.expr
        for node in program.graph.nodes
        if str(node.target) == "aten._assert_scalar.default"
        and isinstance(node.args[0], torch.fx.Node)
        and isinstance(node.args[0].meta.get("val"), torch.SymBool)
    ]


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
