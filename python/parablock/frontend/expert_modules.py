# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts of transformers in a form that exports.

transformers chooses by an entry of a config how experts are computed: by a loop, by sorted
rows, by gathered matrices. A loop over the experts that were hit does not export; the others
are one function, which block-raise recognises.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch

#: The entry of configs, and what it is while exporting.
_ENTRY = "_experts_implementation_internal"
_FORM = "batched_mm"
#: Hooks that use_experts_implementation gives to a module of experts.
_HOOKS = ("has_gate", "has_bias", "is_transposed", "config")


@contextlib.contextmanager
def with_gathered_experts(module: torch.nn.Module) -> Iterator[None]:
    """Makes experts of transformers gather their matrices; restores their configs."""
    configs = {id(inner.config): inner.config for inner in module.modules() if is_experts(inner)}
    before = [(config, getattr(config, _ENTRY)) for config in configs.values()]
    for config, _ in before:
        setattr(config, _ENTRY, _FORM)
    try:
        yield
    finally:
        for config, value in before:
            setattr(config, _ENTRY, value)


def is_experts(module: torch.nn.Module) -> bool:
    """Returns whether a module has the hooks of transformers' experts."""
    has_all = all(hasattr(module, hook) for hook in _HOOKS)
    return has_all and hasattr(module.config, _ENTRY)
