# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Targets of graphs: an option of torch.compile, or where the tensors are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from parablock.decoding.decoder import read_target
from parablock.errors import Error

_CPU = torch.device("cpu")


def read_options(options: Mapping[str, Any]) -> str | None:
    """Returns the target that torch.compile's `options=` names, or None.

    A target that this machine does not have is an error before anything is compiled.
    """
    given = dict(options)
    chosen = given.pop("options", None) or {}
    if (mode := given.pop("mode", None)) is not None:
        raise Error(
            f"the backend accepts no mode, got '{mode}': omit mode= (on a GPU, a call with "
            "the sizes and the memory of the one before replays its CUDA graph anyway)"
        )
    others = sorted([*given, *(set(chosen) - {"target"})])
    if others:
        raise Error(
            "the backend accepts options={'target': ...} alone, got "
            f"{', '.join(others)}"
        )
    if (target := chosen.get("target")) is None:
        return None
    read_target(target, 0)
    return str(target)


def list_devices(args: Sequence[Any]) -> set[torch.device]:
    """Returns the devices of the arguments, apart from numbers."""
    return {a.device for a in args if isinstance(a, torch.Tensor) and a.dim()}


def choose_target(wanted: str | None, args: Sequence[Any]) -> str:
    """Returns the target of a call; an error has the reason why PyTorch runs it.

    >>> choose_target(None, [torch.ones(2)]), choose_target("cuda", [torch.ones(2)])
    ('cpu', 'cuda')
    >>> choose_target(None, [torch.ones(2), torch.ones(2, device="meta")])
    Traceback (most recent call last):
    parablock.errors.Error: tensors on several devices: cpu, meta
    """
    devices = list_devices(args) or {_CPU}
    if len(devices) > 1:
        names = ", ".join(sorted(map(str, devices)))
        raise Error(f"tensors on several devices: {names}")
    (device,) = devices
    if device == _CPU:
        return wanted or "cpu"
    if device.type != "cuda":
        raise Error(f"tensors on another device: {device}")
    own = f"cuda:{device.index or 0}"
    if wanted is not None and (wanted if ":" in wanted else f"{wanted}:0") != own:
        raise Error(f"tensors on another device than target '{wanted}': {device}")
    return own


def check_way(target: str, trains: bool) -> None:
    """Rejects calls that a GPU does not run."""
    if not target.startswith("cuda"):
        return
    if trains:
        raise Error(f"gradients require target 'cpu', got '{target}'")
    if torch.is_autocast_enabled("cuda") or torch.is_autocast_enabled("cpu"):
        raise Error(f"autocast requires target 'cpu', got '{target}'")
