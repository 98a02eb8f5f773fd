#!/usr/bin/env python3
#===- make_checkpoints.py - checkpoints with their float64 truth --------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes tiny Hugging Face checkpoints, inputs and the float64 outputs.

  make_checkpoints.py --out DIR [--only NAME]...      the named fixtures
  make_checkpoints.py --out DIR --stress N --seed S   N random configurations

Each checkpoint is a directory with config.json and model.safetensors as
`save_pretrained` writes them, and io.safetensors with the inputs and the
truth. Needs torch and transformers; the fixtures in the tree need neither.
"""

import argparse
import copy
import json
import math
import os
import random
import zlib

import torch
import transformers
from safetensors.torch import load_file, save_file
from torch.overrides import TorchFunctionMode

import families

GAIN = 1.5


class Float64Everywhere(TorchFunctionMode):
    """Turns every request for float32 into one for float64.

    Norms, rotary tables and softmax ask for float32 by name, whatever the
    model's own type is.
    """

    def __torch_function__(self, func, types, args=(), kwargs=None):
        def widen(x):
            return torch.float64 if x is torch.float32 else x

        if func is torch.Tensor.float:
            func = torch.Tensor.double
        kwargs = {k: widen(v) for k, v in (kwargs or {}).items()}
        return func(*map(widen, args), **kwargs)


def exact_buckets(attention_class):
    """T5 truncates a float32 logarithm to find a bucket: that is its meaning,
    not a rounding error, so it stays in float32."""
    plain = attention_class._relative_position_bucket

    def bucket(*args, **kwargs):
        previous = torch.get_default_dtype()
        torch.set_default_dtype(torch.float32)
        try:
            with torch._C.DisableTorchFunction():
                return plain(*args, **kwargs)
        finally:
            torch.set_default_dtype(previous)

    attention_class._relative_position_bucket = staticmethod(bucket)


def fill(model, generator):
    """Weights that hide nothing: gains away from one, biases away from zero,
    branches that move the stream."""
    unit = 0.0 if model.config.model_type in (
        "gemma", "gemma2", "gemma3_text") else 1.0
    tensors = dict(model.named_parameters())
    if "final_logits_bias" in dict(model.named_buffers()):
        tensors["final_logits_bias"] = model.final_logits_bias
    for name, tensor in tensors.items():
        owner = type(model.get_submodule(name.rpartition(".")[0])).__name__
        noise = torch.randn(tensor.shape, generator=generator,
                            dtype=torch.float32)
        if name.endswith("bias"):
            value = 0.3 * noise
        elif "Norm" in owner:
            value = 0.3 * noise + unit
        elif "relative_attention_bias" in name:
            value = 1.5 * noise
        elif "Embedding" in owner:
            value = 0.8 * noise + 0.1
        else:
            fan_in = tensor.shape[0] if owner == "Conv1D" else math.prod(
                tensor.shape[1:])
            value = GAIN * noise / math.sqrt(fan_in)
        with torch.no_grad():
            tensor.copy_(value)


def rewrite_config(directory, legacy, sparse, pattern=None):
    """Writes config.json as an older release would have: `legacy` has the
    rotary settings at the top level, `sparse` leaves every default out."""
    path = os.path.join(directory, "config.json")
    with open(path) as f:
        fields = json.load(f)
    config_class = type(transformers.AutoConfig.from_pretrained(directory))

    def meaning(fields):
        return config_class.from_dict(copy.deepcopy(fields)).to_dict()

    if pattern:
        del fields["layer_types"]
        fields["sliding_window_pattern"] = pattern
    if legacy:
        fields["torch_dtype"] = fields.pop("dtype")
        rope = fields.pop("rope_parameters", None)
        key = "type"
        if rope and "full_attention" in rope:
            key = "rope_type"
            fields["rope_local_base_freq"] = rope["sliding_attention"][
                "rope_theta"]
            rope = rope["full_attention"]
        if rope:
            neox = fields["model_type"] == "gpt_neox"
            fields["rotary_emb_base" if neox else "rope_theta"] = rope.pop(
                "rope_theta")
            share = rope.pop("partial_rotary_factor", None)
            if share is not None:
                fields["rotary_pct" if neox else "partial_rotary_factor"] = (
                    share)
            rope[key] = rope.pop("rope_type")
            fields["rope_scaling"] = (None if rope[key] == "default"
                                      else rope)
    if sparse:
        for key in sorted(set(fields) - {"model_type", "architectures"}):
            rest = {k: v for k, v in fields.items() if k != key}
            try:
                same = meaning(rest) == meaning(fields)
            except Exception:  # the default contradicts the other fields
                same = False
            if same:
                fields = rest
    with open(path, "w") as f:
        json.dump(fields, f, indent=2, sort_keys=True)
        f.write("\n")


def make_inputs(config, options, generator):
    seq = options.get("seq", families.SEQ)
    batch = options.get("batch", families.BATCH)
    if config.model_type == "vit":
        size = config.image_size
        height, width = size if isinstance(size, (list, tuple)) else (size, size)
        return {"pixel_values": torch.randn(
            batch, config.num_channels, height, width, generator=generator,
            dtype=torch.float32)}

    def ids(length):
        return torch.randint(0, config.vocab_size, (batch, length),
                             generator=generator)

    if config.model_type in ("t5", "bart"):
        return {"input_ids": ids(options.get("source_seq", seq)),
                "decoder_input_ids": ids(seq)}
    inputs = {"input_ids": ids(seq)}
    if config.model_type == "roberta" and config.pad_token_id is not None:
        # Positions come from the values of the ids: show padding inside and
        # at the end of a row.
        inputs["input_ids"][0, seq // 3] = config.pad_token_id
        inputs["input_ids"][-1, -2:] = config.pad_token_id
    return inputs


def run(model, inputs):
    with torch.no_grad():
        out = model(**inputs)
    name = "logits" if "logits" in out else "last_hidden_state"
    return name, out[name]


def truth_of(directory, state, inputs):
    """The output in float64, from the files' own configuration."""
    config = transformers.AutoConfig.from_pretrained(directory)
    model_class = getattr(transformers, config.architectures[0])
    previous = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with Float64Everywhere():
            model = model_class(config).double().eval()
            model.load_state_dict({k: v.double() for k, v in state.items()})
            name, value = run(model, inputs)
        branches = smallest_branch(model, inputs)
    finally:
        torch.set_default_dtype(previous)
    assert value.dtype == torch.float64, value.dtype
    return name, value, branches


def smallest_branch(model, inputs):
    """The smallest |layer update| / |layer input| over the layers."""
    ratios = []

    def hook(_, args, kwargs, out):
        before = args[0] if args else kwargs["hidden_states"]
        after = out[0] if isinstance(out, tuple) else out
        ratios.append(((after - before).norm() / before.norm()).item())

    handles = [
        layer.register_forward_hook(hook, with_kwargs=True)
        for name, modules in model.named_modules()
        if isinstance(modules, torch.nn.ModuleList)
        and name.rsplit(".", 1)[-1] in ("h", "layers", "layer", "block",
                                        "blocks")
        for layer in modules if type(layer).__name__.endswith(
            ("Block", "Layer"))]
    with Float64Everywhere():
        run(model, inputs)
    for handle in handles:
        handle.remove()
    return min(ratios) if ratios else float("nan")


def plain_double(directory, inputs):
    """What the library itself gives in double, for the report only."""
    config = transformers.AutoConfig.from_pretrained(directory)
    model_class = getattr(transformers, config.architectures[0])
    model = model_class.from_pretrained(directory, dtype=torch.float32)
    return run(model.double().eval(), inputs)[1]


def relative(a, b):
    return ((a - b).norm() / b.norm()).item()


def write_case(directory, case, seed):
    class_name, keywords, options = case
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    model_class = getattr(transformers, class_name)
    config = model_class.config_class(**json.loads(json.dumps(keywords)))
    model = model_class(config).eval()
    fill(model, generator)
    model.to(getattr(torch, options.get("dtype", "float32")))
    os.makedirs(directory, exist_ok=True)
    model.save_pretrained(directory)
    extra = os.path.join(directory, "generation_config.json")
    if os.path.exists(extra):
        os.remove(extra)
    if options.get("legacy") or options.get("sparse"):
        rewrite_config(directory, options.get("legacy"), options.get("sparse"),
                       options.get("pattern"))
    inputs = make_inputs(config, options, generator)
    if class_name.endswith("EncoderModel"):
        del inputs["decoder_input_ids"]
    name, value, branch = truth_of(directory, model.state_dict(), inputs)
    save_file({**inputs, name: value.contiguous()},
              os.path.join(directory, "io.safetensors"))
    return relative(plain_double(directory, inputs), value), branch, value


def describe(directory):
    lines = [os.path.join(directory, "config.json")]
    weights = load_file(os.path.join(directory, "model.safetensors"))
    for key in sorted(weights):
        shape = "x".join(map(str, weights[key].shape))
        kind = str(weights[key].dtype).removeprefix("torch.")
        lines.append(f"  {key} [{shape}] {kind}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", action="append")
    parser.add_argument("--stress", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rare", action="store_true",
                        help="stress: activations and flags nobody publishes")
    parser.add_argument("--keys", help="write the keys of every file here")
    args = parser.parse_args()
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(1)
    exact_buckets(transformers.models.t5.modeling_t5.T5Attention)
    if args.stress is None:
        cases = {n: c for n, c in families.FIXTURES.items()
                 if not args.only or n in args.only}
        seeds = {n: zlib.crc32(n.encode()) for n in cases}
    else:
        import random_families
        cases, seeds = {}, {}
        for i in range(args.stress):
            seed = args.seed * 1000003 + i
            case = random_families.sample(random.Random(seed), args.rare)
            name = f"{args.seed}-{i:05d}-{case[0]}"
            cases[name], seeds[name] = case, seed
    text = []
    for name, case in cases.items():
        directory = os.path.join(args.out, name)
        error, branch, value = write_case(directory, case, seeds[name])
        size = sum(os.path.getsize(os.path.join(directory, f))
                   for f in os.listdir(directory))
        print(f"{name}: {size} bytes, plain double off by {error:.1e}, "
              f"smallest layer update {branch:.2f}, std {value.std():.2f}",
              flush=True)
        text.append(describe(directory))
    if args.keys:
        with open(args.keys, "w") as f:
            f.write("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
