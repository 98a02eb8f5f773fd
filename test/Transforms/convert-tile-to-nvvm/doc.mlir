// The norm of rows: one warp for each row, 4 warps in a CTA.
// RUN: block-opt %s --convert-tile-to-nvvm=chip=sm_90a | FileCheck %s

gpu.module @kernels {
  tile.kernel @rms(%x: memref<?x256xbf16>, %y: memref<?x256xbf16>)
      attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 132>} {
    %from = arith.constant 0 : index
    %to = arith.constant 256 : index
    %scale = arith.constant 0.00390625 : f32
    %rows = tile.dim %x, 0 : memref<?x256xbf16>
    tile.rows %row below %rows grid {
      %sum = tile.reduce add %column = %from to %to {
        %value = tile.load %x[%row, %column] : memref<?x256xbf16> to f32
        %square = arith.mulf %value, %value : f32
        tile.yield %square : f32
      }
      %moment = arith.mulf %sum, %scale : f32
      %factor = math.rsqrt %moment : f32
      tile.columns %column = %from to %to {
        %value = tile.load %x[%row, %column] : memref<?x256xbf16> to f32
        %scaled = arith.mulf %value, %factor : f32
        tile.store %scaled, %y[%row, %column] : f32 to memref<?x256xbf16>
      }
    }
    tile.return
  }
}
