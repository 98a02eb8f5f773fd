# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bytes that a training reads, and which of them a step takes."""

from __future__ import annotations

import dataclasses
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import torch

from parablock.errors import Error
from parablock_studies.trainer.corpus import gather

#: Tokens are bytes.
VOCABULARY = 256
#: Of a file, what is not trained on: its end.
_HELD_OUT = 0.1


@dataclasses.dataclass(frozen=True)
class Text:
    """A text in two parts."""

    name: str
    sha256: str
    train: torch.Tensor
    held_out: torch.Tensor

    def draw(self, seed: int, step: int, rows: int, length: int) -> torch.Tensor:
        """Rows of a step, and a token more each: a function of seed and step alone."""
        draw = torch.Generator().manual_seed(seed * 1_000_003 + step)
        starts = torch.randint(0, len(self.train) - length, (rows,), generator=draw)
        return torch.stack([self.train[i : i + length + 1] for i in starts]).long()

    def list_held_out(self, rows: int, length: int) -> torch.Tensor:
        """Rows spread over what is held out, the same for all."""
        starts = np.linspace(0, len(self.held_out) - length - 1, rows).astype(np.int64)
        return torch.stack([self.held_out[i : i + length + 1] for i in starts]).long()

    def describe(self) -> dict[str, Any]:
        """Returns the description of the text in results."""
        return {
            "text": self.name,
            "sha256": self.sha256,
            "train_bytes": len(self.train),
            "held_out_bytes": len(self.held_out),
        }


def read_text(path: Path | None, length: int) -> Text:
    """Reads a file, whose last tenth is held out, or the standard library of Python.

    Each part has to hold a row of `length` tokens and the one behind it.
    """
    if path is None:
        tokens, facts = gather()
        parts = tokens["train"], tokens["report"]
        name, digest = str(facts["text"]), str(facts["sha256"])
    else:
        data = path.read_bytes()
        stream = np.frombuffer(data, dtype=np.uint8)
        end = len(stream) - int(_HELD_OUT * len(stream))
        parts = stream[:end], stream[end:]
        name, digest = path.name, hashlib.sha256(data).hexdigest()
    for part, role in zip(parts, ("to train on", "that is held out"), strict=True):
        if len(part) < length + 1:
            raise Error(
                f"'{path or name}': expected at least {length + 1} bytes {role} (a row of "
                f"{length} tokens, and one more), got {len(part)} of {sum(map(len, parts))}"
            )
    train, held_out = (torch.from_numpy(part.copy()) for part in parts)
    return Text(name, digest, train, held_out)
