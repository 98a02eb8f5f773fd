//===- CodeCache.cpp - signs and verifies cached code ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/CodeCache.h"

#include "parablock/Files/Sha256.h"

using namespace parablock;
using llvm::StringRef;

/// The suffix of file names, and the beginning of each file; the number changes
/// with the format.
static constexpr StringRef ending = ".code", mark = "parablock code 1\n";

static std::string hash(StringRef text) {
  return files::computeSha256({text.data(), text.size()});
}

/// Ties contents to the key that they are kept by.
static std::string sign(StringRef name, StringRef contents) {
  return hash(name.str() + hash(contents));
}

CodeCache::CodeCache(const std::string &path, uint64_t limit) : limit(limit) {
  if (files::Status failure = folder.open(path))
    fault = failure->text;
}

std::optional<std::string> CodeCache::find(StringRef key) const {
  std::string name = hash(key), file;
  if (!fault.empty() || !folder.read(name + ending.str(), limit, file))
    return std::nullopt;
  StringRef rest = file;
  if (!rest.consume_front(mark))
    return std::nullopt;
  StringRef signature = rest.take_front(name.size());
  StringRef contents = rest.drop_front(signature.size());
  if (signature != sign(name, contents))
    return std::nullopt;
  return contents.str();
}

void CodeCache::keep(StringRef key, StringRef contents) {
  std::string name = hash(key);
  // A full disk costs time alone.
  if (!fault.empty() ||
      folder.write(name + ending.str(), {mark, sign(name, contents), contents}))
    return;
  folder.limit(ending, limit);
}
