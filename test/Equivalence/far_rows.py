# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A LayerNorm and the projection that reads it, for rows that are hard to normalise.

Results and gradients of an engine are held against float64, beside those of the norm and
then the projection in the element type, step by step: a fold may not lose digits that
these keep. Rows are equal, nearly equal, far from 0, or have one element that is far from
the others. Gradients are of one kind of rows at a time: of a third of them a day, of all in a full run.
"""

import argparse
import pathlib
import sys

import numpy

import safetensors_io
import tiers
import tools

WIDTH, OUT, DRAWS = 160, 48, 4
EPS = 1e-5
#: The rounding unit of a type, and the largest magnitude that rows of it may have here.
TYPES = {"f32": (2.0**-24, 1e15), "f16": (2.0**-11, 3e4), "bf16": (2.0**-8, 1e15)}
#: Errors may be so many times those of the steps, and a few units more.
FACTOR, UNITS = 4, 6
#: Products of 16 bits by tensor cores have the mean in them: each deviation that it is away from 0 may cost so much.
LOSS = 1e-6

MODEL = """
func.func @main(
    %x: tensor<1xROWSxWIDTHxTYPE> {block.input = "x"}, %g: tensor<WIDTHxTYPE> {block.param = "g"},
    %e: tensor<WIDTHxTYPE> {block.param = "e"}, %w: tensor<OUTxWIDTHxTYPE> {block.param = "w"},
    %b: tensor<OUTxTYPE> {block.param = "b"}) -> (tensor<1xROWSxOUTxTYPE> {block.output = "y"}) {
  %y = block.layer "h.0" at 0 -> tensor<1xROWSxOUTxTYPE> {
    %s:2 = block.norm_stats %x centered : tensor<1xROWSxWIDTHxTYPE>
    %n = block.normalize %x mean %s#0 moment %s#1 GAIN {form = #block.norm<kind = layer, eps = 1.0e-5>} : tensor<1xROWSxWIDTHxTYPE>
    %p = block.linear %n, %w bias %b : (tensor<1xROWSxWIDTHxTYPE>, tensor<OUTxWIDTHxTYPE>, tensor<OUTxTYPE>) -> tensor<1xROWSxOUTxTYPE>
    block.yield %p : tensor<1xROWSxOUTxTYPE>
  }
  return %y : tensor<1xROWSxOUTxTYPE>
}
"""


def round_to(values: numpy.ndarray, dtype: str) -> numpy.ndarray:
    """`values` rounded to `dtype`, as float64."""
    if dtype == "f16":
        return values.astype(numpy.float16).astype(numpy.float64)
    narrow = numpy.asarray(values, numpy.float32)
    if dtype == "bf16":
        bits = narrow.view(numpy.uint32)
        narrow = ((bits + 0x7FFF + ((bits >> 16) & 1)) & numpy.uint32(0xFFFF0000)).view(numpy.float32)
    return narrow.astype(numpy.float64)


def make_rows(dtype: str, random: numpy.random.Generator) -> dict:
    """Rows of each kind, [DRAWS, WIDTH]."""
    unit, most = TYPES[dtype]
    shape = (DRAWS, WIDTH)
    normal = lambda: random.standard_normal(shape)
    kinds = {"usual": 0.2 + normal(), "zeros": numpy.zeros(shape), "denormal": 1e-40 * normal()}
    for far in (100.1, -3e4, 1.0):
        ulp = 2 * unit * 2.0 ** numpy.floor(numpy.log2(abs(far)))
        kinds[f"equal {far}"] = numpy.full(shape, far)
        for units in (1, 2, 3):
            kinds[f"{units} ulps {far}"] = round_to(numpy.full(shape, far), dtype) + ulp * random.integers(0, units + 1, shape)
        one = round_to(numpy.full(shape, far), dtype)
        one[:, 7] += ulp
        kinds[f"one of an ulp {far}"] = one
        for ratio in (1e2, 1e4):
            kinds[f"mean {far} of {ratio:.0e} deviations"] = far + abs(far) / ratio * normal()
    first, huge, both = normal(), normal(), 100.1 + normal()
    first[:, 0] = -1e4
    huge[:, 50] = most
    both[:, 0] = -3e4
    kinds |= {"first far": first, "one huge": huge, "first far of far": both}
    return {kind: round_to(rows, dtype) for kind, rows in kinds.items()}


def compute(x, p, dy, dtype) -> dict:
    """The norm, the projection and their gradients, step by step: exact without a type."""
    number = numpy.float32 if dtype else numpy.float64
    keep = (lambda v: numpy.asarray(round_to(v, dtype), number)) if dtype else (lambda v: v)
    x, dy = number(x), number(dy)
    g, e, w, b = (number(p[name]) for name in "gewb")
    mean = x.mean(axis=1, keepdims=True, dtype=numpy.float64).astype(number)
    far = x - mean
    moment = numpy.mean(far * far, axis=1, keepdims=True, dtype=numpy.float64).astype(number)
    r = 1 / numpy.sqrt(moment + number(EPS))
    hat = far * r
    n = keep(hat * g + e)
    dn = keep(dy @ w)
    dhat = dn * g
    dx = r * (dhat - dhat.mean(axis=1, keepdims=True) - hat * (dhat * hat).mean(axis=1, keepdims=True))
    found = {"y": n @ w.T + b, "x": dx, "w": dy.T @ n, "g": (dn * hat).sum(axis=0), "e": dn.sum(axis=0)}
    return {name: numpy.float64(keep(value)) for name, value in found.items()}


class Case:
    """The model of one type and its data, as files."""

    def __init__(self, dtype: str, options: argparse.Namespace) -> None:
        self.dtype, self.options = dtype, options
        random = numpy.random.default_rng(7)
        self.kinds = make_rows(dtype, random)
        self.rows = len(self.kinds) * DRAWS
        drawn = {"g": 1 + 0.2 * random.standard_normal(WIDTH), "e": 0.1 * random.standard_normal(WIDTH),
                 "w": random.standard_normal((OUT, WIDTH)) / WIDTH**0.5, "b": 0.1 * random.standard_normal(OUT)}
        self.params = {name: round_to(values, dtype) for name, values in drawn.items()}
        if options.order == "fold-first":
            self.params |= {"g": numpy.ones(WIDTH), "e": numpy.zeros(WIDTH)}
        self.dy = round_to(random.standard_normal((self.rows, OUT)), dtype)
        self.stem = options.folder / f"{dtype}-{options.engine}-{options.order}"
        self.model, self.prepared = self.stem.with_suffix(".mlir"), self.stem.with_suffix(".run.mlir")

    def prepare(self) -> None:
        text = MODEL.replace("ROWS", str(self.rows if self.options.order == "forward" else DRAWS))
        # Gains of a gradient that is of a fold are no work on weights alone, which the CPU has no code for.
        text = text.replace("GAIN", "" if self.options.order == "fold-first" else "gamma %g beta %e")
        text = text.replace("WIDTH", str(WIDTH)).replace("OUT", str(OUT)).replace("TYPE", self.dtype)
        self.model.write_text(text, encoding="utf-8")
        differentiate = "--block-differentiate=wrt=all loss=sum"
        optimize = "--block-optimize" + (f"=chip={self.options.chip}" if self.options.chip else "")
        passes = {"forward": [optimize], "step": [differentiate, optimize],
                  "fold-first": ["--block-fold-norm", differentiate, optimize]}[self.options.order]
        tools.run("block-opt", self.model, *passes, "-o", self.prepared)
        if self.options.order != "step":
            whole = self.prepared.read_text(encoding="utf-8")
            if "deferred_norm" not in whole:
                raise tools.Failure("the norm was not folded")

    def execute(self, x: numpy.ndarray, dy: numpy.ndarray) -> dict:
        inputs, weights, outputs = (self.stem.with_suffix(f".{name}.safetensors") for name in ("in", "weights", "out"))
        own = numpy.float32 if self.dtype != "f16" else numpy.float16
        data = {"x": x[None].astype(own)}
        function = []
        if self.options.order != "forward":
            data["grad.y"] = dy[None].astype(own)
            function = ["--function=main_step"]
        safetensors_io.write(inputs, data)
        safetensors_io.write(weights, {name: values.astype(own) for name, values in self.params.items()})
        engine = [f"--engine={self.options.engine}"] + ([f"--chip={self.options.chip}"] if self.options.chip else [])
        tools.run("block-run", self.prepared, *engine, *function, f"--inputs={inputs}", f"--weights={weights}",
                  f"--outputs={outputs}")
        found = safetensors_io.read(outputs)
        return {name.removeprefix("grad."): numpy.float64(values).reshape(values.shape[-2:] if values.ndim == 3 else values.shape)
                for name, values in found.items()}

    def check(self) -> list:
        """Complaints about each kind of rows."""
        self.prepare()
        complaints = []
        alone = self.execute(numpy.concatenate(list(self.kinds.values())), self.dy) if self.options.order == "forward" else {}
        numbered = list(enumerate(self.kinds.items()))
        for number, (kind, x) in numbered if alone else tiers.take_turn(numbered, 3, list(TYPES).index(self.dtype)):
            own = slice(number * DRAWS, (number + 1) * DRAWS)
            found = {"y": alone["y"][own]} if alone else self.execute(x, self.dy[own])
            exact = compute(x, self.params, self.dy[own], "")
            steps = compute(x, self.params, self.dy[own], self.dtype)
            for name, values in found.items():
                if name not in exact or (self.options.order == "fold-first" and name in "ge"):
                    continue
                norm = numpy.linalg.norm(exact[name])
                # Elements that are all exactly 0 leave no scale but that of what they come from.
                scale = norm if norm > 1e-30 else 1.0
                error, usual = (numpy.linalg.norm(v - exact[name]) / scale for v in (values, steps[name]))
                limit = FACTOR * usual + UNITS * TYPES[self.dtype][0]
                if self.options.chip and self.dtype != "f32":
                    limit += LOSS * float(numpy.max(numpy.abs(x.mean(axis=1)) / numpy.sqrt(x.var(axis=1) + EPS)))
                line = f"{self.dtype} {name} {kind}: {error:.1e}, in steps {usual:.1e}"
                if self.options.verbose:
                    print(line)
                if not error <= limit:
                    complaints.append(line)
        return complaints


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--engine", default="cpu")
    parser.add_argument("--chip", default="")
    parser.add_argument("--types", default="f32,f16,bf16")
    parser.add_argument("--order", default="forward", choices=("forward", "step", "fold-first"))
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    complaints = [complaint for dtype in options.types.split(",") for complaint in Case(dtype, options).check()]
    for complaint in complaints:
        print(f"FAILED {complaint}")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
