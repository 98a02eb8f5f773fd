// Ops on tensors become loops over memory, of numbers that the processor has. What they make goes where it belongs, without memory of its own.
// RUN: block-opt %s --cpu-lower-leftovers=cpu=x86-64 | FileCheck %s --implicit-check-not=linalg. --implicit-check-not=bufferization. --implicit-check-not=malloc
// RUN: not block-opt %s --cpu-lower-leftovers=cpu=z80 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown processor 'z80'

// CHECK: func.func @leftover_0
// CHECK: scf.for
// CHECK:   %[[BITS:.*]] = llvm.load {{.*}} -> bf16
// CHECK:   arith.bitcast %{{.*}} : bf16 to i16
// CHECK:   llvm.intr.tanh(%{{.*}}) : (f32) -> f32
// CHECK:   llvm.store {{.*}} : bf16, !llvm.ptr
func.func @leftover_0(%x: memref<?xbf16>, %y: memref<?xbf16>) {
  %0 = bufferization.to_tensor %x restrict : memref<?xbf16> to tensor<?xbf16>
  %1 = math.tanh %0 : tensor<?xbf16>
  bufferization.materialize_in_destination %1 in restrict writable %y : (tensor<?xbf16>, memref<?xbf16>) -> ()
  return
}
