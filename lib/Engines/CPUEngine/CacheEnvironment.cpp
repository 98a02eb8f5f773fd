//===- CacheEnvironment.cpp - reads environment variables of caches -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CacheEnvironment.h"

#include "llvm/ADT/StringExtras.h"
#include <cstdlib>

using namespace parablock;
using llvm::StringRef;

static const char *getVariable(const char *name) {
  const char *value = secure_getenv(name);
  return value && *value ? value : nullptr;
}

std::optional<std::string> parablock::findCacheFolder(StringRef folder) {
  if (!folder.empty())
    return folder.str();
  if (const char *given = secure_getenv("PARABLOCK_CACHE")) {
    if (StringRef(given).empty() || StringRef(given) == "0")
      return std::nullopt;
    return given;
  }
  // Relative ones are to be ignored, as their specification has it.
  if (const char *caches = getVariable("XDG_CACHE_HOME");
      caches && *caches == '/')
    return std::string(caches) + "/parablock";
  if (const char *home = getVariable("HOME"))
    return std::string(home) + "/.cache/parablock";
  return std::nullopt;
}

llvm::Expected<uint64_t> parablock::readCacheLimit(const char *variable,
                                                   uint64_t otherwise) {
  const char *given = getVariable(variable);
  if (!given)
    return otherwise;
  StringRef text = given;
  unsigned shift = 0;
  for (auto [unit, bits] : {std::pair("KiB", 10), {"MiB", 20}, {"GiB", 30}})
    if (text.consume_back(unit))
      shift = bits;
  uint64_t number = 0;
  if (!llvm::to_integer(text, number, 10) || number > UINT64_MAX >> shift)
    return llvm::createStringError(
        llvm::Twine(variable) +
        ": expected bytes, such as 100000 or 64MiB, got '" + given + "'");
  return number << shift;
}
