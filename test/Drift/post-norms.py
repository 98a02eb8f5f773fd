# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pairs of post-norms, against NumPy: streams, closed-form fits, stored weights, healing without logits."""

import json
import pathlib
import sys

import numpy as np

from models import Checks, drift, folder, generate, read_tensors, run, write_tensors

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "golden"))
from formulas import allowed_keys, attend, gelu_erf, layer_norm, scaled  # noqa: E402

checks = Checks()
RIDGE, ROWS, TOKENS, LAYERS = 0.01, 64, 24, 3
PARTS = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
         "o": "attention.output.dense", "up": "intermediate.dense", "down": "output.dense"}


class Bert:
    """The model of some weights, layer by layer."""

    def __init__(self, tensors):
        self.tensors = {name.removeprefix("bert."): values.astype(np.float64) for name, values in tensors.items()}

    def norm(self, x, name):
        return layer_norm(x, self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"], 1e-12)

    def linear(self, x, layer, part):
        name = f"encoder.layer.{layer}.{PARTS[part]}"
        return x @ self.tensors[f"{name}.weight"].T + self.tensors[f"{name}.bias"]

    def start(self, ids):
        tables = (self.tensors[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "position", "token_type"))
        words, positions, types = tables
        return self.norm(words[ids] + positions[: ids.shape[1]] + types[0], "embeddings.LayerNorm")

    def attend(self, x, layer):
        q, k, v = (self.linear(x, layer, part) for part in "qkv")
        return self.linear(attend(q, k, v, 2, 2, scaled(8**-0.5), allowed_keys(*x.shape[:2], x.shape[1])), layer, "o")

    def hide(self, x, layer):
        return gelu_erf(self.linear(x, layer, "up"))

    def run(self, ids, pairs=()):
        """The last stream; pairs are parallel."""
        x = older = self.start(ids)
        for layer in range(LAYERS):
            h = f"encoder.layer.{layer}"
            read = older if f"{layer - 1}+" in pairs else x
            middle = self.norm(x + self.attend(read, layer), f"{h}.attention.output.LayerNorm")
            read = x if str(layer) in pairs else middle
            older = middle
            x = self.norm(middle + self.linear(self.hide(read, layer), layer, "down"), f"{h}.output.LayerNorm")
        return x


def flat(values):
    return values.reshape(-1, values.shape[-1])


def regress(features, targets):
    """Ridge regression with a bias; weights and bias to add."""
    centre, goal = features.mean(0), targets.mean(0)
    gram = (features - centre).T @ (features - centre)
    gram += RIDGE * np.trace(gram) / len(gram) * np.eye(len(gram))
    weight = np.linalg.solve(gram, (features - centre).T @ (targets - goal))
    return weight, goal - centre @ weight


def stream_error(got, want):
    return float((np.linalg.norm(got - want, axis=-1) / np.linalg.norm(want, axis=-1)).mean())


def streams(ids, pairing, pairs):
    """The report's error of the last stream is NumPy's, on both engines, and that of the converted model as it runs."""
    held = ids[3 * ROWS // 4 :]
    bert = Bert(read_tensors("model.safetensors"))
    want = stream_error(bert.run(held, pairs), bert.run(held))
    for engine in ("reference", "cpu"):
        report = drift(f"--pairing={pairing}", "--data=ids.safetensors", "--ir-out=parallel.mlir", engine=engine)
        got = report["stream_rel_l2"]["mean"]
        checks.check(f"{pairing}, {engine}: error of the last stream", report["chosen"] == pairs and want > 0.05
                     and abs(got - want) < (1e-9 if engine == "reference" else 1e-4) * want, (got, want, report["chosen"]))
    write_tensors("inputs.safetensors", {"input_ids": held})
    run("block-run", "parallel.mlir", "--engine=cpu", "--weights=model.safetensors", "--inputs=inputs.safetensors",
        "--outputs=outputs.safetensors")
    ran = read_tensors("outputs.safetensors")["hidden_states"].astype(np.float64)
    checks.check(f"{pairing}: the model that is written", abs(stream_error(ran, bert.run(held)) - want) < 1e-4 * want)
    return report


def fits(ids):
    """Up of a block pair, then down, are NumPy's regressions."""
    fit = ids[: ROWS // 2]
    before = read_tensors("model.safetensors")
    report = drift("--blocks=0", "--data=ids.safetensors", "--correction=refit", f"--ridge={RIDGE}",
                   "--weights-out=fitted.safetensors")
    after = read_tensors("fitted.safetensors")
    bert = Bert(before)
    x = bert.start(fit)
    middle = bert.norm(x + bert.attend(x, 0), "encoder.layer.0.attention.output.LayerNorm")
    up = bert.tensors["encoder.layer.0.intermediate.dense.weight"].T
    weight, bias = regress(flat(x), flat(middle - x) @ up)
    hidden = gelu_erf(bert.linear(x, 0, "up") + x @ weight + bias)
    lacks = bert.linear(bert.hide(middle, 0), 0, "down") - bert.linear(hidden, 0, "down")
    for part, (w, b) in {"up": (weight, bias), "down": regress(flat(hidden), flat(lacks))}.items():
        name = f"bert.encoder.layer.0.{PARTS[part]}"
        for kind, want in (("weight", w.T), ("bias", b)):
            got = after[f"{name}.{kind}"].astype(np.float64) - before[f"{name}.{kind}"]
            off = np.linalg.norm(got - want) / np.linalg.norm(want)
            checks.check(f"fit of {part}: {kind}", off < 1e-5, off)
    names = [each["what"] for each in report["converted"][0]["fits"]]
    checks.check("fits in their order", names == ["first outputs", "inputs", "outputs"] and report["converted"][0]["applied"],
                 report["converted"])
    untouched = [name for name in before if not np.array_equal(before[name], after[name])]
    checks.check("nothing else changes", all(part in name for name in untouched for part in (".0.",))
                 and not any("LayerNorm" in name or "self" in name for name in untouched), untouched)


def corrects(pairing):
    """Each correction lowers the error, and stored weights have the error that is reported."""
    flags = [f"--pairing={pairing}", "--data=ids.safetensors"]
    plain = drift(*flags)["stream_rel_l2"]["mean"]
    error = plain
    for correction in ("output-refit", "refit"):
        report = drift(*flags, f"--correction={correction}", "--weights-out=fitted.safetensors", "--choice=choice.json")
        checks.check(f"{pairing}, {correction} lowers the error", report["stream_rel_l2"]["mean"] < error,
                     (report["stream_rel_l2"], error))
        error = report["stream_rel_l2"]["mean"]
    again = drift("--data=ids.safetensors", "--blocks=@choice.json", "--corrected-weights=fitted.safetensors")
    checks.check(f"{pairing}: weights that were stored", abs(again["stream_rel_l2"]["mean"] - error) < 1e-9 * error,
                 (again["stream_rel_l2"], error))
    return plain, error


def heals(plain):
    """Healing lowers the error of the last stream further, and the report has all three stages."""
    report = drift("--pairing=block", "--data=ids.safetensors", "--correction=refit", "--heal=40000", "--heal-rate=2e-3",
                   "--weights-out=healed.safetensors", "--choice=healed.json", engine="cpu")
    stages = report["healing"]["stream_rel_l2"]
    held = [each["kl"] for each in report["healing"]["held_out"]]
    checks.check("healing lowers the error", stages["healed"] < stages["start"] < stages["plain"]
                 and abs(stages["plain"] - plain) < 1e-3 * plain and min(held) < held[0], (stages, held))
    checks.check("no KL of a model without logits", report["healing"]["kl"]["healed"] is None and report["kl"] is None,
                 report["healing"]["kl"])
    checks.check("where the norms are", all(layer["post_norms"] is True for layer in report["layers"]))
    again = drift("--data=ids.safetensors", "--blocks=@healed.json", "--corrected-weights=healed.safetensors", engine="cpu")
    checks.check("healed weights that were stored", abs(again["stream_rel_l2"]["mean"] - stages["healed"]) < 1e-6, again["stream_rel_l2"])


def refuse(text, *flags, code=1):
    error = run("block-drift", "model.mlir", "--weights=model.safetensors", "--data=ids.safetensors", *flags, code=code)
    checks.check(f"refused: {text[:50]}", text in error, error)


def refusals():
    refuse("--correction=mean-jacobian requires a second branch that reads the first one's update", "--correction=mean-jacobian")
    refuse("--norm=shared: pair 0: expected a norm before each branch, got one behind each sum: leave the flag out", "--norm=shared")
    why = ("pair 0 stays in series: the stream is normalised between the branches: --pairing=block and --pairing=shifted convert it, "
           "with --router=parallel")
    refuse(why, "--pairing=ladder", code=0)
    refuse(why, "--router=serial", code=0)


def main():
    with folder():
        generate("bert", f"--layers={LAYERS}", f"--seq={TOKENS}", "--batch=?")
        ids = np.random.default_rng(5).integers(0, 31, (ROWS, TOKENS))
        write_tensors("ids.safetensors", {"input_ids": ids})
        streams(ids, "block", ["0", "1", "2"])
        streams(ids, "shifted", ["0+", "1+"])
        fits(ids)
        plain, _ = corrects("block")
        corrects("shifted")
        heals(plain)
        refusals()
    checks.finish()


main()
