# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What models say: perplexity and greedy continuations, against a forward pass in NumPy, and budgets in them."""

import pathlib
import subprocess

import numpy as np

from models import Checks, drift, folder, generate, log_softmax, read_tensors, run, write_tensors

LAYERS, HEADS, PROMPT, TOKENS = 3, 2, 12, 12
checks = Checks()


def normalise(x, weights, name):
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def project(x, weights, name):
    return x @ weights[f"{name}.weight"] + weights[f"{name}.bias"]


def attend(x, weights, name):
    rows, length, width = x.shape
    q, k, v = (part.reshape(rows, length, HEADS, -1).transpose(0, 2, 1, 3)
               for part in np.split(project(x, weights, f"{name}.c_attn"), 3, -1))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(width / HEADS)
    scores = np.where(np.tril(np.ones((length, length), bool)), scores, -np.inf)
    shares = np.exp(log_softmax(scores))
    return project((shares @ v).transpose(0, 2, 1, 3).reshape(rows, length, width), weights, f"{name}.c_proj")


def feed(x, weights, name):
    hidden = project(x, weights, f"{name}.c_fc")
    hidden = 0.5 * hidden * (1 + np.tanh(np.sqrt(2 / np.pi) * (hidden + 0.044715 * hidden**3)))
    return project(hidden, weights, f"{name}.c_proj")


def forward(weights, ids, parallel):
    """Logits of a GPT-2 with these layers parallel, in float64."""
    x = weights["wte.weight"][ids] + weights["wpe.weight"][: ids.shape[1]]
    for layer in range(LAYERS):
        at = f"h.{layer}"
        after = x + attend(normalise(x, weights, f"{at}.ln_1"), weights, f"{at}.attn")
        read = x if layer in parallel else after
        x = after + feed(normalise(read, weights, f"{at}.ln_2"), weights, f"{at}.mlp")
    return normalise(x, weights, "ln_f") @ weights["wte.weight"].T


def speak(weights, ids, parallel):
    """Greedy continuations of the first halves, and the perplexity of the whole rows."""
    texts = ids[:, :PROMPT]
    for _ in range(TOKENS):
        texts = np.concatenate([texts, forward(weights, texts, parallel)[:, -1].argmax(-1)[:, None]], -1)
    logs = log_softmax(forward(weights, ids, parallel)[:, :-1])
    taken = np.take_along_axis(logs, ids[:, 1:, None], -1)
    return texts[:, PROMPT:], float(np.exp(-taken.mean()))


def expect(weights, ids, parallel):
    (serial, before), (converted, after) = (speak(weights, ids, layers) for layers in ((), parallel))
    differs = serial != converted
    counts = [int(row.argmax()) for row in differs if row.any()]
    return {
        "sequences": len(ids), "prompt": PROMPT, "tokens": TOKENS, "same": len(ids) - len(counts),
        "share": 1 - len(counts) / len(ids), "first_difference": float(np.mean(counts)) if counts else None,
        "earliest_difference": min(counts, default=None),
    }, {"serial": before, "parallel": after}


def agrees(found, wanted):
    return all(found[key] == value if value is None or isinstance(value, int)
               else abs(found[key] - value) <= 2e-5 * value for key, value in wanted.items())


def prepare():
    """Branches small enough that some continuations stay the same, and rows of data."""
    generate("gpt2", f"--layers={LAYERS}", f"--seq={PROMPT + TOKENS}", "--batch=?")
    tensors = read_tensors("model.safetensors")
    for name, values in tensors.items():
        if "c_proj.weight" in name:
            tensors[name] = (0.3 * values).astype(np.float32)
    write_tensors("model.safetensors", tensors)
    weights = {name: values.astype(np.float64) for name, values in tensors.items()}
    # Text of the serial model's own, which it predicts better than others do.
    numbers = np.random.default_rng(5)
    ids = numbers.integers(0, 31, (128, 1))
    for _ in range(PROMPT + TOKENS - 1):
        shares = np.exp(log_softmax(forward(weights, ids, ())[:, -1])).cumsum(-1)
        ids = np.concatenate([ids, (numbers.random((128, 1)) > shares / shares[:, -1:]).sum(-1)[:, None]], -1)
    write_tensors("data.safetensors", {"input_ids": ids})
    return weights, ids


DATA = ["--data=data.safetensors"]


def against_numpy(weights, ids):
    wanted, perplexity = expect(weights, ids[-32:], (0, 2))
    checks.check("some continuations stay, some do not", 0 < wanted["same"] < 32, wanted)
    for engine in ("reference", "cpu"):
        report = drift(*DATA, "--blocks=0,2", engine=engine)
        checks.check(f"{engine}: continuations", agrees(report["generation"], wanted), (report["generation"], wanted))
        checks.check(f"{engine}: perplexity", agrees(report["perplexity"], perplexity), (report["perplexity"], perplexity))
        alone = [layer["generation_alone"] for layer in report["layers"]]
        shares = [expect(weights, ids[64:96], (pair,))[0]["share"] for pair in (0, 2)]
        checks.check(f"{engine}: continuations of pairs alone", alone == shares and min(shares) < 1, (alone, shares))
    other, worse = expect(weights, ids[-32:], (0, 1, 2))
    checks.check("another form has other numbers", not agrees(report["generation"], other)
                 and not agrees(report["perplexity"], worse), (other, worse))
    same = drift(*DATA, "--blocks=none")["generation"]
    checks.check("the serial model says the same", same["share"] == 1 and same["first_difference"] is None, same)
    fewer = drift(*DATA, "--blocks=0,2", "--generate=3")["generation"]
    checks.check("fewer tokens", fewer["tokens"] == 3 and fewer["same"] > wanted["same"], fewer)
    none = drift(*DATA, "--blocks=0,2", "--generate=0")["generation"]
    checks.check("no tokens", none is None, none)


def read_budget(flag, weights, ids):
    """The search keeps each budget on the split to choose by, and takes no pair less than it must."""
    free = drift(*DATA)
    kls = {layer["pair"]: layer["kl_alone"] for layer in free["layers"]}
    cheapest = sorted(kls, key=kls.get)
    select = ids[64:96]
    facts = [expect(weights, select, tuple(map(int, cheapest[:count]))) for count in range(LAYERS + 1)]
    if flag == "generation":
        costs = [fact["share"] for fact, _ in facts]
    else:
        costs = [ppl["parallel"] / ppl["serial"] for _, ppl in facts]
    return cheapest, costs


def budgets(weights, ids):
    for flag, is_most in (("generation", False), ("perplexity", True)):
        cheapest, costs = read_budget(flag, weights, ids)
        limit = (costs[1] + costs[3]) / 2
        count = max(n for n, cost in enumerate(costs) if (cost <= limit if is_most else cost >= limit))
        checks.check(f"{flag}: more pairs cost more", costs == sorted(costs, reverse=not is_most) and 0 < count < 3, costs)
        wanted = sorted(cheapest[:count])
        report = drift(*DATA, "--screen=off", f"--budget-{flag}={limit!r}")
        checks.check(f"{flag}: the pairs that fit", sorted(report["chosen"]) == wanted, (report["chosen"], wanted, costs))
        selected = report[f"selected_{flag}" + ("_ratio" if is_most else "")]
        checks.check(f"{flag}: on the select split", abs(selected - costs[len(wanted)]) < 1e-5, (selected, costs))
        kept = report["perplexity_ratio"] if is_most else report["generation"]["share"]
        checks.check(f"{flag}: said whether it is kept",
                     report["within_budget"] == (kept <= limit if is_most else kept >= limit), (kept, limit))
        key = "perplexity_ratio" if is_most else "generation"
        over = [trial for trial in report["trials"] if not trial["fits"]]
        checks.check(f"{flag}: trials", over and all(t[key] > limit if is_most else t[key] < limit for t in over),
                     report["trials"])
    both = drift(*DATA, "--screen=off", "--budget-kl=1e9", "--budget-generation=1", "--budget-perplexity=1e9")
    checks.check("the strictest of three budgets holds", both["selected_kl"] is not None
                 and (not both["chosen"] or both["selected_generation"] == 1), both["chosen"])


def words():
    flags = ["block-drift", "model.mlir", "--weights=model.safetensors", "--engine=reference", *DATA, "--blocks=0,2"]
    text = subprocess.run(flags, capture_output=True, text=True, check=True).stdout
    checks.check("the table", "greedy continuations of 32 prompts, the same over 12 tokens: 0." in text
                 and "tokens on average, the first after" in text, text)
    done = subprocess.run([*flags, "--budget-perplexity=1", "--require-budget"], capture_output=True, text=True)
    checks.check("a budget that fits nothing", done.returncode == 3
                 and "budget of perplexity 1: no pair fits; the cheapest" in done.stderr, (done.returncode, done.stderr))
    done = subprocess.run([*flags, "--budget-perplexity=100", "--require-budget"], capture_output=True, text=True)
    checks.check("a budget that is kept", done.returncode == 0
                 and "budget of perplexity 100: select " in done.stdout and ": within the budget" in done.stdout, done.stdout)


def continues(weights, ids, spans, parallel):
    """Rows whose greedy continuation of the prompt begins with the answer, generated token by token."""
    found = []
    for row, (begin, end) in zip(ids, spans):
        text = row[None, :begin]
        while text.shape[1] < end:
            text = np.append(text, forward(weights, text, parallel)[:, -1].argmax(-1)[:, None], -1)
        found.append(np.array_equal(text[0, begin:], row[begin:end]))
    return np.array(found)


def prepare_tasks(weights):
    """Prompts of several lengths. Most answers are what the serial model says, a kind is solved by none."""
    numbers = np.random.default_rng(8)
    ids = numbers.integers(0, 31, (48, 10))
    spans = np.stack([begin := numbers.integers(3, 7, 48), begin + numbers.integers(1, 4, 48)], -1)
    for row, (begin, end) in zip(ids[6:], spans[6:]):
        for at in range(begin, end):
            row[at] = forward(weights, row[None, :at], ())[0, -1].argmax()
    solved = continues(weights, ids, spans, ())
    odd = {"odd.input_ids": ids[~solved][:2], "odd.answers": spans[~solved][:2]}
    write_tensors("tasks.safetensors", {"own.input_ids": ids, "own.answers": spans})
    write_tensors("odd.safetensors", {"own.input_ids": ids, "own.answers": spans, **odd})
    return ids, spans


def tasks(weights):
    ids, spans = prepare_tasks(weights)

    def count(parallel, first):
        return int(continues(weights, ids[first::2], spans[first::2], parallel).sum())

    flags = [*DATA, "--tasks=tasks.safetensors", "--generate=0"]
    wanted = {"kind": "own", "tasks": 24, "serial": count((), 1), "parallel": count((0, 2), 1)}
    checks.check("some tasks stay solved", 0 < wanted["parallel"] < wanted["serial"] < 24, wanted)
    for engine in ("reference", "cpu"):
        report = drift(*flags, "--blocks=0,2", engine=engine)
        found, alone = report["tasks"], [layer["tasks_alone"] for layer in report["layers"]]
        shares = [count((pair,), 1) / wanted["serial"] for pair in (0, 2)]
        checks.check(f"{engine}: tasks of pairs alone", alone == shares and min(shares) < 1, (alone, shares))
        checks.check(f"{engine}: tasks", found == {"kinds": [wanted], "share": wanted["parallel"] / wanted["serial"]}, (found, wanted))
    kinds = drift(*flags[:-2], "--tasks=odd.safetensors", "--blocks=0,2")["tasks"]
    checks.check("a kind that none solves has no share", kinds["share"] == found["share"] and kinds["kinds"][0]
                 == {"kind": "odd", "tasks": 1, "serial": 0, "parallel": kinds["kinds"][0]["parallel"]}, kinds)
    checks.check("without tasks", drift(*DATA, "--blocks=0,2")["tasks"] is None)
    free = drift(*DATA, "--generate=0")
    kls = {layer["pair"]: layer["kl_alone"] for layer in free["layers"]}
    cheapest = sorted(kls, key=kls.get)
    shares = [count(tuple(map(int, cheapest[:n])), 0) / count((), 0) for n in range(LAYERS + 1)]
    limit = (shares[1] + shares[3]) / 2
    fitting = max(n for n, share in enumerate(shares) if share >= limit)
    report = drift(*flags, "--screen=off", f"--budget-tasks={limit!r}")
    checks.check("a budget in tasks", shares == sorted(shares, reverse=True) and 0 < fitting < 3
                 and sorted(report["chosen"]) == sorted(cheapest[:fitting])
                 and report["selected_tasks"] == shares[fitting], (shares, report["chosen"], report["selected_tasks"]))
    checks.check("said whether tasks keep it", report["within_budget"] == (report["tasks"]["share"] >= limit)
                 and all(trial["tasks"] < limit for trial in report["trials"] if not trial["fits"]), report["trials"])
    text = subprocess.run(["block-drift", "model.mlir", "--weights=model.safetensors", *flags, "--blocks=0,2", "--budget-tasks=0"],
                          capture_output=True, text=True, check=True).stdout
    checks.check("tasks are printed", f"own {wanted['serial']} and {wanted['parallel']} of 24" in text
                 and "budget of tasks 0: select" in text, text)
    refuse_tasks(ids, spans)


def refuse_tasks(ids, spans):
    def refuse(text, *flags, tensors=None, name="model"):
        if tensors is not None:
            write_tensors("bad.safetensors", tensors)
            flags = ["--tasks=bad.safetensors"]
        weights = f"--weights={name}.safetensors"
        error = run("block-drift", f"{name}.mlir", weights, *([] if name == "bert" else DATA), "--json=no.json", *flags, code=1)
        checks.check(f"refused: {text}", text in error and not pathlib.Path("no.json").exists(), error)

    own = {"a.input_ids": ids, "a.answers": spans}
    refuse("--budget-tasks: expected a --tasks=FILE beside it", "--budget-tasks=0.5")
    refuse("--budget-tasks: expected a share of the tasks", "--budget-tasks=1.5", "--tasks=tasks.safetensors")
    refuse("--budget-tasks: the serial model solves no task of the kind 'odd'", "--budget-tasks=0.5", "--tasks=odd.safetensors")
    refuse("expected tensors KIND.input_ids and KIND.answers, got 'ids'", tensors={**own, "ids": ids})
    refuse("expected a tensor 'a.answers', got none", tensors={"a.input_ids": ids})
    refuse("'a.answers': expected shape [48, 2], got [24, 2]", tensors={**own, "a.answers": spans[:24]})
    refuse("expected two dimensions, of at least 2 tasks", tensors={name: rows[:1] for name, rows in own.items()})
    refuse("task 0: expected an answer behind a prompt, within 10 tokens, got 0 to", tensors={**own, "a.answers": spans * [0, 1]})
    refuse("task 0: expected an answer behind a prompt, within 10 tokens, got", tensors={**own, "a.answers": spans + 10})
    refuse("a.input_ids", tensors={**own, "a.input_ids": ids + 31})
    refuse("a.input_ids", tensors={**own, "a.input_ids": np.tile(ids, 4)})
    generate("bert", "--layers=1", "--seq=8", "--batch=4", name="bert")
    refuse("--tasks: the model does not generate: it gives no logits", "--tasks=tasks.safetensors", name="bert")


def refusals():
    def refuse(text, *flags, name="model", data=DATA):
        pathlib.Path("no.json").unlink(missing_ok=True)
        error = run("block-drift", f"{name}.mlir", f"--weights={name}.safetensors", *data, "--json=no.json", *flags, code=1)
        checks.check(f"refused: {text}", text in error and not pathlib.Path("no.json").exists(), error)

    refuse("--budget-generation: expected a share of continuations, from 0 to 1", "--budget-generation=1.5")
    refuse("--budget-generation: expected a number, got 'half'", "--budget-generation=half")
    refuse("--budget-perplexity: expected a ratio to the serial model's perplexity of at least 1", "--budget-perplexity=0.01")
    refuse("--budget-generation: expected tokens to generate, got --generate=0", "--budget-generation=0.5", "--generate=0")
    generate("bert", "--layers=1", "--seq=8", "--batch=4", name="bert")
    refuse("--generate: the model does not generate: it gives no logits", "--generate=3", name="bert", data=[])
    refuse("--budget-perplexity: the model has no logits, which the budget is in", "--budget-perplexity=2", name="bert", data=[])
    checks.check("no continuations of an encoder", drift("--seed=1", name="bert")["generation"] is None)
    text = pathlib.Path("model.mlir").read_text()
    pathlib.Path("both.mlir").write_text(text.replace(", causal = true", ""))
    pathlib.Path("both.safetensors").write_bytes(pathlib.Path("model.safetensors").read_bytes())
    refuse("--budget-generation: the model does not generate: its tokens attend to later ones", "--budget-generation=0.5", name="both")
    refuse("--budget-perplexity: expected a causal model with logits", "--budget-perplexity=2", name="both")


def upper():
    """Pairs of upper layers alone."""
    half = drift(*DATA, "--from=half", "--pairing=best")
    checks.check("from half", [layer["pair"] for layer in half["layers"]] == ["2"], half["chosen"])
    listed = drift(*DATA, "--from=1")
    checks.check("from 1", listed["chosen"] == ["1", "2"], listed["chosen"])
    error = run("block-drift", "model.mlir", "--weights=model.safetensors", *DATA, "--from=3", code=1)
    checks.check("from no layer", "no layer has index 3 (from=3)" in error, error)


with folder():
    WEIGHTS, IDS = prepare()
    against_numpy(WEIGHTS, IDS)
    budgets(WEIGHTS, IDS)
    words()
    tasks(WEIGHTS)
    upper()
    refusals()
checks.finish()
