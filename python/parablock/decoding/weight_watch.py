# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the parameters of a module are what they were."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

#: Which tensors there are, where, and how often they changed.
State = list[tuple[int, int, int]]


class WeightWatch:
    """Looks at all parameters of a module, in some microseconds."""

    def __init__(self, module: torch.nn.Module) -> None:
        #: Where modules keep parameters: another one in its place is seen, too.
        self._places: list[tuple[Mapping[str, Any], str]] = [
            (inner._parameters, name)
            for inner in module.modules()
            for name, parameter in inner._parameters.items()
            if parameter is not None
        ]
        self._state = self._describe()

    def has_changed(self) -> bool:
        """Whether one has changed since the latest call that said so."""
        state = self._describe()
        changed, self._state = state != self._state, state
        return changed

    def _describe(self) -> State:
        try:
            return [
                (id(found := place[name]), found.data_ptr(), found._version)
                for place, name in self._places
            ]
        except RuntimeError:
            # What was made under inference_mode has no version.
            tensors = [place[name] for place, name in self._places]
            return [
                (id(each), each.data_ptr(), 0 if each.is_inference() else each._version)
                for each in tensors
            ]
