// More values alive at once than the registers that the kernel may use.
gpu.module @kernels {
  llvm.func @spill(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, nvvm.maxnreg = 24 : i32} {
    %a = llvm.load volatile %p : !llvm.ptr<1> -> vector<64xf32>
    %b = llvm.load volatile %p : !llvm.ptr<1> -> vector<64xf32>
    nvvm.barrier0
    %c = arith.mulf %a, %b : vector<64xf32>
    %d = arith.addf %a, %c : vector<64xf32>
    llvm.store volatile %d, %p : vector<64xf32>, !llvm.ptr<1>
    llvm.store volatile %a, %p : vector<64xf32>, !llvm.ptr<1>
    llvm.return
  }
}
