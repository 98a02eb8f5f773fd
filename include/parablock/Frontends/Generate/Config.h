//===- Config.h - models from a config.json ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATE_CONFIG_H
#define PARABLOCK_GENERATE_CONFIG_H

#include "parablock/Frontends/Generate/ModelSpec.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace parablock::generate {

/// The sequence length that IR is generated for, which some rotary tables
/// depend on: the model's number of positions unless `given`; none if it is
/// `?`.
struct SequenceRequest {
  bool given = false;
  std::optional<int64_t> length;
};

/// Reads the model that the config at `path` describes, with its checkpoint's
/// names and layouts. Every error begins with the path and names the wrong key.
llvm::Expected<ModelSpec> readConfig(llvm::StringRef path,
                                     SequenceRequest sequence);

} // namespace parablock::generate

#endif // PARABLOCK_GENERATE_CONFIG_H
