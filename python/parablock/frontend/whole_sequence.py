# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A graph with caches, as the same model has it for whole sequences.

With empty caches, tokens see each other alone: attention over buffers becomes causal
attention over the call's own keys, within its window if it has one, and positions count
from 0. block-add-caches turns this graph for any number of tokens into the function of
new tokens and caches. A call of the original graph equals a call of that function if its
masks and positions are those of caches; parablock/backend/cached_call.py checks this.

To find numbers of tokens in the graph, each operation runs on tensors without elements,
for a number of tokens that no other dimension has.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.fx.node import map_aggregate

from parablock.errors import Error
from parablock.frontend.alibi import Alibi, find_alibis
from parablock.frontend.cached_appends import get_number, get_sizes, is_size
from parablock.frontend.cached_graph import VIEWS, Attention, CachedGraph, Mask, Node, Role
from parablock.frontend.export import export_module
from parablock.frontend.imported import Choices

#: Tokens that operations are tried with; a prime that no width has.
_MANY = 10007
_EXPAND = "aten.expand.default"
_SLICE = "aten.slice.Tensor"
#: Operations on whole numbers that positions may be counted by, of one operand each.
_COUNTED = (
    *(*VIEWS, _EXPAND, _SLICE),
    *("aten.unsqueeze.default", "aten.clone.default", "aten._to_copy.default"),
    *("aten.add.Tensor", "aten.sub.Tensor"),
)


@dataclasses.dataclass
class WholeSequence:
    """The model, and what of it the graph gives."""

    program: ExportedProgram
    #: Positions of a call's tokens, as the graph has them.
    positions: list[Node]
    #: Tokens whose results are wanted.
    rows: slice
    #: Choices of the import: the largest number that positions are compared with.
    choices: Choices
    #: Biases of masks that weigh keys, by mask.
    alibis: Mapping[Node, Alibi]


@dataclasses.dataclass(frozen=True)
class _Times:
    """A size that is so many times the number of tokens."""

    factor: int


def write_whole_sequence(
    graph: CachedGraph, given: Mapping[int, torch.Tensor], args: Sequence[Any] | None
) -> WholeSequence:
    """`given` are weights and constants by their number among the inputs.

    `args` are those of a call, if there is one.
    """
    with torch.no_grad():
        return _Writer(graph, given, find_alibis(graph, args)).write()


class _Writer:
    def __init__(
        self,
        graph: CachedGraph,
        given: Mapping[int, torch.Tensor],
        alibis: Mapping[Node, Alibi],
    ) -> None:
        self.source = graph
        self.alibis = alibis
        self.given = {graph.inputs[number]: tensor for number, tensor in given.items()}
        self.root = torch.nn.Module()
        self.graph = torch.fx.Graph()
        #: Replacement of each node, and its result for many tokens.
        self.made: dict[Node, Any] = {}
        self.tried: dict[Node, Any] = {}
        #: Nodes with wanted rows alone.
        self.kept: set[Node] = set()
        self.rows: slice | None = None
        self.positions: list[Node] = []
        #: Tokens that there is room or are positions for, if that is known.
        self.most: int | None = None
        # A window is found by what is beyond it.
        if all(attention.window is None for attention in graph.attentions.values()):
            self.most = graph.capacity
        self.sizes: dict[int, Node] = {}
        #: Scores of attention that is spelled out, which has masks that become causal ones.
        self.scores: dict[Node, Attention] = {
            node: attention
            for attention in graph.attentions.values()
            for node in attention.scores
        }
        self.causal: dict[Any, Node] = {}
        self.tokens = self.graph.placeholder("input_ids")
        self.made[graph.tokens] = self.tokens
        shape = (graph.batch, _MANY)
        self.tried[self.tokens] = torch.empty(shape, dtype=torch.int64, device="meta")

    def write(self) -> WholeSequence:
        appends = self.source.appends.values()
        buffers = {
            node
            for append in appends
            for node in (append.cache, *append.steps, *append.results)
            if node not in self.source.appends
        }
        for node in self.source.nodes:
            is_data = node.op == "call_function" and self.source.roles[node] is Role.DATA
            if is_data and node not in buffers:
                self._make(node)
        self.graph.output({"logits": self._find_logits()})
        self.graph.eliminate_dead_code()
        module = torch.fx.GraphModule(self.root, self.graph).eval()
        most = self.most
        ids = torch.zeros(self.source.batch, min(7, most or 7), dtype=torch.int64)
        dims = {"input_ids": {1: torch.export.Dim("seq", min=2, max=most)}}
        program = export_module(module, (ids,), {}, dims)
        windows = [a.window or 0 for a in self.source.attentions.values()]
        choices = Choices(largest_number=max(windows))
        rows = self.rows or slice(None)
        return WholeSequence(program, self.positions, rows, choices, self.alibis)

    def _find_logits(self) -> Node:
        found = [
            node
            for spec, node in self.source.list_results()
            if spec.kind.name == "USER_OUTPUT"
            and isinstance(node, Node)
            and self.source.roles[node] is Role.DATA
            and self.source.find_append(node) is None
        ]
        if len(found) != 1:
            raise Error(f"caches: expected one result beside them, got {len(found)}")
        made = self.made[found[0]]
        if self.tried[made].dim() != 3 or self.tried[made].shape[1] != _MANY:
            raise Error("caches: expected a result of [rows, tokens, ..]")
        return made  # type: ignore[no-any-return]

    # Operations ----------------------------------------------------------------------

    def _make(self, node: Node) -> Any:
        """Returns the replacement of a node in the graph for whole sequences."""
        if node not in self.made:
            self.made[node] = self._write(node)
        return self.made[node]

    def _write(self, node: Node) -> Any:
        if node in self.given or node.op == "get_attr" or node in self.source.lifted:
            return self._write_tensor(node)
        if is_size(node):
            return get_number(node.meta["val"])
        if node.op == "placeholder" and self.source.roles[node] is Role.CONSTANT:
            return node.meta.get("val")
        role = self.source.roles[node]
        if node in self.source.appends and self.source.appends[node].new is not node:
            return self._make_new(node)
        append = self.source.find_append(node)
        if append is not None and append.joined is not node:
            # The kept rows are the joined ones: attention reads no others.
            return self._make(append.joined)
        if role is Role.CONTROL and _is_count(node.meta["val"]):
            return self._count(node)
        if node.op == "placeholder":
            name = self.source.get_name(node)
            raise Error(f"caches: '{name}' is neither a mask nor positions")
        if node in self.scores:
            return self._write_scores(node)
        if node in self.source.attentions:
            return self._write_attention(node)
        if str(node.target) == _SLICE:
            return self._slice(node)
        args: Any = map_aggregate(node.args, self._look_up)
        kwargs: Any = map_aggregate(dict(node.kwargs), self._look_up)
        if str(node.target) in (*VIEWS, _EXPAND):
            args = (args[0], self._scale(node, args[0]), *args[2:])
        if str(node.target) == "aten.embedding.default":
            self._note_table(*node.args[:2])
        return self._call(node, args, kwargs)

    def _note_table(self, table: Any, positions: Any) -> None:
        """Notes the largest number of tokens that a table of positions has."""
        if self.source.roles[positions] is Role.CONTROL:
            rows = int(table.meta["val"].shape[0])
            self.most = min(self.most or rows, rows)

    def _look_up(self, argument: Any) -> Any:
        return self._make(argument) if isinstance(argument, Node) else argument

    def _write_tensor(self, node: Node) -> Node:
        """Writes a tensor that is the same in every call."""
        is_input = node.op == "placeholder"
        name = self.source.get_name(node) if is_input else str(node.target)
        tensor = self.given[node].detach() if node in self.given else self._find(node)
        owner = self.root
        *path, last = name.split(".")
        for step in path:
            if not hasattr(owner, step):
                owner.register_module(step, torch.nn.Module())
            owner = getattr(owner, step)
        if self.source.roles[node] is Role.WEIGHT:
            weight = torch.nn.Parameter(tensor, requires_grad=False)
            owner.register_parameter(last, weight)
        else:
            owner.register_buffer(last, tensor)
        made = self.graph.get_attr(name)
        self.tried[made] = torch.empty_like(tensor, device="meta")
        return made

    def _find(self, node: Node) -> torch.Tensor:
        tensor = self.source.find_tensor(node)
        assert tensor is not None
        return tensor

    def _call(self, node: Node, args: Any, kwargs: Any) -> Any:
        """Writes an operation, and runs it for many tokens."""
        # Strides are another matter, and no matter here.
        is_view = str(node.target) in VIEWS
        target: Any = torch.ops.aten.reshape.default if is_view else node.target

        def look_up(argument: Any) -> Any:
            if isinstance(argument, _Times):
                return argument.factor * _MANY
            if isinstance(argument, torch.device):
                return torch.device("meta")
            return self.tried.get(argument, argument) if isinstance(argument, Node) else argument

        tried_args, tried_kwargs = map_aggregate((args, kwargs), look_up)
        if kwargs.get("device", "") == torch.device("cpu"):
            tried_kwargs = {**tried_kwargs, "device": torch.device("meta")}
        try:
            tried = target(*tried_args, **tried_kwargs)
        except (RuntimeError, NotImplementedError, IndexError) as problem:
            raise Error(
                f"caches: '{target}' is not known for other numbers of tokens: "
                f"{str(problem).splitlines()[0]}"
            ) from problem
        args, kwargs = map_aggregate((args, kwargs), self._write_size)
        made = self.graph.call_function(target, args, kwargs)
        if isinstance(tried, torch.Tensor) and tried.device.type != "meta":
            tried = torch.empty_like(tried, device="meta")
        self.tried[made] = tried
        self._check_rows(node, made)
        return made

    def _write_size(self, argument: Any) -> Any:
        if not isinstance(argument, _Times):
            return argument
        if argument.factor not in self.sizes:
            with self.graph.inserting_after(self.tokens):
                size = self.graph.call_function(
                    torch.ops.aten.sym_size.int, (self.tokens, 1)
                )
            if argument.factor != 1:
                with self.graph.inserting_after(size):
                    size = self.graph.call_function(operator.mul, (size, argument.factor))
            self.sizes[argument.factor] = size
        return self.sizes[argument.factor]

    def _check_rows(self, node: Node, made: Node) -> None:
        """Rejects operations that combine wanted rows with all tokens."""
        scaled = [s for s in made.all_input_nodes if self._list_scaled(s)]
        kept = [source in self.kept for source in scaled]
        if any(kept):
            if not all(kept):
                raise Error(f"caches: '{node.target}' joins wanted rows with all tokens")
            self.kept.add(made)

    def _find_scaled(self, made: Any) -> int | None:
        """Returns the dimension whose size is a multiple of the tokens, if there is one."""
        found = self._list_scaled(made)
        if len(found) > 1:
            raise Error("caches: expected tokens in one dimension")
        return found[0] if found else None

    def _list_scaled(self, made: Any) -> list[int]:
        tried = self.tried.get(made)
        shape = tried.shape if isinstance(tried, torch.Tensor) else ()
        return [dim for dim, size in enumerate(shape) if size and size % _MANY == 0]

    # Sizes -----------------------------------------------------------------------------

    def _scale(self, node: Node, operand: Any) -> list[Any]:
        """Returns the sizes of a view for more tokens."""
        old = get_sizes(node.args[0])  # type: ignore[arg-type]
        wanted: list[Any] = list(get_sizes(node))
        dim = self._find_scaled(operand)
        if dim is None:
            return wanted
        outer = self.tried[operand].shape[dim] // _MANY
        tokens, rest = divmod(old[dim], outer)
        if rest:
            raise Error(f"caches: '{node.target}' has another order of tokens")
        if str(node.target) == _EXPAND:
            wanted[dim - len(old)] = _Times(outer)
            return wanted
        before = outer * _multiply(old[:dim])
        after = _multiply(old[dim + 1 :])
        place = _find_place(wanted, before, tokens, after)
        if place is None:
            raise Error(f"caches: '{node.target}' moves tokens into other dimensions")
        wanted[place] = _Times(wanted[place] // tokens)
        return wanted

    def _slice(self, node: Node) -> Any:
        """Writes a slice; a slice of tokens selects the wanted results."""
        arguments: list[Any] = [*node.args, None, None, None, None][:5]
        operand = self._make(arguments[0])
        old = get_sizes(arguments[0])
        dim = (arguments[1] or 0) % len(old)
        part = slice(*(self._look_up(argument) for argument in arguments[2:]))
        rows = list(range(old[dim])[part])
        if rows == list(range(old[dim])):
            return operand
        if self._find_scaled(operand) != dim:
            args: Any = (operand, *map_aggregate(node.args[1:], self._look_up))
            return self._call(node, args, dict(node.kwargs))
        if self.rows is not None or old[dim] != self.source.length or not rows or dim != 1:
            raise Error("caches: expected a part of the tokens of results alone")
        # All are computed of in the whole; a call asks for some.
        self.rows = part
        made = self.graph.call_function(torch.ops.aten.alias.default, (operand,))
        self.tried[made] = self.tried[operand]
        self.kept.add(made)
        return made

    # Attention and positions -------------------------------------------------------------

    def _make_new(self, node: Node) -> Any:
        """Returns the new keys or values, which are all keys of a whole sequence."""
        made = self._make(self.source.appends[node].new)
        if self._find_scaled(made) != 2 or self.tried[made].shape[2] != _MANY or made in self.kept:
            raise Error("caches: expected keys of all tokens, [rows, heads, tokens, size]")
        return made

    def _check_queries(self, query: Any) -> None:
        if self._find_scaled(query) != self.tried[query].dim() - 2 or query in self.kept:
            raise Error("caches: expected queries of all tokens, [rows, heads, tokens, size]")

    def _write_attention(self, node: Node) -> Any:
        query, key, value = (self._make(a) for a in node.args[:3])  # type: ignore[arg-type]
        self._check_queries(query)
        names = ("scale", "enable_gqa")
        kwargs = {name: node.kwargs[name] for name in names if name in node.kwargs}
        attention = self.source.attentions[node]
        window, mask = attention.window, None
        if any(each.node in self.alibis for each in attention.masks):
            mask = self._write_mask(attention.masks[0], attention)
        elif window is not None:
            mask = self._make_causal(torch.bool, False, window)
        return self._call(node, (query, key, value, mask, 0.0, mask is None), kwargs)

    def _write_scores(self, node: Node) -> Any:
        """Writes a step of spelled-out attention, with masks for whole sequences."""
        attention = self.scores[node]
        masks: dict[Any, Mask] = {mask.node: mask for mask in attention.masks}

        def look_up(argument: Any) -> Any:
            if argument in masks:
                return self._write_mask(masks[argument], attention)
            return self._look_up(argument)

        args: Any = map_aggregate(node.args, look_up)
        if node in self.source.attentions:
            self._check_queries(args[-2])
        if str(node.target) in VIEWS:
            args = (args[0], [*get_sizes(node)[:-2], _Times(1), _Times(1)])
        made = self._call(node, args, map_aggregate(dict(node.kwargs), look_up))
        rank = self.tried[made].dim()
        if self._list_scaled(made) != [rank - 2, rank - 1]:
            raise Error("caches: expected scores [rows, heads, tokens, keys]")
        return made

    def _write_mask(self, mask: Mask, attention: Attention) -> Node:
        """Writes a causal mask, or ALiBi's multiples for keys from the first one on."""
        if mask.node not in self.alibis:
            dtype = mask.node.meta["val"].dtype
            return self._make_causal(dtype, mask.hides, attention.window)
        hides = attention.is_hidden_by(mask)
        key = (mask.node, hides, attention.window)
        if key not in self.causal:
            self.causal[key] = self._make_alibi(mask, attention.window, hides)
        return self.causal[key]

    def _make_alibi(self, mask: Mask, window: int | None, hides: bool) -> Node:
        alibi, aten = self.alibis[mask.node], torch.ops.aten
        dtype, flat = mask.node.meta["val"].dtype, mask.node.meta["val"].dim() == 3
        name = f"alibi{len(self.causal)}"
        slopes = alibi.slopes.to(alibi.rounded or torch.float32)[:, None, None]
        self.root.register_buffer(name, slopes)
        keys = self.graph.call_function(aten.arange.default, (self._write_size(_Times(1)),))
        made = self.graph.call_function(aten.mul.Tensor, (self.graph.get_attr(name), keys))
        if slopes.dtype != dtype:
            made = self.graph.call_function(aten._to_copy.default, (made,), {"dtype": dtype})
        if alibi.factor != 1:
            made = self.graph.call_function(aten.mul.Tensor, (made, alibi.factor))
        shape = [len(slopes), 1, _MANY]
        if flat and mask.rows not in (None, 1):
            made = self.graph.call_function(aten.repeat.default, (made, [mask.rows, 1, 1]))
            shape[0] *= mask.rows or 1
        elif not flat:
            made = self.graph.call_function(aten.unsqueeze.default, (made, 0))
            shape = [1, *shape]
        if hides:
            hidden = self._make_causal(torch.bool, True, window)
            least = torch.finfo(dtype).min
            made = self.graph.call_function(aten.masked_fill.Scalar, (made, hidden, least))
            shape[-2] = _MANY
        self.tried[made] = torch.empty(shape, dtype=dtype, device="meta")
        return made

    def _make_causal(self, dtype: torch.dtype, hides: bool, window: int | None) -> Node:
        """Writes a mask [tokens, tokens] with which a token sees those up to itself."""
        if (dtype, hides, window) in self.causal:
            return self.causal[dtype, hides, window]
        aten, size = torch.ops.aten, self._write_size(_Times(1))
        options: dict[str, Any] = {"dtype": torch.bool, "device": torch.device("cpu")}
        made = self.graph.call_function(aten.ones.default, ([size, size],), options)
        made = self.graph.call_function(aten.tril.default, (made,))
        if window is not None:
            made = self.graph.call_function(aten.triu.default, (made, 1 - window))
        if hides or dtype != torch.bool:
            made = self.graph.call_function(aten.logical_not.default, (made,))
        if dtype != torch.bool:
            options = {**options, "dtype": dtype}
            kept = self.graph.call_function(aten.zeros.default, ([size, size],), options)
            least = torch.finfo(dtype).min
            made = self.graph.call_function(aten.masked_fill.Scalar, (kept, made, least))
        self.tried[made] = torch.empty(_MANY, _MANY, dtype=dtype, device="meta")
        self.causal[dtype, hides, window] = made
        return made

    def _count(self, node: Node) -> Any:
        """Replaces whole numbers that depend on the content of caches: positions of tokens."""
        example = node.meta["val"]
        varying = [s for s in node.all_input_nodes if self.source.roles[s] is Role.CONTROL]
        if example.dtype == torch.bool or example.dim() == 0:
            raise Error(
                "caches: what they hold is expected to decide masks and positions alone, got "
                f"'{node.target}'"
            )
        if str(node.target) in _COUNTED and len(varying) == 1 and not is_size(varying[0]):
            if varying[0].meta["val"].dim() and not varying[0].meta["val"].is_floating_point():
                return self._count_on(node)
        *others, tokens = get_sizes(node)
        if tokens != self.source.length or any(s not in (1, self.source.batch) for s in others):
            raise Error(
                f"caches: expected positions [rows, tokens], got '{node.target}' of "
                f"{[*others, tokens]}"
            )
        self.positions.append(node)
        return self._write_positions(others, example.dtype)

    def _count_on(self, node: Node) -> Any:
        if str(node.target) == _SLICE:
            return self._slice(node)
        args: Any = map_aggregate(node.args, self._look_up)
        if str(node.target) in (*VIEWS, _EXPAND):
            args = (args[0], self._scale(node, args[0]), *args[2:])
        return self._call(node, args, dict(node.kwargs))

    def _write_positions(self, others: Sequence[int], dtype: torch.dtype) -> Node:
        aten = torch.ops.aten
        size = self._write_size(_Times(1))
        made = self.graph.call_function(aten.arange.default, (size,), {"dtype": dtype})
        if others:
            made = self.graph.call_function(aten.view.default, (made, [*[1 for _ in others], size]))
            made = self.graph.call_function(aten.expand.default, (made, [*others, size]))
        self.tried[made] = torch.empty((*others, _MANY), dtype=dtype, device="meta")
        return made


def _is_count(value: Any) -> bool:
    """Returns whether a value is a tensor of whole numbers; several in a list are taken apart first."""
    return isinstance(value, torch.Tensor) and not value.is_floating_point()


def _multiply(sizes: Sequence[int]) -> int:
    product = 1
    for size in sizes:
        product *= size
    return product


def _find_place(sizes: Sequence[int], before: int, tokens: int, after: int) -> int | None:
    """Returns the dimension of tokens, with `before` elements around and `after` inside each.

    With sizes of 1 several dimensions fit: it is then the second one, if that fits.

    >>> _find_place([2, 7, 4, 8], 2, 7, 32), _find_place([14, 32], 2, 7, 32)
    (1, 0)
    >>> _find_place([1, 1, 32], 1, 1, 32), _find_place([1, 32], 1, 1, 32)
    (1, 0)
    """
    found = []
    for place, size in enumerate(sizes):
        inside = _multiply(sizes[place + 1 :])
        around = _multiply(sizes[:place]) * (size // tokens)
        if size % tokens == 0 and (around, inside) == (before, after):
            found.append(place)
    exact = [place for place in found if sizes[place] == tokens] or found
    if len(sizes) > 2 and 1 in exact:
        return 1
    return exact[0] if exact else None
