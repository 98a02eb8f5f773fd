#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times a step of training GPT-2, forward and backward, in another framework, for block-bench.

    bench_train_peers.py PEER TENSORS --dtype f32 --threads 1 --repeat 5 --json OUT

TENSORS is a safetensors file: weights under their GPT-2 names; "hidden_states" and
"grad.hidden_states" of layers alone, or "input_ids" and "targets" of a model and its cross
entropy; and the results by name behind "expected.", gradients as "expected.grad.NAME". The
peer's numbers are checked before its time is told. OUT holds {"name", "time_ms": {"min",
"median"}, "rel_l2"} or {"name", "skipped"}. Below f32, torch runs as people train it: weights
in f32 under autocast.
"""

import argparse
import json
import re
import statistics
import struct
import time

from bench_peers import end_with_parent, is_installed

HEAD_SIZES = {64: 16, 384: 64, 768: 64}
LIMITS = {"f32": 1e-4, "bf16": 6e-2}
NEEDS = {"torch": ["numpy", "torch"], "torch.compile": ["numpy", "torch"], "jax": ["numpy", "jax", "jaxlib"]}
# The target of a token that does not count.
IGNORED = -100
LINEAR = ("attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj")


def read_tensors(path):
    """Every tensor as float32, ids as int64."""
    import numpy as np

    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    kinds = {"I64": "<i8", "F32": "<f4", "BF16": "<u2"}
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        values = np.frombuffer(data[slice(*entry["data_offsets"])], kinds[entry["dtype"]])
        if entry["dtype"] == "BF16":
            values = (values.astype("<u4") << 16).view("<f4")
        tensors[name] = values.reshape(entry["shape"])
    return tensors


class Step:
    """What a step reads and what is expected of it."""

    def __init__(self, tensors):
        self.expected = {name.removeprefix("expected."): t for name, t in tensors.items() if name.startswith("expected.")}
        self.given = {name: t for name, t in tensors.items() if not name.startswith("expected.")}
        self.params = [name.removeprefix("grad.") for name in self.expected if name.startswith("grad.")]
        self.layers = 1 + max(int(found[1]) for name in self.params if (found := re.search(r"h\.(\d+)\.", name)))
        self.prefix = next(name for name in self.params if "h.0." in name).split("h.0.")[0]
        self.is_model = "targets" in self.given
        width = self.given[f"{self.prefix}h.0.ln_1.weight"].shape[0]
        self.heads = width // HEAD_SIZES[width]

    def measure_error(self, got):
        """The largest relative L2 error. The gradient by a key's bias is 0: all are measured together there."""
        import numpy as np

        worst = 0.0
        for name, want in self.expected.items():
            want = want.astype(np.float64)
            norm = np.linalg.norm(want)
            worst = max(worst, float(np.linalg.norm(got[name].astype(np.float64) - want) / norm) if norm else 0.0)
        return worst


# --- PyTorch


def run_torch(step, options):
    import torch
    from torch.nn import functional as F

    torch.set_num_threads(options.threads)
    given = {}
    for name, value in step.given.items():
        tensor = torch.from_numpy(value.copy())
        if name in step.params:
            # As torch stores it: [out, in].
            if any(name.endswith(f"{linear}.weight") for linear in LINEAR):
                tensor = tensor.t().contiguous()
            tensor.requires_grad_()
        given[name] = tensor

    def layer(x, name):
        batch, tokens, width = x.shape

        def linear(x, part):
            return F.linear(x, given[f"{name}{part}.weight"], given[f"{name}{part}.bias"])

        def norm(x, part):
            return F.layer_norm(x, (width,), given[f"{name}{part}.weight"], given[f"{name}{part}.bias"], 1e-5)

        parts = linear(norm(x, "ln_1"), "attn.c_attn").split(width, -1)
        q, k, v = (p.view(batch, tokens, step.heads, -1).transpose(1, 2) for p in parts)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + linear(a.transpose(1, 2).reshape(x.shape), "attn.c_proj")
        h = F.gelu(linear(norm(x, "ln_2"), "mlp.c_fc"), approximate="tanh")
        return x + linear(h, "mlp.c_proj")

    def forward():
        p = step.prefix
        if step.is_model:
            ids = given["input_ids"]
            x = F.embedding(ids, given[p + "wte.weight"]) + given[p + "wpe.weight"][: ids.shape[1]]
        else:
            x = given["hidden_states"]
        for number in range(step.layers):
            x = layer(x, f"{p}h.{number}.")
        if not step.is_model:
            return x
        x = F.layer_norm(x, (x.shape[-1],), given[p + "ln_f.weight"], given[p + "ln_f.bias"], 1e-5)
        logits = F.linear(x, given[p + "wte.weight"])
        return F.cross_entropy(logits.flatten(0, 1).float(), given["targets"].flatten(), ignore_index=IGNORED)

    function = torch.compile(forward) if options.peer == "torch.compile" else forward
    leaves = [given[name] for name in step.params]

    def run():
        with torch.autocast("cpu", torch.bfloat16, enabled=options.dtype == "bf16"):
            result = function()
        seed = None if step.is_model else given["grad.hidden_states"].to(result.dtype)
        return result, torch.autograd.grad(result, leaves, seed)

    def to_numpy(result):
        value, grads = result
        got = {"loss" if step.is_model else "hidden_states": value.detach().float().numpy()}
        for name, grad in zip(step.params, grads):
            is_turned = any(name.endswith(f"{linear}.weight") for linear in LINEAR)
            got["grad." + name] = (grad.t() if is_turned else grad).float().numpy()
        return got

    return run, to_numpy


# --- JAX


def run_jax(step, options):
    import os

    # Its pool has as many threads as the process may use cores, which it asks when it starts.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])
    import jax
    import jax.numpy as jnp
    import numpy as np

    kind = {"f32": jnp.float32, "bf16": jnp.bfloat16}[options.dtype]
    weights = {name: jnp.asarray(step.given[name]) for name in step.params}
    others = {name: jnp.asarray(value) for name, value in step.given.items() if name not in step.params}

    def norm(x, w, name):
        wide = x.astype(jnp.float32)
        centred = wide - wide.mean(-1, keepdims=True)
        scaled = centred * jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)
        return (scaled * w[name + ".weight"] + w[name + ".bias"]).astype(kind)

    def linear(x, w, name):
        return x @ w[name + ".weight"].astype(kind) + w[name + ".bias"].astype(kind)

    def layer(x, w, name):
        batch, tokens, width = x.shape
        parts = jnp.split(linear(norm(x, w, name + "ln_1"), w, name + "attn.c_attn"), 3, axis=-1)
        q, k, v = (part.reshape(batch, tokens, step.heads, -1) for part in parts)
        a = jax.nn.dot_product_attention(q, k, v, is_causal=True)
        x = x + linear(a.reshape(x.shape), w, name + "attn.c_proj")
        h = jax.nn.gelu(linear(norm(x, w, name + "ln_2"), w, name + "mlp.c_fc"), approximate=True)
        return x + linear(h, w, name + "mlp.c_proj")

    def forward(w, others):
        p = step.prefix
        if step.is_model:
            ids = others["input_ids"]
            x = (w[p + "wte.weight"][ids] + w[p + "wpe.weight"][: ids.shape[1]]).astype(kind)
        else:
            x = w["hidden_states"].astype(kind)
        for number in range(step.layers):
            x = layer(x, w, f"{p}h.{number}.")
        if not step.is_model:
            return x
        logits = (norm(x, w, p + "ln_f") @ w[p + "wte.weight"].astype(kind).T).astype(jnp.float32)
        # As torch's: tokens whose target is IGNORED do not count.
        is_counted = others["targets"] != IGNORED
        targets = jnp.where(is_counted, others["targets"], 0)[..., None]
        chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), targets, -1)[..., 0]
        return -jnp.where(is_counted, chosen, 0).sum() / is_counted.sum()

    @jax.jit
    def both(w, others):
        if step.is_model:
            return jax.value_and_grad(forward)(w, others)
        value, pull = jax.vjp(lambda w: forward(w, others), w)
        return value, pull(others["grad.hidden_states"].astype(kind))[0]

    def to_numpy(result):
        value, grads = result
        got = {"loss" if step.is_model else "hidden_states": np.asarray(value.astype(jnp.float32))}
        got.update({"grad." + name: np.asarray(grad) for name, grad in grads.items()})
        return got

    return lambda: jax.block_until_ready(both(weights, others)), to_numpy


RUNNERS = {"torch": run_torch, "torch.compile": run_torch, "jax": run_jax}


def measure(options):
    """The fields of one entry, but for its name."""
    if options.peer not in NEEDS:
        return {"skipped": "does not train"}
    missing = [m for m in NEEDS[options.peer] if not is_installed(m)]
    if missing:
        return {"skipped": "not installed: " + ", ".join(missing)}
    step = Step(read_tensors(options.tensors))
    run, to_numpy = RUNNERS[options.peer](step, options)
    error = step.measure_error(to_numpy(run()))
    if not error <= LIMITS[options.dtype]:
        return {"skipped": f"wrong numbers: relative L2 error {error:.2e}"}
    times = []
    for _ in range(max(3, options.repeat)):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    return {"time_ms": {"min": min(times), "median": statistics.median(times)}, "rel_l2": error}


def main():
    end_with_parent()
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("peer")
    parser.add_argument("tensors")
    parser.add_argument("--dtype", choices=sorted(LIMITS), default="f32")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", required=True)
    options = parser.parse_args()
    try:
        fields = measure(options)
    except Exception as error:  # a peer that fails is left out, by name
        fields = {"skipped": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"}
    with open(options.json, "w") as file:
        json.dump({"name": options.peer, **fields}, file)


if __name__ == "__main__":
    main()
