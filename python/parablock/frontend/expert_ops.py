# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts and routers as single operations of PyTorch, and their rules.

`parablock::experts` stands for experts while a module is exported, `parablock::route` for
a router that is recognised. Both also run, for parts of a graph that PyTorch runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch

from parablock.dtypes import get_keyword
from parablock.frontend.ir import Value, count_elements
from parablock.frontend.lowering import Emitter, Operand
from parablock.frontend.table import Call, aten, normalise_dim, register, wide

EXPERTS = "parablock.experts.default"
ROUTE = "parablock.route.default"

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


def _compute_route(
    logits: torch.Tensor,
    correction: torch.Tensor | None,
    expert_scale: torch.Tensor | None,
    form: str,
    dtype: torch.dtype,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Computes block.route of rows [N, experts]; `form` is its attribute."""
    given = parse_form(form)
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
    logits = logits * float(given.get("logit_scale", 1))
    scores = _SCORES[given["score"]](logits)
    choice = scores if correction is None else scores + correction
    indices = _choose(_hide_groups(choice, given), int(given["chosen"]))
    kind = given.get("weight", "score")
    weights = (scores if kind == "score" else logits).gather(-1, indices)
    if kind != "score":
        weights = _SCORES[kind](weights)
    total, eps = weights.sum(-1, keepdim=True), float(given.get("eps", 0))
    divide_by = given.get("divide_by", "one")
    if divide_by != "one":
        weights = weights / (total + eps if divide_by == "added" else total.clamp(min=eps))
    weights = weights * float(given.get("weight_scale", 1))
    if expert_scale is not None:
        weights = weights * expert_scale[indices]
    return indices, weights.to(dtype)


_SCORES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "softmax": lambda x: torch.softmax(x, -1),
    "sigmoid": torch.sigmoid,
    "root_softplus": lambda x: torch.nn.functional.softplus(x).sqrt(),
    "logit": lambda x: x,
}


def _choose(scores: torch.Tensor, count: int) -> torch.Tensor:
    """Returns the places of the largest scores, of equal ones the first."""
    _, places = torch.sort(scores, dim=-1, descending=True, stable=True)
    return places[..., :count]


def _hide_groups(choice: torch.Tensor, given: dict[str, str]) -> torch.Tensor:
    groups = int(given.get("groups", 1))
    if groups == 1:
        return choice
    parts = choice.reshape(*choice.shape[:-1], groups, -1)
    best = parts.topk(2 if given.get("group_score") == "best_two" else 1, -1).values.sum(-1)
    kept = torch.zeros_like(best).scatter(-1, _choose(best, int(given.get("kept", 1))), 1.0)
    hidden = 0.0 if given.get("hidden") == "zero" else float("-inf")
    return parts.masked_fill(kept.unsqueeze(-1) == 0, hidden).reshape(choice.shape)


route = torch.library.custom_op("parablock::route", _compute_route, mutates_args=())


@route.register_fake
def _(
    logits: torch.Tensor,
    correction: torch.Tensor | None,
    expert_scale: torch.Tensor | None,
    form: str,
    dtype: torch.dtype,
) -> tuple[torch.Tensor, torch.Tensor]:
    shape = (*logits.shape[:-1], int(parse_form(form)["chosen"]))
    return logits.new_empty(shape, dtype=torch.int64), logits.new_empty(shape, dtype=dtype)


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
route.register_autograd(
    lambda ctx, _, grad: _differentiate(ctx, lambda *given: _compute_route(*given)[1], grad),
    setup_context=_keep_arguments,
)


# Rules ----------------------------------------------------------------------


def _as_rows(e: Emitter, x: Operand, dtype: str) -> Value:
    """Returns a tensor as one batch row of rows of its last dimension."""
    value = e.value(x, dtype)
    return e.reshape(value, (1, count_elements(value.shape[:-1]), value.shape[-1]))


def _emit_route(
    e: Emitter,
    logits: Value,
    form: str,
    shape: tuple[int, ...],
    dtype: str,
    **named: Value | None,
) -> tuple[Value, Value]:
    rows = _as_rows(e, logits, logits.dtype)
    size = (1, rows.shape[1], shape[-1])
    results = ((size, "i64"), (size, dtype))
    indices, weights = e.function.emit_several("block.route", [rows], named, form, results)
    return e.reshape(indices, shape), e.reshape(weights, shape)


@register(ROUTE)
def emit_route(e: Emitter, call: Call) -> tuple[Value, Value]:
    logits = call["logits"]
    named = {
        name: None if (given := call.get(name)) is None else e.value(given, "f32")
        for name in ("correction", "expert_scale")
    }
    dtype = "f32" if e.is_exact else get_keyword(call["dtype"])
    form = f"form = {call['form']}"
    return _emit_route(e, e.value(logits, logits.dtype), form, call.shape, dtype, **named)


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


@aten("topk.default")
def find_largest(e: Emitter, call: Call) -> tuple[Value, Value]:
    """The largest numbers of rows and their places, of equal ones the first."""
    x = call["self"]
    if wide(x.dtype) != "f32" or call["k"] == 0:
        raise NotImplementedError(f"{call['k']} largest of {x.dtype}")
    dim = normalise_dim(call.get("dim", -1), x.rank)
    order = [*(d for d in range(x.rank) if d != dim), dim]
    back = [order.index(d) for d in range(x.rank)]
    is_largest = call.get("largest", True)
    rows = e.transpose(x if is_largest else e.negate(x), order)
    form = f"form = #block.routing<chosen = {call['k']}, score = logit>"
    shape = (*rows.shape[:-1], call["k"])
    indices, values = _emit_route(e, rows, form, shape, x.dtype)
    values = values if is_largest else e.negate(values)
    return e.transpose(values, back), e.transpose(indices, back)
