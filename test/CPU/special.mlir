// NaN, infinities and numbers at the ends of their range come out as the reference engine has them.
// DEFINE: %{make} = %python %S/../Tools/block-run/Inputs/make_safetensors.py
// RUN: %{make} %t.x "x:F32:1x3x8=nan,1.5,inf,-0.5,-inf,2,-1e15,1e15,88.5,-88.5,100,-100,-87.5,87.5,60,-60,1,-2,0.25,3,-1,0.5,-3,2"
// RUN: block-run %s --engine=cpu --inputs=%t.x --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=cpu --inputs=%t.x --baseline=%s --cpu=x86-64 | FileCheck %s
// RUN: block-run %s --function=narrow --engine=cpu --inputs=%t.x --baseline=%s | FileCheck %s --check-prefix=NARROW
// CHECK: PASS out0
// CHECK: PASS out17
// NARROW: PASS out0
// NARROW: PASS out3

// What later tokens are, or those of other sequences, is nothing to earlier ones.
// RUN: %{make} %t.y "y:F32:1x6x8=1,-2,0.25,3,-1,0.5,-3,2,3,1,2,-1,-2,1,0.5,0.25,1,-1,2,0.5,0.5,-2,1,1,2,1,0,1,-1,-1,3,2,nan,inf,1,-inf,0.5,inf,nan,1,-1,1,1,-2,0.25,2,inf,1" cu:I64:3=0,3,5
// RUN: block-run %s --function=attention --engine=cpu --inputs=%t.y --baseline=%s | FileCheck %s --check-prefix=LATER
// RUN: block-run %s --function=attention --engine=cpu --inputs=%t.y --baseline=%s --cpu=x86-64 | FileCheck %s --check-prefix=LATER
// LATER: PASS out0
// LATER: PASS out5

func.func @main(%x: tensor<1x3x8xf32> {block.input = "x"}, %w: tensor<8x8xf32> {block.param = "w"}, %g: tensor<8xf32> {block.param = "g"})
    -> (tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>,
        tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>) {
  %0 = block.activation %x {kind = #block.activation<relu>} : tensor<1x3x8xf32>
  %1 = block.activation %x {kind = #block.activation<relu_squared>} : tensor<1x3x8xf32>
  %2 = block.activation %x {kind = #block.activation<leaky_relu>} : tensor<1x3x8xf32>
  %3 = block.activation %x {kind = #block.activation<gelu_erf>} : tensor<1x3x8xf32>
  %4 = block.activation %x {kind = #block.activation<gelu_tanh>} : tensor<1x3x8xf32>
  %5 = block.activation %x {kind = #block.activation<quick_gelu>} : tensor<1x3x8xf32>
  %6 = block.activation %x {kind = #block.activation<silu>} : tensor<1x3x8xf32>
  %7 = block.activation %x {kind = #block.activation<sigmoid>} : tensor<1x3x8xf32>
  %8 = block.activation %x {kind = #block.activation<tanh>} : tensor<1x3x8xf32>
  %9 = block.clamp %x {limit = 8.0 : f64} : tensor<1x3x8xf32>
  %10 = block.gate %x, %x {kind = #block.activation<silu>} : tensor<1x3x8xf32>
  %11 = block.norm %x gamma %g {form = #block.norm<kind = layer, eps = 1.0e-5>} : (tensor<1x3x8xf32>, tensor<8xf32>) -> tensor<1x3x8xf32>
  %12 = block.norm %x gamma %g {form = #block.norm<kind = rms, eps = 1.0e-5>} : (tensor<1x3x8xf32>, tensor<8xf32>) -> tensor<1x3x8xf32>
  %13 = block.linear %x, %w : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  %14 = block.residual %x, %x : (tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
  %15 = block.activation %x {kind = #block.activation<hardswish>} : tensor<1x3x8xf32>
  %16 = block.activation %x {kind = #block.activation<mish>} : tensor<1x3x8xf32>
  %17 = block.activation %x {kind = #block.activation<softplus>} : tensor<1x3x8xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17
      : tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>,
        tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>
}

func.func @narrow(%x: tensor<1x3x8xbf16> {block.input = "x"}, %w: tensor<8x8xbf16> {block.param = "w"})
    -> (tensor<1x3x8xbf16>, tensor<1x3x8xbf16>, tensor<1x3x8xbf16>, tensor<1x3x8xbf16>) {
  %0 = block.activation %x {kind = #block.activation<gelu_erf>} : tensor<1x3x8xbf16>
  %1 = block.activation %x {kind = #block.activation<silu>} : tensor<1x3x8xbf16>
  %2 = block.linear %x, %w : (tensor<1x3x8xbf16>, tensor<8x8xbf16>) -> tensor<1x3x8xbf16>
  %3 = block.residual %x, %x : (tensor<1x3x8xbf16>, tensor<1x3x8xbf16>) -> tensor<1x3x8xbf16>
  return %0, %1, %2, %3 : tensor<1x3x8xbf16>, tensor<1x3x8xbf16>, tensor<1x3x8xbf16>, tensor<1x3x8xbf16>
}

func.func @attention(%y: tensor<1x6x8xf32> {block.input = "y"}, %cu: tensor<3xi64> {block.input = "cu"}, %g: tensor<2xf32> {block.param = "g"}, %s: tensor<5x4xf32> {block.param = "s"})
    -> (tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xbf16>) {
  %causal = block.sdpa %y, %y, %y {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>) -> tensor<1x6x8xf32>
  %window = block.sdpa %y, %y, %y {heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<scale = 0.5, window = 2>} : (tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>) -> tensor<1x6x8xf32>
  %packed = block.sdpa %y, %y, %y cu_seqlens %cu {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5>} : (tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<3xi64>) -> tensor<1x6x8xf32>
  %shaped = block.sdpa %y, %y, %y alpha %g beta %g gamma %g {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x6x8xf32>
  %shaw = block.sdpa %y, %y, %y shaw_key %s shaw_value %s {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true, softcap = 3.0>} : (tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<1x6x8xf32>
  %z = arith.truncf %y : tensor<1x6x8xf32> to tensor<1x6x8xbf16>
  %narrow = block.sdpa %z, %z, %z {heads = 2 : i64, kv_heads = 2 : i64, scores = #block.scores<scale = 0.5, causal = true>} : (tensor<1x6x8xbf16>, tensor<1x6x8xbf16>, tensor<1x6x8xbf16>) -> tensor<1x6x8xbf16>
  return %causal, %window, %packed, %shaped, %shaw, %narrow : tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xf32>, tensor<1x6x8xbf16>
}
