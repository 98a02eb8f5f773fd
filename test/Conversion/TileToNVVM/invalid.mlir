// What the conversion refuses.
// RUN: block-opt %s --tile-to-nvvm=chip=sm_80 --verify-diagnostics --split-input-file
// RUN: not block-opt %s --tile-to-nvvm=chip=sm_70 --split-input-file 2>&1 | FileCheck %s
// CHECK: error: unknown chip 'sm_70': expected sm_80, sm_90a, sm_90a-h100, sm_90a-h200, sm_90a-h100-pcie or sm_90a-h20

gpu.module @kernels {
  tile.kernel @f(%y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'tile.store' op expected tile.rows around it}}
    tile.store %one, %y[%c0] : f32 to memref<4xf32>
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f(%y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f32
    tile.columns %column = %c0 to %c4 {
      // expected-error @+1 {{'tile.store' op expected tile.rows around it}}
      tile.store %one, %y[%column] : f32 to memref<4xf32>
    }
    tile.return
  }
}

// -----

gpu.module @kernels {
  tile.kernel @f(%x: memref<4xf32>, %y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    tile.rows %row below %c4 grid {
      %even = arith.cmpi eq, %row, %c0 : index
      %either = arith.select %even, %x, %y : memref<4xf32>
      // expected-error @+1 {{'tile.load' op expected an argument of the kernel or a table}}
      %value = tile.load %either[%row] : memref<4xf32> to f32
      tile.store %value, %y[%row] : f32 to memref<4xf32>
    }
    tile.return
  }
}

// -----

// expected-error @+1 {{'tile.kernel' op expected gpu.module around it}}
tile.kernel @f(%y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
  tile.return
}

// -----

gpu.module @kernels {
  tile.kernel @assembly(%y: memref<4xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    // expected-error @+1 {{'llvm.inline_asm' op is assembly that device code is never made with, expected one of mbarrier.try_wait.parity wgmma.mma_async.sync.aligned}}
    llvm.inline_asm has_side_effects "nanosleep.u32 1;", "" : () -> ()
    tile.return
  }
}
