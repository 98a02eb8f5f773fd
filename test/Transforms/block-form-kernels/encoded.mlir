// An attention of a GPU rounds its rows to codes where the columns of a scale are those of a head; a CPU has a launch for
// that, as have heads of 64, and rows that others read.
// RUN: block-opt --unbroken-lines %s --block-form-kernels=chip=sm_90a | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: block-opt --unbroken-lines %s --block-form-kernels | FileCheck %s --check-prefixes=CHECK,CPU

!rows = tensor<1x9x256xbf16>
!codes = tensor<1x9x256xi8>
!scales = tensor<1x9x2xf32>
#plain = #block.scores<scale = 0.1>

// CHECK-LABEL: func.func @heads_of_128
// CHECK: block.kernel "sdpa"
// GPU-NEXT: block.sdpa
// GPU-NEXT: block.group_scales
// GPU-NEXT: block.encode_groups
// GPU-NEXT: %[[NUMBERS:.*]] = block.decode_groups
// GPU-NEXT: block.yield %[[NUMBERS]]
// GPU-NOT: block.kernel
// CPU: block.kernel "rows"
func.func @heads_of_128(%q: !rows, %k: !rows, %v: !rows) -> !rows {
  %a = block.sdpa %q, %k, %v {heads = 2 : i64, scores = #plain} : !rows
  %s = block.group_scales %a {group = 128 : i64} : !rows
  %c = block.encode_groups %a scales %s : !rows, !scales
  %r = block.decode_groups %c scales %s : !codes, !scales -> !rows
  return %r : !rows
}

// CHECK-LABEL: func.func @heads_of_64
// CHECK: block.kernel "sdpa"
// CHECK: block.kernel "rows"
func.func @heads_of_64(%q: !rows, %k: !rows, %v: !rows) -> !rows {
  %a = block.sdpa %q, %k, %v {heads = 4 : i64, scores = #plain} : !rows
  %s = block.group_scales %a {group = 128 : i64} : !rows
  %c = block.encode_groups %a scales %s : !rows, !scales
  %r = block.decode_groups %c scales %s : !codes, !scales -> !rows
  return %r : !rows
}

// CHECK-LABEL: func.func @rows_that_others_read
// CHECK: block.kernel "sdpa"
// CHECK: block.kernel "rows"
func.func @rows_that_others_read(%q: !rows, %k: !rows, %v: !rows) -> (!rows, !rows) {
  %a = block.sdpa %q, %k, %v {heads = 2 : i64, scores = #plain} : !rows
  %s = block.group_scales %a {group = 128 : i64} : !rows
  %c = block.encode_groups %a scales %s : !rows, !scales
  %r = block.decode_groups %c scales %s : !codes, !scales -> !rows
  return %r, %a : !rows, !rows
}

// Values that are added to the result are read when it is stored.
// CHECK-LABEL: func.func @shaped
// CHECK: block.kernel "sdpa"
// CHECK: block.kernel "rows"
func.func @shaped(%q: !rows, %k: !rows, %v: !rows, %alpha: tensor<1xbf16>) -> !rows {
  %a = block.sdpa %q, %k, %v alpha %alpha {heads = 2 : i64, scores = #plain} : (!rows, !rows, !rows, tensor<1xbf16>) -> !rows
  %s = block.group_scales %a {group = 128 : i64} : !rows
  %c = block.encode_groups %a scales %s : !rows, !scales
  %r = block.decode_groups %c scales %s : !codes, !scales -> !rows
  return %r : !rows
}
