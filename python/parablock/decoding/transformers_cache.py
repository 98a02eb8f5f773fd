# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Caches in the form of transformers' `generate`."""

from __future__ import annotations

from typing import Any, NoReturn

import torch
from transformers import Cache

from parablock.decoding.caches import Caches
from parablock.errors import Error


class CompiledCache(Cache):  # type: ignore[misc]
    """Keys and values of a compiled model, which alone writes and reads them.

    It has what `generate` asks of a cache: `get_seq_length`, `crop`, `reorder_cache`,
    `batch_repeat_interleave`, `batch_select_indices`, `reset`, and copies.
    """

    #: Whether `generate` made it for itself, and no call has used it.
    is_of_generate = False

    def __init__(self, caches: Caches, layers: int) -> None:
        # Layers of transformers would hold tensors; there are none here.
        super().__init__(layers=[])
        self.caches = caches
        self._count = layers

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self._count} layers, {self.caches.batch} rows of "
            f"{self.caches.held} tokens)"
        )

    def __len__(self) -> int:
        return self._count

    def __copy__(self) -> CompiledCache:
        # The model writes in place: two caches never share memory.
        return type(self)(self.caches.copy(), self._count)

    def __deepcopy__(self, memo: dict[int, Any]) -> CompiledCache:
        return self.__copy__()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} cannot be pickled: copy.deepcopy copies it")

    # Properties ------------------------------------------------------------------

    @property
    def is_compileable(self) -> bool:
        return False

    @property
    def is_initialized(self) -> bool:
        return self.caches.capacity > 0

    @property
    def is_croppable(self) -> bool:
        return True

    @property
    def is_sliding(self) -> list[bool]:
        return [False] * self._count

    @property
    def batch_size(self) -> int:
        return self.caches.batch or -1

    def get_seq_length(self, layer_idx: int = 0) -> int:
        return self.caches.held

    def get_max_length(self, layer_idx: int | None = None) -> int:
        """Returns -1, as all caches that grow do."""
        return -1

    def get_mask_sizes(self, query_length: int, layer_idx: int = 0) -> tuple[int, int]:
        return self.caches.held + query_length, 0

    # Changes ---------------------------------------------------------------------

    def update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise Error("update: the cache of a compiled model is written by that model alone")

    def early_initialization(self, *args: Any, **kwargs: Any) -> None:
        """Does nothing: buffers are made by the first call."""

    def reset(self) -> None:
        self.caches.reset()

    def crop(self, tokens_to_remove: int) -> None:
        """Removes the last tokens; their number is negative."""
        if tokens_to_remove > 0:
            raise Error(
                "crop: expected a number up to 0, -n to remove the last n tokens, got "
                f"{tokens_to_remove}"
            )
        self.caches.crop(-tokens_to_remove)

    def reorder_cache(self, beam_idx: torch.Tensor) -> None:
        self.caches.reorder(beam_idx.cpu().numpy())

    def batch_repeat_interleave(self, repeats: int) -> None:
        self.caches.repeat(repeats)

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        self.caches.select(indices.cpu().numpy())
