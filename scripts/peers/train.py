# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step of training GPT-2, forward and backward, in another framework.

The input is a safetensors file: weights under their GPT-2 names; "hidden_states" and
"grad.hidden_states" of layers alone, or "input_ids" and "targets" of a model and its cross
entropy; and the results by name behind "expected.", gradients as "expected.grad.NAME". Below
f32, torch runs as people train it: weights in f32 under autocast.
"""

import re

import numpy as np

from peers.gpt2 import limit_jax, normalise_in_jax, run_jax_layer, run_torch_layer
from peers.tensors import measure_error, read_tensors

HEAD_SIZES = {64: 16, 384: 64, 768: 64}
LIMITS = {"f32": 1e-4, "bf16": 6e-2}
# The target of a token that does not count.
IGNORED = -100
LINEAR = ("attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj")


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
        return max(measure_error(got[name], want) for name, want in self.expected.items())


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
        return run_torch_layer(
            x, step.heads,
            lambda x, part: F.layer_norm(x, x.shape[-1:], given[f"{name}{part}.weight"], given[f"{name}{part}.bias"], 1e-5),
            lambda x, part: F.linear(x, given[f"{name}{part}.weight"], given[f"{name}{part}.bias"]))

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


def run_jax(step, options):
    limit_jax(options.threads)
    import jax
    import jax.numpy as jnp

    kind = {"f32": jnp.float32, "bf16": jnp.bfloat16}[options.dtype]
    weights = {name: jnp.asarray(step.given[name]) for name in step.params}
    others = {name: jnp.asarray(value) for name, value in step.given.items() if name not in step.params}

    def norm(x, w, name):
        return (normalise_in_jax(x, jnp.float32) * w[name + ".weight"] + w[name + ".bias"]).astype(kind)

    def linear(x, w, name):
        return x @ w[name + ".weight"].astype(kind) + w[name + ".bias"].astype(kind)

    def layer(x, w, name):
        return run_jax_layer(
            x, step.heads, lambda x, part: norm(x, w, name + part), lambda x, part: linear(x, w, name + part))

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


def prepare(options):
    """A call to be timed, a check of its result, and the error that the check allows."""
    step = Step(read_tensors(options.input))
    run, to_numpy = RUNNERS[options.peer](step, options)
    return run, lambda result: step.measure_error(to_numpy(result)), LIMITS[options.dtype]
