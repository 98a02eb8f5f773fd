//===- Passes.td - passes from kernels to CPU code ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_BLOCKKERNELSTOCPU_PASSES_TD
#define PARABLOCK_CONVERSION_BLOCKKERNELSTOCPU_PASSES_TD

include "mlir/Pass/PassBase.td"
include "parablock/Dialect/Block/FunctionOption.td"

class CpuOption<string text> : Option<"cpu", "cpu", "std::string", "\"native\"", text>;

def BlockFixRank : Pass<"block-fix-rank", "::mlir::ModuleOp"> {
  let summary = "specializes a module to one of several ranks";
  let description = [{
    Class: exact. Replaces the rank index in a module that block-shard split by a number. A
    module for a single rank is unchanged.

    Example: test/Transforms/block-fix-rank/doc.mlir.
  }];
  let options = [Option<"rank", "rank", "int64_t", "0", "number of the rank, from 0">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ConvertBlockKernelsToCpu : Pass<"convert-block-kernels-to-cpu", "::mlir::ModuleOp"> {
  let summary = "level 3 to functions for the CPU, and a plan of their launches";
  let description = [{
    Class: exact. A function becomes a `plan.program` (docs/generated/Plan.md) of its name,
    and `module @kernels`, with a function for each kernel in `scf`, `vector`, `arith` and
    pointers of `llvm`. Equal kernels share one. Values that depend on parameters alone are
    computed in `plan.prepack`. Ops outside the block dialect stay ops on tensors, in
    functions of the nested `module @leftovers`. With several ranks, the module must be that
    of one (block-fix-rank).

    Example: test/Transforms/convert-block-kernels-to-cpu/doc.mlir.
  }];
  let options = [
    CpuOption<"processor to compile for: native or a name that LLVM knows">,
    FunctionOption,
    Option<"rank", "rank", "int64_t", "0", "number of the module's rank">
  ];
  let dependentDialects = [
    "::parablock::plan::PlanDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::mpi::MPIDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"
  ];
}

def CpuLowerMpi : Pass<"cpu-lower-mpi", "::mlir::ModuleOp"> {
  let summary = "lowers upstream's MPI ops to calls";
  let description = [{
    Class: exact. Handles are those of the library: pointers in Open MPI, integers in MPICH.

    Example: test/Transforms/cpu-lower-mpi/doc.mlir.
  }];
  let options = [
    Option<"library", "library", "::parablock::CpuRank::Library",
           "::parablock::CpuRank::OpenMPI", "MPI library: openmpi or mpich">
  ];
  let dependentDialects = ["::mlir::DLTIDialect", "::mlir::LLVM::LLVMDialect"];
}

//===----------------------------------------------------------------------===//
// Leftovers
//===----------------------------------------------------------------------===//

def CpuDecomposeConcats : Pass<"cpu-decompose-concats", "::mlir::func::FuncOp"> {
  let summary = "concatenations become insertions";
  let description = [{
    Class: exact. Uses upstream's patterns: bufferization does not support `tensor.concat`.

    Example: test/Transforms/cpu-decompose-concats/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def CpuSeparateBlanks : Pass<"cpu-separate-blanks", "::mlir::func::FuncOp"> {
  let summary = "gives each reader its own blank tensor";
  let description = [{
    Class: exact. A blank is empty, or filled with one number, perhaps of another shape. If
    several ops write into one, eliminating empty tensors would make it the place of one
    result, to which the others would be added.

    Example: test/Transforms/cpu-separate-blanks/doc.mlir.
  }];
}

def CpuFreeAtEnd : Pass<"cpu-free-at-end", "::mlir::func::FuncOp"> {
  let summary = "frees memory at the end of its block";
  let description = [{
    Class: exact. Memory that a block allocates and does not pass on is freed before the
    block ends.

    Example: test/Transforms/cpu-free-at-end/doc.mlir.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def CpuExpandShapes : Pass<"cpu-expand-shapes", "::mlir::func::FuncOp"> {
  let summary = "expansions of shapes become casts";
  let description = [{
    Class: exact. Upstream's expansion supports one dynamic size per group of dimensions. In
    contiguous memory, strides are products of sizes, however many are dynamic.

    Example: test/Transforms/cpu-expand-shapes/doc.mlir.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect"];
}

def CpuCopyInLoops : Pass<"cpu-copy-in-loops", "::mlir::func::FuncOp"> {
  let summary = "copies become linalg.generic";
  let description = [{
    Class: exact. Upstream lowers strided copies to calls of a runtime library.

    Example: test/Transforms/cpu-copy-in-loops/doc.mlir.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def CpuBoundDivisors : Pass<"cpu-bound-divisors", "::mlir::func::FuncOp"> {
  let summary = "divides by 1 where the quotient is undefined";
  let description = [{
    Class: exact. A division by zero, or of the least integer by -1, would end the process.

    Example: test/Transforms/cpu-bound-divisors/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CpuWidenIntegers : Pass<"cpu-widen-integers", "::mlir::func::FuncOp"> {
  let summary = "converts integers to 16-bit floats through f64";
  let description = [{
    Class: exact. f64 represents most integers, so there is one rounding.

    Example: test/Transforms/cpu-widen-integers/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CpuCallLibrary : Pass<"cpu-call-library", "::mlir::ModuleOp"> {
  let summary = "expm1 and log1p become calls of the C library";
  let description = [{
    Class: exact. Upstream expands both as a difference from 1, which loses all digits near
    0.

    Example: test/Transforms/cpu-call-library/doc.mlir.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def CpuConvertNarrowFloats : Pass<"cpu-convert-narrow-floats", "::mlir::func::FuncOp"> {
  let summary = "lowers conversions from and to 16-bit floats";
  let description = [{
    Class: exact. They go through f32, in integer arithmetic or the processor's own
    instructions; an f64 is converted to f32 such that there is one rounding.

    Example: test/Transforms/cpu-convert-narrow-floats/doc.mlir.
  }];
  let options = [CpuOption<"processor to compile for: native or a name that LLVM knows">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def CpuJoinLeftovers : Pass<"cpu-join-leftovers", "::mlir::ModuleOp"> {
  let summary = "moves leftover functions to the other kernels";
  let description = [{
    Class: exact. Moves the functions of nested modules to the enclosing module of kernels,
    and updates launches. All kernels are then lowered in the same way.

    Example: test/Transforms/cpu-join-leftovers/doc.mlir.
  }];
}

#endif // PARABLOCK_CONVERSION_BLOCKKERNELSTOCPU_PASSES_TD
