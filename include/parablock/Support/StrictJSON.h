//===- StrictJSON.h - JSON with limits --------------------------*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_STRICTJSON_H
#define PARABLOCK_SUPPORT_STRICTJSON_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace parablock {

/// Calls llvm::json::parse for text that files::checkJson accepts, with a limit
/// on memory. Errors do not name the source; callers prepend it.
llvm::Expected<llvm::json::Value> parseStrictJSON(llvm::StringRef text,
                                                  unsigned maxDepth = 64);

/// Reads and parses the file at `path` ("-" is standard input), which must
/// hold one JSON object. Every error begins with the path.
llvm::Expected<llvm::json::Object> readJSONObject(llvm::StringRef path);

/// Returns a number for a JSON report: NaN and infinities, which JSON lacks,
/// become null.
llvm::json::Value toJSONNumber(double value);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_STRICTJSON_H
