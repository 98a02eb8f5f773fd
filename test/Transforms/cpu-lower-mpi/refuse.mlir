// Elements that MPI has no type for are an error at the op.
// RUN: block-opt %s --split-input-file --cpu-lower-mpi=library=openmpi --verify-diagnostics
// RUN: block-opt %s --split-input-file --cpu-lower-mpi=library=mpich --verify-diagnostics

func.func @half(%x: memref<f16>, %y: memref<f16>) {
  %world = mpi.comm_world : !mpi.comm
  // expected-error @below {{no CPU code for 'mpi.allreduce' of 'memref<f16>': expected f32, f64, i8, i16, i32 or i64}}
  mpi.allreduce(%x, %y, MPI_SUM, %world) : memref<f16>, memref<f16>
  return
}

// -----

func.func @brain(%x: memref<?xf32>, %y: memref<?xbf16>) {
  %world = mpi.comm_world : !mpi.comm
  // expected-error @below {{no CPU code for 'mpi.allreduce' of 'memref<?xbf16>': expected f32, f64, i8, i16, i32 or i64}}
  mpi.allreduce(%x, %y, MPI_SUM, %world) : memref<?xf32>, memref<?xbf16>
  return
}
