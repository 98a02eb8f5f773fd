// Rows in codes of 8 bits.
// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | block-opt | FileCheck %s
// RUN: block-opt %s --mlir-print-op-generic | block-opt | FileCheck %s
// RUN: block-opt %s --emit-bytecode | block-opt | FileCheck %s

// CHECK-LABEL: func.func @codes(
// CHECK-NEXT: %0 = block.group_scales %arg0 {group = 4} : tensor<?x?x8xbf16>{{$}}
// CHECK-NEXT: %1 = block.encode_groups %arg0 scales %0 : tensor<?x?x8xbf16>, tensor<?x?x2xf32>{{$}}
// CHECK-NEXT: %2 = block.decode_groups %1 scales %0 : tensor<?x?x8xi8>, tensor<?x?x2xf32> -> tensor<?x?x8xbf16>{{$}}
// CHECK-NEXT: return %2 : tensor<?x?x8xbf16>
func.func @codes(%arg0: tensor<?x?x8xbf16>) -> tensor<?x?x8xbf16> {
  %0 = block.group_scales %arg0 {group = 4 : i64} : (tensor<?x?x8xbf16>) -> tensor<?x?x2xf32>
  %1 = block.encode_groups %arg0 scales %0 : (tensor<?x?x8xbf16>, tensor<?x?x2xf32>) -> tensor<?x?x8xi8>
  %2 = block.decode_groups %1 scales %0 : (tensor<?x?x8xi8>, tensor<?x?x2xf32>) -> tensor<?x?x8xbf16>
  return %2 : tensor<?x?x8xbf16>
}
