# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step as operations of PyTorch's autograd, one per segment of backward.

Forward runs as a whole. Its results belong to a chain of operations, of which each
has the parameters whose gradients its segment gives, and an empty tensor of the one
before. So autograd goes through the segments in order, and hands the gradients of
one on (to hooks, buckets of DistributedDataParallel, optimisers) before it comes to
the next.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any

import torch

from parablock.dtypes import KEYWORDS
from parablock.errors import Error
from parablock.training.backward import Run
from parablock.training.steps import Step

#: Attribute of the empty tensor's gradient: the run that the next segment continues.
_RUN = "_parablock_run"


def run_step(step: Step, given: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Returns results by name, which belong to the graph of autograd."""
    with torch.no_grad():
        made = step.run_forward(given)
    link: torch.Tensor | None = None
    for number in reversed(range(1, len(step.segments))):
        own = [given[name] for name in step.segments[number].released]
        link = _Segment.apply(step, number, link, *own)  # type: ignore[no-untyped-call]
    own = [given[name] for name in step.segments[0].released]
    results = _Results.apply(step, given, made, link, *own)  # type: ignore[no-untyped-call]
    return dict(zip(step.results, results, strict=True))


class _Segment(torch.autograd.Function):
    """A segment that others are before; in forward, the next one's predecessor."""

    @staticmethod
    def forward(
        ctx: Any, step: Step, number: int, link: torch.Tensor | None, *own: torch.Tensor
    ) -> torch.Tensor:
        ctx.number = number
        ctx.set_materialize_grads(False)
        ctx.names = step.segments[number].released
        ctx.dtypes = [tensor.dtype for tensor in own]
        return torch.empty(0)

    @staticmethod
    def backward(ctx: Any, link: torch.Tensor | None) -> tuple[torch.Tensor | None, ...]:
        run: Run | None = getattr(link, _RUN, None)
        if run is None or run.done != ctx.number:
            raise Error("backward of a step came to a part of it out of order")
        return (None, None, *_proceed(ctx, run))


class _Results(torch.autograd.Function):
    """The segment that is first in backward, and the results of forward."""

    @staticmethod
    def forward(
        ctx: Any,
        step: Step,
        given: Mapping[str, torch.Tensor],
        made: Mapping[str, torch.Tensor],
        link: torch.Tensor | None,
        *own: torch.Tensor,
    ) -> tuple[torch.Tensor, ...]:
        results = tuple(made[name] for name in step.results)
        ctx.step = step
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(*(r for r in results if not r.is_floating_point()))
        kept = [given[name] if name in given else made[name] for name in step.kept]
        ctx.save_for_backward(*kept)
        ctx.versions = [
            (name, weakref.ref(tensor), tensor._version)
            for name, tensor in given.items()
            if name in step.kept and not tensor.is_inference()
        ]
        ctx.adjoints = {
            name: (tuple(r.shape), r.dtype, r.device)
            for name, r in zip(step.results, results, strict=True)
        }
        ctx.names = step.segments[0].released
        ctx.dtypes = [tensor.dtype for tensor in own]
        return results

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor | None) -> tuple[torch.Tensor | None, ...]:
        step: Step = ctx.step
        if torch.is_grad_enabled():
            raise Error(
                "create_graph=True: a compiled step has no gradients of its gradients"
            )
        kept = dict(zip(step.kept, _read_saved(ctx), strict=True))
        adjoints = {}
        for name, grad in zip(step.results, grads, strict=True):
            if step.needs_adjoint(name):
                shape, dtype, place = ctx.adjoints[name]
                if grad is None:
                    grad = torch.zeros(shape, dtype=dtype, device=place)
                adjoints[name] = grad
        return (None, None, None, *_proceed(ctx, step.begin_backward(kept, adjoints)))


def _proceed(ctx: Any, run: Run) -> tuple[torch.Tensor | None, ...]:
    """Runs a segment; returns the input of the next one, and gradients."""
    made = run.proceed()
    link = torch.empty(0)
    setattr(link, _RUN, run)
    # One by one, so that none is there twice.
    gradients = [
        _narrow(run, made.pop(name), dtype)
        for name, dtype in zip(ctx.names, ctx.dtypes, strict=True)
    ]
    return (link if ctx.needs_input_grad[-1 - len(ctx.names)] else None, *gradients)


def _narrow(run: Run, made: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Returns a gradient in the dtype of its parameter, as autograd requires."""
    if made.dtype == dtype:
        return made
    return run.allocate(made.shape, KEYWORDS[dtype]).copy_(made)


def _read_saved(ctx: Any) -> tuple[torch.Tensor, ...]:
    """Returns the saved tensors; rejects those that have changed since."""
    try:
        saved: tuple[torch.Tensor, ...] = ctx.saved_tensors
    except RuntimeError as problem:
        for name, reference, version in ctx.versions:
            tensor = reference()
            if tensor is not None and tensor._version != version:
                raise Error(
                    f"'{name}' was changed in place between forward and backward, "
                    "which reads it"
                ) from problem
        raise
    return saved
