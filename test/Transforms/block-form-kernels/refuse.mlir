// Steps that a projection's tiles could take, if whole heads filled tiles well. One
// refusal per reason; no test at small sizes meets them.
// RUN: block-opt %s --block-form-kernels="chip=sm_90a" -o %t.mlir --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=FORM --input-file=%t.mlir
// A CPU has no tiles to fill.
// RUN: block-opt %s --block-form-kernels | FileCheck %s --check-prefix=CPU

// head-exceeds-tile
// FORM-LABEL: func.func @wide_head(
// FORM: block.kernel "linear"
// FORM-NOT: block.rope
// FORM: block.kernel "rows"
// FORM-NEXT: block.rope
// CPU-LABEL: func.func @wide_head(
// CPU: block.linear
// CPU-NEXT: block.rope
func.func @wide_head(%x: tensor<1x16x64xbf16>, %w: tensor<640x64xbf16>) -> tensor<1x16x640xbf16> {
  %a = block.linear %x, %w : (tensor<1x16x64xbf16>, tensor<640x64xbf16>) -> tensor<1x16x640xbf16>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.rope | Category:block-form-kernels | Function=wide_head | Reason="head-exceeds-tile: needs all columns of a head in one tile", head=320
  %r = block.rope %a {form = #block.rope<style = half, dim = 64>, heads = 2 : i64} : (tensor<1x16x640xbf16>) -> tensor<1x16x640xbf16>
  return %r : tensor<1x16x640xbf16>
}

// slower-together: one head of 136 columns in a tile of 256, and a lot to multiply.
// Apart 1181.2 us for the product and 59.4 us for 285212672 bytes of rotation; together
// 16384 columns with the empty ones, at 0.9 of the peak: 2470.5 us. Launches are 2 us.
// FORM-LABEL: func.func @empty_tiles(
// FORM: block.kernel "linear"
// FORM-NOT: block.rope
// FORM: block.kernel "rows"
// FORM-NEXT: block.rope
// CPU-LABEL: func.func @empty_tiles(
// CPU: block.linear
// CPU-NEXT: block.rope
func.func @empty_tiles(%x: tensor<1x8192x8192xbf16>, %w: tensor<8704x8192xbf16>) -> tensor<1x8192x8704xbf16> {
  %a = block.linear %x, %w : (tensor<1x8192x8192xbf16>, tensor<8704x8192xbf16>) -> tensor<1x8192x8704xbf16>
  // CHECK: refuse.mlir:[[@LINE+1]]:8: remark: [Missed] block.rope | Category:block-form-kernels | Function=empty_tiles | Reason="slower-together: tiles of whole heads are partly empty", head=136, us_apart=1.244644e+03, us_together=1.808579e+03
  %r = block.rope %a {form = #block.rope<style = half, dim = 64>, heads = 64 : i64} : (tensor<1x8192x8704xbf16>) -> tensor<1x8192x8704xbf16>
  return %r : tensor<1x8192x8704xbf16>
}

// The same heads with little to multiply: a launch saved is worth more.
// FORM-LABEL: func.func @few_rows(
// FORM: block.linear
// FORM-NEXT: block.rope
func.func @few_rows(%x: tensor<1x16x64xbf16>, %w: tensor<272x64xbf16>) -> tensor<1x16x272xbf16> {
  %a = block.linear %x, %w : (tensor<1x16x64xbf16>, tensor<272x64xbf16>) -> tensor<1x16x272xbf16>
  %r = block.rope %a {form = #block.rope<style = half, dim = 64>, heads = 2 : i64} : (tensor<1x16x272xbf16>) -> tensor<1x16x272xbf16>
  return %r : tensor<1x16x272xbf16>
}
