#===- families.py - tiny Hugging Face configurations --------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Named fixtures and the random configuration sampler.

A case is (model class name, configuration keywords, options). The options:
`dtype` (storage of the weights), `batch`, `seq`, `source_seq` (the encoder's
length), `legacy` and `sparse` (config.json as older releases wrote it).
"""

SEQ = 13
BATCH = 2
V, P, D, M = 43, 24, 24, 32

GPT2 = dict(vocab_size=V, n_positions=P, n_embd=D, n_layer=2, n_head=3)
GPTJ = {**GPT2, "rotary_dim": 4, "n_inner": M}
STABLELM = dict(vocab_size=V, max_position_embeddings=P, hidden_size=16,
                num_hidden_layers=2, num_attention_heads=2,
                num_key_value_heads=1, intermediate_size=M)
NEOX = dict(vocab_size=V, max_position_embeddings=P, hidden_size=D,
            num_hidden_layers=2, num_attention_heads=3, intermediate_size=M)
FALCON = dict(vocab_size=V, max_position_embeddings=P, hidden_size=D,
              num_hidden_layers=2, num_attention_heads=6, ffn_hidden_size=M)
LLAMA = dict(vocab_size=V, max_position_embeddings=P, hidden_size=D,
             num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, intermediate_size=M, pad_token_id=None)
BERT = dict(vocab_size=V, max_position_embeddings=P, hidden_size=D,
            num_hidden_layers=2, num_attention_heads=3, intermediate_size=M)
T5 = dict(vocab_size=V, d_model=D, d_kv=8, d_ff=M, num_layers=2, num_heads=2,
          relative_attention_num_buckets=8, relative_attention_max_distance=10)
BART = dict(vocab_size=V, max_position_embeddings=P, d_model=D,
            encoder_layers=1, decoder_layers=2, encoder_attention_heads=3,
            decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16)
VIT = dict(hidden_size=D, num_hidden_layers=2, num_attention_heads=3,
           intermediate_size=M, image_size=12, patch_size=4, num_channels=3)
MPT = dict(vocab_size=V, max_seq_len=P, d_model=16, n_heads=2, n_layers=2)
BLOOM = dict(vocab_size=V, hidden_size=16, n_layer=2, n_head=2)
OPT = dict(vocab_size=V, max_position_embeddings=P, hidden_size=D,
           num_hidden_layers=2, num_attention_heads=3, ffn_dim=M)


def rope(kind, **more):
    return {"rope_parameters": {"rope_type": kind, "rope_theta": 500.0, **more}}


LLAMA3 = rope("llama3", factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=12)
YARN = rope("yarn", factor=3.0, original_max_position_embeddings=8,
            beta_fast=4.0, beta_slow=0.5)
LONG = dict(short_factor=[1.0, 1.3, 1.7], long_factor=[1.5, 2.5, 4.0])

FIXTURES = {
    "gpt2": ("GPT2LMHeadModel", {**GPT2, "n_embd": 16, "n_head": 2}, {}),
    "gpt2-bare-f16": ("GPT2Model", {**GPT2, "n_inner": 40,
                      "activation_function": "gelu",
                      "scale_attn_by_inverse_layer_idx": True},
                      {"dtype": "float16"}),
    "gpt2-unscaled-untied": ("GPT2LMHeadModel", {**GPT2, "n_layer": 1,
                             "scale_attn_weights": False,
                             "tie_word_embeddings": False,
                             "activation_function": "relu"}, {}),
    "gptj": ("GPTJForCausalLM", GPTJ, {}),
    "gpt-neox": ("GPTNeoXForCausalLM", {**NEOX, "rope_parameters":
                 {"rope_type": "default", "rope_theta": 1000.0,
                  "partial_rotary_factor": 0.5}}, {}),
    "gpt-neox-serial": ("GPTNeoXForCausalLM", {**NEOX, "hidden_size": 36,
                        "num_hidden_layers": 1, "use_parallel_residual": False,
                        "attention_bias": False, "hidden_act": "gelu_fast",
                        "tie_word_embeddings": True}, {}),
    "falcon-7b": ("FalconForCausalLM", FALCON, {}),
    "falcon-40b": ("FalconForCausalLM", {**FALCON, "num_kv_heads": 2,
                   "new_decoder_architecture": True}, {}),
    "falcon-11b": ("FalconForCausalLM", {**FALCON, "num_kv_heads": 3,
                   "new_decoder_architecture": True, "bias": True,
                   "num_ln_in_parallel_attn": 1,
                   "tie_word_embeddings": False}, {}),
    "falcon-rw": ("FalconForCausalLM", {**FALCON, "alibi": True, "bias": True,
                  "multi_query": False, "parallel_attn": False,
                  "activation": "gelu_new"}, {}),
    "phi": ("PhiForCausalLM", {**NEOX, "num_key_value_heads": 1}, {}),
    "phi-qk-norm": ("PhiForCausalLM", {**NEOX, "qk_layernorm": True,
                    "hidden_act": "quick_gelu", "partial_rotary_factor": 0.25},
                    {}),
    "phi3": ("Phi3ForCausalLM", LLAMA, {}),
    "phi3-longrope-long": ("Phi3ForCausalLM", {**LLAMA, **rope("longrope",
                           **LONG), "original_max_position_embeddings": 10,
                           "sliding_window": 6}, {}),
    "phi3-longrope-short": ("Phi3ForCausalLM", {**LLAMA, "hidden_size": 16,
                            "num_attention_heads": 2,
                            **rope("longrope", partial_rotary_factor=0.75,
                                   **LONG),
                            "original_max_position_embeddings": 16,
                            "tie_word_embeddings": True}, {}),
    "codegen": ("CodeGenForCausalLM", {**GPTJ, "n_head": 4}, {}),
    "cohere": ("CohereForCausalLM", LLAMA, {}),
    "cohere-qk-norm": ("CohereForCausalLM", {**LLAMA, "use_qk_norm": True,
                       "attention_bias": True, "logit_scale": 0.25,
                       "tie_word_embeddings": False,
                       **rope("linear", factor=2.0)}, {}),
    "stablelm": ("StableLmForCausalLM", {**STABLELM, "use_qkv_bias": True}, {}),
    "stablelm-parallel": ("StableLmForCausalLM", {**STABLELM,
                          "num_attention_heads": 4, "num_key_value_heads": 2,
                          "use_parallel_residual": True, "qk_layernorm": True,
                          "partial_rotary_factor": 0.5}, {}),
    "llama-bf16": ("LlamaForCausalLM", {**LLAMA, "tie_word_embeddings": True},
                   {"dtype": "bfloat16"}),
    "llama-bare": ("LlamaModel", {**LLAMA, "num_key_value_heads": 1,
                   "head_dim": 10, "attention_bias": True, "mlp_bias": True},
                   {}),
    "llama-linear": ("LlamaForCausalLM", {**LLAMA, **rope("linear",
                     factor=2.5)}, {}),
    "llama-dynamic": ("LlamaForCausalLM", {**LLAMA,
                      "max_position_embeddings": 8,
                      **rope("dynamic", factor=2.0)}, {}),
    "llama-llama3": ("LlamaForCausalLM", {**LLAMA, "head_dim": 8, **LLAMA3},
                     {}),
    "llama-yarn": ("LlamaForCausalLM", {**LLAMA, "head_dim": 8, **YARN}, {}),
    "llama-longrope": ("LlamaForCausalLM", {**LLAMA, **rope("longrope",
                       factor=3.0, original_max_position_embeddings=8,
                       **LONG)}, {}),
    "llama-legacy-config": ("LlamaForCausalLM", {**LLAMA, "rms_norm_eps": 1e-6,
                            **rope("linear", factor=2.0)},
                            {"legacy": True, "sparse": True}),
    "gpt-neox-legacy-config": ("GPTNeoXForCausalLM", NEOX,
                               {"legacy": True, "sparse": True}),
    "mistral": ("MistralForCausalLM", {**LLAMA, "head_dim": 8,
                "sliding_window": 5}, {}),
    "mistral-bare": ("MistralModel", {**LLAMA, "sliding_window": None}, {}),
    "qwen2": ("Qwen2ForCausalLM", {**LLAMA, "use_sliding_window": True,
              "sliding_window": 4, "max_window_layers": 1,
              "tie_word_embeddings": True}, {}),
    "qwen3": ("Qwen3ForCausalLM", {**LLAMA, "head_dim": 8}, {}),
    "qwen3-windows": ("Qwen3ForCausalLM", {**LLAMA, "head_dim": 8,
                      "attention_bias": True, "use_sliding_window": True,
                      "sliding_window": 3, "layer_types":
                      ["sliding_attention", "full_attention"]}, {}),
    "gemma": ("GemmaForCausalLM", {**LLAMA, "num_key_value_heads": 1,
              "head_dim": 8}, {}),
    "gemma-bidirectional": ("GemmaModel", {**LLAMA, "hidden_size": 16,
                            "head_dim": 6, "use_bidirectional_attention": True,
                            "hidden_act": "gelu", "attention_bias": True}, {}),
    "gemma2": ("Gemma2ForCausalLM", {**LLAMA, "head_dim": 8,
               "query_pre_attn_scalar": 5, "sliding_window": 4,
               "attn_logit_softcapping": 2.0, "final_logit_softcapping": 5.0},
               {}),
    "gemma2-uncapped": ("Gemma2ForCausalLM", {**LLAMA, "head_dim": 8,
                        "hidden_activation": "silu", "attention_bias": True,
                        "attn_logit_softcapping": None,
                        "final_logit_softcapping": None,
                        "tie_word_embeddings": False, "sliding_window": 3,
                        "layer_types": ["full_attention",
                                        "sliding_attention"]}, {}),
    "olmo2": ("Olmo2ForCausalLM", LLAMA, {}),
    "granite": ("GraniteForCausalLM", {**LLAMA, "embedding_multiplier": 2.0,
                "logits_scaling": 4.0, "residual_multiplier": 0.6,
                "attention_multiplier": 0.3, "mlp_bias": True,
                "tie_word_embeddings": True}, {}),
    "opt": ("OPTForCausalLM", OPT, {}),
    "opt-post-norm-projected": ("OPTForCausalLM", {**OPT,
                                "do_layer_norm_before": False,
                                "word_embed_proj_dim": 12,
                                "activation_function": "gelu"}, {}),
    "opt-bare-plain": ("OPTModel", {**OPT, "enable_bias": False,
                       "layer_norm_elementwise_affine": False}, {}),
    "bloom": ("BloomForCausalLM", BLOOM, {}),
    "bloom-post-residual": ("BloomModel", {**BLOOM, "hidden_size": 12,
                            "n_head": 3,
                            "apply_residual_connection_post_layernorm": True},
                            {}),
    "mpt": ("MptForCausalLM", {**MPT, "attn_config": {"clip_qkv": 0.9,
            "softmax_scale": 0.5}}, {}),
    "mpt-three-heads": ("MptModel", {**MPT, "d_model": 12, "n_heads": 3}, {}),
    "bert": ("BertModel", BERT, {}),
    "bert-masked-lm": ("BertForMaskedLM", {**BERT, "hidden_act": "gelu_new"},
                       {}),
    "bert-masked-lm-untied": ("BertForMaskedLM", {**BERT,
                              "num_hidden_layers": 1, "type_vocab_size": 1,
                              "tie_word_embeddings": False}, {}),
    "roberta": ("RobertaModel", {**BERT, "layer_norm_eps": 1e-5}, {}),
    "roberta-masked-lm": ("RobertaForMaskedLM", {**BERT, "hidden_act": "relu"},
                          {}),
    "vit": ("ViTModel", VIT, {}),
    "vit-classifier": ("ViTForImageClassification", {**VIT, "num_labels": 5,
                       "image_size": [8, 12], "patch_size": [4, 3],
                       "qkv_bias": False}, {}),
    "t5-v1.0": ("T5ForConditionalGeneration", {**T5, "num_layers": 1,
                "d_model": 16, "num_decoder_layers": 2}, {}),
    "t5-v1.1": ("T5ForConditionalGeneration", {**T5, "num_layers": 1,
                "d_model": 16, "feed_forward_proj": "gated-gelu",
                "tie_word_embeddings": False}, {"source_seq": 9}),
    "t5-bare": ("T5Model", {**T5, "num_layers": 1, "d_model": 16}, {}),
    "t5-encoder": ("T5EncoderModel", {**T5, "d_model": 16,
                   "feed_forward_proj": "gated-silu"}, {}),
    "bart": ("BartForConditionalGeneration", {**BART, "d_model": 18,
             "scale_embedding": True}, {}),
    "bart-untied": ("BartForConditionalGeneration", {**BART, "d_model": 12,
                    "decoder_layers": 1, "tie_word_embeddings": False}, {}),
    "bart-bare": ("BartModel", {**BART, "d_model": 18, "decoder_layers": 1,
                  "activation_function": "relu"}, {"source_seq": 7}),
}
