// A sum over ranks is a call, with the handles of its library.
// RUN: block-opt %s --cpu-lower-mpi=library=openmpi | FileCheck %s
// CHECK: llvm.func @MPI_Allreduce(
// CHECK: llvm.mlir.addressof @ompi_mpi_comm_world
// CHECK: llvm.call @MPI_Allreduce
// RUN: block-opt %s --cpu-lower-mpi=library=mpich | FileCheck %s --check-prefix=MPICH
// MPICH: llvm.func @MPI_Allreduce(!llvm.ptr, !llvm.ptr, i32, i32, i32, i32) -> i32
// RUN: not block-opt %s --cpu-lower-mpi=library=lam 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: for the --library option: expected openmpi or mpich, got 'lam'
func.func @sum(%x: memref<?xf32>, %y: memref<?xf32>) {
  %world = mpi.comm_world : !mpi.comm
  mpi.allreduce(%x, %y, MPI_SUM, %world) : memref<?xf32>, memref<?xf32>
  return
}
