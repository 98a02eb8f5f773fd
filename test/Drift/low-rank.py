# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes of low rank, where other layers read a matrix that a fit changes."""

import json
import pathlib
import re
import sys

import numpy as np

from models import Checks, drift, folder, generate, kl, logits, read_metadata, read_tensors, run, write_tensors

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import measure_drift  # noqa: E402

checks = Checks()
RIDGE = 0.01
MATRICES = ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj",
            "mlp.down_proj"]
HEALED = "error: --heal: expected pairs without changes of low rank, which are not trained\n"
DATA = ["--data=ids.safetensors", "--generate=0", "--blocks=1", f"--ridge={RIDGE}"]


def tie(target, *parts):
    """A model whose last layer reads matrices of its first one, with weights of both that are equal."""
    measure_drift.tie(pathlib.Path("model.mlir"), pathlib.Path(f"{target}.mlir"), tuple(f"{part}.weight" for part in parts))
    weights = read_tensors("model.safetensors")
    for part in parts:
        first, last = (f"model.layers.{layer}.{part}.weight" for layer in (0, 1))
        weights[last] = weights[first]
    write_tensors(f"{target}.safetensors", weights)


def stream(ir, weights, ids):
    """What the last layer of a model writes, in float64."""
    text = pathlib.Path(ir).read_text()
    layer = re.findall(r"(%\d+) = block\.layer .*? -> (tensor<\?x12x16xf32>)", text)[-1]
    text = re.sub(r"-> \(tensor<\?x12x31xf32> (\{block.output = \"logits\"\})\)", r"-> (tensor<?x12x16xf32> \1)", text)
    text = re.sub(r"return %\d+ : tensor<\?x12x31xf32>", f"return {layer[0]} : {layer[1]}", text)
    pathlib.Path("stream.mlir").write_text(text)
    if not isinstance(weights, str):
        write_tensors("stream.safetensors", weights)
        weights = "stream.safetensors"
    return logits("stream.mlir", weights, ids).astype(np.float64).reshape(-1, 16)


def find_features(weights, ids):
    """What o and down of the parallel layer read, and its input, of a model without tied layers."""
    o, down = "model.layers.1.self_attn.o_proj.weight", "model.layers.1.mlp.down_proj.weight"
    nothing = {**weights, o: np.zeros_like(weights[o]), down: np.zeros_like(weights[down])}
    x = stream("untied.parallel.mlir", nothing, ids)
    features = []
    for name in (o, down):
        columns = weights[name].shape[1]
        for first in range(0, columns, 16):
            chosen = np.eye(columns, dtype=np.float32)[first : first + 16]
            matrix = np.zeros_like(weights[name])
            matrix[: len(chosen)] = chosen
            features.append((stream("untied.parallel.mlir", {**nothing, name: matrix}, ids) - x)[:, : len(chosen)])
    return x, np.concatenate(features[:1], -1), np.concatenate(features[1:], -1)


def reduced_rank(features, targets, shared, rank):
    """Ridge regression whose weights of the first `shared` features have that rank: a truncated SVD."""
    gram = features.T @ features
    gram += RIDGE * np.trace(gram) / len(gram) * np.eye(len(gram))
    weight = np.linalg.solve(gram, features.T @ targets)
    if not shared:
        return weight
    ours, others = np.arange(shared), np.arange(shared, len(gram))
    complement = gram[np.ix_(ours, ours)]
    if len(others):
        carried = np.linalg.solve(gram[np.ix_(others, others)], gram[np.ix_(others, ours)])
        complement = complement - gram[np.ix_(ours, others)] @ carried
    root = np.linalg.cholesky(complement)
    u, s, v = np.linalg.svd(root.T @ weight[ours])
    reduced = np.linalg.solve(root.T, u[:, :rank] * s[:rank] @ v[:rank])
    if len(others):
        rest = features.T @ targets
        weight[others] = np.linalg.solve(gram[np.ix_(others, others)], rest[others] - gram[np.ix_(others, ours)] @ reduced)
    weight[ours] = reduced
    return weight


def differ(got, want):
    return np.linalg.norm(got - want) / np.linalg.norm(want)


def change(tensors, operand, report):
    """The product of the factors of a projection, in the order of a regression's weights."""
    names = {each["operand"]: each["name"] for each in report["added_parameters"]}
    left, right = (tensors[names[f"{operand}_{kind}"]].astype(np.float64) for kind in ("left", "right"))
    return right.T @ left


def outputs(ids, rank):
    """Fits of output projections are NumPy's reduced-rank regression, where both are shared, and where one is."""
    fit = ids[: len(ids) // 2]
    for name, parts in (("both", ["self_attn.o_proj", "mlp.down_proj"]), ("one", ["mlp.down_proj"])):
        tie("tied", *parts)
        report = drift(*DATA, "--correction=output-refit", f"--low-rank={rank}", "--weights-out=fitted.safetensors", name="tied")
        before, after = read_tensors("tied.safetensors"), read_tensors("fitted.safetensors")
        x, attended, hidden = find_features(before, fit)
        target = stream("untied.mlir", before, fit)
        o, down = (before[f"model.layers.1.{part}.weight"].astype(np.float64).T for part in ("self_attn.o_proj", "mlp.down_proj"))
        missing = target - x - attended @ o - hidden @ down
        operands = {each["operand"] for each in report["added_parameters"]}
        if name == "both":
            want = reduced_rank(np.concatenate([attended, hidden], -1), missing, attended.shape[1] + hidden.shape[1], rank)
            got = np.concatenate([change(after, "o", report), change(after, "down", report)])
            ranks = {"o_left", "o_right", "down_left", "down_right"}
        else:
            want = reduced_rank(np.concatenate([hidden, attended], -1), missing, hidden.shape[1], rank)
            own = after["model.layers.1.self_attn.o_proj.weight"].astype(np.float64).T - o
            got = np.concatenate([change(after, "down", report), own])
            ranks = {"down_left", "down_right"}
        checks.check(f"outputs, {name} shared, rank {rank}: NumPy's regression", differ(got, want) < 1e-5 and operands == ranks
                     and np.linalg.matrix_rank(change(after, "down", report), 1e-5) == rank, (differ(got, want), operands))
        checks.check(f"outputs, {name} shared, rank {rank}: the fit", [each["rank"] for each in report["converted"][0]["fits"]] == [rank]
                     and report["converted"][0]["applied"], report["converted"][0])
        checks.check(f"outputs, {name} shared: shared matrices stay", all(
            np.array_equal(before[f"model.layers.{layer}.{part}.weight"], after[f"model.layers.{layer}.{part}.weight"])
            for part in parts for layer in (0, 1)))


def norm(x, gain):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * gain


def inputs(ids, rank):
    """Of projections of one input, the shared one has a rank of its own, and the other is fitted whole."""
    tie("tied", "mlp.up_proj")
    report = drift(*DATA, "--correction=refit", f"--low-rank={rank}", "--weights-out=fitted.safetensors", name="tied")
    before, after = read_tensors("tied.safetensors"), read_tensors("fitted.safetensors")
    fit = ids[: len(ids) // 2]
    x, attended, _ = find_features(before, fit)
    stem = "model.layers.1."
    gain = before[f"{stem}post_attention_layernorm.weight"].astype(np.float64)
    middle = x + attended @ before[f"{stem}self_attn.o_proj.weight"].astype(np.float64).T
    features, missing = norm(x, gain), norm(middle, gain) - norm(x, gain)
    for part, got in (("up", change(after, "up", report)), ("gate", None)):
        matrix = before[f"{stem}mlp.{part}_proj.weight"].astype(np.float64)
        if got is None:
            got = after[f"{stem}mlp.{part}_proj.weight"].astype(np.float64).T - matrix.T
        want = reduced_rank(features, missing @ matrix.T, 16 if part == "up" else 0, rank)
        # Streams are read as f32, and what is missing is a difference of two.
        checks.check(f"inputs, rank {rank}: {part} by NumPy's regression", differ(got, want) < 1e-4, differ(got, want))
    checks.check(f"inputs, rank {rank}: fits", [each["rank"] for each in report["converted"][0]["fits"]] == [rank, 0],
                 report["converted"][0]["fits"])


def whole(ids):
    """Ranks lower the drift; the full one is the refit of own matrices, and files compute what was measured."""
    tie("tied", *MATRICES)
    flags = ["--data=ids.safetensors", "--generate=0", "--blocks=1", "--correction=refit"]
    plain = drift(*flags[:-1], name="tied")["measured_kl"]
    own = drift(*flags, name="untied", weights="tied.safetensors")["measured_kl"]
    found = []
    for rank in (1, 4, 16):
        report = drift(*flags, f"--low-rank={rank}", "--ir-out=fitted.mlir", "--choice=choice.json", "--weights-out=fitted.safetensors",
                       name="tied")
        found.append(report["measured_kl"])
        if rank == 4:
            written(report, ids, rank)
    checks.check("ranks", plain > found[0] > found[1] > found[2], (plain, found))
    checks.check("the full rank is a refit of own matrices", abs(found[2] / own - 1) < 1e-6, (found[2], own))


def written(report, ids, rank):
    """Model, choice and weights belong together, on both engines and with fused kernels."""
    part = ids[-len(ids) // 4 :]
    want = report["measured_kl"]
    got = kl(logits("tied.mlir", "tied.safetensors", part), logits("fitted.mlir", "fitted.safetensors", part))
    checks.check("written: KL", abs(got - want) <= 1e-6 * want, (got, want))
    for engine in ("reference", "cpu"):
        again = drift("--data=ids.safetensors", "--generate=0", "--blocks=@choice.json", name="tied", engine=engine)["measured_kl"]
        checks.check(f"written: measured again on {engine}", abs(again / want - 1) <= 1e-3, (again, want))
    run("block-opt", "tied.mlir", "--block-parallelize=blocks=@choice.json", "-o", "made.mlir")
    text = pathlib.Path("made.mlir").read_text()
    checks.check("written: stamp", f"correction=refit rank={rank} pair=1 model=sha256:" in text and text.count("block.outer_update") == 4 * rank,
                 text.count("block.outer_update"))
    checks.check("written: block-parallelize makes the same model",
                 np.array_equal(logits("made.mlir", "fitted.safetensors", part), logits("fitted.mlir", "fitted.safetensors", part)))
    run("block-opt", "made.mlir", "--block-optimize", "-o", "fused.mlir")
    run("block-run", "fused.mlir", "--engine=cpu", "--weights=fitted.safetensors", "--seed=1", "--dims=batch=2", "--baseline=made.mlir")
    checks.check("written: the file", read_metadata("fitted.safetensors")["parablock.correction"] == f"refit-rank-{rank}")
    # A model without the factors would find all its tensors in the file.
    choice = json.loads(pathlib.Path("choice.json").read_text())
    refuse_choice(choice, rank)
    pathlib.Path("less.json").write_text(json.dumps({**choice, "added_parameters": []}))
    run("block-opt", "tied.mlir", "--block-parallelize=blocks=@less.json", "-o", "less.mlir")
    error = run("block-run", "less.mlir", "--weights=fitted.safetensors", "--seed=1", "--dims=batch=2", code=1)
    checks.check("written: a model without the factors", f"correction=refit-rank-{rank} to the pairs 1" in error
                 and "correction=refit to the pairs 1" in error, error)


def refuse_choice(choice, rank):
    """What a choice with a rank is not for, and factors that are not those of it."""
    added = choice["added_parameters"]
    tensors = read_tensors("fitted.safetensors")
    left = added[0]
    write_tensors("part.safetensors", {name: values for name, values in tensors.items() if name != left["name"]})
    write_tensors("flat.safetensors", {**tensors, left["name"]: tensors[left["name"]].reshape(-1)})
    lacks = f": expected the left factor '{left['name']}' that the choice adds\n"
    for name, change, flags, want in (
            ("healing", {}, ["--heal=2048", "--engine=cpu"], HEALED),
            ("a file without a factor", {}, ["--corrected-weights=part.safetensors"], "error: part.safetensors" + lacks),
            ("a factor of one dimension", {}, ["--corrected-weights=flat.safetensors"], "error: flat.safetensors" + lacks),
            ("another rank", {"rank": rank - 1}, [], f"error: fitted.safetensors: tensor '{left['name']}': expected shape [{rank - 1}, "
             f"16], got [{rank}, 16]\n"),
            ("more than the matrix's rank", {"rank": 17}, [], f"error: refused.json: expected a rank of at most 16 for '{left['operand']}' of "
             "layer 1, got 17\n")):
        pathlib.Path("refused.json").write_text(json.dumps({**choice, "added_parameters": [each | change for each in added]}))
        error = run("block-drift", "tied.mlir", "--weights=tied.safetensors", *DATA[:2], "--blocks=@refused.json", *flags,
                    "--json=none.json", code=1)
        checks.check(f"refused: {name}", error == want and left["operand"].endswith("left") and not pathlib.Path("none.json").exists(), error)


def biases():
    """Biases are added beside factors, with names of their own, and counted as measured."""
    tie("tied", *MATRICES)
    flags = ["--data=ids.safetensors", "--generate=0", "--blocks=1", "--correction=refit", "--low-rank=2"]
    bare = drift(*flags, name="tied")
    report = drift(*flags, "--add-biases", "--choice=choice.json", "--weights-out=fitted.safetensors", name="tied")
    added = {each["operand"]: each["name"] for each in report["added_parameters"]}
    again = drift("--data=ids.safetensors", "--generate=0", "--blocks=@choice.json", name="tied")
    checks.check("added biases", {"up_bias", "gate_bias", "down_bias"} <= added.keys()
                 and added["down_bias"] == "model.layers.0.mlp.down_proj.layer1.bias"
                 and report["converted"][0]["held_out_ratio"] < bare["converted"][0]["held_out_ratio"]
                 and abs(again["measured_kl"] / report["measured_kl"] - 1) < 1e-9, (added, again["measured_kl"], report["measured_kl"]))


def counts():
    """block-report has the factors as parameters of their layer."""
    tie("tied", "mlp.down_proj")
    drift("--data=ids.safetensors", "--generate=0", "--blocks=1", "--correction=refit", "--low-rank=2", "--ir-out=fitted.mlir", name="tied")
    layers = []
    for name in ("tied", "fitted"):
        run("block-opt", f"{name}.mlir", f"--block-report=format=json file={name}.json", "-o", "/dev/null")
        layers.append(json.loads(pathlib.Path(f"{name}.json").read_text())["layers"])
    before, after = ([layer["params"] for layer in each] for each in layers)
    hidden = read_tensors("tied.safetensors")["model.layers.1.mlp.down_proj.weight"].shape[1]
    checks.check("block-report", after[0] == before[0] and after[1] == before[1] + 2 * (16 + hidden), (before, after))


def compare():
    """Corrections without changes of low rank are left out of a comparison of those with them."""
    tie("tied", "mlp.down_proj", "self_attn.o_proj")
    said = run("block-drift", "tied.mlir", "--weights=tied.safetensors", *DATA, "--correction=refit", "--low-rank=2",
               "--compare-corrections", "--engine=reference", "--json=compared.json")
    alone = json.loads(pathlib.Path("compared.json").read_text())["layers"][-1]["recovered"]
    checks.check("compared", alone.keys() == {"output-refit", "refit"} and "remark: --compare-corrections leaves mean-jacobian out: pair 1: "
                 "layer 1, attention: other layers read the matrix 'o', too, and no change of low rank is fitted of it: choose a "
                 "--correction that leaves it, or --blocks can leave the pair out\n" in said, (alone, said))


def share(family, parameter):
    """A model whose last layer reads a parameter of its first one."""
    generate(family, "--layers=3", "--batch=?", "--seq=12", name="whole")
    measure_drift.tie(pathlib.Path("whole.mlir"), pathlib.Path("shared.mlir"), parameter)


def refuse_others():
    """Matrices of experts, and biases, that other layers read."""
    leave = "choose a --correction that leaves it, or --blocks can leave the pair out\n"
    for family, parameter, correction, ranks, what in (
            ("deepseek-v3", "mlp.shared_experts.down_proj.weight", "output-refit", (0, 2), "experts: other layers read the "
             "matrix 'shared_down', too, and no change of low rank is fitted of it: "),
            ("mixtral", "mlp.experts.gate_up_proj", "refit", (0, 2), "experts: other layers read the matrix 'up', too, and no "
             "change of low rank is fitted of it: "),
            ("gpt2", "mlp.c_fc.bias", "refit", (0,), "MLP: other layers read the bias of 'up', too: "),
            ("gpt2", "mlp.c_proj.bias", "output-refit", (0,), "MLP: other layers read the bias of 'down', too: ")):
        share(family, parameter)
        for rank in ranks:
            error = run("block-drift", "shared.mlir", "--weights=whole.safetensors", "--seed=11", "--dims=batch=64", "--generate=0",
                        "--blocks=2", f"--correction={correction}", *([f"--low-rank={rank}"] if rank else []), "--json=none.json", code=1)
            checks.check(f"refused: {parameter}, rank {rank}", error == f"error: pair 2: layer 2, {what}{leave}"
                         and not pathlib.Path("none.json").exists(), error)
    # Of two output projections the second one's bias is fitted.
    share("gpt2", "attn.c_proj.bias")
    report = drift("--seed=11", "--dims=batch=64", "--generate=0", "--blocks=2", "--correction=output-refit", name="shared",
                   weights="whole.safetensors")
    checks.check("a shared bias that is not fitted", report["converted"][0]["applied"], report["converted"])


def refuse():
    """Each way to ask for what cannot be is an error with the way out."""
    tie("tied", "mlp.down_proj")
    shared = ("error: pair 1: layer 1, MLP: other layers read the matrix 'down', too: --low-rank=R beside --correction=output-refit or "
              "refit fits a change for this layer alone, or --blocks can leave the pair out\n")
    used = "error: --low-rank: expected a rank from 1 to 65536, and --correction=output-refit or refit, which fit matrices\n"
    none = "error: --low-rank: expected pairs of which other layers read a matrix that the correction fits, got none\n"
    for name, flags, want in (("tied", ["--correction=refit"], shared), ("tied", ["--correction=refit", "--low-rank=0"], used),
                              ("tied", ["--correction=refit", "--low-rank=65537"], used), ("tied", ["--low-rank=1"], used),
                              ("tied", ["--correction=mean-jacobian", "--low-rank=1"], used),
                              ("untied", ["--correction=refit", "--low-rank=1"], none),
                              ("tied", ["--correction=refit", "--low-rank=1", "--heal=2048", "--engine=cpu"], HEALED)):
        # A ridge requires a correction, too.
        error = run("block-drift", f"{name}.mlir", "--weights=tied.safetensors", *DATA[:-1], *flags, "--json=none.json", code=1)
        checks.check(f"refused: {name} {' '.join(flags)}", error == want and not pathlib.Path("none.json").exists(), error)
    text = pathlib.Path("untied.mlir").read_text()
    argument = {name: place for place, name in re.findall(r'(%arg\d+): [^{]*\{[^}]*block\.param = "([^"]+)"', text)}
    q, o = (argument[f"model.layers.1.self_attn.{part}_proj.weight"] for part in "qo")
    head, *layers = text.split("block.layer")
    layers[-1] = re.sub(rf"{o}\b", q, layers[-1])
    pathlib.Path("twice.mlir").write_text("block.layer".join([head, *layers]))
    error = run("block-drift", "twice.mlir", "--weights=tied.safetensors", "--data=ids.safetensors", "--generate=0", "--pairing=shifted",
                "--correction=refit", code=1)
    checks.check("refused: a matrix in two places of one layer", "is read in more than one place" in error, error)


with folder():
    generate("llama", "--layers=2", "--batch=?", "--seq=12")
    ids = np.random.default_rng(5).integers(0, 31, (256, 12))
    write_tensors("ids.safetensors", {"input_ids": ids})
    pathlib.Path("untied.mlir").write_text(pathlib.Path("model.mlir").read_text())
    run("block-opt", "untied.mlir", "--block-parallelize=blocks=1", "-o", "untied.parallel.mlir")
    outputs(ids, 2)
    inputs(ids, 3)
    whole(ids)
    biases()
    counts()
    compare()
    refuse()
    refuse_others()
checks.finish()
