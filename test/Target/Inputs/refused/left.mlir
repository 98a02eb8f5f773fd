gpu.module @kernels {
  llvm.func @kernel(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = gpu.thread_id x
    %y = arith.index_cast %x : index to i32
    llvm.store %y, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
