//===- Generation.cpp - request checks and the token loop -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/Generation.h"

#include "parablock/Engines/Generation/CacheBuffers.h"
#include "parablock/Engines/Generation/PagePool.h"
#include "parablock/Support/FloatFormats.h"
#include <algorithm>

using namespace parablock;
using namespace parablock::generation;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static Error checkPrompt(const Request &request, int64_t vocabulary) {
  size_t rows = request.starts.size();
  if (rows == 0 || request.ids.empty() || request.ids.size() % rows != 0)
    return llvm::createStringError(
        "ids: expected rows of as many tokens each, at least one");
  auto width = static_cast<int64_t>(request.ids.size() / rows);
  for (size_t row = 0; row < rows; ++row) {
    int64_t start = request.starts[row];
    if (start < 0 || start >= width)
      return llvm::createStringError("starts: expected numbers from 0 to " +
                                     Twine(width - 1) + ", got " +
                                     Twine(start) + " of row " + Twine(row));
    for (int64_t id :
         ArrayRef(request.ids).slice(row * width, width).drop_front(start))
      if (id < 0 || id >= vocabulary)
        return llvm::createStringError("ids: expected tokens below " +
                                       Twine(vocabulary) + ", got " +
                                       Twine(id) + " in row " + Twine(row));
  }
  return Error::success();
}

static Error checkRequest(const Request &request, const TokenPorts &ports,
                          const TokenLimits &limits) {
  int64_t vocabulary = ports.vocabulary;
  if (Error error = checkPrompt(request, vocabulary))
    return error;
  if (request.mostTokens < 1)
    return llvm::createStringError("max_new_tokens: expected 1 or more, got " +
                                   Twine(request.mostTokens));
  if (request.padding < 0 || request.padding >= vocabulary)
    return llvm::createStringError("padding: expected a token below " +
                                   Twine(vocabulary) + ", got " +
                                   Twine(request.padding));
  if (Error error = request.sampling.check())
    return error;
  if (request.mostPages && !ports.pages)
    return llvm::createStringError(
        "pool_pages: expected caches in pages, got some in one piece");
  if (request.mostPages && *request.mostPages < 1)
    return llvm::createStringError("pool_pages: expected 1 or more, got " +
                                   Twine(*request.mostPages));
  // The last token is none that anything is computed of.
  auto width = static_cast<int64_t>(request.ids.size() / request.starts.size());
  int64_t added = request.mostTokens - 1;
  int64_t padding = *llvm::min_element(request.starts);
  int64_t own = limits.countsPadding ? width : width - padding;
  std::optional<int64_t> most = limits.mostPositions;
  if (most && added > *most - own)
    return llvm::createStringError(
        "expected at most " + Twine(*most) +
        " tokens, which is what the model has positions for, got " +
        Twine(static_cast<uint64_t>(own) + static_cast<uint64_t>(added)));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<Generation>>
Generation::create(TokenPorts ports, const TokenLimits &limits, Request request,
                   TokenFunction function) {
  if (Error error = checkRequest(request, ports, limits))
    return error;
  std::unique_ptr<Generation> made(new Generation(
      std::move(ports), limits, std::move(request), std::move(function)));
  made->connect();
  made->markPrompt();
  return made;
}

/// Returns the expected number of tokens in caches, if rows are generated in
/// full.
static int64_t countExpected(int64_t width, int64_t added) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  return added > most - width ? most : width + added;
}

static std::unique_ptr<CacheMemory> createMemory(const TokenPorts &ports,
                                                 const TokenLimits &limits,
                                                 const Request &request,
                                                 int64_t expected) {
  if (!ports.pages)
    return std::make_unique<CacheBuffers>(ports.caches, request.starts.size(),
                                          expected);
  PageUse use{ports.pageRows, request.starts, limits.window, request.mostPages};
  return std::make_unique<PagePool>(ports.caches, use, expected);
}

Generation::Generation(TokenPorts found, const TokenLimits &limits,
                       Request asked, TokenFunction run)
    : ports(std::move(found)), request(std::move(asked)),
      function(std::move(run)), rows(request.starts.size()),
      width(static_cast<int64_t>(request.ids.size() / rows)),
      sampler(request.sampling, ports.vocabulary),
      caches(createMemory(ports, limits, request,
                          countExpected(width, request.mostTokens))),
      arguments(ports.numArguments), results(ports.numResults),
      numRows(static_cast<int64_t>(rows)), lengths(rows),
      logits(rows * ports.vocabulary * getElementSize(ports.logitsType)),
      wide(ports.vocabulary), scores(ports.vocabulary), tokens(rows),
      ended(rows) {
  if (request.sampling.repetitionPenalty != 1)
    seen.resize(rows * ports.vocabulary);
}

void Generation::connect() {
  idsShape = {numRows, 0};
  logitsShape = {numRows, 1, ports.vocabulary};
  ids = {nullptr, "i64", idsShape.size(), idsShape.data()};
  pastLengths = {lengths.data(), "i64", 1, &numRows};
  starts = {request.starts.data(), "i64", 1, &numRows};
  keptRows = {&keptRow, "i64", 1, &one};
  arguments[ports.ids] = &ids;
  arguments[ports.pastLengths] = &pastLengths;
  arguments[ports.starts] = &starts;
  arguments[ports.keptRows] = &keptRows;
  for (auto [index, cache] : llvm::enumerate(ports.caches))
    arguments[cache.argument] = &(*caches)[index];
  if (ports.pages)
    arguments[*ports.pages] = caches->getTable();
  results[ports.logits] = {logits.data(),
                           getElementTypeKeyword(ports.logitsType).data(),
                           logitsShape.size(), logitsShape.data()};
}

void Generation::markPrompt() {
  if (seen.empty())
    return;
  for (size_t row = 0; row < rows; ++row)
    for (int64_t id : ArrayRef(request.ids)
                          .slice(row * width, width)
                          .drop_front(request.starts[row]))
      seen[row * ports.vocabulary + id] = 1;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Error Generation::run(const int64_t *data, int64_t count) {
  if (Error error = caches->reserve(held, held + count))
    return error;
  ids.data = const_cast<int64_t *>(data);
  idsShape[1] = count;
  keptRow = count - 1;
  for (size_t row = 0; row < rows; ++row)
    lengths[row] = caches->countOf(row, held);
  // Arguments and results share memory: new rows are written in place.
  for (auto [index, cache] : llvm::enumerate(ports.caches))
    results[cache.result] = (*caches)[index];
  if (Error error = function(arguments, results))
    return error;
  held += count;
  return Error::success();
}

Error Generation::begin() {
  if (held > 0)
    return llvm::createStringError("generation: expected one beginning");
  for (int64_t first = 0; first < width;) {
    int64_t count = caches->countNext(held, width - first);
    const int64_t *data = request.ids.data();
    if (count < width) {
      part.resize(rows * count);
      for (size_t row = 0; row < rows; ++row)
        std::copy_n(data + row * width + first, count,
                    part.data() + row * count);
      data = part.data();
    }
    if (Error error = run(data, count))
      return error;
    first += count;
  }
  isReady = true;
  return Error::success();
}

bool Generation::hasEnded() const {
  return made == request.mostTokens ||
         (made > 0 && llvm::all_of(ended, [](uint8_t end) { return end; }));
}

Error Generation::next() {
  if (!isReady || hasEnded())
    return llvm::createStringError(
        "generation: expected a step behind a beginning and before the end");
  isReady = false;
  if (made > 0)
    if (Error error = run(tokens.data(), 1))
      return error;
  for (size_t row = 0; row < rows; ++row)
    if (Error error = chooseFor(row))
      return error;
  ++made;
  isReady = true;
  return Error::success();
}

Error Generation::chooseFor(size_t row) {
  if (ended[row]) {
    tokens[row] = request.padding;
    return Error::success();
  }
  size_t vocabulary = scores.size();
  unsigned elementSize = getElementSize(ports.logitsType);
  decodeElements(ports.logitsType,
                 ArrayRef(logits).slice(row * vocabulary * elementSize,
                                        vocabulary * elementSize),
                 wide);
  llvm::copy(wide, scores.begin());
  llvm::MutableArrayRef<uint8_t> marks = seen;
  if (!marks.empty())
    marks = marks.slice(row * vocabulary, vocabulary);
  auto fail = [&](Error error) {
    return llvm::createStringError("row " + Twine(row) + ", token " +
                                   Twine(made) + ": " +
                                   llvm::toString(std::move(error)));
  };
  llvm::Expected<int64_t> token =
      sampler.draw(scores, marks, drawPoint(request.seed, row, made));
  if (!token)
    return fail(token.takeError());
  tokens[row] = *token;
  ended[row] = llvm::is_contained(request.stops, *token);
  if (ended[row])
    caches->end(row);
  if (!marks.empty())
    marks[*token] = 1;
  return Error::success();
}
