//===- ObjectOutput.h - object files for processors -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_TRANSLATE_OBJECTOUTPUT_H
#define PARABLOCK_TOOLS_BLOCK_TRANSLATE_OBJECTOUTPUT_H

#include "mlir/IR/BuiltinOps.h"
#include "parablock/Engines/CPU/CpuProgram.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

struct ObjectRequest {
  /// As findCpuTarget takes it.
  std::string cpu;
  std::string objectPath;
  /// Empty for no header.
  std::string headerPath;
  /// The rank, of a module for several, and the MPI library of its program;
  /// Open MPI by default.
  std::optional<int64_t> rank = std::nullopt;
  std::optional<parablock::CpuRank::Library> library = std::nullopt;
};

/// Writes the model of the module, which is changed, as machine code. Its
/// symbols are named after the file.
llvm::Error writeObject(mlir::ModuleOp module, const ObjectRequest &request);

#endif // PARABLOCK_TOOLS_BLOCK_TRANSLATE_OBJECTOUTPUT_H
