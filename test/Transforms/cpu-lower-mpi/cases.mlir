// Scalars of any rank, open sizes and bits; without a sum over ranks the module stays as it is.
// RUN: block-opt %s --split-input-file --cpu-lower-mpi=library=openmpi | FileCheck %s

// CHECK-LABEL: func.func @rank0(
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[TYPE:.*]] = llvm.mlir.addressof @ompi_mpi_float
// CHECK: llvm.call @MPI_Allreduce(%{{.*}}, %{{.*}}, %[[ONE]], %[[TYPE]],
func.func @rank0(%x: memref<f32>, %y: memref<f32>) {
  %world = mpi.comm_world : !mpi.comm
  mpi.allreduce(%x, %y, MPI_SUM, %world) : memref<f32>, memref<f32>
  return
}

// -----

// CHECK-LABEL: func.func @bits(
// CHECK: %[[OPEN:.*]] = llvm.extractvalue %{{.*}}[3, 0]
// CHECK: %[[COUNT:.*]] = llvm.trunc %[[OPEN]] : i64 to i32
// CHECK: %[[TYPE:.*]] = llvm.mlir.addressof @ompi_mpi_int16_t
// CHECK: %[[OR:.*]] = llvm.mlir.addressof @ompi_mpi_bor
// CHECK: llvm.call @MPI_Allreduce(%{{.*}}, %{{.*}}, %[[COUNT]], %[[TYPE]], %[[OR]],
func.func @bits(%x: memref<?xi16>, %y: memref<?xi16>) {
  %world = mpi.comm_world : !mpi.comm
  mpi.allreduce(%x, %y, MPI_BOR, %world) : memref<?xi16>, memref<?xi16>
  return
}

// -----

// A function that starts sums has the request as its third tensor.
// CHECK-LABEL: func.func @start(
// CHECK-NOT: cpu.starts_sum
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %arg0[2]
// CHECK: %[[REQUEST:.*]] = llvm.load %[[PLACE]]
// CHECK: llvm.call @MPI_Iallreduce({{.*}}, %[[REQUEST]])
// CHECK: return
func.func @start(%tensors: !llvm.ptr, %x: memref<f32>, %y: memref<f32>) attributes {cpu.starts_sum} {
  %world = mpi.comm_world : !mpi.comm
  mpi.allreduce(%x, %y, MPI_SUM, %world) : memref<f32>, memref<f32>
  return
}

// -----

// CHECK-LABEL: func.func @none(
// CHECK-NEXT: arith.addf %arg0, %arg0 : f16
// CHECK-NOT: llvm.
func.func @none(%x: f16) -> f16 {
  %0 = arith.addf %x, %x : f16
  return %0 : f16
}
