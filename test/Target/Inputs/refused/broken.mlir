gpu.module @kernels {
