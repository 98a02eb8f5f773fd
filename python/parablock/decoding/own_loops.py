# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of transformers with a `generate` of their own, such as Whisper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transformers import GenerationMixin

from parablock.decoding.conventions import CACHE
from parablock.errors import Error

if TYPE_CHECKING:
    import torch

    _Model = torch.nn.Module
else:
    _Model = object


class _WithParts(_Model):
    """Gives a loop access to the parts of the original module."""

    _source: tuple[Any, ...]

    def __getattr__(self, name: str) -> Any:
        parts = self.__dict__["_source"][0]._modules if "_source" in self.__dict__ else {}
        return parts[name] if name in parts else super().__getattr__(name)

    def generate(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().generate(*args, **kwargs)  # type: ignore
        except AttributeError as missing:
            if missing.obj is not self:
                raise
            raise Error(
                f"generation: expected a loop over tokens; {type(self).__name__}.generate "
                f"asks the model for '{missing.name}', which compiled code does not have"
            ) from missing

    def _postprocess_outputs(self, seek_outputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Called by Whisper's, which would take the keys of each row out of a cache."""
        if hasattr(seek_outputs, "keys"):
            kept = {k: v for k, v in seek_outputs.items() if k != CACHE}
            seek_outputs = type(seek_outputs)(**kept)
        return super()._postprocess_outputs(seek_outputs, *args, **kwargs)  # type: ignore


def add_own_loop(base: type, kind: type) -> tuple[type, ...]:
    """Returns the base classes that give a compiled model the `generate` of `kind`."""
    owner = next(each for each in kind.__mro__ if "generate" in vars(each))
    return (base,) if owner is GenerationMixin else (_WithParts, base, owner)
