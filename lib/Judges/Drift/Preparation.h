//===- Preparation.h - compilation of parts ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_PREPARATION_H
#define PARABLOCK_LIB_DRIFT_PREPARATION_H

#include "Outline.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace parablock::drift {

/// Compiles outlines for an engine, equal ones once.
class Preparation {
public:
  Preparation(const DriftEngine &engine, llvm::raw_ostream &remarks)
      : engine(engine), remarks(remarks) {}

  /// Makes the engine run `outline` from now on, if it has code for it.
  llvm::Error prepare(Outline &outline);

  /// Why parts stay on the reference, and how many for each reason.
  const std::map<std::string, int64_t> &getRefusals() const { return refusals; }

private:
  struct Entry {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    /// Null where the engine has no code.
    ReadyFunction ready;
    std::string refusal;
  };
  llvm::Expected<Entry> make(mlir::OwningOpRef<mlir::ModuleOp> module,
                             mlir::func::FuncOp function);

  const DriftEngine &engine;
  llvm::raw_ostream &remarks;
  llvm::StringMap<Entry> entries;
  std::map<std::string, int64_t> refusals;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_PREPARATION_H
