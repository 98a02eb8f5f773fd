# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases that enter by the doors of Python: generate() of transformers, and torch.compile.

Models have published shapes and drawn weights. Our numbers are compared with PyTorch's in float64, or with eager
bf16's where a model in float64 does not fit; tokens of drawn weights would be decided by ties.
"""

import copy
import gc
import time

import torch

LIMIT = 5e-2
WARM, REPEATS = 2, 5
# A call that takes longer is timed less often, without a call before to warm it.
LONG_SECONDS, LONG_REPEATS = 0.5, 2
NOT_REACHED = "no time left"

# Fields of configurations of transformers.
SHAPES = {
    "llama-1b": {"hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16, "num_attention_heads": 32,
                 "num_key_value_heads": 8, "vocab_size": 128256, "tie_word_embeddings": True, "rope_theta": 500000.0},
    "llama-8b": {"hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
                 "num_key_value_heads": 8, "vocab_size": 128256, "rope_theta": 500000.0},
    "llama-tiny": {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 1, "num_attention_heads": 2,
                   "num_key_value_heads": 1, "vocab_size": 61},
    "bert-base": {},
    "bert-tiny": {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 1, "num_attention_heads": 2, "vocab_size": 61},
    "vit-base": {},
}


class Door:
    """One case: a model, and ways to run it."""

    def __init__(self, case):
        self.case, self.sizes = case, case["sizes"]
        self.cuda = torch.cuda.is_available()
        self.device = "cuda" if self.cuda else "cpu"
        torch.manual_seed(7)

    def make_model(self, make):
        """In bf16 on the device, without a copy elsewhere."""
        before = torch.get_default_dtype()
        torch.set_default_dtype(torch.bfloat16)
        try:
            with torch.device(self.device):
                return make().eval()
        finally:
            torch.set_default_dtype(before)

    def draw_ids(self, rows, tokens):
        return torch.randint(0, SHAPES[self.case["shape"]].get("vocab_size", 30522), (rows, tokens), device=self.device)

    def synchronize(self):
        if self.cuda:
            torch.cuda.synchronize()

    def time(self, function):
        """Median milliseconds of whole calls, as a caller waits for them; of two calls the quicker one."""
        found = []
        while len(found) < WARM + REPEATS:
            self.synchronize()
            start = time.perf_counter()
            function()
            self.synchronize()
            found.append((time.perf_counter() - start) * 1e3)
            if len(found) >= LONG_REPEATS and min(found) > LONG_SECONDS * 1e3:
                return min(found)
        return sorted(found[WARM:])[REPEATS // 2]

    def run(self, report):
        """Returns the entry of the case. `report` gets it before each peer, which may never end."""
        want = self.compute_reference()
        run_ours = self.make_ours()
        ours = {"rel_l2": relative_error(self.get_numbers(run_ours), want)}
        entry = {"sizes": self.sizes, "limit": LIMIT, "ours": ours, "peers": {}, "good": ours["rel_l2"] <= LIMIT}
        if not entry["good"]:
            return entry
        if self.cuda:
            ours.update(self.measure(run_ours))
            ours.update(self.measure_more(run_ours, ours))
        del run_ours
        self.free()
        peers = self.list_peers()
        entry["peers"] = {name: {"error": NOT_REACHED} for name in peers}
        for name, make in peers.items():
            report({**entry, "running": name})
            entry["peers"][name] = self.run_peer(make, want)
            self.free()
            times = [peer["ms"] for peer in entry["peers"].values() if "ms" in peer]
            if times and "ms" in ours:
                entry["faster_than_best_peer"] = min(times) / ours["ms"]
        return entry

    def run_peer(self, make, want):
        try:
            function = make()
            found = {"rel_l2": relative_error(self.get_numbers(function), want)}
            if self.cuda and found["rel_l2"] <= LIMIT:
                found.update(self.measure(function))
            return found
        except Exception as error:  # a peer that cannot is no fault of ours
            return {"error": " ".join(f"{type(error).__name__}: {error}".split())[:300]}

    def free(self):
        """Gives memory back to the next one to be measured."""
        gc.collect()
        if self.cuda:
            torch.cuda.empty_cache()

    def measure_more(self, function, found):
        """Returns further numbers of our own."""
        return {}


class Generate(Door):
    """generate() of `rows` sequences behind `cached` tokens: milliseconds of the first token, and of a further one.

    Without `steps` it is the first token alone. With `peers` of "compiled", only the compiled peer runs beside ours.
    """

    def __init__(self, case):
        super().__init__(case)
        import transformers
        self.transformers = transformers
        self.rows, self.cached, self.steps = (self.sizes[name] for name in ("rows", "cached", "steps"))
        config = transformers.LlamaConfig(**SHAPES[case["shape"]], max_position_embeddings=self.cached + self.steps + 8)
        # Drawn weights end no sentence.
        config.eos_token_id = None
        self.model = self.make_model(lambda: transformers.LlamaForCausalLM(config))
        self.ids = self.draw_ids(self.rows, self.cached)

    def generate(self, model, steps, **options):
        return model.generate(self.ids, attention_mask=torch.ones_like(self.ids), max_new_tokens=steps, do_sample=False,
                              pad_token_id=0, **options)

    def compute_reference(self):
        return self.model(self.ids, use_cache=False, logits_to_keep=1).logits[:, -1].double()

    def make_ours(self):
        import parablock
        model = parablock.generation(self.model, **({} if self.cuda else {"target": "cuda"}))
        self.check_loop(model)
        self.launches = model.report()["launches"]
        return lambda steps, **given: self.generate(model, steps, **given)

    def check_loop(self, model):
        """What is timed has no Python between steps; logits come from transformers' own loop."""
        tokens = self.generate(model, 2)
        if model.report()["loop"] != "compiled":
            raise ValueError(f"transformers' own loop ran: {model.report()['reason']}")
        if tokens.shape != (self.rows, self.cached + 2):
            raise ValueError(f"expected {self.rows} rows of {self.cached + 2} tokens, got {list(tokens.shape)}")

    def get_numbers(self, function):
        return function(1, return_dict_in_generate=True, output_logits=True).logits[0]

    def list_peers(self):
        found = {"transformers": lambda: lambda steps, **given: self.generate(self.model, steps, **given),
                 "static cache, max-autotune": self.make_compiled}
        return {name: make for name, make in found.items() if name in self.case["peers"]}

    def make_compiled(self):
        options = {"cache_implementation": "static",
                   "compile_config": self.transformers.CompileConfig(mode="max-autotune", fullgraph=True)}
        model = copy.copy(self.model)
        return lambda steps, **given: self.generate(model, steps, **options, **given)

    def measure(self, function):
        first = self.time(lambda: function(1))
        if not self.steps:
            return {"first_ms": first}
        return {"first_ms": first, "ms": (self.time(lambda: function(1 + self.steps)) - first) / self.steps}

    def measure_more(self, function, found):
        """Launches of a step, the speed at which it reads memory, and a step in transformers' own loop."""
        more = {"num_launches": self.launches}
        if not self.steps:
            return more
        whole = self.count_weight_bytes() + self.count_cache_bytes()
        more.update(weight_gb_s=self.count_weight_bytes() / found["ms"] / 1e6, read_gb_s=whole / found["ms"] / 1e6)
        peak = find_memory_speed() if self.cuda else None
        if peak:
            more["of_memory_speed"] = more["read_gb_s"] / peak
        if self.case.get("own_loop"):
            own = {"return_dict_in_generate": True}
            first = self.time(lambda: function(1, **own))
            more["own_loop_ms"] = (self.time(lambda: function(1 + self.steps, **own)) - first) / self.steps
        return more

    def count_cache_bytes(self):
        """Bytes of the keys and values that a token reads, in the middle of the steps."""
        config = self.model.config
        width = config.num_key_value_heads * config.hidden_size // config.num_attention_heads
        tokens = self.rows * (self.cached + self.steps // 2)
        return 2 * config.num_hidden_layers * width * tokens * self.model.dtype.itemsize

    def count_weight_bytes(self):
        """Bytes that a token reads: of a table of tokens all if the head has no matrix of its own, else one row."""
        table = self.model.get_input_embeddings().weight
        whole = sum(weight.nbytes for weight in self.model.parameters())
        return whole - (0 if self.model.config.tie_word_embeddings else table.nbytes)


class Compile(Door):
    """A module by torch.compile, beside Inductor and eager PyTorch."""

    def __init__(self, case):
        super().__init__(case)
        import transformers
        shape, rows, tokens = SHAPES[case["shape"]], self.sizes["rows"], self.sizes["tokens"]
        family = case["shape"].partition("-")[0]
        if family == "vit":
            self.module = self.make_model(lambda: transformers.ViTModel(transformers.ViTConfig(**shape), add_pooling_layer=False))
            self.inputs = (torch.randn(rows, 3, 224, 224, device=self.device, dtype=torch.bfloat16),)
        elif family == "bert":
            self.module = self.make_model(lambda: transformers.BertModel(transformers.BertConfig(**shape), add_pooling_layer=False))
            self.inputs = (self.draw_ids(rows, tokens),)
        else:
            config = transformers.LlamaConfig(**{**shape, "num_hidden_layers": 1, "vocab_size": 8}, use_cache=False)
            model = self.make_model(lambda: transformers.LlamaModel(config))
            self.module = OfStates(model)
            self.inputs = (torch.randn(rows, tokens, config.hidden_size, device=self.device, dtype=torch.bfloat16),)

    def compute_reference(self):
        exact = copy.deepcopy(self.module).double()
        inputs = [each.double() if each.is_floating_point() else each for each in self.inputs]
        return self.get_numbers(lambda: exact(*inputs))

    def make_ours(self):
        import parablock  # registers the backend
        options = {} if self.cuda else {"options": {"target": "cuda"}}
        fast = torch.compile(self.module, backend="parablock", **options)
        before = parablock.stats()
        fast(*self.inputs)
        after = parablock.stats()
        if all(after[name] == before[name] for name in after):
            raise ValueError("nothing was compiled by the backend 'parablock'")
        return lambda: fast(*self.inputs)

    def get_numbers(self, function):
        result = function()
        return getattr(result, "last_hidden_state", result).double()

    def list_peers(self):
        found = {"torch eager": lambda: lambda: self.module(*self.inputs), "torch.compile": self.make_compiled}
        return {name: make for name, make in found.items() if name in self.case["peers"]}

    def make_compiled(self):
        fast = torch.compile(copy.copy(self.module), fullgraph=True)
        return lambda: fast(*self.inputs)

    def measure(self, function):
        return {"ms": self.time(function)}


class OfStates(torch.nn.Module):
    """A model of hidden states instead of ids."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, states):
        return self.model(inputs_embeds=states, use_cache=False).last_hidden_state


def find_memory_speed():
    """Returns the GB/s of the device's memory by its clock and width, or None if PyTorch does not know them."""
    facts = torch.cuda.get_device_properties(0)
    clock, width = (getattr(facts, name, 0) for name in ("memory_clock_rate", "memory_bus_width"))
    return 2 * clock * width / 8 / 1e6 or None


def relative_error(got, want):
    got = got.double().to(want.device).reshape(want.shape)
    return float((got - want).norm() / want.norm()) if bool(got.isfinite().all()) else float("inf")


def run_door(case, report):
    """Returns the entry of a case; `report` gets it as far as it is."""
    try:
        import parablock  # noqa: F401
        import transformers
    except ImportError as missing:
        return {"unchecked": f"no {missing.name}", "good": True}
    versions = {"torch": torch.__version__, "transformers": transformers.__version__, "parablock": parablock.__version__}
    with torch.no_grad():
        door = {"generate": Generate, "compile": Compile}[case["door"]](case)
        return {**versions, **door.run(lambda entry: report({**versions, **entry}))}
