#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Choice files: what they say is done, and what is wrong with them is an error.

Files of other writers are judged by what block-parallelize makes of them.
"""

import json
import re
import sys

import tools

SIZES = "--layers=4 --width=16 --heads=2 --vocab=31 --positions=16".split()
NO_HASH = "sha256:" + 64 * "0"


def parallelize(folder, model, choice, *options):
    """The exit code, the messages, and the IR where there is one."""
    path, out = folder / "choice.json", folder / "out.mlir"
    path.write_text(choice if isinstance(choice, str) else json.dumps(choice), encoding="utf-8")
    out.unlink(missing_ok=True)
    flags = " ".join([f"blocks=@{path}", *options])
    done = tools.call("block-opt", "--unbroken-lines", model, f"--block-parallelize={flags}", "-o", out)
    return done.returncode, done.stderr, out.read_text(encoding="utf-8") if out.exists() else None


def generate(folder, name, *flags):
    path = folder / f"{name}.mlir"
    tools.run("block-gen", *SIZES, *flags, "-o", path)
    return path


def find_hash(folder, model):
    _, message, _ = parallelize(folder, model, make_choice(NO_HASH))
    return re.search(r"got (sha256:[0-9a-f]{64})", message).group(1)


def make_choice(model_hash, **changes):
    return {"schema": 1, "model_hash": model_hash, "chosen": ["1", "2+"]} | changes


def expect(condition, what):
    if not condition:
        raise tools.Failure(what)


def expect_error(folder, model, choice, text, *options):
    code, message, ir = parallelize(folder, model, choice, *options)
    errors = [line for line in message.splitlines() if "error:" in line]
    expect(code == 1 and ir is None, f"expected exit 1 and no file for {choice}, got {code}")
    expect(len(errors) == 1 and text in errors[0], f"expected '{text}', got {errors}")


def check_hash(folder):
    """Sizes and structure count; batch, sequence, element type and drawing do not."""
    same = [
        generate(folder, "a", "--family=gpt2", "--batch=1", "--seq=5"),
        generate(folder, "b", "--family=gpt2", "--batch=3", "--seq=9"),
        generate(folder, "c", "--family=gpt2", "--batch=?", "--seq=?"),
        generate(folder, "d", "--family=gpt2", "--dtype=bf16"),
    ]
    hashes = {find_hash(folder, model) for model in same}
    expect(len(hashes) == 1, f"expected one hash, got {hashes}")
    other = [
        generate(folder, "e", "--family=opt"),
        generate(folder, "f", "--family=gpt2", "--layers=5"),
        generate(folder, "g", "--family=gpt2", "--hidden=24"),
        generate(folder, "h", "--family=gpt2", "--heads=4"),
        generate(folder, "i", "--family=gpt2", "--vocab=32"),
        generate(folder, "j", "--family=nanogpt"),
        generate(folder, "k", "--family=gpt2", "--padding"),
    ]
    all_hashes = hashes | {find_hash(folder, model) for model in other}
    expect(len(all_hashes) == 1 + len(other), "expected every other model to differ")


def check_application(folder):
    model = generate(folder, "m", "--family=llama", "--batch=2", "--seq=5")
    choice = make_choice(
        find_hash(folder, model),
        norm="shared",
        scales={"scale": 0.5, "attn_scale": 0.25, "mlp_scale": 2.0},
        correction="refit",
        kl=0.125,
        weights_hash="w",
        data_hash="d",
        note="fields that nobody knows are let through",
    )
    code, message, ir = parallelize(folder, model, choice)
    expect(code == 0, message)
    parameters = "norm=shared scale=0.5 attn-scale=0.25 mlp-scale=2"
    for name, kind in (("1", ""), ("2+", " pairing=shifted")):
        stamp = (
            f'"model.layers.{re.escape(name)}" at [12] .*parameters = "{re.escape(parameters + kind)} '
            f'correction=refit pair={re.escape(name)} model=sha256:[0-9a-f]{{16}}", measured = 0.125'
        )
        expect(re.search(stamp, ir), f"expected pair {name} to be stamped with the choice")
    expect(ir.count("#block.approx") == 2, "expected two stamps")
    # The same options beside the file are fine.
    same = parallelize(folder, model, choice, "norm=shared", "scale=0.5", "pairing=best")
    expect(same[0] == 0 and same[2] == ir, "expected agreeing options to change nothing")
    expect_error(folder, model, choice, "the choice has norm=shared, the option says shared-lossy",
                 "norm=shared-lossy")
    expect_error(folder, model, choice, "the choice has mlp-scale=2", "mlp-scale=3")
    code, message, ir = parallelize(folder, model, choice | {"chosen": []})
    expect(code == 0 and "block.approx" not in ir, "expected an empty choice to change nothing")


def check_pipeline(folder):
    model = generate(folder, "m", "--family=gpt2", "--batch=2", "--seq=5")
    path = folder / "choice.json"
    path.write_text(json.dumps(make_choice(find_hash(folder, model))), encoding="utf-8")
    out = folder / "out.mlir"
    tools.run("block-opt", model, f"--block-optimize=parallel=@{path}", "-o", out)
    expect(out.read_text(encoding="utf-8").count("approx = #block.approx") == 2, "expected two stamps")


def check_shortcut(folder):
    """A shortcut is stamped as one, with what its choice says, and is not a shifted pair."""
    model = generate(folder, "m", "--family=glm4-moe", "--batch=2", "--seq=5")
    shifted = make_choice(find_hash(folder, model), chosen=["1+"], scales={"mlp_scale": 0.5}, correction="refit", kl=0.125)
    choice = shifted | {"pairing": "shortcut"}
    for flags in ((), ("pairing=shortcut",)):
        code, message, ir = parallelize(folder, model, choice, *flags)
        expect(code == 0, message)
        stamp = (
            r'"model.layers.1\+" at 1 .*parameters = "norm=separate scale=1 attn-scale=1 mlp-scale=0.5 pairing=shortcut '
            r'correction=refit pair=1\+ model=sha256:[0-9a-f]{16}", measured = 0.125'
        )
        expect(re.search(stamp, ir) and ir.count("= #block.approx") == 1, "expected pair 1+ to be stamped with the choice")
    text = "the choice has pairing={}, the option says {}"
    expect_error(folder, model, shifted, text.format("pairs", "shortcut"), "pairing=shortcut")
    expect_error(folder, model, choice, text.format("shortcut", "ladder"), "pairing=ladder")
    expect(parallelize(folder, model, shifted)[2] != ir, "expected a shifted pair to be another layer")


def check_parameters(folder):
    """Biases of corrected weights become parameters, and start as nothing."""
    model = generate(folder, "m", "--family=llama", "--batch=2", "--seq=5")
    names = {"o_bias": "1.o", "down_bias": "2.down", "gate_bias": "2.gate", "q_bias": "3.q"}
    added = [
        {"index": int(name[0]), "operand": operand, "name": name}
        for operand, name in names.items()
    ]
    choice = make_choice(find_hash(folder, model), chosen=["1", "2+"])
    with_added = choice | {"added_parameters": added}
    code, message, ir = parallelize(folder, model, with_added)
    expect(code == 0, message)
    for operand, name in names.items():
        expect(f'block.param = "{name}"' in ir, f"expected a parameter {name}")
        expect(re.search(rf"\b{operand} %arg\d+", ir), f"expected an operand {operand}")
    corrected = folder / "corrected.mlir"
    corrected.write_text(ir, encoding="utf-8")
    _, _, ir = parallelize(folder, model, choice)
    plain = folder / "plain.mlir"
    plain.write_text(ir, encoding="utf-8")
    code, line = tools.compare(corrected, plain)
    expect(code == 0, f"expected biases of nothing to change nothing: {line}")

    for entry, text in (
        ({"index": 1, "operand": "o_bias", "name": "lm_head.weight"}, "cannot add parameter 'lm_head.weight': the function has one of that name"),
        ({"index": 7, "operand": "o_bias", "name": "b"}, "cannot add parameter 'b': layer 7 has no projection for o_bias"),
        ({"index": 1, "operand": "x_bias", "name": "b"}, "no operand is called 'x_bias'"),
        ({"index": 1, "operand": "o_bias"}, "has no 'name'"),
        ("b", "expected objects in 'added_parameters'"),
    ):
        expect_error(folder, model, choice | {"added_parameters": [entry]}, text)
    twice = [added[0], added[0] | {"name": "again"}]
    expect_error(folder, model, choice | {"added_parameters": twice}, "cannot add parameter 'again': layer 1 has its o_bias already")


def check_factors(folder):
    """Factors of changes of low rank become parameters of one layer, and start as nothing."""
    model = generate(folder, "m", "--family=llama", "--batch=2", "--seq=5")
    added = [
        {"index": 1, "operand": f"{projection}_{kind}", "name": f"1.{projection}.{kind}", "rank": 3}
        for projection in ("q", "down")
        for kind in ("left", "right")
    ]
    choice = make_choice(find_hash(folder, model), chosen=["1"], correction="refit")
    code, message, ir = parallelize(folder, model, choice | {"added_parameters": added})
    expect(code == 0, message)
    expect("correction=refit rank=3 pair=1 model=" in ir, "expected a stamp with the rank")
    expect(ir.count("block.outer_update") == 6, "expected 3 updates of each matrix")
    changed = folder / "changed.mlir"
    changed.write_text(ir, encoding="utf-8")
    _, _, ir = parallelize(folder, model, choice)
    plain = folder / "plain.mlir"
    plain.write_text(ir, encoding="utf-8")
    code, line = tools.compare(changed, plain)
    expect(code == 0, f"expected factors of nothing to change nothing: {line}")
    step = folder / "step.mlir"
    tools.run("block-opt", changed, "--block-differentiate=loss=sum", "-o", step)
    tools.run("block-run", step, "--engine=reference", "--function=main_step", "--seed=3", "--check-gradients")
    half = "cannot change the matrix 'q' of layer 1: expected a left and a right factor of one rank"
    for entries, text in (
        (added[:1], half),
        ([added[0], added[1] | {"rank": 2}], half),
        ([each | {"rank": 17} for each in added[:2]], "expected a rank of at most 16 for 'q_left' of layer 1, got 17"),
        ([added[0] | {"rank": 0}], "expected a rank of at least 1 for 'q_left', got 0"),
        ([added[0] | {"operand": "q_bias"}], "expected a rank of 0 for 'q_bias', got 3"),
        ([added[0], added[0] | {"name": "again"}], "cannot add parameter 'again': layer 1 has its q_left already"),
    ):
        expect_error(folder, model, choice | {"added_parameters": entries}, text)


def check_refusals(folder):
    model = generate(folder, "m", "--family=gpt2")
    found = find_hash(folder, model)
    expect_error(
        folder,
        model,
        make_choice(NO_HASH),
        f"the choice is for another model: expected model hash {NO_HASH}, got {found}",
    )
    good = make_choice(found)
    for change, text in (
        ({"schema": 2}, "has schema 2, expected 1"),
        ({"schema": "1"}, "has a 'schema' of the wrong type"),
        ({"model_hash": "abc"}, "expected model_hash to be sha256: and 64 hex digits, got 'abc'"),
        ({"model_hash": 3}, "has a 'model_hash' of the wrong type"),
        ({"chosen": "1"}, "has a 'chosen' of the wrong type"),
        ({"chosen": ["one"]}, "expected names such as 3 or 4+ in 'chosen', got 'one'"),
        ({"chosen": ["-1"]}, "got '-1'"),
        ({"chosen": ["1", "1"]}, "pair 1 is given twice"),
        ({"chosen": ["1", "1+"]}, "pairs 1 and 1+ both need the MLP of layer 1"),
        ({"chosen": ["2", "1+"]}, "pairs 1+ and 2 both need the attention of layer 2"),
        ({"chosen": ["3+"]}, "no layer has index 4, which pair 3+ needs"),
        ({"chosen": ["9"]}, "no layer has index 9"),
        ({"pairing": "best"}, "has the pairing 'best', expected ladder, shortcut or none"),
        ({"pairing": "shortcut"}, "expected names such as 4+ in 'chosen' of shortcuts, got '1'"),
        ({"pairing": "shortcut", "chosen": [], "norm": "shared"}, "expected norm to be separate in shortcuts, got 'shared'"),
        ({"pairing": "shortcut", "chosen": ["1+"], "router": "serial"}, "expected router to be parallel for the pair 1+"),
        ({"norm": "half"}, "expected norm to be separate, shared or shared-lossy, got 'half'"),
        ({"correction": "magic"}, "expected correction to be none"),
        ({"scales": [1]}, "has 'scales' that are not an object"),
        ({"scales": {"scale": "1"}}, "'scales' has a 'scale' of the wrong type"),
        ({"kl": -1}, "expected kl to be a finite number of at least 0"),
        ({"kl": "0"}, "has a 'kl' of the wrong type"),
        ({"added_parameters": {}}, "has 'added_parameters' that are not a list"),
    ):
        expect_error(folder, model, good | change, text)
    for change, reason in (
        ({"chosen": ["1"], "router": "serial"}, "router=serial requires a second branch"),
        ({"chosen": ["1+"], "pairing": "shortcut"}, "pairing=shortcut requires a branch of experts"),
    ):
        pair = change["chosen"][0]
        expect_error(folder, model, good | change, f"choice.json: pair {pair} cannot be converted: {reason}")
    for key in good:
        less = {name: value for name, value in good.items() if name != key}
        expect_error(folder, model, less, f"has no '{key}'")
    expect_error(folder, model, "[]", "choice.json")
    expect_error(folder, model, "{", "choice.json")
    expect_error(folder, model, '{"schema": 1, "schema": 1}', "given twice")
    done = tools.call("block-opt", model, f"--block-parallelize=blocks=@{folder}/none.json")
    expect(done.returncode == 1 and "none.json" in done.stderr, "expected a missing file to be named")

CHECKS = (check_hash, check_application, check_shortcut, check_pipeline, check_parameters, check_factors, check_refusals)

if __name__ == "__main__":
    cases = [(check.__name__, check) for check in CHECKS]
    sys.exit(tools.check_all(cases, lambda folder, check: check(folder)))
