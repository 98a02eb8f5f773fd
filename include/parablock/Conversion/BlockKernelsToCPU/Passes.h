//===- Passes.h - passes from kernels to CPU code ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_BLOCKKERNELSTOCPU_PASSES_H
#define PARABLOCK_CONVERSION_BLOCKKERNELSTOCPU_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "parablock/Engines/CPU/CpuProgram.h"
#include "parablock/Engines/CPU/CpuTarget.h"
#include "parablock/Support/NamedEnum.h"

PARABLOCK_NAMED_ENUM(parablock::CpuRank::Library, "openmpi", "mpich")

namespace parablock {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h.inc"

/// A processor, given directly or by name.
struct CpuChoice {
  std::string name = "native";
  std::optional<CpuTarget> target;
};

/// The passes with processor options, for any choice of them. An empty function
/// name selects the model.
std::unique_ptr<mlir::Pass>
createConvertBlockKernelsToCpu(llvm::StringRef function, const CpuChoice &cpu,
                               int64_t rank);
std::unique_ptr<mlir::Pass> createCpuConvertNarrowFloats(const CpuChoice &cpu);

/// Resolves the processor's name if necessary; an unknown name is an error.
mlir::LogicalResult findTarget(mlir::Location loc, CpuChoice &cpu);

/// Adds the passes that lower leftover functions, in their own module, from ops
/// on tensors to loops over memory.
void buildLeftoverPipeline(mlir::OpPassManager &manager, const CpuChoice &cpu);

/// Adds the passes from kernels to a plan and functions in the LLVM dialect.
void buildCpuCodePipeline(mlir::OpPassManager &manager,
                          llvm::StringRef function, const CpuChoice &cpu,
                          const CpuRank &rank);

/// Fails, with an error, unless `module` has a rank with that number.
mlir::LogicalResult checkRank(mlir::ModuleOp module, int64_t rank);

} // namespace parablock

#endif // PARABLOCK_CONVERSION_BLOCKKERNELSTOCPU_PASSES_H
