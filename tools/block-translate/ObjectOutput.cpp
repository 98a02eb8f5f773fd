//===- ObjectOutput.cpp - compiles and writes object files ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ObjectOutput.h"

#include "parablock/Conversion/BlockKernelsToCPU/LowerToCpu.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Dialect/Block/UndefinedReads.h"
#include "parablock/Engines/CPU/CpuObject.h"
#include "parablock/Pipelines/BlockToCPU.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Transforms/Shard/RankFunction.h"
#include "parablock/Transforms/Shard/Ranks.h"
#include "llvm/Support/Path.h"

using namespace parablock;

/// Makes the module that of one rank; returns the rank and their number.
static llvm::Expected<CpuRank> chooseRank(mlir::ModuleOp module,
                                          const ObjectRequest &request) {
  int64_t count = countRanks(module).value_or(1);
  if (count == 1 && (request.rank || request.library))
    return llvm::createStringError(
        llvm::Twine(request.rank ? "--rank" : "--mpi") +
        ": expected a module that block-shard has split");
  if (count > 1 && (request.rank.value_or(-1) < 0 || *request.rank >= count))
    return llvm::createStringError(
        "--rank: expected a number from 0 to " + llvm::Twine(count - 1) +
        ", one of the ranks that the module is split for");
  CpuRank rank{request.rank.value_or(0), count,
               request.library.value_or(CpuRank::OpenMPI)};
  if (count > 1)
    fixRank(module, rank.rank);
  return rank;
}

llvm::Error writeObject(mlir::ModuleOp module, const ObjectRequest &request) {
  llvm::Expected<CpuTarget> target = findCpuTarget(request.cpu);
  if (!target)
    return target.takeError();
  llvm::Expected<CpuRank> rank = chooseRank(module, request);
  if (!rank)
    return rank.takeError();
  if (failed(refuseUndefinedReads(module)) || failed(lowerToKernels(module)))
    return llvm::createStringError("cannot make kernels of the module");
  mlir::func::FuncOp function = findMainFuncOp(module);
  if (!function)
    return llvm::createStringError("cannot find the model");
  llvm::Expected<CpuProgram> program = lowerToCpu(function, *target, *rank);
  if (!program)
    return program.takeError();
  std::string stem =
      request.objectPath == "-"
          ? "model"
          : makeCIdentifier(llvm::sys::path::stem(request.objectPath));
  std::string header = makeCpuObjectHeader(*program, stem);
  llvm::Expected<std::string> object = makeCpuObject(*program, stem);
  if (!object)
    return object.takeError();
  if (!request.headerPath.empty())
    if (llvm::Error error = writeFile(request.headerPath, header))
      return error;
  return writeFile(request.objectPath, *object);
}
