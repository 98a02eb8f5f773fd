//===- ReferenceEngine.cpp - wraps the interpreter as an engine -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/ReferenceEngine.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Judges/Reference/Interpreter.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/Threading.h"
#include <chrono>
#include <sys/resource.h>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::StringRef;

namespace {
/// Counts ops by name, except layers and terminators.
class OpCounter {
public:
  void add(mlir::Operation *op) {
    if (llvm::isa<block::LayerOp>(op) ||
        op->hasTrait<mlir::OpTrait::IsTerminator>())
      return;
    StringRef name = op->getName().getStringRef();
    auto [entry, isNew] = indexOfName.try_emplace(name, counts.size());
    if (isNew)
      counts.push_back({name.str(), 0});
    ++counts[entry->second].count;
  }
  std::vector<KernelCount> take() { return std::move(counts); }

private:
  llvm::StringMap<size_t> indexOfName;
  std::vector<KernelCount> counts;
};

/// The interpreter has no allocator, so this is the peak memory of the
/// process.
uint64_t getPeakBytes() {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0)
    return 0;
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

/// Joins the ranks' results into the results of the whole function.
mlir::FailureOr<std::vector<Tensor>>
runAllRanks(mlir::func::FuncOp function,
            ArrayRef<std::vector<Tensor>> arguments,
            const reference::Options &options) {
  mlir::FailureOr<std::vector<std::vector<Tensor>>> results =
      reference::runRanks(function, arguments, options);
  if (mlir::failed(results))
    return mlir::failure();
  for (auto [rank, own] : llvm::enumerate(*results))
    for (auto [number, pair] :
         llvm::enumerate(llvm::zip_equal(results->front(), own)))
      if (!llvm::equal(std::get<0>(pair).data(), std::get<1>(pair).data()))
        return function.emitOpError()
               << "expected every rank to return the "
               << "same, but result " << number << " of rank " << rank
               << " is not that of rank 0";
  return results->front();
}

class ReferenceEngine : public Engine {
public:
  StringRef name() const override { return "reference"; }
  bool canBeExact() const override { return true; }
  bool canPrepack() const override { return true; }
  bool canSimulateRanks() const override { return true; }

  Expected<RunResult> run(mlir::func::FuncOp function,
                          ArrayRef<Tensor> arguments,
                          const RunOptions &options) override {
    if (options.threads)
      llvm::parallel::strategy = llvm::hardware_concurrency(options.threads);
    RunResult result;
    OpCounter counter;
    for (unsigned i = 0; i < options.repeat; ++i) {
      reference::Options interpreterOptions;
      interpreterOptions.exactArithmetic = options.exactArithmetic;
      interpreterOptions.roundingSeed = options.roundingSeed;
      interpreterOptions.rank = options.rank;
      if (i == 0)
        interpreterOptions.observer = [&](mlir::Operation *op,
                                          ArrayRef<Tensor> results) {
          counter.add(op);
          if (options.observer)
            options.observer(op, results);
        };
      auto start = std::chrono::steady_clock::now();
      mlir::FailureOr<std::vector<Tensor>> outputs =
          !options.rankArguments.empty()
              ? runAllRanks(function, options.rankArguments, interpreterOptions)
              : reference::run(function, arguments, interpreterOptions);
      std::chrono::duration<double, std::milli> elapsed =
          std::chrono::steady_clock::now() - start;
      if (mlir::failed(outputs))
        return llvm::make_error<DiagnosedError>();
      result.outputs = std::move(*outputs);
      result.milliseconds.push_back(elapsed.count());
    }
    result.kernels = counter.take();
    result.peakBytes = getPeakBytes();
    result.threads = llvm::parallel::strategy.compute_thread_count();
    return result;
  }
};
} // namespace

std::unique_ptr<Engine> runner::createReferenceEngine() {
  return std::make_unique<ReferenceEngine>();
}
