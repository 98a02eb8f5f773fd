# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled decoder as a model of Triton's Python backend (docs/use/Serving.md)."""

import json

import numpy as np
import triton_python_backend_utils as pb_utils

import parablock

DEFAULT_TOKENS = 64


class TritonPythonModel:
    """Continues rows of tokens; the server decides which requests share a call."""

    def initialize(self, args):
        config = json.loads(args["model_config"])
        given = {key: value["string_value"] for key, value in config["parameters"].items()}
        model = parablock.from_pretrained(given["folder"], dtype=given.get("dtype", "f32"))
        self.generator = model.generator(
            threads=int(given.get("threads", 0)), weights=given.get("weights")
        )

    def execute(self, requests):
        prompts = [self._read(request, "ids").reshape(-1) for request in requests]
        counts = [
            int(self._read(request, "max_new_tokens", [DEFAULT_TOKENS]).reshape(-1)[0])
            for request in requests
        ]
        try:
            results = self._generate(prompts, counts)
        except parablock.Error:
            # One of them is wrong: the others are none the worse for it.
            results = [self._generate_alone(*each) for each in zip(prompts, counts)]
        return [self._respond(result) for result in results]

    def _generate(self, prompts, counts):
        rows = self.generator.generate(prompts, max(counts))
        width = max(map(len, prompts))
        return [row[width : width + count] for row, count in zip(rows, counts)]

    def _generate_alone(self, prompt, count):
        try:
            return self._generate([prompt], [count])[0]
        except parablock.Error as problem:
            return problem

    @staticmethod
    def _read(request, name, default=None):
        tensor = pb_utils.get_input_tensor_by_name(request, name)
        return np.array(default) if tensor is None else tensor.as_numpy()

    @staticmethod
    def _respond(result):
        if isinstance(result, parablock.Error):
            return pb_utils.InferenceResponse(
                output_tensors=[], error=pb_utils.TritonError(str(result))
            )
        tokens = np.ascontiguousarray(result, np.int64)[None]
        return pb_utils.InferenceResponse(output_tensors=[pb_utils.Tensor("tokens", tokens)])
