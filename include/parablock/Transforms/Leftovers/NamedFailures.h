//===- NamedFailures.h - failed conversions, by name ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LEFTOVERS_NAMEDFAILURES_H
#define PARABLOCK_LEFTOVERS_NAMEDFAILURES_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <string>

namespace parablock {

/// Holds back, for its lifetime, MLIR's errors of conversions that fail for an
/// op, and reports them in the words of an engine.
class NamedFailures {
public:
  explicit NamedFailures(mlir::MLIRContext *context);

  /// Reports "no <code> for this form of" each op that was held back.
  void report(llvm::StringRef code);

private:
  llvm::SmallVector<std::pair<mlir::Location, std::string>> names;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace parablock

#endif // PARABLOCK_LEFTOVERS_NAMEDFAILURES_H
