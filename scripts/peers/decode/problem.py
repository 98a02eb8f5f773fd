# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A decoder with drawn weights, as block-bench writes it into a folder, and the prompts that it continues.

case.json has the sizes, weights.safetensors the model's own tensors: a matrix as NAME, or as NAME.codes and
NAME.scales where the column is one of codes.
"""

import dataclasses
import json
import pathlib

import numpy as np

from peers.tensors import Weights, read_tensors


@dataclasses.dataclass(frozen=True)
class Workload:
    """Rows of a prompt, and how many tokens are made of each."""

    name: str
    batch: int
    prompt: int
    new: int


class Problem(Weights):
    """The model and what it is asked."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        case = json.loads((self.folder / "case.json").read_text(encoding="utf-8"))
        self.family, self.cpu = case["family"], case["cpu"]
        self.layers, self.width, self.heads = case["layers"], case["width"], case["heads"]
        self.kv_heads, self.hidden, self.vocabulary = case["kv_heads"], case["hidden"], case["vocabulary"]
        self.head_size = self.width // self.heads
        self.positions = case["positions"]
        self.workloads = [Workload(**each) for each in case["workloads"]]
        super().__init__(read_tensors(self.folder / "weights.safetensors"), case["dtype"], is_turned=self.is_gpt2)

    @property
    def is_gpt2(self):
        return self.family == "gpt2"

    @property
    def eps(self):
        return 1e-5 if self.is_gpt2 else 1e-6

    @property
    def embedding(self):
        return self.tensors["wte.weight" if self.is_gpt2 else "model.embed_tokens.weight"]

    @property
    def head(self):
        return self.embedding if self.is_gpt2 else self.tensors["lm_head.weight"]

    def find_layer(self, index):
        return f"h.{index}." if self.is_gpt2 else f"model.layers.{index}."

    def list_linears(self):
        """Names of a layer's matrices."""
        if self.is_gpt2:
            return ["attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"]
        attention = [f"self_attn.{part}_proj" for part in "qkvo"]
        return attention + [f"mlp.{part}_proj" for part in ("gate", "up", "down")]

    def find_capacity(self, prompts):
        """Tokens of a row that caches for a prompt of that size come to hold."""
        return max(each.prompt + each.new for each in self.workloads if (each.batch, each.prompt) == prompts.shape)

    def draw_prompts(self, workload):
        """Rows that do not depend on how many there are."""
        rows = [np.random.default_rng([7, row]).integers(0, self.vocabulary, workload.prompt) for row in range(workload.batch)]
        return np.array(rows, np.int64)


def rotation_table(problem, positions, kind):
    """Cosines and sines [positions, half], of halves that lie side by side."""
    half = problem.head_size // 2
    angles = np.arange(positions, dtype=np.float64)[:, None] * 10000.0 ** (-np.arange(half) / half)
    return np.cos(angles).astype(kind), np.sin(angles).astype(kind)
