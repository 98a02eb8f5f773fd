
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
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73752), i32 4)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73736), i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73760), i32 4)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73744), i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73768), i32 4)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  call void @llvm.nvvm.prefetch.tensormap.p0(ptr %0)
  call void @llvm.nvvm.prefetch.tensormap.p0(ptr %1)
  call void @llvm.nvvm.prefetch.tensormap.p0(ptr %2)
  br label %19

19:
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %20 = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %21 = icmp eq i32 %16, 0
  br i1 %21, label %22, label %71

22:
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 40)
  %23 = icmp eq i32 %15, 0
  br i1 %23, label %24, label %70

24:
  %25 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %26 = extractvalue { i32, i1 } %25, 1
  br i1 %26, label %27, label %69

27:
  br label %28

28:
  %29 = phi i32 [ %67, %66 ], [ %12, %27 ]
  %30 = phi i32 [ %40, %66 ], [ 0, %27 ]
  %31 = phi i32 [ %41, %66 ], [ 1, %27 ]
  %32 = icmp slt i32 %29, %8
  br i1 %32, label %33, label %68

33:
  %34 = urem i32 %29, %7
  %35 = udiv i32 %29, %7
  %36 = mul i32 %34, 128
  %37 = mul i32 %35, 64
  br label %38

38:
  %39 = phi i32 [ %65, %43 ], [ 0, %33 ]
  %40 = phi i32 [ %62, %43 ], [ %30, %33 ]
  %41 = phi i32 [ %64, %43 ], [ %31, %33 ]
  %42 = icmp slt i32 %39, %6
  br i1 %42, label %43, label %66

43:
  %44 = shl i32 %40, 3
  %45 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73728), i32 %44
  %46 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73752), i32 %44
  call void asm sideeffect "{\0A\09.reg .pred       P1; \0A\09LAB_WAIT: \0A\09mbarrier.try_wait.parity.shared.b64 P1, [$0], $1, $2; \0A\09@P1 bra.uni DONE; \0A\09bra.uni     LAB_WAIT; \0A\09DONE: \0A\09}", "r,r,r"(ptr addrspace(3) %46, i32 %41, i32 10000000)
  %47 = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) %45, i32 24576)
  %48 = shl i32 %39, 6
  %49 = mul i32 %40, 16384
  %50 = getelementptr i8, ptr addrspace(3) @dyn, i32 %49
  %51 = mul i32 %40, 8192
  %52 = add i32 %51, 49152
  %53 = getelementptr i8, ptr addrspace(3) @dyn, i32 %52
  %54 = addrspacecast ptr addrspace(3) %50 to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %54, ptr addrspace(3) %45, ptr %0, i32 %48, i32 %36, i16 0, i64 0, i1 false, i1 false, i32 0)
  %55 = mul i32 %20, 4096
  %56 = getelementptr i8, ptr addrspace(3) %53, i32 %55
  %57 = addrspacecast ptr addrspace(3) %56 to ptr addrspace(7)
  %58 = mul i32 %20, 32
  %59 = add i32 %37, %58
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %57, ptr addrspace(3) %45, ptr %1, i32 %48, i32 %59, i16 3, i64 0, i1 true, i1 false, i32 0)
  %60 = add i32 %40, 1
  %61 = icmp eq i32 %60, 3
  %62 = select i1 %61, i32 0, i32 %60
  %63 = xor i32 %41, 1
  %64 = select i1 %61, i32 %63, i32 %41
  %65 = add i32 %39, 1
  br label %38

66:
  %67 = add i32 %29, %13
  br label %28

68:
  br label %69

69:
  br label %70

70:
  br label %852

71:
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 232)
  %72 = sub i32 %16, 1
  %73 = and i32 %11, 31
  %74 = and i32 %15, 3
  %75 = and i32 %11, 127
  %76 = icmp eq i32 %75, 0
  %77 = mul i32 %72, 8192
  %78 = add i32 ptrtoint (ptr addrspace(3) @dyn to i32), %77
  br label %79

79:
  %80 = phi i32 [ %849, %848 ], [ %12, %71 ]
  %81 = phi i32 [ %213, %848 ], [ 0, %71 ]
  %82 = phi i32 [ %214, %848 ], [ 0, %71 ]
  %83 = icmp slt i32 %80, %8
  br i1 %83, label %84, label %850

84:
  %85 = shl i32 %81, 3
  %86 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73728), i32 %85
  call void asm sideeffect "{\0A\09.reg .pred       P1; \0A\09LAB_WAIT: \0A\09mbarrier.try_wait.parity.shared.b64 P1, [$0], $1, $2; \0A\09@P1 bra.uni DONE; \0A\09bra.uni     LAB_WAIT; \0A\09DONE: \0A\09}", "r,r,r"(ptr addrspace(3) %86, i32 %82, i32 10000000)
  %87 = mul i32 %81, 16384
  %88 = add i32 %78, %87
  %89 = lshr i32 %88, 4
  %90 = and i32 %89, 16383
  %91 = zext i32 %90 to i64
  %92 = or i64 %91, 4611686293305360384
  %93 = mul i32 %81, 8192
  %94 = add i32 add (i32 ptrtoint (ptr addrspace(3) @dyn to i32), i32 49152), %93
  %95 = lshr i32 %94, 4
  %96 = and i32 %95, 16383
  %97 = zext i32 %96 to i64
  %98 = or i64 %97, 4611686293305360384
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %99 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, i64 %92, i64 %98, i32 1, i32 1, i32 1, i32 0, i32 0)
  %100 = add i64 %92, 2
  %101 = add i64 %98, 2
  %102 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 0
  %103 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 1
  %104 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 2
  %105 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 3
  %106 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 4
  %107 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 5
  %108 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 6
  %109 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 7
  %110 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 8
  %111 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 9
  %112 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 10
  %113 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 11
  %114 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 12
  %115 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 13
  %116 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 14
  %117 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 15
  %118 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 16
  %119 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 17
  %120 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 18
  %121 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 19
  %122 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 20
  %123 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 21
  %124 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 22
  %125 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 23
  %126 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 24
  %127 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 25
  %128 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 26
  %129 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 27
  %130 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 28
  %131 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 29
  %132 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 30
  %133 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %99, 31
  %134 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %102, float %103, float %104, float %105, float %106, float %107, float %108, float %109, float %110, float %111, float %112, float %113, float %114, float %115, float %116, float %117, float %118, float %119, float %120, float %121, float %122, float %123, float %124, float %125, float %126, float %127, float %128, float %129, float %130, float %131, float %132, float %133, i64 %100, i64 %101, i32 1, i32 1, i32 1, i32 0, i32 0)
  %135 = add i64 %92, 4
  %136 = add i64 %98, 4
  %137 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 0
  %138 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 1
  %139 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 2
  %140 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 3
  %141 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 4
  %142 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 5
  %143 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 6
  %144 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 7
  %145 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 8
  %146 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 9
  %147 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 10
  %148 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 11
  %149 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 12
  %150 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 13
  %151 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 14
  %152 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 15
  %153 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 16
  %154 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 17
  %155 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 18
  %156 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 19
  %157 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 20
  %158 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 21
  %159 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 22
  %160 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 23
  %161 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 24
  %162 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 25
  %163 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 26
  %164 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 27
  %165 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 28
  %166 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 29
  %167 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 30
  %168 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %134, 31
  %169 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %137, float %138, float %139, float %140, float %141, float %142, float %143, float %144, float %145, float %146, float %147, float %148, float %149, float %150, float %151, float %152, float %153, float %154, float %155, float %156, float %157, float %158, float %159, float %160, float %161, float %162, float %163, float %164, float %165, float %166, float %167, float %168, i64 %135, i64 %136, i32 1, i32 1, i32 1, i32 0, i32 0)
  %170 = add i64 %92, 6
  %171 = add i64 %98, 6
  %172 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 0
  %173 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 1
  %174 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 2
  %175 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 3
  %176 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 4
  %177 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 5
  %178 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 6
  %179 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 7
  %180 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 8
  %181 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 9
  %182 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 10
  %183 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 11
  %184 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 12
  %185 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 13
  %186 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 14
  %187 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 15
  %188 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 16
  %189 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 17
  %190 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 18
  %191 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 19
  %192 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 20
  %193 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 21
  %194 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 22
  %195 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 23
  %196 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 24
  %197 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 25
  %198 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 26
  %199 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 27
  %200 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 28
  %201 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 29
  %202 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 30
  %203 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %169, 31
  %204 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %172, float %173, float %174, float %175, float %176, float %177, float %178, float %179, float %180, float %181, float %182, float %183, float %184, float %185, float %186, float %187, float %188, float %189, float %190, float %191, float %192, float %193, float %194, float %195, float %196, float %197, float %198, float %199, float %200, float %201, float %202, float %203, i64 %170, i64 %171, i32 1, i32 1, i32 1, i32 0, i32 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %205 = add i32 %81, 1
  %206 = icmp eq i32 %205, 3
  %207 = select i1 %206, i32 0, i32 %205
  %208 = xor i32 %82, 1
  %209 = select i1 %206, i32 %208, i32 %82
  br label %210

210:
  %211 = phi i32 [ %381, %375 ], [ 1, %84 ]
  %212 = phi { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } [ %369, %375 ], [ %204, %84 ]
  %213 = phi i32 [ %378, %375 ], [ %207, %84 ]
  %214 = phi i32 [ %380, %375 ], [ %209, %84 ]
  %215 = phi i32 [ %213, %375 ], [ %81, %84 ]
  %216 = icmp slt i32 %211, %6
  br i1 %216, label %217, label %382

217:
  %218 = shl i32 %213, 3
  %219 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73728), i32 %218
  call void asm sideeffect "{\0A\09.reg .pred       P1; \0A\09LAB_WAIT: \0A\09mbarrier.try_wait.parity.shared.b64 P1, [$0], $1, $2; \0A\09@P1 bra.uni DONE; \0A\09bra.uni     LAB_WAIT; \0A\09DONE: \0A\09}", "r,r,r"(ptr addrspace(3) %219, i32 %214, i32 10000000)
  %220 = mul i32 %213, 16384
  %221 = add i32 %78, %220
  %222 = lshr i32 %221, 4
  %223 = and i32 %222, 16383
  %224 = zext i32 %223 to i64
  %225 = or i64 %224, 4611686293305360384
  %226 = mul i32 %213, 8192
  %227 = add i32 add (i32 ptrtoint (ptr addrspace(3) @dyn to i32), i32 49152), %226
  %228 = lshr i32 %227, 4
  %229 = and i32 %228, 16383
  %230 = zext i32 %229 to i64
  %231 = or i64 %230, 4611686293305360384
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %232 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 0
  %233 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 1
  %234 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 2
  %235 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 3
  %236 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 4
  %237 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 5
  %238 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 6
  %239 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 7
  %240 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 8
  %241 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 9
  %242 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 10
  %243 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 11
  %244 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 12
  %245 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 13
  %246 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 14
  %247 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 15
  %248 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 16
  %249 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 17
  %250 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 18
  %251 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 19
  %252 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 20
  %253 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 21
  %254 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 22
  %255 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 23
  %256 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 24
  %257 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 25
  %258 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 26
  %259 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 27
  %260 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 28
  %261 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 29
  %262 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 30
  %263 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 31
  %264 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %232, float %233, float %234, float %235, float %236, float %237, float %238, float %239, float %240, float %241, float %242, float %243, float %244, float %245, float %246, float %247, float %248, float %249, float %250, float %251, float %252, float %253, float %254, float %255, float %256, float %257, float %258, float %259, float %260, float %261, float %262, float %263, i64 %225, i64 %231, i32 1, i32 1, i32 1, i32 0, i32 0)
  %265 = add i64 %225, 2
  %266 = add i64 %231, 2
  %267 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 0
  %268 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 1
  %269 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 2
  %270 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 3
  %271 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 4
  %272 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 5
  %273 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 6
  %274 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 7
  %275 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 8
  %276 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 9
  %277 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 10
  %278 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 11
  %279 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 12
  %280 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 13
  %281 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 14
  %282 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 15
  %283 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 16
  %284 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 17
  %285 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 18
  %286 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 19
  %287 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 20
  %288 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 21
  %289 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 22
  %290 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 23
  %291 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 24
  %292 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 25
  %293 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 26
  %294 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 27
  %295 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 28
  %296 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 29
  %297 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 30
  %298 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %264, 31
  %299 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %267, float %268, float %269, float %270, float %271, float %272, float %273, float %274, float %275, float %276, float %277, float %278, float %279, float %280, float %281, float %282, float %283, float %284, float %285, float %286, float %287, float %288, float %289, float %290, float %291, float %292, float %293, float %294, float %295, float %296, float %297, float %298, i64 %265, i64 %266, i32 1, i32 1, i32 1, i32 0, i32 0)
  %300 = add i64 %225, 4
  %301 = add i64 %231, 4
  %302 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 0
  %303 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 1
  %304 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 2
  %305 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 3
  %306 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 4
  %307 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 5
  %308 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 6
  %309 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 7
  %310 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 8
  %311 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 9
  %312 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 10
  %313 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 11
  %314 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 12
  %315 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 13
  %316 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 14
  %317 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 15
  %318 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 16
  %319 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 17
  %320 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 18
  %321 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 19
  %322 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 20
  %323 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 21
  %324 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 22
  %325 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 23
  %326 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 24
  %327 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 25
  %328 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 26
  %329 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 27
  %330 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 28
  %331 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 29
  %332 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 30
  %333 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %299, 31
  %334 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %302, float %303, float %304, float %305, float %306, float %307, float %308, float %309, float %310, float %311, float %312, float %313, float %314, float %315, float %316, float %317, float %318, float %319, float %320, float %321, float %322, float %323, float %324, float %325, float %326, float %327, float %328, float %329, float %330, float %331, float %332, float %333, i64 %300, i64 %301, i32 1, i32 1, i32 1, i32 0, i32 0)
  %335 = add i64 %225, 6
  %336 = add i64 %231, 6
  %337 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 0
  %338 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 1
  %339 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 2
  %340 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 3
  %341 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 4
  %342 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 5
  %343 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 6
  %344 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 7
  %345 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 8
  %346 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 9
  %347 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 10
  %348 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 11
  %349 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 12
  %350 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 13
  %351 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 14
  %352 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 15
  %353 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 16
  %354 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 17
  %355 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 18
  %356 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 19
  %357 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 20
  %358 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 21
  %359 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 22
  %360 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 23
  %361 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 24
  %362 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 25
  %363 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 26
  %364 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 27
  %365 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 28
  %366 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 29
  %367 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 30
  %368 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %334, 31
  %369 = call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $66, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, p, $67,  $68, $69,  $70;\0A}\0A", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,n,n,n,n,n"(float %337, float %338, float %339, float %340, float %341, float %342, float %343, float %344, float %345, float %346, float %347, float %348, float %349, float %350, float %351, float %352, float %353, float %354, float %355, float %356, float %357, float %358, float %359, float %360, float %361, float %362, float %363, float %364, float %365, float %366, float %367, float %368, i64 %335, i64 %336, i32 1, i32 1, i32 1, i32 0, i32 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %370 = shl i32 %215, 3
  %371 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73752), i32 %370
  %372 = icmp ult i32 %75, 2
  br i1 %372, label %373, label %375

373:
  %374 = ptrtoint ptr addrspace(3) %371 to i32
  call void asm sideeffect "{ .reg .b32 ra; mapa.shared::cluster.u32 ra, $0, $1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [ra]; }", "r,r"(i32 %374, i32 %75)
  br label %375

375:
  %376 = add i32 %213, 1
  %377 = icmp eq i32 %376, 3
  %378 = select i1 %377, i32 0, i32 %376
  %379 = xor i32 %214, 1
  %380 = select i1 %377, i32 %379, i32 %214
  %381 = add i32 %211, 1
  br label %210

382:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %383 = shl i32 %215, 3
  %384 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @dyn, i64 73752), i32 %383
  %385 = icmp ult i32 %75, 2
  br i1 %385, label %386, label %388

386:
  %387 = ptrtoint ptr addrspace(3) %384 to i32
  call void asm sideeffect "{ .reg .b32 ra; mapa.shared::cluster.u32 ra, $0, $1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [ra]; }", "r,r"(i32 %387, i32 %75)
  br label %388

388:
  %389 = urem i32 %80, %7
  %390 = udiv i32 %80, %7
  %391 = mul i32 %389, 128
  %392 = mul i32 %72, 64
  %393 = add i32 %391, %392
  %394 = mul i32 %390, 64
  %395 = mul i32 %74, 16
  %396 = lshr i32 %73, 2
  %397 = add i32 %395, %396
  %398 = add i32 %393, %397
  %399 = and i32 %73, 3
  %400 = shl i32 %399, 1
  %401 = add i32 %77, 74752
  %402 = getelementptr i8, ptr addrspace(3) @dyn, i32 %401
  %403 = getelementptr float, ptr addrspace(1) %3, i32 %398
  %404 = load float, ptr addrspace(1) %403, align 4
  %405 = add i32 %398, 8
  %406 = getelementptr float, ptr addrspace(1) %3, i32 %405
  %407 = load float, ptr addrspace(1) %406, align 4
  %408 = and i32 %73, 7
  %409 = lshr i32 %73, 3
  %410 = and i32 %409, 1
  %411 = shl i32 %410, 3
  %412 = add i32 %408, %411
  %413 = add i32 %395, %412
  %414 = lshr i32 %73, 4
  %415 = and i32 %413, 7
  %416 = shl i32 %413, 7
  br i1 %76, label %417, label %418

417:
  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)
  br label %418

418:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %16, i32 128)
  %419 = add i32 %394, %400
  %420 = getelementptr float, ptr addrspace(1) %4, i32 %419
  %421 = load float, ptr addrspace(1) %420, align 4
  %422 = add i32 %419, 1
  %423 = getelementptr float, ptr addrspace(1) %4, i32 %422
  %424 = load float, ptr addrspace(1) %423, align 4
  %425 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 0
  %426 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 1
  %427 = call float @llvm.fma.f32(float %425, float %404, float %421)
  %428 = fmul float %427, 5.000000e-01
  %429 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %428)
  %430 = call float @llvm.fma.f32(float %428, float %429, float %428)
  %431 = call float @llvm.fma.f32(float %426, float %404, float %424)
  %432 = fmul float %431, 5.000000e-01
  %433 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %432)
  %434 = call float @llvm.fma.f32(float %432, float %433, float %432)
  %435 = mul i32 %398, %9
  %436 = add i32 %435, %419
  %437 = getelementptr bfloat, ptr addrspace(1) %5, i32 %436
  %438 = load <2 x bfloat>, ptr addrspace(1) %437, align 4
  %439 = fpext <2 x bfloat> %438 to <2 x float>
  %440 = extractelement <2 x float> %439, i64 0
  %441 = extractelement <2 x float> %439, i64 1
  %442 = fadd float %430, %440
  %443 = fadd float %434, %441
  %444 = insertelement <2 x float> poison, float %442, i64 0
  %445 = insertelement <2 x float> %444, float %443, i64 1
  %446 = fptrunc <2 x float> %445 to <2 x bfloat>
  %447 = bitcast <2 x bfloat> %446 to i32
  %448 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 2
  %449 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 3
  %450 = call float @llvm.fma.f32(float %448, float %407, float %421)
  %451 = fmul float %450, 5.000000e-01
  %452 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %451)
  %453 = call float @llvm.fma.f32(float %451, float %452, float %451)
  %454 = call float @llvm.fma.f32(float %449, float %407, float %424)
  %455 = fmul float %454, 5.000000e-01
  %456 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %455)
  %457 = call float @llvm.fma.f32(float %455, float %456, float %455)
  %458 = mul i32 %405, %9
  %459 = add i32 %458, %419
  %460 = getelementptr bfloat, ptr addrspace(1) %5, i32 %459
  %461 = load <2 x bfloat>, ptr addrspace(1) %460, align 4
  %462 = fpext <2 x bfloat> %461 to <2 x float>
  %463 = extractelement <2 x float> %462, i64 0
  %464 = extractelement <2 x float> %462, i64 1
  %465 = fadd float %453, %463
  %466 = fadd float %457, %464
  %467 = insertelement <2 x float> poison, float %465, i64 0
  %468 = insertelement <2 x float> %467, float %466, i64 1
  %469 = fptrunc <2 x float> %468 to <2 x bfloat>
  %470 = bitcast <2 x bfloat> %469 to i32
  %471 = add i32 %400, 8
  %472 = add i32 %394, %471
  %473 = getelementptr float, ptr addrspace(1) %4, i32 %472
  %474 = load float, ptr addrspace(1) %473, align 4
  %475 = add i32 %472, 1
  %476 = getelementptr float, ptr addrspace(1) %4, i32 %475
  %477 = load float, ptr addrspace(1) %476, align 4
  %478 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 4
  %479 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 5
  %480 = call float @llvm.fma.f32(float %478, float %404, float %474)
  %481 = fmul float %480, 5.000000e-01
  %482 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %481)
  %483 = call float @llvm.fma.f32(float %481, float %482, float %481)
  %484 = call float @llvm.fma.f32(float %479, float %404, float %477)
  %485 = fmul float %484, 5.000000e-01
  %486 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %485)
  %487 = call float @llvm.fma.f32(float %485, float %486, float %485)
  %488 = add i32 %435, %472
  %489 = getelementptr bfloat, ptr addrspace(1) %5, i32 %488
  %490 = load <2 x bfloat>, ptr addrspace(1) %489, align 4
  %491 = fpext <2 x bfloat> %490 to <2 x float>
  %492 = extractelement <2 x float> %491, i64 0
  %493 = extractelement <2 x float> %491, i64 1
  %494 = fadd float %483, %492
  %495 = fadd float %487, %493
  %496 = insertelement <2 x float> poison, float %494, i64 0
  %497 = insertelement <2 x float> %496, float %495, i64 1
  %498 = fptrunc <2 x float> %497 to <2 x bfloat>
  %499 = bitcast <2 x bfloat> %498 to i32
  %500 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 6
  %501 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 7
  %502 = call float @llvm.fma.f32(float %500, float %407, float %474)
  %503 = fmul float %502, 5.000000e-01
  %504 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %503)
  %505 = call float @llvm.fma.f32(float %503, float %504, float %503)
  %506 = call float @llvm.fma.f32(float %501, float %407, float %477)
  %507 = fmul float %506, 5.000000e-01
  %508 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %507)
  %509 = call float @llvm.fma.f32(float %507, float %508, float %507)
  %510 = add i32 %458, %472
  %511 = getelementptr bfloat, ptr addrspace(1) %5, i32 %510
  %512 = load <2 x bfloat>, ptr addrspace(1) %511, align 4
  %513 = fpext <2 x bfloat> %512 to <2 x float>
  %514 = extractelement <2 x float> %513, i64 0
  %515 = extractelement <2 x float> %513, i64 1
  %516 = fadd float %505, %514
  %517 = fadd float %509, %515
  %518 = insertelement <2 x float> poison, float %516, i64 0
  %519 = insertelement <2 x float> %518, float %517, i64 1
  %520 = fptrunc <2 x float> %519 to <2 x bfloat>
  %521 = bitcast <2 x bfloat> %520 to i32
  %522 = xor i32 %414, %415
  %523 = shl i32 %522, 4
  %524 = add i32 %416, %523
  %525 = getelementptr i8, ptr addrspace(3) %402, i32 %524
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %525, i32 %447, i32 %470, i32 %499, i32 %521)
  %526 = add i32 %400, 16
  %527 = add i32 %394, %526
  %528 = getelementptr float, ptr addrspace(1) %4, i32 %527
  %529 = load float, ptr addrspace(1) %528, align 4
  %530 = add i32 %527, 1
  %531 = getelementptr float, ptr addrspace(1) %4, i32 %530
  %532 = load float, ptr addrspace(1) %531, align 4
  %533 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 8
  %534 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 9
  %535 = call float @llvm.fma.f32(float %533, float %404, float %529)
  %536 = fmul float %535, 5.000000e-01
  %537 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %536)
  %538 = call float @llvm.fma.f32(float %536, float %537, float %536)
  %539 = call float @llvm.fma.f32(float %534, float %404, float %532)
  %540 = fmul float %539, 5.000000e-01
  %541 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %540)
  %542 = call float @llvm.fma.f32(float %540, float %541, float %540)
  %543 = add i32 %435, %527
  %544 = getelementptr bfloat, ptr addrspace(1) %5, i32 %543
  %545 = load <2 x bfloat>, ptr addrspace(1) %544, align 4
  %546 = fpext <2 x bfloat> %545 to <2 x float>
  %547 = extractelement <2 x float> %546, i64 0
  %548 = extractelement <2 x float> %546, i64 1
  %549 = fadd float %538, %547
  %550 = fadd float %542, %548
  %551 = insertelement <2 x float> poison, float %549, i64 0
  %552 = insertelement <2 x float> %551, float %550, i64 1
  %553 = fptrunc <2 x float> %552 to <2 x bfloat>
  %554 = bitcast <2 x bfloat> %553 to i32
  %555 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 10
  %556 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 11
  %557 = call float @llvm.fma.f32(float %555, float %407, float %529)
  %558 = fmul float %557, 5.000000e-01
  %559 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %558)
  %560 = call float @llvm.fma.f32(float %558, float %559, float %558)
  %561 = call float @llvm.fma.f32(float %556, float %407, float %532)
  %562 = fmul float %561, 5.000000e-01
  %563 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %562)
  %564 = call float @llvm.fma.f32(float %562, float %563, float %562)
  %565 = add i32 %458, %527
  %566 = getelementptr bfloat, ptr addrspace(1) %5, i32 %565
  %567 = load <2 x bfloat>, ptr addrspace(1) %566, align 4
  %568 = fpext <2 x bfloat> %567 to <2 x float>
  %569 = extractelement <2 x float> %568, i64 0
  %570 = extractelement <2 x float> %568, i64 1
  %571 = fadd float %560, %569
  %572 = fadd float %564, %570
  %573 = insertelement <2 x float> poison, float %571, i64 0
  %574 = insertelement <2 x float> %573, float %572, i64 1
  %575 = fptrunc <2 x float> %574 to <2 x bfloat>
  %576 = bitcast <2 x bfloat> %575 to i32
  %577 = add i32 %400, 24
  %578 = add i32 %394, %577
  %579 = getelementptr float, ptr addrspace(1) %4, i32 %578
  %580 = load float, ptr addrspace(1) %579, align 4
  %581 = add i32 %578, 1
  %582 = getelementptr float, ptr addrspace(1) %4, i32 %581
  %583 = load float, ptr addrspace(1) %582, align 4
  %584 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 12
  %585 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 13
  %586 = call float @llvm.fma.f32(float %584, float %404, float %580)
  %587 = fmul float %586, 5.000000e-01
  %588 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %587)
  %589 = call float @llvm.fma.f32(float %587, float %588, float %587)
  %590 = call float @llvm.fma.f32(float %585, float %404, float %583)
  %591 = fmul float %590, 5.000000e-01
  %592 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %591)
  %593 = call float @llvm.fma.f32(float %591, float %592, float %591)
  %594 = add i32 %435, %578
  %595 = getelementptr bfloat, ptr addrspace(1) %5, i32 %594
  %596 = load <2 x bfloat>, ptr addrspace(1) %595, align 4
  %597 = fpext <2 x bfloat> %596 to <2 x float>
  %598 = extractelement <2 x float> %597, i64 0
  %599 = extractelement <2 x float> %597, i64 1
  %600 = fadd float %589, %598
  %601 = fadd float %593, %599
  %602 = insertelement <2 x float> poison, float %600, i64 0
  %603 = insertelement <2 x float> %602, float %601, i64 1
  %604 = fptrunc <2 x float> %603 to <2 x bfloat>
  %605 = bitcast <2 x bfloat> %604 to i32
  %606 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 14
  %607 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 15
  %608 = call float @llvm.fma.f32(float %606, float %407, float %580)
  %609 = fmul float %608, 5.000000e-01
  %610 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %609)
  %611 = call float @llvm.fma.f32(float %609, float %610, float %609)
  %612 = call float @llvm.fma.f32(float %607, float %407, float %583)
  %613 = fmul float %612, 5.000000e-01
  %614 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %613)
  %615 = call float @llvm.fma.f32(float %613, float %614, float %613)
  %616 = add i32 %458, %578
  %617 = getelementptr bfloat, ptr addrspace(1) %5, i32 %616
  %618 = load <2 x bfloat>, ptr addrspace(1) %617, align 4
  %619 = fpext <2 x bfloat> %618 to <2 x float>
  %620 = extractelement <2 x float> %619, i64 0
  %621 = extractelement <2 x float> %619, i64 1
  %622 = fadd float %611, %620
  %623 = fadd float %615, %621
  %624 = insertelement <2 x float> poison, float %622, i64 0
  %625 = insertelement <2 x float> %624, float %623, i64 1
  %626 = fptrunc <2 x float> %625 to <2 x bfloat>
  %627 = bitcast <2 x bfloat> %626 to i32
  %628 = add i32 %414, 2
  %629 = xor i32 %628, %415
  %630 = shl i32 %629, 4
  %631 = add i32 %416, %630
  %632 = getelementptr i8, ptr addrspace(3) %402, i32 %631
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %632, i32 %554, i32 %576, i32 %605, i32 %627)
  %633 = add i32 %400, 32
  %634 = add i32 %394, %633
  %635 = getelementptr float, ptr addrspace(1) %4, i32 %634
  %636 = load float, ptr addrspace(1) %635, align 4
  %637 = add i32 %634, 1
  %638 = getelementptr float, ptr addrspace(1) %4, i32 %637
  %639 = load float, ptr addrspace(1) %638, align 4
  %640 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 16
  %641 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 17
  %642 = call float @llvm.fma.f32(float %640, float %404, float %636)
  %643 = fmul float %642, 5.000000e-01
  %644 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %643)
  %645 = call float @llvm.fma.f32(float %643, float %644, float %643)
  %646 = call float @llvm.fma.f32(float %641, float %404, float %639)
  %647 = fmul float %646, 5.000000e-01
  %648 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %647)
  %649 = call float @llvm.fma.f32(float %647, float %648, float %647)
  %650 = add i32 %435, %634
  %651 = getelementptr bfloat, ptr addrspace(1) %5, i32 %650
  %652 = load <2 x bfloat>, ptr addrspace(1) %651, align 4
  %653 = fpext <2 x bfloat> %652 to <2 x float>
  %654 = extractelement <2 x float> %653, i64 0
  %655 = extractelement <2 x float> %653, i64 1
  %656 = fadd float %645, %654
  %657 = fadd float %649, %655
  %658 = insertelement <2 x float> poison, float %656, i64 0
  %659 = insertelement <2 x float> %658, float %657, i64 1
  %660 = fptrunc <2 x float> %659 to <2 x bfloat>
  %661 = bitcast <2 x bfloat> %660 to i32
  %662 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 18
  %663 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 19
  %664 = call float @llvm.fma.f32(float %662, float %407, float %636)
  %665 = fmul float %664, 5.000000e-01
  %666 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %665)
  %667 = call float @llvm.fma.f32(float %665, float %666, float %665)
  %668 = call float @llvm.fma.f32(float %663, float %407, float %639)
  %669 = fmul float %668, 5.000000e-01
  %670 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %669)
  %671 = call float @llvm.fma.f32(float %669, float %670, float %669)
  %672 = add i32 %458, %634
  %673 = getelementptr bfloat, ptr addrspace(1) %5, i32 %672
  %674 = load <2 x bfloat>, ptr addrspace(1) %673, align 4
  %675 = fpext <2 x bfloat> %674 to <2 x float>
  %676 = extractelement <2 x float> %675, i64 0
  %677 = extractelement <2 x float> %675, i64 1
  %678 = fadd float %667, %676
  %679 = fadd float %671, %677
  %680 = insertelement <2 x float> poison, float %678, i64 0
  %681 = insertelement <2 x float> %680, float %679, i64 1
  %682 = fptrunc <2 x float> %681 to <2 x bfloat>
  %683 = bitcast <2 x bfloat> %682 to i32
  %684 = add i32 %400, 40
  %685 = add i32 %394, %684
  %686 = getelementptr float, ptr addrspace(1) %4, i32 %685
  %687 = load float, ptr addrspace(1) %686, align 4
  %688 = add i32 %685, 1
  %689 = getelementptr float, ptr addrspace(1) %4, i32 %688
  %690 = load float, ptr addrspace(1) %689, align 4
  %691 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 20
  %692 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 21
  %693 = call float @llvm.fma.f32(float %691, float %404, float %687)
  %694 = fmul float %693, 5.000000e-01
  %695 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %694)
  %696 = call float @llvm.fma.f32(float %694, float %695, float %694)
  %697 = call float @llvm.fma.f32(float %692, float %404, float %690)
  %698 = fmul float %697, 5.000000e-01
  %699 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %698)
  %700 = call float @llvm.fma.f32(float %698, float %699, float %698)
  %701 = add i32 %435, %685
  %702 = getelementptr bfloat, ptr addrspace(1) %5, i32 %701
  %703 = load <2 x bfloat>, ptr addrspace(1) %702, align 4
  %704 = fpext <2 x bfloat> %703 to <2 x float>
  %705 = extractelement <2 x float> %704, i64 0
  %706 = extractelement <2 x float> %704, i64 1
  %707 = fadd float %696, %705
  %708 = fadd float %700, %706
  %709 = insertelement <2 x float> poison, float %707, i64 0
  %710 = insertelement <2 x float> %709, float %708, i64 1
  %711 = fptrunc <2 x float> %710 to <2 x bfloat>
  %712 = bitcast <2 x bfloat> %711 to i32
  %713 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 22
  %714 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 23
  %715 = call float @llvm.fma.f32(float %713, float %407, float %687)
  %716 = fmul float %715, 5.000000e-01
  %717 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %716)
  %718 = call float @llvm.fma.f32(float %716, float %717, float %716)
  %719 = call float @llvm.fma.f32(float %714, float %407, float %690)
  %720 = fmul float %719, 5.000000e-01
  %721 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %720)
  %722 = call float @llvm.fma.f32(float %720, float %721, float %720)
  %723 = add i32 %458, %685
  %724 = getelementptr bfloat, ptr addrspace(1) %5, i32 %723
  %725 = load <2 x bfloat>, ptr addrspace(1) %724, align 4
  %726 = fpext <2 x bfloat> %725 to <2 x float>
  %727 = extractelement <2 x float> %726, i64 0
  %728 = extractelement <2 x float> %726, i64 1
  %729 = fadd float %718, %727
  %730 = fadd float %722, %728
  %731 = insertelement <2 x float> poison, float %729, i64 0
  %732 = insertelement <2 x float> %731, float %730, i64 1
  %733 = fptrunc <2 x float> %732 to <2 x bfloat>
  %734 = bitcast <2 x bfloat> %733 to i32
  %735 = add i32 %414, 4
  %736 = xor i32 %735, %415
  %737 = shl i32 %736, 4
  %738 = add i32 %416, %737
  %739 = getelementptr i8, ptr addrspace(3) %402, i32 %738
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %739, i32 %661, i32 %683, i32 %712, i32 %734)
  %740 = add i32 %400, 48
  %741 = add i32 %394, %740
  %742 = getelementptr float, ptr addrspace(1) %4, i32 %741
  %743 = load float, ptr addrspace(1) %742, align 4
  %744 = add i32 %741, 1
  %745 = getelementptr float, ptr addrspace(1) %4, i32 %744
  %746 = load float, ptr addrspace(1) %745, align 4
  %747 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 24
  %748 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 25
  %749 = call float @llvm.fma.f32(float %747, float %404, float %743)
  %750 = fmul float %749, 5.000000e-01
  %751 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %750)
  %752 = call float @llvm.fma.f32(float %750, float %751, float %750)
  %753 = call float @llvm.fma.f32(float %748, float %404, float %746)
  %754 = fmul float %753, 5.000000e-01
  %755 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %754)
  %756 = call float @llvm.fma.f32(float %754, float %755, float %754)
  %757 = add i32 %435, %741
  %758 = getelementptr bfloat, ptr addrspace(1) %5, i32 %757
  %759 = load <2 x bfloat>, ptr addrspace(1) %758, align 4
  %760 = fpext <2 x bfloat> %759 to <2 x float>
  %761 = extractelement <2 x float> %760, i64 0
  %762 = extractelement <2 x float> %760, i64 1
  %763 = fadd float %752, %761
  %764 = fadd float %756, %762
  %765 = insertelement <2 x float> poison, float %763, i64 0
  %766 = insertelement <2 x float> %765, float %764, i64 1
  %767 = fptrunc <2 x float> %766 to <2 x bfloat>
  %768 = bitcast <2 x bfloat> %767 to i32
  %769 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 26
  %770 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 27
  %771 = call float @llvm.fma.f32(float %769, float %407, float %743)
  %772 = fmul float %771, 5.000000e-01
  %773 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %772)
  %774 = call float @llvm.fma.f32(float %772, float %773, float %772)
  %775 = call float @llvm.fma.f32(float %770, float %407, float %746)
  %776 = fmul float %775, 5.000000e-01
  %777 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %776)
  %778 = call float @llvm.fma.f32(float %776, float %777, float %776)
  %779 = add i32 %458, %741
  %780 = getelementptr bfloat, ptr addrspace(1) %5, i32 %779
  %781 = load <2 x bfloat>, ptr addrspace(1) %780, align 4
  %782 = fpext <2 x bfloat> %781 to <2 x float>
  %783 = extractelement <2 x float> %782, i64 0
  %784 = extractelement <2 x float> %782, i64 1
  %785 = fadd float %774, %783
  %786 = fadd float %778, %784
  %787 = insertelement <2 x float> poison, float %785, i64 0
  %788 = insertelement <2 x float> %787, float %786, i64 1
  %789 = fptrunc <2 x float> %788 to <2 x bfloat>
  %790 = bitcast <2 x bfloat> %789 to i32
  %791 = add i32 %400, 56
  %792 = add i32 %394, %791
  %793 = getelementptr float, ptr addrspace(1) %4, i32 %792
  %794 = load float, ptr addrspace(1) %793, align 4
  %795 = add i32 %792, 1
  %796 = getelementptr float, ptr addrspace(1) %4, i32 %795
  %797 = load float, ptr addrspace(1) %796, align 4
  %798 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 28
  %799 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 29
  %800 = call float @llvm.fma.f32(float %798, float %404, float %794)
  %801 = fmul float %800, 5.000000e-01
  %802 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %801)
  %803 = call float @llvm.fma.f32(float %801, float %802, float %801)
  %804 = call float @llvm.fma.f32(float %799, float %404, float %797)
  %805 = fmul float %804, 5.000000e-01
  %806 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %805)
  %807 = call float @llvm.fma.f32(float %805, float %806, float %805)
  %808 = add i32 %435, %792
  %809 = getelementptr bfloat, ptr addrspace(1) %5, i32 %808
  %810 = load <2 x bfloat>, ptr addrspace(1) %809, align 4
  %811 = fpext <2 x bfloat> %810 to <2 x float>
  %812 = extractelement <2 x float> %811, i64 0
  %813 = extractelement <2 x float> %811, i64 1
  %814 = fadd float %803, %812
  %815 = fadd float %807, %813
  %816 = insertelement <2 x float> poison, float %814, i64 0
  %817 = insertelement <2 x float> %816, float %815, i64 1
  %818 = fptrunc <2 x float> %817 to <2 x bfloat>
  %819 = bitcast <2 x bfloat> %818 to i32
  %820 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 30
  %821 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %212, 31
  %822 = call float @llvm.fma.f32(float %820, float %407, float %794)
  %823 = fmul float %822, 5.000000e-01
  %824 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %823)
  %825 = call float @llvm.fma.f32(float %823, float %824, float %823)
  %826 = call float @llvm.fma.f32(float %821, float %407, float %797)
  %827 = fmul float %826, 5.000000e-01
  %828 = call float asm sideeffect "tanh.approx.f32 $0, $1;", "=f,f"(float %827)
  %829 = call float @llvm.fma.f32(float %827, float %828, float %827)
  %830 = add i32 %458, %792
  %831 = getelementptr bfloat, ptr addrspace(1) %5, i32 %830
  %832 = load <2 x bfloat>, ptr addrspace(1) %831, align 4
  %833 = fpext <2 x bfloat> %832 to <2 x float>
  %834 = extractelement <2 x float> %833, i64 0
  %835 = extractelement <2 x float> %833, i64 1
  %836 = fadd float %825, %834
  %837 = fadd float %829, %835
  %838 = insertelement <2 x float> poison, float %836, i64 0
  %839 = insertelement <2 x float> %838, float %837, i64 1
  %840 = fptrunc <2 x float> %839 to <2 x bfloat>
  %841 = bitcast <2 x bfloat> %840 to i32
  %842 = add i32 %414, 6
  %843 = xor i32 %842, %415
  %844 = shl i32 %843, 4
  %845 = add i32 %416, %844
  %846 = getelementptr i8, ptr addrspace(3) %402, i32 %845
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %846, i32 %768, i32 %790, i32 %819, i32 %841)
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %16, i32 128)
  br i1 %76, label %847, label %848

847:
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) %402, ptr %2, i32 %394, i32 %393, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  br label %848

848:
  %849 = add i32 %80, %13
  br label %79

850:
  br i1 %76, label %851, label %70

851:
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %70

852:
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
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
declare void @llvm.nvvm.barrier.cluster.arrive.aligned() #3

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cluster.wait.aligned() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank() #1

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

attributes #0 = { "nvvm.cluster_dim"="2,1,1" "nvvm.minctasm"="1" "nvvm.reqntid"="384,1,1" }
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
