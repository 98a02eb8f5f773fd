// Constants: splats, lists, and bytes that stand at the end of the file.
// RUN: block-run %s --engine=reference | FileCheck %s
// CHECK: out0 f32 [4]{{.*}} min 1.5 max 6
func.func @main() -> tensor<4xf32> {
  %bytes = arith.constant dense_resource<numbers> : tensor<4xf32>
  %half = arith.constant dense<0.5> : tensor<4xf32>
  %list = arith.constant dense<[0.0, 0.5, 1.0, 1.5]> : tensor<4xf32>
  %0 = arith.addf %bytes, %half : tensor<4xf32>
  %1 = arith.addf %0, %list : tensor<4xf32>
  return %1 : tensor<4xf32>
}
{-#
  dialect_resources: {
    builtin: {
      // 1, 2, 3 and 4 after four bytes of alignment.
      numbers: "0x040000000000803f000000400000404000008040"
    }
  }
#-}
