gpu.module @first {}
gpu.module @second {}
