# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of 64 squarings, whose values have 2^64 ways to the first one, through every walk over operands and uses.

A walk that looks at a value once takes milliseconds, another one does not end.
"""

import argparse
import pathlib
import subprocess
import sys
import time

LIMIT = 60
DATA = "tensor<2x4x16xf32>"
SQUARE = "tensor<16x16xf32>"


def repeat(start: str, *steps: str, name: str = "h") -> tuple[str, str]:
    """64 times the steps, of which the last makes a value of `{h}`, that of the time before; `{n}` is the number."""
    lines, value = [], start
    for number in range(64):
        *before, last = (step.format(h=value, n=number) for step in steps)
        value = f"%{name}{number}"
        lines += [f"  {line}" for line in before]
        lines.append(f"  {value} = {last}")
    return "\n".join(lines), value


def function(arguments: str, body: str, value: str, type: str = DATA) -> str:
    return f'func.func @main({arguments}) -> ({type} {{block.output = "y"}}) {{\n{body}\n  return {value} : {type}\n}}\n'


def on_data(*steps: str, before: str = "", last: str = "") -> str:
    """Steps between two projections, of ops that block-raise reads."""
    rows, wide = "tensor<8x16xf32>", DATA
    collapse = f"tensor.collapse_shape {{0}} [[0, 1], [2]] : {wide} into {rows}"
    expand = f"tensor.expand_shape {{0}} [[0, 1], [2]] output_shape [2, 4, 16] : {rows} into {wide}"
    product = f"linalg.matmul ins({{0}}, {{1}} : {rows}, {SQUARE}) outs(%zero : {rows}) -> {rows}"
    body, value = repeat("%p", *steps)
    lines = [
        f"  %zero = arith.constant dense<0.0> : {rows}",
        f"  %tenth = arith.constant dense<0.1> : {wide}",
        f"  %r = {collapse.format('%x')}",
        f"  %m = {product.format('%r', '%w')}",
        f"  %p = {expand.format('%m')}",
        before,
        body,
        last.format(h=value),
    ]
    value = "%last" if last else value
    lines += [f"  %s = {collapse.format(value)}", f"  %q = {product.format('%s', '%o')}", f"  %y = {expand.format('%q')}"]
    weights = f'%w: {SQUARE} {{block.param = "w"}}, %o: {SQUARE} {{block.param = "o"}}'
    return function(f'%x: {DATA} {{block.input = "x"}}, {weights}', "\n".join(lines), "%y")


def on_weights(*steps: str, norm: bool = False) -> str:
    """A projection by what 64 steps make of a weight, perhaps behind a norm."""
    body, value = repeat("%w", *steps)
    statistics = "tensor<2x4x1xf32>"
    lines = [f'  %y = block.layer "h.0" at 0 -> {DATA} {{']
    source = "%x"
    if norm:
        source = "%n"
        lines += [
            f"  %s:2 = block.norm_stats %x centered : ({DATA}) -> ({statistics}, {statistics})",
            f"  %n = block.normalize %x mean %s#0 moment %s#1 gamma %g {{form = #block.norm<kind = layer, eps = 1.0e-5>}} : ({DATA}, {statistics}, {statistics}, tensor<16xf32>) -> {DATA}",
        ]
    lines += [f"  %a = block.linear {source}, {value} : ({DATA}, {SQUARE}) -> {DATA}", f"  block.yield %a : {DATA}", "  }"]
    gain = ', %g: tensor<16xf32> {block.param = "g"}' if norm else ""
    return function(
        f'%x: {DATA} {{block.input = "x"}}, %w: {SQUARE} {{block.param = "w"}}{gain}', body + "\n" + "\n".join(lines), "%y"
    )


def on_gates() -> str:
    """Gates of gates between two projections of a layer."""
    body, value = repeat("%p", f"block.gate {{h}}, {{h}} {{{{kind = #block.activation<silu>}}}} : {DATA}")
    lines = [
        f'  %y = block.layer "h.0" at 0 -> {DATA} {{',
        f"  %p = block.linear %x, %w : ({DATA}, {SQUARE}) -> {DATA}",
        body,
        f"  %a = block.linear {value}, %o : ({DATA}, {SQUARE}) -> {DATA}",
        f"  block.yield %a : {DATA}",
        "  }",
    ]
    weights = f'%w: {SQUARE} {{block.param = "w"}}, %o: {SQUARE} {{block.param = "o"}}'
    return function(f'%x: {DATA} {{block.input = "x"}}, {weights}', "\n".join(lines), "%y")


def on_numbers() -> str:
    """A place in a table that 64 steps on a whole number choose."""
    body, value = repeat("%h", "%m{n} = arith.muli {h}, {h} : i64", "arith.andi %m{n}, %seven : i64")
    lines = [
        "  %zero = arith.constant 0 : index",
        "  %seven = arith.constant 7 : i64",
        "  %h = tensor.extract %i[%zero] : tensor<1xi64>",
        body,
        f"  %at = arith.index_cast {value} : i64 to index",
        "  %part = tensor.extract_slice %t[%at, 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<1x16xf32>",
        "  %y = math.sqrt %part : tensor<1x16xf32>",
    ]
    arguments = '%t: tensor<8x16xf32> {block.input = "t"}, %i: tensor<1xi64> {block.input = "i"}'
    return function(arguments, "\n".join(lines), "%y", "tensor<1x16xf32>")


def on_sizes() -> str:
    """A tensor of a size that 64 steps compute of that of the input."""
    body, value = repeat("%n", "%m{n} = arith.muli {h}, {h} : index", "arith.ceildivui %m{n}, %n : index")
    lines = [
        "  %zero = arith.constant 0 : index",
        "  %n = tensor.dim %x, %zero : tensor<?xf32>",
        body,
        f"  %part = tensor.extract_slice %x[0] [{value}] [1] : tensor<?xf32> to tensor<?xf32>",
        "  %y = math.sqrt %part : tensor<?xf32>",
    ]
    arguments = '%x: tensor<?xf32> {block.input = "x", block.dims = ["n"]}'
    return function(arguments, "\n".join(lines), "%y", "tensor<?xf32>")


def on_masks() -> str:
    """Numbers that 64 conditions choose, and numbers that hide rows."""
    truth = "tensor<2x4x16xi1>"
    conditions, condition = repeat("%c", f"arith.ori {{h}}, {{h}} : {truth}", name="t")
    lines = [
        f"  %none = arith.constant dense<0xFF800000> : {DATA}",
        f"  %c = arith.cmpf ogt, %x, %p : {DATA}",
        conditions,
    ]
    chosen = f"  %last = arith.select {condition}, {{h}}, %none : {truth}, {DATA}"
    return on_data(f"arith.maximumf {{h}}, {{h}} : {DATA}", before="\n".join(lines), last=chosen)


def halves() -> str:
    """A weight that is doubled and cut in the middle, again and again."""
    double = "tensor<32x16xf32>"
    return on_weights(
        f"%d{{n}} = tensor.concat dim(0) {{h}}, {{h}} : ({SQUARE}, {SQUARE}) -> {double}",
        f"tensor.extract_slice %d{{n}}[8, 0] [16, 16] [1, 1] : {double} to {SQUARE}",
    )


WEIGHT_SQUARE = f"arith.mulf {{h}}, {{h}} : {SQUARE}"
SCAN = (
    f"%a{{n}} = arith.mulf {{h}}, {{h}} : {DATA}",
    f"%b{{n}} = arith.mulf %a{{n}}, %tenth : {DATA}",
    f"arith.addf %b{{n}}, %x : {DATA}",
)

#: Name, module, command, and what the command is refused with, if it is.
CASES = [
    ("raise squares", on_data(f"arith.mulf {{h}}, {{h}} : {DATA}"), "block-opt F --block-raise", None),
    ("raise sums", on_data(f"arith.addf {{h}}, {{h}} : {DATA}"), "block-opt F --block-raise", None),
    ("raise scans", on_data(*SCAN), "block-opt F --block-raise", None),
    ("raise maxima", on_data(f"arith.maximumf {{h}}, {{h}} : {DATA}"), "block-opt F --block-raise", None),
    ("raise masks", on_masks(), "block-opt F --block-raise", None),
    ("kernels of data", on_data(*SCAN), "block-opt F --block-raise --block-optimize", None),
    ("cpu", on_data(*SCAN), "block-run F --engine=cpu --seed=1 --baseline=F", None),
    ("emulator", on_data(*SCAN), "block-run F --engine=emulate --chip=sm_80 --seed=1 --baseline=F", None),
    ("report weights", on_weights(WEIGHT_SQUARE), "block-opt F --block-report", None),
    ("fold a norm", on_weights(WEIGHT_SQUARE, norm=True), "block-opt F --block-fold-norm", None),
    ("prepack", on_weights(WEIGHT_SQUARE, norm=True), "block-opt F --block-prepack", None),
    ("quantise", on_weights(WEIGHT_SQUARE), "block-opt F --block-quantize=form=int8", None),
    ("differentiate", on_weights(WEIGHT_SQUARE, norm=True), "block-opt F --block-differentiate=wrt=inputs_loss=sum", None),
    ("optimise weights", on_weights(WEIGHT_SQUARE, norm=True), "block-opt F --block-optimize", None),
    ("shard", on_gates(), "block-opt F --block-shard=ranks=2", None),
    ("kernels of gates", on_gates(), "block-opt F --block-form-kernels", None),
    ("numbers", on_numbers(), "block-opt F --block-form-leftovers", None),
    ("numbers on the cpu", on_numbers(), "block-run F --engine=cpu --seed=1 --baseline=F", None),
    ("sizes on gpus", on_sizes(), "block-opt F --block-to-gpu=chip=sm_80", None),
    ("halves", halves(), "block-run F --engine=cpu --seed=1", "elements of others"),
]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--limit", type=float, default=LIMIT)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for number, (name, text, command, refusal) in enumerate(CASES):
        if options.only not in name:
            continue
        path = options.folder / f"{number}.mlir"
        path.write_text(text)
        words = [word.replace("F", str(path), 1) if word in ("F", "--baseline=F") else word for word in command.split()]
        words = [word.replace("_loss", " loss") for word in words]
        start, problem = time.monotonic(), ""
        try:
            run = subprocess.run(words, capture_output=True, text=True, timeout=options.limit)
            said = run.stderr.strip()
            if refusal is None and run.returncode != 0:
                problem = f"exit {run.returncode}: {said[:2000]}"
            elif refusal is not None and (run.returncode != 1 or refusal not in said):
                problem = f"expected '{refusal}', got exit {run.returncode}: {said[:2000]}"
        except subprocess.TimeoutExpired:
            problem = f"did not end in {options.limit:g} s"
        print(f"{name}: {problem or 'ok'} ({time.monotonic() - start:.1f} s)")
        failed += bool(problem)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
