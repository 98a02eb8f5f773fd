# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the models of jax_models.py as StableHLO, and by IREE as linalg."""

import pathlib
import subprocess
import sys

import jax
import jax.numpy as jnp
from jax import export

from jax_models import MODELS, NARROW


def lower(make, dtype=None, literal=False, is_open=False):
    function, inputs, weights = make()
    if dtype:
        inputs, weights = jax.tree.map(
            lambda x: x.astype(dtype) if jnp.issubdtype(x.dtype, jnp.floating) else x,
            (inputs, weights))
    if literal:
        return jax.jit(lambda *args: function(*args, weights)).lower(*inputs).as_text()
    if is_open:
        (batch,) = export.symbolic_shape("b")
        shapes = [jax.ShapeDtypeStruct((batch, *x.shape[1:]), x.dtype) for x in inputs]
        given = jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), weights)
        return export.export(jax.jit(function))(*shapes, given).mlir_module()
    return jax.jit(function).lower(*inputs, weights).as_text()


def convert_by_iree(text):
    tool = pathlib.Path(sys.executable).with_name("iree-opt")
    done = subprocess.run([tool, "--iree-stablehlo-input-transformation-pipeline"], input=text,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[0])
    return done.stdout


def list_cases():
    for name, make in MODELS.items():
        yield f"jax-{name}-stablehlo-args", lambda m=make: lower(m)
        yield f"jax-{name}-stablehlo-literal", lambda m=make: lower(m, literal=True)
        yield f"jax-{name}-iree-args", lambda m=make: convert_by_iree(lower(m))
        yield f"jax-{name}-iree-literal", lambda m=make: convert_by_iree(lower(m, literal=True))
        if name not in ("nnx", "equinox"):
            yield f"jax-{name}-stablehlo-open", lambda m=make: lower(m, is_open=True)
    for name in NARROW:
        make = MODELS[name]
        yield f"jax-{name}-stablehlo-bf16", lambda m=make: lower(m, jnp.bfloat16)
        yield f"jax-{name}-iree-bf16", lambda m=make: convert_by_iree(lower(m, jnp.bfloat16))
