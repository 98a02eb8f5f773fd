# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What masks of padding do to data, followed through a graph.

A mask becomes lengths of rows, and these hide keys and nothing else. PyTorch may
give rows of padding other values than lengths do; that is of no matter as long
as no real row has anything of them. Two numbers for each element of a tensor say
so, whatever the lengths are: the last row of padding it may have something of, and
the key behind whose hiding it is nothing.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch.fx.node import map_aggregate

from parablock.errors import Error
from parablock.frontend.elementwise import keep
from parablock.frontend.losses import OF_CLASSES, find_classes
from parablock.frontend.padding import (
    ABSORBED,
    Lane,
    PaddingMask,
    are_equal,
    hides_keys,
    is_alike_in_rows,
    keeps_keys,
)
from parablock.frontend.table import RULES, bind
from parablock.frontend.targets import HiddenRows

#: What stands for data where only a mask's part in an operation matters.
_EXAMPLES = (-30.0, 0.0, 30.0)
_SOFTMAXES = ("aten.softmax.int", "aten._softmax.default")
_PRODUCTS = {
    "aten.matmul.default": ("self", "other"),
    "aten.mm.default": ("self", "mat2"),
    "aten.bmm.default": ("self", "mat2"),
    "aten.addmm.default": ("mat1", "mat2"),
    "aten.baddbmm.default": ("batch1", "batch2"),
}
_REDUCTIONS = tuple(
    f"aten.{name}"
    for name in ("sum.dim_IntList", "mean.dim", "amax.default", "amin.default")
    + ("any.dim", "any.dims", "all.dim", "all.dims", "argmax.default", "argmin.default")
)
_CASTS = ("aten.to.dtype", "aten._to_copy.default", "aten.type_as.default")
_COPIES = tuple(
    f"aten.{name}"
    for name in ("cat.default", "concat.default", "stack.default", "repeat.default")
    + ("repeat_interleave.self_int", "clone.default", "lift_fresh_copy.default")
    + ("_unsafe_view.default", "roll.default", "flip.default")
)
#: Views that other strides than PyTorch's may not allow.
_RESHAPES = ("aten.view.default", "aten._unsafe_view.default")


@dataclasses.dataclass(frozen=True, eq=False)
class Trace:
    """What a mask has to do with a tensor's elements; -1 stands for nothing."""

    #: Where the mask meets data.
    path: str
    #: The last token whose row of padding an element may have something of.
    reach: torch.Tensor | None = None
    #: The key of an element that is nothing where this key is hidden.
    key: torch.Tensor | None = None
    #: What a hidden score is at most; none of weights, which are 0.
    level: float | None = None

    @property
    def has_scores(self) -> bool:
        return self.key is not None and self.level is not None


class PaddingFlow:
    """Follows masks from where they meet data to attentions and results."""

    def __init__(
        self,
        lanes: Sequence[Lane],
        values: Mapping[torch.fx.Node, Any],
        padded: Mapping[torch.fx.Node, list[Any]],
        *,
        is_open: bool = False,
    ) -> None:
        self.lanes = lanes
        #: Calls have other sizes than those that are followed.
        self.is_open = is_open
        self.values = values
        #: What depends on masks alone, as each lane has it.
        self.padded = padded
        self.traces: dict[torch.fx.Node, Any] = {}
        #: Of losses, the rows that have to be ignored.
        self.hidden_rows: dict[torch.fx.Node, list[HiddenRows]] = {}

    def follow(
        self, node: torch.fx.Node, path: str, shape: Any, *, ends: bool
    ) -> list[PaddingMask]:
        """Follows all masks through an operation on data.

        The masks that it hides keys by are returned, where it is an attention.
        """
        hidden: list[PaddingMask] = []
        results: dict[PaddingMask, Any] = {}
        for mask in dict.fromkeys(lane.mask for lane in self.lanes):
            step = _Step(self, node, path, mask, shape)
            if not step.given:
                continue
            if ends:
                hides, result = step.attend()
                hidden += [mask] if hides else []
            else:
                result = step.run()
            if result is not None:
                results[mask] = result
        if results:
            self.traces[node] = results
        return sorted(hidden, key=lambda mask: mask.position)

    def check_result(self, node: torch.fx.Node, name: str) -> None:
        """Refuses a result that has something of a mask, but by way of attentions."""
        for mask, trace in self.traces.get(node, {}).items():
            if trace.key is not None and trace.has_scores:
                raise make_error(trace.path, mask)
            if trace.reach is None:
                continue
            tokens = next(lane.tokens for lane in self.lanes if lane.mask is mask)
            if not _is_by_rows(trace.reach, tokens):
                raise Error(
                    f"{trace.path}: the mask '{mask.name}' changes rows of padding, and "
                    f"the result '{name}' has something of them in real rows"
                )


def make_error(path: str, mask: PaddingMask) -> Error:
    return Error(
        f"{path}: the mask '{mask.name}' does more than hide keys behind a row's length"
    )


def _is_by_rows(reach: torch.Tensor, tokens: int) -> bool:
    """Whether a dimension is of tokens, and none has anything of a later one."""
    for dim, size in enumerate(reach.shape):
        if size and size % tokens == 0:
            own = _along(torch.arange(size) % tokens, dim, reach.dim())
            if bool((_squash(reach) <= own).all()):
                return True
    return False


class _Step:
    """One operation and one mask."""

    def __init__(
        self,
        flow: PaddingFlow,
        node: torch.fx.Node,
        path: str,
        mask: PaddingMask,
        shape: Any,
    ) -> None:
        self.flow, self.node, self.path, self.mask = flow, node, path, mask
        self.shape = shape
        self.target: Callable[..., Any] = node.target  # type: ignore[assignment]
        self.lanes = [n for n, lane in enumerate(flow.lanes) if lane.mask is mask]
        self.given: dict[torch.fx.Node, Any] = {}
        #: Constants whose scores of hidden keys differ, with these keys.
        self.constants: dict[torch.fx.Node, Trace] = {}
        for source in node.all_input_nodes:
            if source in flow.padded:
                trace = self._read_constant(source)
            else:
                trace = flow.traces.get(source, {}).get(mask)
            if trace is not None:
                self.given[source] = trace

    # Constants ---------------------------------------------------------------

    def _read_constant(self, source: torch.fx.Node) -> Trace | None:
        """What a constant has of the mask: rows of padding, or scores of keys."""
        full = self.flow.values[source]
        lanes = [(self.flow.lanes[n], self.flow.padded[source][n]) for n in self.lanes]
        if all(are_equal(full, own) for _, own in lanes):
            return None
        if not isinstance(full, torch.Tensor) or any(
            not isinstance(own, torch.Tensor) or own.shape != full.shape
            for _, own in lanes
        ):
            raise make_error(self.path, self.mask)
        tokens = lanes[0][0].tokens
        if all(keeps_keys(full, own, lane) for lane, own in lanes):
            key = _count_along(full, -1)
            rows = None
            if not all(is_alike_in_rows(full, own, lane) for lane, own in lanes):
                rows = _count_along(full, -2)
            self.constants[source] = Trace(self.path, rows, key)
            return self.constants[source]
        for dim in range(full.dim()):
            if full.shape[dim] == tokens and all(
                torch.equal(full.narrow(dim, 0, n), own.narrow(dim, 0, n))
                for n, own in ((lane.length, own) for lane, own in lanes)
            ):
                return Trace(self.path, _count_along(full, dim))
        raise make_error(self.path, self.mask)

    # Operations --------------------------------------------------------------

    def run(self) -> Any:
        name = str(self.target)
        if getattr(self.target, "__name__", "") == "getitem":
            given = self._get_only()
            index: Any = self.node.args[1]
            return given[index] if isinstance(given, list) else given
        given = list(self.given.values())
        if any(isinstance(trace, list) for trace in given):
            raise make_error(self.path, self.mask)
        if RULES.get(name) is keep or name in _CASTS:
            dtype = self.node.meta["val"].dtype
            if given[0].has_scores and not dtype.is_floating_point:
                raise make_error(self.path, self.mask)
            return given[0]
        if name in _COPIES or getattr(self.target, "is_view", False):
            return self._move()
        if torch.Tag.pointwise in getattr(self.target, "tags", ()) or name in (
            "aten.where.ScalarSelf",
            "aten.where.ScalarOther",
            "aten.where.Scalar",
            "aten.masked_fill.Tensor",
            "aten.rsub.Tensor",
            "aten.hardswish.default",
        ):
            return self._combine()
        if any(trace.has_scores for trace in given):
            raise make_error(self.path, self.mask)
        return self._make(self._reach_through(name))

    def _get_only(self) -> Any:
        return next(iter(self.given.values()))

    def _make(self, reach: torch.Tensor | None) -> Any:
        """A trace of rows of padding, for each of the results."""
        if reach is None or int(reach.max()) <= 0:
            # The first token is always real.
            return None
        path = self._get_only().path
        if isinstance(self.shape, list):
            return Trace(path, reach.expand(self.shape))
        # Attentions give weights beside their values.
        own = [reach if reach.dim() == len(s) else reach.max() for s in self.shape]
        pairs = zip(own, self.shape, strict=True)
        return [Trace(path, numbers.expand(shape)) for numbers, shape in pairs]

    def _get_reach(self, source: Any) -> torch.Tensor | None:
        """Rows of padding that an operand has something of."""
        if not isinstance(source, torch.fx.Node) or source not in self.given:
            return None
        trace: Trace = self.given[source]
        if source in self.constants:
            return _join(trace.reach, trace.key)
        if trace.reach is None or trace.key is None or trace.has_scores:
            return trace.reach
        return _drop(_squash(trace.reach), _squash(trace.key))

    def _reach_through(self, name: str) -> torch.Tensor | None:
        """Rows that results have something of, by the dimensions that are joined."""
        arguments = bind(self.target, self.node.args, self.node.kwargs)
        traced = [s for s in self.given if self._get_reach(s) is not None]
        if not traced:
            return None
        if name in _PRODUCTS:
            names = _PRODUCTS[name]
            added = None if "self" in names else self._get_reach(arguments["self"])
            factors = [arguments[key] for key in names]
            if all(len(self.flow.values[factor].shape) > 1 for factor in factors):
                return _join(self._multiply(*factors), added)
        only = self._get_reach(traced[0])
        if len(traced) == 1 and only is not None:
            reach = _squash(only)
            if name in OF_CLASSES and self._ignore_rows(arguments, only):
                return None
            if name == "aten.linear.default" and traced[0] is arguments["input"]:
                return reach.amax(-1, keepdim=True)
            if name == "aten.embedding.default" and traced[0] is arguments["indices"]:
                return reach.unsqueeze(-1)
            if name in ("aten.layer_norm.default", "aten.rms_norm.default"):
                count = len(arguments["normalized_shape"])
                return reach.amax(tuple(range(-count, 0)), keepdim=True)
            if name == "aten.cumsum.default":
                return only.cummax(arguments["dim"]).values
            if name in ("aten.log_softmax.int", "aten._log_softmax.default"):
                return reach.amax(arguments["dim"], keepdim=True)
            if name in _REDUCTIONS and arguments.get("dim") not in (None, []):
                return reach.amax(arguments["dim"], keepdim=arguments["keepdim"])
        reaches = [self._get_reach(source) for source in traced]
        return torch.stack([r.max() for r in reaches if r is not None]).max()

    def _ignore_rows(self, arguments: Mapping[str, Any], reach: torch.Tensor) -> bool:
        """Whether a loss of single rows can leave out those that have padding in them."""
        target = arguments["target"]
        example = target.meta["val"]
        is_plain = not example.dtype.is_floating_point and target not in self.given
        if self.flow.is_open or not is_plain or example.numel() % self.mask.shape[0]:
            return False
        rows = reach.amax(find_classes(reach.dim())).expand(example.shape)
        hidden = HiddenRows(self.mask, rows.clone())
        self.flow.hidden_rows.setdefault(self.node, []).append(hidden)
        return True

    def _multiply(self, left: Any, right: Any) -> torch.Tensor | None:
        """Of a product: weights of hidden keys are 0, whatever they meet."""
        mine, other = self._get_reach(left), self._get_reach(right)
        trace = self.given.get(left)
        if other is not None and trace is not None and left not in self.constants:
            key = None if trace.key is None else _squash(trace.key)
            if key is not None and key.shape[-2] == 1:
                other = _drop(_squash(other), key.transpose(-1, -2))
        rows = None if mine is None else _squash(mine).amax(-1, keepdim=True)
        columns = None if other is None else _squash(other).amax(-2, keepdim=True)
        return _join(rows, columns)

    def _move(self) -> Any:
        """What only moves elements moves what is known of them."""

        def apply(field: str) -> Any:
            def stand_in(argument: Any) -> Any:
                if not isinstance(argument, torch.fx.Node):
                    return argument
                value = self.flow.values[argument]
                trace = self.given.get(argument)
                own = None if trace is None else getattr(trace, field)
                if own is None and not hasattr(value, "shape"):
                    return value
                return (torch.tensor(-1) if own is None else own).expand(value.shape)

            args: Any = map_aggregate(self.node.args, stand_in)
            kwargs: Any = map_aggregate(self.node.kwargs, stand_in)
            is_view = str(self.target) in _RESHAPES
            moved = (torch.reshape if is_view else self.target)(*args, **kwargs)
            return _fold(moved) if isinstance(moved, torch.Tensor) else map(_fold, moved)

        if self.constants:
            raise make_error(self.path, self.mask)
        reach, key = apply("reach"), apply("key")
        traces = self.given.values()
        levels = [t.level for t in traces if t.level is not None]
        level = max(levels, default=None)
        path = self._get_only().path
        if isinstance(reach, torch.Tensor):
            return _make_trace(path, reach, key, level)
        pairs = zip(reach, key, strict=True)
        return [_make_trace(path, own, of_key, level) for own, of_key in pairs]

    # Element by element ------------------------------------------------------

    def _combine(self) -> Any:
        """Of an operation element by element: what hides, is tried with examples."""
        reach: torch.Tensor | None = None
        keys: list[tuple[torch.Tensor, float | None]] = []
        for source, trace in self.given.items():
            if source in self.constants:
                level = self._measure_constant(trace)
                reach = _join(reach, trace.reach)
                if level <= ABSORBED:
                    keys.append((trace.key, level))
                else:
                    reach = _join(reach, trace.key)
                continue
            reach = _join(reach, trace.reach)
            if trace.key is None:
                continue
            most = self._measure(source, 0.0 if trace.level is None else trace.level)
            if trace.level is not None and not most <= ABSORBED:
                raise make_error(trace.path, self.mask)
            if trace.level is not None:
                keys.append((trace.key, most))
            elif most == 0.0 and self._measure(source, 0.0, least=True) == 0.0:
                keys.append((trace.key, None))
        path = self._get_only().path
        # Scores and weights in one operation: only scores have yet to be hidden.
        levels = [level for _, level in keys if level is not None]
        if levels:
            keys = [(key, level) for key, level in keys if level is not None]
        key: torch.Tensor | None = None
        for own, _ in keys:
            key = _join(key, own)
        reach = None if reach is None else reach.expand(self.shape)
        key = None if key is None else key.expand(self.shape)
        return _make_trace(path, reach, key, max(levels) if levels else None)

    def _list_examples(
        self, lane: int | None, fixed: Mapping[torch.fx.Node, float]
    ) -> Iterator[torch.Tensor]:
        """What the operation gives of a lane's constants and examples of data."""
        data = [
            source
            for source in self.node.all_input_nodes
            if not isinstance(self.flow.values[source], torch.Tensor | int | float | bool)
        ]
        choices = []
        for source in data:
            dtype = source.meta["val"].dtype
            own: Sequence[float] = _EXAMPLES if dtype.is_floating_point else (0, 1)
            if source in fixed:
                own = [fixed[source]]
            choices.append([torch.tensor(example, dtype=dtype) for example in own])
        for examples in itertools.product(*choices):
            chosen = dict(zip(data, examples, strict=True))

            def look_up(argument: Any, chosen: Any = chosen) -> Any:
                if not isinstance(argument, torch.fx.Node):
                    return argument
                if argument in chosen:
                    return chosen[argument]
                if lane is not None and argument in self.flow.padded:
                    return self.flow.padded[argument][lane]
                return self.flow.values[argument]

            args: Any = map_aggregate(self.node.args, look_up)
            kwargs: Any = map_aggregate(self.node.kwargs, look_up)
            yield self.target(*args, **kwargs)

    def _measure(
        self, source: torch.fx.Node, value: float, *, least: bool = False
    ) -> float:
        """The largest result where an operand is a value."""
        found = []
        for lane in (None, *self.lanes):
            for result in self._list_examples(lane, {source: value}):
                if bool(result.isnan().any()):
                    return float("inf")
                found.append(float(result.min() if least else result.max()))
        return min(found) if least else max(found)

    def _measure_constant(self, trace: Trace) -> float:
        """The largest result where a constant hides keys of real rows."""
        found = [-float("inf")]
        key = _squash(_get_known(trace.key))
        for lane in self.lanes:
            length = self.flow.lanes[lane].length
            hidden = key >= length
            if trace.reach is not None:
                hidden = hidden & (_squash(trace.reach) < length)
            for result in self._list_examples(lane, {}):
                if result.dtype == torch.bool or not bool(hidden.any()):
                    return float("inf")
                own = result[hidden.expand(result.shape)]
                if bool(own.isnan().any()):
                    return float("inf")
                found.append(float(own.max()))
        return max(found)

    # Attentions --------------------------------------------------------------

    def attend(self) -> tuple[bool, Any]:
        """Of an attention: whether the mask hides keys, and the rows that are left."""
        name = str(self.target)
        hiding = [s for s, trace in self.given.items() if self._hides(s, trace)]
        rows: torch.Tensor | None = None
        for source, trace in self.given.items():
            if trace.has_scores and source not in hiding:
                raise make_error(trace.path, self.mask)
            if source in self.constants and trace.reach is not None:
                rows = _join(rows, trace.reach.amax(-1, keepdim=True))
        for source in self.constants:
            if not hiding:
                raise make_error(self.path, self.mask)
        if name in _SOFTMAXES:
            return bool(hiding), self._weigh(hiding)
        arguments = bind(self.target, self.node.args, self.node.kwargs)
        is_sdpa = "query" in arguments and "attn_mask" in arguments
        for source in self.given:
            reach = self._get_reach(source)
            if source in self.constants or reach is None:
                continue
            if is_sdpa and source is arguments["attn_mask"]:
                own = self.given[source]
                left = _drop(_squash(reach), _squash(own.key)) if hiding else reach
                rows = _join(rows, _squash(left).amax(-1, keepdim=True))
                continue
            by_token = _squash(reach).amax(-1, keepdim=True)
            is_query = not is_sdpa or source is arguments["query"]
            is_key = not is_sdpa or source in (arguments["key"], arguments["value"])
            if is_query:
                rows = _join(rows, by_token)
            if is_key:
                key = torch.arange(by_token.shape[-2]).unsqueeze(-1)
                rest = _drop(by_token, key) if hiding else by_token
                rows = _join(rows, rest.max())
        return bool(hiding), self._make(rows)

    def _hides(self, source: torch.fx.Node, trace: Trace) -> bool:
        """Whether scores of keys behind a length have no weight."""
        if source in self.constants:
            full, padded = self.flow.values[source], self.flow.padded[source]
            return all(
                hides_keys(full, padded[n], self.flow.lanes[n]) for n in self.lanes
            )
        if not trace.has_scores:
            return False
        key = _squash(_get_known(trace.key))
        tokens = self.flow.lanes[self.lanes[0]].tokens
        return key.numel() == tokens == key.shape[-1] and torch.equal(
            key.flatten(), torch.arange(tokens)
        )

    def _weigh(self, hiding: Sequence[torch.fx.Node]) -> Any:
        """Weights of one softmax: of hidden keys they are 0."""
        source = next(iter(self.given))
        trace = self.given[source]
        arguments = bind(self.target, self.node.args, self.node.kwargs)
        last = arguments["dim"] in (-1, len(self.shape) - 1)
        if hiding and not last:
            raise make_error(trace.path, self.mask)
        reach = trace.reach
        if reach is not None:
            left = _squash(reach)
            left = _drop(left, _squash(trace.key)) if hiding else left
            reach = left.amax(arguments["dim"], keepdim=True).expand(self.shape)
        return _make_trace(trace.path, reach, trace.key if hiding else None, None)


# Elements ----------------------------------------------------------------------


def _make_trace(
    path: str,
    reach: torch.Tensor | None,
    key: torch.Tensor | None,
    level: float | None,
) -> Trace | None:
    # The first token is always real.
    reach = None if reach is None or int(_squash(reach).max()) <= 0 else reach
    key = None if key is None or int(_squash(key).max()) < 0 else key
    if reach is None and key is None:
        return None
    return Trace(path, reach, key, level if key is not None else None)


def _get_known(numbers: torch.Tensor | None) -> torch.Tensor:
    return torch.tensor(-1) if numbers is None else numbers


def _along(numbers: torch.Tensor, dim: int, rank: int) -> torch.Tensor:
    return numbers.reshape([-1 if d == dim % rank else 1 for d in range(rank)])


def _count_along(like: torch.Tensor, dim: int) -> torch.Tensor:
    """Numbers from 0 along a dimension."""
    own = torch.arange(like.shape[dim])
    return _along(own, dim, like.dim()).expand(like.shape)


def _squash(numbers: torch.Tensor) -> torch.Tensor:
    """One of those that are repeated along a dimension."""
    for dim, stride in enumerate(numbers.stride()):
        if stride == 0 and numbers.shape[dim] > 1:
            numbers = numbers.narrow(dim, 0, 1)
    return numbers


def _fold(numbers: torch.Tensor) -> torch.Tensor:
    """The same, without copies of what is repeated along a dimension."""
    folded = _squash(numbers)
    for dim, size in enumerate(folded.shape):
        first = folded.narrow(dim, 0, 1) if size > 1 else folded
        folded = first if bool((folded == first).all()) else folded
    return folded.expand(numbers.shape)


def _join(
    one: torch.Tensor | None, other: torch.Tensor | None
) -> torch.Tensor | None:
    if one is None or other is None:
        return other if one is None else one
    whole, part = torch.broadcast_tensors(one, other)  # type: ignore[no-untyped-call]
    return torch.maximum(_squash(whole), _squash(part)).expand(whole.shape)


def _drop(reach: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
    """Without what is hidden wherever it is of padding."""
    return torch.where(key >= reach, -1, reach)
