#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the trained models of examples/trained and rewrites docs/Drift.md's tables.

    measure_drift.py [--build=build] [--rows=N] [--heal-tokens=N] [--only=NAME,...] [--check]

Every table stands between two comments that name it. Reports of block-drift are
kept in BUILD/drift and used again while model, data, tool flags and the tool stay
the same. --rows takes fewer rows of each split for the tables pairs, recovery,
whole, scales, norms and budget; the others have rows of their own. --check measures
nothing and says whether each table is there. The table of healing also trains
controls by examples/trained/train_tasks.py, which requires PyTorch, and so does
that of shared matrices; that of seeds reads the text of examples/trained/corpus.py,
with NumPy. Three tables of healing have no comments and are not made here: those on a
million and half a million tokens, and that of codes.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "Drift.md"
MODEL = ROOT / "examples" / "trained" / "model"
#: The model that solves tasks.
SOLVER = ROOT / "examples" / "trained" / "tasks"
CORRECTIONS = ("none", "mean-jacobian", "output-refit", "refit")
PAIRINGS = ("block", "shifted", "best")
BUDGETS = (0.005, 0.01, 0.02, 0.03, 0.05)
SIZES = (32, 64, 128, 256, 512)
SEEDS = (0, 1, 2)
#: Tokens to heal the first model on, once for each seed.
SEED_TOKENS = 102400
#: Where tables compare forms or numbers of tokens, fits have one ridge.
FIXED = {"none": {}, "refit": {"ridge": "1e-4"}}


def fail(message):
    sys.exit(f"error: {message}")


def digest(*things):
    total = hashlib.sha256()
    for thing in things:
        data = thing.read_bytes() if isinstance(thing, pathlib.Path) else str(thing).encode()
        total.update(hashlib.sha256(data).digest())
    return total.hexdigest()[:16]


def take_rows(source, rows, target):
    """Writes a file with rows from all over each split of `source`."""
    data = source.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    entry = json.loads(data[8:start])["input_ids"]
    have, length = entry["shape"]
    if rows > have or rows % 4:
        fail(f"--rows: expected a multiple of 4, at most {have}, got {rows}")
    row = 8 * length
    first = start + entry["data_offsets"][0]
    parts = ((0, 2), (have // 2, 4), (have // 4 * 3, 4))
    taken = [at + k * have // rows for at, share in parts for k in range(rows // share)]
    return write_rows(target, length, b"".join(data[first + at * row : first + (at + 1) * row] for at in taken))


def write_rows(target, length, body):
    """Writes rows of `length` ids."""
    shape = [len(body) // (8 * length), length]
    header = {"input_ids": {"dtype": "I64", "shape": shape, "data_offsets": [0, len(body)]}}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    target.write_bytes(len(text).to_bytes(8, "little") + text + body)
    return target


class Bench:
    """Runs block-drift on the model, or remembers that it did."""

    def __init__(self, build, rows, heal_tokens):
        self.bin, self.rows, self.heal_tokens = build / "bin", rows, heal_tokens
        self.folder = build / "drift"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.ir = self.folder / "model.mlir"
        self.run("block-gen", f"--config={MODEL / 'config.json'}", "--seq=128", "-o", self.ir)
        self.solver = self.folder / "solver.mlir"
        self.run("block-gen", f"--config={SOLVER / 'config.json'}", "--seq=48", "-o", self.solver)

    def run(self, tool, *flags):
        done = subprocess.run([self.bin / tool, *flags], capture_output=True, text=True)
        if done.returncode:
            fail(f"{tool} ended with {done.returncode}: {done.stderr.strip()}")

    def drift(self, rows=None, **flags):
        rows = rows or self.rows
        data = take_rows(MODEL / "held_out.safetensors", rows, self.folder / f"rows-{rows}.safetensors")
        return self.measure(self.ir, MODEL, data, {"engine": "reference", **flags})

    def solve(self, **flags):
        """Measures the model that solves tasks, on its text."""
        flags = {"tasks": SOLVER / "tasks.safetensors", **flags}
        return self.measure(self.solver, SOLVER, SOLVER / "text.safetensors", flags)

    def measure(self, ir, model, data, flags):
        return self.measure_files(ir, model / "model.safetensors", {"data": data, **flags})

    def measure_files(self, ir, weights, flags):
        words = [f"--{name.replace('_', '-')}={value}" for name, value in sorted(flags.items())]
        files = [value for value in flags.values() if isinstance(value, pathlib.Path)]
        key = digest(ir, weights, self.bin / "block-drift", *files, *words)
        kept = self.folder / f"{key}.json"
        if not kept.exists():
            print("block-drift", ir.name, *words, file=sys.stderr, flush=True)
            fresh = kept.with_suffix(".new")
            self.run("block-drift", ir, f"--weights={weights}", *words, f"--json={fresh}")
            os.replace(fresh, kept)
        return json.loads(kept.read_text())

    def draw_text(self, rows, length=128):
        """Rows of the text that the first model was trained on."""
        sys.path.insert(0, str(MODEL.parent))
        import corpus  # noqa: PLC0415, it needs NumPy

        body = corpus.rows(corpus.gather()[0]["train"], rows, length).tobytes()
        return write_rows(self.folder / f"text-{rows}.safetensors", length, body)

    def train(self, *flags):
        """Trains a control, or writes its data; the folder that has them."""
        script = ROOT / "examples" / "trained" / "train_tasks.py"
        folder = self.folder / digest(script, script.with_name("decoder.py"), *flags)
        if not folder.exists():
            print(script.name, *flags, file=sys.stderr, flush=True)
            fresh = folder.with_suffix(".new")
            done = subprocess.run([sys.executable, script, *flags, f"--out={fresh}"],
                                  capture_output=True, text=True)
            if done.returncode:
                fail(f"{script.name} ended with {done.returncode}: {done.stderr.strip()}")
            os.replace(fresh, folder)
        return folder


def number(value, digits=3):
    return "-" if value is None else f"{value:.{digits}g}"


def said(report):
    """What the converted model says: its perplexity, and the continuations that stay the same."""
    generation = report["generation"]
    return [number(report["perplexity"]["parallel"], 4),
            f"{generation['same']} of {generation['sequences']}",
            number(generation["first_difference"])]


SAID = ("perplexity", "same continuations", "first difference")


def said_alone(entry):
    """What the model says with one pair: of KL's rows, the rest as in said()."""
    return [number(entry["top1_alone"]), number(entry["perplexity_alone"], 4), number(entry["generation_alone"], 2)]


SAID_ALONE = ("top-1", "perplexity", "same continuations")


def table(titles, rows):
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def training(bench):
    serial, twin = (
        json.loads((MODEL / name).read_text()) if (MODEL / name).exists() else None
        for name in ("training.json", "training-parallel.json")
    )
    baseline = json.loads((MODEL / "baseline.json").read_text())
    rows = [
        [kind, serial["corpus"]["tokens"][kind], number(scores["trigram"], 4),
         number(baseline[kind]["6"], 4), number(scores["loss"], 4), number(scores["loss_of_later_half"], 4)]
        for kind, scores in serial["held_out"].items()
    ]
    facts = (
        f"{serial['parameters']} parameters, seed {serial['seed']}, {serial['steps']} steps of "
        f"{serial['rows']} x {serial['row_tokens']} tokens ({serial['trained_on_tokens']} in all); "
        f"text: {serial['corpus']['text']}, {serial['corpus']['tokens']['train']} tokens to train on. "
        "Losses are in nats a token."
    )
    parts = [facts, table(("held out", "tokens", "trigram", "6-gram", "the model",
                           "later half of each row"), rows)]
    if twin:
        parts += against_twin(serial, twin)
    return "\n\n".join(parts)


def against_twin(serial, twin):
    """The two forms at equal steps, on the same rows in the same order."""
    curves = [{point["step"]: point["loss"] for point in record["curve"]} for record in (serial, twin)]
    common = sorted(curves[0].keys() & curves[1].keys())
    every = max(1, len(common) // 8)
    shown = sorted({*common[every - 1 :: every], common[-1]})
    rows = [[step, curves[0][step], curves[1][step],
             f"{100 * (curves[1][step] / curves[0][step] - 1):+.2f}%"] for step in shown]
    parts = [
        f"The twin in parallel form, {twin['parameters']} parameters and {twin['steps']} steps from "
        "scratch. Training loss, mean over the 100 steps before:",
        table(("step", "serial", "parallel", "difference"), rows),
    ]
    if twin["steps"] == serial["steps"]:
        rows = [[kind, number(serial["held_out"][kind]["loss"], 4), number(scores["loss"], 4),
                 f"{100 * (scores['loss'] / serial['held_out'][kind]['loss'] - 1):+.2f}%"]
                for kind, scores in twin["held_out"].items()]
        parts.append(table(("held out, at the end", "serial", "parallel", "difference"), rows))
    return parts


def scan(bench):
    """All candidate pairs, each alone, with every correction."""
    return bench.drift(pairing="best", correction="refit", add_biases="true", compare_corrections="true")


def in_chain_order(report):
    return sorted(report["layers"], key=lambda layer: (layer["index"], layer["pair"].endswith("+")))


def pairs(bench):
    rows = [
        [layer["pair"], number(layer["update_rel_l2"]["mean"]), number(layer["update_rel_l2"]["p99"]),
         number(layer["cosine"], 4), number(layer["delta_over_x"]), number(layer["interaction"]),
         number(layer["nonlinearity"]), number(layer["kl_alone"]), *said_alone(layer)]
        for layer in in_chain_order(scan(bench))
    ]
    return table(("pair", "error / update", "p99", "cosine of updates", "|d| / |x|",
                  "interaction / update", "nonlinearity", "KL alone", *SAID_ALONE), rows)


def recovery(bench):
    report = scan(bench)
    rows, below = [], 0
    for layer in in_chain_order(report):
        kls = [layer["kl_alone"]]
        kls += [layer["recovered"][c]["kl_alone"] for c in CORRECTIONS[1:]]
        below += kls[-1] <= 0.03
        rows.append([layer["pair"], *map(number, kls), f"{kls[0] / kls[-1]:.1f}",
                     *said_alone(layer["recovered"]["refit"])])
    words = f"{below} of {len(rows)} pairs have a KL of at most 0.03 alone after the refit."
    return table(("pair", "plain", "mean-Jacobian", "output refit", "refit", "plain / refit", *SAID_ALONE),
                 rows) + "\n\n" + words


def whole(bench):
    plain = bench.drift(pairing="block", correction="none")["measured_kl"]
    rows = []
    for pairing in PAIRINGS:
        for correction in CORRECTIONS:
            is_scan = (pairing, correction) == ("best", "refit")
            report = scan(bench) if is_scan else bench.drift(pairing=pairing, correction=correction)
            rows.append([
                pairing, len(report["chosen"]), correction, number(report["measured_kl"]),
                f"{report['measured_kl'] / plain:.3f}", number(report["top1"]),
                *said(report),
            ])
    serial = bench.drift(pairing="block", correction="none")
    sequences = serial["generation"]["sequences"]
    rows.append(["serial", 0, "none", "0", "0", "1", number(serial["perplexity"]["serial"], 4),
                 f"{sequences} of {sequences}", "-"])
    chosen = " ".join(scan(bench)["chosen"])
    floors = serial["floor"]
    floor = ", ".join(f"{name} {number(entry['kl'])}" for name, entry in sorted(floors.items()))
    split = serial["split"]
    return "\n\n".join((
        table(("pairs", "how many", "correction", "KL", "of plain block", "top-1 agreement", *SAID), rows),
        f"The best pairs with refit: `{chosen}`. Tokens: {split['fit']['tokens']} to fit, "
        f"{split['select']['tokens']} to choose, {split['report']['tokens']} to report. "
        f"KL of the serial model's own rounding: {floor}.",
    ))


def scales(bench):
    rows = []
    for scale in ("1", "0.7071"):
        for correction in ("none", "refit"):
            report = bench.drift(pairing="block", correction=correction, scale=scale, **FIXED[correction])
            rows.append([scale, correction, number(report["measured_kl"]), number(report["top1"]),
                         *said(report)])
    return table(("s", "correction", "KL, all block pairs", "top-1 agreement", *SAID), rows)


def norms(bench):
    rows = []
    for norm in ("separate", "shared", "shared-lossy"):
        for correction in ("none", "refit"):
            report = bench.drift(pairing="block", correction=correction, norm=norm, **FIXED[correction])
            rows.append([norm, correction, number(report["measured_kl"]), number(report["top1"]),
                         *said(report)])
    return table(("norm", "correction", "KL, all block pairs", "top-1 agreement", *SAID), rows)


def budget(bench):
    rows = []
    for limit in BUDGETS:
        report = bench.drift(pairing="best", correction="refit", budget_kl=limit)
        rows.append([limit, len(report["chosen"]), " ".join(report["chosen"]) or "none",
                     number(report["predicted_kl_independent"]), number(report["predicted_kl_aligned"]),
                     number(report["predicted_kl"]),
                     number(report["selected_kl"]), number(report["measured_kl"]),
                     number(report["top1"]), *said(report)])
    return table(("budget", "pairs", "chosen", "sum, independent", "sum, aligned", "predicted",
                  "on the select split", "on the report split", "top-1 agreement", *SAID), rows)


def tokens(bench):
    rows = []
    for size in SIZES:
        block = bench.drift(rows=size, pairing="block", correction="none")["measured_kl"]
        plain = bench.drift(rows=size, pairing="shifted", correction="none")["measured_kl"]
        report = bench.drift(rows=size, pairing="shifted", correction="refit", **FIXED["refit"])
        refitted = report["measured_kl"]
        condition = max(f["condition"] for pair in report["converted"] for f in pair["fits"])
        rows.append([report["split"]["fit"]["tokens"], number(block), number(plain), number(refitted),
                     f"{refitted / plain:.3f}", f"{refitted / block:.3f}", number(report["top1"]),
                     *said(report), number(condition)])
    return table(("tokens to fit", "KL of plain block pairs", "of plain shifted pairs",
                  "of refitted shifted pairs", "of plain shifted", "of plain block",
                  "top-1 agreement", *SAID, "largest condition number"), rows)


def solved(report, side):
    return [f"{kind[side]} of {kind['tasks']}" for kind in report["tasks"]["kinds"]]


def tasks(bench):
    rows = []
    for pairing in ("block", "shifted", "ladder"):
        for correction in ("none", "refit"):
            report = bench.solve(pairing=pairing, correction=correction)
            rows.append([pairing, len(report["chosen"]), correction, number(report["measured_kl"]),
                         number(report["top1"]), *said(report)[:2], *solved(report, "parallel")])
    sequences = report["generation"]["sequences"]
    rows.append(["serial", 0, "none", "0", "1", number(report["perplexity"]["serial"], 4),
                 f"{sequences} of {sequences}", *solved(report, "serial")])
    kinds = [kind["kind"] for kind in report["tasks"]["kinds"]]
    return table(("pairs", "how many", "correction", "KL", "top-1", *SAID[:2], *kinds), rows)


def upper(bench):
    """As many pairs as a budget allows, the cheapest or the last ones, and those of the upper half."""
    rows = []
    for pairing, correction, limits in (("shifted", "none", (0.002, 0.01)), ("block", "refit", (0.0005, 0.002))):
        cases = [(limit, order, {"budget_kl": limit, "budget_order": order, "screen": "off"})
                 for limit in limits for order in ("cheapest", "top")]
        for limit, order, flags in (*cases, ("-", "upper half", {"from": "half"})):
            report = bench.solve(pairing=pairing, correction=correction, **flags)
            rows.append([pairing, correction, limit, order, " ".join(report["chosen"]) or "none",
                         number(report["measured_kl"]), *said(report)[:2], *solved(report, "parallel")])
    kinds = [kind["kind"] for kind in report["tasks"]["kinds"]]
    return table(("pairs", "correction", "budget", "taken", "chosen", "KL", *SAID[:2], *kinds), rows)


def spread(values, digits=3):
    """The mean over seeds, and the smallest and largest value."""
    values = [value for value in values if value is not None]
    if not values:
        return "-"
    mean, ends = sum(values) / len(values), (min(values), max(values))
    return number(mean, digits) if ends[0] == ends[1] else (
        f"{number(mean, digits)} ({number(ends[0], digits)} to {number(ends[1], digits)})")


def healing(bench):
    """Distillation, fine-tuning, and training from scratch, at equal tokens."""
    tokens, rows = bench.heal_tokens, []
    more = bench.train("--more", "--seed=2") / "more.safetensors"
    for pairs, chosen in (("all", {}), ("upper half", {"from": "half"})):
        # Streams have no part in either loss, so the targets alone differ.
        for targets, alone in (("teacher", {"heal_streams": "0"}), ("text", {})):
            reports = [bench.solve(pairing="shifted", correction="none", heal=tokens, heal_data=more,
                                   heal_targets=targets, heal_rate="1e-3", seed=seed, **alone, **chosen)
                       for seed in SEEDS]
            found = [report["healing"] for report in reports]
            if targets == "teacher":
                fitted = bench.solve(pairing="shifted", correction="refit", **chosen)
                plain = {key: found[0][key]["plain"] for key in ("kl", "perplexity", "generation", "tasks")}
                refit = {"kl": fitted["measured_kl"], "perplexity": fitted["perplexity"]["parallel"],
                         "generation": fitted["generation"]["share"], "tasks": fitted["tasks"]["share"]}
                for name, stage in (("the serial model's", plain), ("refitted", refit)):
                    rows.append([pairs, len(reports[0]["chosen"]), name, 0, number(stage["kl"]),
                                 number(stage["perplexity"], 4), number(stage["generation"]), number(stage["tasks"])])
            rows.append([pairs, len(reports[0]["chosen"]), f"trained towards the {targets}",
                         found[0]["tokens"], spread([each["kl"]["healed"] for each in found]),
                         spread([each["perplexity"]["healed"] for each in found], 4),
                         spread([each["generation"]["healed"] for each in found]),
                         spread([each["tasks"]["healed"] for each in found])])
    scratch = []
    # The steps of train_tasks.py are of 64 rows of 48 tokens.
    steps = -(-tokens // (64 * 48))
    for seed in SEEDS:
        folder = bench.train("--form=parallel", f"--steps={steps}", f"--seed={seed + 10}")
        scratch.append(json.loads((folder / "training.json").read_text()))
    serial = {kind["kind"]: 2 * kind["serial"] for kind in reports[0]["tasks"]["kinds"]}
    shares = [min(each["tasks"][kind]["solved"] / most for kind, most in serial.items()) for each in scratch]
    rows.append(["all layers from the start", 6, "from scratch", scratch[0]["trained_on_tokens"], "-",
                 spread([each["perplexity"] for each in scratch], 4), "-", spread(shares)])
    rows.append(["serial", 0, "none", 0, "0", number(reports[0]["perplexity"]["serial"], 4), "1", "1"])
    return table(("pairs", "how many", "weights", "tokens", "KL", "perplexity", "same continuations",
                  "share of tasks"), rows) + (
        f"\n\nMeans of {len(SEEDS)} seeds, the smallest and largest value in brackets.")


def tie(ir, target, ends="_proj.weight"):
    """Writes a model whose layers read those parameters of the first one that has them whose names end so."""
    text = ir.read_text()
    argument = {name: place for place, name in re.findall(r'(%arg\d+): [^{]*\{[^}]*block\.param = "([^"]+)"', text)}
    head, body = text.split("block.layer", 1)
    first = {}
    for name, place in argument.items():
        read = first.setdefault(re.sub(r"\d+", "", name, count=1), place)
        if name.endswith(ends) and read != place:
            body = re.sub(rf"{place}\b", read, body)
    target.write_text(head + "block.layer" + body)
    return target


def count_added(report, config):
    """Numbers of the factors of low rank that a refit added."""
    width, hidden = config["hidden_size"], config["intermediate_size"]
    keys = config["num_key_value_heads"] * config["head_dim"]
    sides = {"q": (width, width), "k": (keys, width), "v": (keys, width), "o": (width, width), "up": (hidden, width),
             "gate": (hidden, width), "down": (width, hidden)}
    total = 0
    for added in report["added_parameters"]:
        projection, kind = added["operand"].rsplit("_", 1)
        total += added.get("rank", 0) * sides[projection][kind == "right"]
    return total


def shared(bench):
    """Layers that share their matrices: changes of low rank for each, beside matrices of its own."""
    folder = bench.train("--tied")
    own = bench.folder / "own.mlir"
    bench.run("block-gen", f"--config={folder / 'config.json'}", "--seq=48", "-o", own)
    tied, rows = tie(own, bench.folder / "tied.mlir"), []
    config = json.loads((folder / "config.json").read_text())
    refit = {"correction": "refit", "ridge": "1e-3"}
    for pairing in ("block", "shifted"):
        cases = [("none", tied, {"correction": "none"}), *((f"rank {rank}", tied, {**refit, "low_rank": rank}) for rank in (2, 8, 32)),
                 ("own matrices", own, refit)]
        for name, ir, flags in cases:
            report = bench.measure(ir, folder, folder / "text.safetensors",
                                   {"pairing": pairing, "tasks": folder / "tasks.safetensors", **flags})
            rows.append([pairing, len(report["chosen"]), name, count_added(report, config) or "-", number(report["measured_kl"]), number(report["top1"]),
                         *said(report)[:2], *solved(report, "parallel")])
    kinds = [kind["kind"] for kind in report["tasks"]["kinds"]]
    return table(("pairs", "how many", "refit", "added numbers", "KL", "top-1", *SAID[:2], *kinds), rows)


def experts(bench):
    """Drawn models of experts, with both streams for routers."""
    rows = []
    for family in ("mixtral", "gpt-oss"):
        ir, weights = (bench.folder / f"{family}.{end}" for end in ("mlir", "safetensors"))
        bench.run("block-gen", f"--family={family}", "--layers=3", "--width=16", "--heads=2", "--vocab=31", "--seq=12",
                  "--batch=?", "--seed=2", f"--weights-out={weights}", "-o", ir)
        for router in ("parallel", "serial"):
            flags = {"engine": "reference", "dims": "batch=256", "router": router, "generate": 0}
            reports = [bench.measure_files(ir, weights, {**flags, "correction": each}) for each in ("none", "refit")]
            kls = [number(report["measured_kl"]) for report in reports]
            changed = [", ".join(f"{layer['changed']:.2g}" for layer in report["experts"]) for report in reports]
            rows.append([family, router, *kls, *changed])
    return table(("family", "router", "KL", "refit", "tokens whose experts change, by layer", "refit"), rows)


def seeds(bench):
    """Healing of the first model on other rows of its text, in another order."""
    tokens, rows = SEED_TOKENS, []
    data = bench.draw_text(8192)
    for pairs, chosen in (("all", {}), ("upper half", {"from": "half"})):
        found = [bench.drift(rows=512, pairing="shifted", correction="refit", add_biases="true", engine="cpu", heal=tokens,
                             heal_data=data, heal_rate="1e-3", seed=seed, **chosen)["healing"] for seed in SEEDS]
        for stage, name in (("plain", "the serial model's"), ("start", "refitted"), ("healed", "healed")):
            rows.append([pairs, name, found[0]["tokens"] if stage == "healed" else 0,
                         *(spread([each[measure][stage] for each in found], digits)
                           for measure, digits in (("kl", 3), ("top1", 3), ("perplexity", 4), ("generation", 2)))])
    return table(("pairs", "weights", "tokens", "KL", "top-1", "perplexity", "same continuations"), rows) + (
        f"\n\nMeans of {len(SEEDS)} seeds, the smallest and largest value in brackets.")


TABLES = {f.__name__: f for f in (training, pairs, recovery, whole, experts, scales, norms, budget, tokens, tasks, upper,
                                healing, seeds, shared)}


def marked(name):
    return re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)


def main():
    parser = argparse.ArgumentParser(description="rewrites the tables of docs/Drift.md")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rows", type=int, default=512)
    parser.add_argument("--heal-tokens", type=int, default=65536, help="tokens of the table of healing")
    parser.add_argument("--only", default=",".join(TABLES), help="names of tables")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    names = options.only.split(",")
    for name in names:
        if name not in TABLES:
            fail(f"--only: expected some of {', '.join(TABLES)}, got '{name}'")
    if options.check:
        text = DOCUMENT.read_text()
        for name in names:
            found = marked(name).search(text)
            if not found or "\n|" not in found.group(0):
                fail(f"docs/Drift.md: there is no table {name}")
        return
    bench = Bench(options.build.resolve(), options.rows, options.heal_tokens)
    for name in names:
        new = TABLES[name](bench)
        text = DOCUMENT.read_text()
        text, count = marked(name).subn(lambda found: f"{found.group(1)}\n{new}\n\n{found.group(2)}", text)
        if count != 1:
            fail(f"docs/Drift.md: expected one place for table {name}, got {count}")
        DOCUMENT.write_text(text)
        print(f"wrote table {name}", flush=True)


if __name__ == "__main__":
    main()
