# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of a model: layers, and the modules before and behind them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import torch
from torch import nn


@dataclasses.dataclass(frozen=True)
class Part:
    """A module that is judged as one, by its path in the model."""

    name: str
    kind: str


def find_parts(model: nn.Module) -> list[Part]:
    """Returns layers, the elements of the outermost lists of modules, and other parts.

    >>> class Model(nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.wte = nn.Embedding(7, 4)
    ...         self.h = nn.ModuleList(nn.Linear(4, 4) for _ in range(2))
    ...         self.lm_head = nn.Linear(4, 7)
    >>> [f"{part.name} {part.kind}" for part in find_parts(Model())]
    ['wte embedding', 'h.0 layer', 'h.1 layer', 'lm_head head']
    """
    seen: set[int] = set()
    parts = []
    for name, module, is_layer in _walk("", model):
        if id(module) not in seen:
            seen.add(id(module))
            parts.append(Part(name, "layer" if is_layer else _guess_kind(name, module)))
    return parts


def find_inner_parts(model: nn.Module, part: Part) -> list[Part]:
    """Returns the children of a part, those of lists one by one."""
    prefix, module = f"{part.name}.", model.get_submodule(part.name)
    parts = []
    for name, child in module.named_children():
        if isinstance(child, nn.ModuleList | nn.ModuleDict):
            parts += [
                Part(f"{prefix}{name}.{inner}", "inner") for inner, _ in child.named_children()
            ]
        else:
            parts.append(Part(f"{prefix}{name}", "inner"))
    return parts


def _walk(prefix: str, module: nn.Module) -> Iterator[tuple[str, nn.Module, bool]]:
    for name, child in module.named_children():
        path = f"{prefix}{name}"
        if _is_stack(child):
            for number, element in child.named_children():
                yield f"{path}.{number}", element, True
        elif any(_is_stack(inner) for inner in child.modules()) and not _is_layer(child):
            yield from _walk(f"{path}.", child)
        else:
            yield path, child, _is_layer(child)


def _is_stack(module: nn.Module) -> bool:
    """Returns whether a module is a list of layers of one kind."""
    children = list(module.children())
    if isinstance(module, nn.ModuleList | nn.ModuleDict):
        return bool(children)
    return (
        isinstance(module, nn.Sequential)
        and len({type(child) for child in children}) == 1
        and any(True for child in children for _ in child.children())
    )


def _is_layer(module: nn.Module) -> bool:
    """Returns whether a module is a layer of its own, as in a model of one layer."""
    name = type(module).__name__
    return name.endswith(("Layer", "Block")) and any(True for _ in module.children())


def _guess_kind(name: str, module: nn.Module) -> str:
    kind, last = type(module).__name__.lower(), name.rpartition(".")[2].lower()
    if "rotary" in kind or "rope" in kind:
        return "positions"
    if isinstance(module, nn.Embedding) or "embedding" in kind:
        return "embedding"
    if "norm" in kind:
        return "norm"
    if "head" in kind or "head" in last or last in ("cls", "score", "classifier"):
        return "head"
    return "other"


def has_numbers(module: nn.Module) -> bool:
    """Returns whether a module has weights or buffers."""
    tensors: list[torch.Tensor] = [*module.parameters(), *module.buffers()]
    return bool(tensors)
