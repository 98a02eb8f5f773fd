// What block-quantize refuses.
// RUN: split-file %s %t
// RUN: not block-opt %t/model.mlir --block-quantize="form=int3" 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: expected int8, int4-g128, int4-g32, mxfp4 or fp8
// RUN: not block-opt %t/model.mlir --block-quantize="layers=1" 2>&1 | FileCheck %s --check-prefix=LAYER
// LAYER: error: no layer has index 1 (layers=1)
// RUN: not block-opt %t/model.mlir --block-quantize="layers=zero" 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: expected layers to be all, or indices and ranges such as 0,2-5, got 'zero'
// RUN: not block-opt %t/model.mlir --block-optimize --block-quantize 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS: error: {{.*}}expected weights of layers that have no kernels yet
// RUN: not block-opt %t/taken.mlir --block-quantize 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: error: {{.*}}expected the name @prepack to be free
// RUN: block-opt %t/constant.mlir --block-quantize --remarks-filter='.*' --remark-format=emitRemark -o %t/q.mlir 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not grep -q unpack_weight %t/q.mlir
// CONSTANT: Reason="constant-weight: a weight is not made of parameters"

// Weights that a checkpoint has as codes are used as they are, where rows are whole groups.
// RUN: block-opt --unbroken-lines %t/checkpoint.mlir --block-quantize="form=fp8 activations=fp8" --remarks-filter='.*' --remark-format=emitRemark 2>%t/remarks | FileCheck %s --check-prefix=CODES
// RUN: FileCheck %s --input-file=%t/remarks --check-prefix=MISSED
// CODES: parameters = "activations=fp8"
// CODES: %[[H:.*]] = block.linear %arg0, %arg1 : tensor<1x5x128xbf16> -> tensor<1x5x192xbf16>
// CODES-NEXT: %[[I:.*]] = block.linear %[[H]],
// CODES-NEXT: %[[WIDE:.*]] = block.linear %[[I]],
// CODES-NEXT: block.group_scales %[[WIDE]] {group = 128}
// CODES: %[[ROWS:.*]] = block.decode_groups
// CODES-NEXT: block.linear %[[ROWS]],
// CODES-NOT: func.func @prepack
// MISSED-DAG: Reason="rows-not-encoded: the weight is not codes of FP8"
// MISSED-DAG: Reason="rows-not-encoded: rows are no whole groups of 128 columns"
// MISSED-DAG: Reason="rows-not-encoded: a scale of the weight does not apply to whole groups of 128 columns"

// Other tools' IR has no form for codes.
// RUN: not block-opt %t/codes.mlir --convert-block-to-linalg 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// UPSTREAM: error: 'block.unpack_weight' op expected a weight of numbers: codes have no form in upstream ops

//--- model.mlir
func.func @main(%x: tensor<1x5x8xf32> {block.input = "hidden_states"}, %up: tensor<16x8xf32> {block.param = "up"},
                %down: tensor<8x16xf32> {block.param = "down"}) -> tensor<1x5x8xf32> {
  %y = block.layer "h.0" at 0 -> tensor<1x5x8xf32> {
    %m = block.mlp %x up %up down %down {activation = #block.activation<silu>} : tensor<1x5x8xf32>, tensor<16x8xf32>
    %z = block.residual %x, %m : tensor<1x5x8xf32>
    block.yield %z : tensor<1x5x8xf32>
  }
  return %y : tensor<1x5x8xf32>
}

//--- taken.mlir
func.func private @prepack()
func.func @main(%x: tensor<1x5x8xf32> {block.input = "hidden_states"}, %up: tensor<16x8xf32> {block.param = "up"},
                %down: tensor<8x16xf32> {block.param = "down"}) -> tensor<1x5x8xf32> {
  %y = block.layer "h.0" at 0 -> tensor<1x5x8xf32> {
    %m = block.mlp %x up %up down %down {activation = #block.activation<silu>} : tensor<1x5x8xf32>, tensor<16x8xf32>
    %z = block.residual %x, %m : tensor<1x5x8xf32>
    block.yield %z : tensor<1x5x8xf32>
  }
  return %y : tensor<1x5x8xf32>
}

//--- constant.mlir
func.func @main(%x: tensor<1x5x8xf32> {block.input = "hidden_states"}) -> tensor<1x5x8xf32> {
  %up = arith.constant dense<0.5> : tensor<16x8xf32>
  %down = arith.constant dense<0.25> : tensor<8x16xf32>
  %y = block.layer "h.0" at 0 -> tensor<1x5x8xf32> {
    %m = block.mlp %x up %up down %down {activation = #block.activation<silu>} : tensor<1x5x8xf32>, tensor<16x8xf32>
    %z = block.residual %x, %m : tensor<1x5x8xf32>
    block.yield %z : tensor<1x5x8xf32>
  }
  return %y : tensor<1x5x8xf32>
}

//--- codes.mlir
func.func @main(%x: tensor<1x5x8xf32> {block.input = "x"}, %c: tensor<8x8xi8> {block.param = "c"}, %s: tensor<8x1xf32> {block.param = "s"})
    -> tensor<1x5x8xf32> {
  %w = block.unpack_weight %c, %s {form = #block.code_form<int8>} : tensor<8x8xi8>, tensor<8x1xf32> -> tensor<8x8xf32>
  %y = block.linear %x, %w : tensor<1x5x8xf32>
  return %y : tensor<1x5x8xf32>
}

//--- checkpoint.mlir
func.func @main(%x: tensor<1x5x128xbf16> {block.input = "hidden_states"}, %a: tensor<192x128xbf16>, %b: tensor<192x192xi8> {block.param = "b"},
                %c: tensor<256x192xi8> {block.param = "c"}, %d: tensor<128x256xi8> {block.param = "d"}, %s1: tensor<192x1xf32> {block.param = "s1"},
                %s2: tensor<256x3xf32> {block.param = "s2"}, %s3: tensor<128x2xf32> {block.param = "s3"}) -> tensor<1x5x128xbf16> {
  %y = block.layer "h.0" at 0 -> tensor<1x5x128xbf16> {
    %wb = block.unpack_weight %b, %s1 {form = #block.code_form<fp8>} : tensor<192x192xi8>, tensor<192x1xf32> -> tensor<192x192xbf16>
    %wc = block.unpack_weight %c, %s2 {form = #block.code_form<fp8>, group = 64 : i64} : tensor<256x192xi8>, tensor<256x3xf32> -> tensor<256x192xbf16>
    %wd = block.unpack_weight %d, %s3 {form = #block.code_form<fp8>, group = 128 : i64} : tensor<128x256xi8>, tensor<128x2xf32> -> tensor<128x256xbf16>
    %h = block.linear %x, %a : tensor<1x5x128xbf16> -> tensor<1x5x192xbf16>
    %i = block.linear %h, %wb : tensor<1x5x192xbf16> -> tensor<1x5x192xbf16>
    %wide = block.linear %i, %wc : tensor<1x5x192xbf16> -> tensor<1x5x256xbf16>
    %j = block.linear %wide, %wd : tensor<1x5x256xbf16> -> tensor<1x5x128xbf16>
    %z = block.residual %x, %j : tensor<1x5x128xbf16>
    block.yield %z : tensor<1x5x128xbf16>
  }
  return %y : tensor<1x5x128xbf16>
}
