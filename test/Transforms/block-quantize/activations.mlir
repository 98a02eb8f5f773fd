// Rows of products become codes, once for all products of the same rows.
// RUN: split-file %s %t
// RUN: block-opt --unbroken-lines %t/model.mlir --block-quantize="form=fp8 activations=fp8" --remarks-filter='.*' --remark-format=emitRemark 2>%t/remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t/remarks --check-prefix=REMARK
// CHECK-LABEL: func.func @main(
// CHECK: block.layer "h.0" at 0
// CHECK-SAME: approx = #block.approx<pass = "block-quantize", parameters = "form=fp8 activations=fp8", measured = "unmeasured">
// CHECK-NOT: block.mlp
// CHECK: %[[SCALES:.*]] = block.group_scales %arg0 {group = 128} : tensor<1x5x128xbf16>
// CHECK-NEXT: %[[CODES:.*]] = block.encode_groups %arg0 scales %[[SCALES]]
// CHECK-NEXT: %[[ROWS:.*]] = block.decode_groups %[[CODES]] scales %[[SCALES]]
// CHECK-NOT: encode_groups
// CHECK: block.linear %[[ROWS]], %{{.*}} : tensor<1x5x128xbf16> -> tensor<1x5x256xbf16>
// CHECK: block.linear %[[ROWS]], %{{.*}} : tensor<1x5x128xbf16> -> tensor<1x5x256xbf16>
// CHECK: %[[HIDDEN:.*]] = block.gate
// CHECK-NEXT: %[[OWN:.*]] = block.group_scales %[[HIDDEN]] {group = 128} : tensor<1x5x256xbf16>
// CHECK: block.decode_groups %{{.*}} scales %[[OWN]]
// REMARK: block-quantize{{.*}}rows of products became codes of form fp8{{.*}}products=3

// Without the option, rows stay, and so does the layer's level.
// RUN: block-opt %t/model.mlir --block-quantize="form=fp8" | FileCheck %s --check-prefix=WEIGHTS
// WEIGHTS: parameters = "form=fp8"
// WEIGHTS-NOT: encode_groups
// WEIGHTS: block.mlp

// Again, it changes nothing.
// RUN: block-opt %t/model.mlir --block-quantize="form=fp8 activations=fp8" -o %t/once.mlir
// RUN: block-opt %t/once.mlir --block-quantize="form=fp8 activations=fp8" -o %t/twice.mlir
// RUN: diff %t/once.mlir %t/twice.mlir

// RUN: not block-opt %t/model.mlir --block-quantize="form=int8 activations=fp8" 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: option 'activations' requires form 'fp8', got 'int8'
// RUN: not block-opt %t/model.mlir --block-quantize="form=fp8 activations=int8" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: expected none or fp8

// Other tools' IR has no form for codes of rows.
// RUN: not block-opt %t/rows.mlir --convert-block-to-linalg 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// UPSTREAM: error: 'block.group_scales' op expected rows of numbers: codes have no form in upstream ops

// Codes have no gradients.
// RUN: not block-opt %t/rows.mlir --block-differentiate="loss=sum wrt=inputs" 2>&1 | FileCheck %s --check-prefix=GRADIENT
// GRADIENT: error: {{.*}}block.

//--- model.mlir
func.func @main(%x: tensor<1x5x128xbf16> {block.input = "hidden_states"}, %up: tensor<256x128xbf16> {block.param = "up"},
                %gate: tensor<256x128xbf16> {block.param = "gate"},
                %down: tensor<128x256xbf16> {block.param = "down"}) -> tensor<1x5x128xbf16> {
  %y = block.layer "h.0" at 0 -> tensor<1x5x128xbf16> {
    %m = block.mlp %x up %up gate %gate down %down {activation = #block.activation<silu>}
        : (tensor<1x5x128xbf16>, tensor<256x128xbf16>, tensor<256x128xbf16>, tensor<128x256xbf16>) -> tensor<1x5x128xbf16>
    %z = block.residual %x, %m : (tensor<1x5x128xbf16>, tensor<1x5x128xbf16>) -> tensor<1x5x128xbf16>
    block.yield %z : tensor<1x5x128xbf16>
  }
  return %y : tensor<1x5x128xbf16>
}

//--- rows.mlir
func.func @main(%x: tensor<1x5x128xbf16> {block.input = "x"}) -> (tensor<1x5x128xbf16> {block.output = "y"}) {
  %s = block.group_scales %x {group = 128 : i64} : tensor<1x5x128xbf16>
  %c = block.encode_groups %x scales %s : tensor<1x5x128xbf16>, tensor<1x5x1xf32>
  %y = block.decode_groups %c scales %s : tensor<1x5x128xi8>, tensor<1x5x1xf32> -> tensor<1x5x128xbf16>
  return %y : tensor<1x5x128xbf16>
}
