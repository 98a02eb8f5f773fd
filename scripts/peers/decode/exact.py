# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same decoder in float64, and which tokens it could have chosen."""

import numpy as np

from peers.decode.problem import rotation_table
from peers.tensors import LIMITS, measure_error, read_tensors

#: LIMITS are those of a column's logits, or more where a model makes more of what is lost in its layers
#: (see measure_rounding).
#: How much of that an engine may lose: PyTorch, which rounds the result of each op, loses 1.8 times as much of the
#: Llama.
ROUNDING = 2
#: Of float64 beside the reference engine: what differs is the order of sums.
AGREEMENT = 1e-9


def round_to_bf16(x):
    bits = np.ascontiguousarray(x, np.float32).view("<u4")
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype("<u4").view("<f4").astype(np.float64)


def round_to_f32(x):
    return x.astype(np.float32).astype(np.float64)


class Exact:
    """In float64, but for `round`, which whatever goes from one part of a layer to the next is put through."""

    def __init__(self, problem, round=lambda x: x):
        self.problem, self.round = problem, round
        self.weights = {}

    def linear(self, x, name):
        matrix = self.weights.setdefault(name, self.problem.linear(name, np.float64))
        bias = self.problem.tensors.get(name + ".bias")
        return self.round(x @ matrix.T if bias is None else x @ matrix.T + bias)

    def norm(self, x, name):
        gain, bias = self.problem.tensors[name + ".weight"], self.problem.tensors.get(name + ".bias")
        if bias is None:
            return self.round(x / np.sqrt((x * x).mean(-1, keepdims=True) + self.problem.eps) * gain)
        centred = x - x.mean(-1, keepdims=True)
        return self.round(centred / np.sqrt((centred**2).mean(-1, keepdims=True) + self.problem.eps) * gain + bias)

    def attend(self, q, k, v):
        """Causal, with heads of queries that share those of keys."""
        problem, (batch, tokens) = self.problem, q.shape[:2]

        def split(x, heads):
            return x.reshape(batch, tokens, heads, -1).swapaxes(1, 2)

        q, k, v = split(q, problem.heads), split(k, problem.kv_heads), split(v, problem.kv_heads)
        if not problem.is_gpt2:
            q, k = self.rotate(q), self.rotate(k)
        k, v = (np.repeat(x, problem.heads // problem.kv_heads, 1) for x in (k, v))
        scores = q @ k.swapaxes(2, 3) / np.sqrt(problem.head_size)
        scores[..., np.triu(np.ones((tokens, tokens), bool), 1)] = -np.inf
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        return self.round(powers / powers.sum(-1, keepdims=True) @ v).swapaxes(1, 2).reshape(batch, tokens, -1)

    def rotate(self, x):
        cosine, sine = rotation_table(self.problem, x.shape[2], np.float64)
        first, second = np.split(x, 2, -1)
        return self.round(np.concatenate([first * cosine - second * sine, second * cosine + first * sine], -1))

    def add_gpt2_layer(self, x, name):
        h = self.linear(self.norm(x, name + "ln_1"), name + "attn.c_attn")
        x = self.round(x + self.linear(self.attend(*np.split(h, 3, -1)), name + "attn.c_proj"))
        h = self.linear(self.norm(x, name + "ln_2"), name + "mlp.c_fc")
        h = self.round(0.5 * h * (1 + np.tanh(np.sqrt(2 / np.pi) * (h + 0.044715 * h**3))))
        return self.round(x + self.linear(h, name + "mlp.c_proj"))

    def add_llama_layer(self, x, name):
        h = self.norm(x, name + "input_layernorm")
        q, k, v = (self.linear(h, f"{name}self_attn.{part}_proj") for part in "qkv")
        x = self.round(x + self.linear(self.attend(q, k, v), name + "self_attn.o_proj"))
        h = self.norm(x, name + "post_attention_layernorm")
        gate, up = self.linear(h, name + "mlp.gate_proj"), self.linear(h, name + "mlp.up_proj")
        return self.round(x + self.linear(self.round(gate / (1 + np.exp(-gate)) * up), name + "mlp.down_proj"))

    def compute(self, ids, kept):
        """Logits of the last `kept` tokens of each row."""
        problem = self.problem
        x = problem.embedding[ids].astype(np.float64)
        if problem.is_gpt2:
            x = x + problem.tensors["wpe.weight"][: ids.shape[1]]
        for index in range(problem.layers):
            add = self.add_gpt2_layer if problem.is_gpt2 else self.add_llama_layer
            x = add(x, problem.find_layer(index))
        x = self.norm(x[:, -kept:], "ln_f" if problem.is_gpt2 else "model.norm")
        head = self.weights.setdefault("head", problem.head.astype(np.float64))
        return x @ head.T


def compute_costs(logits, tokens):
    """What tokens cost: the largest logit less their own, in standard deviations of all of them."""
    chosen = np.take_along_axis(logits, tokens[..., None], -1)[..., 0]
    return (logits.max(-1) - chosen) / logits.std(-1)


class Checker:
    """Tokens beside those that float64 chooses behind the same ones."""

    def __init__(self, problem):
        self.problem, self.exact, self.known = problem, Exact(problem), {}
        error, cost = self.measure_rounding()
        self.limit = max(LIMITS[problem.column], ROUNDING * error)
        # Errors of that size exchange logits in proportion to it, at a cost in proportion to it.
        self.mean_limit = max(self.limit / 10, ROUNDING**2 * cost)

    def measure_rounding(self):
        """The relative error of logits where each part of a layer is rounded to the column's type, and what the tokens
        cost on average that are the likeliest by these, behind each place of all prompts of the first size.

        Deep models with drawn weights make far more of a digit that is lost than others: of a Llama of 12 layers 3e-2
        are lost of bf16, by PyTorch 6e-2 (and 6e-4 of f32).
        """
        size = self.problem.workloads[0].prompt
        rows = max((each for each in self.problem.workloads if each.prompt == size), key=lambda each: each.batch)
        prompts = self.problem.draw_prompts(rows)
        rounded = Exact(self.problem, round_to_f32 if self.problem.column == "f32" else round_to_bf16)
        # The same matrices, which are read and widened once.
        rounded.weights = self.exact.weights
        want, got = (each.compute(prompts, prompts.shape[1]) for each in (self.exact, rounded))
        return measure_error(got, want), float(compute_costs(want, got.argmax(-1)).mean())

    def check_exact(self):
        """Why float64 is not what the reference engine computes; empty where it is."""
        expected = read_tensors(self.problem.folder / "expected.safetensors")
        ids, want = expected["input_ids"], expected["expected.logits"]
        got = self.exact.compute(ids, ids.shape[1])
        error = measure_error(got, want)
        # Written down in f32.
        return "" if error <= AGREEMENT + 1e-6 else f"float64 differs from the reference engine: {error:.2e}"

    def measure_costs(self, prompt, tokens):
        """That of each token of a row."""
        key = (prompt.tobytes(), tokens.tobytes())
        if key not in self.known:
            ids = np.concatenate([prompt, tokens[:-1]])
            self.known[key] = compute_costs(self.exact.compute(ids[None], len(tokens))[0], tokens)
        return self.known[key]

    def judge(self, found):
        """(largest cost, mean cost, what is wrong) of all tokens of an engine, which are given by workload."""
        costs = []
        for workload in self.problem.workloads:
            tokens, shape = np.asarray(found[workload.name], np.int64), (workload.batch, workload.new)
            if tokens.shape != shape:
                return 0.0, 0.0, f"wrong tokens: expected {list(shape)}, got {list(tokens.shape)}"
            if tokens.min() < 0 or tokens.max() >= self.problem.vocabulary:
                return 0.0, 0.0, "wrong tokens: beyond the vocabulary"
            prompts = self.problem.draw_prompts(workload)
            costs += [self.measure_costs(*rows) for rows in zip(prompts, tokens)]
        largest, mean = float(np.concatenate(costs).max()), float(np.concatenate(costs).mean())
        # Of two logits that errors of `limit` can exchange, which few tokens need.
        allowed = 8 * self.limit, self.mean_limit
        is_good = largest <= allowed[0] and mean <= allowed[1]
        cost = f"they cost {largest:.2e} at most and {mean:.2e} on average, expected {allowed[0]:.2e} and {allowed[1]:.2e}"
        return largest, mean, "" if is_good else f"wrong tokens: {cost}"
