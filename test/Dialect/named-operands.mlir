// Named operands of attention: text in any order of keywords, text and bytecode of files
// that were written before the operands were named, and files with fewer counts.
// RUN: split-file %s %t
// RUN: block-opt %t/custom.mlir --unbroken-lines > %t/custom.out
// RUN: FileCheck %s < %t/custom.out
// RUN: block-opt %S/Inputs/attention-1.0.mlirbc --unbroken-lines | diff %t/custom.out -
// Fewer counts, since these were written before the newest operand; bytecode has the others behind them, so that no
// round trip is compared.
// RUN: %build/bin/block-opt %S/Inputs/attention-1.0-format-5.mlirbc --unbroken-lines | diff %t/custom.out -
// RUN: %build/bin/block-opt %t/generic.mlir --unbroken-lines | diff %t/custom.out -
// RUN: sed 's/1, 1, 1, 0>/1, 1, 1>/' %t/generic.mlir > %t/fewer.mlir
// RUN: not cmp %t/generic.mlir %t/fewer.mlir
// RUN: %build/bin/block-opt %t/fewer.mlir --unbroken-lines | diff %t/custom.out -
// RUN: block-opt %t/custom.mlir --emit-bytecode | block-opt --unbroken-lines | diff %t/custom.out -
// RUN: block-opt %t/custom.mlir --emit-bytecode --emit-bytecode-version=5 | block-opt --unbroken-lines | diff %t/custom.out -
// RUN: block-opt %t/custom.mlir --mlir-print-op-generic | block-opt --unbroken-lines | diff %t/custom.out -

//--- custom.mlir
// CHECK-LABEL: func.func @sdpa(
// CHECK: %0 = block.sdpa %arg0, %arg1, %arg1 lengths %arg2 relative %arg3 shaw_key %arg4 shaw_value %arg4 alpha %arg5 beta %arg5 gamma %arg5 past_key %arg6 past_value %arg6 slopes %arg5 score_bias %arg7 seed %arg8 {buckets = #block.buckets<>, dropout = #block.dropout<rate = 0.5>, heads = 2, scores = #block.scores<scale = 0.5, alibi_max = 8.0>}
func.func @sdpa(%q: tensor<2x5x8xf32>, %k: tensor<2x5x8xf32>, %lengths: tensor<2xi64>, %relative: tensor<4x2xf32>, %shaw: tensor<3x4xf32>, %gain: tensor<2xf32>, %past: tensor<2x3x8xf32>, %bias: tensor<2x2x5x8xf32>, %seed: tensor<1xi64>) -> tensor<2x5x8xf32> {
  %0 = block.sdpa %q, %k, %k seed %seed score_bias %bias slopes %gain past_value %past past_key %past gamma %gain beta %gain alpha %gain shaw_value %shaw shaw_key %shaw relative %relative lengths %lengths {heads = 2, scores = #block.scores<scale = 0.5, alibi_max = 8.0>, buckets = #block.buckets<>, dropout = #block.dropout<rate = 0.5>} : tensor<2x5x8xf32>, tensor<4x2xf32>, tensor<3x4xf32>, tensor<2x3x8xf32>, tensor<2x2x5x8xf32>
  return %0 : tensor<2x5x8xf32>
}
// CHECK-LABEL: func.func @pages(
// CHECK: %0 = block.sdpa %arg0, %arg1, %arg1 past_lengths %arg2 starts %arg3 pages %arg4 {heads = 2, scores = #block.scores<scale = 0.5, causal = true>}
func.func @pages(%q: tensor<?x?x8xf32>, %pool: tensor<?x16x8xf32>, %past: tensor<?xi64>, %starts: tensor<?xi64>, %pages: tensor<?x?xi64>) -> tensor<?x?x8xf32> {
  %0 = block.sdpa %q, %pool, %pool past_lengths %past starts %starts pages %pages {heads = 2, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<?x?x8xf32>, tensor<?x16x8xf32>, tensor<?x16x8xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?x?xi64>) -> tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}
// CHECK-LABEL: func.func @grad(
// CHECK: %0:2 = block.sdpa_grad %arg0 of %arg0, %arg0, %arg0 beta %arg2 cu_seqlens %arg1 {heads = 2, scores = #block.scores<scale = 0.5>, wrt = ["query", "beta"]}
func.func @grad(%dy: tensor<1x5x8xf32>, %bounds: tensor<4xi64>, %gain: tensor<2xf32>) -> (tensor<1x5x8xf32>, tensor<2xf32>) {
  %0:2 = block.sdpa_grad %dy of %dy, %dy, %dy beta %gain cu_seqlens %bounds {heads = 2, scores = #block.scores<scale = 0.5>, wrt = ["query", "beta"]} : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<2xf32>, tensor<4xi64>) -> (tensor<1x5x8xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<1x5x8xf32>, tensor<2xf32>
}
// CHECK-LABEL: func.func @attention(
// CHECK: %0 = block.attention %arg0 memory %arg1 q %arg2 k %arg3 v %arg3 o %arg2 q_bias %arg4 o_bias %arg4 q_gamma %arg5 k_beta %arg5 lengths %arg6 {heads = 2, qk_norm = #block.qk_norm<form = <kind = layer, eps = 1.0e-05>>, scores = #block.scores<scale = 0.5>}
func.func @attention(%x: tensor<2x5x8xf32>, %memory: tensor<2x7x6xf32>, %q: tensor<8x8xf32>, %k: tensor<8x6xf32>, %bias: tensor<8xf32>, %gain: tensor<4xf32>, %lengths: tensor<2xi64>) -> tensor<2x5x8xf32> {
  %0 = block.attention %x o %q v %k k %k q %q memory %memory q_bias %bias o_bias %bias q_gamma %gain k_beta %gain lengths %lengths {heads = 2, scores = #block.scores<scale = 0.5>, qk_norm = #block.qk_norm<form = <kind = layer, eps = 1.000000e-05>>} : tensor<2x5x8xf32>, tensor<2x7x6xf32>, tensor<8x8xf32>
  return %0 : tensor<2x5x8xf32>
}
// CHECK-LABEL: func.func @rotated(
// CHECK: %0 = block.attention %arg0 q %arg1 k %arg1 past_key %arg3 past_value %arg3 rope_cos %arg2 rope_sin %arg2 seed %arg4 {dropout = #block.dropout<rate = 0.25>, heads = 2, rope = #block.rope<style = half, dim = 4>, scores = #block.scores<scale = 0.5>}
func.func @rotated(%x: tensor<2x5x8xf32>, %q: tensor<8x8xf32>, %table: tensor<1x5x2xf32>, %past: tensor<2x3x8xf32>, %seed: tensor<1xi64>) -> tensor<2x5x8xf32> {
  %0 = block.attention %x q %q k %q past_key %past past_value %past rope_cos %table rope_sin %table seed %seed {heads = 2, scores = #block.scores<scale = 0.5>, rope = #block.rope<style = half, dim = 4>, dropout = #block.dropout<rate = 0.25>} : tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<2x3x8xf32>, tensor<1x5x2xf32>
  return %0 : tensor<2x5x8xf32>
}

//--- generic.mlir
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2xi64>, tensor<4x2xf32>, tensor<3x4xf32>, tensor<2xf32>, tensor<2x3x8xf32>,
      tensor<2x2x5x8xf32>, tensor<1xi64>) -> tensor<2x5x8xf32>, sym_name = "sdpa"}> ({
  ^bb0(%arg20: tensor<2x5x8xf32>, %arg21: tensor<2x5x8xf32>, %arg22: tensor<2xi64>, %arg23: tensor<4x2xf32>, %arg24: tensor<3x4xf32>, %arg25: tensor<2xf32>,
      %arg26: tensor<2x3x8xf32>, %arg27: tensor<2x2x5x8xf32>, %arg28: tensor<1xi64>):
    %4 = "block.sdpa"(%arg20, %arg21, %arg21, %arg22, %arg23, %arg24, %arg24, %arg25, %arg25, %arg25, %arg26, %arg26, %arg25, %arg27, %arg28)
        <{buckets = #block.buckets<>, dropout = #block.dropout<rate = 0.5>, heads = 2 : i64, kv_heads = 2 : i64,
        operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1>, scores = #block.scores<scale = 0.5, alibi_max = 8.0>}>
        : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2xi64>, tensor<4x2xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<2xf32>,
        tensor<2xf32>, tensor<2xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2xf32>, tensor<2x2x5x8xf32>, tensor<1xi64>) -> tensor<2x5x8xf32>
    "func.return"(%4) : (tensor<2x5x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x?x8xf32>, tensor<?x16x8xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?x?xi64>) -> tensor<?x?x8xf32>,
      sym_name = "pages"}> ({
  ^bb0(%arg15: tensor<?x?x8xf32>, %arg16: tensor<?x16x8xf32>, %arg17: tensor<?xi64>, %arg18: tensor<?xi64>, %arg19: tensor<?x?xi64>):
    %3 = "block.sdpa"(%arg15, %arg16, %arg16, %arg17, %arg18, %arg19)
        <{heads = 2 : i64, kv_heads = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0>,
        scores = #block.scores<scale = 0.5, causal = true>}>
        : (tensor<?x?x8xf32>, tensor<?x16x8xf32>, tensor<?x16x8xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?x?xi64>) -> tensor<?x?x8xf32>
    "func.return"(%3) : (tensor<?x?x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<1x5x8xf32>, tensor<4xi64>, tensor<2xf32>) -> (tensor<1x5x8xf32>, tensor<2xf32>), sym_name = "grad"}> ({
  ^bb0(%arg12: tensor<1x5x8xf32>, %arg13: tensor<4xi64>, %arg14: tensor<2xf32>):
    %2:2 = "block.sdpa_grad"(%arg12, %arg12, %arg12, %arg12, %arg14, %arg13)
        <{heads = 2 : i64, kv_heads = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0>,
        scores = #block.scores<scale = 0.5>, wrt = ["query", "beta"]}>
        : (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<2xf32>, tensor<4xi64>) -> (tensor<1x5x8xf32>, tensor<2xf32>)
    "func.return"(%2#0, %2#1) : (tensor<1x5x8xf32>, tensor<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x8xf32>, tensor<2x7x6xf32>, tensor<8x8xf32>, tensor<8x6xf32>, tensor<8xf32>, tensor<4xf32>, tensor<2xi64>)
      -> tensor<2x5x8xf32>, sym_name = "attention"}> ({
  ^bb0(%arg5: tensor<2x5x8xf32>, %arg6: tensor<2x7x6xf32>, %arg7: tensor<8x8xf32>, %arg8: tensor<8x6xf32>, %arg9: tensor<8xf32>, %arg10: tensor<4xf32>,
      %arg11: tensor<2xi64>):
    %1 = "block.attention"(%arg5, %arg6, %arg7, %arg8, %arg8, %arg7, %arg9, %arg9, %arg10, %arg10, %arg11)
        <{heads = 2 : i64, kv_heads = 2 : i64, operandSegmentSizes =
        array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>,
        qk_norm = #block.qk_norm<form = <kind = layer, eps = 1.0e-05>>, scores = #block.scores<scale = 0.5>}>
        : (tensor<2x5x8xf32>, tensor<2x7x6xf32>, tensor<8x8xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>,
        tensor<4xf32>, tensor<4xf32>, tensor<2xi64>) -> tensor<2x5x8xf32>
    "func.return"(%1) : (tensor<2x5x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<1x5x2xf32>, tensor<2x3x8xf32>, tensor<1xi64>) -> tensor<2x5x8xf32>,
      sym_name = "rotated"}> ({
  ^bb0(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<1x5x2xf32>, %arg3: tensor<2x3x8xf32>, %arg4: tensor<1xi64>):
    %0 = "block.attention"(%arg0, %arg1, %arg1, %arg3, %arg3, %arg2, %arg2, %arg4)
        <{dropout = #block.dropout<rate = 0.25>, heads = 2 : i64, kv_heads = 2 : i64,
        operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 1>,
        rope = #block.rope<style = half, dim = 4>, scores = #block.scores<scale = 0.5>}>
        : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<1x5x2xf32>, tensor<1x5x2xf32>, tensor<1xi64>)
        -> tensor<2x5x8xf32>
    "func.return"(%0) : (tensor<2x5x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()

