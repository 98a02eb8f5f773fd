# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects that own memory of the compiler or of a device."""

from __future__ import annotations

from typing import Any, NoReturn


class NotCopied:
    """Rejects copies and pickles; the error names the alternative."""

    #: The alternative, as text of the error.
    _instead = "make another one from the model"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} cannot be copied or pickled: {self._instead}"
        )
