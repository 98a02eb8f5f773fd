// RUN: block-opt --pass-pipeline='builtin.module(gpu.module(any(lower-device-to-llvm)))' --split-input-file --verify-diagnostics %s | FileCheck %s

// Math ops that are instructions.
// CHECK-LABEL: llvm.func @instructions
// CHECK: llvm.intr.fabs
// CHECK: llvm.intr.floor
// CHECK: llvm.intr.ceil
// CHECK: llvm.intr.trunc
// CHECK: llvm.intr.roundeven
// CHECK: llvm.intr.sqrt
// CHECK: llvm.intr.exp2
// CHECK: llvm.intr.copysign
// CHECK: llvm.intr.fma
gpu.module @kernels {
  llvm.func @instructions(%x: f32) -> f32 {
    %0 = math.absf %x : f32
    %1 = math.floor %0 : f32
    %2 = math.ceil %1 : f32
    %3 = math.trunc %2 : f32
    %4 = math.roundeven %3 : f32
    %5 = math.sqrt %4 : f32
    %6 = math.exp2 %5 : f32
    %7 = math.copysign %6, %x : f32
    %8 = math.fma %7, %x, %x : f32
    llvm.return %8 : f32
  }
}

// -----

gpu.module @kernels {
  llvm.func @exp(%x: f32) -> f32 {
    // expected-error @+1 {{'math.exp' op needs a device library, and none is linked; expected its expansion into instructions}}
    %0 = math.exp %x : f32
    llvm.return %0 : f32
  }
}

// -----

gpu.module @kernels {
  llvm.func @erf(%x: f32) -> f32 {
    // expected-error @+1 {{'math.erf' op needs a device library}}
    %0 = math.erf %x fastmath<afn> : f32
    llvm.return %0 : f32
  }
}

// -----

// Structured control flow has a pass of its own.
gpu.module @kernels {
  llvm.func @structured(%p: i1) {
    // expected-error @+1 {{'scf.if' op is left in device code, expected LLVM and NVVM ops only}}
    scf.if %p {
      nvvm.barrier0
    }
    llvm.return
  }
}
