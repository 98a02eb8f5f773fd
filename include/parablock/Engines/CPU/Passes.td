//===- Passes.td - from kernels to code for the CPU --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_PASSES_TD
#define PARABLOCK_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"
include "parablock/Dialect/Block/FunctionOption.td"

class CpuOption<string text> : Option<"cpu", "cpu", "std::string", "\"native\"", text>;

def BlockFixRank : Pass<"block-fix-rank", "::mlir::ModuleOp"> {
  let summary = "the module of one of several ranks";
  let description = [{
    Class: exact. What a module that block-shard split asks of the rank it runs on becomes
    a number. A module of one rank has nothing of that.

    Example: test/Transforms/block-fix-rank/doc.mlir.
  }];
  let options = [Option<"rank", "rank", "int64_t", "0", "which rank, from 0 on">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ConvertBlockKernelsToCpu : Pass<"convert-block-kernels-to-cpu", "::mlir::ModuleOp"> {
  let summary = "level 3 to functions for the CPU, and a plan of their launches";
  let description = [{
    Class: exact. A function becomes a `plan.program` (docs/generated/Plan.md) of its name,
    and `module @kernels`, with a function for each kernel in `scf`, `vector`, `arith` and
    pointers of `llvm`. Kernels that say the same share one. What is computed from
    parameters alone runs in `plan.prepack`. Ops that are no blocks stay ops on tensors, in
    functions of `module @leftovers` within. Of several ranks, the module has to be that of
    one (block-fix-rank).

    Example: test/Transforms/convert-block-kernels-to-cpu/doc.mlir.
  }];
  let options = [
    CpuOption<"processor to compile for: native or a name that LLVM knows">,
    FunctionOption,
    Option<"rank", "rank", "int64_t", "0", "which of several ranks the module is for">
  ];
  let dependentDialects = [
    "::parablock::plan::PlanDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::mpi::MPIDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def CpuLowerMpi : Pass<"cpu-lower-mpi", "::mlir::ModuleOp"> {
  let summary = "upstream's MPI ops to calls";
  let description = [{
    Class: exact. Handles are those of the library: pointers of Open MPI, integers of MPICH.

    Example: test/Transforms/cpu-lower-mpi/doc.mlir.
  }];
  let options = [
    Option<"library", "library", "::parablock::CpuRank::Library",
           "::parablock::CpuRank::OpenMPI", "whose MPI: openmpi or mpich">
  ];
  let dependentDialects = ["::mlir::DLTIDialect", "::mlir::LLVM::LLVMDialect"];
}

//===----------------------------------------------------------------------===//
// What is left over
//===----------------------------------------------------------------------===//

def CpuDecomposeConcats : Pass<"cpu-decompose-concats", "::mlir::func::FuncOp"> {
  let summary = "concatenations become insertions";
  let description = [{
    Class: exact. Upstream's patterns: bufferization knows no `tensor.concat`.

    Example: test/Transforms/cpu-decompose-concats/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def CpuSeparateBlanks : Pass<"cpu-separate-blanks", "::mlir::func::FuncOp"> {
  let summary = "each reader has a blank tensor of its own";
  let description = [{
    Class: exact. A blank is empty, or filled with one number, perhaps of another shape.
    Where several ops write into one, eliminating empty tensors would make it the place of
    one result, and the others would be added up there.

    Example: test/Transforms/cpu-separate-blanks/doc.mlir.
  }];
}

def CpuFreeAtEnd : Pass<"cpu-free-at-end", "::mlir::func::FuncOp"> {
  let summary = "memory lives as long as the block that it is made in";
  let description = [{
    Class: exact. What a block makes and does not hand on is freed before the block ends.

    Example: test/Transforms/cpu-free-at-end/doc.mlir.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def CpuExpandShapes : Pass<"cpu-expand-shapes", "::mlir::func::FuncOp"> {
  let summary = "expansions of shapes become casts";
  let description = [{
    Class: exact. Upstream's expansion knows one open size per group of dimensions. Of
    memory without gaps, strides are products of sizes, however many are open.

    Example: test/Transforms/cpu-expand-shapes/doc.mlir.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect"];
}

def CpuCopyInLoops : Pass<"cpu-copy-in-loops", "::mlir::func::FuncOp"> {
  let summary = "copies become linalg.generic";
  let description = [{
    Class: exact. Upstream's copy of what lies apart is a call of a library of its own.

    Example: test/Transforms/cpu-copy-in-loops/doc.mlir.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def CpuBoundDivisors : Pass<"cpu-bound-divisors", "::mlir::func::FuncOp"> {
  let summary = "what has no quotient is divided by 1";
  let description = [{
    Class: exact. A division by zero, or of the least integer by -1, would end the process.

    Example: test/Transforms/cpu-bound-divisors/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CpuWidenIntegers : Pass<"cpu-widen-integers", "::mlir::func::FuncOp"> {
  let summary = "integers become floats of 16 bits by way of f64";
  let description = [{
    Class: exact. f64 holds most integers, and is rounded once.

    Example: test/Transforms/cpu-widen-integers/doc.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CpuCallLibrary : Pass<"cpu-call-library", "::mlir::ModuleOp"> {
  let summary = "expm1 and log1p become calls of the C library";
  let description = [{
    Class: exact. Upstream writes both as a difference from 1, without digits near 0.

    Example: test/Transforms/cpu-call-library/doc.mlir.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def CpuConvertNarrowFloats : Pass<"cpu-convert-narrow-floats", "::mlir::func::FuncOp"> {
  let summary = "conversions from and to floats of 16 bits";
  let description = [{
    Class: exact. They go by way of f32, in integer arithmetic or the processor's own
    instructions; an f64 is brought to f32 so that it is rounded once.

    Example: test/Transforms/cpu-convert-narrow-floats/doc.mlir.
  }];
  let options = [CpuOption<"processor to compile for: native or a name that LLVM knows">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def CpuJoinLeftovers : Pass<"cpu-join-leftovers", "::mlir::ModuleOp"> {
  let summary = "functions of what is left over join the other kernels";
  let description = [{
    Class: exact. Modules within the modules of kernels give up their functions, and
    launches follow. Then all of them lower in one way.

    Example: test/Transforms/cpu-join-leftovers/doc.mlir.
  }];
}

#endif // PARABLOCK_CPU_PASSES_TD
