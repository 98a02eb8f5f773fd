# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversion of an exported graph to level-0 IR.

PyTorch computes values that depend on no data (masks, positions, rotation tables) during
the import, and they become constants. Rules of the table write all other operations as
IR. block-raise then recognises the blocks.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import OutputKind
from torch.fx.node import map_aggregate

import parablock.frontend.activations
import parablock.frontend.attention
import parablock.frontend.contractions
import parablock.frontend.convolutions
import parablock.frontend.elementwise
import parablock.frontend.fast_paths
import parablock.frontend.losses
import parablock.frontend.norms
import parablock.frontend.pooling
import parablock.frontend.sorting
import parablock.frontend.views  # noqa: F401  (rules register themselves)
from parablock.calling import OF_SIZES
from parablock.dtypes import (
    KEYWORDS,
    compute_in_f64,
    get_keyword,
    is_float,
    widen,
)
from parablock.errors import Error
from parablock.frontend.attention import ATTENTIONS
from parablock.frontend.complex_numbers import find_unknown, is_complex
from parablock.frontend.computations import Computation, list_sources
from parablock.frontend.elementwise import drop, keep
from parablock.frontend.exclusive import trace_alone
from parablock.frontend.imported import (
    Choices,
    Imported,
    InternalFault,
    MissingRule,
    OutputName,
    Parameter,
    Probe,
    Unknown,
    UnknownOperation,
    is_empty,
    name_empty,
)
from parablock.frontend.index_checks import IndexCheck, make_checks
from parablock.frontend.ir import FunctionBuilder, Value
from parablock.frontend.losses import OF_CLASSES, find_classes
from parablock.frontend.lowering import Emitter
from parablock.frontend.padding import PaddingMask, find_masks
from parablock.frontend.placeholders import Lifted, list_inputs, list_lifted
from parablock.frontend.places import describe_path
from parablock.frontend.results import check_results, get_output_names
from parablock.frontend.size_inputs import SizeInputs, make_example
from parablock.frontend.size_symbols import evaluate, takes_number
from parablock.frontend.sizes import choose_sizes, get_dimension_names
from parablock.frontend.table import RULES, Call, bind
from parablock.frontend.targets import Targets

_NARROW = (torch.bfloat16, torch.float16)
#: Operations that depend on the shape of their operand alone.
_OF_SHAPES = tuple(
    f"aten.{name}.default"
    for name in ("new_ones", "new_zeros", "new_full")
    + ("ones_like", "zeros_like", "full_like")
) + ("aten.fill.Scalar", "aten.fill.Tensor")
#: Operations whose results are uninitialised; they become zeros.
_UNWRITTEN = {
    "aten.new_empty.default": torch.ops.aten.new_zeros.default,
    "aten.empty_like.default": torch.ops.aten.zeros_like.default,
}
_DATA_TYPES = ("f32", "bf16", "f16", "i64", "i32", "i1")


def import_program(program: ExportedProgram, choices: Choices) -> Imported:
    """Imports a program at its own sizes, or at two choices of those that are open."""
    if not choices.keeps_masks:
        choices = dataclasses.replace(choices, masks=find_masks(program))
    if choices.exact:
        with trace_alone(), compute_in_f64():
            return _import_all(program, choices)
    return _import_all(program, choices)


def _import_all(program: ExportedProgram, choices: Choices) -> Imported:
    chosen = choose_sizes(program, choices)
    choices = dataclasses.replace(choices, computed=chosen.computed, size_maps=chosen.maps)
    functions = [
        _Importer(program, dataclasses.replace(choices, sizes=sizes)).run(name)
        for name, sizes in zip(("main", "larger"), chosen.sizes, strict=False)
    ]
    if len(functions) == 1:
        return functions[0]
    text = "".join(function.text for function in functions)
    dims = get_dimension_names(program)
    return dataclasses.replace(functions[0], text=text, dims=dims, reads=chosen.reads)


def probe_program(program: ExportedProgram, choices: Choices) -> Probe:
    """Imports the supported operations, with holes for the others."""
    importer = _Importer(program, dataclasses.replace(choices, with_holes=True))
    imported = importer.run("main")
    constants = {
        node: value
        for node, value in importer.values.items()
        if isinstance(value, torch.Tensor)
    }
    return Probe(imported.text, importer.holes, constants)


class _Importer:
    def __init__(self, program: ExportedProgram, choices: Choices) -> None:
        self.program = program
        self.choices = choices
        self.function = FunctionBuilder()
        self.emitter = Emitter(
            self.function, exact=choices.exact, autocast=choices.autocast is not None
        )
        self.values: dict[torch.fx.Node, Any] = {}
        self.inputs: dict[str, int] = {}
        #: Places of the module's arguments.
        self.positions: dict[torch.fx.Node, int] = {}
        self.checks: list[Targets | IndexCheck] = []
        self.parameters: dict[str, torch.Tensor] = {}
        self.arguments: dict[tuple[Any, ...], Value] = {}
        self.masks = {mask.name: mask for mask in choices.masks}
        #: The masks whose lengths are inputs.
        self.lengths: list[PaddingMask] = []
        #: Inputs that stand for constants of open sizes.
        self.computed: dict[torch.fx.Node, Value] = {}
        self.holes: dict[torch.fx.Node, str] = {}
        #: Constants of 16 bits as they are without rounding.
        self.exact: dict[torch.fx.Node, Any] = {}

    def run(self, name: str) -> Imported:
        nodes = list(self.program.graph_module.graph.nodes)
        self._read_placeholders()
        for number, node in enumerate(nodes):
            if node.op == "get_attr":
                read = operator.attrgetter(str(node.target))
                self.values[node] = self._widen(read(self.program.graph_module))
            if node.op == "call_function":
                self.function.set_location(describe_path(node), number)
                self.values[node] = self._call_or_skip(node)
        output = next(node for node in nodes if node.op == "output")
        return self._finish(output, name)

    # Arguments ---------------------------------------------------------------

    def _read_placeholders(self) -> None:
        for position, node in enumerate(list_inputs(self.program)):
            self.values[node] = self._make_input(node, position)
            self.positions[node] = position
        for lifted in list_lifted(self.program):
            self.values[lifted.node] = self._find_weight(lifted)

    def _make_input(self, node: torch.fx.Node, position: int) -> Any:
        example = node.meta.get("val")
        if not isinstance(example, torch.Tensor):
            return example
        name = str(node.target)
        if position in self.choices.constants:
            return self.choices.constants[position]
        if position in self.choices.weights:
            return Parameter(name, self.choices.weights[position])
        if name in self.masks:
            return self._make_mask(node, self.masks[name], example)
        if example.numel() == 0:
            # Nothing is known of no elements.
            return torch.empty(self._get_shape(example), dtype=example.dtype)
        self.inputs[name] = position
        return self._add_input(name, example)

    def _make_mask(self, node: torch.fx.Node, mask: PaddingMask, example: torch.Tensor) -> Any:
        """Returns a mask of padding, computed from an input of lengths."""
        rows, tokens = self._get_shape(example)
        if all(str(user.target) == "aten.sym_size.int" for user in node.users):
            return torch.ones(rows, tokens, dtype=example.dtype)
        role = "raise.padding, block.input"
        lengths = self.function.add_argument((rows,), "i64", role, mask.name)
        self.lengths.append(mask)
        return mask.emit(self.emitter, lengths, tokens, self._find_keyword(example.dtype))

    def _add_input(self, name: str, example: torch.Tensor) -> Value:
        dtype = self._find_keyword(example.dtype) if example.dtype in KEYWORDS else ""
        if dtype not in _DATA_TYPES:
            raise Error(
                f"input '{name}': expected one of {', '.join(_DATA_TYPES)}, "
                f"got {example.dtype}"
            )
        shape = self._get_shape(example)
        return self.function.add_argument(shape, dtype, "block.input", name)

    def _get_shape(self, example: torch.Tensor) -> list[int]:
        return [evaluate(size, self.choices.sizes) for size in example.shape]

    def _make_hole(self, node: torch.fx.Node, reason: str) -> Any:
        """Returns inputs in place of an operation's results."""
        self.holes[node] = reason
        name = f"hole{len(self.holes)}.{node.name}"

        def fill(example: Any) -> Any:
            sizes = example.shape if isinstance(example, torch.Tensor) else [example]
            is_tensor = isinstance(example, torch.Tensor)
            if is_tensor and example.is_complex():
                return Unknown(" of complex numbers")
            if not all(self._is_known(size) for size in sizes):
                return Unknown(": sizes or numbers that data decide")
            return self._add_input(name, example) if is_tensor else example

        return map_aggregate(node.meta["val"], fill)

    def _is_known(self, size: Any) -> bool:
        if not isinstance(size, torch.SymInt | torch.SymFloat | torch.SymBool):
            return True
        symbols = size.node.expr.free_symbols
        return all(str(symbol) in self.choices.sizes for symbol in symbols)

    def _find_weight(self, lifted: Lifted) -> Any:
        tensor = lifted.value
        if not isinstance(tensor, torch.Tensor):
            raise Error(f"'{lifted.name}' is {type(tensor).__name__}, no tensor")
        is_parameter = lifted.is_parameter
        return Parameter(lifted.name, tensor) if is_parameter else self._widen(tensor.detach())

    def _widen(self, argument: Any) -> Any:
        """Constants and types as exact imports have them."""
        if not self.choices.exact:
            return argument
        is_tensor = isinstance(argument, torch.Tensor)
        return argument.to(widen(argument.dtype)) if is_tensor else widen(argument)

    def _find_keyword(self, dtype: torch.dtype) -> str:
        """Returns the IR's keyword for a type; see Choices.exact."""
        word = get_keyword(dtype)
        return "f32" if self.choices.exact and is_float(word) else word

    def _use(self, weight: Parameter) -> Value:
        tensor = weight.tensor
        # Tied weights are one argument.
        key = (tensor.data_ptr(), tuple(tensor.shape), tensor.stride(), tensor.dtype)
        if key not in self.arguments:
            self.parameters[weight.name] = tensor
            if tensor.dtype not in KEYWORDS:
                raise Error(f"'{weight.name}': elements of type {tensor.dtype}")
            self.arguments[key] = self.function.add_argument(
                tensor.shape, self._find_keyword(tensor.dtype), "block.param", weight.name
            )
        return self.arguments[key]

    # Operations ----------------------------------------------------------------

    def _call_or_skip(self, node: torch.fx.Node) -> Any:
        if not self.choices.with_holes:
            return self._call(node)
        try:
            return self._call(node)
        except UnknownOperation as problem:
            if isinstance(problem, InternalFault):
                problem.report()
            return self._make_hole(node, problem.reason)

    def _call(self, node: torch.fx.Node) -> Any:
        args: Any = map_aggregate(node.args, self._look_up)
        kwargs: Any = map_aggregate(node.kwargs, self._look_up)
        leaves: list[Any] = []
        map_aggregate((args, kwargs), leaves.append)
        depends = any(isinstance(leaf, Value | Parameter) for leaf in leaves)
        target: Callable[..., Any] = node.target  # type: ignore[assignment]
        target = _UNWRITTEN.get(str(target), target)
        for leaf in leaves:
            if isinstance(leaf, Unknown):
                raise UnknownOperation(describe_path(node), f"'{target}'{leaf.what}")
        if not depends:
            return self._compute(node, target, args, kwargs)
        name = getattr(target, "__name__", str(target))
        if str(target) == "aten.sym_size.int":
            return self._as_value(args[0]).shape[args[1]]
        if str(target) in _OF_SHAPES and not any(
            isinstance(self._as_value(each), Value) for each in args[1:]
        ):
            source: Any = node.args[0]
            dtype = source.meta["val"].dtype
            like = torch.empty(self._as_value(args[0]).shape, dtype=dtype)
            return target(like, *args[1:], **kwargs)
        if self.choices.computed:
            look_up = functools.partial(self._look_up_computed, node)
            args, kwargs = map_aggregate((node.args, node.kwargs), look_up)
        if str(target) in OF_CLASSES:
            self._keep_targets(node, target)
        try:
            fixed = self.choices.constants
            known = self.positions, fixed, self.values, self.choices.computed or ()
            self.checks += make_checks(node, describe_path(node), *known)
        except NotImplementedError as problem:
            raise UnknownOperation(describe_path(node), f"'{target}': {problem}") from problem
        if is_complex(node):
            unknown = find_unknown(node)
            raise UnknownOperation(describe_path(unknown), f"'{unknown.target}' of complex numbers")
        if name == "getitem":
            if args[1] >= len(args[0]):
                reason = f"result {args[1]} of '{node.args[0]}' is not computed"
                raise UnknownOperation(describe_path(node), reason)
            return args[0][args[1]]
        if str(target) in (*ATTENTIONS, "aten.mul.Tensor"):
            # Scores are not rounded before they meet a mask, nor is the mask; nor
            # are tables of rotations.
            look_up = functools.partial(self._look_up_mask, node)
            args = map_aggregate(node.args, look_up)
        return self._apply(node, target, args, kwargs)

    def _keep_targets(self, node: torch.fx.Node, target: Any) -> None:
        """Adds checks of a loss's class numbers to calls."""
        arguments = bind(target, node.args, node.kwargs)
        source, logits = arguments["target"], arguments["self"]
        if source.meta["val"].dtype.is_floating_point:
            return
        known = {n: v for n, v in self.values.items() if isinstance(v, torch.Tensor)}
        known = {n: v for n, v in known.items() if n not in self.positions}
        nodes = list_sources([source], known)
        if any(isinstance(self.values[n], Parameter) for n in nodes):
            reason = f"'{target}' of targets that weights decide"
            raise UnknownOperation(describe_path(node), reason)
        shape = self._get_shape(logits.meta["val"])
        self.checks.append(
            Targets(
                describe_path(node),
                shape[find_classes(len(shape))],
                int(arguments["ignore_index"]),
                Computation(nodes, self.positions, {n: known[n] for n in nodes if n in known}),
            )
        )

    def _compute(self, node: torch.fx.Node, target: Any, args: Any, kwargs: Any) -> Any:
        """Computes values that depend on no data."""
        seeded = torch.Tag.nondeterministic_seeded in getattr(target, "tags", ())
        if seeded and not is_empty(node.meta.get("val")):
            reason = f"'{target}': random numbers"
            raise UnknownOperation(describe_path(node), reason)
        args, kwargs = map_aggregate((args, kwargs), self._widen)
        try:
            value = target(*args, **kwargs)
        except (IndexError, RuntimeError) as problem:
            raise Error(
                f"{describe_path(node)}: '{target}' of constants: {problem} (an open "
                "size requires a max= in its Dim())"
            ) from problem
        self._keep_exact(node, target, value)
        return value

    def _keep_exact(self, node: torch.fx.Node, target: Any, value: Any) -> None:
        """Returns a constant without rounding to 16 bits."""
        known = any(source in self.exact for source in node.all_input_nodes)
        is_narrow = isinstance(value, torch.Tensor) and value.dtype in _NARROW
        if not known and not is_narrow:
            return
        args: Any = map_aggregate(node.args, self._look_up_exact)
        kwargs: Any = map_aggregate(node.kwargs, self._look_up_exact)
        self.exact[node] = target(*args, **kwargs)

    def _look_up_exact(self, argument: Any) -> Any:
        if isinstance(argument, torch.fx.Node):
            argument = self.exact.get(argument, self.values[argument])
        if isinstance(argument, torch.Tensor) and argument.dtype in _NARROW:
            return argument.float()
        return torch.float32 if argument in _NARROW else argument

    def _apply(
        self,
        node: torch.fx.Node,
        target: Any,
        args: Any,
        kwargs: Any,
    ) -> Any:
        args, kwargs = map_aggregate((args, kwargs), self._as_value)
        rule = RULES.get(str(target))
        where = describe_path(node)
        if rule is None:
            is_number = not isinstance(node.meta["val"], torch.Tensor | tuple | list)
            why = ", a number that data decide" if is_number else ""
            raise MissingRule(where, f"no rule for the operation '{target}'{why}")
        arguments = bind(target, args, kwargs)
        options = {key: a for key, a in node.kwargs.items() if key != "device"}
        metas: Any = map_aggregate((node.args, options), self._make_meta)
        try:
            result = target(*metas[0], **metas[1])
        except (NotImplementedError, RuntimeError) as problem:
            raise UnknownOperation(where, f"'{target}': {problem}") from problem
        first = result if isinstance(result, torch.Tensor) else result[0]
        if isinstance(result, torch.Tensor) and result.numel() == 0:
            return torch.empty(result.shape, dtype=result.dtype)
        try:
            call = Call(
                str(target),
                arguments,
                tuple(first.shape),
                self._find_keyword(first.dtype),
                _count_readers(node) == 1,
            )
            return check_results(rule(self.emitter, call), result, self._find_keyword)
        except NotImplementedError as problem:
            raise UnknownOperation(where, f"'{target}': {problem}") from problem
        except (ArithmeticError, AttributeError, LookupError, TypeError) as problem:
            raise InternalFault(
                where,
                f"'{target}': internal error: {type(problem).__name__}: {problem}",
            ) from problem

    def _make_meta(self, argument: Any) -> Any:
        """Returns a tensor of the same shape and type without elements."""
        if not isinstance(argument, torch.fx.Node):
            return argument
        value = self._as_value(self.values[argument])
        if not isinstance(value, Value | torch.Tensor):
            return value
        dtype = argument.meta["val"].dtype
        return torch.empty(tuple(value.shape), dtype=dtype, device="meta")

    def _look_up(self, argument: Any) -> Any:
        if isinstance(argument, torch.fx.Node):
            return self.values[argument]
        return argument

    def _look_up_computed(self, reader: torch.fx.Node, argument: Any) -> Any:
        """Returns an operand of an operation on data, which calls may compute."""
        value = self._look_up(argument)
        if not isinstance(argument, torch.fx.Node) or argument.name not in (
            self.choices.computed or ()
        ):
            return value
        if not isinstance(value, torch.Tensor) and not takes_number(reader, argument):
            return value
        if argument not in self.computed:
            example = make_example(argument)
            assert example is not None
            made = self._add_input(f"{OF_SIZES}{argument.name}", example)
            self.computed[argument] = self.emitter.reshape(made, getattr(value, "shape", ()))
        return self.computed[argument]

    def _look_up_mask(self, reader: torch.fx.Node, argument: Any) -> Any:
        value = self._look_up_computed(reader, argument)
        is_narrow = isinstance(value, torch.Tensor) and value.dtype in _NARROW
        return self.exact.get(argument, value) if is_narrow else value

    def _as_value(self, argument: Any) -> Any:
        return self._use(argument) if isinstance(argument, Parameter) else argument

    # Results -------------------------------------------------------------------

    def _finish(self, output: torch.fx.Node, function: str) -> Imported:
        specs = self.program.graph_signature.output_specs
        names = get_output_names(self.program)
        results: list[tuple[str, Value]] = []
        outputs: list[Any] = []
        given: Any = output.args[0]
        for spec, node in zip(specs, given, strict=True):
            value = self._as_value(self._look_up(node))
            if spec.kind != OutputKind.USER_OUTPUT:
                self._check_change(spec, value)
                continue
            if isinstance(value, Value):
                name = names[len(outputs)]
                dtype = self._find_keyword(node.meta["val"].dtype)
                results.append((name, self.emitter.cast(value, dtype)))
                value = OutputName(name)
            outputs.append(value)
        if not results:
            empty = name_empty(self.positions)
            raise Error(f"no result of the module depends on its inputs{empty}")
        maps = self.choices.size_maps
        attributes = f" attributes {{raise.sizes = [{maps}]}}" if maps else ""
        text = self.function.finish(results, function, attributes)
        return Imported(
            text,
            self.inputs,
            self.parameters,
            outputs,
            self.lengths,
            drops=self.emitter.seed is not None,
            checks=self.checks,
            size_inputs=self._make_size_inputs(),
        )

    def _make_size_inputs(self) -> SizeInputs | None:
        names = {f"{OF_SIZES}{node.name}": node for node in self.computed}
        constants = self.choices.constants
        return SizeInputs(self.program, names, constants) if names else None

    def _check_change(self, spec: Any, value: Any) -> None:
        """Rejects in-place changes, except of a buffer to values that depend on no data."""
        if spec.kind != OutputKind.BUFFER_MUTATION:
            raise Error(f"the module changes its input '{spec.target}' in place")
        signature = self.program.graph_signature
        buffers = signature.inputs_to_buffers
        readers = [
            user
            for node in self.program.graph.nodes
            if buffers.get(node.name) == spec.target
            for user in node.users
            if user.op != "output"
        ]
        is_overwritten = all(str(r.target) == "aten.copy.default" for r in readers)
        if isinstance(value, Value) or not is_overwritten:
            raise Error(f"the module changes '{spec.target}', which is not a result")


def _count_readers(node: torch.fx.Node) -> int:
    """Returns the operations that read a result, also by another name."""
    return sum(
        _count_readers(user) if RULES.get(str(user.target)) in (keep, drop) else 1
        for user in node.users
    )
