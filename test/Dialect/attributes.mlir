// Every attribute, with every value of every choice; what is a default is not printed.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK: func.func private @norms() attributes {a = #block.norm<kind = layer, eps = 1.0e-05>,
// CHECK-NEXT: b = #block.norm<kind = rms, eps = 0.0, eps_form = outside_root, gamma_form = one_plus, rounding = before_gain>,
// CHECK-NEXT: c = #block.norm<kind = l2, eps = 1.0e-12, eps_form = clamp>}
func.func private @norms() attributes {a = #block.norm<kind = layer, eps = 1.000000e-05>, b = #block.norm<kind = rms, eps = 0.000000e+00, eps_form = outside_root, gamma_form = one_plus, rounding = before_gain>, c = #block.norm<kind = l2, eps = 9.9999999999999998E-13, eps_form = clamp>}
// CHECK: func.func private @qk_norms() attributes {a = #block.qk_norm<form = <kind = rms, eps = 1.0e-05>>,
// CHECK-NEXT: b = #block.qk_norm<form = <kind = layer, eps = 1.0e-05>, extent = whole, place = after_rope>}
func.func private @qk_norms() attributes {a = #block.qk_norm<form = <kind = rms, eps = 1.000000e-05>>, b = #block.qk_norm<form = <kind = layer, eps = 1.000000e-05>, extent = whole, place = after_rope>}
// CHECK: func.func private @ropes() attributes {a = #block.rope<style = half, dim = 4>,
// CHECK-NEXT: b = #block.rope<style = interleaved, dim = 4, base = 5.0e+05, inv_freq = [1.0, 0.3333333333333333], table_scale = 1.25, table_type = bf16>}
func.func private @ropes() attributes {a = #block.rope<style = half, dim = 4>, b = #block.rope<style = interleaved, dim = 4, base = 5.000000e+05, inv_freq = [1.000000e+00, 0.33333333333333331], table_scale = 1.250000e+00, table_type = bf16>}
// CHECK: func.func private @scores() attributes {a = #block.scores<scale = 0.125>,
// CHECK-NEXT: b = #block.scores<scale = 0.125, causal = true, window = 4, softcap = 50.0, alibi_max = 8.0, order = bias_scale_cap>,
// CHECK-NEXT: c = #block.scores<scale = 1.0, order = scale_cap_bias>, d = #block.scores<scale = 1.0, causal = true, alibi_max = 8.0, alibi_type = bf16>}
func.func private @scores() attributes {a = #block.scores<scale = 1.250000e-01>, b = #block.scores<scale = 1.250000e-01, causal = true, window = 4, softcap = 5.000000e+01, alibi_max = 8.000000e+00, order = bias_scale_cap>, c = #block.scores<scale = 1.000000e+00, order = scale_cap_bias>, d = #block.scores<scale = 1.000000e+00, causal = true, alibi_max = 8.000000e+00, alibi_type = bf16>}
// CHECK: func.func private @buckets() attributes {a = #block.buckets<>, b = #block.buckets<max_distance = 64, bidirectional = true>}
func.func private @buckets() attributes {a = #block.buckets<>, b = #block.buckets<max_distance = 64, bidirectional = true>}
// CHECK: func.func private @stamps() attributes {a = #block.approx<pass = "block-parallelize", parameters = "", measured = "unmeasured">,
// CHECK-NEXT: b = #block.approx<pass = "block-simplify", parameters = "form=sas", measured = 0.001,
// CHECK-NEXT: previous = <pass = "block-parallelize", parameters = "", measured = "unmeasured">>}
func.func private @stamps() attributes {a = #block.approx<pass = "block-parallelize", parameters = "", measured = "unmeasured">, b = #block.approx<pass = "block-simplify", parameters = "form=sas", measured = 1.000000e-03 : f64, previous = <pass = "block-parallelize", parameters = "", measured = "unmeasured">>}
// CHECK: func.func private @inits() attributes {a = #block.init<kind = normal>, b = #block.init<kind = uniform, mean = 1.0, std = 0.02>,
// CHECK-NEXT: c = #block.init<kind = constant, mean = 1.0>}
func.func private @inits() attributes {a = #block.init<kind = normal>, b = #block.init<kind = uniform, mean = 1.000000e+00, std = 2.000000e-02>, c = #block.init<kind = constant, mean = 1.000000e+00>}
// CHECK: func.func private @choices() attributes {a = #block.activation<gelu_erf>, b = #block.sinusoid<sin_cos_pairs>, c = #block.sinusoid<sin_then_cos>}
func.func private @choices() attributes {a = #block.activation<gelu_erf>, b = #block.sinusoid<sin_cos_pairs>, c = #block.sinusoid<sin_then_cos>}
// CHECK: func.func private @decisions() attributes {a = #block.decision<pass = "block-fold-norm", outcome = passed>,
// CHECK-NEXT: b = #block.decision<pass = "block-fold-norm", outcome = missed, reason = "not-a-norm", location = "a.mlir:1:2", metrics = {bytes = 4}>,
// CHECK-NEXT: c = #block.decision<pass = "block-fold-norm", outcome = failed>}
func.func private @decisions() attributes {a = #block.decision<pass = "block-fold-norm", outcome = passed>, b = #block.decision<pass = "block-fold-norm", outcome = missed, reason = "not-a-norm", location = "a.mlir:1:2", metrics = {bytes = 4 : i64}>, c = #block.decision<pass = "block-fold-norm", outcome = failed>}
// CHECK: func.func private @routings() attributes {a = #block.routing<chosen = 2, score = softmax>,
// CHECK-NEXT: b = #block.routing<chosen = 2, score = sigmoid, divide_by = added, eps = 1.0e-20, groups = 4, kept = 2, group_score = best_two, hidden = zero>,
// CHECK-NEXT: c = #block.routing<chosen = 1, score = root_softplus, divide_by = floored, eps = 0.1, logit_scale = 2.0, weight_scale = 2.5>,
// CHECK-NEXT: d = #block.routing<chosen = 1, score = logit, weight = softmax>, e = #block.routing<chosen = 1, score = logit, weight = sigmoid>}
func.func private @routings() attributes {a = #block.routing<chosen = 2, score = softmax>, b = #block.routing<chosen = 2, score = sigmoid, divide_by = added, eps = 1.000000e-20, groups = 4, kept = 2, group_score = best_two, hidden = zero>, c = #block.routing<chosen = 1, score = root_softplus, divide_by = floored, eps = 1.000000e-01, logit_scale = 2.000000e+00, weight_scale = 2.500000e+00>, d = #block.routing<chosen = 1, score = logit, weight = softmax>, e = #block.routing<chosen = 1, score = logit, weight = sigmoid>}
// CHECK: func.func private @experts() attributes {a = #block.experts<activation = silu>,
// CHECK-NEXT: b = #block.experts<activation = relu, layout = up, transposed = true, weigh = input, limit = 7.0>,
// CHECK-NEXT: c = #block.experts<activation = quick_gelu, layout = interleaved, limit = 7.0, up_offset = 1.0>}
func.func private @experts() attributes {a = #block.experts<activation = silu>, b = #block.experts<activation = relu, layout = up, transposed = true, weigh = input, limit = 7.000000e+00>, c = #block.experts<activation = quick_gelu, layout = interleaved, limit = 7.000000e+00, up_offset = 1.000000e+00>}
