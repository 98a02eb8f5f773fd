
@dyn = external addrspace(3) global [0 x i8], align 1024

define ptx_kernel void @gemm(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %0, ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %1, ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %2, ptr addrspace(1) %3, ptr addrspace(1) %4, ptr addrspace(1) %5, i32 %6, i32 %7, i32 %8, i32 %9) #0 {
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %14 = lshr i32 %11, 5
  %15 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %14, i32 0, i32 31)
  %16 = lshr i32 %15, 2
  %17 = icmp eq i32 %11, 0
  br i1 %17, label %18, label %19

18:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73728), i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73752), i32 2)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73736), i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73760), i32 2)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73744), i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73768), i32 2)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  call void @llvm.nvvm.prefetch.tensormap.p0(ptr %0)
  call void @llvm.nvvm.prefetch.tensormap.p0(ptr %1)
  call void @llvm.nvvm.prefetch.tensormap.p0(ptr %2)
  br label %19

19:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %20 = icmp eq i32 %16, 0
  br i1 %20, label %21, label %66

21:
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 40)
  %22 = icmp eq i32 %15, 0
  br i1 %22, label %23, label %65

23:
  %24 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %25 = extractvalue { i32, i1 } %24, 1
  br i1 %25, label %26, label %64

26:
  br label %27

27:
  %28 = phi i32 [ %62, %61 ], [ %12, %26 ]
  %29 = phi i32 [ %39, %61 ], [ 0, %26 ]
  %30 = phi i32 [ %40, %61 ], [ 1, %26 ]
  %31 = icmp slt i32 %28, %8
  br i1 %31, label %32, label %63

32:
  %33 = urem i32 %28, %7
  %34 = udiv i32 %28, %7
  %35 = mul i32 %33, 128
  %36 = mul i32 %34, 64
  br label %37

37:
  %38 = phi i32 [ %60, %42 ], [ 0, %32 ]
  %39 = phi i32 [ %57, %42 ], [ %29, %32 ]
  %40 = phi i32 [ %59, %42 ], [ %30, %32 ]
  %41 = icmp slt i32 %38, %6
  br i1 %41, label %42, label %61

42:
  %43 = shl i32 %39, 3
  %44 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73728), i32 %43
  %45 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73752), i32 %43
  call void asm sideeffect "{\0A\09.reg .pred       P1; \0A\09LAB_WAIT: \0A\09mbarrier.try_wait.parity.shared.b64 P1, [$0], $1, $2; \0A\09@P1 bra.uni DONE; \0A\09bra.uni     LAB_WAIT; \0A\09DONE: \0A\09}", "r,r,r"(ptr addrspace(3) %45, i32 %40, i32 10000000)
  %46 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) %44, i32 24576)
  %47 = shl i32 %38, 6
  %48 = mul i32 %39, 16384
  %49 = getelementptr i8, ptr addrspace(3) @dyn, i32 %48
  %50 = mul i32 %39, 8192
  %51 = add i32 %50, 49152
  %52 = getelementptr i8, ptr addrspace(3) @dyn, i32 %51
  %53 = addrspacecast ptr addrspace(3) %49 to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %53, ptr addrspace(3) %44, ptr %0, i32 %47, i32 %35, i16 0, i64 0, i1 false, i1 false, i32 0)
  %54 = addrspacecast ptr addrspace(3) %52 to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %54, ptr addrspace(3) %44, ptr %1, i32 %47, i32 %36, i16 0, i64 0, i1 false, i1 false, i32 0)
  %55 = add i32 %39, 1
  %56 = icmp eq i32 %55, 3
  %57 = select i1 %56, i32 0, i32 %55
  %58 = xor i32 %40, 1
  %59 = select i1 %56, i32 %58, i32 %40
  %60 = add i32 %38, 1
  br label %37

61:
  %62 = add i32 %28, %13
  br label %27

63:
  br label %64

64:
  br label %65

65:
  br label %845

66:
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 232)
  %67 = sub i32 %16, 1
  %68 = and i32 %11, 31
  %69 = and i32 %15, 3
  %70 = and i32 %11, 127
  %71 = icmp eq i32 %70, 0
  %72 = mul i32 %67, 8192
  %73 = add i32 ptrtoint (ptr addrspace(3) @dyn to i32), %72
  br label %74

74:
  %75 = phi i32 [ %842, %841 ], [ %12, %66 ]
  %76 = phi i32 [ %208, %841 ], [ 0, %66 ]
  %77 = phi i32 [ %209, %841 ], [ 0, %66 ]
  %78 = icmp slt i32 %75, %8
  br i1 %78, label %79, label %843

79:
  %80 = shl i32 %76, 3
  %81 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73728), i32 %80
  call void asm sideeffect "{\0A\09.reg .pred       P1; \0A\09LAB_WAIT: \0A\09mbarrier.try_wait.parity.shared.b64 P1, [$0], $1, $2; \0A\09@P1 bra.uni DONE; \0A\09bra.uni     LAB_WAIT; \0A\09DONE: \0A\09}", "r,r,r"(ptr addrspace(3) %81, i32 %77, i32 10000000)
  %82 = mul i32 %76, 16384
  %83 = add i32 %73, %82
  %84 = lshr i32 %83, 4
  %85 = and i32 %84, 16383
  %86 = zext i32 %85 to i64
  %87 = or i64 %86, 4611686293305360384
  %88 = mul i32 %76, 8192
  %89 = add i32 add (i32 ptrtoint (ptr addrspace(3) @dyn to i32), i32 49152), %88
  %90 = lshr i32 %89, 4
  %91 = and i32 %90, 16383
  %92 = zext i32 %91 to i64
  %93 = or i64 %92, 4611686293305360384
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %94 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, i64 %87, i64 %93, i32 1, i32 1, i32 1, i32 0, i32 0)
  %95 = add i64 %87, 2
  %96 = add i64 %93, 2
  %97 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 0
  %98 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 1
  %99 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 2
  %100 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 3
  %101 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 4
  %102 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 5
  %103 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 6
  %104 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 7
  %105 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 8
  %106 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 9
  %107 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 10
  %108 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 11
  %109 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 12
  %110 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 13
  %111 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 14
  %112 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 15
  %113 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 16
  %114 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 17
  %115 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 18
  %116 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 19
  %117 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 20
  %118 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 21
  %119 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 22
  %120 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 23
  %121 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 24
  %122 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 25
  %123 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 26
  %124 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 27
  %125 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 28
  %126 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 29
  %127 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 30
  %128 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %94, 31
  %129 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %97, float %98, float %99, float %100, float %101, float %102, float %103, float %104, float %105, float %106, float %107, float %108, float %109, float %110, float %111, float %112, float %113, float %114, float %115, float %116, float %117, float %118, float %119, float %120, float %121, float %122, float %123, float %124, float %125, float %126, float %127, float %128, i64 %95, i64 %96, i32 1, i32 1, i32 1, i32 0, i32 0)
  %130 = add i64 %87, 4
  %131 = add i64 %93, 4
  %132 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 0
  %133 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 1
  %134 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 2
  %135 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 3
  %136 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 4
  %137 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 5
  %138 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 6
  %139 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 7
  %140 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 8
  %141 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 9
  %142 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 10
  %143 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 11
  %144 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 12
  %145 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 13
  %146 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 14
  %147 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 15
  %148 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 16
  %149 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 17
  %150 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 18
  %151 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 19
  %152 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 20
  %153 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 21
  %154 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 22
  %155 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 23
  %156 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 24
  %157 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 25
  %158 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 26
  %159 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 27
  %160 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 28
  %161 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 29
  %162 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 30
  %163 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %129, 31
  %164 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %132, float %133, float %134, float %135, float %136, float %137, float %138, float %139, float %140, float %141, float %142, float %143, float %144, float %145, float %146, float %147, float %148, float %149, float %150, float %151, float %152, float %153, float %154, float %155, float %156, float %157, float %158, float %159, float %160, float %161, float %162, float %163, i64 %130, i64 %131, i32 1, i32 1, i32 1, i32 0, i32 0)
  %165 = add i64 %87, 6
  %166 = add i64 %93, 6
  %167 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 0
  %168 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 1
  %169 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 2
  %170 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 3
  %171 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 4
  %172 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 5
  %173 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 6
  %174 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 7
  %175 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 8
  %176 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 9
  %177 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 10
  %178 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 11
  %179 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 12
  %180 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 13
  %181 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 14
  %182 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 15
  %183 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 16
  %184 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 17
  %185 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 18
  %186 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 19
  %187 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 20
  %188 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 21
  %189 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 22
  %190 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 23
  %191 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 24
  %192 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 25
  %193 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 26
  %194 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 27
  %195 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 28
  %196 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 29
  %197 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 30
  %198 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %164, 31
  %199 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %167, float %168, float %169, float %170, float %171, float %172, float %173, float %174, float %175, float %176, float %177, float %178, float %179, float %180, float %181, float %182, float %183, float %184, float %185, float %186, float %187, float %188, float %189, float %190, float %191, float %192, float %193, float %194, float %195, float %196, float %197, float %198, i64 %165, i64 %166, i32 1, i32 1, i32 1, i32 0, i32 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %200 = add i32 %76, 1
  %201 = icmp eq i32 %200, 3
  %202 = select i1 %201, i32 0, i32 %200
  %203 = xor i32 %77, 1
  %204 = select i1 %201, i32 %203, i32 %77
  br label %205

205:
  %206 = phi i32 [ %375, %369 ], [ 1, %79 ]
  %207 = phi { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } [ %364, %369 ], [ %199, %79 ]
  %208 = phi i32 [ %372, %369 ], [ %202, %79 ]
  %209 = phi i32 [ %374, %369 ], [ %204, %79 ]
  %210 = phi i32 [ %208, %369 ], [ %76, %79 ]
  %211 = icmp slt i32 %206, %6
  br i1 %211, label %212, label %376

212:
  %213 = shl i32 %208, 3
  %214 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73728), i32 %213
  call void asm sideeffect "{\0A\09.reg .pred       P1; \0A\09LAB_WAIT: \0A\09mbarrier.try_wait.parity.shared.b64 P1, [$0], $1, $2; \0A\09@P1 bra.uni DONE; \0A\09bra.uni     LAB_WAIT; \0A\09DONE: \0A\09}", "r,r,r"(ptr addrspace(3) %214, i32 %209, i32 10000000)
  %215 = mul i32 %208, 16384
  %216 = add i32 %73, %215
  %217 = lshr i32 %216, 4
  %218 = and i32 %217, 16383
  %219 = zext i32 %218 to i64
  %220 = or i64 %219, 4611686293305360384
  %221 = mul i32 %208, 8192
  %222 = add i32 add (i32 ptrtoint (ptr addrspace(3) @dyn to i32), i32 49152), %221
  %223 = lshr i32 %222, 4
  %224 = and i32 %223, 16383
  %225 = zext i32 %224 to i64
  %226 = or i64 %225, 4611686293305360384
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %227 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 0
  %228 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 1
  %229 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 2
  %230 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 3
  %231 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 4
  %232 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 5
  %233 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 6
  %234 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 7
  %235 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 8
  %236 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 9
  %237 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 10
  %238 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 11
  %239 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 12
  %240 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 13
  %241 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 14
  %242 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 15
  %243 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 16
  %244 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 17
  %245 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 18
  %246 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 19
  %247 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 20
  %248 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 21
  %249 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 22
  %250 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 23
  %251 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 24
  %252 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 25
  %253 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 26
  %254 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 27
  %255 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 28
  %256 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 29
  %257 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 30
  %258 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 31
  %259 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %227, float %228, float %229, float %230, float %231, float %232, float %233, float %234, float %235, float %236, float %237, float %238, float %239, float %240, float %241, float %242, float %243, float %244, float %245, float %246, float %247, float %248, float %249, float %250, float %251, float %252, float %253, float %254, float %255, float %256, float %257, float %258, i64 %220, i64 %226, i32 1, i32 1, i32 1, i32 0, i32 0)
  %260 = add i64 %220, 2
  %261 = add i64 %226, 2
  %262 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 0
  %263 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 1
  %264 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 2
  %265 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 3
  %266 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 4
  %267 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 5
  %268 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 6
  %269 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 7
  %270 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 8
  %271 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 9
  %272 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 10
  %273 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 11
  %274 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 12
  %275 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 13
  %276 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 14
  %277 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 15
  %278 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 16
  %279 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 17
  %280 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 18
  %281 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 19
  %282 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 20
  %283 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 21
  %284 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 22
  %285 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 23
  %286 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 24
  %287 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 25
  %288 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 26
  %289 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 27
  %290 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 28
  %291 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 29
  %292 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 30
  %293 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %259, 31
  %294 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %262, float %263, float %264, float %265, float %266, float %267, float %268, float %269, float %270, float %271, float %272, float %273, float %274, float %275, float %276, float %277, float %278, float %279, float %280, float %281, float %282, float %283, float %284, float %285, float %286, float %287, float %288, float %289, float %290, float %291, float %292, float %293, i64 %260, i64 %261, i32 1, i32 1, i32 1, i32 0, i32 0)
  %295 = add i64 %220, 4
  %296 = add i64 %226, 4
  %297 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 0
  %298 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 1
  %299 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 2
  %300 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 3
  %301 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 4
  %302 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 5
  %303 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 6
  %304 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 7
  %305 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 8
  %306 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 9
  %307 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 10
  %308 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 11
  %309 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 12
  %310 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 13
  %311 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 14
  %312 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 15
  %313 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 16
  %314 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 17
  %315 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 18
  %316 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 19
  %317 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 20
  %318 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 21
  %319 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 22
  %320 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 23
  %321 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 24
  %322 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 25
  %323 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 26
  %324 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 27
  %325 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 28
  %326 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 29
  %327 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 30
  %328 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %294, 31
  %329 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %297, float %298, float %299, float %300, float %301, float %302, float %303, float %304, float %305, float %306, float %307, float %308, float %309, float %310, float %311, float %312, float %313, float %314, float %315, float %316, float %317, float %318, float %319, float %320, float %321, float %322, float %323, float %324, float %325, float %326, float %327, float %328, i64 %295, i64 %296, i32 1, i32 1, i32 1, i32 0, i32 0)
  %330 = add i64 %220, 6
  %331 = add i64 %226, 6
  %332 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 0
  %333 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 1
  %334 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 2
  %335 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 3
  %336 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 4
  %337 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 5
  %338 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 6
  %339 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 7
  %340 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 8
  %341 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 9
  %342 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 10
  %343 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 11
  %344 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 12
  %345 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 13
  %346 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 14
  %347 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 15
  %348 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 16
  %349 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 17
  %350 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 18
  %351 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 19
  %352 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 20
  %353 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 21
  %354 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 22
  %355 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 23
  %356 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 24
  %357 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 25
  %358 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 26
  %359 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 27
  %360 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 28
  %361 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 29
  %362 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 30
  %363 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %329, 31
  %364 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %332, float %333, float %334, float %335, float %336, float %337, float %338, float %339, float %340, float %341, float %342, float %343, float %344, float %345, float %346, float %347, float %348, float %349, float %350, float %351, float %352, float %353, float %354, float %355, float %356, float %357, float %358, float %359, float %360, float %361, float %362, float %363, i64 %330, i64 %331, i32 1, i32 1, i32 1, i32 0, i32 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %365 = shl i32 %210, 3
  %366 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73752), i32 %365
  br i1 %71, label %367, label %369

367:
  %368 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) %366)
  br label %369

369:
  %370 = add i32 %208, 1
  %371 = icmp eq i32 %370, 3
  %372 = select i1 %371, i32 0, i32 %370
  %373 = xor i32 %209, 1
  %374 = select i1 %371, i32 %373, i32 %209
  %375 = add i32 %206, 1
  br label %205

376:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %377 = shl i32 %210, 3
  %378 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73752), i32 %377
  br i1 %71, label %379, label %381

379:
  %380 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) %378)
  br label %381

381:
  %382 = urem i32 %75, %7
  %383 = udiv i32 %75, %7
  %384 = mul i32 %382, 128
  %385 = mul i32 %67, 64
  %386 = add i32 %384, %385
  %387 = mul i32 %383, 64
  %388 = mul i32 %69, 16
  %389 = lshr i32 %68, 2
  %390 = add i32 %388, %389
  %391 = add i32 %386, %390
  %392 = and i32 %68, 3
  %393 = shl i32 %392, 1
  %394 = add i32 %72, 74752
  %395 = getelementptr i8, ptr addrspace(3) @dyn, i32 %394
  %396 = getelementptr float, ptr addrspace(1) %3, i32 %391
  %397 = load float, ptr addrspace(1) %396, align 4
  %398 = add i32 %391, 8
  %399 = getelementptr float, ptr addrspace(1) %3, i32 %398
  %400 = load float, ptr addrspace(1) %399, align 4
  %401 = and i32 %68, 7
  %402 = lshr i32 %68, 3
  %403 = and i32 %402, 1
  %404 = shl i32 %403, 3
  %405 = add i32 %401, %404
  %406 = add i32 %388, %405
  %407 = lshr i32 %68, 4
  %408 = and i32 %406, 7
  %409 = shl i32 %406, 7
  br i1 %71, label %410, label %411

410:
  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)
  br label %411

411:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %16, i32 128)
  %412 = add i32 %387, %393
  %413 = getelementptr float, ptr addrspace(1) %4, i32 %412
  %414 = load float, ptr addrspace(1) %413, align 4
  %415 = add i32 %412, 1
  %416 = getelementptr float, ptr addrspace(1) %4, i32 %415
  %417 = load float, ptr addrspace(1) %416, align 4
  %418 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 0
  %419 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 1
  %420 = call float @llvm.fma.f32(float %418, float %397, float %414)
  %421 = fmul float %420, 5.000000e-01
  %422 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %421)
  %423 = call float @llvm.fma.f32(float %421, float %422, float %421)
  %424 = call float @llvm.fma.f32(float %419, float %397, float %417)
  %425 = fmul float %424, 5.000000e-01
  %426 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %425)
  %427 = call float @llvm.fma.f32(float %425, float %426, float %425)
  %428 = mul i32 %391, %9
  %429 = add i32 %428, %412
  %430 = getelementptr bfloat, ptr addrspace(1) %5, i32 %429
  %431 = load <2 x bfloat>, ptr addrspace(1) %430, align 4
  %432 = fpext <2 x bfloat> %431 to <2 x float>
  %433 = extractelement <2 x float> %432, i64 0
  %434 = extractelement <2 x float> %432, i64 1
  %435 = fadd float %423, %433
  %436 = fadd float %427, %434
  %437 = insertelement <2 x float> poison, float %435, i64 0
  %438 = insertelement <2 x float> %437, float %436, i64 1
  %439 = fptrunc <2 x float> %438 to <2 x bfloat>
  %440 = bitcast <2 x bfloat> %439 to i32
  %441 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 2
  %442 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 3
  %443 = call float @llvm.fma.f32(float %441, float %400, float %414)
  %444 = fmul float %443, 5.000000e-01
  %445 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %444)
  %446 = call float @llvm.fma.f32(float %444, float %445, float %444)
  %447 = call float @llvm.fma.f32(float %442, float %400, float %417)
  %448 = fmul float %447, 5.000000e-01
  %449 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %448)
  %450 = call float @llvm.fma.f32(float %448, float %449, float %448)
  %451 = mul i32 %398, %9
  %452 = add i32 %451, %412
  %453 = getelementptr bfloat, ptr addrspace(1) %5, i32 %452
  %454 = load <2 x bfloat>, ptr addrspace(1) %453, align 4
  %455 = fpext <2 x bfloat> %454 to <2 x float>
  %456 = extractelement <2 x float> %455, i64 0
  %457 = extractelement <2 x float> %455, i64 1
  %458 = fadd float %446, %456
  %459 = fadd float %450, %457
  %460 = insertelement <2 x float> poison, float %458, i64 0
  %461 = insertelement <2 x float> %460, float %459, i64 1
  %462 = fptrunc <2 x float> %461 to <2 x bfloat>
  %463 = bitcast <2 x bfloat> %462 to i32
  %464 = add i32 %393, 8
  %465 = add i32 %387, %464
  %466 = getelementptr float, ptr addrspace(1) %4, i32 %465
  %467 = load float, ptr addrspace(1) %466, align 4
  %468 = add i32 %465, 1
  %469 = getelementptr float, ptr addrspace(1) %4, i32 %468
  %470 = load float, ptr addrspace(1) %469, align 4
  %471 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 4
  %472 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 5
  %473 = call float @llvm.fma.f32(float %471, float %397, float %467)
  %474 = fmul float %473, 5.000000e-01
  %475 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %474)
  %476 = call float @llvm.fma.f32(float %474, float %475, float %474)
  %477 = call float @llvm.fma.f32(float %472, float %397, float %470)
  %478 = fmul float %477, 5.000000e-01
  %479 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %478)
  %480 = call float @llvm.fma.f32(float %478, float %479, float %478)
  %481 = add i32 %428, %465
  %482 = getelementptr bfloat, ptr addrspace(1) %5, i32 %481
  %483 = load <2 x bfloat>, ptr addrspace(1) %482, align 4
  %484 = fpext <2 x bfloat> %483 to <2 x float>
  %485 = extractelement <2 x float> %484, i64 0
  %486 = extractelement <2 x float> %484, i64 1
  %487 = fadd float %476, %485
  %488 = fadd float %480, %486
  %489 = insertelement <2 x float> poison, float %487, i64 0
  %490 = insertelement <2 x float> %489, float %488, i64 1
  %491 = fptrunc <2 x float> %490 to <2 x bfloat>
  %492 = bitcast <2 x bfloat> %491 to i32
  %493 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 6
  %494 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 7
  %495 = call float @llvm.fma.f32(float %493, float %400, float %467)
  %496 = fmul float %495, 5.000000e-01
  %497 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %496)
  %498 = call float @llvm.fma.f32(float %496, float %497, float %496)
  %499 = call float @llvm.fma.f32(float %494, float %400, float %470)
  %500 = fmul float %499, 5.000000e-01
  %501 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %500)
  %502 = call float @llvm.fma.f32(float %500, float %501, float %500)
  %503 = add i32 %451, %465
  %504 = getelementptr bfloat, ptr addrspace(1) %5, i32 %503
  %505 = load <2 x bfloat>, ptr addrspace(1) %504, align 4
  %506 = fpext <2 x bfloat> %505 to <2 x float>
  %507 = extractelement <2 x float> %506, i64 0
  %508 = extractelement <2 x float> %506, i64 1
  %509 = fadd float %498, %507
  %510 = fadd float %502, %508
  %511 = insertelement <2 x float> poison, float %509, i64 0
  %512 = insertelement <2 x float> %511, float %510, i64 1
  %513 = fptrunc <2 x float> %512 to <2 x bfloat>
  %514 = bitcast <2 x bfloat> %513 to i32
  %515 = xor i32 %407, %408
  %516 = shl i32 %515, 4
  %517 = add i32 %409, %516
  %518 = getelementptr i8, ptr addrspace(3) %395, i32 %517
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %518, i32 %440, i32 %463, i32 %492, i32 %514)
  %519 = add i32 %393, 16
  %520 = add i32 %387, %519
  %521 = getelementptr float, ptr addrspace(1) %4, i32 %520
  %522 = load float, ptr addrspace(1) %521, align 4
  %523 = add i32 %520, 1
  %524 = getelementptr float, ptr addrspace(1) %4, i32 %523
  %525 = load float, ptr addrspace(1) %524, align 4
  %526 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 8
  %527 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 9
  %528 = call float @llvm.fma.f32(float %526, float %397, float %522)
  %529 = fmul float %528, 5.000000e-01
  %530 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %529)
  %531 = call float @llvm.fma.f32(float %529, float %530, float %529)
  %532 = call float @llvm.fma.f32(float %527, float %397, float %525)
  %533 = fmul float %532, 5.000000e-01
  %534 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %533)
  %535 = call float @llvm.fma.f32(float %533, float %534, float %533)
  %536 = add i32 %428, %520
  %537 = getelementptr bfloat, ptr addrspace(1) %5, i32 %536
  %538 = load <2 x bfloat>, ptr addrspace(1) %537, align 4
  %539 = fpext <2 x bfloat> %538 to <2 x float>
  %540 = extractelement <2 x float> %539, i64 0
  %541 = extractelement <2 x float> %539, i64 1
  %542 = fadd float %531, %540
  %543 = fadd float %535, %541
  %544 = insertelement <2 x float> poison, float %542, i64 0
  %545 = insertelement <2 x float> %544, float %543, i64 1
  %546 = fptrunc <2 x float> %545 to <2 x bfloat>
  %547 = bitcast <2 x bfloat> %546 to i32
  %548 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 10
  %549 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 11
  %550 = call float @llvm.fma.f32(float %548, float %400, float %522)
  %551 = fmul float %550, 5.000000e-01
  %552 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %551)
  %553 = call float @llvm.fma.f32(float %551, float %552, float %551)
  %554 = call float @llvm.fma.f32(float %549, float %400, float %525)
  %555 = fmul float %554, 5.000000e-01
  %556 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %555)
  %557 = call float @llvm.fma.f32(float %555, float %556, float %555)
  %558 = add i32 %451, %520
  %559 = getelementptr bfloat, ptr addrspace(1) %5, i32 %558
  %560 = load <2 x bfloat>, ptr addrspace(1) %559, align 4
  %561 = fpext <2 x bfloat> %560 to <2 x float>
  %562 = extractelement <2 x float> %561, i64 0
  %563 = extractelement <2 x float> %561, i64 1
  %564 = fadd float %553, %562
  %565 = fadd float %557, %563
  %566 = insertelement <2 x float> poison, float %564, i64 0
  %567 = insertelement <2 x float> %566, float %565, i64 1
  %568 = fptrunc <2 x float> %567 to <2 x bfloat>
  %569 = bitcast <2 x bfloat> %568 to i32
  %570 = add i32 %393, 24
  %571 = add i32 %387, %570
  %572 = getelementptr float, ptr addrspace(1) %4, i32 %571
  %573 = load float, ptr addrspace(1) %572, align 4
  %574 = add i32 %571, 1
  %575 = getelementptr float, ptr addrspace(1) %4, i32 %574
  %576 = load float, ptr addrspace(1) %575, align 4
  %577 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 12
  %578 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 13
  %579 = call float @llvm.fma.f32(float %577, float %397, float %573)
  %580 = fmul float %579, 5.000000e-01
  %581 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %580)
  %582 = call float @llvm.fma.f32(float %580, float %581, float %580)
  %583 = call float @llvm.fma.f32(float %578, float %397, float %576)
  %584 = fmul float %583, 5.000000e-01
  %585 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %584)
  %586 = call float @llvm.fma.f32(float %584, float %585, float %584)
  %587 = add i32 %428, %571
  %588 = getelementptr bfloat, ptr addrspace(1) %5, i32 %587
  %589 = load <2 x bfloat>, ptr addrspace(1) %588, align 4
  %590 = fpext <2 x bfloat> %589 to <2 x float>
  %591 = extractelement <2 x float> %590, i64 0
  %592 = extractelement <2 x float> %590, i64 1
  %593 = fadd float %582, %591
  %594 = fadd float %586, %592
  %595 = insertelement <2 x float> poison, float %593, i64 0
  %596 = insertelement <2 x float> %595, float %594, i64 1
  %597 = fptrunc <2 x float> %596 to <2 x bfloat>
  %598 = bitcast <2 x bfloat> %597 to i32
  %599 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 14
  %600 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 15
  %601 = call float @llvm.fma.f32(float %599, float %400, float %573)
  %602 = fmul float %601, 5.000000e-01
  %603 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %602)
  %604 = call float @llvm.fma.f32(float %602, float %603, float %602)
  %605 = call float @llvm.fma.f32(float %600, float %400, float %576)
  %606 = fmul float %605, 5.000000e-01
  %607 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %606)
  %608 = call float @llvm.fma.f32(float %606, float %607, float %606)
  %609 = add i32 %451, %571
  %610 = getelementptr bfloat, ptr addrspace(1) %5, i32 %609
  %611 = load <2 x bfloat>, ptr addrspace(1) %610, align 4
  %612 = fpext <2 x bfloat> %611 to <2 x float>
  %613 = extractelement <2 x float> %612, i64 0
  %614 = extractelement <2 x float> %612, i64 1
  %615 = fadd float %604, %613
  %616 = fadd float %608, %614
  %617 = insertelement <2 x float> poison, float %615, i64 0
  %618 = insertelement <2 x float> %617, float %616, i64 1
  %619 = fptrunc <2 x float> %618 to <2 x bfloat>
  %620 = bitcast <2 x bfloat> %619 to i32
  %621 = add i32 %407, 2
  %622 = xor i32 %621, %408
  %623 = shl i32 %622, 4
  %624 = add i32 %409, %623
  %625 = getelementptr i8, ptr addrspace(3) %395, i32 %624
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %625, i32 %547, i32 %569, i32 %598, i32 %620)
  %626 = add i32 %393, 32
  %627 = add i32 %387, %626
  %628 = getelementptr float, ptr addrspace(1) %4, i32 %627
  %629 = load float, ptr addrspace(1) %628, align 4
  %630 = add i32 %627, 1
  %631 = getelementptr float, ptr addrspace(1) %4, i32 %630
  %632 = load float, ptr addrspace(1) %631, align 4
  %633 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 16
  %634 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 17
  %635 = call float @llvm.fma.f32(float %633, float %397, float %629)
  %636 = fmul float %635, 5.000000e-01
  %637 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %636)
  %638 = call float @llvm.fma.f32(float %636, float %637, float %636)
  %639 = call float @llvm.fma.f32(float %634, float %397, float %632)
  %640 = fmul float %639, 5.000000e-01
  %641 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %640)
  %642 = call float @llvm.fma.f32(float %640, float %641, float %640)
  %643 = add i32 %428, %627
  %644 = getelementptr bfloat, ptr addrspace(1) %5, i32 %643
  %645 = load <2 x bfloat>, ptr addrspace(1) %644, align 4
  %646 = fpext <2 x bfloat> %645 to <2 x float>
  %647 = extractelement <2 x float> %646, i64 0
  %648 = extractelement <2 x float> %646, i64 1
  %649 = fadd float %638, %647
  %650 = fadd float %642, %648
  %651 = insertelement <2 x float> poison, float %649, i64 0
  %652 = insertelement <2 x float> %651, float %650, i64 1
  %653 = fptrunc <2 x float> %652 to <2 x bfloat>
  %654 = bitcast <2 x bfloat> %653 to i32
  %655 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 18
  %656 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 19
  %657 = call float @llvm.fma.f32(float %655, float %400, float %629)
  %658 = fmul float %657, 5.000000e-01
  %659 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %658)
  %660 = call float @llvm.fma.f32(float %658, float %659, float %658)
  %661 = call float @llvm.fma.f32(float %656, float %400, float %632)
  %662 = fmul float %661, 5.000000e-01
  %663 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %662)
  %664 = call float @llvm.fma.f32(float %662, float %663, float %662)
  %665 = add i32 %451, %627
  %666 = getelementptr bfloat, ptr addrspace(1) %5, i32 %665
  %667 = load <2 x bfloat>, ptr addrspace(1) %666, align 4
  %668 = fpext <2 x bfloat> %667 to <2 x float>
  %669 = extractelement <2 x float> %668, i64 0
  %670 = extractelement <2 x float> %668, i64 1
  %671 = fadd float %660, %669
  %672 = fadd float %664, %670
  %673 = insertelement <2 x float> poison, float %671, i64 0
  %674 = insertelement <2 x float> %673, float %672, i64 1
  %675 = fptrunc <2 x float> %674 to <2 x bfloat>
  %676 = bitcast <2 x bfloat> %675 to i32
  %677 = add i32 %393, 40
  %678 = add i32 %387, %677
  %679 = getelementptr float, ptr addrspace(1) %4, i32 %678
  %680 = load float, ptr addrspace(1) %679, align 4
  %681 = add i32 %678, 1
  %682 = getelementptr float, ptr addrspace(1) %4, i32 %681
  %683 = load float, ptr addrspace(1) %682, align 4
  %684 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 20
  %685 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 21
  %686 = call float @llvm.fma.f32(float %684, float %397, float %680)
  %687 = fmul float %686, 5.000000e-01
  %688 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %687)
  %689 = call float @llvm.fma.f32(float %687, float %688, float %687)
  %690 = call float @llvm.fma.f32(float %685, float %397, float %683)
  %691 = fmul float %690, 5.000000e-01
  %692 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %691)
  %693 = call float @llvm.fma.f32(float %691, float %692, float %691)
  %694 = add i32 %428, %678
  %695 = getelementptr bfloat, ptr addrspace(1) %5, i32 %694
  %696 = load <2 x bfloat>, ptr addrspace(1) %695, align 4
  %697 = fpext <2 x bfloat> %696 to <2 x float>
  %698 = extractelement <2 x float> %697, i64 0
  %699 = extractelement <2 x float> %697, i64 1
  %700 = fadd float %689, %698
  %701 = fadd float %693, %699
  %702 = insertelement <2 x float> poison, float %700, i64 0
  %703 = insertelement <2 x float> %702, float %701, i64 1
  %704 = fptrunc <2 x float> %703 to <2 x bfloat>
  %705 = bitcast <2 x bfloat> %704 to i32
  %706 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 22
  %707 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 23
  %708 = call float @llvm.fma.f32(float %706, float %400, float %680)
  %709 = fmul float %708, 5.000000e-01
  %710 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %709)
  %711 = call float @llvm.fma.f32(float %709, float %710, float %709)
  %712 = call float @llvm.fma.f32(float %707, float %400, float %683)
  %713 = fmul float %712, 5.000000e-01
  %714 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %713)
  %715 = call float @llvm.fma.f32(float %713, float %714, float %713)
  %716 = add i32 %451, %678
  %717 = getelementptr bfloat, ptr addrspace(1) %5, i32 %716
  %718 = load <2 x bfloat>, ptr addrspace(1) %717, align 4
  %719 = fpext <2 x bfloat> %718 to <2 x float>
  %720 = extractelement <2 x float> %719, i64 0
  %721 = extractelement <2 x float> %719, i64 1
  %722 = fadd float %711, %720
  %723 = fadd float %715, %721
  %724 = insertelement <2 x float> poison, float %722, i64 0
  %725 = insertelement <2 x float> %724, float %723, i64 1
  %726 = fptrunc <2 x float> %725 to <2 x bfloat>
  %727 = bitcast <2 x bfloat> %726 to i32
  %728 = add i32 %407, 4
  %729 = xor i32 %728, %408
  %730 = shl i32 %729, 4
  %731 = add i32 %409, %730
  %732 = getelementptr i8, ptr addrspace(3) %395, i32 %731
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %732, i32 %654, i32 %676, i32 %705, i32 %727)
  %733 = add i32 %393, 48
  %734 = add i32 %387, %733
  %735 = getelementptr float, ptr addrspace(1) %4, i32 %734
  %736 = load float, ptr addrspace(1) %735, align 4
  %737 = add i32 %734, 1
  %738 = getelementptr float, ptr addrspace(1) %4, i32 %737
  %739 = load float, ptr addrspace(1) %738, align 4
  %740 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 24
  %741 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 25
  %742 = call float @llvm.fma.f32(float %740, float %397, float %736)
  %743 = fmul float %742, 5.000000e-01
  %744 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %743)
  %745 = call float @llvm.fma.f32(float %743, float %744, float %743)
  %746 = call float @llvm.fma.f32(float %741, float %397, float %739)
  %747 = fmul float %746, 5.000000e-01
  %748 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %747)
  %749 = call float @llvm.fma.f32(float %747, float %748, float %747)
  %750 = add i32 %428, %734
  %751 = getelementptr bfloat, ptr addrspace(1) %5, i32 %750
  %752 = load <2 x bfloat>, ptr addrspace(1) %751, align 4
  %753 = fpext <2 x bfloat> %752 to <2 x float>
  %754 = extractelement <2 x float> %753, i64 0
  %755 = extractelement <2 x float> %753, i64 1
  %756 = fadd float %745, %754
  %757 = fadd float %749, %755
  %758 = insertelement <2 x float> poison, float %756, i64 0
  %759 = insertelement <2 x float> %758, float %757, i64 1
  %760 = fptrunc <2 x float> %759 to <2 x bfloat>
  %761 = bitcast <2 x bfloat> %760 to i32
  %762 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 26
  %763 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 27
  %764 = call float @llvm.fma.f32(float %762, float %400, float %736)
  %765 = fmul float %764, 5.000000e-01
  %766 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %765)
  %767 = call float @llvm.fma.f32(float %765, float %766, float %765)
  %768 = call float @llvm.fma.f32(float %763, float %400, float %739)
  %769 = fmul float %768, 5.000000e-01
  %770 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %769)
  %771 = call float @llvm.fma.f32(float %769, float %770, float %769)
  %772 = add i32 %451, %734
  %773 = getelementptr bfloat, ptr addrspace(1) %5, i32 %772
  %774 = load <2 x bfloat>, ptr addrspace(1) %773, align 4
  %775 = fpext <2 x bfloat> %774 to <2 x float>
  %776 = extractelement <2 x float> %775, i64 0
  %777 = extractelement <2 x float> %775, i64 1
  %778 = fadd float %767, %776
  %779 = fadd float %771, %777
  %780 = insertelement <2 x float> poison, float %778, i64 0
  %781 = insertelement <2 x float> %780, float %779, i64 1
  %782 = fptrunc <2 x float> %781 to <2 x bfloat>
  %783 = bitcast <2 x bfloat> %782 to i32
  %784 = add i32 %393, 56
  %785 = add i32 %387, %784
  %786 = getelementptr float, ptr addrspace(1) %4, i32 %785
  %787 = load float, ptr addrspace(1) %786, align 4
  %788 = add i32 %785, 1
  %789 = getelementptr float, ptr addrspace(1) %4, i32 %788
  %790 = load float, ptr addrspace(1) %789, align 4
  %791 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 28
  %792 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 29
  %793 = call float @llvm.fma.f32(float %791, float %397, float %787)
  %794 = fmul float %793, 5.000000e-01
  %795 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %794)
  %796 = call float @llvm.fma.f32(float %794, float %795, float %794)
  %797 = call float @llvm.fma.f32(float %792, float %397, float %790)
  %798 = fmul float %797, 5.000000e-01
  %799 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %798)
  %800 = call float @llvm.fma.f32(float %798, float %799, float %798)
  %801 = add i32 %428, %785
  %802 = getelementptr bfloat, ptr addrspace(1) %5, i32 %801
  %803 = load <2 x bfloat>, ptr addrspace(1) %802, align 4
  %804 = fpext <2 x bfloat> %803 to <2 x float>
  %805 = extractelement <2 x float> %804, i64 0
  %806 = extractelement <2 x float> %804, i64 1
  %807 = fadd float %796, %805
  %808 = fadd float %800, %806
  %809 = insertelement <2 x float> poison, float %807, i64 0
  %810 = insertelement <2 x float> %809, float %808, i64 1
  %811 = fptrunc <2 x float> %810 to <2 x bfloat>
  %812 = bitcast <2 x bfloat> %811 to i32
  %813 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 30
  %814 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %207, 31
  %815 = call float @llvm.fma.f32(float %813, float %400, float %787)
  %816 = fmul float %815, 5.000000e-01
  %817 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %816)
  %818 = call float @llvm.fma.f32(float %816, float %817, float %816)
  %819 = call float @llvm.fma.f32(float %814, float %400, float %790)
  %820 = fmul float %819, 5.000000e-01
  %821 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %820)
  %822 = call float @llvm.fma.f32(float %820, float %821, float %820)
  %823 = add i32 %451, %785
  %824 = getelementptr bfloat, ptr addrspace(1) %5, i32 %823
  %825 = load <2 x bfloat>, ptr addrspace(1) %824, align 4
  %826 = fpext <2 x bfloat> %825 to <2 x float>
  %827 = extractelement <2 x float> %826, i64 0
  %828 = extractelement <2 x float> %826, i64 1
  %829 = fadd float %818, %827
  %830 = fadd float %822, %828
  %831 = insertelement <2 x float> poison, float %829, i64 0
  %832 = insertelement <2 x float> %831, float %830, i64 1
  %833 = fptrunc <2 x float> %832 to <2 x bfloat>
  %834 = bitcast <2 x bfloat> %833 to i32
  %835 = add i32 %407, 6
  %836 = xor i32 %835, %408
  %837 = shl i32 %836, 4
  %838 = add i32 %409, %837
  %839 = getelementptr i8, ptr addrspace(3) %395, i32 %838
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %839, i32 %761, i32 %783, i32 %812, i32 %834)
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %16, i32 128)
  br i1 %71, label %840, label %841

840:
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) %395, ptr %2, i32 %387, i32 %386, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  br label %841

841:
  %842 = add i32 %75, %13
  br label %74

843:
  br i1 %71, label %844, label %65

844:
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %65

845:
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #2

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32) #3

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster() #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.nvvm.prefetch.tensormap.p0(ptr readonly captures(none)) #5

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 immarg range(i32 24, 257)) #6

; Function Attrs: nounwind
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32 immarg) #7

; Function Attrs: convergent nounwind
declare void @llvm.nvvm.wgmma.fence.sync.aligned() #8

; Function Attrs: convergent nounwind
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned() #8

; Function Attrs: convergent nounwind
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg) #8

; Function Attrs: convergent nocallback nounwind
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3)) #3

; Function Attrs: nounwind
declare void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 immarg) #7

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fma.f32(float, float, float) #9

; Function Attrs: convergent nocallback nounwind memory(argmem: write)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) writeonly captures(none), i32, i32, i32, i32) #10

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.fence.proxy.async.shared_cta() #4

; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) readonly, ptr readonly, i32, i32, i64, i1 immarg) #6

; Function Attrs: nounwind
declare void @llvm.nvvm.cp.async.bulk.commit.group() #7

; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
declare void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 immarg range(i32 24, 257)) #6

; Function Attrs: convergent nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32) #11

; Function Attrs: convergent nocallback nounwind
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32) #3

; Function Attrs: convergent nocallback nofree nosync nounwind willreturn
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) writeonly, ptr addrspace(3), ptr readonly, i32, i32, i16, i64, i1 immarg, i1 immarg, i32 immarg range(i32 0, 3)) #6

attributes #0 = { "nvvm.minctasm"="1" "nvvm.reqntid"="384,1,1" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { nocallback nounwind }
attributes #5 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #6 = { convergent nocallback nofree nosync nounwind willreturn }
attributes #7 = { nounwind }
attributes #8 = { convergent nounwind }
attributes #9 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #10 = { convergent nocallback nounwind memory(argmem: write) }
attributes #11 = { convergent nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!llvm.module.flags = !{!0}

!0 = !{i32 2, !"Debug Info Version", i32 3}
