#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of routers and experts in every form: the reference's against differences, an engine's against these.

usage: expert-gradients.py cpu|sm_80|sm_90a [days]

The forms are those of experts.py. Slots are empty, all of one expert, and of experts that no row chooses. As a control,
the gradient of one form is checked against the differences of another, which has to fail. With `days`, so many of them
have all cases.
"""

import pathlib
import sys
import tempfile

import numpy as np

import experts
import tiers
import tools

ROWS = 7


def write_route(number):
    form, has, _ = experts.ROUTES[number]
    count, slots = experts.EXPERTS, experts.SLOTS
    names = {"c": "correction", "s": "expert_scale"}
    arguments = [f'%l: tensor<1x{ROWS}x{count}xf32> {{block.input = "l"}}']
    arguments += [f'%{name}: tensor<{count}xf32> {{block.param = "{name}"}}' for name in has]
    operands = "".join(f" {names[name]} %{name}" for name in has)
    types = ", ".join([f"tensor<1x{ROWS}x{count}xf32>"] + [f"tensor<{count}xf32>"] * len(has))
    weights = f"tensor<1x{ROWS}x{slots}xf32>"
    return (f"func.func @main({', '.join(arguments)}) -> ({weights} {{block.output = \"y\"}}) {{\n"
            f"  %i, %w = block.route %l{operands} {{form = #block.routing<chosen = {slots}, "
            f"{experts.write_form(form)}>}} : ({types}) -> (tensor<1x{ROWS}x{slots}xi64>, {weights})\n"
            f"  return %w : {weights}\n}}\n")


def write_experts(number, dtype):
    form, has_bias, _, _ = experts.FORMS[number]
    count, width, hidden, slots = experts.EXPERTS, 12, 10, experts.SLOTS
    random = np.random.Generator(np.random.PCG64(number))
    indices = random.choice([e for e in range(count) if e != 2], (1, ROWS, slots))
    indices[0, 0] = 5
    # Their weights are constants, which make these slots empty.
    empty = np.ones((1, ROWS, slots))
    indices[0, ::3, 1], empty[0, ::3, 1] = count + 4, 0
    wide = 2 * hidden if form.get("layout") != "up" else hidden
    shapes = {"x": (1, ROWS, width), "w": (1, ROWS, slots), "u": (count, wide, width), "d": (count, width, hidden)}
    if form.get("transposed"):
        shapes |= {name: (count, shapes[name][2], shapes[name][1]) for name in "ud"}
    if has_bias:
        shapes |= {"ub": (count, wide), "db": (count, width)}
    types = {name: f"tensor<{'x'.join(map(str, shape))}x{'f32' if name == 'w' else dtype}>"
             for name, shape in shapes.items()}
    arguments = ", ".join(f'%{name}: {type} {{block.{"input" if name in "xw" else "param"} = "{name}"}}'
                          for name, type in types.items())
    biases = " up_bias %ub down_bias %db" if has_bias else ""
    given = [types["x"], f"tensor<1x{ROWS}x{slots}xi64>", *list(types.values())[1:]]
    return (f"func.func @main({arguments}) -> ({types['x']} {{block.output = \"y\"}}) {{\n"
            f"  %i = arith.constant dense<{indices.tolist()}> : tensor<1x{ROWS}x{slots}xi64>\n"
            f"  %e = arith.constant dense<{empty.tolist()}> : tensor<1x{ROWS}x{slots}xf32>\n"
            f"  %v = arith.mulf %w, %e : {types['w']}\n"
            f"  %y = block.experts %x of %i by %v up %u down %d{biases} {{form = #block.experts<"
            f"{experts.write_form(form)}>}} : ({', '.join(given)}) -> {types['x']}\n  return %y : {types['x']}\n}}\n")


def check(folder, engine, text, is_exact):
    (folder / "m.mlir").write_text(text, encoding="utf-8")
    step = folder / "s.mlir"
    tools.run("block-opt", folder / "m.mlir", "--block-differentiate=wrt=all loss=sum", "-o", step)
    if is_exact:
        tools.run("block-run", step, "--engine=reference", "--function=main_step", "--seed=3", "--check-gradients")
    where = ["--engine=cpu"] if engine == "cpu" else ["--engine=emulate", f"--chip={engine}"]
    tools.run("block-run", step, *where, "--function=main_step", "--seed=3", "--check-against=reference")


def check_control(folder):
    """A gradient of another limit is found."""
    (folder / "m.mlir").write_text(write_experts(4, "f32"), encoding="utf-8")
    step = folder / "s.mlir"
    tools.run("block-opt", folder / "m.mlir", "--block-differentiate=wrt=all loss=sum", "-o", step)
    head, _, tail = step.read_text("utf-8").partition("block.experts_grad")
    step.write_text(head + "block.experts_grad" + tail.replace("up_offset = 1.0", "up_offset = 1.5"), encoding="utf-8")
    try:
        tools.run("block-run", step, "--engine=reference", "--function=main_step", "--seed=3", "--check-gradients")
    except tools.Failure:
        return
    raise tools.Different("the gradient of another form passed")


def main():
    engine, days = sys.argv[1], int((sys.argv[2:] or ["1"])[0])
    # Differences judge the reference once, beside the CPU.
    is_host = engine == "cpu"
    types = ("f32", "bf16") if is_host else ("f32", "bf16", "f16")
    cases = [(f"route {n}", (check, (engine, write_route(n), is_host))) for n in range(len(experts.ROUTES))]
    cases += [(f"experts {n} {dtype}", (check, (engine, write_experts(n, dtype), is_host and dtype == "f32")))
              for n in range(len(experts.FORMS)) for dtype in types]
    cases = tiers.take_turn(cases, days) + [("control", (check_control, ()))]
    with tempfile.TemporaryDirectory() as folder:
        return tools.report(cases, lambda case: case[0](pathlib.Path(folder), *case[1]) or "equal")


if __name__ == "__main__":
    sys.exit(main())
