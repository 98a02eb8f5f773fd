//===- PlannedProgram.cpp - programs that plan memory without code --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ProgramEngines.h"
#include "parablock/Conversion/BlockKernelsToCPU/LowerToCpu.h"
#include "parablock/Conversion/BlockKernelsToCPU/PlanForCpu.h"
#include "parablock/Engines/CPU/Runtime/ThreadPool.h"
#include "parablock/Engines/CPUEngine/CompileFunction.h"
#include "parablock/Pipelines/BlockToCPU.h"

using namespace parablock;
using namespace parablock::capi;
using llvm::Error;
using llvm::Expected;

namespace {
class PlannedProgram : public ProgramEngine {
public:
  PlannedProgram(const CpuProgram &program, int32_t workers)
      : segments(listSegments(program)),
        bytes(countRunBytes(program, workers)) {}

  Error setParameters(Arguments) override { return refuse(); }
  Expected<Shape> findOutputShape(Arguments, unsigned) override {
    return refuse();
  }
  Error run(Arguments, llvm::ArrayRef<ParablockTensor>) override {
    return refuse();
  }
  llvm::ArrayRef<CpuSegment> getSegments() const override { return segments; }
  Expected<CpuRunBytes> planMemory(Arguments) override { return bytes; }

private:
  static Error refuse() {
    return llvm::createStringError("the engine plan has no code that runs: "
                                   "expected cpu");
  }

  std::vector<CpuSegment> segments;
  CpuRunBytes bytes;
};
} // namespace

Expected<std::unique_ptr<ProgramEngine>>
capi::createPlannedProgram(mlir::func::FuncOp function,
                           const ParablockProgramOptions &options) {
  Expected<CpuTarget> target = findCpuTarget(options.cpu ? options.cpu : "");
  if (!target)
    return target.takeError();
  Expected<LoweredFunction> lowered = lowerCopy(function, lowerToKernels);
  if (!lowered)
    return lowered.takeError();
  Expected<CpuProgram> program = planForCpu(lowered->function, *target);
  if (!program)
    return program.takeError();
  if (!program->symbols.empty())
    return llvm::createStringError("no plan of '" + function.getSymName() +
                                   "': expected sizes that are known");
  int32_t workers = cpu::ThreadPool(options.threads).numWorkers;
  packInRuns(*program, workers);
  return std::make_unique<PlannedProgram>(*program, workers);
}
