// A product of no rows stores nothing, and a gradient of a weight over none stores zeros; tensor maps require a size.
// RUN: split-file %s %t
// RUN: block-run %t/product.mlir --engine=emulate --chip=sm_80 --seed=1 --check-against=reference | FileCheck %s --check-prefix=PRODUCT
// RUN: block-run %t/gradient.mlir --engine=emulate --chip=sm_80 --seed=1 --check-against=reference | FileCheck %s --check-prefix=GRADIENT
// RUN: not block-run %t/product.mlir --engine=emulate --chip=sm_90a --seed=1 2>&1 | FileCheck %s --check-prefix=MAP

// PRODUCT: PASS y
// GRADIENT: PASS a f32 [40, 24]
// MAP: error: tensor 'x': a dimension of a tensor map must be 1 to 2^32

//--- product.mlir
func.func @main(%x: tensor<1x0x64xbf16> {block.input = "x"}, %w: tensor<96x64xbf16> {block.param = "w"})
    -> (tensor<1x0x96xbf16> {block.output = "y"}) {
  %y = block.linear %x, %w : tensor<1x0x64xbf16> -> tensor<1x0x96xbf16>
  return %y : tensor<1x0x96xbf16>
}

//--- gradient.mlir
func.func @main(%g: tensor<1x0x40xbf16> {block.input = "g"}, %x: tensor<1x0x24xbf16> {block.input = "x"})
    -> (tensor<40x24xf32> {block.output = "a"}) {
  %a = block.weight_grad(%g) of(%x) : tensor<1x0x40xbf16>, tensor<1x0x24xbf16> -> tensor<40x24xf32>
  return %a : tensor<40x24xf32>
}
