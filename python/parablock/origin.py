# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where weights come from, and which form of a model their file says they are for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parablock._core import Module, TensorInfo


class FiledWeights:
    """Weights that lie in `file`, whose metadata go wherever these weights go."""

    def __init__(
        self, file: str, metadata: Mapping[str, str], find: Callable[[TensorInfo], Any]
    ) -> None:
        self.file, self.metadata, self._find = file, dict(metadata), find

    def __call__(self, info: TensorInfo) -> Any:
        return self._find(info)


def get_metadata(weights: Any) -> dict[str, str]:
    """The metadata of the file of weights; none of weights in memory, which are original."""
    return dict(getattr(weights, "metadata", {}))


def check_origin(module: Module, weights: Any) -> None:
    """An error where a module needs weights of another form than its file has."""
    if (file := getattr(weights, "file", None)) is not None:
        module.check_weights(file, get_metadata(weights))
