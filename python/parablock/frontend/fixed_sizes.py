# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names what fixes sizes that were to stay open while a module is traced.

torch.export reports the dimension, and neither the operation nor the line. Tracing once
more under a mode for functions finds both.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import sympy  # type: ignore[import-untyped]
import torch
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._sympy.value_ranges import bound_sympy

#: Folders of code that is none of the model's.
_FOREIGN = (
    os.path.dirname(torch.__file__) + os.sep,
    str(Path(__file__).parents[1]) + os.sep,
)
_MOST = 3
_SIZE = re.compile(r"L\['(\w+)'\](?:\[\d+\])*\.size\(\)\[(\d+)\]")


#: A range that torch.export suggests for a dimension.
_SUGGESTED = re.compile(r"^  \w+ = (Dim\(.*\))$", re.MULTILINE)


def describe_fixed_sizes(trace: Callable[[], Any], problem: Exception) -> str | None:
    """Returns the places of the model that fix open sizes, with a way out.

    `trace` is the tracing that failed with `problem`. None if no such place is found.
    """
    watch = _Watch()
    with watch:
        try:
            trace()
        except Exception:
            # The caller reports the error of the first tracing.
            pass
    places = list(dict.fromkeys(watch.places))
    if not places:
        return None
    more = [f"and {len(places) - _MOST} more"] if len(places) > _MOST else []
    ranges = [f"give {dim}" for dim in _SUGGESTED.findall(str(problem))]
    ways = [*ranges, "import the model at a known size"]
    if not ranges:
        ways.append("write this with operations of any size")
    return (
        f"{'; '.join(places[:_MOST] + more)}; that dimension was to stay open: {', or '.join(ways)}"
    )


class _Watch(TorchFunctionMode):
    """Collects the requirements on open sizes by the function that makes them."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[str] = []
        self._sizes: Any = None
        #: Ranges of sizes before requirements narrow them.
        self._ranges: dict[Any, Any] = {}
        self._seen = 0

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if self._sizes is None:
            self._sizes = _find_sizes((args, kwargs))
            self._ranges = dict(self._sizes.var_to_range) if self._sizes is not None else {}
        self._note(None)
        try:
            return function(*args, **kwargs)
        finally:
            self._note(function)

    def __exit__(self, *reason: Any) -> None:
        self._note(None)
        super().__exit__(*reason)  # type: ignore[no-untyped-call]

    def _note(self, function: Any) -> None:
        """Adds what is required since the last time, by a function or between two."""
        guards = self._sizes.guards if self._sizes is not None else []
        for guard in guards[self._seen :]:
            text = _describe_requirement(guard.expr, self._sizes, self._ranges)
            if text is None:
                continue
            if function is None:
                frame = getattr(guard.sloc, "framework_loc", None)
                place = _describe_line(getattr(frame, "filename", ""), getattr(frame, "lineno", 0))
                self.places.append(f"{place or 'the model'}: the code requires {text}")
            else:
                place = _find_line() or "the model"
                name = resolve_name(function) or getattr(function, "__name__", str(function))
                self.places.append(f"{place}: '{name}' requires {text}")
        self._seen = len(guards)


def _find_sizes(arguments: Any) -> Any:
    """Returns the environment of the open sizes among some arguments, or None."""
    for leaf in torch.utils._pytree.tree_leaves(arguments):
        for size in leaf.shape if isinstance(leaf, torch.Tensor) else [leaf]:
            if isinstance(size, torch.SymInt):
                return size.node.shape_env
    return None


def _describe_requirement(
    expression: Any, sizes: Any, ranges: Mapping[Any, Any]
) -> str | None:
    """Returns a requirement in the names of inputs; None if all sizes meet it."""
    symbols = expression.free_symbols
    if bound_sympy(expression, {s: ranges[s] for s in symbols & ranges.keys()}).lower == sympy.true:
        return None
    names: dict[Any, Any] = {}
    for symbol in symbols:
        sources = sizes.var_to_sources.get(symbol) or ["?"]
        name = getattr(sources[0], "name", str(sources[0]))
        found = _SIZE.search(name() if callable(name) else name)
        if found is None:
            return None
        names[symbol] = sympy.Symbol(f"{found[1]}.shape[{found[2]}]", integer=True)
    named = expression.xreplace(names)
    if isinstance(named, sympy.Eq | sympy.Ne):
        return f"{named.lhs} {named.rel_op} {named.rhs}"
    return str(named)


def _find_line() -> str | None:
    """Returns the innermost line of the model's own code that runs now."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        place = _describe_line(frame.f_code.co_filename, frame.f_lineno)
        if place is not None:
            return place
        frame = frame.f_back
    return None


def _describe_line(file: str, line: int) -> str | None:
    is_own = bool(file) and not file.startswith((*_FOREIGN, "<frozen", "<eval_with_key"))
    return f"{Path(file).name}:{line}" if is_own else None
