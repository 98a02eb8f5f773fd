# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sizes at which golden vectors are made, and their inputs."""

import numpy as np

import formulas

LAYERS, WIDTH, HEADS, VOCAB, POSITIONS = 2, 64, 4, 97, 96
HEAD = WIDTH // HEADS
BATCH, TOKENS = 2, 17
LENGTHS = (17, 11)
ENCODER_LENGTHS = (12, 17)

FLAGS = [
    f"--layers={LAYERS}",
    f"--width={WIDTH}",
    f"--heads={HEADS}",
    f"--vocab={VOCAB}",
    f"--positions={POSITIONS}",
    f"--batch={BATCH}",
    f"--seq={TOKENS}",
]


class Inputs:
    """Every input that some family reads; lengths only where rows are padded."""

    tokens = TOKENS

    def __init__(self, padding):
        random = np.random.Generator(np.random.PCG64(20))
        shape = (BATCH, TOKENS, WIDTH)
        self.ids = random.integers(0, VOCAB, (BATCH, TOKENS))
        self.hidden = 0.3 + random.standard_normal(shape)
        self.encoder = 0.3 + random.standard_normal(shape)
        self.hidden, self.encoder = (
            x.astype(np.float32).astype(np.float64) for x in (self.hidden, self.encoder)
        )
        self.lengths = np.array(LENGTHS) if padding else None
        self.encoder_lengths = np.array(ENCODER_LENGTHS) if padding else None

    def tensors(self):
        """By the names that the IR gives its inputs."""
        named = {
            "input_ids": self.ids,
            "hidden_states": self.hidden.astype(np.float32),
            "encoder_hidden_states": self.encoder.astype(np.float32),
        }
        if self.lengths is not None:
            named |= {"lengths": self.lengths, "encoder_lengths": self.encoder_lengths}
        return named

    def valid_rows(self):
        """Which rows of an output mean something, [batch, tokens]."""
        lengths = np.full(BATCH, TOKENS) if self.lengths is None else self.lengths
        return np.arange(TOKENS)[None, :] < lengths[:, None]

    def causal(self, window=None):
        return formulas.allowed_keys(
            BATCH, TOKENS, TOKENS, causal=True, window=window, lengths=self.lengths
        )

    def both_ways(self):
        return formulas.allowed_keys(BATCH, TOKENS, TOKENS, lengths=self.lengths)

    def cross(self):
        return formulas.allowed_keys(BATCH, TOKENS, TOKENS, lengths=self.encoder_lengths)
