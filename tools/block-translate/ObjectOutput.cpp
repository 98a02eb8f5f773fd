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
#include "llvm/Support/Path.h"

using namespace parablock;

llvm::Error writeObject(mlir::ModuleOp module, const ObjectRequest &request) {
  llvm::Expected<CpuTarget> target = findCpuTarget(request.cpu);
  if (!target)
    return target.takeError();
  if (failed(refuseUndefinedReads(module)) || failed(lowerToKernels(module)))
    return llvm::createStringError("cannot make kernels of the module");
  mlir::func::FuncOp function = findMainFuncOp(module);
  if (!function)
    return llvm::createStringError("cannot find the model");
  llvm::Expected<CpuProgram> program = lowerToCpu(function, *target);
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
