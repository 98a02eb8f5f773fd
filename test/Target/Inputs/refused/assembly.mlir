gpu.module @kernels {
  llvm.func @kernel(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    llvm.inline_asm has_side_effects "no.such.instruction;", "" : () -> ()
    llvm.return
  }
}
