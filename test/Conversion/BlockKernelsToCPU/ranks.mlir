// What ranks do together calls MPI; the rank is a number.
// RUN: split-file %s %t
// RUN: block-opt %t/steps.mlir --block-to-cpu="cpu=x86-64 rank=3" | FileCheck %s
// RUN: block-opt %t/started.mlir --block-to-cpu=cpu=x86-64 | FileCheck %s --check-prefix=STARTED
// RUN: not block-opt %t/steps.mlir --block-to-cpu="cpu=x86-64 rank=4" 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not block-opt %t/kinds.mlir --block-to-cpu=cpu=x86-64 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not block-opt %t/whole.mlir --block-to-cpu=cpu=x86-64 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: not block-opt %t/slice.mlir --block-to-cpu=cpu=x86-64 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not block-opt %t/many.mlir --block-to-cpu=cpu=x86-64 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not block-opt %t/gather.mlir --block-to-cpu=cpu=x86-64 2>&1 | FileCheck %s --check-prefix=GATHER
// BEYOND: error: expected rank to be in [0, 3], got 4
// KIND: error: no CPU code for this reduction: expected a sum of f32
// PLACE: error: no CPU code for an insertion that is not one of columns at a constant place
// SLICE: error: no CPU code for a slice that is not one of columns at a constant place
// GATHER: error: no CPU code for a gather of an open size that was not divided among the ranks
// MANY: error: no CPU code for more than four dimensions

//--- steps.mlir
// One function for each kind of step, however often it is taken.
// CHECK: llvm.func @MPI_Allreduce(
// CHECK: llvm.func @shard.all_reduce(
// CHECK: llvm.mlir.addressof @ompi_mpi_float
// CHECK: llvm.call @MPI_Allreduce
// CHECK-NOT: llvm.func @shard.all_reduce
// CHECK: llvm.func @shard.reduce_scatter(
// CHECK: llvm.call @MPI_Allreduce
// CHECK: llvm.func @take(
// CHECK-NOT: MPI_Allreduce
// CHECK: llvm.func @put_in_zeros(
// CHECK: llvm.func @shard.all_gather(
// Bits, whatever they stand for.
// CHECK: llvm.mlir.addressof @ompi_mpi_int16_t
// CHECK: llvm.call @MPI_Allreduce
module {
  shard.grid @ranks(shape = 4)
  func.func @main(%x: tensor<2x8x32xf32>) -> (tensor<2x8x32xf32>, tensor<2x2x32xf32>, tensor<2x32x32xf32>) {
    %a = shard.all_reduce %x on @ranks grid_axes = [0] : tensor<2x8x32xf32> -> tensor<2x8x32xf32>
    %y = shard.all_reduce %a on @ranks grid_axes = [0] : tensor<2x8x32xf32> -> tensor<2x8x32xf32>
    %z = shard.reduce_scatter %x on @ranks grid_axes = [0] scatter_axis = 1 : tensor<2x8x32xf32> -> tensor<2x2x32xf32>
    %w = shard.all_gather %x on @ranks grid_axes = [0] gather_axis = 1 : tensor<2x8x32xf32> -> tensor<2x32x32xf32>
    return %y, %z, %w : tensor<2x8x32xf32>, tensor<2x2x32xf32>, tensor<2x32x32xf32>
  }
}

//--- started.mlir
// STARTED: plan.launch @kernels::@shard.all_reduce.start(
// STARTED: starts
// STARTED: plan.launch @kernels::@linear
// STARTED: plan.launch @kernels::@shard.all_reduce.await(
// Sums of no elements make no request.
// STARTED: llvm.func @shard.all_reduce.await(
// STARTED: %[[ANY:.*]] = llvm.icmp "ne"
// STARTED: llvm.cond_br %[[ANY]]
// STARTED: llvm.call @MPI_Wait
module {
  shard.grid @ranks(shape = 4)
  func.func @main(%x: tensor<2x?x32xf32>, %w: tensor<16x32xf32>) -> (tensor<2x?x32xf32>, tensor<2x?x16xf32>) {
    %a = shard.all_reduce %x on @ranks grid_axes = [0] : tensor<2x?x32xf32> -> tensor<2x?x32xf32>
    %y = block.linear %x, %w : (tensor<2x?x32xf32>, tensor<16x32xf32>) -> tensor<2x?x16xf32>
    return %a, %y : tensor<2x?x32xf32>, tensor<2x?x16xf32>
  }
}

//--- kinds.mlir
module {
  shard.grid @ranks(shape = 4)
  func.func @main(%x: tensor<2x8x32xf32>) -> tensor<2x8x32xf32> {
    %y = shard.all_reduce %x on @ranks grid_axes = [0] reduction = max : tensor<2x8x32xf32> -> tensor<2x8x32xf32>
    return %y : tensor<2x8x32xf32>
  }
}

//--- whole.mlir
module {
  shard.grid @ranks(shape = 2)
  func.func @main(%x: tensor<2x2x32xf32>, %y: tensor<2x8x32xf32>) -> tensor<2x8x32xf32> {
    %z = tensor.insert_slice %x into %y[0, 1, 0] [2, 2, 32] [1, 1, 1] : tensor<2x2x32xf32> into tensor<2x8x32xf32>
    return %z : tensor<2x8x32xf32>
  }
}

//--- slice.mlir
module {
  shard.grid @ranks(shape = 2)
  func.func @main(%x: tensor<?x8x32xf32>) -> tensor<?x2x32xf32> {
    %c0 = arith.constant 0 : index
    %batch = tensor.dim %x, %c0 : tensor<?x8x32xf32>
    %y = tensor.extract_slice %x[0, 1, 0] [%batch, 2, 32] [1, 1, 1] : tensor<?x8x32xf32> to tensor<?x2x32xf32>
    return %y : tensor<?x2x32xf32>
  }
}

//--- many.mlir
module {
  shard.grid @ranks(shape = 2)
  func.func @main(%x: tensor<1x1x1x8x32xf32>) -> tensor<1x1x1x8x32xf32> {
    %y = shard.all_reduce %x on @ranks grid_axes = [0] : tensor<1x1x1x8x32xf32> -> tensor<1x1x1x8x32xf32>
    return %y : tensor<1x1x1x8x32xf32>
  }
}

//--- gather.mlir
module {
  shard.grid @ranks(shape = 2)
  func.func @main(%x: tensor<2x?x32xf32>) -> tensor<2x?x32xf32> {
    %y = shard.all_gather %x on @ranks grid_axes = [0] gather_axis = 1 : tensor<2x?x32xf32> -> tensor<2x?x32xf32>
    return %y : tensor<2x?x32xf32>
  }
}
