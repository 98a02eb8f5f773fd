# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Healing by changes of a rank, by streams, and of codes that block-quantize rounds to; resumes and refusals."""

import json
import pathlib
import re

import numpy as np

from models import Checks, drift, folder, generate, logits, read_tensors, run, write_tensors

checks = Checks()
DATA = ["--data=data.safetensors", "--blocks=all", "--correction=output-refit", "--generate=0"]
MATRICES = ("proj", "c_attn", "c_proj", "c_fc")


def prepare(family):
    generate(family, "--layers=2", "--seq=9", "--batch=?", name=family)
    tensors = read_tensors(f"{family}.safetensors")
    for name, values in tensors.items():
        if any(part in name for part in ("o_proj", "down_proj", "c_proj")):
            tensors[name] = (0.3 * values).astype(np.float32)
    write_tensors(f"{family}.safetensors", tensors)


def heal(family, *flags):
    return drift(*DATA, "--heal=40000", "--heal-rate=1e-3", *flags, name=family, engine="cpu")


def is_matrix(name):
    return ".weight" in name and any(part in name for part in MATRICES)


def changes_ranks(family):
    """Matrices change by as many directions as the rank has; gains and biases are trained whole."""
    drift(*DATA, "--weights-out=start.safetensors", name=family, engine="cpu")
    report = heal(family, "--heal-lora=2", "--weights-out=healed.safetensors")["healing"]
    checks.check(f"{family}: KL falls", report["kl"]["healed"] < 0.95 * report["kl"]["start"], report["kl"])
    before, after = read_tensors("start.safetensors"), read_tensors("healed.safetensors")
    ranks, trained, sizes = set(), 0, 0
    for name, values in before.items():
        change = after[name].astype(np.float64) - values
        if is_matrix(name):
            found = np.linalg.svd(change, compute_uv=False)
            ranks.add(int((found > 1e-5 * found[0]).sum()))
        if np.any(change):
            trained += 1
            sizes += 2 * sum(change.shape) if is_matrix(name) else change.size
    checks.check(f"{family}: matrices change by the rank", ranks == {2}, ranks)
    checks.check(f"{family}: what is trained is counted", report["lora"] == 2 and report["codes"] is None
                 and report["trained_elements"] == sizes and report["trained_tensors"] == trained,
                 (report["trained_elements"], sizes, report["trained_tensors"], trained))


def keeps_codes(family, form, *flags):
    """The healed weights are numbers of codes, which block-quantize finds again."""
    report = heal(family, f"--heal-codes={form}", *flags, "--weights-out=codes.safetensors", "--ir-out=parallel.mlir")["healing"]
    curve = [each["kl"] for each in report["held_out"]]
    checks.check(f"{family} {form}: KL with codes falls", min(curve) < 0.9 * curve[0], curve)
    checks.check(f"{family} {form}: none is lost", report["lost_codes"] == 0 and report["codes"] == form, report["lost_codes"])
    run("block-opt", "parallel.mlir", f"--block-quantize=form={form}", "-o", "quantized.mlir")
    ids = np.random.default_rng(4).integers(0, 31, (4, 9))
    with_numbers, with_codes = (logits(f"{name}.mlir", "codes.safetensors", ids) for name in ("parallel", "quantized"))
    distance = np.linalg.norm(with_codes - with_numbers) / np.linalg.norm(with_numbers)
    checks.check(f"{family} {form}: block-quantize keeps them", distance < 1e-6, distance)


def report_and_remarks(family, *flags):
    text = run("block-drift", f"{family}.mlir", f"--weights={family}.safetensors", *DATA, "--engine=cpu", "--heal=40000",
               "--json=drift.json", *flags)
    return json.loads(pathlib.Path("drift.json").read_text())["healing"], text


def brings_nothing():
    """With codes, weights that no step makes better are rounded all the same."""
    start = drift(*DATA, "--weights-out=start.safetensors", name="llama", engine="cpu")["measured_kl"]
    flags = ["--heal-rate=1e3", "--weights-out=healed.safetensors"]
    plain, text = report_and_remarks("llama", *flags)
    checks.check("nothing: weights stay", plain["best_step"] == 0 and plain["kl"]["healed"] == plain["kl"]["start"] == start
                 and "on the held-out part; weights stay as they were" in text, (plain["kl"], text))
    codes, text = report_and_remarks("llama", *flags, "--heal-codes=int4-g32")
    kl = codes["held_out"][0]["kl"]
    checks.check("nothing: weights are rounded", codes["best_step"] == 0 and codes["kl"]["healed"] > 1.1 * start
                 and f"weights are those of the start, rounded to codes of int4-g32, with a KL of {kl:.4g}\n" in text, text)
    before, after = read_tensors("start.safetensors"), read_tensors("healed.safetensors")
    changed = {name for name, values in before.items() if np.any(values != after[name])}
    checks.check("nothing: matrices alone", changed == {name for name in before if is_matrix(name)}, changed)


def trains_whole():
    """Matrices of 16 rows and 16 columns have as many numbers as a change of rank 8."""
    report, text = report_and_remarks("llama", "--heal-rate=1e-3", "--heal-lora=8")
    sizes = {name: values.size if values.shape in {(16, 16), (16,)} else 8 * sum(values.shape)
             for name, values in read_tensors("llama.safetensors").items() if ".layers." in name}
    checks.check("small matrices are trained whole", report["trained_elements"] == sum(sizes.values())
                 and "--heal-lora: 8 of 14 matrices are trained whole: a change of rank 8 has" in text, (report, text))
    _, text = report_and_remarks("llama", "--heal-rate=1e-3", "--heal-lora=7")
    checks.check("larger ones are not", "trained whole" not in text, text)


def counts_lost():
    """Biases have no codes, so f16 rounds none of theirs, however small they are."""
    tensors = read_tensors("gpt2.safetensors")
    numbers = np.random.default_rng(7)
    for name, values in tensors.items():
        if ".bias" in name and "ln" not in name:
            tensors[name] = 3e-6 * numbers.standard_normal(values.shape)
    write_tensors("small.safetensors", {name: values.astype(np.float16) for name, values in tensors.items()})
    pathlib.Path("small.mlir").write_text(pathlib.Path("gpt2.mlir").read_text())
    report, text = report_and_remarks("small", "--correction=none", "--heal-rate=1e-7", "--heal-codes=int4-g32")
    checks.check("no bias loses a code", report["best_step"] > 0 and report["lost_codes"] == 0
                 and "to other codes" not in text, (report, text))


def resumes():
    flags = ["--heal-lora=2", "--heal-codes=int4-g32", "--heal-checkpoint=state.safetensors"]
    whole = heal("llama", *flags[:2], "--weights-out=whole.safetensors")["healing"]
    part = heal("llama", *flags, "--heal-stop=6")["healing"]
    again = heal("llama", *flags, "--weights-out=resumed.safetensors")["healing"]
    same = pathlib.Path("resumed.safetensors").read_bytes() == pathlib.Path("whole.safetensors").read_bytes()
    checks.check("resumed: the same bytes", same and part["steps"] == 6 and again == whole, again)
    for flag, what in (("--heal-lora=3", "lora: expected 3, got 2"), ("--heal-codes=int8", "codes: expected int8, got int4-g32"),
                       ("--heal-streams=2", "streams: expected 2, got 1"),
                       ("--heal-rate=0.00390625", "learning_rate: expected 0.00390625, got 0.001")):
        refuse(f"a checkpoint of another run: {what}", "--heal=40000", "--heal-rate=1e-3", *flags, flag)


def compares_streams():
    """Behind the last layer the stream decides logits, whose squares are nearer if streams count than if KL does."""
    ids = np.random.default_rng(5).integers(0, 31, (64, 9))
    serial = logits("llama.mlir", "llama.safetensors", ids)
    distances, factors = [], []
    for flags in ([], ["--heal-streams=0"], ["--heal-streams=1000"]):
        report = heal("llama", "--blocks=1", *flags, "--weights-out=healed.safetensors", "--ir-out=parallel.mlir")["healing"]
        factors.append(report["stream_factor"])
        checks.check(f"{flags}: KL falls", report["kl"]["healed"] < report["kl"]["start"], report["kl"])
        distances.append(np.linalg.norm(logits("parallel.mlir", "healed.safetensors", ids) - serial))
    checks.check("factors of streams", factors == [1, 0, 1000], factors)
    checks.check("streams come nearer", distances[2] < 0.99 * distances[1] and distances[0] < distances[1], distances)


def refuse(text, *flags):
    error = run("block-drift", "llama.mlir", "--weights=llama.safetensors", *DATA, "--engine=cpu", *flags, code=1)
    checks.check(text, text in error, error)


def refusals():
    refuse("--heal-codes: expected int8, int4-g128, int4-g32, mxfp4 or fp8, got 'int5'", "--heal=40000", "--heal-codes=int5")
    refuse("--heal-lora: expected a rank of at most 65536, got 65537", "--heal=40000", "--heal-lora=65537")
    refuse("--heal-streams: expected a finite number of at least 0, got -1", "--heal=40000", "--heal-streams=-1")
    refuse("--heal: expected gradients whose squares float32 holds, got larger ones in step 1: give a smaller --heal-streams",
           "--heal=40000", "--heal-streams=1e30")
    refuse("--heal-rate: expected a finite number above 0, got -2", "--heal=40000", "--heal-rate=-2")
    refuse("--heal-lora: expected a rank of at most 11, whose change has fewer numbers than a matrix, got 12", "--heal=40000",
           "--heal-lora=12")
    refuse("--heal-streams: expected --heal-targets=teacher, got text, which has no streams", "--heal=40000", "--heal-streams=1",
           "--heal-targets=text")
    for flag in ("--heal-codes=int8", "--heal-lora=2", "--heal-streams=1"):
        refuse(f"{flag.partition('=')[0]}: expected a --heal=TOKENS beside it", flag)
    run("block-opt", "--unbroken-lines", "llama.mlir", "-o", "plain.mlir")
    text = pathlib.Path("plain.mlir").read_text()
    pathlib.Path("llama.mlir").write_text(text.replace("causal = true", "causal = false"))
    refuse("expected a causal model of ids, whose next token is the target, got attention to later tokens", "--heal=40000",
           "--heal-targets=text", "--correction=none")
    weight = re.search(r"down (%arg\d+)", text)[1]
    sizes = re.search(rf"{weight}: tensor<(\d+)x(\d+)xf32>", text)
    rows, columns = int(sizes[1]), int(sizes[2])
    flat = f"""    %flat = tensor.collapse_shape {weight} [[0, 1]] : tensor<{rows}x{columns}xf32> into tensor<{rows * columns}xf32>
    %again = tensor.expand_shape %flat [[0, 1]] output_shape [{rows}, {columns}]
      : tensor<{rows * columns}xf32> into tensor<{rows}x{columns}xf32>
"""
    head, body = text.split("{\n    ", 1)
    pathlib.Path("llama.mlir").write_text(f"{head}{{\n{flat}    {body.replace(f'down {weight} ', 'down %again ')}")
    refuse("--heal-codes: the model reads 'model.layers.0.mlp.down_proj.weight' through ops that mix its rows", "--heal=40000",
           "--heal-codes=int8", "--correction=none")


def main():
    with folder():
        for family in ("llama", "gpt2"):
            prepare(family)
        write_tensors("data.safetensors", {"input_ids": np.random.default_rng(1).integers(0, 31, (512, 9))})
        changes_ranks("gpt2")
        keeps_codes("llama", "int4-g32")
        keeps_codes("llama", "mxfp4", "--heal-lora=2")
        keeps_codes("gpt2", "int4-g32")
        compares_streams()
        brings_nothing()
        trains_whole()
        counts_lost()
        resumes()
        refusals()
    checks.finish()


main()
