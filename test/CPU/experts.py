#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Routers and experts, held against formulas of their own in NumPy.

usage: experts.py reference|cpu|loops|sm_80|sm_90a [days]

Every form of routing and of experts, in f32 and, on the CPU and the emulator of a chip, in 16 bits. `loops` are those
of block-expand-experts, by the reference engine. With `days`, so many of them have all cases. Logits are drawn without
ties, and some with them: the first of equal ones is chosen. Slots are empty, all of one expert, and of experts that no
row chooses; with all rows on one expert, it has several tiles.
As a control, each case is compared with the formula of another form, which has to differ.
"""

import pathlib
import sys
import tempfile

import numpy as np

import safetensors_io
import tiers
import tools

EXPERTS, WIDTH, HIDDEN, SLOTS = 8, 48, 40, 3
# Attributes of #block.routing, whether there is a correction and scales of experts, and a change that must differ.
ROUTES = [
    ({"score": "softmax"}, "", {"divide_by": "added"}),
    ({"score": "softmax", "divide_by": "added"}, "", {"divide_by": "one"}),
    ({"score": "softmax", "divide_by": "floored", "eps": 0.9}, "", {"eps": 0.0}),
    ({"score": "sigmoid", "divide_by": "added", "eps": 0.25}, "c", {"eps": 0.0}),
    ({"score": "sigmoid", "groups": 4, "kept": 2, "group_score": "best_two"}, "c", {"group_score": "best"}),
    ({"score": "sigmoid", "groups": 4, "kept": 2, "group_score": "best_two"}, "c", {"kept": 3}),
    ({"score": "softmax", "groups": 2, "kept": 1, "weight_scale": 2.5}, "", {"groups": 1}),
    ({"score": "logit", "groups": 4, "kept": 2, "hidden": "zero"}, "", {"hidden": "never"}),
    ({"score": "root_softplus", "logit_scale": 0.5}, "s", {"logit_scale": 1.0}),
    ({"score": "logit", "weight": "softmax"}, "", {"weight": "score"}),
    ({"score": "logit", "weight": "sigmoid"}, "cs", {"weight": "softmax"}),
    ({"score": "softmax", "weight": "softmax", "weight_scale": 1.5}, "s", {"weight": "score"}),
]
# Attributes of #block.experts, whether there are biases, rows, and a change that must differ.
FORMS = [
    ({"activation": "silu"}, False, 17, {"activation": "gelu_tanh"}),
    ({"activation": "gelu_tanh", "weigh": "input"}, True, 5, {"weigh": "output"}),
    ({"activation": "relu_squared", "layout": "up"}, True, 33, {"activation": "relu"}),
    ({"activation": "silu", "layout": "interleaved"}, False, 1, {"layout": "gate_up"}),
    ({"activation": "quick_gelu", "layout": "interleaved", "transposed": True, "limit": 1.5, "up_offset": 1.0}, True, 40,
     {"limit": 100.0}),
    ({"activation": "silu", "layout": "up", "transposed": True, "limit": 0.5}, False, 3, {"limit": 100.0}),
    ({"activation": "silu", "up_offset": 1.0}, False, 130, {"up_offset": 0.0}),
]
CHIPS = ("sm_80", "sm_90a")
LIMITS = {"reference": 1e-12, "f32": 1e-5, "bf16": 1e-2, "f16": 2e-3}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    y = np.exp(x - x.max())
    return y / y.sum()


def best(values, count):
    """Places of the largest values; of equal ones the first."""
    return np.argsort(-values, kind="stable")[:count]


def route_row(logits, form, correction, scales):
    logits = logits * form.get("logit_scale", 1.0)
    scores = {
        "softmax": softmax,
        "sigmoid": sigmoid,
        "root_softplus": lambda x: np.sqrt(np.log1p(np.exp(x))),
        "logit": lambda x: x,
    }[form["score"]](logits)
    choice = scores if correction is None else scores + correction
    groups = form.get("groups", 1)
    if groups > 1:
        parts = choice.reshape(groups, -1)
        count = 2 if form.get("group_score") == "best_two" else 1
        kept = best(np.sort(parts, axis=1)[:, -count:].sum(axis=1), form.get("kept", 1))
        hidden = 0.0 if form.get("hidden") == "zero" else -np.inf
        shown = np.isin(np.arange(len(choice)) // parts.shape[1], kept)
        choice = np.where(shown, choice, hidden)
    chosen = best(choice, SLOTS)
    weights = {"score": scores[chosen], "softmax": softmax(logits[chosen]), "sigmoid": sigmoid(logits[chosen])}[
        form.get("weight", "score")
    ]
    if form.get("divide_by") == "added":
        weights = weights / (weights.sum() + form.get("eps", 0.0))
    if form.get("divide_by") == "floored":
        weights = weights / max(weights.sum(), form.get("eps", 0.0))
    weights = weights * form.get("weight_scale", 1.0)
    return chosen, weights if scales is None else weights * scales[chosen]


def route(logits, form, tensors):
    rows = [route_row(row, form, tensors.get("c"), tensors.get("s")) for row in logits[0].astype(np.float64)]
    return np.array([row[0] for row in rows])[None], np.array([row[1] for row in rows])[None]


ACTIVATIONS = {
    "silu": lambda x: x * sigmoid(x),
    "quick_gelu": lambda x: x * sigmoid(1.702 * x),
    "gelu_tanh": lambda x: x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2,
    "relu": lambda x: np.maximum(x, 0),
    "relu_squared": lambda x: np.maximum(x, 0) ** 2,
}


def run_expert(x, expert, form, t):
    up, down = t["u"][expert], t["d"][expert]
    if not form.get("transposed"):
        up, down = up.T, down.T
    hidden = x @ up + (t["ub"][expert] if "ub" in t else 0)
    limit = form.get("limit", np.inf)
    act = ACTIVATIONS[form["activation"]]
    layout = form.get("layout", "gate_up")
    if layout == "up":
        hidden = act(np.clip(hidden, -limit, limit))
    else:
        half = len(hidden) // 2
        gate, value = (hidden[::2], hidden[1::2]) if layout == "interleaved" else (hidden[:half], hidden[half:])
        hidden = act(np.minimum(gate, limit)) * (np.clip(value, -limit, limit) + form.get("up_offset", 0.0))
    return hidden @ down + (t["db"][expert] if "db" in t else 0)


def run_experts(form, t):
    t = {name: array.astype(np.float64) if name != "i" else array for name, array in t.items()}
    rows = t["x"].shape[1]
    result = np.zeros((1, rows, WIDTH))
    for row in range(rows):
        for index, weight in zip(t["i"][0, row], t["w"][0, row]):
            if index >= EXPERTS:
                continue
            x = t["x"][0, row]
            if form.get("weigh") == "input":
                result[0, row] += run_expert(weight * x, index, form, t)
            else:
                result[0, row] += weight * run_expert(x, index, form, t)
    return result


def write_form(form):
    numbers = {name: f"{value:e}" if isinstance(value, float) else str(value).lower() for name, value in form.items()}
    return ", ".join(f"{name} = {value}" for name, value in numbers.items())


def declare(tensors, dtype):
    types = {"i": "i64", "w": "f32"}
    return {
        name: f'tensor<{"x".join(map(str, array.shape))}x{types.get(name, dtype)}>' for name, array in tensors.items()
    }


def execute(folder, engine, body, tensors, dtype, results):
    types = declare(tensors, dtype)
    arguments = ", ".join(f'%{name}: {type} {{block.input = "{name}"}}' for name, type in types.items())
    outputs = ", ".join(f'{type} {{block.output = "{name}"}}' for name, type in results.items())
    path = folder / "m.mlir"
    path.write_text(
        f"func.func @main({arguments}) -> ({outputs}) {{\n{body(types)}\n}}\n", encoding="utf-8"
    )
    safetensors_io.write(folder / "x.safetensors", tensors)
    flags = [f"--engine={engine}"]
    if engine == "reference":
        flags.append("--exact-arithmetic")
    if engine in CHIPS:
        flags = ["--engine=emulate", f"--chip={engine}"]
    if engine == "loops":
        flags = ["--engine=reference"]
        tools.run("block-opt", path, "--block-expand-experts", "-o", folder / "loops.mlir")
        path = folder / "loops.mlir"
        if "block.route" in path.read_text("utf-8") or "block.experts" in path.read_text("utf-8"):
            raise tools.Failure("the op is still there")
    tools.run("block-run", path, *flags, f"--inputs={folder / 'x.safetensors'}",
              f"--outputs={folder / 'y.safetensors'}")
    return safetensors_io.read(folder / "y.safetensors")


def require_close(found, expected, limit, what):
    error = np.linalg.norm(found - expected) / np.linalg.norm(expected)
    if not error <= limit:
        raise tools.Different(f"{what}: error {error:.2e}, limit {limit:.0e}")


def require_other(found, expected, limit):
    """The control: another form gives other numbers."""
    if np.linalg.norm(found - expected) <= 10 * limit * np.linalg.norm(expected):
        raise tools.Failure("the formula of another form gives the same numbers")


def check_route(folder, case):
    engine, number, ties = case
    form, has, change = ROUTES[number]
    random = np.random.Generator(np.random.PCG64(number))
    logits = random.standard_normal((1, 19, EXPERTS)).astype(np.float32) * 2
    if ties:
        # Few different values, which all types hold.
        logits = np.round(logits).astype(np.float32)
    tensors = {"l": logits}
    if "c" in has:
        tensors["c"] = (random.standard_normal(EXPERTS) * 0.3).astype(np.float32)
    if "s" in has:
        tensors["s"] = random.uniform(0.5, 1.5, EXPERTS).astype(np.float32)
    names = {"c": "correction", "s": "expert_scale"}
    results = {"i": f"tensor<1x19x{SLOTS}xi64>", "w": f"tensor<1x19x{SLOTS}xf32>"}

    def body(types):
        operands = "".join(f" {names[name]} %{name}" for name in tensors if name in names)
        return (f"  %i, %w = block.route %l{operands} {{form = #block.routing<chosen = {SLOTS}, {write_form(form)}>}} : "
                f"({', '.join(types.values())}) -> ({', '.join(results.values())})\n"
                f"  return %i, %w : {', '.join(results.values())}")

    found = execute(folder, engine, body, tensors, "f32", results)
    indices, weights = route(logits, form, tensors)
    # Sums of f32 decide between scores of equal logits by other roundings than these, but for logits themselves.
    if not ties or form["score"] != "softmax":
        if not np.array_equal(found["i"], indices):
            raise tools.Different(f"indices {found['i'][found['i'] != indices]}, expected {indices[found['i'] != indices]}")
    limit = LIMITS["reference" if engine == "reference" else "f32"]
    # The reference rounds what it writes to f32.
    require_close(found["w"], weights, max(limit, 1e-7), "weights")
    if not ties:
        other = route(logits, {**form, **change}, tensors)
        require_other(np.concatenate([found["w"], found["i"]]), np.concatenate([other[1], other[0]]), limit)


def check_experts(folder, case):
    engine, number, dtype, is_one = case
    form, has_bias, rows, change = FORMS[number]
    random = np.random.Generator(np.random.PCG64(100 + number))
    gated = form.get("layout") != "up"
    wide = 2 * HIDDEN if gated else HIDDEN
    shapes = {"u": (EXPERTS, wide, WIDTH), "d": (EXPERTS, WIDTH, HIDDEN)}
    if form.get("transposed"):
        shapes = {name: (shape[0], shape[2], shape[1]) for name, shape in shapes.items()}

    def draw(shape, size):
        # Of few bits, so that every type holds them.
        return (np.round(random.standard_normal(shape) * 16) / 16 * size).astype(np.float32)

    x = draw((1, rows, WIDTH), 1)
    # No row chooses expert 2; the first row has one expert in all slots, and every third one an empty slot.
    indices = random.choice([e for e in range(EXPERTS) if e != 2], (1, rows, SLOTS))
    weights = np.abs(draw((1, rows, SLOTS), 0.5)) + np.float32(0.0625)
    if is_one:
        indices[:] = 6
    indices[0, 0] = 5
    indices[0, ::3, 1], weights[0, ::3, 1] = EXPERTS + 4, 0
    tensors = {"x": x, "i": indices, "w": weights, "u": draw(shapes["u"], 0.125), "d": draw(shapes["d"], 0.125)}
    if has_bias:
        tensors |= {"ub": draw((EXPERTS, wide), 0.5), "db": draw((EXPERTS, WIDTH), 0.5)}
    result = f"tensor<1x{rows}x{WIDTH}x{dtype}>"

    def body(types):
        biases = " up_bias %ub down_bias %db" if has_bias else ""
        return (f"  %y = block.experts %x of %i by %w up %u down %d{biases} {{form = #block.experts<{write_form(form)}>}} : "
                f"({', '.join(types.values())}) -> {result}\n  return %y : {result}")

    found = execute(folder, engine, body, tensors, dtype, {"y": result})["y"]
    limit = LIMITS["reference" if engine == "reference" else dtype]
    # The reference rounds what it writes to f32.
    require_close(found, run_experts(form, tensors), max(limit, 1e-7), "rows")
    require_other(found, run_experts({**form, **change}, tensors), limit)


def main():
    engine, days = sys.argv[1], int((sys.argv[2:] or ["1"])[0])
    cases = [(f"route {n}{' with ties' if ties else ''}", (check_route, (engine, n, ties)))
             for n in range(len(ROUTES)) for ties in (False, True)]
    types = ["f32"] if engine == "reference" else ["f32", "bf16", "f16"]
    cases += [(f"experts {n} {dtype}{' of one' if is_one else ''}", (check_experts, (engine, n, dtype, is_one)))
              for n in range(len(FORMS)) for dtype in types for is_one in ([False, True] if n == len(FORMS) - 1 else [False])]
    cases = tiers.take_turn(cases, days)
    with tempfile.TemporaryDirectory() as folder:
        return tools.report(cases, lambda case: case[0](pathlib.Path(folder), case[1]) or "equal")


if __name__ == "__main__":
    sys.exit(main())
