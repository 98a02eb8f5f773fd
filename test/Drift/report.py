# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fields of report, choice and statistics, their types, and the same bytes twice."""

import json
import math
import pathlib
import re
import subprocess

import numpy as np

from models import Checks, drift, folder, generate, read_tensors, run, write_tensors

checks = Checks()
NUMBER, HASH = (int, float), re.compile(r"sha256:[0-9a-f]{64}")
SPREAD = {"mean": NUMBER, "p99": NUMBER, "max": NUMBER}
SPLIT = {"sequences": int, "tokens": int}
LAYER = {"index": int, "pair": str, "update_rel_l2": SPREAD, "output_rel_l2": SPREAD, "cosine": NUMBER,
         "output_cosine": NUMBER, "delta_over_x": NUMBER, "delta_over_x_p99": NUMBER, "normed_cosine": NUMBER,
         "interaction": NUMBER, "nonlinearity": NUMBER, "kl_alone": NUMBER, "kl_alone_corrected": NUMBER,
         "top1_alone": NUMBER, "perplexity_alone": NUMBER, "generation_alone": NUMBER, "tasks_alone": type(None),
         "recovered": dict, "screen": (str, type(None)), "screen_delta_p99": NUMBER, "dropped": bool}
FIT = {"what": str, "tokens": int, "unknowns": int, "targets": int, "ridge": NUMBER, "relative_ridge": NUMBER, "condition": NUMBER,
       "residual": NUMBER}
REPORT = {"schema": int, "model_hash": HASH, "weights_hash": HASH, "corrected_weights_hash": HASH,
          "data_hash": HASH, "engine": str, "engines": {"model": str, "on_reference": [dict], "interaction": str, "floor": str},
          "screen": {"mode": str, "most_delta_p99": NUMBER, "ends": int}, "pairing": str, "norm": str, "correction": str,
          "scales": {"scale": NUMBER, "attn_scale": NUMBER, "mlp_scale": NUMBER},
          "split": {"fit": SPLIT, "select": SPLIT, "report": SPLIT}, "layers": [LAYER], "chosen": [str],
          "floor": {"f32": {"update_rel_l2": SPREAD, "kl": NUMBER, "top1": NUMBER},
                    "bf16": {"update_rel_l2": SPREAD, "kl": NUMBER, "top1": NUMBER}},
          "predicted_kl": NUMBER, "predicted_kl_independent": NUMBER, "selected_kl": NUMBER, "predicted_kl_aligned": NUMBER, "measured_kl": NUMBER, "kl": SPREAD,
          "generation": {"sequences": int, "prompt": int, "tokens": int, "same": int, "share": NUMBER},
          "top1": NUMBER, "perplexity": {"serial": NUMBER, "parallel": NUMBER},
          "nll": {"serial": NUMBER, "parallel": NUMBER}, "cache_rel_l2": {"keys": SPREAD, "values": SPREAD}, "experts": [],
          "converted": [{"pair": str, "applied": bool, "held_out_ratio": NUMBER, "fits": [FIT]}],
          "added_parameters": [{"index": int, "operand": str, "name": str}], "drawn": [str], "trials": list}


def differences(value, schema, path=""):
    """Where `value` is not what `schema` says."""
    if isinstance(schema, re.Pattern):
        return [] if isinstance(value, str) and schema.fullmatch(value) else [path]
    if isinstance(schema, list):
        if not isinstance(value, list):
            return [path]
        return [d for i, item in enumerate(value) for d in differences(item, schema[0], f"{path}[{i}]")]
    if isinstance(schema, dict):
        if not isinstance(value, dict):
            return [path]
        return [d for key, inner in schema.items()
                for d in ([f"{path}.{key} is missing"] if key not in value
                          else differences(value[key], inner, f"{path}.{key}"))]
    return [] if isinstance(value, schema) and not (isinstance(value, float) and not math.isfinite(value)) else [path]


def fields():
    generate("llama", "--layers=3", "--batch=64", "--seq=16")
    report = drift("--seed=4", "--correction=refit", "--compare-corrections", "--statistics=norms.json")
    wrong = differences(report, REPORT)
    checks.check("fields of the report", not wrong and len(report["layers"]) == 3, wrong)
    checks.check("the schema can fail", differences({"schema": "1"}, {"schema": int, "x": int}) == [".schema", ".x is missing"])
    checks.check("every correction has what is said with it", all(
        0 <= entry["generation_alone"] <= 1 for layer in report["layers"] for entry in layer["recovered"].values()))
    checks.check("every correction is in it",
                 all(sorted(layer["recovered"]) == ["mean-jacobian", "output-refit", "refit"] for layer in report["layers"]))
    split = report["split"]
    checks.check("split", [split[key]["sequences"] for key in ("fit", "select", "report")] == [32, 16, 16]
                 and split["report"]["tokens"] == 256, split)
    floor = report["floor"]
    checks.check("floor", 0 < floor["f32"]["kl"] < 1e-9 < floor["bf16"]["kl"]
                 < report["measured_kl"], floor)
    first = pathlib.Path("drift.json").read_bytes()
    drift("--seed=4", "--correction=refit", "--compare-corrections")
    checks.check("same bytes twice", first == pathlib.Path("drift.json").read_bytes())
    other = drift("--seed=5")
    checks.check("hashes", other["model_hash"] == report["model_hash"] and other["weights_hash"] == report["weights_hash"]
                 and other["data_hash"] != report["data_hash"])


def statistics():
    """Mean over standard deviation of what the first norm reads, from the embedding by hand."""
    norms = json.loads(pathlib.Path("norms.json").read_text())
    checks.check("statistics: one entry a norm", [(n["layer"], n["sublayer"]) for n in norms["norms"]]
                 == [(layer, part) for layer in range(3) for part in ("attention", "mlp")], norms["norms"])
    table = read_tensors("model.safetensors")["model.embed_tokens.weight"].astype(np.float64)
    ids = np.arange(31)[None].repeat(4, 0)
    write_tensors("ids.safetensors", {"input_ids": ids})
    drift("--data=ids.safetensors", "--statistics=norms.json")
    seen = json.loads(pathlib.Path("norms.json").read_text())["norms"][0]["mean_over_std"]
    ratios = np.abs(table.mean(-1)) / table.std(-1)
    checks.check("statistics: values", abs(seen["max"] - ratios.max()) < 1e-9 and abs(seen["mean"] - ratios.mean()) < 1e-9,
                 (seen, ratios.max()))


def without_logits():
    generate("vit", "--layers=2", "--batch=4", "--seq=9", name="vit")
    report = drift("--seed=1", name="vit")
    checks.check("no logits: no KL", report["measured_kl"] is None and report["layers"][0]["kl_alone"] is None
                 and report["layers"][0]["update_rel_l2"]["mean"] > 0, report["measured_kl"])
    nulls = ("kl", "top1", "predicted_kl", "selected_kl")
    checks.check("no logits: no number of them", all(report[key] is None for key in nulls)
                 and report["layers"][0]["post_norms"] is False, {key: report[key] for key in nulls})
    table = subprocess.run(["block-drift", "vit.mlir", "--weights=vit.safetensors", "--seed=1"], capture_output=True, text=True).stdout
    stream = re.search(r"^error of the last stream, relative: mean (\S+), 99th", table, re.MULTILINE)
    checks.check("no logits: the error of the stream, and no line of KL", stream and not re.search("KL|perplexity|likely", table)
                 and float(stream[1]) == float(f"{report['stream_rel_l2']['mean']:.4g}"), table)
    error = run("block-drift", "vit.mlir", "--weights=vit.safetensors", "--budget-kl=1", "--choice=c.json", code=1)
    checks.check("no logits: no budget", "the model has no logits" in error and not pathlib.Path("c.json").exists(), error)


def padding():
    """What stands behind the length of a row does not count."""
    generate("gpt2", "--layers=2", "--batch=8", "--seq=12", "--padding", name="padded")
    ids = np.random.default_rng(1).integers(0, 31, (8, 12))
    lengths = np.array([12, 5, 7, 3, 9, 12, 4, 6])
    reports = []
    for fill in (0, 7):
        for row, length in zip(ids, lengths):
            row[length:] = fill
        write_tensors("padded-data.safetensors", {"input_ids": ids, "lengths": lengths})
        reports.append(drift("--data=padded-data.safetensors", name="padded"))
    checks.check("padding: tokens", reports[0]["split"]["report"]["tokens"] == 10, reports[0]["split"])
    same = all(reports[0][key] == reports[1][key] for key in ("layers", "measured_kl", "top1", "perplexity"))
    checks.check("padding: what is in it", same)


def spilled():
    """Hidden states in a file are the same as in memory."""
    drift("--seed=4", "--correction=refit", "--memory-mebibytes=0", json_name="spilled.json")
    drift("--seed=4", "--correction=refit", json_name="kept.json")
    checks.check("a temporary file: same bytes",
                 pathlib.Path("spilled.json").read_bytes() == pathlib.Path("kept.json").read_bytes())


def generation(*choice):
    """The first differing token of greedy generation, by running both models token by token."""
    flags = ["--seed=4", "--dims=batch=16", *choice, "--choice=choice.json", "--generate=3"]
    seen = drift(*flags)["generation"]
    run("block-opt", "model.mlir", "--block-parallelize=blocks=@choice.json", "-o", "parallel.mlir")
    first = []
    ids = draw_ids()[-4:, :8]
    texts = {"model.mlir": ids, "parallel.mlir": ids}
    for step in range(3):
        for ir, rows in texts.items():
            write_tensors("ids.safetensors", {"input_ids": np.ascontiguousarray(np.pad(rows, ((0, 60), (0, 8 - step))))})
            run("block-run", ir, "--engine=reference", "--weights=model.safetensors", "--inputs=ids.safetensors", "--exact-arithmetic",
                "--outputs=logits.safetensors")
            next_ids = read_tensors("logits.safetensors")["logits"][:4, 7 + step].argmax(-1)
            texts[ir] = np.concatenate([rows, next_ids[:, None]], -1)
        different = (texts["model.mlir"] != texts["parallel.mlir"]).any(-1)
        first.append(different)
    counts = [next((step for step in range(3) if first[step][row]), None) for row in range(4)]
    differing = [count for count in counts if count is not None]
    checks.check("generation: sequences that stay the same", seen["same"] == counts.count(None)
                 and seen["sequences"] == 4 and seen["prompt"] == 8, (seen, counts))
    mean = float(np.mean(differing)) if differing else None
    checks.check("generation: first difference", differing and abs(seen["first_difference"] - mean) < 1e-12, (seen, counts))


def draw_ids():
    """What --seed=4 draws for 16 rows, as block-run draws it, too."""
    run("block-gen", "--family=llama", "--width=16", "--heads=2", "--vocab=31", "--layers=1", "--batch=16", "--seq=16",
        "-o", "ids.mlir")
    text = pathlib.Path("ids.mlir").read_text()
    text = re.sub(r"return %\d+ : [^\n]*", "return %arg0 : tensor<16x16xi64>", text)
    text = re.sub(r"-> \(tensor<16x16x31xf32> \{block.output = \"logits\"\}\)",
                  '-> (tensor<16x16xi64> {block.output = "ids"})', text)
    pathlib.Path("ids.mlir").write_text(text)
    run("block-run", "ids.mlir", "--engine=reference", "--seed=4", "--outputs=drawn.safetensors")
    return read_tensors("drawn.safetensors")["ids"]


def people():
    table = subprocess.run(["block-drift", "model.mlir", "--weights=model.safetensors", "--seed=4"],
                           capture_output=True, text=True).stdout
    checks.check("the table", re.search(r"^pair +error mean.*\n0 .*\n1 .*\n2 .*\nchosen: 0,1,2\nKL a token: predicted",
                                        table, re.MULTILINE), table)


with folder():
    fields()
    statistics()
    without_logits()
    padding()
    spilled()
    generation("--blocks=0")
    generation("--pairing=ladder")
    people()
checks.finish()
