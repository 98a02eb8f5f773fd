// The numbers of the cost model, by hand. 128 rows of 512 columns in bf16 are 131072
// bytes; the weight 1024x512 has 1048576.
// RUN: block-opt %s --block-form-kernels="chip=sm_90a" -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefixes=BYTES,H200
// RUN: block-opt %s --block-form-kernels="chip=sm_80" -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefixes=BYTES,A100
// RUN: block-opt %s --block-form-kernels -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefixes=BYTES,CPU

// Apart: the projection reads 131072 and writes 262144 bytes in one launch, the
// activation reads and writes 262144 and rides on it. Together: 393216. So 524288 bytes
// fewer, no launch.
// Eight tiles of 128x128: 134217728 operations, 0.136 us on sm_90a and 0.430 us on
// sm_80. That hides behind the traffic of (393216 + 1048576) bytes, 0.300 us at 4.8e12
// and 0.707 us at 2.039e12 bytes a second; the activation alone moves 524288, 0.109 us
// and 0.257 us. The launch takes 2 us.
// BYTES: remark: [Passed] block.kernel | Category:block-form-kernels | Function=main | Remark="2 steps in one launch", bytes_saved=524288, launches=1, launches_saved=0
// H200-SAME: , us_after=2.300000e+00, us_before=2.410000e+00
// A100-SAME: , us_after=2.707000e+00, us_before=2.964000e+00
// CPU-NOT: us_
// The layer has the sum of its kernels.
// BYTES: remark: [Passed] block.layer | Category:block-form-kernels | Function=main | Remark="steps grouped into kernels", bytes_saved=524288, launches=1, launches_saved=0
func.func @main(%x: tensor<1x128x512xbf16>, %w: tensor<1024x512xbf16>) -> tensor<1x128x1024xbf16> {
  %y = block.layer "h.0" at 0 -> tensor<1x128x1024xbf16> {
    %a = block.linear %x, %w : (tensor<1x128x512xbf16>, tensor<1024x512xbf16>) -> tensor<1x128x1024xbf16>
    %b = block.activation %a {kind = #block.activation<tanh>} : tensor<1x128x1024xbf16>
    block.yield %b : tensor<1x128x1024xbf16>
  }
  return %y : tensor<1x128x1024xbf16>
}

// Heads of 80 columns: a tile of 128 holds one, one of 256 three. 4096 rows and 3840
// columns, 48 heads, are 6.872e10 operations in tiles of 256 columns. On sm_90a these have
// 128 rows and the tensor cores' full rate: 69.5 us. On sm_80 they have 64 rows, and a step
// takes 1088 cycles of shared memory, not 1024: 234.0 us.
// BYTES: remark: [Passed] block.kernel | Category:block-form-kernels | Function=heads | Remark="2 steps in one launch", bytes_saved=62914560, launches=1, launches_saved=1
// H200-SAME: , us_after=7.148400e+01,
// A100-SAME: , us_after=2.360210e+02,
func.func @heads(%x: tensor<1x4096x2048xbf16>, %w: tensor<3840x2048xbf16>) -> tensor<1x4096x3840xbf16> {
  %a = block.linear %x, %w : (tensor<1x4096x2048xbf16>, tensor<3840x2048xbf16>) -> tensor<1x4096x3840xbf16>
  %r = block.rope %a {form = #block.rope<style = half, dim = 16>, heads = 48 : i64} : (tensor<1x4096x3840xbf16>) -> tensor<1x4096x3840xbf16>
  return %r : tensor<1x4096x3840xbf16>
}
