# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules for operations that move elements."""

from __future__ import annotations

import math

import torch

from parablock.frontend.facts import Part, PatchColumns, Rows, Spread
from parablock.frontend.ir import SEVERAL_ROWS, Value, count_elements
from parablock.frontend.lowering import Emitter, Operand, broadcast_shapes, get_dtype
from parablock.frontend.norms import join_norms
from parablock.frontend.patches import prepend_class
from parablock.frontend.table import Call, aten, normalise_dim, wide


@aten(
    "view.default",
    "_unsafe_view.default",
    "reshape.default",
    "unsqueeze.default",
    "squeeze.default",
    "squeeze.dim",
    "squeeze.dims",
    "flatten.using_ints",
    "unflatten.int",
)
def reshape(e: Emitter, call: Call) -> Value:
    x: Value = call["self"]
    result = e.reshape(x, call.shape)
    columns = e.recall(x, PatchColumns)
    if columns is not None and call.shape[:2] == x.shape[:2] and result.rank == 3:
        e.remember(result, columns)
    return result


@aten("transpose.int", "t.default", "mT.default", "numpy_T.default")
def transpose(e: Emitter, call: Call) -> Value:
    x: Value = call["self"]
    order = list(range(x.rank))
    if call.op == "aten.numpy_T.default":
        return e.transpose(x, order[::-1])
    if x.rank < 2:
        return x
    a = normalise_dim(call.get("dim0", -2), x.rank)
    b = normalise_dim(call.get("dim1", -1), x.rank)
    order[a], order[b] = order[b], order[a]
    columns = e.recall(x, PatchColumns)
    if columns is not None and order == [0, 2, 1]:
        return columns.tokens
    return e.transpose(x, order)


@aten("permute.default")
def permute(e: Emitter, call: Call) -> Value:
    x: Value = call["self"]
    return e.transpose(x, [normalise_dim(d, x.rank) for d in call["dims"]])


@aten("expand.default", "broadcast_to.default")
def expand(e: Emitter, call: Call) -> Value:
    return _spread(e, call["self"], call.shape)


@aten("broadcast_tensors.default")
def broadcast(e: Emitter, call: Call) -> tuple[Value, ...]:
    values = [e.value(part, get_dtype(part)) for part in call["tensors"]]
    return tuple(e.expand(value, call.shape) for value in values)


def _spread(e: Emitter, x: Value, shape: tuple[int, ...]) -> Value:
    result = e.expand(x, shape)
    own = (1,) * (len(shape) - x.rank) + x.shape
    wider = [d for d in range(len(shape)) if own[d] != shape[d]]
    if len(wider) == 1:
        e.remember(result, Spread(x, wider[0], shape[wider[0]]))
    return result


@aten("repeat.default")
def repeat(e: Emitter, call: Call) -> Value:
    x = e.reshape(
        call["self"], (1,) * (len(call.shape) - call["self"].rank) + call["self"].shape
    )
    source = x
    for dim, times in enumerate(call["repeats"]):
        if times != 1 and x.shape[dim] != 1:
            x = e.concatenate([x] * times, dim)
    return _spread(e, x, call.shape) if x is source else e.expand(x, call.shape)


@aten("repeat_interleave.self_int")
def repeat_interleave(e: Emitter, call: Call) -> Value:
    x: Value = call["self"]
    times = call["repeats"]
    if call.get("dim") is None:
        x = e.reshape(x, (count_elements(x.shape),))
    dim = normalise_dim(call.get("dim", 0), x.rank)
    spread = e.reshape(x, (*x.shape[: dim + 1], 1, *x.shape[dim + 1 :]))
    shape = (*x.shape[: dim + 1], times, *x.shape[dim + 1 :])
    return e.reshape(e.expand(spread, shape), call.shape)


@aten("slice.Tensor")
def slice_(e: Emitter, call: Call) -> Value:
    x: Value = call["self"]
    dim = normalise_dim(call.get("dim", 0), x.rank)
    start, end, step = slice(
        call.get("start"), call.get("end"), call.get("step", 1)
    ).indices(x.shape[dim])
    return e.slice(x, dim, start, max(start, end), step)


@aten("select.int")
def select(e: Emitter, call: Call) -> Value:
    x: Value = call["self"]
    dim = normalise_dim(call["dim"], x.rank)
    index = normalise_dim(call["index"], x.shape[dim])
    return e.reshape(e.slice(x, dim, index, index + 1), call.shape)


@aten("narrow.default")
def narrow(e: Emitter, call: Call) -> Value:
    x: Value = call["self"]
    dim = normalise_dim(call["dim"], x.rank)
    start = normalise_dim(call["start"], x.shape[dim])
    return e.slice(x, dim, start, start + call["length"])


@aten("tril.default", "triu.default")
def keep_triangle(e: Emitter, call: Call) -> Value:
    """Emits matrices whose elements above, or below, a diagonal are 0."""
    x = e.value(call["self"], call.dtype)
    keep = torch.tril if ".tril." in call.op else torch.triu
    kept = keep(torch.ones(x.shape[-2:], dtype=torch.bool), call.get("diagonal", 0))
    return e.select(kept, x, 0, call.dtype)


@aten("scatter.value")
def scatter_number(e: Emitter, call: Call) -> Value:
    """Emits a value with a number at places of a dimension, the last one."""
    x, is_there = _find_places(e, call)
    return e.select(_has_any(e, x, is_there), call["value"], x, call.dtype)


@aten("scatter.src")
def scatter_values(e: Emitter, call: Call) -> Value:
    """Emits a value with others at places of the last dimension.

    Of several for one place PyTorch takes any; this is the largest.
    """
    x, is_there = _find_places(e, call)
    if wide(call.dtype) != "f32":
        raise NotImplementedError(f"places of {call.dtype}")
    src = e.value(call["src"], call.dtype)
    if src.shape != call["index"].shape:
        raise NotImplementedError(f"{src.shape} values for {call['index'].shape} places")
    spread = e.reshape(src, (*src.shape, 1))
    values = e.reduce("max", e.select(is_there, spread, -math.inf, call.dtype), x.rank - 1)
    return e.select(_has_any(e, x, is_there), e.reshape(values, x.shape), x, call.dtype)


def _find_places(e: Emitter, call: Call) -> tuple[Value, Value]:
    """Returns what is scattered to, and whether place [.., places, columns] is that column."""
    x = e.value(call["self"], call.dtype)
    places = e.value(call["index"], "i64")
    if normalise_dim(call["dim"], x.rank) != x.rank - 1 or places.shape[:-1] != x.shape[:-1]:
        raise NotImplementedError("places of another dimension than the last, or of a part")
    columns = torch.arange(x.shape[-1]).reshape((1,) * x.rank + (-1,))
    spread = e.reshape(places, (*places.shape, 1))
    return x, e.binary("equal", spread, columns, "i64", "i1")


def _has_any(e: Emitter, x: Value, is_there: Value) -> Value:
    """Returns which elements of a value are one of the places."""
    return e.reshape(e.reduce("any", is_there, x.rank - 1), x.shape)


@aten("select_scatter.default")
def scatter_select(e: Emitter, call: Call) -> Value:
    """Emits a value with one place of a dimension replaced."""
    x = e.value(call["self"], call.dtype)
    dim = normalise_dim(call["dim"], x.rank)
    index = normalise_dim(call["index"], x.shape[dim])
    new = e.value(call["src"], call.dtype)
    place = e.reshape(new, (*x.shape[:dim], 1, *x.shape[dim + 1 :]))
    return _replace(e, x, place, dim, index)


@aten("slice_scatter.default")
def scatter_slice(e: Emitter, call: Call) -> Value:
    x = e.value(call["self"], call.dtype)
    dim = normalise_dim(call.get("dim", 0), x.rank)
    start, end, step = slice(
        call.get("start"), call.get("end"), call.get("step", 1)
    ).indices(x.shape[dim])
    if step != 1 or start >= end:
        raise NotImplementedError("a part that is not a run of elements")
    return _replace(e, x, e.value(call["src"], call.dtype), dim, start)


def _replace(e: Emitter, x: Value, part: Value, dim: int, start: int) -> Value:
    """Emits a value with a part of it replaced."""
    sides = [(0, start), (start + part.shape[dim], x.shape[dim])]
    before, after = ([e.slice(x, dim, a, b)] if a < b else [] for a, b in sides)
    return e.concatenate([*before, part, *after], dim)


@aten("copy.default")
def copy(e: Emitter, call: Call) -> Value:
    return e.expand(e.value(call["src"], call.dtype), call.shape)


@aten("split.Tensor", "split_with_sizes.default", "chunk.default", "unbind.int")
def split(e: Emitter, call: Call) -> tuple[Value, ...]:
    x: Value = call["self"]
    dim = normalise_dim(call.get("dim", 0), x.rank)
    extent = x.shape[dim]
    if call.op == "aten.unbind.int":
        rest = x.shape[:dim] + x.shape[dim + 1 :]
        return tuple(e.reshape(e.slice(x, dim, i, i + 1), rest) for i in range(extent))
    if call.op == "aten.chunk.default":
        sizes: list[int] | int = -(-extent // call["chunks"])
    else:
        sizes = call.get("split_sizes", call.get("split_size"))
    if isinstance(sizes, int):
        sizes = [min(sizes, extent - at) for at in range(0, extent, sizes)]
    ends = torch.tensor(sizes).cumsum(0).tolist()
    parts = []
    for size, end in zip(sizes, ends, strict=True):
        part = e.slice(x, dim, end - size, end)
        parts.append(e.remember(part, Part(x, dim, end - size)))
    return tuple(parts)


@aten("cat.default", "concat.default")
def concatenate(e: Emitter, call: Call) -> Value:
    rank = len(call.shape)
    # Slices without width are constants without elements.
    filled = [part for part in call["tensors"] if 0 not in part.shape]
    parts = [e.value(part, call.dtype) for part in filled]
    dim = normalise_dim(call.get("dim", 0), rank)
    known = prepend_class(e, parts, dim) or join_norms(e, parts, dim)
    return known or e.concatenate(parts, dim)


@aten("pad.default", "constant_pad_nd.default")
def pad(e: Emitter, call: Call) -> Value:
    """Pads a value with a number; a negative padding cuts."""
    if call.get("mode", "constant") != "constant":
        raise NotImplementedError(f"padding of mode '{call['mode']}'")
    x = e.value(call["self"], call.dtype)
    sizes: list[int] = list(call["pad"])
    number = call.get("value", 0)
    for dim, at in zip(range(x.rank - 1, -1, -1), range(0, len(sizes), 2), strict=False):
        x = e.surround(x, dim, sizes[at], sizes[at + 1], number)
    return x


@aten("roll.default")
def roll(e: Emitter, call: Call) -> Value:
    """Emits a cyclic shift."""
    x: Value = call["self"]
    given, dims = call["shifts"], call.get("dims", ())
    shifts = [given] if isinstance(given, int) else list(given)
    dims = [dims] if isinstance(dims, int) else list(dims)
    if not dims:
        x, dims = e.reshape(x, (count_elements(x.shape),)), [0]
    for shift, dim in zip(shifts, dims, strict=True):
        dim = normalise_dim(dim, x.rank)
        count = x.shape[dim]
        cut = -shift % count if count else 0
        if cut:
            x = e.concatenate([e.slice(x, dim, cut, count), e.slice(x, dim, 0, cut)], dim)
    return e.reshape(x, call.shape)


@aten("flip.default")
def flip(e: Emitter, call: Call) -> Value:
    x: Value = call["self"]
    for dim in (normalise_dim(d, x.rank) for d in call["dims"]):
        x = pick(e, x, dim, torch.arange(x.shape[dim]).flip(0))
    return x


@aten("stack.default")
def stack(e: Emitter, call: Call) -> Value:
    dim = normalise_dim(call.get("dim", 0), len(call.shape))
    shape = list(call.shape)
    shape[dim] = 1
    parts = [e.reshape(e.value(part, call.dtype), shape) for part in call["tensors"]]
    return e.concatenate(parts, dim)


@aten("index.Tensor")
def index(e: Emitter, call: Call) -> Value:
    """Emits indexing: constant positions, rows of a table, or single elements."""
    is_constant = isinstance(call["self"], torch.Tensor)
    x = e.value(call["self"], call.dtype)
    given = [(d, rows) for d, rows in enumerate(call["indices"]) if rows is not None]
    dim, rows = given[0]
    if any(get_dtype(rows) in ("i1", "ui8") for _, rows in given):
        raise NotImplementedError("an index of truth values")
    if len(given) == 1 and isinstance(rows, torch.Tensor):
        return pick(e, x, dim, rows)
    if len(given) == 1 and isinstance(rows, Value) and dim == 0:
        return _look_up(e, x, rows, is_constant or e.function.is_parameter(x))
    return _pick_grid(e, x, given, call.shape) or _pick_single(e, x, given, call.shape)


def _look_up(e: Emitter, table: Value, rows: Value, is_weight: bool) -> Value:
    """Emits a lookup of rows; engines reject negative ids of weights."""
    if e.function.is_input(rows) and is_weight:
        return gather_rows(e, table, rows)
    return gather_rows(e, table, count_from_front(e, rows, table.shape[0]))


def _pick_grid(
    e: Emitter, x: Value, given: list[tuple[int, Operand]], shape: tuple[int, ...]
) -> Value | None:
    """Emits indexing along several dimensions, each with its own dimension of the result."""
    axes = []
    known = [(dim, rows) for dim, rows in given if isinstance(rows, torch.Tensor)]
    if len(known) < len(given):
        return None
    rank = max(rows.dim() for _, rows in known)
    for _, rows in known:
        wide_axes = [a - rows.dim() + rank for a, n in enumerate(rows.shape) if n > 1]
        if len(wide_axes) > 1:
            return None
        axes += wide_axes
    if axes != sorted(set(axes)) or [dim for dim, _ in given] != [*range(len(given))]:
        return None
    for dim, rows in known:
        x = pick(e, x, dim, rows.reshape(-1))
    return e.reshape(x, shape)


def _pick_single(
    e: Emitter, x: Value, given: list[tuple[int, Operand]], shape: tuple[int, ...]
) -> Value:
    """Emits elements whose positions along some dimensions are tensors."""
    rows = {d: count_from_front(e, e.value(r, "i64"), x.shape[d]) for d, r in given}
    joint = broadcast_shapes(*(r.shape for r in rows.values()))
    dims = sorted(rows)
    # Behind those before them if they are neighbours, else in front of all.
    first = dims[0] if dims == [*range(dims[0], dims[-1] + 1)] else 0
    kept = [d for d in range(x.rank) if d not in rows]
    axes = [*range(first), *range(first + len(joint), len(shape))]
    coordinates: list[Value | int] = [0] * x.rank
    for dim, axis in zip(kept, axes, strict=True):
        coordinates[dim] = axis
    for dim, numbers in rows.items():
        own = (1,) * (len(joint) - numbers.rank) + numbers.shape
        behind = (1,) * (len(shape) - first - len(joint))
        coordinates[dim] = e.expand(e.reshape(numbers, own + behind), shape)
    return e.extract(x, coordinates, shape)


def count_from_front(e: Emitter, rows: Value, count: int) -> Value:
    """Returns positions counted from the front."""
    is_behind = e.binary("greater", 0, rows, rows.dtype, "i1")
    return e.select(is_behind, e.add(rows, count, rows.dtype), rows, rows.dtype)


@aten("index_select.default")
def index_select(e: Emitter, call: Call) -> Value:
    x = e.value(call["self"], call.dtype)
    rows = call["index"]
    x = x if x.rank else e.reshape(x, (1,))
    dim = normalise_dim(call["dim"], x.rank)
    if isinstance(rows, torch.Tensor):
        return e.reshape(pick(e, x, dim, rows.reshape(-1)), call.shape)
    rows = e.reshape(rows, (count_elements(rows.shape),))
    order = [dim, *(d for d in range(x.rank) if d != dim)]
    picked = gather_rows(e, e.transpose(x, order), rows)
    back = [order.index(d) for d in range(x.rank)]
    return e.reshape(e.transpose(picked, back), call.shape)


@aten("embedding.default")
def embedding(e: Emitter, call: Call) -> Value:
    table = call["weight"]
    if not isinstance(table, Value):
        table = e.constant(table)
    rows = call["indices"]
    _note_padding(e, call)
    if isinstance(rows, Value):
        return gather_rows(e, table, rows)
    if rows.dim() == 2 and not bool((rows == rows[:1]).all()):
        # Distances of queries and keys: a bias of scores, which are not rounded.
        return pick(e, e.cast(table, wide(table.dtype)), 0, rows)
    picked = pick(e, table, 0, rows)
    return e.remember(picked, Rows(table, rows)) if table.rank == 2 else picked


def _note_padding(e: Emitter, call: Call) -> None:
    """Records the row without a gradient of a table."""
    table, rows = call["weight"], call["indices"]
    padding = int(call.get("padding_idx", -1))
    if not e.function.is_parameter(table):
        return
    if call.get("scale_grad_by_freq", False):
        padding = SEVERAL_ROWS
    elif not isinstance(rows, Value):
        if not bool((rows == padding).any()):
            return
        padding = SEVERAL_ROWS
    e.function.freeze_row(table, padding)


@aten("gather.default")
def gather(e: Emitter, call: Call) -> Value | torch.Tensor:
    """Emits gathered rows of a table, or gathered elements."""
    table, rows = call["self"], call["index"]
    if isinstance(table, torch.Tensor) and bool((table == table.flatten()[0]).all()):
        return table.flatten()[0].expand(call.shape)
    spread = e.recall(rows, Spread)
    is_shared = isinstance(table, torch.Tensor) and bool((table == table[:1]).all())
    is_row = spread is not None and spread.dim == 2
    if is_shared and table.dim() == 3 and call["dim"] in (1, -2) and is_row:
        if spread is not None and spread.times == table.shape[2]:
            rows = e.reshape(spread.value, call.shape[:2])
            return e.gather(e.constant(table[0]), rows)
    x = e.value(table, call.dtype)
    if x.rank == 0:
        return e.expand(x, call.shape)
    coordinates: list[Value | int] = list(range(x.rank))
    rows = e.value(rows, "i64", 1)
    coordinates[normalise_dim(call["dim"], x.rank)] = rows
    return e.reshape(e.extract(x, coordinates, rows.shape), call.shape)


def gather_rows(e: Emitter, table: Value, rows: Value) -> Value:
    width = table.shape[1:]
    size = 1
    for extent in width:
        size *= extent
    flat = e.reshape(table, (table.shape[0], size))
    return e.reshape(e.gather(flat, rows), rows.shape + width)


def pick(e: Emitter, x: Value, dim: int, rows: torch.Tensor) -> Value:
    """Emits constant positions along a dimension, as a slice if they are one."""
    shape = (*x.shape[:dim], *rows.shape, *x.shape[dim + 1 :])
    # The same positions for every row of a batch are read once.
    lead = 0
    while lead + 1 < rows.dim() and bool((rows == rows[:1]).all()):
        rows = rows[0]
        lead += 1
        break
    flat = rows.reshape(-1).tolist()
    flat = [normalise_dim(position, x.shape[dim]) for position in flat]
    if flat and not 0 <= min(flat) <= max(flat) < x.shape[dim]:
        raise NotImplementedError(
            f"expected rows below {x.shape[dim]}, got {max(flat)} (an open size requires a "
            "max= in its Dim())"
        )
    step = flat[1] - flat[0] if len(flat) > 1 else 1
    regular = step > 0 and all(
        position == flat[0] + i * step for i, position in enumerate(flat)
    )
    if regular:
        chosen = e.slice(x, dim, flat[0], flat[-1] + 1, step)
    elif dim == 0 and x.rank == 2:
        chosen = e.gather(x, e.constant(torch.tensor(flat)))
    else:
        parts = [e.slice(x, dim, position, position + 1) for position in flat]
        chosen = e.concatenate(parts, dim)
    if lead:
        inner = (*x.shape[:dim], 1, *rows.shape, *x.shape[dim + 1 :])
        return e.expand(e.reshape(chosen, inner), shape)
    return e.reshape(chosen, shape)
