# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Routers of experts in exported graphs, as the single operation that they are.

What weighs the results of experts is followed back to the logits: factors, the sum that
weights are divided by, scores, the choice among them. A router that is something else stays
as it is, operations in front of the experts.
"""

from __future__ import annotations

import dataclasses
import operator
from typing import Any

import torch
from torch.fx import Node

from parablock.frontend.expert_ops import EXPERTS
from parablock.frontend.table import bind, normalise_dim

_KEPT = ("alias", "clone", "contiguous", "detach", "lift_fresh_copy")
_CASTS = ("_to_copy", "to", "type_as")


@dataclasses.dataclass
class _Choice:
    """What experts are chosen by."""

    score: str
    logits: Node
    logit_scale: float
    #: The scores before anything is added to them.
    scores: Node
    correction: Any = None
    groups: dict[str, str] = dataclasses.field(default_factory=dict)


def join_routers(graph: torch.fx.Graph) -> None:
    """Replaces the routers of experts by `parablock::route`, where they are known."""
    for node in list(graph.nodes):
        if str(node.target) == EXPERTS:
            _join(graph, node)
    graph.eliminate_dead_code()


def _join(graph: torch.fx.Graph, experts: Node) -> None:
    indices, weights = experts.args[1], experts.args[2]
    if not isinstance(indices, Node) or not isinstance(weights, Node):
        return
    chosen = skip_copies(indices)
    if not is_part(chosen, 1) or get_name(chosen.args[0]) != "topk":
        return
    largest: Any = chosen.args[0]
    choice = _read_choice(largest)
    found = choice and _read_weights(weights, largest, choice)
    if not choice or not found:
        return
    form, scale = found
    given = bind(largest.target, largest.args, largest.kwargs)
    form = {"chosen": str(given["k"]), "score": choice.score, **form, **choice.groups}
    if choice.logit_scale != 1:
        form["logit_scale"] = _spell(choice.logit_scale)
    text = ", ".join(f"{key} = {value}" for key, value in form.items())
    dtype = weights.meta["val"].dtype
    with graph.inserting_before(experts):
        route = graph.call_function(
            torch.ops.parablock.route.default,
            (choice.logits, choice.correction, scale, f"#block.routing<{text}>", dtype),
        )
        parts = [graph.call_function(operator.getitem, (route, k)) for k in (0, 1)]
    route.meta = {**weights.meta, "val": (indices.meta["val"], weights.meta["val"])}
    for part, like in zip(parts, (indices, weights), strict=True):
        part.meta = dict(like.meta)
    experts.args = (experts.args[0], *parts, *experts.args[3:])


# Choices ------------------------------------------------------------------------


def _read_choice(largest: Node) -> _Choice | None:
    """Returns what the largest numbers of rows are chosen by."""
    given = bind(largest.target, largest.args, largest.kwargs)
    if not given["largest"] or not is_last(given["dim"], given["self"]):
        return None
    return _read_choice_of(given["self"])


def _read_choice_of(given: Any) -> _Choice | None:
    node = skip_wide(given)
    if node is None:
        return None
    if get_name(node) in ("masked_fill", "where"):
        return _read_groups(node)
    if get_name(node) == "add":
        operands: Any = node.args[:2]
        for scores, correction in (operands, operands[::-1]):
            is_vector = isinstance(correction, Node) and correction.meta["val"].dim() == 1
            if is_vector and not node.kwargs:
                choice = _read_score(scores)
                if choice is not None:
                    choice.correction = correction
                return choice
    return _read_score(node)


def _read_score(given: Any) -> _Choice | None:
    """Returns scores of logits; those that are nothing else are the logits."""
    node = skip_wide(given)
    if node is None:
        return None
    if get_name(node) in ("softmax", "_softmax") and is_last(node.args[1], node):
        score, logits = "softmax", node.args[0]
    elif get_name(node) == "sigmoid":
        score, logits = "sigmoid", node.args[0]
    elif get_name(node) == "sqrt" and _is_softplus(skip_wide(node.args[0])):
        inner: Any = skip_wide(node.args[0])
        score, logits = "root_softplus", inner.args[0]
    else:
        score, logits = "logit", node
    found = skip_wide(logits)
    if found is None:
        return None
    scale = 1.0
    # Of logits themselves, a factor would be one of their weights.
    if score != "logit" and get_name(found) == "mul" and _is_number(found.args[1]):
        factor: Any = found.args[1]
        scale, found = float(factor), skip_wide(found.args[0])
        if found is None:
            return None
    return _Choice(score, found, scale, node)


def _is_softplus(node: Node | None) -> bool:
    return node is not None and get_name(node) == "softplus" and len(node.args) == 1


def _read_groups(node: Node) -> _Choice | None:
    """Returns a choice among the experts of the groups of largest scores."""
    if get_name(node) == "where":
        condition, shown, hidden = node.args
        is_kept = True
    else:
        shown, condition, hidden = node.args
        is_kept = False
    fill = _find_number(hidden)
    if fill not in (0.0, float("-inf")):
        return None
    mask, is_kept = _skip_not(condition, is_kept)
    if mask is None or not is_kept:
        return None
    choice = _read_choice_of(shown)
    experts = shown.meta["val"].shape[-1] if isinstance(shown, Node) else 0
    kept = _read_kept(mask, experts)
    if choice is None or choice.groups or kept is None:
        return None
    groups, largest = kept
    given = bind(largest.target, largest.args, largest.kwargs)
    if not given["largest"] or not is_last(given["dim"], given["self"]):
        return None
    score = _read_group_score(given["self"], shown, groups)
    if score is None:
        return None
    if groups == 1:
        return choice
    choice.groups = {
        "groups": str(groups),
        "kept": str(given["k"]),
        "group_score": score,
        "hidden": "zero" if fill == 0 else "never",
    }
    return choice


def _skip_not(given: Any, is_kept: bool) -> tuple[Node | None, bool]:
    """Returns numbers that are 0 where a condition is false, and whether it keeps."""
    while isinstance(given, Node):
        name = get_name(given)
        if name in ("logical_not", "bitwise_not"):
            given, is_kept = given.args[0], not is_kept
        elif name in (*_KEPT, *_CASTS):
            given = given.args[0]
        elif name in ("eq", "ne") and _is_number(given.args[1]) and given.args[1] == 0:
            given, is_kept = given.args[0], is_kept != (name == "eq")
        else:
            return given, is_kept
    return None, is_kept


def _read_kept(mask: Node, experts: int) -> tuple[int, Node] | None:
    """Returns groups, and the choice among them, of a mask that is 1 in those chosen."""
    seen: Any = mask
    names = ("view", "reshape", "_unsafe_view", "expand", "unsqueeze", "clone")
    while isinstance(seen, Node) and get_name(seen) in names:
        seen = seen.args[0]
    if not isinstance(seen, Node) or get_name(seen) != "scatter" or len(seen.args) != 4:
        return None
    base, dim, places, number = seen.args
    place = skip_copies(places) if isinstance(places, Node) else None
    groups = seen.meta["val"].shape[-1]
    if (
        not makes_number(base, 0.0)
        or number != 1
        or not is_last(dim, seen)
        or place is None
        or not is_part(place, 1)
        or get_name(place.args[0]) != "topk"
        or not isinstance(groups, int)
        or experts % groups != 0
        or not _repeats(mask, seen, experts // groups)
    ):
        return None
    largest: Any = place.args[0]
    return groups, largest


def makes_number(node: Any, number: float) -> bool:
    """Returns whether a node is a tensor that has one number everywhere."""
    if number == 0 and get_name(node) in ("zeros_like", "zeros", "new_zeros"):
        return True
    return get_name(node) in ("full", "full_like") and bool(node.args[1] == number)


def _repeats(mask: Node, groups: Node, times: int) -> bool:
    """Returns whether a mask repeats each number of `groups` so often, one beside the other."""
    probe = torch.arange(2.0 * groups.meta["val"].shape[-1]).reshape(2, -1)
    path: list[Node] = []
    seen: Any = mask
    while seen is not groups:
        path.append(seen)
        seen = seen.args[0]
    value = probe
    for node in reversed(path):
        name = get_name(node)
        if name == "unsqueeze":
            value = value.unsqueeze(node.args[1])  # type: ignore[arg-type]
        elif name != "clone":
            sizes = [size if isinstance(size, int) else -1 for size in node.args[1]]  # type: ignore[union-attr]
            sizes[0] = 2
            value = value.expand(sizes) if name == "expand" else value.reshape(sizes)
    return torch.equal(value, probe.repeat_interleave(times, -1))


def _read_group_score(given: Any, scores: Any, groups: int) -> str | None:
    """Returns what a group's score is of its experts' scores."""
    node = skip_copies(given) if isinstance(given, Node) else None
    if node is None:
        return None
    kind, own = None, None
    if get_name(node) == "sum" and list_dims(node) == [-1] and not _keeps_dim(node):
        best = skip_copies(node.args[0])
        if is_part(best, 0) and get_name(best.args[0]) == "topk":
            largest: Any = best.args[0]
            given = bind(largest.target, largest.args, largest.kwargs)
            if given["k"] == 2 and given["largest"] and is_last(given["dim"], largest.args[0]):
                kind, own = "best_two", given["self"]
    elif get_name(node) == "amax" and list_dims(node) == [-1] and not _keeps_dim(node):
        kind, own = "best", node.args[0]
    elif is_part(node, 0) and get_name(node.args[0]) == "max":
        most: Any = node.args[0]
        if len(most.args) == 2 and is_last(most.args[1], most.args[0]):
            kind, own = "best", most.args[0]
    if kind is None or not isinstance(own, Node):
        return None
    parts = own.meta["val"].shape
    is_divided = len(parts) == 3 and parts[1] == groups
    return kind if is_divided and _skip_views(own) is _skip_views(scores) else None


# Weights ------------------------------------------------------------------------


def _read_weights(
    weights: Node, largest: Node, choice: _Choice
) -> tuple[dict[str, str], Node | None] | None:
    """Returns the form of weights of what is chosen, and the scales of experts."""
    form: dict[str, str] = {}
    scale: Node | None = None
    factor = 1.0
    node = skip_copies(weights)
    while get_name(node) == "mul":
        a, b = node.args[:2]
        number = _find_number(b) if _find_number(b) is not None else _find_number(a)
        own = a if _find_number(b) is not None else b
        if number is not None and isinstance(own, Node):
            factor, node = factor * number, skip_copies(own)
            continue
        taken = [_find_taken(each, largest) for each in (a, b)]
        if scale is not None or (taken[0] is None) == (taken[1] is None):
            return None
        scale = taken[0] if taken[0] is not None else taken[1]
        node = skip_copies(b if taken[0] is not None else a)
    if get_name(node) == "div":
        numbers, total = node.args[:2]
        divided = _read_sum(total, numbers)
        if divided is None:
            number = _find_number(total)
            if number is None:
                return None
            factor /= number
        form.update(divided or {})
        node = skip_copies(numbers)
    kind = _read_kind(node, largest, choice)
    if kind is None:
        return None
    form["weight"] = kind
    if factor != 1:
        form["weight_scale"] = _spell(factor)
    return form, scale


def _find_taken(given: Any, largest: Node) -> Node | None:
    """Returns the vector whose elements are taken at the chosen places, if it is that."""
    node = skip_copies(given) if isinstance(given, Node) else None
    if node is None or get_name(node) != "index" or len(node.args[1]) != 1:
        return None
    vector, places = node.args[0], node.args[1][0]
    is_vector = isinstance(vector, Node) and vector.meta["val"].dim() == 1
    return vector if is_vector and _is_chosen(places, largest) else None


def _read_sum(total: Any, numbers: Any) -> dict[str, str] | None:
    """Returns what weights are divided by, if it is their sum."""
    node = skip_copies(total) if isinstance(total, Node) else None
    if node is None:
        return None
    divide_by, eps = "added", 0.0
    if get_name(node) == "add" and _find_number(node.args[1]) is not None and not node.kwargs:
        eps, node = _find_number(node.args[1]) or 0.0, skip_copies(node.args[0])
    elif get_name(node) in ("clamp", "clamp_min") and len(node.args) == 2:
        divide_by, eps = "floored", float(node.args[1])
        node = skip_copies(node.args[0])
    if get_name(node) != "sum" or list_dims(node) != [-1] or not _keeps_dim(node):
        return None
    if skip_copies(node.args[0]) is not skip_copies(numbers):
        return None
    return {"divide_by": divide_by, **({"eps": _spell(eps)} if eps else {})}


def _read_kind(node: Node, largest: Node, choice: _Choice) -> str | None:
    """Returns what chosen weights are: scores, or a function of chosen logits."""
    if _is_scores(node, largest, choice):
        return "score"
    is_plain = choice.score == "logit" and choice.logit_scale == 1
    name = get_name(node)
    if name in ("softmax", "_softmax") and is_last(node.args[1], node):
        kind = "softmax"
    elif name == "sigmoid":
        kind = "sigmoid"
    else:
        return None
    inner = node.args[0]
    is_of_chosen = isinstance(inner, Node) and _is_scores(skip_copies(inner), largest, choice)
    return kind if is_plain and is_of_chosen else None


def _is_scores(node: Node, largest: Node, choice: _Choice) -> bool:
    """Returns whether a node has the scores of what is chosen, without a correction."""
    if is_part(node, 0) and node.args[0] is largest:
        if choice.groups.get("hidden") == "zero":
            if choice.score == "logit":
                return False
            # A hidden 0 that is chosen has a weight of 0, as a kept score of 0 has.
            choice.groups["hidden"] = "never"
        return choice.correction is None
    if get_name(node) == "gather" and is_last(node.args[1], node):
        scores = skip_wide(node.args[0])
        return scores is choice.scores and _is_chosen(node.args[2], largest)
    return False


def _is_chosen(places: Any, largest: Node) -> bool:
    node = skip_copies(places) if isinstance(places, Node) else None
    return node is not None and is_part(node, 1) and node.args[0] is largest


# Nodes --------------------------------------------------------------------------


def get_name(node: Any) -> str:
    """Returns the name of a node's ATen operation, or an empty string."""
    parts = str(node.target).split(".") if isinstance(node, Node) else []
    return parts[1] if len(parts) == 3 and parts[0] == "aten" else ""


def is_part(node: Node, number: int) -> bool:
    return node.target is operator.getitem and bool(node.args[1] == number)


def skip_copies(node: Any) -> Any:
    """Returns the node that another one is a copy of, of any type and of its shape."""
    while isinstance(node, Node):
        name = get_name(node)
        is_view = name in ("view", "reshape", "_unsafe_view") and _has_shape_of_source(node)
        if name not in (*_KEPT, *_CASTS) and not is_view:
            break
        node = node.args[0]
    return node


def skip_wide(given: Any) -> Node | None:
    """Returns the node that another one is a copy of, with all of its digits."""
    node = given
    while isinstance(node, Node) and get_name(node) in (*_KEPT, *_CASTS):
        source = node.args[0]
        assert isinstance(source, Node)
        before, after = source.meta["val"].dtype, node.meta["val"].dtype
        if torch.promote_types(before, after) != after:
            return None
        node = source
    return node if isinstance(node, Node) else None


def _skip_views(node: Any) -> Any:
    while isinstance(node, Node) and get_name(node) in (*_KEPT, "view", "reshape", "_unsafe_view"):
        node = node.args[0]
    return node


def _has_shape_of_source(node: Node) -> bool:
    source: Any = node.args[0]
    return tuple(source.meta["val"].shape) == tuple(node.meta["val"].shape)


def is_last(dim: Any, of: Any) -> bool:
    """Returns whether a number names the last dimension of a node."""
    rank = of.meta["val"].dim()
    return isinstance(dim, int) and normalise_dim(dim, rank) == rank - 1


def list_dims(node: Node) -> list[int]:
    """Returns the dimensions of a reduction, counted from the back."""
    given: Any = node.args[1] if len(node.args) > 1 else []
    source: Any = node.args[0]
    dims = [given] if isinstance(given, int) else list(given or [])
    return [normalise_dim(dim, source.meta["val"].dim()) - source.meta["val"].dim() for dim in dims]


def _keeps_dim(node: Node) -> bool:
    return bool(len(node.args) > 2 and node.args[2])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _find_number(value: Any) -> float | None:
    """Returns the number that an operand is, also as a constant of no dimensions."""
    if _is_number(value):
        return float(value)
    if isinstance(value, Node) and get_name(value) in ("full", "scalar_tensor"):
        numbers = [arg for arg in value.args if _is_number(arg)]
        is_scalar = value.meta["val"].dim() == 0
        return float(numbers[0]) if is_scalar and len(numbers) == 1 else None  # type: ignore[arg-type]
    return None


def _spell(number: float) -> str:
    return f"{number:.17e}"
