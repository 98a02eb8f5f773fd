// An unknown processor is one error, whether there is anything to convert or not.
// RUN: not block-opt %s --cpu-convert-narrow-floats=cpu=x86-65 2>&1 | FileCheck %s
// CHECK: error: unknown processor 'x86-65': expected native, x86-64, x86-64-v3, x86-64-v4 or another that LLVM knows
func.func @f(%a: f32) -> f32 {
  return %a : f32
}
