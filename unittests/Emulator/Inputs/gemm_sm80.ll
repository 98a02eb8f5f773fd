
@dyn = external addrspace(3) global [0 x i8], align 1024

define ptx_kernel void @gemm80(ptr addrspace(1) align 16 %0, ptr addrspace(1) align 16 %1, ptr addrspace(1) align 16 %2, i32 %3, i32 %4) #0 {
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %9 = and i32 %6, 31
  %10 = lshr i32 %6, 5
  %11 = and i32 %10, 1
  %12 = udiv i32 %10, 2
  %13 = mul i32 %8, 128
  %14 = mul i32 %7, 128
  %15 = lshr i32 %3, 5
  %16 = lshr i32 %6, 2
  %17 = and i32 %6, 3
  %18 = shl i32 %16, 6
  %19 = lshr i32 %16, 1
  %20 = and i32 %19, 3
  %21 = xor i32 %17, %20
  %22 = shl i32 %21, 4
  %23 = add i32 %18, %22
  %24 = add i32 %13, %16
  %25 = mul i32 %24, %3
  %26 = shl i32 %17, 3
  %27 = add i32 %25, %26
  %28 = sext i32 %27 to i64
  %29 = getelementptr bfloat, ptr addrspace(1) %0, i64 %28
  %30 = getelementptr i8, ptr addrspace(3) @dyn, i32 %23
  %31 = add i32 %16, 64
  %32 = shl i32 %31, 6
  %33 = lshr i32 %31, 1
  %34 = and i32 %33, 3
  %35 = xor i32 %17, %34
  %36 = shl i32 %35, 4
  %37 = add i32 %32, %36
  %38 = add i32 %13, %31
  %39 = mul i32 %38, %3
  %40 = add i32 %39, %26
  %41 = sext i32 %40 to i64
  %42 = getelementptr bfloat, ptr addrspace(1) %0, i64 %41
  %43 = getelementptr i8, ptr addrspace(3) @dyn, i32 %37
  %44 = add i32 %23, 24576
  %45 = add i32 %14, %16
  %46 = mul i32 %45, %3
  %47 = add i32 %46, %26
  %48 = sext i32 %47 to i64
  %49 = getelementptr bfloat, ptr addrspace(1) %1, i64 %48
  %50 = getelementptr i8, ptr addrspace(3) @dyn, i32 %44
  %51 = add i32 %37, 24576
  %52 = add i32 %14, %31
  %53 = mul i32 %52, %3
  %54 = add i32 %53, %26
  %55 = sext i32 %54 to i64
  %56 = getelementptr bfloat, ptr addrspace(1) %1, i64 %55
  %57 = getelementptr i8, ptr addrspace(3) @dyn, i32 %51
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %30, ptr addrspace(1) %29)
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %43, ptr addrspace(1) %42)
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %50, ptr addrspace(1) %49)
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %57, ptr addrspace(1) %56)
  call void @llvm.nvvm.cp.async.commit.group()
  %58 = getelementptr bfloat, ptr addrspace(1) %29, i32 32
  %59 = getelementptr i8, ptr addrspace(3) %30, i32 8192
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %59, ptr addrspace(1) %58)
  %60 = getelementptr bfloat, ptr addrspace(1) %42, i32 32
  %61 = getelementptr i8, ptr addrspace(3) %43, i32 8192
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %61, ptr addrspace(1) %60)
  %62 = getelementptr bfloat, ptr addrspace(1) %49, i32 32
  %63 = getelementptr i8, ptr addrspace(3) %50, i32 8192
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %63, ptr addrspace(1) %62)
  %64 = getelementptr bfloat, ptr addrspace(1) %56, i32 32
  %65 = getelementptr i8, ptr addrspace(3) %57, i32 8192
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %65, ptr addrspace(1) %64)
  call void @llvm.nvvm.cp.async.commit.group()
  %66 = mul i32 %11, 64
  %67 = and i32 %9, 15
  %68 = add i32 %66, %67
  %69 = lshr i32 %9, 4
  %70 = mul i32 %12, 32
  %71 = and i32 %9, 7
  %72 = shl i32 %69, 3
  %73 = add i32 %71, %72
  %74 = add i32 %70, %73
  %75 = lshr i32 %9, 3
  %76 = and i32 %75, 1
  br label %77

77:
  %78 = phi i32 [ %464, %164 ], [ 0, %5 ]
  %79 = phi float [ %382, %164 ], [ 0.000000e+00, %5 ]
  %80 = phi float [ %383, %164 ], [ 0.000000e+00, %5 ]
  %81 = phi float [ %384, %164 ], [ 0.000000e+00, %5 ]
  %82 = phi float [ %385, %164 ], [ 0.000000e+00, %5 ]
  %83 = phi float [ %387, %164 ], [ 0.000000e+00, %5 ]
  %84 = phi float [ %388, %164 ], [ 0.000000e+00, %5 ]
  %85 = phi float [ %389, %164 ], [ 0.000000e+00, %5 ]
  %86 = phi float [ %390, %164 ], [ 0.000000e+00, %5 ]
  %87 = phi float [ %392, %164 ], [ 0.000000e+00, %5 ]
  %88 = phi float [ %393, %164 ], [ 0.000000e+00, %5 ]
  %89 = phi float [ %394, %164 ], [ 0.000000e+00, %5 ]
  %90 = phi float [ %395, %164 ], [ 0.000000e+00, %5 ]
  %91 = phi float [ %397, %164 ], [ 0.000000e+00, %5 ]
  %92 = phi float [ %398, %164 ], [ 0.000000e+00, %5 ]
  %93 = phi float [ %399, %164 ], [ 0.000000e+00, %5 ]
  %94 = phi float [ %400, %164 ], [ 0.000000e+00, %5 ]
  %95 = phi float [ %402, %164 ], [ 0.000000e+00, %5 ]
  %96 = phi float [ %403, %164 ], [ 0.000000e+00, %5 ]
  %97 = phi float [ %404, %164 ], [ 0.000000e+00, %5 ]
  %98 = phi float [ %405, %164 ], [ 0.000000e+00, %5 ]
  %99 = phi float [ %407, %164 ], [ 0.000000e+00, %5 ]
  %100 = phi float [ %408, %164 ], [ 0.000000e+00, %5 ]
  %101 = phi float [ %409, %164 ], [ 0.000000e+00, %5 ]
  %102 = phi float [ %410, %164 ], [ 0.000000e+00, %5 ]
  %103 = phi float [ %412, %164 ], [ 0.000000e+00, %5 ]
  %104 = phi float [ %413, %164 ], [ 0.000000e+00, %5 ]
  %105 = phi float [ %414, %164 ], [ 0.000000e+00, %5 ]
  %106 = phi float [ %415, %164 ], [ 0.000000e+00, %5 ]
  %107 = phi float [ %417, %164 ], [ 0.000000e+00, %5 ]
  %108 = phi float [ %418, %164 ], [ 0.000000e+00, %5 ]
  %109 = phi float [ %419, %164 ], [ 0.000000e+00, %5 ]
  %110 = phi float [ %420, %164 ], [ 0.000000e+00, %5 ]
  %111 = phi float [ %422, %164 ], [ 0.000000e+00, %5 ]
  %112 = phi float [ %423, %164 ], [ 0.000000e+00, %5 ]
  %113 = phi float [ %424, %164 ], [ 0.000000e+00, %5 ]
  %114 = phi float [ %425, %164 ], [ 0.000000e+00, %5 ]
  %115 = phi float [ %427, %164 ], [ 0.000000e+00, %5 ]
  %116 = phi float [ %428, %164 ], [ 0.000000e+00, %5 ]
  %117 = phi float [ %429, %164 ], [ 0.000000e+00, %5 ]
  %118 = phi float [ %430, %164 ], [ 0.000000e+00, %5 ]
  %119 = phi float [ %432, %164 ], [ 0.000000e+00, %5 ]
  %120 = phi float [ %433, %164 ], [ 0.000000e+00, %5 ]
  %121 = phi float [ %434, %164 ], [ 0.000000e+00, %5 ]
  %122 = phi float [ %435, %164 ], [ 0.000000e+00, %5 ]
  %123 = phi float [ %437, %164 ], [ 0.000000e+00, %5 ]
  %124 = phi float [ %438, %164 ], [ 0.000000e+00, %5 ]
  %125 = phi float [ %439, %164 ], [ 0.000000e+00, %5 ]
  %126 = phi float [ %440, %164 ], [ 0.000000e+00, %5 ]
  %127 = phi float [ %442, %164 ], [ 0.000000e+00, %5 ]
  %128 = phi float [ %443, %164 ], [ 0.000000e+00, %5 ]
  %129 = phi float [ %444, %164 ], [ 0.000000e+00, %5 ]
  %130 = phi float [ %445, %164 ], [ 0.000000e+00, %5 ]
  %131 = phi float [ %447, %164 ], [ 0.000000e+00, %5 ]
  %132 = phi float [ %448, %164 ], [ 0.000000e+00, %5 ]
  %133 = phi float [ %449, %164 ], [ 0.000000e+00, %5 ]
  %134 = phi float [ %450, %164 ], [ 0.000000e+00, %5 ]
  %135 = phi float [ %452, %164 ], [ 0.000000e+00, %5 ]
  %136 = phi float [ %453, %164 ], [ 0.000000e+00, %5 ]
  %137 = phi float [ %454, %164 ], [ 0.000000e+00, %5 ]
  %138 = phi float [ %455, %164 ], [ 0.000000e+00, %5 ]
  %139 = phi float [ %457, %164 ], [ 0.000000e+00, %5 ]
  %140 = phi float [ %458, %164 ], [ 0.000000e+00, %5 ]
  %141 = phi float [ %459, %164 ], [ 0.000000e+00, %5 ]
  %142 = phi float [ %460, %164 ], [ 0.000000e+00, %5 ]
  %143 = phi i32 [ %463, %164 ], [ 0, %5 ]
  %144 = icmp slt i32 %78, %15
  br i1 %144, label %145, label %465

145:
  call void @llvm.nvvm.cp.async.wait.group(i32 1)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %146 = add i32 %78, 2
  %147 = add i32 %143, 2
  %148 = icmp uge i32 %147, 3
  %149 = add i32 %143, -1
  %150 = select i1 %148, i32 %149, i32 %147
  %151 = icmp ult i32 %146, %15
  br i1 %151, label %152, label %164

152:
  %153 = shl i32 %146, 5
  %154 = zext i32 %153 to i64
  %155 = getelementptr bfloat, ptr addrspace(1) %29, i64 %154
  %156 = mul i32 %150, 8192
  %157 = getelementptr i8, ptr addrspace(3) %30, i32 %156
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %157, ptr addrspace(1) %155)
  %158 = getelementptr bfloat, ptr addrspace(1) %42, i64 %154
  %159 = getelementptr i8, ptr addrspace(3) %43, i32 %156
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %159, ptr addrspace(1) %158)
  %160 = getelementptr bfloat, ptr addrspace(1) %49, i64 %154
  %161 = getelementptr i8, ptr addrspace(3) %50, i32 %156
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %161, ptr addrspace(1) %160)
  %162 = getelementptr bfloat, ptr addrspace(1) %56, i64 %154
  %163 = getelementptr i8, ptr addrspace(3) %57, i32 %156
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %163, ptr addrspace(1) %162)
  br label %164

164:
  call void @llvm.nvvm.cp.async.commit.group()
  %165 = mul i32 %143, 8192
  %166 = getelementptr i8, ptr addrspace(3) @dyn, i32 %165
  %167 = add i32 %165, 24576
  %168 = getelementptr i8, ptr addrspace(3) @dyn, i32 %167
  %169 = shl i32 %68, 6
  %170 = lshr i32 %68, 1
  %171 = and i32 %170, 3
  %172 = xor i32 %69, %171
  %173 = shl i32 %172, 4
  %174 = add i32 %169, %173
  %175 = getelementptr i8, ptr addrspace(3) %166, i32 %174
  %176 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %175)
  %177 = extractvalue { i32, i32, i32, i32 } %176, 0
  %178 = extractvalue { i32, i32, i32, i32 } %176, 1
  %179 = extractvalue { i32, i32, i32, i32 } %176, 2
  %180 = extractvalue { i32, i32, i32, i32 } %176, 3
  %181 = add i32 %68, 16
  %182 = shl i32 %181, 6
  %183 = lshr i32 %181, 1
  %184 = and i32 %183, 3
  %185 = xor i32 %69, %184
  %186 = shl i32 %185, 4
  %187 = add i32 %182, %186
  %188 = getelementptr i8, ptr addrspace(3) %166, i32 %187
  %189 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %188)
  %190 = extractvalue { i32, i32, i32, i32 } %189, 0
  %191 = extractvalue { i32, i32, i32, i32 } %189, 1
  %192 = extractvalue { i32, i32, i32, i32 } %189, 2
  %193 = extractvalue { i32, i32, i32, i32 } %189, 3
  %194 = add i32 %68, 32
  %195 = shl i32 %194, 6
  %196 = lshr i32 %194, 1
  %197 = and i32 %196, 3
  %198 = xor i32 %69, %197
  %199 = shl i32 %198, 4
  %200 = add i32 %195, %199
  %201 = getelementptr i8, ptr addrspace(3) %166, i32 %200
  %202 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %201)
  %203 = extractvalue { i32, i32, i32, i32 } %202, 0
  %204 = extractvalue { i32, i32, i32, i32 } %202, 1
  %205 = extractvalue { i32, i32, i32, i32 } %202, 2
  %206 = extractvalue { i32, i32, i32, i32 } %202, 3
  %207 = add i32 %68, 48
  %208 = shl i32 %207, 6
  %209 = lshr i32 %207, 1
  %210 = and i32 %209, 3
  %211 = xor i32 %69, %210
  %212 = shl i32 %211, 4
  %213 = add i32 %208, %212
  %214 = getelementptr i8, ptr addrspace(3) %166, i32 %213
  %215 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %214)
  %216 = extractvalue { i32, i32, i32, i32 } %215, 0
  %217 = extractvalue { i32, i32, i32, i32 } %215, 1
  %218 = extractvalue { i32, i32, i32, i32 } %215, 2
  %219 = extractvalue { i32, i32, i32, i32 } %215, 3
  %220 = shl i32 %74, 6
  %221 = lshr i32 %74, 1
  %222 = and i32 %221, 3
  %223 = xor i32 %76, %222
  %224 = shl i32 %223, 4
  %225 = add i32 %220, %224
  %226 = getelementptr i8, ptr addrspace(3) %168, i32 %225
  %227 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %226)
  %228 = extractvalue { i32, i32, i32, i32 } %227, 0
  %229 = extractvalue { i32, i32, i32, i32 } %227, 1
  %230 = extractvalue { i32, i32, i32, i32 } %227, 2
  %231 = extractvalue { i32, i32, i32, i32 } %227, 3
  %232 = add i32 %74, 16
  %233 = shl i32 %232, 6
  %234 = lshr i32 %232, 1
  %235 = and i32 %234, 3
  %236 = xor i32 %76, %235
  %237 = shl i32 %236, 4
  %238 = add i32 %233, %237
  %239 = getelementptr i8, ptr addrspace(3) %168, i32 %238
  %240 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %239)
  %241 = extractvalue { i32, i32, i32, i32 } %240, 0
  %242 = extractvalue { i32, i32, i32, i32 } %240, 1
  %243 = extractvalue { i32, i32, i32, i32 } %240, 2
  %244 = extractvalue { i32, i32, i32, i32 } %240, 3
  %245 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %177, i32 %178, i32 %179, i32 %180, i32 %228, i32 %229, float %79, float %80, float %81, float %82)
  %246 = extractvalue { float, float, float, float } %245, 0
  %247 = extractvalue { float, float, float, float } %245, 1
  %248 = extractvalue { float, float, float, float } %245, 2
  %249 = extractvalue { float, float, float, float } %245, 3
  %250 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %177, i32 %178, i32 %179, i32 %180, i32 %230, i32 %231, float %83, float %84, float %85, float %86)
  %251 = extractvalue { float, float, float, float } %250, 0
  %252 = extractvalue { float, float, float, float } %250, 1
  %253 = extractvalue { float, float, float, float } %250, 2
  %254 = extractvalue { float, float, float, float } %250, 3
  %255 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %177, i32 %178, i32 %179, i32 %180, i32 %241, i32 %242, float %87, float %88, float %89, float %90)
  %256 = extractvalue { float, float, float, float } %255, 0
  %257 = extractvalue { float, float, float, float } %255, 1
  %258 = extractvalue { float, float, float, float } %255, 2
  %259 = extractvalue { float, float, float, float } %255, 3
  %260 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %177, i32 %178, i32 %179, i32 %180, i32 %243, i32 %244, float %91, float %92, float %93, float %94)
  %261 = extractvalue { float, float, float, float } %260, 0
  %262 = extractvalue { float, float, float, float } %260, 1
  %263 = extractvalue { float, float, float, float } %260, 2
  %264 = extractvalue { float, float, float, float } %260, 3
  %265 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %190, i32 %191, i32 %192, i32 %193, i32 %228, i32 %229, float %95, float %96, float %97, float %98)
  %266 = extractvalue { float, float, float, float } %265, 0
  %267 = extractvalue { float, float, float, float } %265, 1
  %268 = extractvalue { float, float, float, float } %265, 2
  %269 = extractvalue { float, float, float, float } %265, 3
  %270 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %190, i32 %191, i32 %192, i32 %193, i32 %230, i32 %231, float %99, float %100, float %101, float %102)
  %271 = extractvalue { float, float, float, float } %270, 0
  %272 = extractvalue { float, float, float, float } %270, 1
  %273 = extractvalue { float, float, float, float } %270, 2
  %274 = extractvalue { float, float, float, float } %270, 3
  %275 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %190, i32 %191, i32 %192, i32 %193, i32 %241, i32 %242, float %103, float %104, float %105, float %106)
  %276 = extractvalue { float, float, float, float } %275, 0
  %277 = extractvalue { float, float, float, float } %275, 1
  %278 = extractvalue { float, float, float, float } %275, 2
  %279 = extractvalue { float, float, float, float } %275, 3
  %280 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %190, i32 %191, i32 %192, i32 %193, i32 %243, i32 %244, float %107, float %108, float %109, float %110)
  %281 = extractvalue { float, float, float, float } %280, 0
  %282 = extractvalue { float, float, float, float } %280, 1
  %283 = extractvalue { float, float, float, float } %280, 2
  %284 = extractvalue { float, float, float, float } %280, 3
  %285 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %203, i32 %204, i32 %205, i32 %206, i32 %228, i32 %229, float %111, float %112, float %113, float %114)
  %286 = extractvalue { float, float, float, float } %285, 0
  %287 = extractvalue { float, float, float, float } %285, 1
  %288 = extractvalue { float, float, float, float } %285, 2
  %289 = extractvalue { float, float, float, float } %285, 3
  %290 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %203, i32 %204, i32 %205, i32 %206, i32 %230, i32 %231, float %115, float %116, float %117, float %118)
  %291 = extractvalue { float, float, float, float } %290, 0
  %292 = extractvalue { float, float, float, float } %290, 1
  %293 = extractvalue { float, float, float, float } %290, 2
  %294 = extractvalue { float, float, float, float } %290, 3
  %295 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %203, i32 %204, i32 %205, i32 %206, i32 %241, i32 %242, float %119, float %120, float %121, float %122)
  %296 = extractvalue { float, float, float, float } %295, 0
  %297 = extractvalue { float, float, float, float } %295, 1
  %298 = extractvalue { float, float, float, float } %295, 2
  %299 = extractvalue { float, float, float, float } %295, 3
  %300 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %203, i32 %204, i32 %205, i32 %206, i32 %243, i32 %244, float %123, float %124, float %125, float %126)
  %301 = extractvalue { float, float, float, float } %300, 0
  %302 = extractvalue { float, float, float, float } %300, 1
  %303 = extractvalue { float, float, float, float } %300, 2
  %304 = extractvalue { float, float, float, float } %300, 3
  %305 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %216, i32 %217, i32 %218, i32 %219, i32 %228, i32 %229, float %127, float %128, float %129, float %130)
  %306 = extractvalue { float, float, float, float } %305, 0
  %307 = extractvalue { float, float, float, float } %305, 1
  %308 = extractvalue { float, float, float, float } %305, 2
  %309 = extractvalue { float, float, float, float } %305, 3
  %310 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %216, i32 %217, i32 %218, i32 %219, i32 %230, i32 %231, float %131, float %132, float %133, float %134)
  %311 = extractvalue { float, float, float, float } %310, 0
  %312 = extractvalue { float, float, float, float } %310, 1
  %313 = extractvalue { float, float, float, float } %310, 2
  %314 = extractvalue { float, float, float, float } %310, 3
  %315 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %216, i32 %217, i32 %218, i32 %219, i32 %241, i32 %242, float %135, float %136, float %137, float %138)
  %316 = extractvalue { float, float, float, float } %315, 0
  %317 = extractvalue { float, float, float, float } %315, 1
  %318 = extractvalue { float, float, float, float } %315, 2
  %319 = extractvalue { float, float, float, float } %315, 3
  %320 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %216, i32 %217, i32 %218, i32 %219, i32 %243, i32 %244, float %139, float %140, float %141, float %142)
  %321 = extractvalue { float, float, float, float } %320, 0
  %322 = extractvalue { float, float, float, float } %320, 1
  %323 = extractvalue { float, float, float, float } %320, 2
  %324 = extractvalue { float, float, float, float } %320, 3
  %325 = add i32 %69, 2
  %326 = xor i32 %325, %171
  %327 = shl i32 %326, 4
  %328 = add i32 %169, %327
  %329 = getelementptr i8, ptr addrspace(3) %166, i32 %328
  %330 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %329)
  %331 = extractvalue { i32, i32, i32, i32 } %330, 0
  %332 = extractvalue { i32, i32, i32, i32 } %330, 1
  %333 = extractvalue { i32, i32, i32, i32 } %330, 2
  %334 = extractvalue { i32, i32, i32, i32 } %330, 3
  %335 = xor i32 %325, %184
  %336 = shl i32 %335, 4
  %337 = add i32 %182, %336
  %338 = getelementptr i8, ptr addrspace(3) %166, i32 %337
  %339 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %338)
  %340 = extractvalue { i32, i32, i32, i32 } %339, 0
  %341 = extractvalue { i32, i32, i32, i32 } %339, 1
  %342 = extractvalue { i32, i32, i32, i32 } %339, 2
  %343 = extractvalue { i32, i32, i32, i32 } %339, 3
  %344 = xor i32 %325, %197
  %345 = shl i32 %344, 4
  %346 = add i32 %195, %345
  %347 = getelementptr i8, ptr addrspace(3) %166, i32 %346
  %348 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %347)
  %349 = extractvalue { i32, i32, i32, i32 } %348, 0
  %350 = extractvalue { i32, i32, i32, i32 } %348, 1
  %351 = extractvalue { i32, i32, i32, i32 } %348, 2
  %352 = extractvalue { i32, i32, i32, i32 } %348, 3
  %353 = xor i32 %325, %210
  %354 = shl i32 %353, 4
  %355 = add i32 %208, %354
  %356 = getelementptr i8, ptr addrspace(3) %166, i32 %355
  %357 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %356)
  %358 = extractvalue { i32, i32, i32, i32 } %357, 0
  %359 = extractvalue { i32, i32, i32, i32 } %357, 1
  %360 = extractvalue { i32, i32, i32, i32 } %357, 2
  %361 = extractvalue { i32, i32, i32, i32 } %357, 3
  %362 = add i32 %76, 2
  %363 = xor i32 %362, %222
  %364 = shl i32 %363, 4
  %365 = add i32 %220, %364
  %366 = getelementptr i8, ptr addrspace(3) %168, i32 %365
  %367 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %366)
  %368 = extractvalue { i32, i32, i32, i32 } %367, 0
  %369 = extractvalue { i32, i32, i32, i32 } %367, 1
  %370 = extractvalue { i32, i32, i32, i32 } %367, 2
  %371 = extractvalue { i32, i32, i32, i32 } %367, 3
  %372 = xor i32 %362, %235
  %373 = shl i32 %372, 4
  %374 = add i32 %233, %373
  %375 = getelementptr i8, ptr addrspace(3) %168, i32 %374
  %376 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %375)
  %377 = extractvalue { i32, i32, i32, i32 } %376, 0
  %378 = extractvalue { i32, i32, i32, i32 } %376, 1
  %379 = extractvalue { i32, i32, i32, i32 } %376, 2
  %380 = extractvalue { i32, i32, i32, i32 } %376, 3
  %381 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %331, i32 %332, i32 %333, i32 %334, i32 %368, i32 %369, float %246, float %247, float %248, float %249)
  %382 = extractvalue { float, float, float, float } %381, 0
  %383 = extractvalue { float, float, float, float } %381, 1
  %384 = extractvalue { float, float, float, float } %381, 2
  %385 = extractvalue { float, float, float, float } %381, 3
  %386 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %331, i32 %332, i32 %333, i32 %334, i32 %370, i32 %371, float %251, float %252, float %253, float %254)
  %387 = extractvalue { float, float, float, float } %386, 0
  %388 = extractvalue { float, float, float, float } %386, 1
  %389 = extractvalue { float, float, float, float } %386, 2
  %390 = extractvalue { float, float, float, float } %386, 3
  %391 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %331, i32 %332, i32 %333, i32 %334, i32 %377, i32 %378, float %256, float %257, float %258, float %259)
  %392 = extractvalue { float, float, float, float } %391, 0
  %393 = extractvalue { float, float, float, float } %391, 1
  %394 = extractvalue { float, float, float, float } %391, 2
  %395 = extractvalue { float, float, float, float } %391, 3
  %396 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %331, i32 %332, i32 %333, i32 %334, i32 %379, i32 %380, float %261, float %262, float %263, float %264)
  %397 = extractvalue { float, float, float, float } %396, 0
  %398 = extractvalue { float, float, float, float } %396, 1
  %399 = extractvalue { float, float, float, float } %396, 2
  %400 = extractvalue { float, float, float, float } %396, 3
  %401 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %340, i32 %341, i32 %342, i32 %343, i32 %368, i32 %369, float %266, float %267, float %268, float %269)
  %402 = extractvalue { float, float, float, float } %401, 0
  %403 = extractvalue { float, float, float, float } %401, 1
  %404 = extractvalue { float, float, float, float } %401, 2
  %405 = extractvalue { float, float, float, float } %401, 3
  %406 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %340, i32 %341, i32 %342, i32 %343, i32 %370, i32 %371, float %271, float %272, float %273, float %274)
  %407 = extractvalue { float, float, float, float } %406, 0
  %408 = extractvalue { float, float, float, float } %406, 1
  %409 = extractvalue { float, float, float, float } %406, 2
  %410 = extractvalue { float, float, float, float } %406, 3
  %411 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %340, i32 %341, i32 %342, i32 %343, i32 %377, i32 %378, float %276, float %277, float %278, float %279)
  %412 = extractvalue { float, float, float, float } %411, 0
  %413 = extractvalue { float, float, float, float } %411, 1
  %414 = extractvalue { float, float, float, float } %411, 2
  %415 = extractvalue { float, float, float, float } %411, 3
  %416 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %340, i32 %341, i32 %342, i32 %343, i32 %379, i32 %380, float %281, float %282, float %283, float %284)
  %417 = extractvalue { float, float, float, float } %416, 0
  %418 = extractvalue { float, float, float, float } %416, 1
  %419 = extractvalue { float, float, float, float } %416, 2
  %420 = extractvalue { float, float, float, float } %416, 3
  %421 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %349, i32 %350, i32 %351, i32 %352, i32 %368, i32 %369, float %286, float %287, float %288, float %289)
  %422 = extractvalue { float, float, float, float } %421, 0
  %423 = extractvalue { float, float, float, float } %421, 1
  %424 = extractvalue { float, float, float, float } %421, 2
  %425 = extractvalue { float, float, float, float } %421, 3
  %426 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %349, i32 %350, i32 %351, i32 %352, i32 %370, i32 %371, float %291, float %292, float %293, float %294)
  %427 = extractvalue { float, float, float, float } %426, 0
  %428 = extractvalue { float, float, float, float } %426, 1
  %429 = extractvalue { float, float, float, float } %426, 2
  %430 = extractvalue { float, float, float, float } %426, 3
  %431 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %349, i32 %350, i32 %351, i32 %352, i32 %377, i32 %378, float %296, float %297, float %298, float %299)
  %432 = extractvalue { float, float, float, float } %431, 0
  %433 = extractvalue { float, float, float, float } %431, 1
  %434 = extractvalue { float, float, float, float } %431, 2
  %435 = extractvalue { float, float, float, float } %431, 3
  %436 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %349, i32 %350, i32 %351, i32 %352, i32 %379, i32 %380, float %301, float %302, float %303, float %304)
  %437 = extractvalue { float, float, float, float } %436, 0
  %438 = extractvalue { float, float, float, float } %436, 1
  %439 = extractvalue { float, float, float, float } %436, 2
  %440 = extractvalue { float, float, float, float } %436, 3
  %441 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %358, i32 %359, i32 %360, i32 %361, i32 %368, i32 %369, float %306, float %307, float %308, float %309)
  %442 = extractvalue { float, float, float, float } %441, 0
  %443 = extractvalue { float, float, float, float } %441, 1
  %444 = extractvalue { float, float, float, float } %441, 2
  %445 = extractvalue { float, float, float, float } %441, 3
  %446 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %358, i32 %359, i32 %360, i32 %361, i32 %370, i32 %371, float %311, float %312, float %313, float %314)
  %447 = extractvalue { float, float, float, float } %446, 0
  %448 = extractvalue { float, float, float, float } %446, 1
  %449 = extractvalue { float, float, float, float } %446, 2
  %450 = extractvalue { float, float, float, float } %446, 3
  %451 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %358, i32 %359, i32 %360, i32 %361, i32 %377, i32 %378, float %316, float %317, float %318, float %319)
  %452 = extractvalue { float, float, float, float } %451, 0
  %453 = extractvalue { float, float, float, float } %451, 1
  %454 = extractvalue { float, float, float, float } %451, 2
  %455 = extractvalue { float, float, float, float } %451, 3
  %456 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %358, i32 %359, i32 %360, i32 %361, i32 %379, i32 %380, float %321, float %322, float %323, float %324)
  %457 = extractvalue { float, float, float, float } %456, 0
  %458 = extractvalue { float, float, float, float } %456, 1
  %459 = extractvalue { float, float, float, float } %456, 2
  %460 = extractvalue { float, float, float, float } %456, 3
  %461 = add i32 %143, 1
  %462 = icmp eq i32 %461, 3
  %463 = select i1 %462, i32 0, i32 %461
  %464 = add i32 %78, 1
  br label %77

465:
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  %466 = lshr i32 %9, 2
  %467 = add i32 %66, %466
  %468 = add i32 %13, %467
  %469 = and i32 %9, 3
  %470 = shl i32 %469, 1
  %471 = add i32 %70, %470
  %472 = add i32 %14, %471
  %473 = mul i32 %468, %4
  %474 = insertelement <2 x float> poison, float %79, i64 0
  %475 = insertelement <2 x float> %474, float %80, i64 1
  %476 = fptrunc <2 x float> %475 to <2 x bfloat>
  %477 = add i32 %473, %472
  %478 = zext i32 %477 to i64
  %479 = getelementptr bfloat, ptr addrspace(1) %2, i64 %478
  store <2 x bfloat> %476, ptr addrspace(1) %479, align 4
  %480 = insertelement <2 x float> poison, float %83, i64 0
  %481 = insertelement <2 x float> %480, float %84, i64 1
  %482 = fptrunc <2 x float> %481 to <2 x bfloat>
  %483 = add i32 %472, 8
  %484 = add i32 %473, %483
  %485 = zext i32 %484 to i64
  %486 = getelementptr bfloat, ptr addrspace(1) %2, i64 %485
  store <2 x bfloat> %482, ptr addrspace(1) %486, align 4
  %487 = insertelement <2 x float> poison, float %87, i64 0
  %488 = insertelement <2 x float> %487, float %88, i64 1
  %489 = fptrunc <2 x float> %488 to <2 x bfloat>
  %490 = add i32 %472, 16
  %491 = add i32 %473, %490
  %492 = zext i32 %491 to i64
  %493 = getelementptr bfloat, ptr addrspace(1) %2, i64 %492
  store <2 x bfloat> %489, ptr addrspace(1) %493, align 4
  %494 = insertelement <2 x float> poison, float %91, i64 0
  %495 = insertelement <2 x float> %494, float %92, i64 1
  %496 = fptrunc <2 x float> %495 to <2 x bfloat>
  %497 = add i32 %472, 24
  %498 = add i32 %473, %497
  %499 = zext i32 %498 to i64
  %500 = getelementptr bfloat, ptr addrspace(1) %2, i64 %499
  store <2 x bfloat> %496, ptr addrspace(1) %500, align 4
  %501 = add i32 %468, 8
  %502 = mul i32 %501, %4
  %503 = insertelement <2 x float> poison, float %81, i64 0
  %504 = insertelement <2 x float> %503, float %82, i64 1
  %505 = fptrunc <2 x float> %504 to <2 x bfloat>
  %506 = add i32 %502, %472
  %507 = zext i32 %506 to i64
  %508 = getelementptr bfloat, ptr addrspace(1) %2, i64 %507
  store <2 x bfloat> %505, ptr addrspace(1) %508, align 4
  %509 = insertelement <2 x float> poison, float %85, i64 0
  %510 = insertelement <2 x float> %509, float %86, i64 1
  %511 = fptrunc <2 x float> %510 to <2 x bfloat>
  %512 = add i32 %502, %483
  %513 = zext i32 %512 to i64
  %514 = getelementptr bfloat, ptr addrspace(1) %2, i64 %513
  store <2 x bfloat> %511, ptr addrspace(1) %514, align 4
  %515 = insertelement <2 x float> poison, float %89, i64 0
  %516 = insertelement <2 x float> %515, float %90, i64 1
  %517 = fptrunc <2 x float> %516 to <2 x bfloat>
  %518 = add i32 %502, %490
  %519 = zext i32 %518 to i64
  %520 = getelementptr bfloat, ptr addrspace(1) %2, i64 %519
  store <2 x bfloat> %517, ptr addrspace(1) %520, align 4
  %521 = insertelement <2 x float> poison, float %93, i64 0
  %522 = insertelement <2 x float> %521, float %94, i64 1
  %523 = fptrunc <2 x float> %522 to <2 x bfloat>
  %524 = add i32 %502, %497
  %525 = zext i32 %524 to i64
  %526 = getelementptr bfloat, ptr addrspace(1) %2, i64 %525
  store <2 x bfloat> %523, ptr addrspace(1) %526, align 4
  %527 = add i32 %468, 16
  %528 = mul i32 %527, %4
  %529 = insertelement <2 x float> poison, float %95, i64 0
  %530 = insertelement <2 x float> %529, float %96, i64 1
  %531 = fptrunc <2 x float> %530 to <2 x bfloat>
  %532 = add i32 %528, %472
  %533 = zext i32 %532 to i64
  %534 = getelementptr bfloat, ptr addrspace(1) %2, i64 %533
  store <2 x bfloat> %531, ptr addrspace(1) %534, align 4
  %535 = insertelement <2 x float> poison, float %99, i64 0
  %536 = insertelement <2 x float> %535, float %100, i64 1
  %537 = fptrunc <2 x float> %536 to <2 x bfloat>
  %538 = add i32 %528, %483
  %539 = zext i32 %538 to i64
  %540 = getelementptr bfloat, ptr addrspace(1) %2, i64 %539
  store <2 x bfloat> %537, ptr addrspace(1) %540, align 4
  %541 = insertelement <2 x float> poison, float %103, i64 0
  %542 = insertelement <2 x float> %541, float %104, i64 1
  %543 = fptrunc <2 x float> %542 to <2 x bfloat>
  %544 = add i32 %528, %490
  %545 = zext i32 %544 to i64
  %546 = getelementptr bfloat, ptr addrspace(1) %2, i64 %545
  store <2 x bfloat> %543, ptr addrspace(1) %546, align 4
  %547 = insertelement <2 x float> poison, float %107, i64 0
  %548 = insertelement <2 x float> %547, float %108, i64 1
  %549 = fptrunc <2 x float> %548 to <2 x bfloat>
  %550 = add i32 %528, %497
  %551 = zext i32 %550 to i64
  %552 = getelementptr bfloat, ptr addrspace(1) %2, i64 %551
  store <2 x bfloat> %549, ptr addrspace(1) %552, align 4
  %553 = add i32 %468, 24
  %554 = mul i32 %553, %4
  %555 = insertelement <2 x float> poison, float %97, i64 0
  %556 = insertelement <2 x float> %555, float %98, i64 1
  %557 = fptrunc <2 x float> %556 to <2 x bfloat>
  %558 = add i32 %554, %472
  %559 = zext i32 %558 to i64
  %560 = getelementptr bfloat, ptr addrspace(1) %2, i64 %559
  store <2 x bfloat> %557, ptr addrspace(1) %560, align 4
  %561 = insertelement <2 x float> poison, float %101, i64 0
  %562 = insertelement <2 x float> %561, float %102, i64 1
  %563 = fptrunc <2 x float> %562 to <2 x bfloat>
  %564 = add i32 %554, %483
  %565 = zext i32 %564 to i64
  %566 = getelementptr bfloat, ptr addrspace(1) %2, i64 %565
  store <2 x bfloat> %563, ptr addrspace(1) %566, align 4
  %567 = insertelement <2 x float> poison, float %105, i64 0
  %568 = insertelement <2 x float> %567, float %106, i64 1
  %569 = fptrunc <2 x float> %568 to <2 x bfloat>
  %570 = add i32 %554, %490
  %571 = zext i32 %570 to i64
  %572 = getelementptr bfloat, ptr addrspace(1) %2, i64 %571
  store <2 x bfloat> %569, ptr addrspace(1) %572, align 4
  %573 = insertelement <2 x float> poison, float %109, i64 0
  %574 = insertelement <2 x float> %573, float %110, i64 1
  %575 = fptrunc <2 x float> %574 to <2 x bfloat>
  %576 = add i32 %554, %497
  %577 = zext i32 %576 to i64
  %578 = getelementptr bfloat, ptr addrspace(1) %2, i64 %577
  store <2 x bfloat> %575, ptr addrspace(1) %578, align 4
  %579 = add i32 %468, 32
  %580 = mul i32 %579, %4
  %581 = insertelement <2 x float> poison, float %111, i64 0
  %582 = insertelement <2 x float> %581, float %112, i64 1
  %583 = fptrunc <2 x float> %582 to <2 x bfloat>
  %584 = add i32 %580, %472
  %585 = zext i32 %584 to i64
  %586 = getelementptr bfloat, ptr addrspace(1) %2, i64 %585
  store <2 x bfloat> %583, ptr addrspace(1) %586, align 4
  %587 = insertelement <2 x float> poison, float %115, i64 0
  %588 = insertelement <2 x float> %587, float %116, i64 1
  %589 = fptrunc <2 x float> %588 to <2 x bfloat>
  %590 = add i32 %580, %483
  %591 = zext i32 %590 to i64
  %592 = getelementptr bfloat, ptr addrspace(1) %2, i64 %591
  store <2 x bfloat> %589, ptr addrspace(1) %592, align 4
  %593 = insertelement <2 x float> poison, float %119, i64 0
  %594 = insertelement <2 x float> %593, float %120, i64 1
  %595 = fptrunc <2 x float> %594 to <2 x bfloat>
  %596 = add i32 %580, %490
  %597 = zext i32 %596 to i64
  %598 = getelementptr bfloat, ptr addrspace(1) %2, i64 %597
  store <2 x bfloat> %595, ptr addrspace(1) %598, align 4
  %599 = insertelement <2 x float> poison, float %123, i64 0
  %600 = insertelement <2 x float> %599, float %124, i64 1
  %601 = fptrunc <2 x float> %600 to <2 x bfloat>
  %602 = add i32 %580, %497
  %603 = zext i32 %602 to i64
  %604 = getelementptr bfloat, ptr addrspace(1) %2, i64 %603
  store <2 x bfloat> %601, ptr addrspace(1) %604, align 4
  %605 = add i32 %468, 40
  %606 = mul i32 %605, %4
  %607 = insertelement <2 x float> poison, float %113, i64 0
  %608 = insertelement <2 x float> %607, float %114, i64 1
  %609 = fptrunc <2 x float> %608 to <2 x bfloat>
  %610 = add i32 %606, %472
  %611 = zext i32 %610 to i64
  %612 = getelementptr bfloat, ptr addrspace(1) %2, i64 %611
  store <2 x bfloat> %609, ptr addrspace(1) %612, align 4
  %613 = insertelement <2 x float> poison, float %117, i64 0
  %614 = insertelement <2 x float> %613, float %118, i64 1
  %615 = fptrunc <2 x float> %614 to <2 x bfloat>
  %616 = add i32 %606, %483
  %617 = zext i32 %616 to i64
  %618 = getelementptr bfloat, ptr addrspace(1) %2, i64 %617
  store <2 x bfloat> %615, ptr addrspace(1) %618, align 4
  %619 = insertelement <2 x float> poison, float %121, i64 0
  %620 = insertelement <2 x float> %619, float %122, i64 1
  %621 = fptrunc <2 x float> %620 to <2 x bfloat>
  %622 = add i32 %606, %490
  %623 = zext i32 %622 to i64
  %624 = getelementptr bfloat, ptr addrspace(1) %2, i64 %623
  store <2 x bfloat> %621, ptr addrspace(1) %624, align 4
  %625 = insertelement <2 x float> poison, float %125, i64 0
  %626 = insertelement <2 x float> %625, float %126, i64 1
  %627 = fptrunc <2 x float> %626 to <2 x bfloat>
  %628 = add i32 %606, %497
  %629 = zext i32 %628 to i64
  %630 = getelementptr bfloat, ptr addrspace(1) %2, i64 %629
  store <2 x bfloat> %627, ptr addrspace(1) %630, align 4
  %631 = add i32 %468, 48
  %632 = mul i32 %631, %4
  %633 = insertelement <2 x float> poison, float %127, i64 0
  %634 = insertelement <2 x float> %633, float %128, i64 1
  %635 = fptrunc <2 x float> %634 to <2 x bfloat>
  %636 = add i32 %632, %472
  %637 = zext i32 %636 to i64
  %638 = getelementptr bfloat, ptr addrspace(1) %2, i64 %637
  store <2 x bfloat> %635, ptr addrspace(1) %638, align 4
  %639 = insertelement <2 x float> poison, float %131, i64 0
  %640 = insertelement <2 x float> %639, float %132, i64 1
  %641 = fptrunc <2 x float> %640 to <2 x bfloat>
  %642 = add i32 %632, %483
  %643 = zext i32 %642 to i64
  %644 = getelementptr bfloat, ptr addrspace(1) %2, i64 %643
  store <2 x bfloat> %641, ptr addrspace(1) %644, align 4
  %645 = insertelement <2 x float> poison, float %135, i64 0
  %646 = insertelement <2 x float> %645, float %136, i64 1
  %647 = fptrunc <2 x float> %646 to <2 x bfloat>
  %648 = add i32 %632, %490
  %649 = zext i32 %648 to i64
  %650 = getelementptr bfloat, ptr addrspace(1) %2, i64 %649
  store <2 x bfloat> %647, ptr addrspace(1) %650, align 4
  %651 = insertelement <2 x float> poison, float %139, i64 0
  %652 = insertelement <2 x float> %651, float %140, i64 1
  %653 = fptrunc <2 x float> %652 to <2 x bfloat>
  %654 = add i32 %632, %497
  %655 = zext i32 %654 to i64
  %656 = getelementptr bfloat, ptr addrspace(1) %2, i64 %655
  store <2 x bfloat> %653, ptr addrspace(1) %656, align 4
  %657 = add i32 %468, 56
  %658 = mul i32 %657, %4
  %659 = insertelement <2 x float> poison, float %129, i64 0
  %660 = insertelement <2 x float> %659, float %130, i64 1
  %661 = fptrunc <2 x float> %660 to <2 x bfloat>
  %662 = add i32 %658, %472
  %663 = zext i32 %662 to i64
  %664 = getelementptr bfloat, ptr addrspace(1) %2, i64 %663
  store <2 x bfloat> %661, ptr addrspace(1) %664, align 4
  %665 = insertelement <2 x float> poison, float %133, i64 0
  %666 = insertelement <2 x float> %665, float %134, i64 1
  %667 = fptrunc <2 x float> %666 to <2 x bfloat>
  %668 = add i32 %658, %483
  %669 = zext i32 %668 to i64
  %670 = getelementptr bfloat, ptr addrspace(1) %2, i64 %669
  store <2 x bfloat> %667, ptr addrspace(1) %670, align 4
  %671 = insertelement <2 x float> poison, float %137, i64 0
  %672 = insertelement <2 x float> %671, float %138, i64 1
  %673 = fptrunc <2 x float> %672 to <2 x bfloat>
  %674 = add i32 %658, %490
  %675 = zext i32 %674 to i64
  %676 = getelementptr bfloat, ptr addrspace(1) %2, i64 %675
  store <2 x bfloat> %673, ptr addrspace(1) %676, align 4
  %677 = insertelement <2 x float> poison, float %141, i64 0
  %678 = insertelement <2 x float> %677, float %142, i64 1
  %679 = fptrunc <2 x float> %678 to <2 x bfloat>
  %680 = add i32 %658, %497
  %681 = zext i32 %680 to i64
  %682 = getelementptr bfloat, ptr addrspace(1) %2, i64 %681
  store <2 x bfloat> %679, ptr addrspace(1) %682, align 4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: nocallback nounwind memory(argmem: readwrite)
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) noalias writeonly, ptr addrspace(1) noalias readonly) #2

; Function Attrs: nounwind
declare void @llvm.nvvm.cp.async.commit.group() #3

; Function Attrs: nounwind
declare void @llvm.nvvm.cp.async.wait.group(i32 immarg) #3

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #4

; Function Attrs: convergent nocallback nounwind memory(argmem: read)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) readonly captures(none)) #5

; Function Attrs: nocallback nounwind memory(none)
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32, i32, i32, i32, i32, i32, float, float, float, float) #6

attributes #0 = { "nvvm.minctasm"="1" "nvvm.reqntid"="256,1,1" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nounwind memory(argmem: readwrite) }
attributes #3 = { nounwind }
attributes #4 = { convergent nocallback nounwind }
attributes #5 = { convergent nocallback nounwind memory(argmem: read) }
attributes #6 = { nocallback nounwind memory(none) }

!llvm.module.flags = !{!0}

!0 = !{i32 2, !"Debug Info Version", i32 3}
