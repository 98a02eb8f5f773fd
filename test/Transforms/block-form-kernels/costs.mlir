// The numbers of the cost model, by hand. 128 rows of 512 columns in bf16 are 131072
// bytes; the weight 1024x512 has 1048576.
// RUN: block-opt %s --block-form-kernels="chip=sm_90a" -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefixes=BYTES,H200
// RUN: block-opt %s --block-form-kernels="chip=sm_80" -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefixes=BYTES,A100
// RUN: block-opt %s --block-form-kernels -o /dev/null --remarks-filter='.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefixes=BYTES,CPU

// Apart: the projection reads 131072 and writes 262144 bytes in one launch, the
// activation reads and writes 262144 and rides on it. Together: 393216. So 524288 bytes
// fewer, no launch.
// 64x128 tiles: 16, one round, 132 * 8192 * 2 * 512 operations at 0.8 of the peak.
//   sm_90a: 1107296256 / 0.8 / 989e12 = 1.400 us; traffic (393216 + 1048576) / 4.8e12 =
//   0.300 us; the activation 524288 / 4.8e12 = 0.109 us; the launch 2 us.
//   sm_80: 905969664 / 0.8 / 312e12 = 3.630 us; the activation 524288 / 2.039e12 =
//   0.257 us.
// BYTES: remark: [Passed] block.kernel | Category:block-form-kernels | Function=main | Remark="2 steps in one launch", launches=1, launches_saved=0, bytes_saved=524288
// H200-SAME: , us_before=3.509, us_after=3.4
// A100-SAME: , us_before=5.887, us_after=5.63
// CPU-NOT: us_
// The layer has the sum of its kernels.
// BYTES: remark: [Passed] block.layer | Category:block-form-kernels | Function=main | Remark="steps grouped into kernels", launches=1, launches_saved=0, bytes_saved=524288
func.func @main(%x: tensor<1x128x512xbf16>, %w: tensor<1024x512xbf16>) -> tensor<1x128x1024xbf16> {
  %y = block.layer "h.0" at 0 -> tensor<1x128x1024xbf16> {
    %a = block.linear %x, %w : (tensor<1x128x512xbf16>, tensor<1024x512xbf16>) -> tensor<1x128x1024xbf16>
    %b = block.activation %a {kind = #block.activation<tanh>} : tensor<1x128x1024xbf16>
    block.yield %b : tensor<1x128x1024xbf16>
  }
  return %y : tensor<1x128x1024xbf16>
}
