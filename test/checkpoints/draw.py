#===- draw.py - random choices that every family makes ------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The values a configuration may take, drawn at random."""

ACTIVATIONS = ("gelu", "gelu_new", "gelu_pytorch_tanh", "gelu_fast",
               "gelu_python", "gelu_accurate", "quick_gelu", "relu", "relu2",
               "silu", "swish", "tanh", "sigmoid", "leaky_relu")
RARE_ACTIVATIONS = ("mish", "hardswish", "relu6", "gelu_10", "linear",
                    "laplace", "gelu_python_tanh")


class Draw:
    """A random source with the choices every family makes."""

    def __init__(self, rng, rare):
        self.rng, self.rare = rng, rare
        self.seq = rng.choice((1, 2, 5, 9, 13, 17))

    def one(self, *values):
        return self.rng.choice(values)

    def maybe(self, chance=0.5):
        return self.rng.random() < chance

    def between(self, low, high):
        return self.rng.randint(low, high)

    def activation(self, usual):
        if self.maybe(0.4):
            return usual
        if self.rare and self.maybe(0.3):
            return self.one(*RARE_ACTIVATIONS)
        return self.one(*ACTIVATIONS)

    def eps(self):
        return self.one(1e-12, 1e-6, 1e-5, 1e-3)

    def heads(self, multiple=1):
        return multiple * self.between(1, 8 // multiple)

    def groups(self, heads):
        return self.one(*(g for g in range(1, heads + 1) if heads % g == 0))

    def learned_positions(self, extra=0):
        return self.seq + extra + self.between(0, 6)

    def rope(self, dim, share=None, kinds=None):
        """Keywords for one rotary setting; `dim` is the rotated width."""
        kinds = kinds or ("absent", "default", "default", "linear", "dynamic",
                          "llama3", "yarn", "longrope")
        kind = self.one(*kinds)
        if kind == "dynamic" and dim <= 2:
            kind = "linear"
        extra = {} if share is None else {"partial_rotary_factor": share}
        if kind == "absent":
            return extra
        out = {"rope_type": kind, "rope_theta": self.one(100.0, 1e4, 5e5),
               **extra}
        factor = self.one(1.5, 2.0, 4.0, 8.0)
        if kind in ("linear", "dynamic", "llama3", "yarn"):
            out["factor"] = factor
        if kind in ("llama3", "yarn", "longrope") and self.maybe(0.8):
            out["original_max_position_embeddings"] = self.between(4, 24)
        if kind == "llama3":
            low = self.one(0.5, 1.0, 2.0)
            out.update(low_freq_factor=low,
                       high_freq_factor=low * self.one(2.0, 4.0))
        if kind == "yarn":
            out.update(self.yarn())
        if kind == "longrope":
            def scales():
                return [round(self.rng.uniform(1, 5), 3)
                        for _ in range(dim // 2)]
            out.update(short_factor=scales(), long_factor=scales())
            if self.maybe():
                out["factor"] = factor
            if self.maybe(0.3):
                out["attention_factor"] = self.one(0.8, 1.3)
        return {"rope_parameters": out}

    def yarn(self):
        out = {}
        if self.maybe():
            out.update(beta_fast=self.one(2.0, 4.0, 32.0),
                       beta_slow=self.one(0.1, 0.5, 1.0))
        if self.maybe(0.3):
            out["truncate"] = False
        how = self.one("plain", "given", "mscale")
        if how == "given":
            out["attention_factor"] = self.one(0.7, 1.25)
        if how == "mscale":
            out.update(mscale=self.one(0.707, 1.0), mscale_all_dim=self.one(
                0.5, 1.0))
        return out
