//===- TokenPorts.cpp - matches arguments by name and shape ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/TokenPorts.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace parablock;
using namespace parablock::generation;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
using mlir::ShapedType;

static llvm::Error fail(const Twine &message) {
  return llvm::createStringError(
      "generation: expected a function as block-add-caches makes it, " +
      message);
}

/// The window that the size of a ring is named after: `past_5`.
static std::optional<int64_t> findWindow(const runner::Argument &cache) {
  int64_t window = 0;
  StringRef name = cache.dims.size() > 1 ? StringRef(cache.dims[1]) : "";
  if (!name.consume_front("past_") || name.getAsInteger(10, window))
    return std::nullopt;
  return window;
}

/// Returns whether the first two of three sizes are dynamic.
static bool isRowsOfRows(const runner::Port &port) {
  return port.shape.size() == 3 && ShapedType::isDynamic(port.shape[0]) &&
         ShapedType::isDynamic(port.shape[1]) &&
         !ShapedType::isDynamic(port.shape[2]);
}

namespace {
class PortFinder {
public:
  PortFinder(llvm::ArrayRef<runner::Argument> arguments,
             llvm::ArrayRef<runner::Port> results)
      : arguments(arguments), results(results) {}

  Expected<TokenPorts> find();

private:
  /// Records the role of an input.
  llvm::Error take(unsigned position);
  llvm::Error takeCache(unsigned position);
  llvm::Error checkCache(const runner::Argument &cache);
  llvm::Error takeResults();

  llvm::ArrayRef<runner::Argument> arguments;
  llvm::ArrayRef<runner::Port> results;
  TokenPorts ports;
  /// True if caches are paged.
  bool isPaged = false;
  std::optional<unsigned> ids, pastLengths, starts, keptRows, pages, logits;
};
} // namespace

/// Any number of rows, or of pages that have as many rows in all caches.
llvm::Error PortFinder::checkCache(const runner::Argument &cache) {
  auto failBecause = [&](const char *expected) {
    return fail("whose '" + cache.name + "' has " + expected +
                ", got the sizes " + runner::formatDims(cache.shape));
  };
  if (!isPaged)
    return isRowsOfRows(cache) ? llvm::Error::success()
                               : failBecause("any number of rows");
  if (cache.shape.size() != 3 || !ShapedType::isDynamic(cache.shape[0]) ||
      ShapedType::isDynamic(cache.shape[1]) || cache.shape[1] < 1 ||
      ShapedType::isDynamic(cache.shape[2]))
    return failBecause("any number of pages");
  if (!ports.caches.empty() && cache.shape[1] != ports.pageRows)
    return failBecause("pages like those of others");
  ports.pageRows = cache.shape[1];
  return llvm::Error::success();
}

llvm::Error PortFinder::takeCache(unsigned position) {
  const runner::Argument &cache = arguments[position];
  if (llvm::Error error = checkCache(cache))
    return error;
  StringRef given = StringRef(cache.name).drop_front(strlen("past_"));
  const auto *result = llvm::find_if(
      results, [&](const runner::Port &port) { return port.name == given; });
  if (result == results.end())
    return fail("that gives '" + given + "', got one that does not");
  ports.caches.push_back({position,
                          static_cast<unsigned>(result - results.begin()),
                          cache.shape[2], cache.type, findWindow(cache)});
  return llvm::Error::success();
}

llvm::Error PortFinder::take(unsigned position) {
  const runner::Argument &argument = arguments[position];
  StringRef name = argument.name;
  if (name.starts_with("past_key.") || name.starts_with("past_value."))
    return takeCache(position);
  std::optional<unsigned> *known =
      llvm::StringSwitch<std::optional<unsigned> *>(name)
          .Case("input_ids", &ids)
          .Case("past_lengths", &pastLengths)
          .Case("starts", &starts)
          .Case("logits_to_keep", &keptRows)
          .Case("pages", &pages)
          .Default(nullptr);
  if (!known)
    return fail("got one that takes '" + name + "' as well");
  if (argument.type != ElementType::I64 ||
      !llvm::all_of(argument.shape, ShapedType::isDynamic))
    return fail("whose '" + name + "' is i64 of any sizes, got " +
                getElementTypeKeyword(argument.type) + " " +
                runner::formatDims(argument.shape));
  *known = position;
  return llvm::Error::success();
}

llvm::Error PortFinder::takeResults() {
  llvm::SmallBitVector known(results.size());
  for (const CachePort &cache : ports.caches)
    known.set(cache.result);
  for (unsigned position = 0; position < results.size(); ++position) {
    const runner::Port &port = results[position];
    if (known[position])
      continue;
    if (port.name != "logits" || !isRowsOfRows(port) || !isFloatType(port.type))
      return fail("got one that gives '" + port.name + "' " +
                  runner::formatDims(port.shape) + " as well");
    logits = position;
    ports.vocabulary = port.shape[2];
    ports.logitsType = port.type;
  }
  return llvm::Error::success();
}

Expected<TokenPorts> PortFinder::find() {
  isPaged = llvm::any_of(arguments, [](const runner::Argument &argument) {
    return argument.name == "pages";
  });
  for (auto [position, argument] : llvm::enumerate(arguments))
    if (!argument.isParameter)
      if (llvm::Error error = take(position))
        return error;
  if (llvm::Error error = takeResults())
    return error;
  const std::pair<const char *, std::optional<unsigned>> needed[] = {
      {"input_ids", ids},
      {"past_lengths", pastLengths},
      {"starts", starts},
      {"logits_to_keep", keptRows},
      {"logits", logits}};
  for (auto [name, position] : needed)
    if (!position)
      return fail("got one without '" + Twine(name) + "'");
  if (ports.caches.empty())
    return fail("got one without caches");
  ports.ids = *ids;
  ports.pastLengths = *pastLengths;
  ports.starts = *starts;
  ports.keptRows = *keptRows;
  ports.logits = *logits;
  ports.pages = pages;
  ports.numArguments = arguments.size();
  ports.numResults = results.size();
  return std::move(ports);
}

Expected<TokenPorts>
generation::findTokenPorts(llvm::ArrayRef<runner::Argument> arguments,
                           llvm::ArrayRef<runner::Port> results) {
  return PortFinder(arguments, results).find();
}
