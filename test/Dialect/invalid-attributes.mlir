// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [ATTR-1] epsilon is not negative
// expected-error @+1 {{expected eps to be finite and at least 0, got -1.000000e+00}}
func.func private @f() attributes {a = #block.norm<kind = layer, eps = -1.0>}

// -----

// [ATTR-2] the rotated width is even
// expected-error @+1 {{expected dim to be positive and even, got 3}}
func.func private @f() attributes {a = #block.rope<style = half, dim = 3>}

// -----

// [ATTR-2] and positive
// expected-error @+1 {{expected dim to be positive and even, got 0}}
func.func private @f() attributes {a = #block.rope<style = half, dim = 0>}

// -----

// [ATTR-3] a frequency per pair
// expected-error @+1 {{expected inv_freq to have 2 entries, got 3}}
func.func private @f() attributes {a = #block.rope<style = half, dim = 4, inv_freq = [1.0, 0.5, 0.25]>}

// -----

// [ATTR-4] the base is positive
// expected-error @+1 {{expected base to be positive, got 0.000000e+00}}
func.func private @f() attributes {a = #block.rope<style = half, dim = 4, base = 0.0>}

// -----

// [ATTR-5] the table type is a float type
// expected-error @+1 {{expected table_type to be a float type, got 'i32'}}
func.func private @f() attributes {a = #block.rope<style = half, dim = 4, table_type = i32>}

// -----

// [ATTR-6] the scale is finite
// expected-error @+1 {{expected scale to be finite, got}}
func.func private @f() attributes {a = #block.scores<scale = 1.0e999>}

// -----

// [ATTR-7] a window holds a key
// expected-error @+1 {{expected window to be at least 1, got 0}}
func.func private @f() attributes {a = #block.scores<scale = 1.0, window = 0>}

// -----

// [ATTR-8] a soft cap is positive
// expected-error @+1 {{expected softcap to be positive, got -5.000000e+01}}
func.func private @f() attributes {a = #block.scores<scale = 1.0, softcap = -50.0>}

// -----

// [ATTR-9] ALiBi's maximum is positive
// expected-error @+1 {{expected alibi_max to be positive, got 0.000000e+00}}
func.func private @f() attributes {a = #block.scores<scale = 1.0, alibi_max = 0.0>}

// -----

// [ATTR-12] rounded ALiBi is ALiBi of a causal attention
// expected-error @+1 {{expected alibi_type to be a float type beside alibi_max and causal, got 'bf16'}}
func.func private @f() attributes {a = #block.scores<scale = 1.0, alibi_max = 8.0, alibi_type = bf16>}

// -----

// [ATTR-10] the last bucket is apart from the first
// expected-error @+1 {{expected max_distance to be at least 2, got 1}}
func.func private @f() attributes {a = #block.buckets<max_distance = 1>}

// -----

// [ATTR-11] an error is measured or not
// expected-error @+1 {{expected measured to be an f64 or "unmeasured", got "a little" of pass 'p'}}
func.func private @f() attributes {a = #block.approx<pass = "p", parameters = "", measured = "a little">}

// -----

// [ATTR-13] something stays
// expected-error @+1 {{expected rate to be at least 0 and below 1, got 1.000000e+00}}
func.func private @f() attributes {a = #block.dropout<rate = 1.0>}

// -----

// [ATTR-13] sites are counted from 0 on
// expected-error @+1 {{expected site to be at least 0, got -1}}
func.func private @f() attributes {a = #block.dropout<rate = 0.5, site = -1>}

// -----

// [ATTR-14] an expert is chosen
// expected-error @+1 {{expected chosen to be at least 1, got 0}}
func.func private @f() attributes {a = #block.routing<chosen = 0, score = softmax>}

// -----

// [ATTR-14] of a group
// expected-error @+1 {{expected groups to be at least 1, got 0}}
func.func private @f() attributes {a = #block.routing<chosen = 1, score = softmax, groups = 0>}

// -----

// [ATTR-14] one of them is kept
// expected-error @+1 {{expected kept to be at least 1 and at most groups, 2, got 3}}
func.func private @f() attributes {a = #block.routing<chosen = 1, score = softmax, groups = 2, kept = 3>}

// -----

// [ATTR-15] eps is not negative
// expected-error @+1 {{expected eps to be finite and at least 0, and 0 where divide_by is one, got -1.000000e+00}}
func.func private @f() attributes {a = #block.routing<chosen = 1, score = softmax, divide_by = added, eps = -1.0>}

// -----

// [ATTR-15] and of a division
// expected-error @+1 {{expected eps to be finite and at least 0, and 0 where divide_by is one, got 1.000000e+00}}
func.func private @f() attributes {a = #block.routing<chosen = 1, score = softmax, eps = 1.0>}

// -----

// [ATTR-17] a limit is positive
// expected-error @+1 {{expected limit to be positive and finite, got 0.000000e+00}}
func.func private @f() attributes {a = #block.experts<activation = silu, limit = 0.0>}

// -----

// [ATTR-18] an offset has a gate
// expected-error @+1 {{expected up_offset to be finite, and a gate for it, got 1.000000e+00 with layout up}}
func.func private @f() attributes {a = #block.experts<activation = silu, layout = up, up_offset = 1.0>}

// -----

// [ATTR-16] factors are finite
// expected-error @+1 {{expected logit_scale to be finite, got INF}}
func.func private @f() attributes {a = #block.routing<chosen = 1, score = softmax, logit_scale = 1.0e999>}
