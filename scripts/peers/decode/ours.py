# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our own generation, and what a step of it costs beside its time."""

import ctypes
import statistics
import time

import numpy as np

#: Rows of a cache whose size must not change the time of a step, and the steps that are timed with each.
CAPACITIES = (1024, 8192)
STEPS, TURNS = 12, 5

#: Tokens of the two calls whose difference says how often a step asks for memory.
COUNTED = (4, 12)


class Parablock:
    def __init__(self, problem, options):
        import parablock

        self.problem = problem
        weights = problem.folder / ("plain.safetensors" if problem.has_codes else "weights.safetensors")
        model = parablock.from_mlir(problem.folder / "model.mlir", weights)
        form = problem.column if problem.has_codes else None
        target = "cpu" if problem.cpu == "native" else f"cpu:{problem.cpu}"
        self.generator = model.generator(target, options.threads, weights=form)

    def generate(self, prompts, count):
        return self.generator.generate(prompts, count, stop=())[:, prompts.shape[1] :]

    def describe(self):
        """Bytes of weights that a step reads, and what caches of several sizes and memory cost it."""
        decoder = self.generator.decoder
        workload = self.problem.workloads[0]
        steps = [Step(decoder, self.problem.draw_prompts(workload), capacity) for capacity in CAPACITIES]
        times = {capacity: [] for capacity in CAPACITIES}
        for _ in range(TURNS):
            for capacity, step in zip(CAPACITIES, steps):
                times[capacity].append(step.measure())
        return {
            "weight_bytes": decoder.count_bytes(),
            "capacity_ms": {str(capacity): min(taken) for capacity, taken in times.items()},
            **self.count_allocations(self.problem.draw_prompts(workload)),
        }

    def count_allocations(self, prompts):
        """Those of a step, where what counts them was loaded before everything else."""
        count = getattr(ctypes.CDLL(None), "parablock_count_allocations", None)
        if count is None:
            return {}
        count.restype = ctypes.c_uint64

        def measure(tokens):
            before = count()
            self.generate(prompts, tokens)
            return count() - before

        # The third call of a kind asks for nothing that another one would not ask for.
        few, many = ([measure(tokens) for _ in range(3)][-1] for tokens in COUNTED)
        return {"allocations": round((many - few) / (COUNTED[1] - COUNTED[0]))}


class Step:
    """One step behind a prompt, again and again, in caches with room for so many tokens."""

    def __init__(self, decoder, prompts, capacity):
        self.decoder = decoder
        self.caches = decoder.make_caches()
        self.caches.reserve(len(prompts), capacity)
        self.starts = np.zeros(len(prompts), np.int64)
        self.ids, self.rows = prompts[:, :1].copy(), np.array([0])
        self.logits = decoder.allocate_logits(len(prompts), 1)
        decoder.run(prompts, self.caches, self.starts, self.rows, self.logits)

    def run(self):
        self.decoder.run(self.ids, self.caches, self.starts, self.rows, self.logits)
        self.caches.crop(1)

    def measure(self):
        """Milliseconds of a step, the median of some."""
        self.run()
        times = []
        for _ in range(STEPS):
            start = time.perf_counter()
            self.run()
            times.append((time.perf_counter() - start) * 1e3)
        return statistics.median(times)
