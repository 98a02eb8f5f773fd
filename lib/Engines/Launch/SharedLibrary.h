//===- SharedLibrary.h - dlopen of libraries --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_SHAREDLIBRARY_H
#define PARABLOCK_LIB_LAUNCH_SHAREDLIBRARY_H

#include "parablock/Engines/Launch/Status.h"
#include <string>

namespace parablock::launch {

/// A vendor's library. It is never unloaded, because its own threads cannot be
/// stopped.
class SharedLibrary {
public:
  /// `subject` and `version` are used in messages: "CUDA driver", "a driver of
  /// CUDA 12". The environment variable overrides the file.
  SharedLibrary(const char *subject, const char *version, const char *variable,
                const char *fileName);

  Status load();

  /// Finds the function that `symbol` names.
  template <typename FunctionT>
  Status find(FunctionT *&function, const char *symbol) const {
    findOptional(function, symbol);
    return function ? Status() : missing(symbol);
  }

  /// As above, or sets `function` to null.
  template <typename FunctionT>
  void findOptional(FunctionT *&function, const char *symbol) const {
    function = reinterpret_cast<FunctionT *>(getAddress(symbol));
  }

private:
  void *getAddress(const char *symbol) const;
  Status missing(const char *symbol) const;

  std::string subject, version, path;
  void *handle = nullptr;
};

} // namespace parablock::launch

#endif // PARABLOCK_LIB_LAUNCH_SHAREDLIBRARY_H
