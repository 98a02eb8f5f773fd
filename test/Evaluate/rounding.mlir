// Results are rounded to their element type after every op, also in bodies; sums
// inside one op are not rounded on the way. Exact arithmetic does not round.
// RUN: block-run %s --engine=reference --function=rounded | FileCheck %s --check-prefix=ROUNDED
// RUN: block-run %s --engine=reference --function=rounded --exact-arithmetic | FileCheck %s --check-prefix=EXACT
// ROUNDED: out0 {{.*}} min 0 max 0
// ROUNDED: out1 {{.*}} min 0.0078125 max 0.0078125
// EXACT: out0 {{.*}} min 0.00390625 max 0.00390625
// EXACT: out1 {{.*}} min 0.0078125 max 0.0078125
func.func @rounded() -> (tensor<2xbf16>, tensor<1xbf16>) {
  %big = arith.constant dense<1.0> : tensor<2xbf16>
  %small = arith.constant dense<0.00390625> : tensor<2xbf16>
  %one = arith.constant dense<1.0> : tensor<1xbf16>
  %e = tensor.empty() : tensor<2xbf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%big, %small : tensor<2xbf16>, tensor<2xbf16>) outs(%e : tensor<2xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %sum = arith.addf %a, %b : bf16
    %difference = arith.subf %sum, %a : bf16
    linalg.yield %difference : bf16
  } -> tensor<2xbf16>
  %first = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%small : tensor<2xbf16>) outs(%one : tensor<1xbf16>) {
  ^bb0(%a: bf16, %out: bf16):
    %sum = arith.addf %out, %a : bf16
    linalg.yield %sum : bf16
  } -> tensor<1xbf16>
  %rest = arith.subf %first, %one : tensor<1xbf16>
  return %0, %rest : tensor<2xbf16>, tensor<1xbf16>
}
