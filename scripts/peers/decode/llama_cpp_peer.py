# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""llama.cpp's server in this process, as xllamacpp has it, on a GGUF file with the same numbers."""

import tempfile

import gguf
import numpy as np
import xllamacpp

KINDS = {"f32": gguf.GGMLQuantizationType.F32, "bf16": gguf.GGMLQuantizationType.BF16}
#: Codes that share a scale in its blocks.
BLOCK = 32


class LlamaCpp:
    def __init__(self, problem, options):
        rows = max(each.batch for each in problem.workloads)
        longest = max(each.prompt + each.new for each in problem.workloads)
        with tempfile.TemporaryDirectory() as folder:
            write_gguf(problem, f"{folder}/model.gguf")
            params = xllamacpp.CommonParams()
            params.model.path = f"{folder}/model.gguf"
            params.n_parallel, params.n_ctx, params.kv_unified = rows, rows * (longest + 8), True
            params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options.threads
            if problem.column == "f32":
                params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
            self.server = xllamacpp.Server(params)

    def generate(self, prompts, count):
        found = self.server.handle_completions(
            {"prompt": prompts.tolist(), "max_tokens": count, "temperature": 0, "cache_prompt": False})
        choices = sorted(found["choices"], key=lambda choice: choice["index"])
        # Words are numbers of tokens.
        return np.array([[int(word) for word in choice["text"].split()] for choice in choices], np.int64)


def write_gguf(problem, path):
    writer = gguf.GGUFWriter(path, problem.family)
    writer.add_context_length(problem.positions)
    writer.add_embedding_length(problem.width)
    writer.add_block_count(problem.layers)
    writer.add_feed_forward_length(problem.hidden)
    writer.add_head_count(problem.heads)
    writer.add_head_count_kv(problem.kv_heads)
    writer.add_vocab_size(problem.vocabulary + 1)
    writer.add_tokenizer_model("llama")
    # No text has the token that ends one: its logit is 0, behind all others.
    writer.add_token_list([f"\u2581{token}" for token in range(problem.vocabulary + 1)])
    writer.add_token_scores([0.0] * (problem.vocabulary + 1))
    writer.add_token_types([1] * problem.vocabulary + [3])
    for add in (writer.add_bos_token_id, writer.add_eos_token_id, writer.add_unk_token_id):
        add(problem.vocabulary)
    writer.add_add_bos_token(False)
    if problem.is_gpt2:
        writer.add_layer_norm_eps(problem.eps)
    else:
        writer.add_layer_norm_rms_eps(problem.eps)
        writer.add_rope_dimension_count(problem.head_size)
        writer.add_rope_freq_base(10000.0)
    for name, (kind, data) in list_tensors(problem):
        writer.add_tensor(name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


#: What llama.cpp calls the parts of a layer.
GPT2 = {"ln_1": "attn_norm", "ln_2": "ffn_norm", "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output", "mlp.c_fc": "ffn_up",
        "mlp.c_proj": "ffn_down"}
LLAMA = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q",
         "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate",
         "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}


def list_tensors(problem):
    """(name, (kind, data)) of each tensor of a file."""
    plain = "f32" if problem.column == "f32" else "bf16"
    yield "token_embd.weight", store(add_row(problem.embedding), plain)
    if problem.is_gpt2:
        yield "position_embd.weight", store(problem.tensors["wpe.weight"], "f32")
    yield "output.weight", store(add_row(problem.head), plain)
    norm = "ln_f" if problem.is_gpt2 else "model.norm"
    for index in range(-1, problem.layers):
        names = {norm: "output_norm"} if index < 0 else (GPT2 if problem.is_gpt2 else LLAMA)
        before, after = ("", "") if index < 0 else (problem.find_layer(index), f"blk.{index}.")
        for name, theirs in names.items():
            name, theirs = before + name, after + theirs
            if name.removeprefix(before) in problem.list_linears():
                yield theirs + ".weight", store_linear(problem, name, plain)
            else:
                yield theirs + ".weight", store(problem.tensors[name + ".weight"], "f32")
            if name + ".bias" in problem.tensors:
                yield theirs + ".bias", store(problem.tensors[name + ".bias"], "f32")


def add_row(table):
    return np.pad(table, [(0, 1), (0, 0)])


def store(values, column):
    values = np.ascontiguousarray(values, np.float32)
    if column == "bf16":
        # Numbers of bf16, which their upper halves are.
        return KINDS[column], (values.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8).reshape(*values.shape[:-1], -1)
    return KINDS[column], values


def store_linear(problem, name, plain):
    heads = {"self_attn.q_proj": problem.heads, "self_attn.k_proj": problem.kv_heads}.get(name.split(".", 3)[-1])

    def order(rows):
        """Rows of queries and keys as rotations of neighbours want them."""
        if heads is None:
            return rows
        return rows.reshape(heads, 2, problem.head_size // 2, -1).swapaxes(1, 2).reshape(rows.shape)

    if not problem.has_codes:
        return store(order(problem.linear(name)), plain)
    codes, scales = (order(part) for part in problem.codes(name))
    outputs, depth = codes.shape
    blocks = depth // BLOCK
    scales = np.repeat(scales, blocks // scales.shape[1], 1).astype(np.float16)[..., None].view(np.uint8)
    codes = codes.reshape(outputs, blocks, BLOCK)
    if problem.column == "int8":
        data, kind = codes.view(np.uint8), gguf.GGMLQuantizationType.Q8_0
    else:
        numbers = (codes + 8).astype(np.uint8)
        data, kind = numbers[..., :16] | numbers[..., 16:] << 4, gguf.GGMLQuantizationType.Q4_0
    return kind, np.concatenate([scales, data], -1).reshape(outputs, -1)
