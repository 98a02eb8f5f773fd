// Globals of ml_program that nothing stores to are constants; a private one is gone then, used or not.
// RUN: rm -rf %t && split-file %s %t
// RUN: block-opt %t/read.mlir --convert-stablehlo-to-upstream | FileCheck %s
// RUN: block-opt %t/read.mlir --block-raise | FileCheck %s
// RUN: block-run %t/read.mlir --function=forward --engine=reference --seed=1 2>&1 | FileCheck %s --check-prefix=OUT
// CHECK-NOT: ml_program
// CHECK: func.func @forward
// CHECK-DAG: arith.constant {{.*}}3.000000e+00
// CHECK-DAG: arith.constant {{.*}}2.000000e+00
// CHECK-NOT: ml_program
// OUT: out0 f32 [2]

// One that other files may read stays.
// RUN: block-opt %t/public.mlir --block-raise | FileCheck %s --check-prefix=PUBLIC
// PUBLIC: ml_program.global public @table
// PUBLIC-NOT: global_load

// State is refused by the name of what is stored to.
// RUN: not block-opt %t/store.mlir --block-raise 2>&1 | FileCheck %s --check-prefix=STORE
// RUN: not block-run %t/store.mlir --function=forward --engine=reference 2>&1 | FileCheck %s --check-prefix=STORE
// STORE: store.mlir:7:{{[0-9]+}}: error: 'ml_program.global_store' op stores to global 'global_seed': expected a function without state; export the model for inference, without random numbers
// RUN: not block-opt %t/open.mlir --block-raise --split-input-file 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: 'ml_program.global_load' op reads global 'step', which is mutable and public: expected a private one, or one that is not mutable
// OPEN: error: 'ml_program.global_load_const' op reads global 'weights': expected a value in this file, numbers or a tensor of them
// OPEN: error: 'ml_program.global_load_const' op reads 'tensor<?xf32>' of global 'scalar', which is 'f32'
// OPEN: error: 'ml_program.global_load_graph' op uses global 'seed': expected ml_program.global_load or global_load_const

//--- read.mlir
module {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  ml_program.global private @scale(dense<[2.0, 2.5]> : tensor<2xf32>) : tensor<2xf32>
  ml_program.global private mutable @offset(dense<[3.0, 3.5]> : tensor<2xf32>) : tensor<?xf32>
  func.func @forward(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = ml_program.global_load_const @scale : tensor<2xf32>
    %1 = ml_program.global_load @offset : tensor<?xf32>
    %2 = tensor.cast %1 : tensor<?xf32> to tensor<2xf32>
    %3 = arith.mulf %x, %0 : tensor<2xf32>
    %4 = arith.addf %3, %2 : tensor<2xf32>
    return %4 : tensor<2xf32>
  }
}
//--- public.mlir
ml_program.global public @table(dense<2.0> : tensor<2xf32>) : tensor<2xf32>
func.func @forward(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = ml_program.global_load_const @table : tensor<2xf32>
  %1 = arith.mulf %x, %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
//--- store.mlir
module {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @forward(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = ml_program.global_load @global_seed : tensor<i64>
    %1 = arith.constant dense<1> : tensor<i64>
    %2 = arith.addi %0, %1 : tensor<i64>
    ml_program.global_store @global_seed = %2 : tensor<i64>
    return %x : tensor<2xf32>
  }
}
//--- open.mlir
ml_program.global public mutable @step(dense<2.0> : tensor<2xf32>) : tensor<2xf32>
func.func @forward() -> tensor<2xf32> {
  %0 = ml_program.global_load @step : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
ml_program.global private @weights(#ml_program.extern<tensor<2xf32>>) : tensor<2xf32>
func.func @forward() -> tensor<2xf32> {
  %0 = ml_program.global_load_const @weights : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
ml_program.global private @scalar(2.0 : f32) : tensor<?xf32>
func.func @forward() -> tensor<?xf32> {
  %0 = ml_program.global_load_const @scalar : tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
ml_program.global private mutable @seed(dense<2.0> : tensor<2xf32>) : tensor<2xf32>
func.func @forward() -> tensor<2xf32> {
  %0, %token = ml_program.global_load_graph @seed ordering(() -> !ml_program.token) : tensor<2xf32>
  return %0 : tensor<2xf32>
}
