// What is no block: kernels of it with their cost, ops that are in none, and neither work on weights nor sizes.
// RUN: block-opt %s --block-report --block-explain -o /dev/null 2>&1 | FileCheck %s
// RUN: block-opt %s --block-report="format=json file=-" -o /dev/null | FileCheck %s --check-prefix=JSON
// RUN: block-opt %s --block-explain="format=json file=-" -o /dev/null | FileCheck %s --check-prefix=JSON
// The launches are those that a device has, once both ops are one kernel as well.
// CHECK: launches{{ +}}2
// CHECK: leftovers: 1 launch, 48 bytes; 2 ops in no block or kernel: linalg.exp, tosa.cast, tosa.add x 2
// CHECK: recognised 0 attention
// CHECK: leftovers: 1 launch, 48 bytes; 2 ops in no block or kernel: linalg.exp, tosa.cast, tosa.add x 2
// JSON: "leftovers": {
// JSON-NEXT: "bytes": 48,
// JSON-NEXT: "launches": 1,
// JSON-NEXT: "ops": {
// JSON-NEXT: "linalg.exp": 1,
// JSON-NEXT: "tosa.add": 2,
// JSON-NEXT: "tosa.cast": 1
// JSON-NEXT: },
// JSON-NEXT: "outside": 2
// JSON-NEXT: }
func.func @main(%x: tensor<1x2x4xf32> {block.input = "x"}, %w: tensor<4xf32> {block.param = "w"}) -> (tensor<1x2x4xf32> {block.output = "y"}, tensor<1x2x4xbf16> {block.output = "z"}) {
  %0 = block.kernel "elements" (%a = %x : tensor<1x2x4xf32>, %b = %w : tensor<4xf32>) -> tensor<1x2x4xbf16> {
    %c = arith.constant 1.0 : f32
    %e = tensor.empty() : tensor<1x2x4xf32>
    %t = linalg.exp ins(%a : tensor<1x2x4xf32>) outs(%e : tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    %n = tosa.cast %t : (tensor<1x2x4xf32>) -> tensor<1x2x4xbf16>
    block.yield %n : tensor<1x2x4xbf16>
  }
  %v = tosa.add %w, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %d = tosa.add %x, %x : (tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %y = tosa.add %d, %d : (tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  return %y, %0 : tensor<1x2x4xf32>, tensor<1x2x4xbf16>
}
