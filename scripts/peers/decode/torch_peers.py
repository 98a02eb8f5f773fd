# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transformers' models in PyTorch: its own generate, and a bare loop over a static cache, eager and compiled."""

import numpy as np
import torch
import transformers

from peers.torch_linear import PackedLinear


def make_config(problem):
    if problem.is_gpt2:
        return transformers.GPT2Config(
            vocab_size=problem.vocabulary, n_positions=problem.positions, n_embd=problem.width,
            n_layer=problem.layers, n_head=problem.heads, n_inner=problem.hidden, layer_norm_epsilon=problem.eps,
            bos_token_id=None, eos_token_id=None)
    return transformers.LlamaConfig(
        vocab_size=problem.vocabulary, hidden_size=problem.width, intermediate_size=problem.hidden,
        num_hidden_layers=problem.layers, num_attention_heads=problem.heads, num_key_value_heads=problem.kv_heads,
        rms_norm_eps=problem.eps, max_position_embeddings=problem.positions, tie_word_embeddings=False,
        bos_token_id=None, eos_token_id=None)


def make_model(problem):
    model = transformers.AutoModelForCausalLM.from_config(make_config(problem))
    names = {name.removeprefix("transformer."): name for name, _ in model.named_parameters()}
    model = model.float() if problem.column == "f32" else model.bfloat16()
    given = {names[name]: torch.from_numpy(np.array(value)) for name, value in problem.tensors.items() if name in names}
    missing, unexpected = model.load_state_dict(given, strict=False)
    packed = {problem.find_layer(i) + name for i in range(problem.layers) for name in problem.list_linears()} if problem.has_codes else set()
    absent = {name for name in missing if name.removeprefix("transformer.").removesuffix(".weight") not in packed}
    if unexpected or absent - {"lm_head.weight"} or (absent and not problem.is_gpt2):
        raise RuntimeError(f"transformers' model has other weights: {sorted(absent)[:3]} {unexpected[:3]}")
    model.tie_weights()
    for name in packed:
        path, _, own = (f"transformer.{name}" if problem.is_gpt2 else name).rpartition(".")
        parent = model.get_submodule(path)
        setattr(parent, own, PackedLinear(problem, name, getattr(parent, own).bias))
    return model.eval()


class Generate:
    """Transformers' own loop, with the cache that it takes by default."""

    def __init__(self, problem, options):
        torch.set_num_threads(options.threads)
        self.model = make_model(problem)

    @torch.inference_mode()
    def generate(self, prompts, count):
        ids = torch.from_numpy(prompts)
        made = self.model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=count,
                                   min_new_tokens=count, eos_token_id=None, pad_token_id=0)
        return made[:, ids.shape[1] :].numpy()


class Loop:
    """A loop over a cache of static size, which is what torch.compile needs; prompts are eager."""

    def __init__(self, problem, options):
        torch.set_num_threads(options.threads)
        self.problem, self.model = problem, make_model(problem)
        self.step = torch.compile(self.call, dynamic=False) if options.peer == "torch.compile" else self.call
        self.caches = {}

    def call(self, ids, cache, positions):
        result = self.model(input_ids=ids, past_key_values=cache, position_ids=positions, use_cache=True, logits_to_keep=1)
        return result.logits[:, -1].argmax(-1, keepdim=True)

    @torch.inference_mode()
    def generate(self, prompts, count):
        ids = torch.from_numpy(prompts)
        batch, tokens = ids.shape
        if (batch, tokens) not in self.caches:
            capacity = self.problem.find_capacity(prompts)
            self.caches[batch, tokens] = transformers.StaticCache(config=self.model.config, max_cache_len=capacity)
        cache = self.caches[batch, tokens]
        cache.reset()
        positions = torch.arange(tokens)[None].expand(batch, -1)
        made = [self.call(ids, cache, positions)]
        for step in range(count - 1):
            made.append(self.step(made[-1], cache, positions[:, :1] + tokens + step))
        return torch.cat(made, 1).numpy()
