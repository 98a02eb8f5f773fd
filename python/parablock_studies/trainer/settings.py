# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Settings of a training: everything that its numbers depend on."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import torch

from parablock.errors import Error
from parablock_studies.trainer.modeling_blocks import BlocksConfig, BlocksForCausalLM
from parablock_studies.trainer.text import VOCABULARY

ENGINES = ("parablock", "torch", "torch-compile")
#: Forms, each with the one that it is compared with.
FORMS: dict[str, str | None] = {
    "nanogpt-modern": None,
    "nanogpt-palm": "nanogpt-modern",
    "pre-ln": None,
    "sas": "pre-ln",
    "sas-p": "pre-ln",
    "no-norm": "pre-ln",
}
#: Forms that have a serial one beside them, layer by layer.
MIXED = ("nanogpt-palm", "sas-p")


@dataclasses.dataclass(frozen=True)
class Settings:
    """One run: a form of some size on an engine, from a seed."""

    form: str = "nanogpt-palm"
    engine: str = "parablock"
    seed: int = 1
    parallel_layers: str = "all"
    layers: int = 6
    width: int = 384
    heads: int = 6
    tokens: int = 256
    batch: int = 8
    steps: int = 500
    learning_rate: float = 1e-3
    warmup: float = 0.05
    weight_decay: float = 0.1
    clip: float = 1.0
    threads: int = 1
    memory_budget: str | None = None
    device: str = "cpu"

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise Error(f"--form: expected some of {', '.join(FORMS)}, got '{self.form}'")
        if self.width % self.heads or self.width // self.heads % 2:
            raise Error(
                f"--heads: expected heads of an even width, got {self.heads} of "
                f"--width={self.width}"
            )
        if self.parallel_layers != "all" and self.form not in MIXED:
            raise Error(
                f"--parallel-layers: expected a form among {', '.join(MIXED)}, whose "
                f"layers may be serial, got '{self.form}'"
            )
        self._check_device()
        self.list_parallel()

    def _check_device(self) -> None:
        if self.device == "cpu":
            return
        if not re.fullmatch(r"cuda(:\d+)?", self.device):
            raise Error(f"--device: expected cpu, cuda or cuda:N, got '{self.device}'")
        if self.engine != "parablock":
            raise Error(f"--device={self.device}: expected --engine=parablock, got '{self.engine}'")
        if self.memory_budget:
            raise Error(f"--memory-budget: expected --device=cpu, got '{self.device}'")

    @property
    def label(self) -> str:
        """The form, and which layers are parallel where not all are."""
        is_mixed = self.parallel_layers != "all"
        return f"{self.form}[{self.parallel_layers}]" if is_mixed else self.form

    @property
    def name(self) -> str:
        """A folder's name."""
        form = self.label.replace("[", "-").replace("]", "").replace(",", "+")
        return f"{form}-{self.engine}-seed{self.seed}"

    def list_parallel(self) -> list[int] | None:
        """Returns the parallel layers; None if the form determines them."""
        if self.parallel_layers == "all":
            return None
        if self.parallel_layers == "upper":
            return list(range(self.layers - self.layers // 2, self.layers))
        return read_layers(self.parallel_layers, self.layers)

    def make_module(self) -> Any:
        """Returns an ordinary module of PyTorch with weights that the seed draws."""
        torch.manual_seed(self.seed)
        return BlocksForCausalLM(
            BlocksConfig(
                form=self.form,
                vocab_size=VOCABULARY,
                hidden_size=self.width,
                num_hidden_layers=self.layers,
                num_attention_heads=self.heads,
                max_position_embeddings=self.tokens,
                parallel_layers=self.list_parallel(),
            )
        )

    def make_optimizer(self, module: torch.nn.Module) -> torch.optim.AdamW:
        """Returns AdamW; norms, biases and gains do not decay."""
        parameters = list(module.parameters())
        groups = [
            {
                "params": [p for p in parameters if p.dim() == 2],
                "weight_decay": self.weight_decay,
            },
            {"params": [p for p in parameters if p.dim() != 2], "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(
            [group for group in groups if group["params"]],
            lr=self.learning_rate,
            betas=(0.9, 0.95),
            fused=True,
        )

    def get_rate(self, step: int) -> float:
        """Warms up, then falls in a straight line to nothing.

        >>> settings = Settings(steps=100, learning_rate=1.0)
        >>> [round(settings.get_rate(step), 3) for step in (0, 4, 5, 52, 99)]
        [0.2, 1.0, 1.0, 0.505, 0.011]
        """
        rising = round(self.warmup * self.steps)
        if step < rising:
            return self.learning_rate * (step + 1) / rising
        return self.learning_rate * (self.steps - step) / max(self.steps - rising, 1)


def read_layers(text: str, count: int) -> list[int]:
    """Returns layers by number, from `--parallel-layers`.

    >>> read_layers("0,2-4", 6)
    [0, 2, 3, 4]
    """
    layers: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.partition("-")
        last = last if dash else first
        if not (first.isdecimal() and last.isdecimal() and int(first) <= int(last) < count):
            raise Error(
                f"--parallel-layers: expected all, upper, or layers from 0 to {count - 1} "
                f"as in 0,2-3, got '{text}'"
            )
        layers.update(range(int(first), int(last) + 1))
    return sorted(layers)
