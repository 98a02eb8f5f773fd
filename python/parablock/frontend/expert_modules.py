# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts of transformers as one operation while a module is exported.

transformers chooses by an entry of a config how experts are computed: by a loop, by sorted
rows, by gathered matrices. All are one function, which hooks of the module describe: these
are read here, not the class.
"""

from __future__ import annotations

import contextlib
import functools
import math
import operator
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx

from parablock.errors import Error
from parablock.frontend.expert_ops import ACTIVATIONS

#: The entry of configs, and what it is while exporting.
_ENTRY = "_experts_implementation_internal"
_OWN = "parablock"
#: Hooks that use_experts_implementation gives to a module of experts.
_HOOKS = ("has_gate", "has_bias", "is_transposed", "config")

#: An expression: a word and its operands, or numbers.
Tree = tuple[Any, ...]

_WAY_OUT = (
    'torch.compile(backend="parablock") leaves experts that are not recognised to PyTorch'
)


@contextlib.contextmanager
def with_whole_experts(module: torch.nn.Module) -> Iterator[None]:
    """Makes experts of transformers single operations; restores their configs."""
    library = sys.modules.get("transformers.integrations.moe")
    found = {
        id(inner): (name, inner) for name, inner in module.named_modules() if is_experts(inner)
    }
    if library is None or not found:
        yield
        return
    forms = {key: read_form(name, inner) for key, (name, inner) in found.items()}

    def compute(
        self: Any, hidden: torch.Tensor, indices: torch.Tensor, weights: torch.Tensor
    ) -> torch.Tensor:
        return call_experts(self, forms[id(self)], hidden, indices, weights)

    configs = {id(inner.config): inner.config for _, inner in found.values()}
    before = [(config, getattr(config, _ENTRY)) for config in configs.values()]
    functions: Any = library
    functions.ALL_EXPERTS_FUNCTIONS[_OWN] = compute
    for config, _ in before:
        setattr(config, _ENTRY, _OWN)
    try:
        yield
    finally:
        for config, value in before:
            setattr(config, _ENTRY, value)
        del functions.ALL_EXPERTS_FUNCTIONS[_OWN]


def is_experts(module: torch.nn.Module) -> bool:
    """Returns whether a module has the hooks of transformers' experts."""
    has_all = all(hasattr(module, hook) for hook in _HOOKS)
    return has_all and hasattr(module.config, _ENTRY)


def call_experts(
    module: Any, form: str, hidden: torch.Tensor, indices: torch.Tensor, weights: torch.Tensor
) -> torch.Tensor:
    """Returns the result of experts of a known form, as one operation."""
    up = module.gate_up_proj if module.has_gate else module.up_proj
    biases = [None, None]
    if module.has_bias:
        own = module.gate_up_proj_bias if module.has_gate else module.up_proj_bias
        biases = [own, module.down_proj_bias]
    result: torch.Tensor = torch.ops.parablock.experts(
        hidden, indices, weights, up, module.down_proj, *biases, form
    )
    return result


def read_form(name: str, module: Any) -> str:
    """Returns the attribute of block.experts that a module's hooks describe."""
    kind = f"'{name or 'module'}': experts"
    if getattr(module, "has_post_expert_norm", False):
        raise Error(
            f"{kind} with a norm behind each (has_post_expert_norm) have no block: {_WAY_OUT}"
        )
    up = getattr(module, "gate_up_proj" if module.has_gate else "up_proj", None)
    stacks: list[Any] = [up, getattr(module, "down_proj", None)]
    for weight in stacks:
        if type(weight) not in (torch.nn.Parameter, torch.Tensor) or weight.dim() != 3:
            raise Error(
                f"{kind} require stacked matrices gate_up_proj or up_proj, and down_proj, of "
                f"three dimensions, got {type(weight).__name__}: {_WAY_OUT}"
            )
    assert up is not None
    columns = up.shape[2 if module.is_transposed else 1]
    hook = "_apply_gate" if module.has_gate else "act_fn"
    apply = getattr(module, hook)
    try:
        tree = trace_tree(apply, up.new_zeros(2, columns, device="cpu"))
        found = _read_gate(tree) if module.has_gate else _read_plain(tree)
    except Exception as problem:
        raise Error(f"{kind} whose '{hook}' cannot be traced: {problem}: {_WAY_OUT}") from problem
    if found is None:
        raise Error(
            f"{kind} require an '{hook}' that is a known activation of gate times up, each with "
            f"a limit or none, got {_spell(tree)}: {_WAY_OUT}"
        )
    is_split = found.get("layout") == "gate_up"
    if module.has_gate and is_split != getattr(module, "is_concatenated", is_split):
        raise Error(
            f"{kind} require an '{hook}' that reads columns as is_concatenated = "
            f"{module.is_concatenated} describes them, got {_spell(tree)}: {_WAY_OUT}"
        )
    return _spell_form(found, module.is_transposed)


def describe_form(tree: Tree, has_gate: bool, transposed: bool) -> str | None:
    """Returns the attribute of block.experts whose hidden values are an expression."""
    found = _read_gate(tree) if has_gate else _read_plain(tree)
    return None if found is None else _spell_form(found, transposed)


def _spell_form(found: Mapping[str, str], transposed: bool) -> str:
    given = {**found, "transposed": "true"} if transposed else found
    parameters = ", ".join(f"{key} = {value}" for key, value in given.items())
    return f"#block.experts<{parameters}>"


# Gates --------------------------------------------------------------------------

INPUT: Tree = ("x",)
_COMMUTATIVE = ("mul", "add")
#: Operations that change no number, but for its type.
_KEPT = ("_to_copy", "to", "alias", "clone", "detach", "contiguous")


def trace_tree(function: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> Tree:
    """Returns what a function of one tensor computes, as an expression."""

    def compute(x: torch.Tensor) -> torch.Tensor:
        return function(x)

    graph = make_fx(compute)(x).graph
    trees: dict[Any, Tree] = {}
    for node in graph.nodes:
        if node.op == "placeholder":
            trees[node] = INPUT
        elif node.op == "output":
            result = node.args[0]
            if not isinstance(result, torch.fx.Node):
                raise ValueError(f"expected a tensor as its result, got {type(result).__name__}")
            return trees[result]
        else:
            trees[node] = make_tree(node, trees, x.shape[-1])
    raise ValueError("no result")


def make_tree(node: torch.fx.Node, trees: Mapping[Any, Any], columns: int) -> Tree:
    """Returns the expression of an operation; unknown ones are called by their name."""
    args: list[Any] = [trees.get(a, a) if isinstance(a, torch.fx.Node) else a for a in node.args]
    kwargs = {k: v for k, v in node.kwargs.items() if k not in ("dtype", "device", "layout")}
    if node.target is operator.getitem:
        parts, place = args
        return (*parts, place)
    name = str(node.target).split(".")[1]
    if name in _KEPT:
        return tuple(args[0])
    if name == "split" and args[1] * 2 == columns and args[2] in (-1, 1):
        return ("half", args[0])
    if name == "slice" and args[1] in (-1, 1):
        start, end, step = slice(*args[2:]).indices(columns)
        if step == 2 and end >= columns - 1 and start in (0, 1):
            return ("odd", args[0], start)
        if step == 1 and end - start == columns // 2 and start in (0, columns // 2):
            return ("half", args[0], 2 * start // columns)
    if name in ("clamp", "clamp_max", "clamp_min"):
        given = dict(zip(("min", "max"), args[1:], strict=False)) | kwargs
        given = {"max": args[1]} if name == "clamp_max" else given
        return ("clamp", args[0], given.get("min"), given.get("max"))
    if name in _COMMUTATIVE and not kwargs:
        return (name, *sorted(_flatten(name, args), key=repr))
    return (name, *args, *sorted(kwargs.items()))


def _flatten(name: str, args: Any) -> Iterator[Any]:
    """Returns the operands of nested sums or products."""
    for arg in args:
        if isinstance(arg, tuple) and arg[0] == name:
            yield from arg[1:]
        else:
            yield float(arg) if isinstance(arg, int) else arg


@functools.cache
def _list_activations() -> dict[Tree, str]:
    """Returns known activations of `x` by the expressions that PyTorch code has for them."""
    found = {trace_tree(act, torch.zeros(2, 4)): name for name, act in ACTIVATIONS.items()}
    found[trace_tree(lambda x: x * torch.sigmoid(x), torch.zeros(2, 4))] = "silu"
    found[trace_tree(_spell_gelu, torch.zeros(2, 4))] = "gelu_tanh"
    return found


def _spell_gelu(x: torch.Tensor) -> torch.Tensor:
    """GELU by tanh, as GPT-2's code has it."""
    inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))
    return 0.5 * x * (1.0 + torch.tanh(inner))


def _read_plain(tree: Tree) -> dict[str, str] | None:
    """Returns the parameters of experts without a gate."""
    inner, limit = _find_clamped(tree, INPUT)
    name = _list_activations().get(inner)
    if name is None or (limit is not None and limit[0] != -limit[1]):
        return None
    return {"activation": name, "layout": "up"} | _name_limit(limit and limit[1])


def _read_gate(tree: Tree) -> dict[str, str] | None:
    """Returns the parameters of experts whose gate an expression is."""
    factors = list(tree[1:]) if tree[0] == "mul" else [tree]
    for layout, word in (("gate_up", "half"), ("interleaved", "odd")):
        gate, up = (word, INPUT, 0), (word, INPUT, 1)
        of_up = [factor for factor in factors if _reads(factor, up)]
        rest = [factor for factor in factors if factor not in of_up]
        if len(of_up) != 1 or any(_reads(factor, up) for factor in rest):
            continue
        product = rest[0] if len(rest) == 1 else ("mul", *rest)
        inner, high = _find_clamped(product, gate)
        value, offset = of_up[0], 0.0
        if value[0] == "add" and len(value) == 3 and isinstance(value[2], float):
            # Numbers are behind expressions.
            value, offset = value[1:]
        own, both = _find_clamped(value, up)
        name = _list_activations().get(inner)
        limits = {high and high[1], both and both[1]}
        is_clamped = (high is None) == (both is None) and len(limits) == 1
        is_right = high is None or (high[0] is None and both and both[0] == -both[1])
        if name is None or own != INPUT or not is_clamped or not is_right:
            continue
        found = {"activation": name, "layout": layout} | _name_limit(high and high[1])
        return found | ({"up_offset": f"{offset:.17e}"} if offset else {})
    return None


def _name_limit(limit: float | None) -> dict[str, str]:
    return {} if limit is None else {"limit": f"{float(limit):.17e}"}


def _reads(tree: Any, part: Tree) -> bool:
    return tree == part or (isinstance(tree, tuple) and any(_reads(t, part) for t in tree))


def _find_clamped(
    tree: Tree, part: Tree
) -> tuple[Tree, tuple[float | None, float] | None]:
    """Returns an expression of `part` as one of `x`, and the bounds of `part` if it has some."""
    bounds: set[tuple[float | None, float]] = set()

    def replace(given: Any) -> Any:
        if isinstance(given, tuple) and given[:2] == ("clamp", part):
            bounds.add(given[2:])
            return INPUT
        if given == part and part != INPUT:
            bounds.add((math.nan, math.nan))
            return INPUT
        if not isinstance(given, tuple):
            return given
        made = tuple(replace(each) for each in given)
        if made[0] in _COMMUTATIVE:
            return (made[0], *sorted(made[1:], key=repr))
        return made

    replaced = replace(tree)
    clamped = {bound for bound in bounds if bound[1] is None or not math.isnan(bound[1])}
    is_mixed = len(bounds) != len(clamped) and clamped
    if is_mixed or len(clamped) > 1 or any(bound[1] is None for bound in clamped):
        return ("mixed",), None
    return replaced, next(iter(clamped), None)


def _spell(tree: Any) -> str:
    """Returns an expression as text."""
    if not isinstance(tree, tuple):
        return f"{tree:g}" if isinstance(tree, float) else str(tree)
    word, *operands = tree
    return f"{word}({', '.join(map(_spell, operands))})" if operands else str(word)
