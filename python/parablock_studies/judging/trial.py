# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of a model: its own, float64's, those with drawn roundings, and the subject's."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import torch

from parablock.errors import Error
from parablock_studies.judging.exact import compute_exactly, make_exact, widen_all
from parablock_studies.judging.measure import BASES, Scale, Tensors, judge_tensors
from parablock_studies.judging.rounding import Drawn
from parablock_studies.judging.subjects import Subject
from parablock_studies.judging.trees import copy_tensors, list_tensors, name_tensors
from parablock_studies.judging.watch import MismatchError

T = TypeVar("T")

Results = dict[str, torch.Tensor]

_TYPES = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16"}


@dataclasses.dataclass(frozen=True)
class Run:
    """Results of a call, and the indices of inputs that it wrote to."""

    results: Results
    changed: set[int]


class Trial:
    """The model and a call of it."""

    def __init__(
        self,
        model: torch.nn.Module,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        tolerance: float | None,
    ) -> None:
        self.model, self.args, self.kwargs = model, args, kwargs
        self.dtype = _find_type(model, (args, kwargs))
        base = BASES[self.dtype] if tolerance is None else tolerance
        self.scale = Scale(base, _find_masks(model, args, kwargs))
        self.exact = make_exact(model)

    @property
    def type_name(self) -> str:
        return _TYPES[self.dtype]

    def run_own(self) -> Run:
        """Runs the original model."""
        return self._run("model", self.model)

    def run_exact(self) -> Results:
        with compute_exactly():
            args, kwargs = widen_all((self.args, self.kwargs))
            return _read("model in float64", lambda: self.exact(*args, **kwargs))

    def draw(self, measure: Callable[[Results], T]) -> Drawn[T]:
        """Returns measurements of the model's results with drawn roundings."""
        return Drawn(lambda: self.run_own().results, measure, self.dtype)

    def with_arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Trial:
        """Returns the trial of the model with other arguments."""
        other = copy.copy(self)
        other.args, other.kwargs = args, kwargs
        other.scale = dataclasses.replace(
            self.scale, masks=_find_masks(self.model, args, kwargs)
        )
        return other


    def run_subject(self, subject: Subject) -> Run:
        """Runs the subject on copies of the inputs."""
        return self._run(f"backend: {subject.label}", subject.run)

    def find_changed_weights(self) -> list[str]:
        """Returns the names of weights and buffers that have changed since the start."""
        wanted = {**dict(self.exact.named_parameters()), **dict(self.exact.named_buffers())}
        found = {**dict(self.model.named_parameters()), **dict(self.model.named_buffers())}
        return [
            name
            for name, tensor in wanted.items()
            if name not in found or not _are_equal(found[name].to(tensor.dtype), tensor)
        ]

    def _run(self, whose: str, run: Callable[..., Any]) -> Run:
        args, kwargs = copy_tensors((self.args, self.kwargs))
        results = _read(whose, lambda: run(*args, **kwargs))
        before = list_tensors((self.args, self.kwargs))
        after = list_tensors((args, kwargs))
        pairs = enumerate(zip(before, after, strict=True))
        return Run(results, {number for number, (a, b) in pairs if not _are_equal(a, b)})

    def are_alike(self, first: Sequence[torch.Tensor], second: Sequence[torch.Tensor]) -> bool:
        """Returns whether roundings of one evaluation explain the difference of two."""
        exact = [t.double() if t.is_floating_point() else t for t in first]
        tensors = Tensors(second, exact, first)
        return not judge_tensors(tensors, self.scale).is_wrong

    def check_repeats(self, first: Results, second: Results) -> None:
        """Rejects a model that draws random numbers."""
        if not self.are_alike(list(first.values()), list(second.values())):
            raise Error(
                "model: expected the same results of the same inputs, got others the second "
                "time: random numbers, or something that a call changes"
            )


def _are_equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.shape == b.shape and bool(((a == b) | ((a != a) & (b != b))).all())


def _read(whose: str, run: Callable[[], Any]) -> Results:
    """Returns results as tensors by name; an error names who failed."""
    try:
        results = run()
    except (Error, MismatchError):
        raise
    except Exception as problem:
        lines = str(problem).strip().splitlines() or [""]
        raise Error(f"{whose} failed: {type(problem).__name__}: {lines[0]}") from problem
    named = {name: tensor.detach().clone() for name, tensor in name_tensors(results).items()}
    if not named:
        raise Error(f"{whose}: expected tensors as results, got {type(results).__name__}")
    return named


def match(subject: Subject, found: Results, wanted: Results) -> list[torch.Tensor]:
    """Returns the backend's value of each of the model's results, by name or in order."""
    if set(wanted) <= set(found):
        return [found[name] for name in wanted]
    if len(found) == len(wanted):
        return list(found.values())
    raise Error(
        f"backend: expected {len(wanted)} tensors as the model gives ({', '.join(wanted)}), "
        f"got {len(found)} from {subject.label} ({', '.join(found)})"
    )


def _find_type(model: torch.nn.Module, call: Any) -> torch.dtype:
    """Returns the narrowest type of weights, or of inputs if there are no weights."""
    weights = {tensor.dtype for tensor in model.parameters() if tensor.is_floating_point()}
    inputs = {tensor.dtype for tensor in list_tensors(call) if tensor.is_floating_point()}
    types = weights or inputs or {torch.get_default_dtype()}
    unknown = types - set(BASES)
    if unknown:
        names = ", ".join(sorted(str(kind).removeprefix("torch.") for kind in unknown))
        raise Error(f"model: expected weights of f32, f16 or bf16, got {names}")
    return max(types, key=lambda kind: BASES[kind])


def _find_masks(
    model: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> list[torch.Tensor]:
    """Returns which tokens are real, by masks [batch, token] among the inputs."""
    try:
        given = inspect.signature(model.forward).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        given = dict(kwargs)
    given = {**given, **given.get("kwargs", {})}
    masks = []
    for name, value in given.items():
        if "mask" in name and isinstance(value, torch.Tensor) and value.dim() == 2:
            if not value.is_floating_point():
                masks.append(~value.bool() if "padding_mask" in name else value.bool())
    return masks


@contextlib.contextmanager
def without_caches(model: torch.nn.Module) -> Iterator[None]:
    """Turns off caches, which parts that are compiled alone would fill twice."""
    found: list[Any] = [getattr(inner, "config", None) for inner in model.modules()]
    configs = {id(config): config for config in found if hasattr(config, "use_cache")}
    before = [(config, config.use_cache) for config in configs.values()]
    with contextlib.ExitStack() as restored:
        for config, value in before:
            restored.callback(functools.partial(setattr, config, "use_cache", value))
            config.use_cache = False
        yield
