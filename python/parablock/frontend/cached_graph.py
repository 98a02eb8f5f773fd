# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of decoders that write keys and values into buffers of their caller.

Such a graph takes buffers [rows, heads, capacity, size], as StaticCache of
transformers has them, writes keys of new tokens behind those that are there, and
attends to all of a buffer under a mask. What decides where that is, masks and
positions, it takes from small inputs of whole numbers. That part stays PyTorch's; it
says at each call what the rest is to be held against.
"""

from __future__ import annotations

import dataclasses
import enum
import operator
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind

from parablock.errors import Error
from parablock.frontend.table import bind

Node = torch.fx.Node

ATTENTION = "aten.scaled_dot_product_attention.default"
#: Operations that hand on keys and values as they are, repeated for groups of heads.
_MOVES = tuple(
    f"aten.{name}.default"
    for name in ("unsqueeze", "expand", "clone", "view", "_unsafe_view", "alias", "detach")
) + ("aten.slice.Tensor",)
#: What attention that is spelled out does to scores, one by one.
_SCORES = (
    *("aten.mul.Tensor", "aten.mul.Scalar", "aten.div.Tensor", "aten.div.Scalar"),
    *("aten.tanh.default", "aten._to_copy.default", "aten.clone.default"),
    *("aten.softmax.int", "aten._softmax.default"),
)
_MASKINGS = (
    *("aten.add.Tensor", "aten.where.self", "aten.where.ScalarOther"),
    *("aten.masked_fill.Scalar", "aten.masked_fill.Tensor"),
)
_JOINS = ("aten.cat.default", "aten.concat.default")
_PRODUCT = "aten.matmul.default"
#: Where keys stand in a buffer.
KEYS = 2


class Role(enum.Enum):
    """What decides a value."""

    CONSTANT = enum.auto()
    #: How much caches hold, and what masks and positions say of it.
    CONTROL = enum.auto()
    WEIGHT = enum.auto()
    #: Tokens and caches.
    DATA = enum.auto()


@dataclasses.dataclass(frozen=True, eq=False)
class Append:
    """Keys, or values, that are written into a buffer."""

    #: The buffer: an input, or zeros that are made here.
    cache: Node
    #: Numbers of the rows of it that are written; none where they come behind all of it.
    rows: Node | None
    #: [rows, heads, tokens, size].
    new: Node
    #: What hands the buffer on as it is.
    steps: Sequence[Node] = ()


@dataclasses.dataclass(frozen=True)
class Mask:
    """What decides which keys an attention sees."""

    node: Node
    #: True hides; numbers are added, and hide where they are the least there are.
    hides: bool = False


@dataclasses.dataclass(frozen=True, eq=False)
class Attention:
    """An attention over all of two buffers."""

    keys: Append
    values: Append
    #: What it hides keys by.
    masks: Sequence[Mask]
    #: Whether it hides keys behind a query's number, too.
    is_causal: bool = False
    #: Where it is spelled out, what is computed of queries and keys, up to weights.
    scores: Sequence[Node] = ()


class CachedGraph:
    """What a graph with caches is made of, or an error that says what does not fit."""

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
        self.inputs: list[Node] = []
        self.lifted: list[Node] = []
        for node, spec in zip(self._list("placeholder"), self._get_inputs(), strict=True):
            given = self.inputs if spec.kind == InputKind.USER_INPUT else self.lifted
            given.append(node)
        self.names = dict(zip(self.inputs, names, strict=True))
        self.appends = {append_node: a for append_node, a in self._find_appends()}
        self.tokens = self._find_tokens()
        self.roles = self._find_roles(weights, constants)
        #: Tokens, where their number is open as many as an example has.
        self.batch, self.length = get_sizes(self.tokens)
        if not isinstance(self.tokens.meta["val"].shape[0], int):
            raise Error("caches: expected a known number of rows, got one that is open")
        #: What may read what is written into buffers.
        self._readers: set[Node] = set()
        #: By the operation that takes keys.
        self.attentions = {
            node: attention
            for node in self.nodes
            if (attention := self._read_attention(node)) is not None
        }
        self._check_uses()

    def find_tensor(self, node: Node) -> torch.Tensor | None:
        """What a node stands for that the graph brings along."""
        if node.op == "get_attr":
            read = operator.attrgetter(str(node.target))
            tensor: Any = read(self.program.graph_module)
        elif node in self.lifted:
            name = self.get_name(node)
            tensor = self.program.state_dict.get(name, self.program.constants.get(name))
        else:
            return None
        if not isinstance(tensor, torch.Tensor):
            raise Error(f"caches: '{node.target}' is no tensor")
        return tensor.detach()

    def _list(self, op: str) -> list[Node]:
        return [node for node in self.nodes if node.op == op]

    def _get_inputs(self) -> Any:
        return self.program.graph_signature.input_specs

    @property
    def caches(self) -> list[Node]:
        """The buffers, keys before values, in the order of attentions."""
        return [
            append.cache
            for attention in self.attentions.values()
            for append in (attention.keys, attention.values)
        ]

    @property
    def capacity(self) -> int:
        """Keys that an attention is over, as many as an example has."""
        return get_sizes(next(iter(self.appends)))[KEYS]

    def get_name(self, node: Node) -> str:
        """What the module calls an input or a weight."""
        if node in self.lifted:
            specs = {spec.arg.name: str(spec.target) for spec in self._get_inputs()}
            return specs[node.name]
        return self.names.get(node, node.name)

    def list_results(self) -> Iterator[tuple[Any, Any]]:
        """What each result is, and its node or constant."""
        specs = self.program.graph_signature.output_specs
        given: Any = self._list("output")[0].args[0]
        return zip(specs, given, strict=True)

    # What there is -----------------------------------------------------------------

    def _find_appends(self) -> Iterator[tuple[Node, Append]]:
        for node in self._list("call_function"):
            found = _read_append(node)
            if found is None:
                continue
            if found.cache in self.lifted:
                raise Error("caches: expected them among the inputs, got a buffer of the module")
            yield node, found

    @property
    def changed(self) -> set[Node]:
        """Buffers that are inputs, and that the caller finds written."""
        names = {
            spec.target
            for spec, _ in self.list_results()
            if spec.kind == OutputKind.USER_INPUT_MUTATION
        }
        return {cache for cache in self.caches if cache in self.names and cache.name in names}

    def _find_tokens(self) -> Node:
        found = [
            node
            for node in self.inputs
            if "input_ids" in self.names[node] and node.users and _has_rank(node, 2)
        ]
        if len(found) != 1:
            raise Error(f"caches: expected one input of tokens, input_ids, got {len(found)}")
        return found[0]

    def _find_roles(
        self, weights: Collection[int], constants: Collection[int]
    ) -> dict[Node, Role]:
        kinds = {spec.arg.name: spec.kind for spec in self._get_inputs()}
        roles: dict[Any, Role] = {
            node: Role.WEIGHT if kinds[node.name] == InputKind.PARAMETER else Role.CONSTANT
            for node in self.lifted
        }
        roles.update({append.cache: Role.DATA for append in self.appends.values()})
        for number, node in enumerate(self.inputs):
            if node in roles or node is self.tokens:
                roles[node] = Role.DATA
            elif number in weights:
                roles[node] = Role.WEIGHT
            elif number in constants or not isinstance(node.meta.get("val"), torch.Tensor):
                roles[node] = Role.CONSTANT
            elif _is_float(node) and not _has_rank(node, 4):
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
        if str(node.target) == _PRODUCT and self._is_of_keys(node.args[1]):
            return self._read_spelled(node)
        return None

    def _read_whole(self, node: Node) -> Attention:
        arguments = bind(node.target, node.args, node.kwargs)
        if arguments["dropout_p"] != 0.0:
            raise Error("caches: expected attention without dropout")
        self._readers.add(node)
        keys, values = (self._find_append(arguments[name]) for name in ("key", "value"))
        mask = arguments["attn_mask"]
        masks = [] if mask is None else [Mask(self._check_mask(mask))]
        return Attention(keys, values, masks, bool(arguments["is_causal"]))

    def _is_of_keys(self, node: Any) -> bool:
        """Whether it is what is written into a buffer, turned for a product."""
        if str(node.target) != "aten.transpose.int":
            return False
        while str(node.target) in ("aten.transpose.int", *_MOVES):
            node = node.all_input_nodes[0]
        return node in self.appends

    def _read_spelled(self, node: Node) -> Attention:
        """Scores and weights, from the product with keys to that with values."""
        turned: Any = node.args[1]
        if {turned.args[1] % 4, turned.args[2] % 4} != {2, 3}:
            raise Error("caches: expected keys in rows, [rows, heads, tokens, size]")
        keys = self._find_append(turned.args[0])
        self._readers.add(turned)
        scores, masks = [node], []
        while True:
            *others, user = [u for u in scores[-1].users if not is_size(u)]
            if others:
                raise Error("caches: expected scores that attention alone reads")
            if str(user.target) == _PRODUCT and user.args[0] is scores[-1]:
                break
            masks += self._read_step(user, scores[-1])
            scores.append(user)
        self._readers.add(user)
        return Attention(keys, self._find_append(user.args[1]), masks, scores=scores)

    def _read_step(self, node: Node, scores: Node) -> list[Mask]:
        """An operation on scores, which may hide some."""
        name = str(node.target)
        dims = node.args[1:2] if "softmax" in name else ()
        if name not in (*_SCORES, *_MASKINGS) or any(dim not in (-1, 3) for dim in dims):
            raise Error(f"caches: expected scores, a mask and weights, got '{name}'")
        masks = []
        for other in node.all_input_nodes:
            if other is scores or is_size(other):
                continue
            if other.meta["val"].dim() == 0 and self.roles[other] is Role.CONSTANT:
                continue
            if name not in _MASKINGS:
                raise Error(f"caches: '{name}' changes scores by '{other.name}'")
            kept = node.args[1] if "where" in name else node.args[0]
            hides = "masked_fill" in name or ("where" in name and kept is not scores)
            masks.append(Mask(self._check_mask(other), hides))
        return masks

    def _check_mask(self, mask: Node) -> Node:
        shape = get_sizes(mask)
        if self.roles[mask] not in (Role.CONTROL, Role.CONSTANT):
            raise Error("caches: expected a mask that depends on no activation")
        if len(shape) != 4 or shape[1] != 1:
            raise Error(f"caches: expected a mask [rows, 1, tokens, keys], got {list(shape)}")
        return mask

    def _find_append(self, node: Any) -> Append:
        """What was written into the buffer that keys, or values, are read from."""
        while node not in self.appends:
            if str(node.target) not in _MOVES:
                raise Error(
                    "caches: expected attention over a buffer that new keys were written "
                    f"into, got one over what '{node.target}' gives"
                )
            node = node.all_input_nodes[0]
        return self.appends[node]

    # What it may do ------------------------------------------------------------------

    def _check_uses(self) -> None:
        """Buffers are written once, and read by one attention each and nothing else."""
        caches = self.caches
        if not caches or len(caches) != len(set(caches)) or len(caches) != len(self.appends):
            raise Error(
                f"caches: expected one attention for each buffer of keys and of values, got "
                f"{len(self.attentions)} for {len(self.appends)} buffers"
            )
        written = dict(self.appends)
        for spec, node in self.list_results():
            append = written.pop(node, None) if isinstance(node, Node) else None
            if append is None:
                continue
            changed = spec.target if spec.kind == OutputKind.USER_INPUT_MUTATION else None
            own = append.cache.name if append.cache in self.inputs else None
            # What nothing changes is a result.
            if changed != own and (changed is not None or append.cache not in self.inputs):
                raise Error("caches: expected buffers that keep what is written into them")
        if written:
            raise Error("caches: expected buffers that keep what is written into them")
        shape = None
        for cache in caches:
            batch, _, capacity, _ = get_sizes(cache)
            shape = shape or (self.batch, capacity)
            users = [user for user in cache.users if not is_size(user)]
            if (batch, capacity) != shape or len(users) != 1:
                raise Error(
                    f"caches: expected buffers of {shape[0]} rows and one capacity, each read "
                    f"where it is written alone, got '{self.get_name(cache)}'"
                )
        rows = [a.rows for a in self.appends.values() if a.rows is not None]
        if rows and all(self.roles[each] is Role.CONSTANT for each in rows):
            raise Error("caches: expected tokens at rows that a call decides")
        for node, append in self.appends.items():
            self._check_readers(node)
            for step in append.steps:
                if len([user for user in step.users if not is_size(user)]) != 1:
                    raise Error("caches: expected buffers that attention alone reads")

    def _check_readers(self, node: Node) -> None:
        for user in node.users:
            if user.op == "output" or user in self._readers or is_size(user):
                continue
            if str(user.target) not in _MOVES:
                raise Error(f"caches: expected attention to read them alone, got '{user.target}'")
            self._check_readers(user)


def _read_append(node: Node) -> Append | None:
    """The operation as one that writes rows of keys."""
    name, args = str(node.target), node.args
    rows: Any = None
    steps: list[Node] = []
    if name in _JOINS:
        parts = _list_parts(node)
        cache, new = parts if len(parts) == 2 else (None, None)
        dim = args[1] if len(args) > 1 else 0
        while isinstance(cache, Node) and str(cache.target) in _JOINS:
            # A cache of no keys may come first.
            steps.append(cache)
            [cache, *others] = _list_parts(cache)
            if others:
                return None
        is_past = isinstance(cache, Node) and cache.op == "placeholder"
        if not is_past or dim not in (KEYS, KEYS - 4):
            return None
    elif name == "aten.index_copy.default":
        cache, dim, rows, new = args[:4]
        if dim not in (KEYS, KEYS - 4):
            return None
    elif name == "aten.index_put.default":
        cache, indices, new = args[:3]
        if list(indices[:-1]) != [None] * KEYS or (len(args) > 3 and args[3]):  # type: ignore
            return None
        rows = indices[-1]  # type: ignore
    else:
        return None
    nodes = (cache, new) if rows is None else (cache, rows, new)
    if isinstance(cache, Node) and cache.op != "placeholder" and not _is_zeros(cache):
        return None
    if not all(isinstance(each, Node) for each in nodes):
        return None
    is_like = _has_rank(cache, 4) and _has_rank(new, 4)
    is_like &= rows is None or _has_rank(rows, 1)
    return Append(cache, rows, new, steps) if is_like else None  # type: ignore[arg-type]


def _list_parts(node: Node) -> list[Any]:
    """What a concatenation joins that has elements, or might."""
    given: Any = node.args[0]
    return [part for part in given if not _has_rank(part, 1)]


def get_sizes(node: Node) -> tuple[int, ...]:
    """A shape, with an example's sizes where they are open."""
    return tuple(get_number(size) for size in node.meta["val"].shape)


def get_number(size: Any) -> int:
    return size if isinstance(size, int) else int(size.node.hint)


def is_size(node: Node) -> bool:
    return isinstance(node.meta.get("val"), int | torch.SymInt)


def _is_zeros(node: Node) -> bool:
    name = str(node.target)
    return name == "aten.zeros.default" or (
        name == "aten.full.default" and bool(node.args[1] == 0)
    )


def has_caches(program: ExportedProgram, *, in_place: bool = False) -> bool:
    """Whether a graph has keys and values of earlier calls, or writes them in place."""
    appends = (_read_append(node) for node in program.graph.nodes)
    rows = [append.rows for append in appends if append is not None]
    return any(each is not None for each in rows) if in_place else bool(rows)


def _join_roles(roles: list[Role]) -> Role:
    known = set(roles)
    if Role.DATA in known or {Role.WEIGHT, Role.CONTROL} <= known:
        return Role.DATA
    for role in (Role.WEIGHT, Role.CONTROL):
        if role in known:
            return role
    return Role.CONSTANT


def _has_rank(node: Any, rank: int) -> bool:
    value = node.meta.get("val") if isinstance(node, Node) else None
    return isinstance(value, torch.Tensor) and value.dim() == rank


def _is_float(node: Node) -> bool:
    return bool(node.meta["val"].is_floating_point())
