# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms of constants, whatever the open sizes of a graph are.

A constant that depends on sizes is a function of positions. Two imported sizes show
all of it if it is affine in positions and sizes beyond a bound that both exceed, or a
sine of such a function. This file has the forms that are told apart, and the rules for
operations that act element by element; parablock/frontend/size_proof.py walks graphs.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

#: Positions that are computed one by one; beyond them, forms continue by rule or end.
REACH = 1 << 16
#: Bends up to here are seen at all imported sizes.
_NEAR = 128
#: Numbers beyond are no positions: the largest integers, for example.
_FAR = 1 << 40


class Kind(enum.IntEnum):
    """Kinds of forms beyond their bounds, the least general first."""

    #: The same at all positions.
    FLAT = 0
    #: A whole number, or a float, times positions.
    AFFINE = 1
    #: The same where factors differ by element: ALiBi, phases.
    SCALED = 2
    #: Sines of those.
    WAVES = 3
    #: Rows of a table, as far as these go.
    ROWS = 4
    #: Another function, or none of positions alone.
    OTHER = 5


@dataclasses.dataclass(frozen=True)
class Fixed:
    """A constant that depends neither on sizes nor on positions.

    `value` has one element if all are equal, else those of a tensor of known sizes;
    None stands for elements that are repeated along open dimensions.
    """

    value: torch.Tensor | None

    @property
    def is_number(self) -> bool:
        return self.value is not None and self.value.numel() == 1


@dataclasses.dataclass(frozen=True, eq=False)
class Line:
    """Positions: whole numbers that are affine in indices and sizes."""

    low: int
    high: int
    #: No number is beyond.
    is_whole: bool = True
    #: Sizes are part of it.
    shifts: bool = False
    #: The sizes up to which it is counted.
    symbols: frozenset[str] = frozenset()
    #: It is a size, of which an import shows one alone.
    is_size: bool = False
    #: Its sums and differences with others.
    sums: dict[Any, Line] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, eq=False)
class Steps:
    """A function of one number, with its value at each."""

    line: Line
    table: torch.Tensor
    #: The dimension, from the last, whose indices from 0 on are those of the table, and
    #: the only one that matters; None if elements are in another order.
    along: int | None = None
    #: Beyond the table: affine as at its ends, rising or falling, or anything.
    is_affine: bool = True
    is_monotone: bool = True
    #: Where a float that is affine by rule is not affine at the latest.
    bound: int | None = 0
    #: A table of the module.
    is_given: bool = False
    #: All is one number behind its ends, by rule.
    flat: tuple[bool, bool] = (False, False)


@dataclasses.dataclass(frozen=True)
class Mixed:
    """A function of several numbers."""

    kind: Kind
    #: All is affine where positions, and differences of them, are larger.
    bound: int = 0
    #: The largest size for which that is so.
    limit: int | None = None
    #: The largest size for which nothing bends.
    first: int | None = None
    shifts: bool = False
    reason: str = ""
    is_given: bool = False
    #: The sizes up to which positions are counted.
    symbols: frozenset[str] = frozenset()


Form = Fixed | Steps | Mixed

OTHER = Mixed(Kind.OTHER, shifts=True)


def number(value: Any, dim: int = 0, dtype: torch.dtype | None = None) -> Fixed:
    """Returns the form of one number; types of operations depend on whether it has dimensions."""
    return Fixed(torch.as_tensor(value, dtype=dtype).reshape([1] if dim else []))


def of_tensor(tensor: torch.Tensor) -> Fixed:
    """Returns the form of a tensor of known sizes."""
    flat = tensor.reshape(-1)
    if flat.numel() > 1 and bool((flat == flat[0]).all()):
        return Fixed(flat[:1])
    return Fixed(flat if tensor.dim() and flat.numel() == 1 else tensor)


def count(
    low: int,
    high: int,
    symbols: frozenset[str] = frozenset(),
    *,
    shifts: bool = False,
    dtype: torch.dtype = torch.int64,
    along: int | None = None,
) -> Steps:
    """Returns the form of whole numbers that are positions, or affine in them."""
    is_whole = -REACH <= low and high < REACH
    line = Line(max(low, -REACH), min(high, REACH - 1), is_whole, shifts, symbols)
    return Steps(line, torch.arange(line.low, line.high + 1).to(dtype), along)


def look_up(
    values: torch.Tensor, symbols: frozenset[str], low: int = 0, along: int | None = None
) -> Steps:
    """Returns the form of a table of the module, whose first position is `low`."""
    line = Line(low, low + len(values) - 1, symbols=symbols)
    return Steps(line, values, along, False, False, None, is_given=True)


def cut(steps: Steps, first: int = 0, last: int | None = None) -> Steps:
    """Returns the function of a part of a table."""
    table = steps.table[first:last]
    low = steps.line.low + first
    is_whole = steps.line.is_whole or last is not None
    line = dataclasses.replace(steps.line, sums={}, low=low, high=low + len(table) - 1, is_whole=is_whole)
    return dataclasses.replace(steps, line=line, table=table)


def reorder(steps: Steps) -> Steps:
    """Returns the same numbers in another order."""
    return dataclasses.replace(steps, line=dataclasses.replace(steps.line, sums={}), along=None)


def collapse(steps: Steps) -> Form:
    """Returns a single number if the function is constant, else the function."""
    continues = steps.is_affine or steps.line.is_whole
    if continues and bool((steps.table == steps.table[0]).all()):
        return Fixed(steps.table[:1].clone())
    return steps


def get_shifts(form: Form) -> bool:
    if isinstance(form, Steps):
        return form.line.shifts
    return isinstance(form, Mixed) and form.shifts


def get_symbols(form: Form) -> frozenset[str]:
    """Returns the sizes up to which the positions of a form are counted."""
    if isinstance(form, Steps):
        return form.line.symbols
    return form.symbols if isinstance(form, Mixed) else frozenset()


def find_kinks(steps: Steps) -> torch.Tensor:
    """Numbers at which a table is not affine."""
    table = steps.table
    if len(table) < 3:
        return torch.empty(0, dtype=torch.int64)
    if table.dtype == torch.bool or table.dtype == torch.uint8:
        table = table.long()
    if table.dtype.is_floating_point:
        table = table.nan_to_num(nan=0.5, posinf=float("inf"), neginf=float("-inf"))
    before, here, behind = table[:-2], table[1:-1], table[2:]
    bends = (behind - here != here - before) & ~((before == here) & (here == behind))
    return bends.nonzero().flatten() + 1 + steps.line.low


def is_affine(steps: Steps) -> bool:
    """Returns whether a function is affine with a whole factor."""
    table = steps.table
    if table.dtype.is_floating_point:
        rounds = not bool((table == table.round()).all())
        if rounds or bool((table.abs() >= 1 << 24).any()):
            return False
    continues = steps.is_affine or steps.line.is_whole
    return table.dtype != torch.bool and continues and not len(find_kinks(steps))


def settle(form: Form) -> Mixed:
    """Returns the known properties of a form as a whole."""
    if isinstance(form, Mixed):
        return form
    if isinstance(form, Fixed):
        return Mixed(Kind.FLAT if form.is_number else Kind.SCALED)
    line, kinks = form.line, find_kinks(form)
    nearest = kinks.abs().min() if len(kinks) else None
    far = kinks[kinks.abs() > _NEAR]
    first = int(far.abs().min()) + 1 if len(far) else None
    given: dict[str, Any] = {
        "first": first,
        "shifts": line.shifts,
        "is_given": form.is_given,
        "symbols": line.symbols,
    }
    is_float = form.table.dtype.is_floating_point
    bound = int(kinks.abs().max()) + 1 if len(kinks) else 0
    limit = None if line.is_whole or form.is_affine else line.high + 1
    if is_float and form.is_affine and form.bound is not None and bound > form.bound:
        # Products are rounded, and bend nowhere.
        return Mixed(Kind.AFFINE, form.bound, **given)
    if line.is_size and nearest is not None:
        return Mixed(Kind.OTHER, 0, int(nearest), **given)
    ends = max(abs(line.low), abs(line.high))
    if nearest is not None and bound >= ends - 1:
        if form.is_given:
            return Mixed(Kind.ROWS, **given)
        return Mixed(Kind.OTHER, 0, int(nearest) + 1, **given)
    kind = Kind.FLAT if _has_flat_ends(form) else Kind.AFFINE
    return Mixed(kind, bound, limit, **given)


def _has_flat_ends(steps: Steps) -> bool:
    """Returns whether a table is constant at both ends."""
    ends = steps.table[:2], steps.table[-2:]
    return all(len(each) < 2 or bool(each[0] == each[1]) for each in ends)


def _find_least(limits: Iterable[int | None]) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)


def join(forms: Iterable[Form], kind: Kind, reason: str = "") -> Mixed:
    """Returns a form of a kind beyond the bounds of all forms, which add where lines cross."""
    settled = [settle(form) for form in forms]
    bounds = [each.bound for each in settled]
    return Mixed(
        kind,
        sum(bounds),
        _find_least(each.limit for each in settled),
        _find_least(each.first for each in settled),
        any(each.shifts for each in settled),
        next((each.reason for each in settled if each.reason), reason),
        any(each.is_given for each in settled),
        frozenset().union(*(each.symbols for each in settled)),
    )


#: Operations of element-wise kind that are affine in each operand, in one if the others
#: are numbers, and those that are affine up to where a comparison changes.
_SUMS = ("add", "sub", "rsub")
_PRODUCTS = ("mul", "div", "true_divide")
_CASTS = ("to", "_to_copy", "type_as", "clone", "contiguous", "lift_fresh_copy", "detach")
_UNCHANGED = (*_CASTS, "neg", "alias", "positive")
_COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
_LIMITS = ("clamp", "clamp_min", "clamp_max", "minimum", "maximum", "min", "max", "abs", "relu")
_LOGIC = ("__and__", "__or__", "__xor__", "bitwise_and", "bitwise_or", "bitwise_xor") + (
    *("logical_and", "logical_or", "logical_xor", "logical_not", "bitwise_not", "__invert__"),
)
_CHOICES = ("where", "masked_fill")
_MONOTONE = ("log", "log1p", "log2", "sqrt", "floor", "ceil", "trunc", "round", "floor_divide")
_WAVES = ("sin", "cos")
_LESSER = ("minimum", "min", "clamp", "clamp_max")
_NARROW = (torch.bfloat16, torch.float16)

#: Computes an operation on operands that take the places of its own.
Compute = Callable[[Sequence[torch.Tensor]], Any]


def apply(name: str, given: Sequence[Form], compute: Compute) -> Form:
    """Applies an elementwise operation to operands in their order."""
    aligned = _align([form for form in given if isinstance(form, Steps)])
    if aligned is not None and all(
        isinstance(form, Steps) or (isinstance(form, Fixed) and form.is_number) for form in given
    ):
        tables = iter(aligned)
        operands = [next(tables) if isinstance(form, Steps) else form for form in given]
        made = _apply_to_steps(name, operands, compute)
        if not isinstance(made, Steps):
            return made
        return collapse(_note_flat_ends(made, [f for f in operands if isinstance(f, Steps)]))
    return _merge_lines(name, given) or _mix(name, given)


def _align(steps: Sequence[Steps]) -> list[Steps] | None:
    """Functions of one number each as such of the same; None if they are not."""
    if len({(form.line, form.along) for form in steps}) <= 1:
        return list(steps)
    places = {form.along for form in steps}
    if len(places) > 1 or None in places:
        return None
    # Tables begin at the same index, of one dimension.
    length = min(len(form.table) for form in steps)
    first = cut(steps[0], 0, length).line
    is_whole = any(form.line.is_whole for form in steps)
    line = dataclasses.replace(
        first,
        sums={},
        is_whole=is_whole,
        shifts=any(form.line.shifts for form in steps),
        symbols=frozenset().union(*(form.line.symbols for form in steps)),
    )
    return [dataclasses.replace(form, line=line, table=form.table[:length]) for form in steps]


def _apply_to_steps(name: str, given: Sequence[Form], compute: Compute) -> Form:
    """Applies the operation at each number."""
    operands = [
        form.table if isinstance(form, Steps) else form.value
        for form in given
        if not isinstance(form, Mixed)
    ]
    result = compute([operand for operand in operands if operand is not None])
    steps = [form for form in given if isinstance(form, Steps)]
    if not steps:
        return Fixed(result)
    if result.shape != steps[0].table.shape:
        return OTHER
    line, before = steps[0].line, steps[0].table
    made = Steps(
        line,
        result,
        steps[0].along,
        all(form.is_affine for form in steps),
        all(form.is_monotone for form in steps),
        _join_bounds(steps),
        any(form.is_given for form in steps),
    )
    is_float = result.dtype.is_floating_point
    rounds = before.dtype.is_floating_point and not is_float and result.dtype != torch.bool
    if rounds and torch.equal(result.double(), before.double()):
        rounds = False
    if result.dtype in _NARROW and not _has_flat_ends(made):
        rounds = True
    if name in (*_SUMS, *_COMPARISONS, *_LIMITS) and not line.is_whole:
        # A number that no table reaches bends the form where nothing is looked at.
        numbers = [form.value for form in given if isinstance(form, Fixed)]
        if any(REACH // 2 < abs(float(each)) < _FAR for each in numbers if each is not None):
            return Mixed(
                Kind.OTHER, limit=REACH // 2, shifts=line.shifts, symbols=line.symbols
            )
    if name in _WAVES:
        settled = settle(steps[0])
        if settled.kind in (Kind.FLAT, Kind.AFFINE) and settled.bound == 0:
            return dataclasses.replace(settled, kind=Kind.WAVES)
    is_product = name == "mul" or (name in _PRODUCTS and isinstance(given[0], Steps))
    if rounds or name in _MONOTONE:
        return dataclasses.replace(made, is_affine=False, bound=None)
    if name in _LESSER and made.is_monotone and not made.is_affine:
        # From some place on, the minimum of two rising forms is the same one of them.
        return dataclasses.replace(made, is_affine=_ends_otherwise(steps[0], result))
    if name in _SUMS:
        return dataclasses.replace(made, is_monotone=made.is_affine or len(steps) == 1)
    if name in _UNCHANGED or (is_product and len(steps) == 1):
        return made
    if name in (*_LIMITS, *_COMPARISONS, *_LOGIC, *_CHOICES):
        return _bound_choice(made, steps)
    return dataclasses.replace(made, is_affine=False, is_monotone=False, bound=None)


def _note_flat_ends(made: Steps, given: Sequence[Steps]) -> Steps:
    """Notes the ends that are constant; every function of constant ends is constant, too."""
    table = made.table
    low, high = (
        all(form.flat[end] for form in given)
        or (made.is_affine and bool((pair[0] == pair[-1]).all()))
        for end, pair in enumerate((table[:2], table[-2:]))
    )
    return dataclasses.replace(made, flat=(low, high), is_affine=made.is_affine or (low and high))


def _join_bounds(steps: Sequence[Steps]) -> int | None:
    bounds = [form.bound for form in steps if form.bound is not None]
    return max(bounds) if len(bounds) == len(steps) else None


def _ends_otherwise(steps: Steps, result: torch.Tensor) -> bool:
    """Returns whether a table has changed, or is flat, at the ends that continue."""
    changed = result[0] != steps.table[0], result[-1] != steps.table[-1]
    low = steps.line.low > -REACH or steps.flat[0] or bool(changed[0])
    return low and (steps.flat[1] or bool(changed[1]))


def _bound_choice(made: Steps, given: Sequence[Steps]) -> Steps:
    """Bounds a choice between operands, or a comparison, at the place where it changes."""
    if made.bound is None:
        return made
    tables = [form.table for form in given if form.table.dtype == torch.bool]
    if made.table.dtype.is_floating_point:
        tables += [made.table == form.table for form in given if form.table.dtype != torch.bool]
    else:
        tables.append(made.table)
    bound = made.bound
    for table in tables:
        kinks = find_kinks(dataclasses.replace(made, table=table))
        bound = max(bound, int(kinks.abs().max()) + 1 if len(kinks) else 0)
    return dataclasses.replace(made, bound=bound)


def _merge_lines(name: str, given: Sequence[Form]) -> Form | None:
    """Sums and comparisons of two numbers: a function of their sum or difference."""
    if name not in (*_SUMS, *_COMPARISONS) or len(given) != 2:
        return None
    one, two = given
    if not isinstance(one, Steps) or not isinstance(two, Steps):
        return None
    if not is_affine(one) or not is_affine(two):
        return None
    if name == "rsub":
        one, two = two, one
    sign = 1 if name == "add" else -1
    slopes = [_get_slope(form) for form in (one, two)]
    if any(abs(slope) != 1 for slope in slopes):
        return None
    # Numbers beside positions stay such: where a form bends is counted from 0.
    signs = [slopes[0], -slopes[1] if name != "add" else slopes[1]]
    ends = [
        sorted((sign * form.line.low, sign * form.line.high))
        for sign, form in zip(signs, (one, two), strict=True)
    ]
    offset = _get_offset(one) + (1 if name == "add" else -1) * _get_offset(two)
    low, high = (ends[0][k] + ends[1][k] for k in (0, 1))
    if not (one.line.is_whole and two.line.is_whole):
        low, high = -2 * REACH, 2 * REACH
    shifts = one.line.shifts or two.line.shifts
    made = count(low, high, one.line.symbols | two.line.symbols, shifts=shifts)
    key = (two.line, one.along, two.along, *signs)
    line = one.line.sums.setdefault(key, made.line)
    made = dataclasses.replace(made, line=line, table=made.table + offset)
    if name in _COMPARISONS:
        compare = getattr(torch, name)
        table: torch.Tensor = compare(made.table, 0)
        return dataclasses.replace(made, table=table)
    dtype = torch.promote_types(one.table.dtype, two.table.dtype)
    if dtype in _NARROW:
        return None
    return dataclasses.replace(made, table=made.table.to(dtype))


def _get_slope(steps: Steps) -> int:
    return int(steps.table[-1]) - int(steps.table[-2]) if len(steps.table) > 1 else 0


def _get_offset(steps: Steps) -> int:
    """Returns the value of an affine function at 0."""
    return int(steps.table[-1]) - _get_slope(steps) * steps.line.high


def _measure(form: Form) -> int:
    """Returns a bound on the bends of sums and comparisons with a function."""
    if isinstance(form, Mixed):
        return form.bound
    if isinstance(form, Fixed):
        value = form.value.double().abs().max() if form.value is not None else 0
        return int(value) + 1 if value < _FAR else 0
    bound, table = settle(form).bound, form.table.double()
    for values, place in ((table[:2], form.line.low), (table[-2:], form.line.high)):
        slope = float(values[-1] - values[0])
        number = abs(float(values[0])) if slope == 0 else abs(float(values[-1]) / slope - place)
        bound = max(bound, int(number) + 1 if number < _FAR else 0)
    return bound


def _mix(name: str, given: Sequence[Form]) -> Form:
    """Applies the operation to functions of several numbers, and to tensors."""
    settled = [settle(form) for form in given]
    kinds = [each.kind for each in settled]
    if all(isinstance(form, Fixed) for form in given):
        return Fixed(None)
    is_given = any(each.is_given for each in settled)
    if Kind.OTHER in kinds:
        return join(given, Kind.OTHER)
    if Kind.ROWS in kinds:
        shifts = any(each.shifts for each in settled)
        return join(given, Kind.OTHER if shifts else Kind.ROWS)
    moving = [
        each.kind for each, form in zip(settled, given, strict=True) if not isinstance(form, Fixed)
    ]
    has_tensors = any(isinstance(f, Fixed) and not f.is_number for f in given)
    if all(kind is Kind.FLAT for kind in moving):
        return join(given, Kind.FLAT)
    if name in _CHOICES:
        branches = given[1:] if name == "where" else [given[0], given[2]]
        mask = settled[0] if name == "where" else settled[1]
        if mask.kind is Kind.FLAT:
            return join(given, _add_kinds(branches))
    elif name in _SUMS:
        kind = _add_kinds(given)
        if kind is Kind.AFFINE:
            bound = sum(_measure(form) for form in given)
            return dataclasses.replace(join(given, kind), bound=bound)
        if kind is not Kind.OTHER:
            return join(given, kind)
    elif name in _PRODUCTS and len(moving) == 1 and (
        name == "mul" or not isinstance(given[0], Fixed)
    ):
        return join(given, max(moving[0], Kind.SCALED) if has_tensors else moving[0])
    elif name == "mul" and sorted(moving)[:-1] == [Kind.FLAT] * (len(moving) - 1):
        if max(moving) is not Kind.WAVES:
            return join(given, max(*moving, Kind.SCALED if has_tensors else Kind.FLAT))
    elif name in _UNCHANGED:
        return join(given, moving[0])
    elif name in _WAVES and moving[0] in (Kind.AFFINE, Kind.SCALED):
        joined = join(given, Kind.WAVES)
        if joined.bound == 0:
            return joined
    elif name in (*_LIMITS, *_COMPARISONS) and max(moving) is Kind.AFFINE and not has_tensors:
        # Where two meet is within the sum of their bounds, or nowhere.
        bound = sum(_measure(form) for form in given)
        return dataclasses.replace(join(given, Kind.AFFINE), bound=bound)
    return join(given, Kind.ROWS if is_given else Kind.OTHER)


def _add_kinds(given: Sequence[Form]) -> Kind:
    kinds = {
        settle(form).kind for form in given if not isinstance(form, Fixed) or not form.is_number
    }
    if Kind.WAVES in kinds:
        return Kind.WAVES if kinds <= {Kind.WAVES, Kind.SCALED} else Kind.OTHER
    return max(kinds, default=Kind.FLAT)


def make_size(steps: Steps) -> Steps:
    """Numbers that are sizes: an import shows one of them alone."""
    line = dataclasses.replace(steps.line, sums={}, is_size=True)
    return dataclasses.replace(steps, line=line)
