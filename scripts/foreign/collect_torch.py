# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the models of torch_models.py by torch-mlir."""

import contextlib
import io
import warnings

import torch
from torch.func import functional_call
from torch_mlir import fx

from torch_models import MODELS, NARROW, OPEN
from torch_parts import reset

OUTPUTS = {"linalg": "linalg-on-tensors", "tosa": "tosa", "stablehlo": "stablehlo"}


class WeightsAsArguments(torch.nn.Module):
    """Takes the weights of `model` behind its inputs."""

    def __init__(self, model, num_inputs):
        super().__init__()
        self.held = [model]
        self.names = [name for name, _ in model.named_parameters()]
        self.num_inputs = num_inputs

    def forward(self, *args):
        weights = dict(zip(self.names, args[self.num_inputs:]))
        return functional_call(self.held[0], weights, args[:self.num_inputs], strict=False)


def export(model, inputs, output, dims=None):
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        module = fx.export_and_import(model, *inputs, output_type=OUTPUTS[output],
                                      func_name="main", dynamic_shapes=dims)
    return str(module.operation.get_asm())


def list_cases():
    """(name, what returns the text) of each file."""
    for name, (make, make_inputs) in MODELS.items():
        for output in OUTPUTS:
            yield f"tm-{name}-{output}-args", lambda m=make, i=make_inputs, o=output: as_arguments(m, i, o)
            yield f"tm-{name}-{output}-literal", lambda m=make, i=make_inputs, o=output: as_literals(m, i, o)
    for name in NARROW:
        make, make_inputs = MODELS[name]
        for output in ("linalg", "stablehlo"):
            yield (f"tm-{name}-{output}-bf16",
                   lambda m=make, i=make_inputs, o=output: as_arguments(m, i, o, torch.bfloat16))
    for name in OPEN:
        make, make_inputs = MODELS[name]
        for output in ("linalg", "stablehlo"):
            yield (f"tm-{name}-{output}-open",
                   lambda m=make, i=make_inputs, o=output: as_literals(m, i, o, is_open=True))


def build(make, make_inputs, dtype):
    torch.manual_seed(1)
    model = reset(make())
    inputs = make_inputs()
    if dtype:
        model = model.to(dtype)
        inputs = tuple(x.to(dtype) if x.is_floating_point() else x for x in inputs)
    return model, inputs


def as_arguments(make, make_inputs, output, dtype=None):
    model, inputs = build(make, make_inputs, dtype)
    weights = tuple(p.detach() for _, p in model.named_parameters())
    return export(WeightsAsArguments(model, len(inputs)), inputs + weights, output)


def as_literals(make, make_inputs, output, dtype=None, is_open=False):
    model, inputs = build(make, make_inputs, dtype)
    dims = None
    if is_open:
        batch = torch.export.Dim("batch", min=2, max=64)
        dims = tuple({0: batch} for _ in inputs)
    return export(model, inputs, output, dims)
