// Every type of element between two kernels: in memory as wide as its type, a truth value
// as a byte.
// RUN: block-run %s --engine=emulate --chip=sm_80 --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: block-run %s --engine=emulate --chip=sm_90a --seed=7 --threads=1 --baseline=%s | FileCheck %s
// RUN: block-translate %s --block-to-llvm-device --chip=sm_80 | FileCheck %s --check-prefix=CODE
// CHECK: PASS o
// CODE-DAG: store i8 %{{.*}}, ptr addrspace(1)
// CODE-DAG: store i16 %{{.*}}, ptr addrspace(1)
// CODE-DAG: store i32 %{{.*}}, ptr addrspace(1)
// CODE-DAG: store i64 %{{.*}}, ptr addrspace(1)
// CODE-DAG: store double %{{.*}}, ptr addrspace(1)
// CODE-DAG: store bfloat %{{.*}}, ptr addrspace(1)
// CODE-DAG: store half %{{.*}}, ptr addrspace(1)
func.func @main(%x: tensor<3x7xf32> {block.input = "x"}) -> (tensor<3x7xf32> {block.output = "o"}) {
  %0:8 = block.kernel "elements" (%a = %x : tensor<3x7xf32>) -> (tensor<3x7xi1>, tensor<3x7xi8>, tensor<3x7xi16>, tensor<3x7xi32>, tensor<3x7xi64>, tensor<3x7xf64>, tensor<3x7xbf16>, tensor<3x7xf16>) {
    %e0 = tensor.empty() : tensor<3x7xi1>
    %e1 = tensor.empty() : tensor<3x7xi8>
    %e2 = tensor.empty() : tensor<3x7xi16>
    %e3 = tensor.empty() : tensor<3x7xi32>
    %e4 = tensor.empty() : tensor<3x7xi64>
    %e5 = tensor.empty() : tensor<3x7xf64>
    %e6 = tensor.empty() : tensor<3x7xbf16>
    %e7 = tensor.empty() : tensor<3x7xf16>
    %r:8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<3x7xf32>) outs(%e0, %e1, %e2, %e3, %e4, %e5, %e6, %e7 : tensor<3x7xi1>, tensor<3x7xi8>, tensor<3x7xi16>, tensor<3x7xi32>, tensor<3x7xi64>, tensor<3x7xf64>, tensor<3x7xbf16>, tensor<3x7xf16>) {
    ^bb0(%p: f32, %o0: i1, %o1: i8, %o2: i16, %o3: i32, %o4: i64, %o5: f64, %o6: bf16, %o7: f16):
      %z = arith.constant 0.0 : f32
      %c = arith.constant 20.0 : f32
      %m = arith.mulf %p, %c : f32
      %v0 = arith.cmpf ogt, %p, %z : f32
      %v1 = arith.fptosi %m : f32 to i8
      %v2 = arith.fptosi %m : f32 to i16
      %v3 = arith.fptosi %m : f32 to i32
      %v4 = arith.fptosi %m : f32 to i64
      %v5 = arith.extf %p : f32 to f64
      %v6 = arith.truncf %p : f32 to bf16
      %v7 = arith.truncf %p : f32 to f16
      linalg.yield %v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7 : i1, i8, i16, i32, i64, f64, bf16, f16
    } -> (tensor<3x7xi1>, tensor<3x7xi8>, tensor<3x7xi16>, tensor<3x7xi32>, tensor<3x7xi64>, tensor<3x7xf64>, tensor<3x7xbf16>, tensor<3x7xf16>)
    block.yield %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7 : tensor<3x7xi1>, tensor<3x7xi8>, tensor<3x7xi16>, tensor<3x7xi32>, tensor<3x7xi64>, tensor<3x7xf64>, tensor<3x7xbf16>, tensor<3x7xf16>
  }
  %1 = block.kernel "elements" (%a0 = %0#0 : tensor<3x7xi1>, %a1 = %0#1 : tensor<3x7xi8>, %a2 = %0#2 : tensor<3x7xi16>, %a3 = %0#3 : tensor<3x7xi32>, %a4 = %0#4 : tensor<3x7xi64>, %a5 = %0#5 : tensor<3x7xf64>, %a6 = %0#6 : tensor<3x7xbf16>, %a7 = %0#7 : tensor<3x7xf16>) -> tensor<3x7xf32> {
    %e = tensor.empty() : tensor<3x7xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7 : tensor<3x7xi1>, tensor<3x7xi8>, tensor<3x7xi16>, tensor<3x7xi32>, tensor<3x7xi64>, tensor<3x7xf64>, tensor<3x7xbf16>, tensor<3x7xf16>) outs(%e : tensor<3x7xf32>) {
    ^bb0(%p0: i1, %p1: i8, %p2: i16, %p3: i32, %p4: i64, %p5: f64, %p6: bf16, %p7: f16, %o: f32):
      %f0 = arith.uitofp %p0 : i1 to f32
      %f1 = arith.sitofp %p1 : i8 to f32
      %w1 = arith.constant 4.0 : f32
      %g1 = arith.mulf %f1, %w1 : f32
      %s1 = arith.addf %f0, %g1 : f32
      %f2 = arith.sitofp %p2 : i16 to f32
      %w2 = arith.constant 7.0 : f32
      %g2 = arith.mulf %f2, %w2 : f32
      %s2 = arith.addf %s1, %g2 : f32
      %f3 = arith.sitofp %p3 : i32 to f32
      %w3 = arith.constant 10.0 : f32
      %g3 = arith.mulf %f3, %w3 : f32
      %s3 = arith.addf %s2, %g3 : f32
      %f4 = arith.sitofp %p4 : i64 to f32
      %w4 = arith.constant 13.0 : f32
      %g4 = arith.mulf %f4, %w4 : f32
      %s4 = arith.addf %s3, %g4 : f32
      %f5 = arith.truncf %p5 : f64 to f32
      %w5 = arith.constant 16.0 : f32
      %g5 = arith.mulf %f5, %w5 : f32
      %s5 = arith.addf %s4, %g5 : f32
      %f6 = arith.extf %p6 : bf16 to f32
      %w6 = arith.constant 19.0 : f32
      %g6 = arith.mulf %f6, %w6 : f32
      %s6 = arith.addf %s5, %g6 : f32
      %f7 = arith.extf %p7 : f16 to f32
      %w7 = arith.constant 22.0 : f32
      %g7 = arith.mulf %f7, %w7 : f32
      %s7 = arith.addf %s6, %g7 : f32
      linalg.yield %s7 : f32
    } -> tensor<3x7xf32>
    block.yield %r : tensor<3x7xf32>
  }
  return %1 : tensor<3x7xf32>
}
