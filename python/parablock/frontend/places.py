# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Places of a graph's operations in messages."""

from __future__ import annotations

import re
from pathlib import Path

import torch

_LINE = re.compile(r'File "([^"]+)", line (\d+)')


def describe_path(node: torch.fx.Node) -> str:
    """Returns the path of the innermost module of an operation."""
    stack = node.meta.get("nn_module_stack") or {}
    paths = [path for path, _ in stack.values()]
    return str(paths[-1]) if paths and paths[-1] else "module"


def describe_place(node: torch.fx.Node) -> str:
    """Returns the path with the line of the model's code, if it is known."""
    found = _LINE.findall(node.meta.get("stack_trace") or "")
    path = describe_path(node)
    return f"{path} ({Path(found[-1][0]).name}:{found[-1][1]})" if found else path
