# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenVINO GenAI's own loop, on the model of openvino_peer.py."""

import tempfile

import numpy as np
import openvino
import openvino_genai as genai

from peers.decode.openvino_peer import Builder, make_settings


class OpenVinoGenai:
    def __init__(self, problem, options):
        with tempfile.TemporaryDirectory() as folder:
            openvino.save_model(Builder(problem).build(), f"{folder}/openvino_model.xml", compress_to_fp16=False)
            write_tokenizer(folder)
            tokenizer = genai.Tokenizer(folder)
            self.pipeline = genai.LLMPipeline(folder, tokenizer, "CPU", ATTENTION_BACKEND="SDPA", **make_settings(problem, options))

    def generate(self, prompts, count):
        config = genai.GenerationConfig()
        config.max_new_tokens = config.min_new_tokens = count
        config.do_sample, config.ignore_eos = False, True
        ids = genai.TokenizedInputs(openvino.Tensor(prompts), openvino.Tensor(np.ones_like(prompts)))
        return np.array(self.pipeline.generate(ids, config).tokens, np.int64)


def write_tokenizer(folder):
    """A pipeline wants one, and is given tokens."""
    import openvino_tokenizers
    import tokenizers
    import transformers

    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    words = {word: number for number, word in enumerate([*letters, "ab", "<s>"])}
    plain = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=words, merges=[("a", "b")]))
    plain.pre_tokenizer, plain.decoder = tokenizers.pre_tokenizers.ByteLevel(), tokenizers.decoders.ByteLevel()
    made = transformers.PreTrainedTokenizerFast(tokenizer_object=plain, bos_token="<s>", eos_token="<s>", pad_token="<s>")
    for name, model in zip(("openvino_tokenizer", "openvino_detokenizer"),
                           openvino_tokenizers.convert_tokenizer(made, with_detokenizer=True)):
        openvino.save_model(model, f"{folder}/{name}.xml")
