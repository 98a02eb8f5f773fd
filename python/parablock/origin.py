# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Origin of weights, and the form of a model that their file names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parablock._core import Module, TensorInfo


class FiledWeights:
    """Weights in `file`, with its metadata."""

    def __init__(
        self, file: str, metadata: Mapping[str, str], find: Callable[[TensorInfo], Any]
    ) -> None:
        self.file, self.metadata, self._find = file, dict(metadata), find

    def __call__(self, info: TensorInfo) -> Any:
        return self._find(info)


def get_metadata(weights: Any) -> dict[str, str]:
    """Returns the metadata of the file of weights; none for weights in memory."""
    return dict(getattr(weights, "metadata", {}))


def check_origin(module: Module, weights: Any) -> None:
    """Rejects weights of another form than the module requires."""
    if (file := getattr(weights, "file", None)) is not None:
        module.check_weights(file, get_metadata(weights))
