# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The formula of a family's parallel form, made from its serial one.

A serial formula updates the stream twice a layer, `x = x + attention` and then
`x = x + mlp`. In the block form both read the x of before the layer; in the
shifted form the MLP's update is added together with the next attention's. In
the ladder the attention reads the x of before the last MLP, and the MLP that of
before the attention. In the shortcut, what routed experts add is added together
with the next attention, and what shared ones or a dense MLP add is not.

A formula of post-norms also has `x = norm(x)` behind each update. All of them
stay: the MLP of the block form reads the x of before the layer, and an attention
of the shifted form that of before the MLP of the layer below.
"""

import ast
import importlib
import inspect

import numpy as np

PAIRINGS = ("block", "shifted", "ladder")


def parse(text):
    return ast.parse(text).body


def is_update(statement):
    """x = x + ..., or x = factor * x + ..."""
    match statement:
        case ast.Assign(targets=[ast.Name("x")], value=ast.BinOp(skip, ast.Add(), _)):
            return "x" in (getattr(skip, "id", None), getattr(getattr(skip, "right", None), "id", None))
    return False


def is_post_norm(statement):
    """x = w.norm(function, x, ...)"""
    match statement:
        case ast.Assign(
            targets=[ast.Name("x")],
            value=ast.Call(ast.Attribute(_, "norm"), [_, ast.Name("x"), *_]),
        ):
            return True
    return False


def rewrite_block(loop):
    attention, mlp = (node for node in loop.body if is_update(node))
    attention.targets = [ast.Name("later", ast.Store())]
    mlp.value.left = ast.Name("later", ast.Load())


def rewrite_shifted(loop):
    attention, mlp = (node for node in loop.body if is_update(node))
    attention.value = ast.BinOp(attention.value, ast.Add(), ast.Name("pending", ast.Load()))
    mlp.targets = [ast.Name("pending", ast.Store())]
    mlp.value = mlp.value.right


class ReadsOlder(ast.NodeTransformer):
    """Every read of x becomes one of the older x."""

    def visit_Name(self, node):
        is_read = node.id == "x" and isinstance(node.ctx, ast.Load)
        return ast.Name("older", ast.Load()) if is_read else node


def rewrite_ladder(loop):
    attention, _ = (node for node in loop.body if is_update(node))
    for node in loop.body[: loop.body.index(attention)]:
        ReadsOlder().visit(node)
    attention.value.right = ReadsOlder().visit(attention.value.right)
    rewrite_block(loop)
    loop.body += parse("older = later")


def rewrite_post_norms(loop, pairing):
    attention, mlp = (node for node in loop.body if is_update(node))
    second = mlp if pairing == "block" else attention
    place = loop.body.index(second)
    start = loop.body.index(attention) + 2 if pairing == "block" else 0
    for node in loop.body[start:place]:
        ReadsOlder().visit(node)
    second.value.right = ReadsOlder().visit(second.value.right)
    keep = 0 if pairing == "block" else loop.body.index(mlp)
    loop.body[keep:keep] = parse("older = x")


def rewrite_shortcut(loop):
    _, mlp = (node for node in loop.body if is_update(node))
    rewrite_shifted(loop)
    mlp.targets = parse("pending, shared = 0.0, 0.0")[0].targets
    loop.body += parse("x = x + shared")


def split_mixture(names):
    """Lets `mixture` return what routed experts add, and what shared ones add."""
    tree = ast.parse(inspect.getsource(names["mixture"]))
    total = tree.body[0].body[-1].value
    tree.body[0].body[-1].value = ast.Tuple([total.left, total.right], ast.Load())
    exec(compile(ast.fix_missing_locations(tree), "mixture", "exec"), names)


def split_mlps(names):
    """Lets what a family calls in place of its MLP return both parts."""
    if "mixture" in names:
        split_mixture(names)

    def split(name, divide):
        if run := names.get(name):
            names[name] = lambda *args, **flags: np.stack(divide(run(*args, **flags)))

    split("mixture", lambda parts: parts)
    split("llama_mlp", lambda dense: (np.zeros_like(dense), dense))
    for name in ("softmax_mixture", "logit_mixture"):
        split(name, lambda routed: (routed, np.zeros_like(routed)))


def forward(family, pairing, layers):
    """The forward function of the family with every pair of this kind parallel; pairing may be None."""
    module = importlib.import_module("families." + family.replace("-", "_"))
    tree = ast.parse(inspect.getsource(module.forward))
    body = tree.body[0].body
    (loop,) = (node for node in body if isinstance(node, ast.For))
    if pairing and any(map(is_post_norm, loop.body)):
        rewrite_post_norms(loop, pairing)
        body[body.index(loop) : body.index(loop)] = parse("older = x")
    elif pairing == "block":
        rewrite_block(loop)
    elif pairing == "ladder":
        rewrite_ladder(loop)
        body[body.index(loop) : body.index(loop)] = parse("older = x")
    elif pairing:
        (rewrite_shortcut if pairing == "shortcut" else rewrite_shifted)(loop)
        place = body.index(loop)
        body[place : place + 1] = [*parse("pending = 0.0"), loop, *parse("x = x + pending")]
    names = dict(vars(module), LAYERS=layers)
    if pairing == "shortcut":
        split_mlps(names)
    exec(compile(ast.fix_missing_locations(tree), family, "exec"), names)
    return names["forward"]
