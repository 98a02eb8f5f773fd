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
// CHECK: %[[OR:.*]] = llvm.mlir.addressof @ompi_mpi_op_bor
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

// A function that exchanges rows has the numbers of words as its sixth tensor: those that are sent to each rank, their
// first ones, and the same of those that are received.
// CHECK-LABEL: func.func @exchange(
// CHECK-NOT: cpu.exchanges_rows
// CHECK: %[[TYPE:.*]] = llvm.mlir.addressof @ompi_mpi_int16_t
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %arg0[5]
// CHECK: %[[NUMBERS:.*]] = llvm.load %[[PLACE]]
// CHECK: %[[SENT:.*]] = llvm.getelementptr %[[NUMBERS]][0] : (!llvm.ptr) -> !llvm.ptr, i32
// CHECK: %[[SENT_FIRSTS:.*]] = llvm.getelementptr %[[NUMBERS]][3] : (!llvm.ptr) -> !llvm.ptr, i32
// CHECK: %[[GOT:.*]] = llvm.getelementptr %[[NUMBERS]][6] : (!llvm.ptr) -> !llvm.ptr, i32
// CHECK: %[[GOT_FIRSTS:.*]] = llvm.getelementptr %[[NUMBERS]][9] : (!llvm.ptr) -> !llvm.ptr, i32
// CHECK: llvm.call @MPI_Alltoallv(%{{.*}}, %[[SENT]], %[[SENT_FIRSTS]], %[[TYPE]], %{{.*}}, %[[GOT]], %[[GOT_FIRSTS]], %[[TYPE]], %{{.*}})
// CHECK: return
func.func @exchange(%tensors: !llvm.ptr, %x: memref<?xi16>, %y: memref<?xi16>) attributes {cpu.exchanges_rows = 3 : i64} {
  %world = mpi.comm_world : !mpi.comm
  mpi.allreduce(%x, %y, MPI_SUM, %world) : memref<?xi16>, memref<?xi16>
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
