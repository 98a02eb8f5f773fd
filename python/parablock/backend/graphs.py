# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`torch.compile(model, backend="parablock")`.

PyTorch hands over graphs; each is compiled when it is first called with inputs
of some sizes. A graph that is not recognised as a whole is split: its blocks run
here, the rest runs as it is, and is counted.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import itertools
import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

import torch
from torch.export import ExportedProgram

from parablock.backend.autocast import (
    drop_autocast,
    find_kind,
    find_type,
    refuse_autocast,
    refuse_types,
    set_autocast,
)
from parablock.backend.cached_call import CachedCall, compile_cached
from parablock.backend.differentiated import (
    DifferentiatedGraph,
    drop_modes,
    wants_gradients,
)
from parablock.backend.layouts import LaidOut
from parablock.backend.numbers import is_number, set_numbers
from parablock.backend.open_sizes import OpenSizes, list_open, open_graph
from parablock.backend.own_backwards import inline_functions
from parablock.backend.placement import Placement, check_mode, choose_target, read_options
from parablock.backend.regions import SplitGraph
from parablock.compiled import CompiledModel
from parablock.decoding.call_control import ContradictionError
from parablock.decoding.decoder import read_target
from parablock.device_program import DeviceModel
from parablock.errors import Error
from parablock.faults import report_fault
from parablock.frontend.cached_appends import has_caches
from parablock.frontend.exclusive import trace_alone
from parablock.frontend.export import export_module
from parablock.frontend.imported import Choices, InternalFault
from parablock.frontend.losses import number_losses
from parablock.frontend.programs import read_program
from parablock.frontend.sizes import get_symbols
from parablock.public import Model
from parablock.statistics import STATISTICS
from parablock.weight_watch import TensorState

_log = logging.getLogger("parablock")

Key = tuple[Any, ...]

#: Choices of sizes that a graph keeps code for; each has weights packed for it.
_MOST_VARIANTS = 8

#: Operations that compute nothing, as `list_left` names them.
_MOVES = ("'tosa.reshape'", "'tosa.transpose'", "'tosa.slice'", "'tensor.extract_slice'")
#: Casts of autocast, which are those of weights.
_CASTS = ("'arith.truncf'", "'arith.extf'")


def compile_graph(
    graph: torch.fx.GraphModule, example_inputs: Sequence[Any], **options: Any
) -> Callable[..., Any]:
    """Compiles a graph; PyTorch finds it by the package's entry point."""
    target, mode = read_options(options, example_inputs)
    STATISTICS.graphs += 1
    return _Graph(graph, target, mode)


#: Counts calls, to tell which code was not used for longest.
_CLOCK = itertools.count()


@dataclasses.dataclass
class _Variant:
    """Compiled code of a graph for inputs of some sizes."""

    #: The module's tensors that it was made with, by their number.
    states: dict[int, TensorState]
    run: Callable[..., Any]
    last_use: int
    #: Of code for more than the sizes of one call: target and modes, and the sizes.
    modes: Key = ()
    sizes: OpenSizes | None = None

    def holds(self, args: Sequence[Any]) -> bool:
        """Returns whether these tensors are unchanged."""
        return all(state.holds(args[number]) for number, state in self.states.items())


class _Graph:
    """A graph, compiled for each choice of sizes that it is called with."""

    has_warned: ClassVar[bool] = False

    def __init__(
        self, graph: torch.fx.GraphModule, target: str | None = None, mode: str | None = None
    ) -> None:
        self.graph = graph.eval()
        #: The target and the mode that the caller has chosen.
        self.target, self.mode = target, mode
        names = [str(n.target) for n in graph.graph.nodes if n.op == "placeholder"]
        #: Arguments that are tensors of the module, by their number.
        self.weights = {i for i, name in enumerate(names) if "_parameters_" in name}
        self.constants = {i for i, name in enumerate(names) if "_buffers_" in name}
        self.own = sorted(self.weights | self.constants)
        self.variants: dict[Key, _Variant] = {}
        #: Whether a device's code for open sizes was tried in vain.
        self.is_fixed = False

    def __call__(self, *args: Any) -> Any:
        try:
            place = Placement(choose_target(self.target, args), self.mode)
            check_mode(place, wants_gradients(args))
        except Error as problem:
            return self._run_eager(str(problem), args)
        if reason := refuse_autocast(args, place.is_device):
            return self._run_eager(reason, args)
        if not torch.is_grad_enabled():
            # It is no matter who would want a gradient.
            args = tuple(a.detach() if _requires_grad(a) else a for a in args)
        result = self._get_variant(place, args)(*args)
        if STATISTICS.compiled == 0 and not _Graph.has_warned:
            self._warn()
        return result

    def _warn(self) -> None:
        """Warns once why PyTorch has run everything until now."""
        _Graph.has_warned = True
        reasons = [reason for reason, _ in STATISTICS.fallbacks.most_common(3)]
        warnings.warn(
            f"parablock compiled nothing, PyTorch runs it: {'; '.join(reasons)}; "
            "parablock.stats() counts all reasons",
            stacklevel=2,
        )

    def _get_variant(self, place: Placement, args: Sequence[Any]) -> Callable[..., Any]:
        modes = place, wants_gradients(args), find_type(args)
        key = (*modes, *(_describe(argument) for argument in args))
        variant = self._find_variant(modes, key, args)
        if variant is None:
            # Compiling must not change the random numbers of the program.
            with trace_alone(), torch.random.fork_rng(devices=[]):
                variant = self._add_variant(modes, key, args)
        variant.last_use = next(_CLOCK)
        return variant.run

    def _find_variant(self, modes: Key, key: Key, args: Sequence[Any]) -> _Variant | None:
        """Returns code for a call, whose weights have not changed."""
        own = self.variants.get(key)
        if own is not None and own.holds(args):
            return own
        for variant in [*self.variants.values()]:
            if variant.sizes and variant.modes == modes and variant.sizes.fit(args):
                if variant.holds(args):
                    return variant
        return None

    def _add_variant(self, modes: Key, key: Key, args: Sequence[Any]) -> _Variant:
        """Adds a variant, unless another thread has added it meanwhile."""
        variant = self._find_variant(modes, key, args)
        if variant is None:
            # A step takes its weights at each call.
            kept = sorted(self.constants) if wants_gradients(args) else self.own
            states = {number: TensorState(args[number]) for number in kept}
            run, sizes = self._compile(modes[0], args)
            variant = _Variant(states, run, next(_CLOCK), modes, sizes)
            self.variants[key] = variant
        if len(self.variants) > _MOST_VARIANTS:
            oldest = min(self.variants, key=lambda k: self.variants[k].last_use)
            del self.variants[oldest]
            STATISTICS.dropped += 1
        return variant

    def _run_eager(self, reason: str, args: Sequence[Any]) -> Any:
        STATISTICS.fallbacks[reason] += 1
        return self.graph(*args)

    def _compile(
        self, place: Placement, args: Sequence[Any]
    ) -> tuple[Callable[..., Any], OpenSizes | None]:
        eager = graph = set_numbers(self.graph, args)
        count = _count_operations(graph)
        choices = Choices(
            weights={i: args[i] for i in self.weights},
            constants={
                i: a.detach()
                for i, a in enumerate(args)
                if i in self.constants or is_number(a)
            },
        )
        sizes: OpenSizes | None = None
        try:
            graph = inline_functions(graph, trains=wants_gradients(args))
            if wants_gradients(args):
                graph = drop_modes(graph, args)
            graph, narrow = drop_autocast(graph, args, place.is_device)
            choices.autocast = narrow or find_type(args)
            if (made := self._compile_open(graph, choices, args, place)) is not None:
                STATISTICS.compiled += 1
                STATISTICS.operations += count
                return _OrEager(made[0], eager), made[1]
            program = self._export_open(graph, args)
            if program is not None:
                sizes = OpenSizes(program, self.own)
            else:
                with set_autocast(choices.autocast, find_kind(args)):
                    program = export_module(graph, args, {})
                if choices.autocast and place.is_device:
                    refuse_types(self.graph.graph, program)
            compiled = _compile_or_split(program, choices, args, graph, place)
            if not isinstance(compiled, CachedCall):
                sizes = None
        except Exception as problem:
            STATISTICS.fallbacks[_describe_problem(problem)] += 1
            STATISTICS.eager_operations += count
            return eager, None
        if isinstance(compiled, SplitGraph):
            STATISTICS.fallbacks.update(compiled.reasons)
            STATISTICS.eager_operations += compiled.eager_operations
            return compiled, None
        STATISTICS.compiled += 1
        STATISTICS.operations += count
        return _OrEager(compiled, eager), sizes

    def _export_open(
        self, graph: torch.fx.GraphModule, args: Sequence[Any]
    ) -> ExportedProgram | None:
        """Exports a graph with caches for any of the lengths that PyTorch leaves open.

        Others are compiled for the sizes of each call.
        """
        data = [a for i, a in enumerate(args) if i not in self.own]
        if wants_gradients(args) or not any(_is_like_keys(a) for a in data):
            return None
        sizes = list_open(self.graph, self.own)
        if not any(sizes):
            return None
        try:
            # PyTorch has guards of its own, and OpenSizes those that are left.
            nested = _nest_sizes(graph, sizes)
            program = export_module(graph, args, {}, nested, has_guards=False)
        except Exception as problem:
            _log.info("sizes of a graph stay as they are: %s", problem)
            return None
        return program if has_caches(program) else None

    def _compile_open(
        self,
        graph: torch.fx.GraphModule,
        choices: Choices,
        args: Sequence[Any],
        place: Placement,
    ) -> tuple[Callable[..., Any], OpenSizes] | None:
        """Compiles a graph for a device and any of the sizes that PyTorch leaves open.

        A graph that is not recognised as a whole is compiled for the sizes of each call.
        """
        if self.is_fixed or not place.is_device or wants_gradients(args):
            return None
        opened = open_graph(self.graph, graph, self.own)
        if opened is None:
            return None
        given = opened.choose(args)
        numbers = {place: number for number, place in enumerate(opened.places)}
        chosen = dataclasses.replace(
            choices,
            weights={numbers[i]: each for i, each in choices.weights.items()},
            constants={numbers[i]: each for i, each in choices.constants.items()},
            computed=frozenset(),
        )
        try:
            nested = _nest_sizes(opened.graph, opened.sizes)
            with set_autocast(choices.autocast, find_kind(args)):
                program = export_module(opened.graph, given, {}, nested)
            if choices.autocast:
                refuse_types(self.graph.graph, program)
            if has_caches(program) or not get_symbols(program):
                return None
            compiled = compile_program(program, chosen, given, place)
        except Exception as problem:
            self.is_fixed = True
            _log.info("sizes of a graph stay as they are: %s", _describe_problem(problem))
            return None

        def run(*args: Any) -> Any:
            return compiled(*opened.choose(args))

        return run, OpenSizes(program, self.own, opened.places)


def _nest_sizes(graph: torch.fx.GraphModule, sizes: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns open sizes as exporting takes them for a graph's `forward`."""
    # A graph that has not run yet takes whatever there is.
    is_named = len(inspect.signature(graph.forward).parameters) == len(sizes)
    return sizes if is_named else (sizes,)


class _OrEager:
    """Compiled code, and the graph for calls with other inputs."""

    def __init__(self, compiled: Callable[..., Any], graph: torch.fx.GraphModule) -> None:
        self._compiled = compiled
        self._graph = graph

    def __call__(self, *args: Any) -> Any:
        try:
            return self._compiled(*args)
        except ContradictionError:
            raise
        except Error as problem:
            STATISTICS.fallbacks[_describe_problem(problem)] += 1
            return self._graph(*args)


def _compile_or_split(
    program: ExportedProgram,
    choices: Choices,
    args: Sequence[Any],
    graph: torch.fx.GraphModule,
    place: Placement,
) -> Callable[..., Any]:
    if not has_caches(program) or wants_gradients(args):
        return _compile_all_or_split(program, choices, args, place)
    if choices.autocast:
        raise Error("autocast: expected a graph without caches: move the module to bf16 instead")
    reasons: list[str] = []
    try:
        return compile_cached(program, choices, args, graph, place.target)
    except Exception as problem:
        # The inputs may be no caches: the graph may then compile without them, and the
        # reason does not count. An internal fault always counts.
        reason = _describe_problem(problem)
        if isinstance(problem, Error) and not isinstance(problem, InternalFault):
            reasons.append(reason)
        else:
            STATISTICS.fallbacks[reason] += 1
        _log.info("a graph cannot be compiled as a function of caches: %s", reason)
    try:
        if any(isinstance(size, torch.SymInt) for size in _list_sizes(program)):
            program = export_module(graph, args, {})
        compiled = _compile_all_or_split(program, choices, args, place)
    except Exception:
        STATISTICS.fallbacks.update(reasons)
        raise
    if isinstance(compiled, SplitGraph):
        STATISTICS.fallbacks.update(reasons)
    return compiled


def _compile_all_or_split(
    program: ExportedProgram, choices: Choices, args: Sequence[Any], place: Placement
) -> Callable[..., Any]:
    try:
        return compile_program(program, choices, args, place)
    except Exception as problem:
        if choices.autocast:
            # Parts would be called with weights that are cast already.
            raise
        _log.info("a graph is split: %s", problem)
        return SplitGraph(program, choices, functools.partial(Region, place))


def _list_sizes(program: ExportedProgram) -> Iterator[Any]:
    for node in program.graph.find_nodes(op="placeholder"):
        value = node.meta.get("val")
        yield from value.shape if isinstance(value, torch.Tensor) else [value]


class Region(torch.nn.Module):
    """A part of a graph, compiled at its first call."""

    def __init__(
        self,
        place: Placement,
        graph: torch.fx.GraphModule,
        weights: set[int],
        constants: set[int],
    ) -> None:
        super().__init__()
        self.place, self.graph = place, graph.eval()
        self.weights, self.constants = weights, constants
        #: Compiled functions, by whether gradients are wanted.
        self.runs: dict[bool, Callable[..., Any]] = {}

    def forward(self, *args: Any) -> Any:
        trains = wants_gradients(args)
        if trains not in self.runs:
            self.runs[trains] = self._compile(args)
        return self.runs[trains](*args)

    def _compile(self, args: Sequence[Any]) -> Callable[..., Any]:
        choices = Choices(
            weights={i: args[i] for i in self.weights},
            constants={i: args[i] for i in self.constants},
        )
        count = _count_operations(self.graph)
        try:
            program = export_module(self.graph, args, {})
            compiled = compile_program(program, choices, args, self.place, needs_blocks=True)
        except Exception as problem:
            STATISTICS.fallbacks[_describe_problem(problem)] += 1
            STATISTICS.eager_operations += count
            return self.graph
        STATISTICS.compiled += 1
        STATISTICS.operations += count
        return _OrEager(compiled, self.graph)


def compile_program(
    program: ExportedProgram,
    choices: Choices,
    args: Sequence[Any],
    place: Placement = Placement(),
    *,
    needs_blocks: bool = False,
) -> LaidOut:
    """Compiles all of a graph; an error has the reason why it cannot."""
    model = Model(*read_program(program, choices), "graph")
    found = model.explain().to_dict()["recognised"]
    # A part of a graph may move what its blocks give; the whole may be split.
    of_losses = number_losses(program.graph_module.graph)
    left = [
        op
        for op in model.list_left(beside_blocks=False, without=of_losses)
        if not (needs_blocks and op.startswith(_MOVES))
        and not (choices.autocast and op.startswith(_CASTS))
    ]
    if left:
        raise Error(f"not recognised: {left[0]}")
    if needs_blocks and not found["attention"] + found["mlp"]:
        raise Error("no block is in a part of a graph")
    compiled: CompiledModel | DeviceModel | DifferentiatedGraph
    if wants_gradients(args):
        target = read_target(place.target, 0)
        compiled = DifferentiatedGraph(model, program, choices, target)
        compiled.prepare(args)
        STATISTICS.differentiated += 1
    else:
        compiled = model.optimize().compile(place.target, mode=place.mode)
    STATISTICS.recognised.update(found)
    return LaidOut(compiled, program)


def _is_like_keys(argument: Any) -> bool:
    is_tensor = isinstance(argument, torch.Tensor) and argument.dim() == 4
    return is_tensor and argument.is_floating_point()


def _count_operations(graph: torch.fx.GraphModule) -> int:
    return sum(node.op == "call_function" for node in graph.graph.nodes)


def _requires_grad(argument: Any) -> bool:
    return isinstance(argument, torch.Tensor) and argument.requires_grad


def _describe(argument: Any) -> Any:
    """Returns the key that compiled code depends on."""
    if not isinstance(argument, torch.Tensor):
        return argument
    if is_number(argument):
        return argument.item()
    return argument.dtype, tuple(argument.shape)


def _describe_problem(problem: Exception) -> str:
    """Returns why something runs eagerly; other exceptions than Error are internal faults."""
    if isinstance(problem, InternalFault):
        problem.report()
    elif not isinstance(problem, Error):
        return report_fault(problem, "torch.compile")
    return (str(problem).splitlines() or [""])[0]
