#===- random_families.py - random legal Hugging Face configurations -----===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One random case per call of `sample`, any family, any legal values."""

from draw import Draw


def gpt2(d):
    heads = d.heads()
    return "GPT2", "LMHeadModel", dict(
        n_embd=heads * d.between(2, 8), n_head=heads,
        n_layer=d.between(1, 3), n_positions=d.learned_positions(),
        n_inner=d.one(None, d.between(4, 50)),
        activation_function=d.activation("gelu_new"),
        layer_norm_epsilon=d.eps(), scale_attn_weights=d.maybe(0.7),
        scale_attn_by_inverse_layer_idx=d.maybe(),
        add_cross_attention=d.maybe(0.1), tie_word_embeddings=d.maybe(0.7))


def rotary_gpt(name, multiple):
    def make(d):
        heads, half = d.heads(multiple), d.between(1, 5)
        return name, "ForCausalLM", dict(
            n_embd=heads * 2 * half, n_head=heads, n_layer=d.between(1, 3),
            n_positions=d.learned_positions(),
            rotary_dim=2 * d.between(1, half),
            n_inner=d.one(None, d.between(4, 50)),
            activation_function=d.activation("gelu_new"),
            layer_norm_epsilon=d.eps(), tie_word_embeddings=d.maybe(0.3))
    return make


def gpt_neox(d):
    heads, size = d.heads(), d.one(4, 6, 8, 10, 12)
    share = d.one(0.25, 0.5, 0.75, 1.0)
    if int(size * share) < 1:
        share = 1.0
    width = int(size * share)
    kinds = ("default",) if width % 2 else None
    rope = d.rope(width, share, kinds)
    if "rope_parameters" not in rope:
        rope = {"rotary_pct": share, "rotary_emb_base": d.one(500, 10000)}
    return "GPTNeoX", "ForCausalLM", dict(
        hidden_size=heads * size, num_attention_heads=heads,
        num_hidden_layers=d.between(1, 3),
        intermediate_size=d.between(4, 60), hidden_act=d.activation("gelu"),
        max_position_embeddings=d.between(4, 30), layer_norm_eps=d.eps(),
        use_parallel_residual=d.maybe(), attention_bias=d.maybe(0.7),
        tie_word_embeddings=d.maybe(0.3), **rope)


def falcon(d):
    heads, size = d.heads(), d.one(4, 6, 8)
    layout = d.one("7b", "40b", "rw")
    fields = dict(
        hidden_size=heads * size, num_attention_heads=heads,
        num_hidden_layers=d.between(1, 3), alibi=d.maybe(0.4),
        bias=d.maybe(), layer_norm_epsilon=d.eps(),
        ffn_hidden_size=d.one(None, d.between(4, 60)),
        activation=d.activation("gelu"),
        max_position_embeddings=d.between(4, 30),
        tie_word_embeddings=d.maybe(0.7), **d.rope(size))
    if layout == "40b":
        fields.update(new_decoder_architecture=True,
                      multi_query=d.maybe(), num_kv_heads=d.groups(heads),
                      num_ln_in_parallel_attn=d.one(None, 1, 2))
    else:
        fields.update(multi_query=layout == "7b", parallel_attn=d.maybe())
    return "Falcon", "ForCausalLM", fields


def llama_like(usual="silu", eps="rms_norm_eps", share=False,
               own_head_dim=False, kinds=None):
    """The fields that the families after Llama share."""
    def base(d):
        heads = d.heads()
        size = d.one(4, 6, 8, 10)
        hidden = heads * size
        fields = dict(
            num_attention_heads=heads, num_key_value_heads=d.groups(heads),
            num_hidden_layers=d.between(1, 3),
            intermediate_size=d.between(4, 48),
            max_position_embeddings=d.between(4, 30),
            hidden_act=d.activation(usual), tie_word_embeddings=d.maybe())
        if own_head_dim or (own_head_dim is None and d.maybe(0.15)):
            fields["head_dim"] = size
            hidden = heads * d.between(3, 9)
        fields["hidden_size"] = hidden
        fields[eps] = d.eps()
        factor = None
        width = size
        if share:
            factor = d.one(*(f for f in (0.25, 0.4, 0.5, 0.75, 1.0)
                             if int(size * f) >= 2 and int(size * f) % 2 == 0))
            width = int(size * factor)
        fields.update(d.rope(width, factor, kinds))
        return fields
    return base


def windows(d, fields):
    fields["use_sliding_window"] = d.maybe(0.6)
    fields["sliding_window"] = d.between(1, 12)
    layers = fields["num_hidden_layers"]
    fields["max_window_layers"] = d.between(0, layers)
    if d.maybe(0.3):
        kinds = (("sliding_attention", "full_attention")
                 if fields["use_sliding_window"] else ("full_attention",))
        fields["layer_types"] = [d.one(*kinds) for _ in range(layers)]
    return fields


def llama(d):
    fields = llama_like(own_head_dim=None)(d)
    fields.update(attention_bias=d.maybe(), mlp_bias=d.maybe())
    return "Llama", "ForCausalLM", fields


def mistral(d):
    fields = llama_like(own_head_dim=None)(d)
    fields.update(sliding_window=d.one(None, d.between(1, 12)))
    return "Mistral", "ForCausalLM", fields


def qwen2(d):
    return "Qwen2", "ForCausalLM", windows(d, llama_like(own_head_dim=None)(d))


def qwen3(d):
    fields = windows(d, llama_like(own_head_dim=True)(d))
    fields.update(attention_bias=d.maybe())
    return "Qwen3", "ForCausalLM", fields


def gemma(d):
    fields = llama_like("gelu_pytorch_tanh", own_head_dim=True)(d)
    fields.update(attention_bias=d.maybe())
    if d.maybe(0.1):
        fields["use_bidirectional_attention"] = True
    return "Gemma", "ForCausalLM", fields


def gemma2(d):
    fields = llama_like("gelu_pytorch_tanh", own_head_dim=True)(d)
    fields["hidden_activation"] = fields.pop("hidden_act")
    fields.update(
        attention_bias=d.maybe(), query_pre_attn_scalar=d.between(2, 300),
        sliding_window=d.between(1, 12),
        attn_logit_softcapping=d.one(None, 0.8, 3.0, 50.0),
        final_logit_softcapping=d.one(None, 4.0, 30.0))
    if d.maybe(0.4):
        fields["layer_types"] = [
            d.one("sliding_attention", "full_attention")
            for _ in range(fields["num_hidden_layers"])]
    return "Gemma2", "ForCausalLM", fields


def gemma3(d):
    _, kind, fields = gemma2(d)
    fields["attn_logit_softcapping"] = None
    scaling = fields.pop("rope_parameters", None) or {"rope_type": "default"}
    base = d.one(20.0, 500.0, 10000.0)
    fields["rope_parameters"] = {
        "full_attention": {"rope_theta": 1e6, **scaling},
        "sliding_attention": {"rope_type": "default", "rope_theta": base}}
    return "Gemma3", kind, fields


def olmo2(d):
    fields = llama_like(own_head_dim=None)(d)
    fields.update(attention_bias=d.maybe())
    return "Olmo2", "ForCausalLM", fields


def granite(d):
    fields = llama_like(own_head_dim=None)(d)
    fields.update(
        attention_bias=d.maybe(), mlp_bias=d.maybe(),
        embedding_multiplier=d.one(1.0, 2.5, 12.0),
        logits_scaling=d.one(1.0, 8.0),
        residual_multiplier=d.one(1.0, 0.22, 0.6),
        attention_multiplier=d.one(1.0, 0.015625, 0.4))
    return "Granite", "ForCausalLM", fields


def cohere(d):
    fields = llama_like(eps="layer_norm_eps", own_head_dim=None)(d)
    fields.update(attention_bias=d.maybe(), use_qk_norm=d.maybe(),
                  logit_scale=d.one(0.0625, 1.0, 0.3))
    return "Cohere", "ForCausalLM", fields


def phi3(d):
    fields = llama_like(share=True, kinds=(
        "absent", "default", "longrope", "longrope"))(d)
    fields.update(sliding_window=d.one(None, d.between(1, 12)),
                  original_max_position_embeddings=d.between(4, 24))
    return "Phi3", "ForCausalLM", fields


def phi(d):
    fields = llama_like("gelu_new", "layer_norm_eps", share=True)(d)
    fields.update(qk_layernorm=d.maybe())
    return "Phi", "ForCausalLM", fields


def stablelm(d):
    fields = llama_like(eps="layer_norm_eps", share=True)(d)
    fields.update(qk_layernorm=d.maybe(), use_qkv_bias=d.maybe(),
                  use_parallel_residual=d.maybe())
    return "StableLm", "ForCausalLM", fields


def opt(d):
    heads = d.heads()
    hidden = heads * d.between(2, 8)
    return "OPT", "ForCausalLM", dict(
        hidden_size=hidden, num_attention_heads=heads,
        num_hidden_layers=d.between(1, 3), ffn_dim=d.between(4, 60),
        max_position_embeddings=d.learned_positions(),
        do_layer_norm_before=d.maybe(0.6),
        word_embed_proj_dim=d.one(None, hidden, d.between(3, 20)),
        activation_function=d.activation("relu"), enable_bias=d.maybe(0.7),
        layer_norm_elementwise_affine=d.maybe(0.7),
        _remove_final_layer_norm=d.maybe(0.2),
        tie_word_embeddings=d.maybe(0.7))


def bloom(d):
    heads = d.heads()
    fields = dict(
        hidden_size=heads * d.one(2, 4, 6, 8), n_head=heads,
        n_layer=d.between(1, 3), layer_norm_epsilon=d.eps(),
        apply_residual_connection_post_layernorm=d.maybe(),
        tie_word_embeddings=d.maybe(0.7))
    if d.rare and d.maybe(0.2):
        fields.update(pretraining_tp=2, slow_but_exact=True)
    return "Bloom", "ForCausalLM", fields


def mpt(d):
    heads = d.heads()
    return "Mpt", "ForCausalLM", dict(
        d_model=heads * d.one(2, 4, 6), n_heads=heads,
        n_layers=d.between(1, 3), max_seq_len=d.learned_positions(),
        expansion_ratio=d.one(2, 4), no_bias=d.maybe(0.8),
        learned_pos_emb=d.maybe(), layer_norm_epsilon=d.eps(),
        logit_scale=d.one(None, 0.5), tie_word_embeddings=d.maybe(0.7),
        attn_config=d.one(None, dict(
            clip_qkv=d.one(None, 0.5, 1.5), qk_ln=d.maybe(0.2),
            softmax_scale=d.one(None, 0.2, 1.0), alibi=d.maybe(0.8),
            alibi_bias_max=d.one(8, 4))))


def bert_like(name):
    def make(d):
        heads, pad = d.heads(), d.between(0, 4)
        decoder = d.maybe(0.15)
        head = "ForMaskedLM"
        if decoder and d.maybe():
            head = "LMHeadModel" if name == "Bert" else "ForCausalLM"
        return name, head, dict(
            hidden_size=heads * d.between(2, 8), num_attention_heads=heads,
            num_hidden_layers=d.between(1, 3), pad_token_id=pad,
            intermediate_size=d.between(4, 60), layer_norm_eps=d.eps(),
            max_position_embeddings=d.learned_positions(
                pad + 1 if name == "Roberta" else 0),
            type_vocab_size=d.between(1, 3), hidden_act=d.activation("gelu"),
            is_decoder=decoder, tie_word_embeddings=d.maybe(0.7))
    return make


def vit(d):
    heads = d.heads()
    patch = (d.between(1, 4), d.between(1, 4))
    size = [patch[0] * d.between(1, 4), patch[1] * d.between(1, 4)]
    patch = list(patch)
    if d.maybe():
        patch, size = patch[0], patch[0] * d.between(1, 4)
    return "ViT", "ForImageClassification", dict(
        hidden_size=heads * d.between(2, 8), num_attention_heads=heads,
        num_hidden_layers=d.between(1, 3), layer_norm_eps=d.eps(),
        intermediate_size=d.between(4, 60), hidden_act=d.activation("gelu"),
        image_size=size, patch_size=patch, num_channels=d.between(1, 4),
        qkv_bias=d.maybe(), num_labels=d.between(2, 6))


def t5(d):
    buckets = d.one(4, 8, 12, 32)
    gated = d.maybe()
    act = d.one("gelu", "relu", "silu", "gelu_new")
    return "T5", "ForConditionalGeneration", dict(
        d_model=d.between(4, 40), d_kv=d.between(2, 10),
        num_heads=d.heads(), d_ff=d.between(4, 60),
        num_layers=d.between(1, 3),
        num_decoder_layers=d.one(None, d.between(1, 3)),
        relative_attention_num_buckets=buckets,
        relative_attention_max_distance=buckets + d.between(1, 100),
        feed_forward_proj="gated-" + act if gated else act,
        layer_norm_epsilon=d.eps(), tie_word_embeddings=d.maybe())


def bart(d):
    heads, other = d.one((1, 1), (2, 1), (2, 4), (3, 2), (4, 4), (6, 3))
    return "Bart", "ForConditionalGeneration", dict(
        d_model=12 * d.between(1, 3), encoder_attention_heads=heads,
        decoder_attention_heads=other, encoder_layers=d.between(1, 3),
        decoder_layers=d.between(1, 3), encoder_ffn_dim=d.between(4, 50),
        decoder_ffn_dim=d.between(4, 50), scale_embedding=d.maybe(),
        max_position_embeddings=d.learned_positions(8),
        activation_function=d.activation("gelu"),
        tie_word_embeddings=d.maybe(0.7))


FAMILIES = (gpt2, rotary_gpt("GPTJ", 1), rotary_gpt("CodeGen", 4), gpt_neox,
            falcon, falcon, phi, phi3, cohere, stablelm, llama, llama,
            mistral, qwen2, qwen3, gemma, gemma2, gemma3, olmo2, granite, opt,
            bloom, mpt, bert_like("Bert"), bert_like("Roberta"), vit, t5, bart)


def sample(rng, rare=False):
    """A case as families.py describes it. `rare` adds what no published
    checkpoint of the family uses."""
    d = Draw(rng, rare)
    stem, head, fields = d.one(*FAMILIES)(d)
    if stem != "ViT":
        fields["vocab_size"] = d.between(8, 61)
        fields.setdefault("pad_token_id", d.between(0, 7))
    if d.maybe(0.25):
        head = "TextModel" if stem == "Gemma3" else "Model"
    if stem == "T5" and d.maybe(0.15):
        head = "EncoderModel"
    options = {"seq": d.seq, "batch": d.between(1, 3),
               "dtype": d.one("float32", "float32", "float32", "bfloat16",
                              "float16"),
               "legacy": d.maybe(0.15), "sparse": d.maybe(0.15)}
    if stem in ("T5", "Bart"):
        options["source_seq"] = d.one(d.seq, d.seq + d.between(0, 7))
    return stem + head, fields, options
