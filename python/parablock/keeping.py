# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packed weights that are kept on request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from parablock.arguments import read_flag
from parablock.errors import Error

if TYPE_CHECKING:
    from parablock._core import TensorInfo


def check_keeping(keep_weights: bool, target: str, cache: Any) -> None:
    """Rejects a request to keep packed weights that cannot be satisfied."""
    read_flag("keep_weights", keep_weights)
    if keep_weights and target.partition(":")[0] != "cpu":
        raise Error(f"option 'keep_weights' requires target 'cpu', got '{target}'")
    if keep_weights and cache is False:
        raise Error("option 'keep_weights' requires a cache, got cache=False")


def identify_stored(weights: Any, infos: Sequence[TensorInfo]) -> str | None:
    """Returns a text that identifies the weights, or None if they have no identity."""
    identify = getattr(weights, "identify", None)
    if identify is None:
        return None
    known = [identify(info) for info in infos]
    return None if None in known else "\n".join(known)


def check_stored(keep_weights: bool, weights: Any, infos: Sequence[TensorInfo]) -> None:
    """Rejects a request to keep weights whose changes cannot be detected."""
    is_stored = getattr(weights, "is_stored", None)
    if keep_weights and (is_stored is None or not all(map(is_stored, infos))):
        raise Error(
            "option 'keep_weights' requires the weights of a safetensors checkpoint as "
            "from_pretrained found them, got others"
        )
