# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Search for the first wrong part: each is compared with float64 on its own inputs."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from parablock.progress import show_steps
from parablock_studies.judging.exact import widen_all
from parablock_studies.judging.measure import Finding, Measures, Tensors, judge_tensors, measure_all
from parablock_studies.judging.parts import find_parts
from parablock_studies.judging.rounding import Drawn
from parablock_studies.judging.subjects import Subject
from parablock_studies.judging.trees import copy_tensors, name_tensors
from parablock_studies.judging.trial import Results, Trial, match
from parablock_studies.judging.watch import Call, MismatchError, record, replay

Key = tuple[str, int]
#: Errors of a run with drawn roundings: of the results and inputs of calls.
Errors = dict[tuple[Key, str], list[Measures]]

#: Name of the model's own code behind the last part.
END = "behind all parts"
#: Reason if parts cannot be compared.
ONLY_RESULTS = "unknown, the backend gives only results: no module of the model ran in it"


@dataclasses.dataclass(frozen=True)
class Row:
    """A call of a part. Without findings, `reason` has the reason."""

    name: str
    number: int
    result: Finding | None = None
    #: Inputs that the model's own code passed to the part.
    inputs: Finding | None = None
    is_finite: bool = True
    reason: str = ""

    @property
    def is_wrong(self) -> bool:
        return any(f is not None and f.is_wrong for f in (self.result, self.inputs))


class UnknownError(Exception):
    """Parts cannot be compared; the message has the reason."""


class Examiner:
    """Comparison of parts by name.

    `own` are the model's results, `found` those of the backend, unless it gives others
    each time.
    """

    def __init__(
        self,
        trial: Trial,
        subject: Subject,
        own: Results,
        found: Sequence[torch.Tensor] | None,
    ) -> None:
        self._trial, self._subject, self._own, self._found = trial, subject, own, found
        #: Parts that add to what they are given.
        self._streams = {part.name for part in find_parts(trial.model) if part.kind == "layer"}

    def examine(self, names: Sequence[str]) -> list[Row]:
        """Returns rows in the order of calls."""
        try:
            return self._watch(names) if self._subject.watched else self._compile(names)
        except MismatchError as problem:
            raise UnknownError(f"unknown: {problem}") from problem

    def _watch(self, names: Sequence[str]) -> list[Row]:
        """Compares the parts of a function that runs the modules itself."""
        watched = self._subject.watched
        assert watched is not None
        known = dict(watched.named_modules())
        try:
            with record(watched, [name for name in names if name in known]) as calls:
                run = self._trial.run_subject(self._subject)
        except Exception as problem:
            raise UnknownError(f"unknown, the backend fails with hooks: {problem}") from problem
        if not calls:
            raise UnknownError(ONLY_RESULTS)
        results = match(self._subject, run.results, self._own)
        # Hooks may keep what is judged from doing what it does without them.
        if self._found is not None and not self._trial.are_alike(self._found, results):
            raise UnknownError("unknown, the backend gives other results with hooks on modules")
        local, own = self._replay(calls, exact=True), self._replay(calls)
        calls.append(Call(END, 0, ((), {}), results))
        drawn = self._draw(calls, local, own)
        rows = []
        for call in calls:
            if call.key not in local or call.key not in own:
                rows.append(Row(call.name, call.number, reason="the model does not call it"))
                continue
            judge = functools.partial(self._judge, call, local[call.key], own[call.key], drawn)
            is_finite = _is_finite(call.results, local[call.key].results)
            rows.append(
                Row(call.name, call.number, judge("results"), judge("inputs"), is_finite)
            )
        return rows

    def _compile(self, names: Sequence[str]) -> list[Row]:
        """Compares parts that are compiled alone, on the original model's inputs of each."""
        with record(self._trial.model, names) as calls:
            self._trial.run_own()
        local = self._replay(calls, exact=True)
        drawn = self._draw(calls, local, {call.key: call for call in calls})
        made: dict[str, Callable[..., Any]] = {}
        rows: list[Row] = []
        with show_steps("compiling parts", len(calls)) as step:
            for call in calls:
                step(call.name)
                rows.append(self._judge_compiled(call, local[call.key], drawn, made))
        return rows

    def _judge_compiled(
        self,
        call: Call,
        local: Call,
        drawn: Drawn[Errors],
        made: dict[str, Callable[..., Any]],
    ) -> Row:
        """Compares one call; `made` has the parts that are compiled already."""
        compile_part = self._subject.compile
        assert compile_part is not None
        args, kwargs = copy_tensors(call.arguments)
        try:
            if call.name not in made:
                module = self._trial.model.get_submodule(call.name)
                made[call.name] = compile_part(module, args, kwargs)
            results = list(name_tensors(made[call.name](*args, **kwargs)).values())
        except Exception as problem:
            first = (str(problem).strip().splitlines() or [type(problem).__name__])[0]
            return Row(call.name, call.number, reason=f"does not compile: {first}")
        found = dataclasses.replace(call, results=results)
        finding = self._judge(found, local, call, drawn, "results")
        return Row(call.name, call.number, finding, None, _is_finite(results, local.results))

    def _judge(
        self,
        call: Call,
        local: Call,
        own: Call,
        drawn: Drawn[Errors],
        what: str,
    ) -> Finding:
        tensors = self._pick(call, local, own, what)
        errors = (errors[call.key, what] for errors in drawn if (call.key, what) in errors)
        return judge_tensors(tensors, self._trial.scale, errors)

    def _pick(self, call: Call, local: Call, own: Call, what: str) -> Tensors:
        """Returns results or inputs of a call, and for layers the start of the update."""
        start = None
        if what == "results" and call.name in self._streams:
            start = next(iter(widen_all(call.inputs)), None)
        return Tensors(getattr(call, what), getattr(local, what), getattr(own, what), start)

    def _draw(
        self, calls: Sequence[Call], local: Mapping[Key, Call], own: Mapping[Key, Call]
    ) -> Drawn[Errors]:
        """Returns errors of parts with drawn roundings, on the inputs of each."""
        judged = [call for call in calls if call.name != END]

        def measure(again: dict[Key, Call]) -> Errors:
            return {
                (call.key, what): measure_all(
                    self._pick(call, local[call.key], own[call.key], what),
                    getattr(again[call.key], what),
                    self._trial.scale,
                )
                for call in calls
                if call.key in local and call.key in own and call.key in again
                for what in ("results", "inputs")
            }

        return Drawn(lambda: self._replay(judged), measure, self._trial.dtype)

    def _replay(self, calls: Sequence[Call], *, exact: bool = False) -> dict[Key, Call]:
        """Runs the model with the recorded inputs of each part."""
        model = self._trial.exact if exact else self._trial.model
        with replay(model, calls) as made:
            results = self._trial.run_exact() if exact else self._trial.run_own().results
        end = Call(END, 0, ((), {}), list(results.values()))
        return {call.key: call for call in (*made, end)}


def _is_finite(found: Sequence[torch.Tensor], exact: Sequence[torch.Tensor]) -> bool:
    """Returns whether numbers are finite wherever float64's are."""

    def check(a: torch.Tensor, b: torch.Tensor) -> bool:
        if a.shape != b.shape or not a.is_floating_point():
            return True
        return not bool(((a.isnan() | (a == torch.inf)) & b.isfinite()).any())

    return all(check(a, b) for a, b in zip(found, exact, strict=False))
