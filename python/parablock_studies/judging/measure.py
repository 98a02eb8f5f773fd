# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Distances of tensors from exact ones, and their limits."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

import torch

from parablock._core import floor_factor, get_base_tolerance

#: Least limits of an error, by the type that a model computes in.
BASES = {
    torch.float32: get_base_tolerance("f32"),
    torch.float16: get_base_tolerance("f16"),
    torch.bfloat16: get_base_tolerance("bf16"),
}
#: How many times the error of the original's own roundings it may be.
FLOORS = floor_factor
#: How many times the base or the floor the worst row's may be: there are many rows.
ROWS = 3

#: After so many drawn roundings an error that is so many times its limit is not explained
#: by others.
_FEW, _FAR = 4, 100

#: Errors by what they are errors of.
Measures = dict[str, float]


@dataclasses.dataclass(frozen=True)
class Scale:
    """Scale of errors."""

    base: float
    #: Masks [batch, token] of real rows; other rows are padding.
    masks: Sequence[torch.Tensor] = ()

    def find_limit(self, measure: str, floor: float) -> float:
        if measure.endswith("row"):
            return ROWS * max(self.base, floor)
        return max(0.0 if measure == "kind" else self.base, FLOORS * floor)


@dataclasses.dataclass(frozen=True)
class Finding:
    """The error that is largest relative to its limit, and its subject."""

    error: float = 0.0
    floor: float = 0.0
    limit: float = 0.0
    measure: str = "result"
    place: tuple[int, ...] = ()

    @property
    def is_wrong(self) -> bool:
        return self.error > self.limit

    def to_dict(self) -> dict[str, object]:
        return {
            "error": self.error,
            "floor": self.floor,
            "limit": self.limit,
            "measure": self.measure,
            "place": list(self.place),
            "wrong": self.is_wrong,
        }


@dataclasses.dataclass(frozen=True)
class Tensors:
    """Results of a call, the exact ones, and those of the original."""

    found: Sequence[torch.Tensor]
    exact: Sequence[torch.Tensor]
    own: Sequence[torch.Tensor]
    #: Where a layer starts: its update is measured, too, since the stream hides errors.
    start: torch.Tensor | None = None


def judge_tensors(
    tensors: Tensors,
    scale: Scale,
    drawn: Iterable[Sequence[Measures]] = (),
) -> Finding:
    """Returns the worst error; `drawn` are errors of the original with other roundings.

    They are asked only while something is left to explain: an error of one evaluation
    may be small by chance.
    """
    measured = [
        _measure(tensors, i, tensors.found, scale) for i in range(len(tensors.exact))
    ]
    floors = measure_all(tensors, tensors.own, scale)
    worst = _find_worst(measured, floors, scale)
    left = iter(drawn)
    asked = 0
    while goes_on(worst.error, worst.limit, asked) and (others := next(left, None)) is not None:
        asked += 1
        for i, (floor, again) in enumerate(zip(floors, others, strict=True)):
            floors[i] = {
                name: max(floor.get(name, 0.0), again.get(name, 0.0))
                for name in {*floor, *again}
            }
        worst = _find_worst(measured, floors, scale)
    return worst


def measure_all(
    tensors: Tensors, others: Sequence[torch.Tensor], scale: Scale
) -> list[Measures]:
    """Returns the errors of other tensors."""
    return [_measure(tensors, i, others, scale)[0] for i in range(len(tensors.exact))]


def goes_on(error: float, limit: float, asked: int) -> bool:
    """Returns whether further roundings may still explain an error.

    >>> goes_on(2.0, 1.0, 15), goes_on(200.0, 1.0, 3), goes_on(200.0, 1.0, 4)
    (True, True, False)
    """
    return error > limit and (asked < _FEW or error <= _FAR * limit)


def _find_worst(
    measured: list[tuple[Measures, tuple[int, ...]]],
    floors: list[Measures],
    scale: Scale,
) -> Finding:
    def rank(finding: Finding) -> float:
        if finding.is_wrong and finding.limit == 0:
            return float("inf")
        return finding.error / finding.limit if finding.limit else 0.0

    findings = [Finding(limit=scale.base)]
    for (measures, place), floor in zip(measured, floors, strict=True):
        for name, error in measures.items():
            own = floor.get(name, 0.0)
            limit = scale.find_limit(name, own)
            at = place if name.endswith("row") else ()
            findings.append(Finding(error, own, limit, name, at))
    # Of those that rank alike, the plain one says most.
    return max(reversed(findings), key=lambda finding: (rank(finding), finding.measure == "result"))


def _measure(
    tensors: Tensors, number: int, others: Sequence[torch.Tensor], scale: Scale
) -> tuple[Measures, tuple[int, ...]]:
    """Returns errors by name, and the place of the worst row."""
    exact = tensors.exact[number]
    if number >= len(others):
        return {"kind": float("inf")}, ()
    found, own = others[number], tensors.own[number]
    if found.dtype != own.dtype or found.shape != exact.shape:
        return {"kind": float("inf")}, ()
    if found.device != exact.device:
        found = found.to(exact.device)
    rows = _find_rows(exact, scale.masks)
    if not exact.is_floating_point():
        different = found != exact if rows is None else (found != exact)[rows]
        share = float(different.double().mean()) if different.numel() else 0.0
        return {"kind": share}, ()
    return _measure_floats(found, exact, rows, tensors.start if number == 0 else None)


def _find_rows(exact: torch.Tensor, masks: Sequence[torch.Tensor]) -> torch.Tensor | None:
    rows = None
    for mask in masks:
        if exact.dim() >= 2 and exact.shape[:2] == mask.shape:
            rows = mask if rows is None else rows & mask
    return rows


def _measure_floats(
    found: torch.Tensor,
    exact: torch.Tensor,
    rows: torch.Tensor | None,
    start: torch.Tensor | None,
) -> tuple[Measures, tuple[int, ...]]:
    # The least number, or minus infinity, hides scores: which one is a matter of the type.
    least = torch.finfo(found.dtype).min / 2
    hides, shall_hide = found <= least, exact <= least
    is_bad = ~torch.isfinite(found) & ~hides
    shall_be_bad = ~torch.isfinite(exact) & ~shall_hide
    wrong = (hides != shall_hide) | (is_bad != shall_be_bad)
    left = hides | is_bad | wrong
    error = torch.where(left, 0.0, found.double() - exact)
    whole = torch.where(left, 0.0, exact)
    update = None
    if start is not None and start.shape == exact.shape and start.is_floating_point():
        update = torch.where(left, 0.0, exact - start)
    if rows is not None:
        # Padding counts for nothing, and stays where it is for the sake of places.
        kept = rows.reshape(*rows.shape, *[1] * (exact.dim() - 2))
        error, whole, wrong = error * kept, whole * kept, wrong & kept
        update = None if update is None else update * kept
    if bool(wrong.any()):
        place = tuple(int(i) for i in wrong.nonzero()[0][:-1])
        return {"result": float("inf"), "row": float("inf")}, place
    return _measure_distances(error, whole, update)


def _measure_distances(
    error: torch.Tensor, whole: torch.Tensor, update: torch.Tensor | None
) -> tuple[Measures, tuple[int, ...]]:
    measures = {"result": _divide(error.norm(), whole.norm())}
    place: tuple[int, ...] = ()
    if update is not None:
        measures["update"] = _divide(error.norm(), update.norm())
    if error.dim() < 2 or error.numel() == 0:
        return measures, place
    distances = error.norm(dim=-1)
    for name, values in (("row", whole), ("update row", update)):
        if values is None:
            continue
        sizes = values.norm(dim=-1)
        # A row that happens to be short has the errors of its neighbours.
        sizes = sizes.maximum(sizes.square().mean().sqrt())
        ratios = torch.where(distances == 0, 0.0, distances / sizes)
        measures[name] = float(ratios.max())
        if name == "row":
            where = torch.unravel_index(ratios.argmax(), ratios.shape)
            place = tuple(int(i) for i in where)
    return measures, place


def _divide(error: torch.Tensor, size: torch.Tensor) -> float:
    return float(error / size) if float(error) else 0.0
