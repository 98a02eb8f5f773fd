# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of training on the CPU engine, held against the reference engine.

usage: steps.py FOLDER [FAMILY...]

Every form of each op that the tests of block-differentiate write, for several processors; and the families' steps, as
they are and after --block-optimize, in f32 and bf16, in two halves and within budgets of memory. Neither threads nor
budgets change a bit. Without families it is the forms alone, and "all" are all families; FAMILY+dropout drops elements
at random. With PARABLOCK_FULL in the environment forms have all processors rather than two in turn, and families a
budget in the middle.
"""

import importlib.util
import itertools
import pathlib
import shutil
import sys

import engine_cases
import kept_code
import tiers
from tools import require as run

HERE = pathlib.Path(__file__).resolve().parent
SPLIT = importlib.util.spec_from_file_location("split", HERE.parent / "Transforms" / "block-split-step" / "halves.py")
split = importlib.util.module_from_spec(SPLIT)
SPLIT.loader.exec_module(split)
SIZES = "--layers=2 --width=64 --heads=4 --vocab=97 --positions=24 --batch=2 --seq=17".split()
FORMS = {"activations": "sum", "norms": "sum", "elements": "sum", "projections": "sum", "layouts": "sum",
         "embeddings": "sum", "rotations": "sum", "loss": "total"}
OTHER_PROCESSORS = ["x86-64-v3", "x86-64"]
THREADS = [1, 2, 3, 8]


def compute(step, function, *flags, anew=False):
    """On the CPU engine; what is done again, on other threads, is compiled once unless told otherwise."""
    kept = [] if anew else kept_code.make_flags(step.parent / "codes")
    return run("block-run", step, "--engine=cpu", *kept, f"--function={function}", "--seed=1", *flags)


def check(step, *flags, function="main_step"):
    """The number of results that agree."""
    found = compute(step, function, "--check-against=reference", *flags)
    if "PASS" not in found:
        sys.exit(f"{step}: no result was checked\n{found}")
    return found.count("PASS")


def check_threads(step, stem):
    """Results are the same bit for bit, whatever the number of threads."""
    first = None
    for threads in THREADS:
        output = stem.with_suffix(".safetensors")
        # As many threads compile the code, which is to be the same.
        compute(step, "main_step", f"--threads={threads}", f"--outputs={output}", anew=threads == THREADS[-1])
        found = output.read_bytes()
        first = first or found
        if found != first:
            sys.exit(f"{step}: {threads} threads change the results of one")


def check_halves(step, stem):
    """Forward and backward by themselves, the one with what the other saved."""
    halves, given, saved = (stem.with_suffix(kind) for kind in (".halves.mlir", ".given", ".saved"))
    run("block-opt", step, "--block-split-step", "-o", halves)
    inputs = split.draw_inputs(halves)
    split.write(given, inputs)
    checked = check(halves, f"--inputs={given}", f"--outputs={saved}", function="main_forward")
    split.write(given, {**inputs, **split.read(saved)})
    return checked + check(halves, f"--inputs={given}", function="main_backward")


def check_budgets(step, stem):
    """Gradients within a budget of memory are the same bit for bit, and so is what the first half gives."""
    kept = None
    for budget in ("100%", "40%", "min") if tiers.FULL else ("100%", "min"):
        less, output = stem.with_suffix(".less.mlir"), stem.with_suffix(".safetensors")
        run("block-opt", step, f"--block-checkpoint=memory-budget={budget}", "--block-split-step", "-o", less)
        compute(less, "main_step", f"--outputs={output}")
        found = split.read(output)
        kept = kept or found
        if found != kept:
            sys.exit(f"{step}: the budget {budget} changes results")
        compute(less, "main_forward", f"--outputs={output}")
        half = split.read(output)
        if any(half[name] != kept[name] for name in half.keys() & kept.keys()) or not half.keys() & kept.keys():
            sys.exit(f"{step}: the first half within {budget} has other results")


def check_forms(folder):
    checked, others = 0, itertools.cycle([[name] for name in OTHER_PROCESSORS])
    for name, loss in FORMS.items():
        step = folder / f"{name}.mlir"
        source = HERE.parent / "Transforms" / "block-differentiate" / f"{name}.mlir"
        run("block-opt", source, f"--block-differentiate=wrt=all loss={loss}", "-o", step)
        for processor in ["native", *(OTHER_PROCESSORS if tiers.FULL else next(others))]:
            checked += check(step, f"--cpu={processor}")
        check_threads(step, folder / name)
    return checked


def check_family(family, folder):
    name, drops, _ = family.partition("+dropout")
    added = ["--block-add-dropout"] if drops else []
    checked = 0
    for dtype in ("f32", "bf16"):
        model, step, fused = (folder / f"{family}.{kind}.mlir" for kind in ("m", "s", "k"))
        run("block-gen", f"--family={name}", *SIZES, f"--dtype={dtype}", "-o", model)
        run("block-opt", model, *added, "--block-differentiate=wrt=params loss=sum", "-o", step)
        run("block-opt", step, "--block-optimize", "-o", fused)
        checked += check(step) + check(fused, f"--baseline={step}")
        if dtype == "f32":
            checked += check_halves(step, folder / family)
            check_budgets(step, folder / family)
    check_threads(step, folder / family)
    return checked


def main(folder, families):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if not families:
        print(check_forms(folder), "results of forms agree")
        return
    if families == ["all"]:
        families = [name for name in engine_cases.families() if name != "random"]
    print(sum(check_family(family, folder) for family in families), f"results of {len(families)} families agree")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2:])
