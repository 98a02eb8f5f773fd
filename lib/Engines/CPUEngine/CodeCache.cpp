//===- CodeCache.cpp - compiled code kept between processes ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPUEngine/CodeCache.h"

#include "parablock/Files/Sha256.h"
#include "llvm/ADT/StringExtras.h"
#include <atomic>
#include <cstdlib>

using namespace parablock;
using llvm::StringRef;

/// Behind the hash of the key, and the beginning of each file; another number
/// where the form of files changes.
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
      folder.write(name + ending.str(),
                   (mark + sign(name, contents) + contents).str()))
    return;
  folder.limit(ending, limit);
}

static const char *getVariable(const char *name) {
  const char *value = secure_getenv(name);
  return value && *value ? value : nullptr;
}

static std::optional<std::string> findFolder() {
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

static llvm::Expected<uint64_t> readLimit() {
  const char *given = getVariable("PARABLOCK_CACHE_LIMIT");
  if (!given)
    return CodeCache::defaultLimit;
  StringRef text = given;
  unsigned shift = 0;
  for (auto [unit, bits] : {std::pair("KiB", 10), {"MiB", 20}, {"GiB", 30}})
    if (text.consume_back(unit))
      shift = bits;
  uint64_t number = 0;
  if (!llvm::to_integer(text, number, 10) || number > UINT64_MAX >> shift)
    return llvm::createStringError(
        llvm::Twine("PARABLOCK_CACHE_LIMIT: expected bytes, such as 100000 or "
                    "64MiB, got '") +
        given + "'");
  return number << shift;
}

llvm::Expected<std::unique_ptr<CodeCache>> CodeCache::open(StringRef folder) {
  std::optional<std::string> path =
      folder.empty() ? findFolder() : std::optional(folder.str());
  if (!path)
    return nullptr;
  llvm::Expected<uint64_t> limit = readLimit();
  if (!limit)
    return limit.takeError();
  return std::make_unique<CodeCache>(*path, *limit);
}

static std::atomic<uint64_t> hits, misses;

CodeCacheCounts parablock::getCodeCacheCounts() {
  return {hits.load(), misses.load()};
}

void parablock::countCodeCacheUse(bool isHit) { ++(isHit ? hits : misses); }
