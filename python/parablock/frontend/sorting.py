# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts, counts, rows that are added or put at places, and products of sorted rows.

The dialects of level 0 have none of these: each is a reduction over all pairs of elements
and places. block-raise reads experts in them, and then nothing of that is computed.
lib/Frontends/Raise/MatchSorted.cpp matches exactly these forms: change both together.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from parablock.dtypes import is_float
from parablock.frontend.ir import Value, count_elements, tensor_type
from parablock.frontend.lowering import Emitter, Operand, WholeNumbers, get_dtype
from parablock.frontend.table import Call, aten, normalise_dim, register, wide
from parablock.frontend.views import count_from_front

#: No place: below all places.
_NONE = -1


def _reduce(
    e: Emitter,
    operands: Sequence[tuple[Value, str]],
    loops: str,
    out: tuple[Sequence[int], str, str, int],
    body: str,
) -> Value:
    """Emits a reduction along the last of `loops`; `out` has its loops, type, and beginning.

    The body ends with `%total`, computed from the operands `%a`, `%b`, .. and from `%sum`.
    """
    shape, dtype, places, start = out
    maps = ", ".join(
        f"affine_map<({loops}) -> ({read})>" for read in (*(own for _, own in operands), places)
    )
    count = loops.count(",")
    kinds = ", ".join(['"parallel"'] * count + ['"reduction"'])
    begin = e.expand(e.splat(start, dtype, len(shape)), tuple(shape))
    names = ", ".join(value.name for value, _ in operands)
    types = ", ".join(value.type for value, _ in operands)
    arguments = [f"%{letter}: {value.dtype}" for letter, (value, _) in zip("abc", operands, strict=False)]
    return e.function.emit_text(
        f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
        f"ins({names} : {types}) outs({begin.name} : {begin.type}) {{\n"
        f"    ^bb0({', '.join([*arguments, f'%sum: {dtype}'])}):\n"
        + "".join(f"      {line}\n" for line in body.strip().splitlines())
        + f"      linalg.yield %total : {dtype}\n"
        f"    }} ->",
        tuple(shape),
        dtype,
    )


def _index(name: str, loop: int) -> str:
    """Returns the lines that give a loop's number as `%name`."""
    return f"%{name}0 = linalg.index {loop} : index\n%{name} = arith.index_cast %{name}0 : index to i64\n"


def _count_smaller(e: Emitter, keys: Value, descending: bool) -> Value:
    """Emits how many whole numbers of a row come before each once they are sorted."""
    outer = "".join(f"d{d}, " for d in range(keys.rank - 1))
    order = "sgt" if descending else "slt"
    body = (
        _index("i", keys.rank - 1)
        + _index("j", keys.rank)
        + f"""%first = arith.cmpi slt, %j, %i : i64
%less = arith.cmpi {order}, %a, %b : {keys.dtype}
%equal = arith.cmpi eq, %a, %b : {keys.dtype}
%tie = arith.andi %equal, %first : i1
%before = arith.ori %less, %tie : i1
%one = arith.extui %before : i1 to i64
%total = arith.addi %sum, %one : i64"""
    )
    operands = [(keys, f"{outer}j"), (keys, f"{outer}i")]
    return _reduce(e, operands, f"{outer}i, j", (keys.shape, "i64", f"{outer}i", 0), body)


def _find_places(e: Emitter, numbers: Value, count: int) -> Value:
    """Emits the last place at which a row of whole numbers has each of 0, 1, ..; or none."""
    outer = "".join(f"d{d}, " for d in range(numbers.rank - 1))
    body = (
        _index("j", numbers.rank - 1)
        + _index("i", numbers.rank)
        + f"""%none = arith.constant {_NONE} : i64
%is = arith.cmpi eq, %a, %j : i64
%place = arith.select %is, %i, %none : i64
%total = arith.maxsi %sum, %place : i64"""
    )
    shape = (*numbers.shape[:-1], count)
    out = (shape, "i64", f"{outer}j", _NONE)
    return _reduce(e, [(numbers, f"{outer}i")], f"{outer}j, i", out, body)


def emit_order(e: Emitter, keys: Value, descending: bool = False) -> Value:
    """Emits the positions of sorted whole numbers of rows, of equal ones the first in front."""
    if keys.shape[-1] == 1:
        return e.expand(e.splat(0, "i64", keys.rank), keys.shape)
    return _find_places(e, _count_smaller(e, keys, descending), keys.shape[-1])


@aten("topk.default")
def find_largest(e: Emitter, call: Call) -> tuple[Value, Value]:
    """Emits the largest numbers of rows and their places, of equal ones the first."""
    x = call["self"]
    if wide(x.dtype) != "f32" or call["k"] == 0:
        raise NotImplementedError(f"{call['k']} largest of {x.dtype}")
    return _choose(e, x, call["k"], call.get("dim", -1), call.get("largest", True))


def _choose(e: Emitter, x: Value, count: int, dim: int, is_largest: bool) -> tuple[Value, Value]:
    """Emits the largest or smallest numbers of rows and their places."""
    dim = normalise_dim(dim, x.rank)
    order = [*(d for d in range(x.rank) if d != dim), dim]
    back = [order.index(d) for d in range(x.rank)]
    rows = e.transpose(x if is_largest else e.negate(x), order)
    form = f"form = #block.routing<chosen = {count}, score = logit>"
    shape = (*rows.shape[:-1], count)
    flat = e.reshape(rows, (1, count_elements(rows.shape[:-1]), rows.shape[-1]))
    size = (1, flat.shape[1], count)
    given = e.function.emit_several("block.route", [flat], {}, form, ((size, "i64"), (size, x.dtype)))
    indices, values = (e.reshape(each, shape) for each in given)
    values = values if is_largest else e.negate(values)
    return e.transpose(values, back), e.transpose(indices, back)


@aten("sort.default", "sort.stable", "argsort.default", "argsort.stable")
def sort(e: Emitter, call: Call) -> Value | tuple[Value, Value]:
    """Emits sorted numbers and their positions; equal ones keep their order."""
    x = call["self"]
    if x.dtype == "i1" or x.rank == 0:
        raise NotImplementedError(f"a sort of {x.dtype}, of {x.rank} dimensions")
    if is_float(x.dtype):
        if wide(x.dtype) != "f32":
            raise NotImplementedError(f"a sort of {x.dtype}")
        dim = normalise_dim(call.get("dim", -1), x.rank)
        both = _choose(e, x, x.shape[dim], dim, call.get("descending", False))
        return both[1] if ".argsort" in call.op else both
    dim, last = normalise_dim(call.get("dim", -1), x.rank), x.rank - 1
    order = list(range(x.rank))
    order[dim], order[last] = last, dim
    keys = e.transpose(x, order)
    places = emit_order(e, keys, call.get("descending", False))
    coordinates: list[Value | int] = [*range(last), places]
    if ".argsort" in call.op:
        return e.transpose(places, order)
    values = e.extract(keys, coordinates, keys.shape)
    return e.transpose(values, order), e.transpose(places, order)


@aten("histc.default")
def count_each(e: Emitter, call: Call) -> Value:
    """Emits how many elements are in each of equally wide parts, of whole numbers one each."""
    given = e.recall(call["self"], WholeNumbers)
    bins, least = call.get("bins", 100), call.get("min", 0)
    # Beyond, f32 has not every whole number.
    is_exact = max(abs(least), abs(least + bins)) < 2**24
    if given is None or call.get("max", 0) - least != bins - 1 or least != int(least) or not is_exact:
        raise NotImplementedError("histc of other than whole numbers, with a part for each")
    numbers = e.cast(given.source, "i64")
    if bins == 1:
        # A range of no width becomes that of the numbers.
        return e.value(torch.full((1,), count_elements(numbers.shape)), call.dtype)
    flat = e.reshape(numbers, (count_elements(numbers.shape),))
    body = (
        _index("j", 0)
        + f"""%least = arith.constant {int(least)} : i64
%number = arith.addi %j, %least : i64
%is = arith.cmpi eq, %a, %number : i64
%one = arith.extui %is : i1 to i64
%total = arith.addi %sum, %one : i64"""
    )
    return e.cast(_reduce(e, [(flat, "i")], "j, i", ((bins,), "i64", "j", 0), body), call.dtype)


@aten("index_put.default")
def put_rows(e: Emitter, call: Call) -> Value:
    """Emits a value with rows put at places; of several for one place the last."""
    x, given = e.value(call["self"], call.dtype), call["values"]
    if len(call["indices"]) != 1 or not x.rank:
        raise NotImplementedError("elements put at places of other dimensions than the first")
    places = call["indices"][0]
    if isinstance(places, torch.Tensor) and places.dtype == torch.bool and places.dim() == 1:
        places = places.nonzero().flatten()
    if get_dtype(places) in ("i1", "ui8"):
        return _put_where(e, call, x, e.value(places, "i1"))
    if isinstance(places, torch.Tensor) and not places.numel():
        return x
    places = e.value(places, "i64")
    if places.rank != 1:
        raise NotImplementedError(f"rows put at places of {places.rank} dimensions: expected one")
    rows = count_from_front(e, places, x.shape[0])
    values = e.expand(e.value(given, call.dtype), (rows.shape[0], *x.shape[1:]))
    if call.get("accumulate", False):
        return _add_rows(e, x, rows, values)
    found = _find_places(e, rows, x.shape[0])
    has_none = e.binary("greater", 0, found, "i64", "i1")
    width = count_elements(x.shape[1:])
    place = e.select(has_none, 0, found, "i64")
    # Of more dimensions, each row would have all of the numbers.
    is_counted = x.rank == 1 and isinstance(given, torch.Tensor) and torch.equal(given, torch.arange(rows.shape[0]))
    flat = e.reshape(values, (rows.shape[0], width))
    put = e.reshape(e.cast(place, call.dtype), (x.shape[0], 1)) if is_counted else e.gather(flat, place)
    old = e.reshape(x, (x.shape[0], width))
    new = e.select(e.reshape(has_none, (x.shape[0], 1)), old, put, call.dtype)
    return e.reshape(new, x.shape)


def _put_where(e: Emitter, call: Call, x: Value, mask: Value) -> Value:
    """Emits a value with the same elements put wherever a mask of its first dimensions is true."""
    values = e.value(call["values"], call.dtype)
    each = x.rank - mask.rank
    if values.rank == each + 1 and values.shape[0] == 1:
        values = e.reshape(values, values.shape[1:])
    if values.rank > each:
        raise NotImplementedError("other elements for each place of a mask: use torch.where")
    if call.get("accumulate", False):
        if x.dtype == "i1":
            raise NotImplementedError("sums of truth values")
        values = e.add(x, values, call.dtype)
    return e.select(e.reshape(mask, (*mask.shape, *[1] * each)), values, x, call.dtype)


@aten("index_add.default")
def add_rows(e: Emitter, call: Call) -> Value:
    """Emits a value with rows added at places of its first dimension."""
    x = e.value(call["self"], call.dtype)
    if not x.rank or normalise_dim(call["dim"], x.rank) != 0 or call.get("alpha", 1) != 1:
        raise NotImplementedError("rows added along another dimension than the first, or scaled")
    return _add_rows(e, x, e.value(call["index"], "i64"), e.value(call["source"], call.dtype))


@aten("scatter_add.default")
def add_elements(e: Emitter, call: Call) -> Value:
    """Emits a value with elements added at places of its first dimension."""
    x, source = e.value(call["self"], call.dtype), e.value(call["src"], call.dtype)
    places = e.value(call["index"], "i64")
    is_whole = places.shape == source.shape and places.shape[1:] == x.shape[1:]
    if not x.rank or normalise_dim(call["dim"], x.rank) != 0 or not is_whole:
        raise NotImplementedError("elements added along another dimension than the first, or to a part")
    return _add_rows(e, x, places, source)


def _add_rows(e: Emitter, x: Value, places: Value, source: Value) -> Value:
    """Emits `x` with each row of `source` added at its place, sums in f32 where those are short."""
    if x.dtype == "i1":
        raise NotImplementedError("sums of truth values")
    dtype, rows, width = wide(x.dtype), source.shape[0], count_elements(x.shape[1:])
    suffix, zero = ("f", "0.0") if is_float(dtype) else ("i", "0")
    of_rows = places.rank == 1
    places = places if of_rows else e.reshape(places, (rows, width))
    body = (
        _index("j", 0)
        + f"""%zero = arith.constant {zero} : {dtype}
%is = arith.cmpi eq, %b, %j : i64
%kept = arith.select %is, %a, %zero : {dtype}
%total = arith.add{suffix} %sum, %kept : {dtype}"""
    )
    operands = [
        (e.reshape(e.cast(source, dtype), (rows, width)), "i, c"),
        (places, "i" if of_rows else "i, c"),
    ]
    out = ((x.shape[0], width), dtype, "j, c", 0)
    added = e.reshape(_reduce(e, operands, "j, c, i", out, body), x.shape)
    return e.add(x, added, x.dtype)


@aten("_grouped_mm.default")
def multiply_groups(e: Emitter, call: Call) -> Value:
    """Emits products of rows by the matrix of their group, which ends before a given row."""
    if call.get("bias") is not None:
        raise NotImplementedError("products of groups with a bias")
    return _emit_group_products(e, call["self"], call["mat2"], call.get("offs"), dtype=call.dtype)


@register("transformers.grouped_mm_fallback.default", "parablock.multiply_groups.default")
def multiply_groups_by_loop(e: Emitter, call: Call) -> Value:
    return _emit_group_products(e, call["input"], call["weight"], call["offs"], dtype=call.dtype)


def _emit_group_products(e: Emitter, x: Operand, stack: Operand, ends: Operand, *, dtype: str) -> Value:
    """Emits products [rows, columns] by matrices [groups, width, columns]; 0 behind the last."""
    if not (isinstance(x, Value) and isinstance(stack, Value) and isinstance(ends, Value)):
        raise NotImplementedError("products of groups that have no ends, or of no rows or matrices")
    if x.rank != 2 or stack.rank != 3 or ends.rank != 1:
        raise NotImplementedError(f"products of groups of {x.shape} by {stack.shape}")
    body = (
        _index("r", 0)
        + """%is = arith.cmpi sle, %a, %r : i64
%one = arith.extui %is : i1 to i64
%total = arith.addi %sum, %one : i64"""
    )
    rows, groups, columns = x.shape[0], stack.shape[0], stack.shape[2]
    out = ((rows,), "i64", "r", 0)
    numbers = _reduce(e, [(e.cast(ends, "i64"), "g")], "r, g", out, body)
    is_short = stack.dtype in ("bf16", "f16")
    table = tensor_type(stack.shape, stack.dtype)
    body = f"""%groups = arith.constant {groups} : i64
%last = arith.constant {groups - 1} : i64
%zero = arith.constant 0.0 : f32
%is = arith.cmpi slt, %b, %groups : i64
%own = arith.minsi %b, %last : i64
%g = arith.index_cast %own : i64 to index
%c = linalg.index 1 : index
%d = linalg.index 2 : index
%{"short" if is_short else "weight"} = tensor.extract {stack.name}[%g, %d, %c] : {table}
{f"%weight = arith.extf %short : {stack.dtype} to f32" if is_short else ""}
%product = arith.mulf %a, %weight : f32
%kept = arith.select %is, %product, %zero : f32
%total = arith.addf %sum, %kept : f32"""
    operands = [(e.cast(x, "f32"), "r, d"), (numbers, "r")]
    products = _reduce(e, operands, "r, c, d", ((rows, columns), "f32", "r, c", 0), body)
    return e.cast(products, dtype)
