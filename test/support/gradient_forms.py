# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms and shapes of block.sdpa_grad, for tests of engines."""

import dataclasses
import re

import numpy as np
import safetensors_io


@dataclasses.dataclass
class Shape:
    batch: int = 2
    queries: int = 37
    keys: int = 37
    heads: int = 4
    kv_heads: int = 2
    size: int = 16
    value_size: int = 16
    past: int = 37  # if there are past keys
    is_open: bool = False  # batch rows, queries and keys are known when it runs


@dataclasses.dataclass
class Form:
    scores: str = ""
    operands: tuple = ()  # of `kinds`
    buckets: str = ""
    same_length: bool = False
    rate: float = 0


CAPS = [f"softcap = 1.5, order = {order}" for order in ("scale_bias_cap", "bias_scale_cap", "scale_cap_bias")]
TABLE = "#block.buckets<max_distance = 16, bidirectional = true>"
FORMS = [
    Form(),
    Form("causal = true", same_length=True),
    Form("causal = true, window = 7", same_length=True),
    Form("window = 5"),
    Form("softcap = 1.5"),
    *(Form(cap, ("relative_table",), TABLE) for cap in CAPS),
    Form("order = bias_scale_cap", ("relative_table",), TABLE),
    Form("alibi_max = 8.0, causal = true", same_length=True),
    Form("alibi_max = 8.0, alibi_type = bf16, causal = true", same_length=True),
    Form("alibi_max = 8.0", ("slopes",)),
    Form("causal = true", ("lengths",), same_length=True),
    Form("", ("lengths",)),
    Form("", ("shaw_key", "shaw_value"), same_length=True),
    Form("causal = true", ("shaw_value", "beta"), same_length=True),
    Form("causal = true", ("alpha", "beta", "gamma"), same_length=True),
    Form("", ("lengths", "gamma"), same_length=True),
    Form("", ("score_bias",)),
    Form("softcap = 2.0", ("score_bias_of_heads",)),
    Form("causal = true", ("score_bias_of_keys",), same_length=True),
    Form("causal = true", ("cu_seqlens",), same_length=True),
    Form("window = 5", ("shaw_key", "gamma", "cu_seqlens"), same_length=True),
    Form("causal = true", ("seed",), same_length=True, rate=0.1),
    Form("softcap = 1.5", ("relative_table", "shaw_value", "beta", "gamma", "seed"), TABLE, True, 0.5),
    Form("", ("score_bias", "seed"), rate=0.25),
    Form("causal = true", ("sinks",), same_length=True),
    Form("window = 5", ("lengths", "sinks")),
    Form("softcap = 1.5", ("relative_table", "beta", "gamma", "seed", "one_sink"), TABLE, True, 0.5),
    Form("softcap = 1.5", ("shaw_key", "shaw_value", "seed"), same_length=True, rate=0.5),
]
PAST = ("past_key", "past_value")
PAST_FORMS = [
    Form("causal = true", PAST),
    Form("causal = true, window = 7", PAST),
    Form("window = 5", ("lengths", *PAST)),
    Form("", ("lengths", "beta", "gamma", *PAST)),
    Form("causal = true", ("alpha", "gamma", *PAST), same_length=True),
    Form("alibi_max = 8.0, causal = true", PAST),
    Form("softcap = 1.5", ("relative_table", *PAST), TABLE),
    Form("causal = true", ("score_bias", "seed", "sinks", *PAST), rate=0.25),
    Form("causal = true", ("shaw_key", "shaw_value", "beta", "seed", *PAST), rate=0.25),
]
# Of these, kernels of tables and biases have sizes of their own.
OPEN_FORMS = [
    Form("order = bias_scale_cap", ("relative_table",), TABLE),
    Form("softcap = 1.5, order = scale_bias_cap", ("relative_table", "seed"), TABLE, rate=0.25),
    Form("softcap = 1.5", ("relative_table", *PAST), TABLE),
    Form("causal = true", PAST),
    Form("", ("score_bias",)),
    Form("softcap = 2.0", ("score_bias_of_heads",)),
    Form("", ("score_bias_of_keys", "lengths")),
    Form("", ("score_bias_of_one",)),
]
SHAPES = [
    Shape(),
    Shape(queries=1, keys=70),
    Shape(queries=1, keys=1, heads=2, kv_heads=2),
    Shape(batch=1, queries=133, keys=133, heads=2, kv_heads=1, size=24, value_size=40),
    Shape(batch=1, queries=35, keys=150, heads=3, kv_heads=3, size=5, value_size=7),
    Shape(batch=1, queries=66, keys=66, heads=2, kv_heads=2, size=128, value_size=128),
]
ORDER = ["query", "key", "value", "lengths", "relative_table", "shaw_key", "shaw_value", "alpha", "beta", "gamma",
         "past_key", "past_value", "slopes", "score_bias", "cu_seqlens", "seed", "sinks"]
WORDS = {"relative_table": "relative"}
# Names of sizes that may be open, of each dimension; - for one that is not. A bias of scores beside past keys has none.
OPEN = {"query": "bq", "dy": "bq", "key": "bk", "value": "bk", "past_key": "bp", "past_value": "bp", "lengths": "b",
        "score_bias": "b-qk", "score_bias_of_heads": "--qk", "score_bias_of_keys": "b--k", "score_bias_of_one": "o-qk"}
TYPES = ["f32", "bf16", "f16"]
NO_GRADIENT = ("lengths", "slopes", "cu_seqlens", "seed")


def operand_types(form, shape, dtype):
    s, keys = shape, shape.keys + (shape.past if "past_key" in form.operands else 0)
    types = {
        "query": f"{s.batch}x{s.queries}x{s.heads * s.size}x{dtype}",
        "key": f"{s.batch}x{s.keys}x{s.kv_heads * s.size}x{dtype}",
        "value": f"{s.batch}x{s.keys}x{s.kv_heads * s.value_size}x{dtype}",
    }
    kinds = {
        "lengths": ("lengths", f"{s.batch}xi64"),
        "relative_table": ("relative_table", f"8x{s.heads}x{dtype}"),
        "shaw_key": ("shaw_key", f"7x{s.size}x{dtype}"),
        "shaw_value": ("shaw_value", f"9x{s.value_size}x{dtype}"),
        "alpha": ("alpha", f"{s.heads}xf32"),
        "beta": ("beta", f"{s.heads}xf32"),
        "gamma": ("gamma", "1xf32"),
        "past_key": ("past_key", f"{s.batch}x{s.past}x{s.kv_heads * s.size}x{dtype}"),
        "past_value": ("past_value", f"{s.batch}x{s.past}x{s.kv_heads * s.value_size}x{dtype}"),
        "slopes": ("slopes", f"{s.heads}xf32"),
        "score_bias": ("score_bias", f"{s.batch}x{s.heads}x{s.queries}x{keys}x{dtype}"),
        "score_bias_of_heads": ("score_bias", f"1x{s.heads}x{s.queries}x{keys}x{dtype}"),
        "score_bias_of_one": ("score_bias", f"1x{s.heads}x{s.queries}x{keys}x{dtype}"),
        "score_bias_of_keys": ("score_bias", f"{s.batch}x1x1x{keys}x{dtype}"),
        "cu_seqlens": ("cu_seqlens", "5xi64"),
        "seed": ("seed", "1xi64"),
        "sinks": ("sinks", f"{s.heads}xf32"),
        "one_sink": ("sinks", f"1x{dtype}"),
    }
    for operand in form.operands:
        name, text = kinds[operand]
        types[name] = text
    types = {name: f"tensor<{types[name]}>" for name in ORDER if name in types}
    return {name: open_type(text, name_dims(name, form, shape)) for name, text in types.items()}


def name_dims(name, form, shape):
    """The names of a tensor's first sizes, as in OPEN."""
    kind = next((kind for kind in form.operands if name == "score_bias" and kind.startswith(name)), name)
    return OPEN.get(kind, "") if shape.is_open else ""


def open_type(text, names):
    """The type of a tensor whose sizes with these names are open."""
    sizes = text.removeprefix("tensor<").split("x", len(names))
    opened = [size if name == "-" else "?" for size, name in zip(sizes, names)]
    return f"tensor<{'x'.join([*opened, *sizes[len(names):]])}"


def write_dims(form, shape):
    """A comment with the option that gives open sizes."""
    others = f",p={shape.past}" if "past_key" in form.operands else ",o=1" if "score_bias_of_one" in form.operands else ""
    return f"// --dims=b={shape.batch},q={shape.queries},k={shape.keys}{others}\n" if shape.is_open else ""


def read_dims(text):
    """The options of such a comment."""
    return re.findall(r"^// (--dims=\S+)$", text, re.MULTILINE)


def write_inputs(path, text, changes):
    """Writes inputs of `text`, normal values times a factor plus an offset: `changes` has both by their name."""
    generator = np.random.default_rng(7)
    shapes = dict(re.findall(r"%(\w+): tensor<([0-9x]+)x\w+> \{block.input", text))
    safetensors_io.write(path, {
        name: (generator.standard_normal([int(size) for size in shapes[name].split("x")]) * factor + offset)
        .astype(np.float32) for name, (factor, offset) in changes.items()})


def write(form, shape, dtype, forward=False, share=1.0, by=None):
    """The gradients, or those by operands in `by` alone; if `forward`, behind the attention that they are of, by what
    `dy` and its result times `share` add to."""
    def dims(name):
        sizes = ", ".join(f'"{size}"' for size in name_dims(name, form, shape) if size != "-")
        return f", block.dims = [{sizes}]" if sizes else ""

    types = operand_types(form, shape, dtype)
    gradient = open_type(f"tensor<{shape.batch}x{shape.queries}x{shape.heads * shape.value_size}x{dtype}>",
                         name_dims("dy", form, shape))
    wrt = [name for name in types if name not in NO_GRADIENT and name in (by or types)]
    arguments = ", ".join(f'%{name}: {text} {{block.input = "{name}"{dims(name)}}}'
                          for name, text in {"dy": gradient, **types}.items())
    words = " ".join(f"{WORDS.get(name, name)} %{name}" for name in types if name not in ("query", "key", "value"))
    scores = ", ".join(part for part in ("scale = 0.3", form.scores) if part)
    buckets = f", buckets = {form.buckets}" if form.buckets else ""
    dropout = f", dropout = #block.dropout<rate = {form.rate}, site = 3>" if form.rate else ""
    outputs = ", ".join(f'{types[name]} {{block.output = "d_{name}"}}' for name in wrt)
    results = ", ".join(types[name] for name in wrt)
    inner = ", ".join([gradient, *types.values()])
    names = ", ".join(f'"{name}"' for name in wrt)
    many = f"%r:{len(wrt)}"
    returned = ", ".join(f"%r#{number}" for number in range(len(wrt)))
    attention = ""
    if forward:
        attention = f"""  %y = block.sdpa %query, %key, %value {words} {{heads = {shape.heads} : i64,
    kv_heads = {shape.kv_heads} : i64, scores = #block.scores<{scores}>{buckets}{dropout}}}
    : ({", ".join(types.values())}) -> {gradient}
  %s = block.scale %y {{factor = {share:e} : f64}} : {gradient}
  %g = block.residual %dy, %s : {gradient}
"""
        outputs = f'{gradient} {{block.output = "y"}}, {outputs}'
        results, returned = f"{gradient}, {results}", f"%y, {returned}"
    made = ", ".join(types[name] for name in wrt)
    return f"""{write_dims(form, shape)}func.func @main({arguments}) -> ({outputs}) {{
{attention}  {many} = block.sdpa_grad {"%g" if forward else "%dy"} of %query, %key, %value {words} {{wrt = [{names}], heads = {shape.heads} : i64,
    kv_heads = {shape.kv_heads} : i64, scores = #block.scores<{scores}>{buckets}{dropout}}} : ({inner}) -> ({made})
  return {returned} : {results}
}}
"""
