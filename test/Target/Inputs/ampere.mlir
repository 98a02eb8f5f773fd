// One tile product of sm_80: asynchronous copy, matrix loads, product, store.
// A warp multiplies 16 x 16 by 8 x 16 values that lie as the instructions want
// them; arith, scf and math are left for the lowering.
gpu.module @kernels {
  llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.func @tile_product(%a: !llvm.ptr<1>, %d: !llvm.ptr<1>, %steps: i32)
      attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sixteen = arith.constant 16 : i32
    %none = arith.constant 0.0 : f32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %offset = arith.muli %thread, %sixteen : i32
    %base = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %to = llvm.getelementptr %base[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %sums:4 = scf.for %step = %zero to %steps step %one
        iter_args(%c0 = %none, %c1 = %none, %c2 = %none, %c3 = %none) -> (f32, f32, f32, f32) : i32 {
      %far = arith.muli %step, %sixteen : i32
      %sum = arith.addi %far, %offset : i32
      %from = llvm.getelementptr %a[%sum] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
      nvvm.cp.async.shared.global %to, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0
      nvvm.barrier0
      %left = nvvm.ldmatrix %to {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
      %l0 = llvm.extractvalue %left[0] : !llvm.struct<(i32, i32, i32, i32)>
      %l1 = llvm.extractvalue %left[1] : !llvm.struct<(i32, i32, i32, i32)>
      %l2 = llvm.extractvalue %left[2] : !llvm.struct<(i32, i32, i32, i32)>
      %l3 = llvm.extractvalue %left[3] : !llvm.struct<(i32, i32, i32, i32)>
      nvvm.barrier0
      %p = nvvm.mma.sync A[%l0, %l1, %l2, %l3] B[%l0, %l1] C[%c0, %c1, %c2, %c3]
        {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
         multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>,
         shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      %p0 = llvm.extractvalue %p[0] : !llvm.struct<(f32, f32, f32, f32)>
      %p1 = llvm.extractvalue %p[1] : !llvm.struct<(f32, f32, f32, f32)>
      %p2 = llvm.extractvalue %p[2] : !llvm.struct<(f32, f32, f32, f32)>
      %p3 = llvm.extractvalue %p[3] : !llvm.struct<(f32, f32, f32, f32)>
      scf.yield %p0, %p1, %p2, %p3 : f32, f32, f32, f32
    }
    %root = math.rsqrt %sums#0 fastmath<afn> : f32
    %power = math.exp2 %sums#1 fastmath<afn> : f32
    %pair = vector.from_elements %root, %power : vector<2xf32>
    %short = arith.truncf %pair : vector<2xf32> to vector<2xbf16>
    %out = llvm.getelementptr %d[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<2xbf16>
    llvm.store %short, %out : vector<2xbf16>, !llvm.ptr<1>
    %low = math.fma %sums#2, %sums#3, %sums#0 : f32
    llvm.store %low, %a : f32, !llvm.ptr<1>
    llvm.return
  }
}
