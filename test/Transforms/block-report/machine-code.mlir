// What the instructions of kernels allow, counted by hand for a listing of a few lines.
//
// A round of the main loop multiplies 2 x 4 times 64 x 128 x 16: 512 cycles at 2048 a cycle. Shared memory takes
// 32 KiB of copies and gives each of two warpgroups 24 KiB: 640 cycles at 128 bytes. 9 instructions of 8 warps
// take 18 cycles of 4 schedulers. Behind 12 rounds come 8 of the row loop, of which each loads 512 bytes a warp:
// 32 cycles. So 12 * 512 / (12 * 640 + 8 * 32), in 24 rounds of 132 tiles for 3072.
// RUN: block-opt %s --block-report="chip=sm_90a machine-code=%S/Inputs/linear.sass" -o /dev/null 2>&1 | FileCheck %s --match-full-lines
// CHECK: machine code: a prediction from counts of instructions, nothing was run
// CHECK-NEXT: linear_0: 25 instructions, 8 warps
// CHECK-NEXT:   main loop: 4 x 64x128x16 and 5 others; cycles of 64 of depth: tensor cores 512, shared memory 640, issue 18, special functions 0, simple arithmetic 4
// CHECK-NEXT:   rows: 6 instructions for 512 bytes of a warp
// CHECK-NEXT:   prediction: at most 75.1 % of the peak of the tensor cores, limit: shared memory

// The same in the report's JSON, and without the option nothing of it.
// RUN: block-opt %s --block-report="chip=sm_90a format=json machine-code=%S/Inputs/linear.sass" -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: block-opt %s --block-report="chip=sm_90a format=json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-NOT: machine_code
// JSON: "machine_code": [
// JSON: "barriers_in_loops": {
// JSON-NEXT: "CTA": 0,
// JSON-NEXT: "GPU": 1
// JSON: "depth": 64,
// JSON: "order": "HGMMA*4 wait(1) MEMBAR.ALL.GPU",
// JSON: "prediction": {
// JSON-NEXT: "least": 0.75{{[0-9]+}},
// JSON-NEXT: "limit": "shared memory",
// JSON-NEXT: "most": 0.75{{[0-9]+}},
// JSON-NEXT: "of": "product"

// A kernel in the place of another for few rows has no number of them.
// RUN: sed 's/linear_0/linear_0_few/' %S/Inputs/linear.sass > %t.few.sass
// RUN: block-opt %s --block-report="chip=sm_90a machine-code=%t.few.sass" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: linear_0_few: 25 instructions, 8 warps
// FEW: prediction: at most 80.0 % of the peak of the tensor cores in the main loop, limit: shared memory

// What does not fit is refused.
// RUN: not block-opt %s --block-report="chip=sm_90a machine-code=%t.none" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot read '{{.*}}.none': No such file or directory
// RUN: not block-opt %s --block-report="chip=sm_90a machine-code=%s" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: '{{.*}}machine-code.mlir': expected machine code of kernels as nvdisasm prints it, found no section .text
// RUN: printf '\177ELF' > %t.elf
// RUN: not block-opt %s --block-report="chip=sm_90a machine-code=%t.elf" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ELF
// ELF: error: nvdisasm failed on '{{.*}}.elf': {{.+}}
// RUN: not block-opt %s --block-report="machine-code=%S/Inputs/linear.sass" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: machine code is reported of chips with device code, got chip 'cpu'
// RUN: sed 's/linear_0/linear_7/' %S/Inputs/linear.sass > %t.other.sass
// RUN: not block-opt %s --block-report="chip=sm_90a machine-code=%t.other.sass" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: '{{.*}}.other.sass': kernel 'linear_7' is none of the function's: expected the machine code of its 1 kernels
// RUN: sed '/REQNTID/d' %S/Inputs/linear.sass > %t.threads.sass
// RUN: not block-opt %s --block-report="chip=sm_90a machine-code=%t.threads.sass" -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: '{{.*}}.threads.sass': kernel 'linear_0' does not say how many threads it has: expected the listing of all sections, EIATTR_REQNTID among them
// RUN: sed 's/64x128x16/64xNx16/' %S/Inputs/linear.sass > %t.shape.sass
// RUN: not block-opt %s --block-report="chip=sm_90a machine-code=%t.shape.sass" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: '{{.*}}.shape.sass': kernel 'linear_0': no known shape of a product in 'HGMMA.64xNx16.F32.BF16'
func.func @main(%x: tensor<4x4096x768xbf16> {block.input = "x"}, %w: tensor<3072x768xbf16> {block.param = "w"})
    -> tensor<4x4096x3072xbf16> {
  %y = block.kernel "linear" (%a = %x : tensor<4x4096x768xbf16>, %b = %w : tensor<3072x768xbf16>) -> tensor<4x4096x3072xbf16> {
    %p = block.linear %a, %b : tensor<4x4096x768xbf16> -> tensor<4x4096x3072xbf16>
    block.yield %p : tensor<4x4096x3072xbf16>
  }
  return %y : tensor<4x4096x3072xbf16>
}
