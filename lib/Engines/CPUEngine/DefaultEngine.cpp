//===- DefaultEngine.cpp - falls back to a second engine ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPUEngine/DefaultEngine.h"

#include "mlir/IR/Diagnostics.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::Expected;

namespace {
class DefaultEngine : public Engine {
public:
  DefaultEngine(std::unique_ptr<Engine> first, std::unique_ptr<Engine> second,
                llvm::raw_ostream &remarks)
      : first(std::move(first)), second(std::move(second)), remarks(remarks) {}

  llvm::StringRef name() const override { return ran->name(); }
  bool canPrepack() const override { return true; }

  Expected<RunResult> run(mlir::func::FuncOp function,
                          llvm::ArrayRef<Tensor> arguments,
                          const RunOptions &options) override;

private:
  std::unique_ptr<Engine> first, second;
  llvm::raw_ostream &remarks;
  /// The one that had the latest run.
  Engine *ran = first.get();
};
} // namespace

Expected<RunResult> DefaultEngine::run(mlir::func::FuncOp function,
                                       llvm::ArrayRef<Tensor> arguments,
                                       const RunOptions &options) {
  std::string reason;
  {
    mlir::ScopedDiagnosticHandler handler(
        function.getContext(), [&](mlir::Diagnostic &diagnostic) {
          // A warning is not why it would not run, and is for the user.
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning)
            return mlir::failure();
          if (reason.empty())
            reason = diagnostic.str();
          return mlir::success();
        });
    ran = first.get();
    Expected<RunResult> result = first->run(function, arguments, options);
    if (result)
      return result;
    std::string message = llvm::toString(result.takeError());
    if (reason.empty())
      reason = message;
  }
  remarks << "remark: engine " << second->name() << " runs '"
          << function.getSymName() << "': engine " << first->name() << ": "
          << reason << "\n";
  ran = second.get();
  return second->run(function, arguments, options);
}

std::unique_ptr<Engine>
parablock::createDefaultEngine(std::unique_ptr<Engine> first,
                               std::unique_ptr<Engine> second,
                               llvm::raw_ostream &remarks) {
  return std::make_unique<DefaultEngine>(std::move(first), std::move(second),
                                         remarks);
}
