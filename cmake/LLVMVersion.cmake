# The one place that says which LLVM/MLIR the project is built against.
set(PARABLOCK_LLVM_VERSION_MAJOR 22)
set(PARABLOCK_LLVM_VERSION 22.1)
