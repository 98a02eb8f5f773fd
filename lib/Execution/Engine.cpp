//===- Engine.cpp - registers and creates engines -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Execution/Engine.h"
#include "llvm/ADT/STLExtras.h"

using namespace parablock::runner;
using llvm::Expected;
using llvm::StringRef;

char MissingError::ID = 0;
char DiagnosedError::ID = 0;

std::error_code MissingError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

std::error_code DiagnosedError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

void EngineRegistry::add(StringRef name, Factory factory) {
  for (Entry &entry : entries)
    if (entry.name == name) {
      entry.factory = std::move(factory);
      return;
    }
  entries.push_back({name.str(), std::move(factory)});
}

Expected<std::unique_ptr<Engine>> EngineRegistry::create(StringRef name) const {
  for (const Entry &entry : entries)
    if (entry.name == name)
      return entry.factory();
  std::string known;
  llvm::raw_string_ostream os(known);
  llvm::interleaveComma(entries, os,
                        [&](const Entry &entry) { os << entry.name; });
  return llvm::createStringError("unknown engine '" + name + "'; expected " +
                                 known);
}
