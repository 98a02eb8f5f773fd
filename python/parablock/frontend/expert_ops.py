# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts as a single operation of PyTorch, and their rule.

`parablock::experts` stands for experts while a module is exported. It also runs, for parts
of a graph that PyTorch runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch

from parablock.frontend.ir import Value, count_elements
from parablock.frontend.lowering import Emitter, Operand
from parablock.frontend.table import Call, register

EXPERTS = "parablock.experts.default"

#: Activations of experts as PyTorch has them.
ACTIVATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "identity": lambda x: x,
    "relu": torch.relu,
    "relu_squared": lambda x: torch.relu(x) ** 2,
    "gelu_erf": torch.nn.functional.gelu,
    "gelu_tanh": lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
    "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x),
    "silu": torch.nn.functional.silu,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
}


def parse_form(form: str) -> dict[str, str]:
    """Returns the parameters of an attribute.

    >>> parse_form("#block.experts<activation = silu, layout = up>")
    {'activation': 'silu', 'layout': 'up'}
    """
    return dict(re.findall(r"(\w+) = ([^,>]+)", form))


def _compute_experts(
    hidden: torch.Tensor,
    indices: torch.Tensor,
    weights: torch.Tensor,
    up: torch.Tensor,
    down: torch.Tensor,
    up_bias: torch.Tensor | None,
    down_bias: torch.Tensor | None,
    form: str,
) -> torch.Tensor:
    """Computes block.experts of rows [N, width]; `form` is its attribute."""
    given = parse_form(form)
    if given.get("transposed") != "true":
        up, down = up.mT, down.mT
    act = ACTIVATIONS[given["activation"]]
    limit = float(given.get("limit", "inf"))
    offset = float(given.get("up_offset", 0))
    layout, of_input = given.get("layout", "gate_up"), given.get("weigh") == "input"
    total = hidden.new_zeros(hidden.shape[0], down.shape[2], dtype=torch.float32)
    if hidden.dtype == torch.float64:
        total = total.double()
    for expert in range(up.shape[0]):
        rows, slots = (indices == expert).nonzero(as_tuple=True)
        if not rows.numel():
            continue
        shares = weights[rows, slots, None]
        columns = (hidden[rows] * shares.to(hidden.dtype) if of_input else hidden[rows]) @ up[expert]
        if up_bias is not None:
            columns = columns + up_bias[expert]
        if layout == "up":
            inner = act(columns.clamp(-limit, limit))
        else:
            halves = (columns[:, ::2], columns[:, 1::2])
            gate, value = columns.chunk(2, -1) if layout == "gate_up" else halves
            inner = act(gate.clamp(max=limit)) * (value.clamp(-limit, limit) + offset)
        result = inner @ down[expert]
        if down_bias is not None:
            result = result + down_bias[expert]
        total.index_add_(0, rows, (result if of_input else result * shares).to(total.dtype))
    return total.to(hidden.dtype)


experts = torch.library.custom_op("parablock::experts", _compute_experts, mutates_args=())


@experts.register_fake
def _(
    hidden: torch.Tensor,
    indices: torch.Tensor,
    weights: torch.Tensor,
    up: torch.Tensor,
    down: torch.Tensor,
    up_bias: torch.Tensor | None,
    down_bias: torch.Tensor | None,
    form: str,
) -> torch.Tensor:
    width = down.shape[2 if "transposed = true" in form else 1]
    return hidden.new_empty(hidden.shape[0], width)


# Gradients ------------------------------------------------------------------


def _keep_arguments(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    ctx.save_for_backward(*(i if isinstance(i, torch.Tensor) else None for i in inputs))
    ctx.others = [None if isinstance(i, torch.Tensor) else i for i in inputs]


def _differentiate(ctx: Any, compute: Callable[..., torch.Tensor], grad: torch.Tensor) -> Any:
    """Returns the gradients of what is computed again; PyTorch differentiates its steps."""
    wanted = [number for number, needed in enumerate(ctx.needs_input_grad) if needed]
    both = zip(ctx.saved_tensors, ctx.others, strict=True)
    given = [other if tensor is None else tensor.detach() for tensor, other in both]
    for number in wanted:
        given[number].requires_grad_()
    with torch.enable_grad():
        result = compute(*given)
    found = torch.autograd.grad(result, [given[n] for n in wanted], grad, allow_unused=True)
    grads: list[Any] = [None] * len(given)
    for number, each in zip(wanted, found, strict=True):
        grads[number] = each
    return tuple(grads)


experts.register_autograd(
    lambda ctx, grad: _differentiate(ctx, _compute_experts, grad), setup_context=_keep_arguments
)


# Rules ----------------------------------------------------------------------


def _as_rows(e: Emitter, x: Operand, dtype: str) -> Value:
    """Returns a tensor as one batch row of rows of its last dimension."""
    value = e.value(x, dtype)
    return e.reshape(value, (1, count_elements(value.shape[:-1]), value.shape[-1]))


@register(EXPERTS)
def emit_experts(e: Emitter, call: Call) -> Value:
    hidden, weights = call["hidden"], call["weights"]
    dtype = "f32" if e.is_exact else call.dtype
    rows = _as_rows(e, hidden, dtype)
    shares = weights.dtype if isinstance(weights, Value) else "f32"
    biases = {name: call.get(name) for name in ("up_bias", "down_bias")}
    result = e.function.emit_named(
        "block.experts",
        [rows],
        {
            "of": _as_rows(e, call["indices"], "i64"),
            "by": _as_rows(e, weights, shares),
            "up": call["up"],
            "down": call["down"],
            **biases,
        },
        f"form = {call['form']}",
        (1, rows.shape[1], call.shape[-1]),
        dtype,
    )
    return e.reshape(result, call.shape)
