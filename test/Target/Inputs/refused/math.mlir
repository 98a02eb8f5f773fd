gpu.module @kernels {
  llvm.func @kernel(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %y = math.tanh %x : f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
