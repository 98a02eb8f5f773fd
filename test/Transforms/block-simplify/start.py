# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where models simplified to SAS and to SAS-P start, as drawn from block.init."""

import json
import re
import sys

import tools

SIZES = "--layers=3 --width=32 --heads=4 --vocab=31 --positions=16 --batch=2 --seq=9".split()


def simplify(folder, family, form, trained):
    model, out = folder / "model.mlir", folder / f"{form}.mlir"
    tools.run("block-gen", f"--family={family}", *SIZES, "-o", model)
    tools.run("block-opt", model, f"--block-simplify=form={form}", "-o", out)
    text = out.read_text(encoding="utf-8")
    if trained:
        # Queries that are something, as after training.
        text = re.sub(
            r"kind = constant, mean = 0\.0>(, block\.param = \"[^\"]*\.q(_proj)?\.weight)",
            r"kind = normal, std = 5.0e-01>\1",
            text,
        )
        out.write_text(text, encoding="utf-8")
    return out


def check(folder, case):
    family, trained = case
    sas = simplify(folder, family, "sas", trained)
    parallel = simplify(folder, family, "sas-p", trained)
    result = folder / "run.json"
    tools.call(
        "block-run",
        parallel,
        f"--baseline={sas}",
        "--seed=3",
        "--exact-arithmetic",
        f"--json={result}",
    )
    (output,) = json.loads(result.read_text(encoding="utf-8"))["outputs"]
    error = output["rel_l2"]
    # Both read rows of a variance near 1, so an epsilon of 1e-5 is all that is left.
    if trained and error < 1e-2:
        raise tools.Failure(f"expected the trained models to differ, got {error}")
    if not trained and not 0 < error < 1e-4:
        raise tools.Failure(f"expected an error of the order of epsilon, got {error}")


if __name__ == "__main__":
    cases = [
        (f"{family} {'trained' if trained else 'start'}", (family, trained))
        for family in ("nanogpt", "opt")
        for trained in (False, True)
    ]
    sys.exit(tools.check_all(cases, check))
