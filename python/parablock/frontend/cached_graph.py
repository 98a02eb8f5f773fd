# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of decoders with keys and values of earlier calls.

Such a graph has inputs [rows, heads, tokens, size] with keys and values of earlier calls,
and attends to these and to new ones. It writes new keys into buffers behind the earlier
ones, as StaticCache of transformers does, or returns both joined, as DynamicCache does;
for a layer with a window it returns the last ones alone. Masks and positions follow from
small inputs of whole numbers. PyTorch computes that part at each call, and the call is
compared with it.
"""

from __future__ import annotations

import dataclasses
import enum
import operator
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import OutputKind

from parablock.errors import Error
from parablock.frontend.cached_appends import (
    KEYS,
    Append,
    get_sizes,
    has_rank,
    is_size,
    is_whole,
    list_appends,
)
from parablock.frontend.placeholders import list_inputs, list_lifted
from parablock.frontend.table import bind

Node = torch.fx.Node

_SLICE = "aten.slice.Tensor"
ATTENTION = "aten.scaled_dot_product_attention.default"
#: Operations that hand on keys and values as they are, repeated for groups of heads.
_MOVES = tuple(
    f"aten.{name}.default"
    for name in ("unsqueeze", "expand", "clone", "view", "_unsafe_view", "alias", "detach")
) + (_SLICE,)
#: Operations of spelled-out attention on single scores.
_SCORES = (
    *("aten.mul.Tensor", "aten.mul.Scalar", "aten.div.Tensor", "aten.div.Scalar"),
    *("aten.tanh.default", "aten._to_copy.default", "aten.clone.default"),
    *("aten.softmax.int", "aten._softmax.default"),
)
_MASKINGS = (
    *("aten.add.Tensor", "aten.where.self", "aten.where.ScalarOther"),
    *("aten.masked_fill.Scalar", "aten.masked_fill.Tensor"),
)
_PRODUCTS = ("aten.matmul.default", "aten.bmm.default", "aten.baddbmm.default")
#: Views that join and split the dimensions of rows and heads of scores.
VIEWS = ("aten.view.default", "aten._unsafe_view.default", "aten.reshape.default")


class Role(enum.Enum):
    """Origin of a value."""

    CONSTANT = enum.auto()
    #: How much caches hold, and what masks and positions say of it.
    CONTROL = enum.auto()
    WEIGHT = enum.auto()
    #: Tokens and caches.
    DATA = enum.auto()


@dataclasses.dataclass(frozen=True)
class Mask:
    """Values that determine which keys an attention sees."""

    node: Node
    #: True hides; numbers are added, and hide where they are the least there are.
    hides: bool = False
    #: Of a mask that may weigh keys, another one for each head, the rows it has.
    rows: int | None = None


@dataclasses.dataclass(frozen=True, eq=False)
class Attention:
    """An attention over the content of two buffers, and new keys."""

    keys: Append
    values: Append
    #: Masks that hide keys.
    masks: Sequence[Mask]
    #: Whether it hides keys behind a query's number, too.
    is_causal: bool = False
    #: Where it is spelled out, what is computed of queries and keys, up to weights.
    scores: Sequence[Node] = ()
    #: How many tokens back it sees, where older ones are gone.
    window: int | None = None

    def is_hidden_by(self, mask: Mask) -> bool:
        """Returns whether the mask that weighs keys also hides some."""
        is_last = mask is self.masks[-1]
        return is_last and not self.is_causal and all(m.rows is not None for m in self.masks)


class CachedGraph:
    """Parts of a graph with caches; an error names an unsupported one."""

    def __init__(
        self,
        program: ExportedProgram,
        names: Sequence[str],
        weights: Collection[int],
        constants: Collection[int],
    ) -> None:
        """`names` are those of the inputs where these have better ones."""
        self.program = program
        self.nodes = list(program.graph.nodes)
        #: Inputs by their number among the arguments, and what each stands for.
        self.inputs = list_inputs(program)
        self.lifted = {each.node: each for each in list_lifted(program)}
        self.names = dict(zip(self.inputs, names, strict=True))
        self.appends = dict(self._find_appends())
        self.tokens = self._find_tokens()
        self.roles = self._find_roles(weights, constants)
        #: Tokens, where their number is open as many as an example has.
        self.batch, self.length = get_sizes(self.tokens)
        if not isinstance(self.tokens.meta["val"].shape[0], int):
            raise Error("caches: expected a known number of rows, got one that is open")
        #: Operations that may read values which are written into buffers.
        self._readers: set[Node] = set()
        self._spans = self._find_spans()
        #: By the operation that takes keys.
        self.attentions = {
            node: attention
            for node in self.nodes
            if (attention := self._read_attention(node)) is not None
        }
        self._check_uses()

    def find_tensor(self, node: Node) -> torch.Tensor | None:
        """Returns the tensor of a node that belongs to the graph."""
        if node.op == "get_attr":
            read = operator.attrgetter(str(node.target))
            tensor: Any = read(self.program.graph_module)
        elif node in self.lifted:
            tensor = self.lifted[node].value
        else:
            return None
        if not isinstance(tensor, torch.Tensor):
            raise Error(f"caches: '{node.target}' is not a tensor")
        return tensor.detach()

    def _list(self, op: str) -> list[Node]:
        return [node for node in self.nodes if node.op == op]

    @property
    def kept(self) -> list[Append]:
        """Keys and then values of each attention."""
        return [
            append
            for attention in self.attentions.values()
            for append in (attention.keys, attention.values)
        ]

    @property
    def capacity(self) -> int | None:
        """Capacity in tokens, if it is known."""
        sizes = [get_sizes(a.new if a.cache is None else a.cache) for a in self.kept]
        is_known = all(append.rows is not None for append in self.kept)
        return max(size[KEYS] for size in sizes) if is_known else None

    def find_append(self, node: Any) -> Append | None:
        """Returns the append whose kept rows a result is."""
        return self._results.get(node) if isinstance(node, Node) else None

    def get_name(self, node: Node) -> str:
        """Returns the module's name of an input or a weight."""
        if node in self.lifted:
            return self.lifted[node].name
        return self.names.get(node, node.name)

    def list_results(self) -> Iterator[tuple[Any, Any]]:
        """Returns the kind of each result, and its node or constant."""
        specs = self.program.graph_signature.output_specs
        given: Any = self._list("output")[0].args[0]
        return zip(specs, given, strict=True)

    # Reading the graph -------------------------------------------------------------

    def _find_appends(self) -> Iterator[tuple[Node, Append]]:
        self._results: dict[Node, Append] = {}
        for node, found in list_appends(self.program, self.find_tensor):
            if found.cache in self.lifted:
                raise Error("caches: expected them among the inputs, got a buffer of the module")
            if found.kept is not None and found.kept < 1:
                raise Error("caches: expected as many keys to be kept everywhere")
            self._results.update(dict.fromkeys(found.results or (node,), found))
            yield node, found

    def _find_spans(self) -> dict[Append, int | None]:
        """Returns the visible tokens of each attention that does not keep all of them.

        A buffer that is smaller than others is one of a window that is not full yet.
        """
        written = {
            append: get_sizes(append.cache)[KEYS]
            for append in self.appends.values()
            if append.rows is not None and append.cache is not None
        }
        most = max(written.values(), default=0)
        spans = {append: append.span for append in self.appends.values()}
        return spans | {a: rows for a, rows in written.items() if rows < most}

    @property
    def changed(self) -> set[Node]:
        """Buffers that are inputs and that the call writes."""
        names = {
            spec.target
            for spec, _ in self.list_results()
            if spec.kind == OutputKind.USER_INPUT_MUTATION
        }
        caches = {append.cache for append in self.kept if append.cache is not None}
        return {cache for cache in caches if cache in self.names and cache.name in names}

    def _find_tokens(self) -> Node:
        found = [
            node
            for node in self.inputs
            if "input_ids" in self.names[node] and node.users and has_rank(node, 2)
        ]
        if len(found) != 1:
            raise Error(f"caches: expected one input of tokens, input_ids, got {len(found)}")
        return found[0]

    def _find_roles(
        self, weights: Collection[int], constants: Collection[int]
    ) -> dict[Node, Role]:
        roles: dict[Any, Role] = {
            node: Role.WEIGHT if lifted.is_parameter else Role.CONSTANT
            for node, lifted in self.lifted.items()
        }
        roles.update({append.cache: Role.DATA for append in self.appends.values()})
        roles.pop(None, None)
        for number, node in enumerate(self.inputs):
            if node in roles or node is self.tokens:
                roles[node] = Role.DATA
            elif number in weights:
                roles[node] = Role.WEIGHT
            elif isinstance(node.meta.get("val"), torch.SymInt):
                roles[node] = Role.CONTROL
            elif number in constants or not isinstance(node.meta.get("val"), torch.Tensor):
                roles[node] = Role.CONSTANT
            elif _is_float(node) and not has_rank(node, 4):
                # Activations, such as inputs_embeds.
                raise Error(f"caches: expected tokens and masks alone, got '{self.names[node]}'")
            else:
                roles[node] = Role.CONTROL
        for node in self.nodes:
            if node.op == "get_attr":
                roles[node] = Role.CONSTANT
            if node.op == "call_function" and is_size(node):
                # Sizes of data are no data; how long a past is decides positions.
                is_open = isinstance(node.meta["val"], torch.SymInt)
                roles[node] = Role.CONTROL if is_open else Role.CONSTANT
            elif node.op == "call_function" and node not in roles:
                roles[node] = _join_roles([roles[source] for source in node.all_input_nodes])
        return roles

    def _read_attention(self, node: Node) -> Attention | None:
        if str(node.target) == ATTENTION:
            return self._read_whole(node)
        if str(node.target) in _PRODUCTS and self._is_of_keys(node.args[-1]):
            return self._read_spelled(node)
        return None

    def _read_whole(self, node: Node) -> Attention:
        arguments = bind(node.target, node.args, node.kwargs)
        if arguments["dropout_p"] != 0.0:
            raise Error("caches: expected attention without dropout")
        self._readers.add(node)
        keys, values = (self._find_append(arguments[name]) for name in ("key", "value"))
        mask = arguments["attn_mask"]
        masks = [] if mask is None else [self._read_mask(mask, node)]
        window = self._find_window(keys, values)
        return Attention(keys, values, masks, bool(arguments["is_causal"]), window=window)

    def _find_window(self, keys: Append, values: Append) -> int | None:
        window = self._spans[keys]
        if window != self._spans[values]:
            raise Error("caches: expected as many keys as values to be kept")
        return window

    def _is_of_keys(self, node: Any) -> bool:
        """Returns whether a node is the written keys, transposed for a product."""
        if str(node.target) != "aten.transpose.int":
            return False
        while str(node.target) in ("aten.transpose.int", *_MOVES):
            node = node.all_input_nodes[0]
        return node in self.appends or self.find_append(node) is not None

    def _read_spelled(self, node: Node) -> Attention:
        """Reads scores and weights, from the product with keys to that with values."""
        turned: Any = node.args[-1]
        rank = turned.meta["val"].dim()
        if {turned.args[1] % rank, turned.args[2] % rank} != {rank - 2, rank - 1}:
            raise Error("caches: expected keys in rows, [rows, heads, tokens, size]")
        keys = self._find_append(turned.args[0])
        self._readers.add(turned)
        scores, masks = [node], []
        if len(node.args) == 3:
            masks.append(self._read_mask(node.args[0], node))
        while True:
            *others, user = [u for u in scores[-1].users if not is_size(u)]
            if others:
                raise Error("caches: expected scores that attention alone reads")
            if str(user.target) in _PRODUCTS and user.args[0] is scores[-1]:
                break
            masks += self._read_step(user, scores[-1])
            scores.append(user)
        self._readers.add(user)
        values = self._find_append(user.args[1])
        window = self._find_window(keys, values)
        return Attention(keys, values, masks, scores=scores, window=window)

    def _read_step(self, node: Node, scores: Node) -> list[Mask]:
        """Reads an operation on scores, which may hide or weigh some."""
        name = str(node.target)
        if name in VIEWS and get_sizes(node)[-2:] == get_sizes(scores)[-2:]:
            return []
        last = scores.meta["val"].dim() - 1
        dims = node.args[1:2] if "softmax" in name else ()
        if name not in (*_SCORES, *_MASKINGS) or any(dim not in (-1, last) for dim in dims):
            raise Error(f"caches: expected scores, a mask and weights, got '{name}'")
        masks = []
        for other in node.all_input_nodes:
            if other is scores or is_size(other):
                continue
            if other.meta["val"].dim() == 0 and self.roles[other] is Role.CONSTANT:
                continue
            if name not in _MASKINGS:
                raise Error(f"caches: '{name}' changes scores by '{other.name}'")
            mask = self._read_mask(other, node)
            if mask.rows is not None and name != "aten.add.Tensor":
                raise Error(f"caches: expected a bias that is added, got one in '{name}'")
            kept = node.args[1] if "where" in name else node.args[0]
            hides = "masked_fill" in name or ("where" in name and kept is not scores)
            masks.append(dataclasses.replace(mask, hides=hides))
        return masks

    def _read_mask(self, mask: Any, scores: Node) -> Mask:
        """Returns the mask of scores, which may have rows and heads in one dimension."""
        shape = get_sizes(mask)
        if self.roles[mask] not in (Role.CONTROL, Role.CONSTANT):
            raise Error("caches: expected a mask that depends on no activation")
        if len(shape) == 4 and shape[1] == 1:
            return Mask(mask)
        if len(shape) not in (3, 4) or not _is_float(mask):
            raise Error(f"caches: expected a mask [rows, 1, tokens, keys], got {list(shape)}")
        rows = shape[0] if len(shape) == 4 else self.batch if has_rank(scores, 3) else 1
        if shape[0] % rows or shape[-3] == 1:
            raise Error(f"caches: expected a bias [rows, heads, tokens, keys], got {list(shape)}")
        return Mask(mask, rows=rows)

    def _find_append(self, node: Any) -> Append:
        """Returns the append to the buffer from which keys, or values, are read."""
        while node not in self.appends:
            name = str(node.target)
            is_move = name in _MOVES and (name != _SLICE or is_whole(node))
            if name == "aten.copy.default":
                # The kept rows are the joined ones.
                node = node.args[1]
                is_move = node in self.appends
            if not is_move:
                raise Error(
                    "caches: expected attention over a buffer that new keys were written "
                    f"into, got one over what '{name}' gives"
                )
            node = node if node in self.appends else node.all_input_nodes[0]
        return self.appends[node]

    # Checking the graph --------------------------------------------------------------

    def _check_uses(self) -> None:
        """Rejects buffers that are written twice, or read by more than one attention."""
        kept = self.kept
        if not kept or len(kept) != len(set(kept)) or len(kept) != len(self.appends):
            raise Error(
                f"caches: expected one attention for each buffer of keys and of values, got "
                f"{len(self.attentions)} for {len(self.appends)} buffers{self._name_reader()}"
            )
        given = set()
        for spec, node in self.list_results():
            append = self.find_append(node)
            if append is None:
                continue
            given.add(append)
            changed = spec.target if spec.kind == OutputKind.USER_INPUT_MUTATION else None
            own = append.cache.name if append.cache in self.inputs else None
            # A buffer without a mutation is a plain result.
            if changed is not None and (changed != own or not append.in_place):
                raise Error("caches: expected buffers that keep what is written into them")
        if len(given) != len(kept):
            raise Error("caches: expected buffers that keep what is written into them")
        rows = [a.rows for a in kept if a.rows is not None]
        if rows and all(self.roles[each] is Role.CONSTANT for each in rows):
            raise Error("caches: expected tokens at rows that a call decides")
        for node, append in self.appends.items():
            self._check_cache(append, node)
            self._check_readers(node)
            for step in append.steps:
                if len([user for user in step.users if not is_size(user)]) != 1:
                    raise Error("caches: expected buffers that attention alone reads")

    def _name_reader(self) -> str:
        """Returns the name of an operation that reads keys in an unsupported way."""
        waiting = list(reversed(self.appends))
        seen = set(waiting)
        while waiting:
            for user in waiting.pop().users:
                name = str(user.target)
                if user.op != "call_function" or user in self._readers or user in seen:
                    continue
                if name not in (*_MOVES, "aten.transpose.int", "aten.copy.default"):
                    return f", which '{name}' reads"
                seen.add(user)
                waiting.append(user)
        return ""

    def _check_cache(self, append: Append, node: Node) -> None:
        if append.cache is None:
            return
        batch = get_sizes(append.cache)[0]
        own = {node, *append.steps, *append.results}
        users = [user for user in append.cache.users if not is_size(user)]
        if batch != self.batch or not own.issuperset(users):
            raise Error(
                f"caches: expected buffers of {self.batch} rows, each read where it is "
                f"written alone, got '{self.get_name(append.cache)}'"
            )

    def _check_readers(self, node: Node) -> None:
        for user in node.users:
            if user.op == "output" or user in self._readers or is_size(user):
                continue
            if str(user.target) not in (*_MOVES, "aten.copy.default"):
                raise Error(f"caches: expected attention to read them alone, got '{user.target}'")
            self._check_readers(user)


def _join_roles(roles: list[Role]) -> Role:
    known = set(roles)
    if Role.DATA in known or {Role.WEIGHT, Role.CONTROL} <= known:
        return Role.DATA
    for role in (Role.WEIGHT, Role.CONTROL):
        if role in known:
            return role
    return Role.CONSTANT


def _is_float(node: Node) -> bool:
    return bool(node.meta["val"].is_floating_point())
