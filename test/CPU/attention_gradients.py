# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""block.sdpa_grad in every form of scores, element type and shape: the CPU engine against the
reference, and its own bits on 1, 2, 3 and 8 threads.

Each form has the first shape in f32, on two numbers of threads, and another one in 16 bits: shapes,
types, processors and threads in turn. Forms with past keys are a third of them a day, those of open
sizes a quarter. With PARABLOCK_FULL in the environment each form has all shapes and threads, and
the first one in all types.
"""

import dataclasses
import pathlib
import sys

import engine_cases
import kept_code
import tiers
from gradient_forms import FORMS, OPEN_FORMS, PAST_FORMS, SHAPES, TYPES, Shape, read_dims, write
from tools import call as run


def check(stem, text, cpu, threads):
    """What went wrong, or an empty string."""
    module = stem.with_suffix(".mlir")
    module.write_text(text)
    # Compiled once: the number of threads is no part of the code.
    kept = kept_code.make_flags(stem.with_suffix(".codes") if threads else None)
    common = ["block-run", module, "--engine=cpu", f"--cpu={cpu}", "--seed=7", *read_dims(text), *kept]
    bits = set()
    for number in threads or (0,):
        outputs = stem.with_suffix(f".{number}.safetensors")
        judged = [] if bits else [f"--baseline={module}"]
        done = run(*common, *judged, f"--threads={number}", f"--outputs={outputs}")
        if judged and (done.returncode or "PASS" not in done.stdout):
            return f"{text}\n{cpu}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"
        if done.returncode:
            return f"{text}\n{cpu}\n{done.stderr[-1500:]}"
        bits.add(outputs.read_bytes())
    return "" if len(bits) <= 1 else f"{text}\nthreads change bits"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = []
    for number, form in enumerate([*FORMS, *tiers.take_turn(PAST_FORMS, 4)]):
        fitting = [place for place, shape in enumerate(SHAPES) if not form.same_length or shape.queries == shape.keys]
        others = fitting[1:] if tiers.FULL else [fitting[1 + number % (len(fitting) - 1)]]
        for place in [0, *others]:
            shape = dataclasses.replace(SHAPES[place], past=(37, 5, 130)[(number + place) % 3])
            if "cu_seqlens" in form.operands:
                shape = dataclasses.replace(shape, batch=1)
            # Any two of a shape, a type and a processor meet.
            if tiers.FULL:
                types, turn = (TYPES if place == 0 else [TYPES[(number + place) % 3]]), number + place
            else:
                types, turn = [TYPES[1 + (number + number // 4 + place) % 2]], number // 5 + 2 * place
                if place == 0:
                    types, turn = ["f32"], number
            for dtype in types:
                cpu = ["native", "x86-64-v3", "x86-64"][(turn + len(dtype) * tiers.FULL) % 3]
                threads = ()
                if place == 0 and dtype == "f32":
                    threads = (1, 2, 3, 8) if tiers.FULL else (1, (2, 3, 8)[number // 3 % 3])
                cases.append((folder / str(len(cases)), write(form, shape, dtype), cpu, threads))
    shape = Shape(batch=3, queries=21, keys=40, past=23, is_open=True)
    cases += [(folder / f"open{number}", write(form, shape, ["f32", "bf16"][number % 2]), "native", ())
              for number, form in enumerate(tiers.take_turn(OPEN_FORMS, 4))]
    return engine_cases.try_all(check, cases, "gradients")


if __name__ == "__main__":
    sys.exit(main())
