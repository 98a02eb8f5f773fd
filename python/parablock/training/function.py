# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step as an operation of PyTorch's autograd."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any

import torch

from parablock.errors import Error
from parablock.training.steps import Step


def run_step(step: Step, given: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Results by name, which belong to the graph of autograd."""
    tensors = [given[name] for name in step.names]
    results = _StepFunction.apply(step, *tensors)  # type: ignore[no-untyped-call]
    return dict(zip(step.results, results, strict=True))


class _StepFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, step: Step, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        given = dict(zip(step.names, tensors, strict=True))
        made = step.run_forward(given)
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
            name: (tuple(made[name].shape), made[name].dtype) for name in step.results
        }
        ctx.dtypes = {name: given[name].dtype for name in step.wanted}
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
                shape, dtype = ctx.adjoints[name]
                adjoints[name] = torch.zeros(shape, dtype=dtype) if grad is None else grad
        made = step.run_backward(kept, adjoints)
        gradients = (
            made[name].to(ctx.dtypes[name]) if name in made else None for name in step.names
        )
        return (None, *gradients)


def _read_saved(ctx: Any) -> tuple[torch.Tensor, ...]:
    """What forward kept, unless something has changed since."""
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
