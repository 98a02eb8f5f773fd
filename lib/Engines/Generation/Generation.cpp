//===- Generation.cpp - request checks and the token loop -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/Generation.h"

#include "parablock/Engines/Generation/CacheBuffers.h"
#include "parablock/Engines/Generation/Logits.h"
#include "parablock/Engines/Generation/PagePool.h"
#include "parablock/Files/TensorLayout.h"
#include "parablock/Support/SeededBits.h"
#include <algorithm>
#include <limits>
#include <numeric>

using namespace parablock;
using namespace parablock::generation;

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static Status checkPrompt(const Request &request, int64_t vocabulary) {
  size_t rows = request.starts.size();
  if (rows == 0 || request.ids.empty() || request.ids.size() % rows != 0)
    return fail("ids: expected rows of as many tokens each, at least one");
  auto width = static_cast<int64_t>(request.ids.size() / rows);
  for (size_t row = 0; row < rows; ++row) {
    int64_t start = request.starts[row];
    if (start < 0 || start >= width)
      return fail("starts: expected numbers from 0 to " +
                  std::to_string(width - 1) + ", got " + std::to_string(start) +
                  " of row " + std::to_string(row));
    for (int64_t place = start; place < width; ++place)
      if (int64_t id = request.ids[row * width + place];
          id < 0 || id >= vocabulary)
        return fail("ids: expected tokens below " + std::to_string(vocabulary) +
                    ", got " + std::to_string(id) + " in row " +
                    std::to_string(row));
  }
  return {};
}

/// Checks that each token of the longest row has a position.
static Status checkPositions(const Request &request,
                             const TokenLimits &limits) {
  if (!limits.mostPositions)
    return {};
  // The last token is none that anything is computed of.
  auto width = static_cast<int64_t>(request.ids.size() / request.starts.size());
  int64_t added = request.mostTokens - 1, most = *limits.mostPositions;
  int64_t padding =
      *std::min_element(request.starts.begin(), request.starts.end());
  int64_t own = limits.countsPadding ? width : width - padding;
  if (added <= most - own)
    return {};
  return fail("expected at most " + std::to_string(most) +
              " tokens, which is what the model has positions for, got " +
              std::to_string(static_cast<uint64_t>(own) +
                             static_cast<uint64_t>(added)));
}

static Status checkRequest(const Request &request, const TokenPorts &ports,
                           const TokenLimits &limits) {
  int64_t vocabulary = ports.vocabulary;
  if (Status failure = checkPrompt(request, vocabulary))
    return failure;
  if (request.mostTokens < 1)
    return fail("max_new_tokens: expected 1 or more, got " +
                std::to_string(request.mostTokens));
  if (request.padding < 0 || request.padding >= vocabulary)
    return fail("padding: expected a token below " +
                std::to_string(vocabulary) + ", got " +
                std::to_string(request.padding));
  if (Status failure = request.sampling.check())
    return failure;
  if (request.mostPages && !ports.pages)
    return fail("pool_pages: expected caches in pages, got some in one piece");
  if (request.mostPages && *request.mostPages < 1)
    return fail("pool_pages: expected 1 or more, got " +
                std::to_string(*request.mostPages));
  if (request.mostReserved && *request.mostReserved < 1)
    return fail("reserved_tokens: expected 1 or more, got " +
                std::to_string(*request.mostReserved));
  return checkPositions(request, limits);
}

/// Number of tokens of the last call of a prompt whose rows have different
/// lengths: more than one, since one is the latest token of a machine.
static constexpr int64_t lastTokens = 2;

/// Returns whether rows have different lengths.
static bool isUneven(const Request &request) {
  return std::any_of(
      request.starts.begin(), request.starts.end(),
      [&](int64_t start) { return start != request.starts.front(); });
}

/// Sorts rows by their first `most` tokens, so that those with a common
/// beginning are neighbours. Returns how many tokens, in whole pages, each row
/// in `order` has in common with the one before.
static std::vector<int64_t> sortRows(const Request &request, int64_t most,
                                     int64_t pageRows,
                                     std::vector<size_t> &order) {
  size_t rows = request.starts.size(), width = request.ids.size() / rows;
  auto getTokens = [&](size_t row) {
    return request.ids.data() + row * width + request.starts[row];
  };
  order.resize(rows);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t left, size_t right) {
    const int64_t *a = getTokens(left), *b = getTokens(right);
    return std::lexicographical_compare(a, a + most, b, b + most);
  });
  std::vector<int64_t> equal(rows);
  for (size_t place = 1; place < rows; ++place) {
    const int64_t *own = getTokens(order[place]),
                  *before = getTokens(order[place - 1]);
    int64_t count = std::mismatch(own, own + most, before).first - own;
    equal[place] = count / pageRows * pageRows;
  }
  return equal;
}

/// Returns what rows begin with in common: the number of whole pages with which
/// most tokens are saved. Behind them each row has the tokens of its last call.
Generation::Beginning Generation::findShared(const Request &request,
                                             const TokenPorts &ports,
                                             const TokenLimits &limits) {
  size_t rows = request.starts.size();
  bool hasPadding = std::any_of(request.starts.begin(), request.starts.end(),
                                [](int64_t start) { return start != 0; });
  if (!ports.pages || rows < 2 || (hasPadding && limits.countsPadding))
    return {};
  auto width = static_cast<int64_t>(request.ids.size() / rows);
  int64_t most =
      width - *std::max_element(request.starts.begin(), request.starts.end()) -
      (isUneven(request) ? lastTokens : 1);
  if (most < ports.pageRows)
    return {};
  std::vector<size_t> order;
  std::vector<int64_t> equal = sortRows(request, most, ports.pageRows, order);
  Beginning found;
  int64_t saved = 0;
  for (int64_t tokens : equal) {
    int64_t sharing =
        std::count_if(equal.begin(), equal.end(),
                      [&](int64_t other) { return other >= tokens; });
    if (tokens * sharing > saved) {
      saved = tokens * sharing;
      found.tokens = tokens;
    }
  }
  found.groups.resize(rows);
  for (size_t place = 0; place < rows; ++place) {
    if (place == 0 || equal[place] < found.tokens)
      found.firstRows.push_back(order[place]);
    found.groups[order[place]] = found.firstRows.size() - 1;
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Status Generation::create(TokenPorts ports, const TokenLimits &limits,
                          Request request, std::unique_ptr<Machine> machine,
                          std::unique_ptr<Generation> &made) {
  if (Status failure = checkRequest(request, ports, limits))
    return failure;
  Beginning shared = findShared(request, ports, limits);
  made.reset(new Generation(std::move(ports), limits, std::move(request),
                            std::move(machine)));
  made->shared = std::move(shared);
  if (made->ports.choice && !made->machine->runsChoice())
    return fail("generation: expected a function without block.sample, which "
                "runs on devices, got one with it");
  made->connect();
  made->markPrompt();
  if (made->ports.choice)
    made->connectChoice();
  return {};
}

/// Returns the expected number of tokens in caches, if rows are generated in
/// full.
static int64_t countExpected(int64_t width, int64_t added) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  return added > most - width ? most : width + added;
}

static std::unique_ptr<CacheMemory> createMemory(Machine &machine,
                                                 const TokenPorts &ports,
                                                 const TokenLimits &limits,
                                                 const Request &request,
                                                 int64_t expected) {
  if (request.mostReserved)
    expected = std::min(expected, *request.mostReserved);
  if (!ports.pages)
    return std::make_unique<CacheBuffers>(machine, ports.caches,
                                          request.starts.size(), expected);
  PageUse use{ports.pageRows, request.starts, limits.window, request.mostPages};
  return std::make_unique<PagePool>(machine, ports.caches, use, expected);
}

Generation::Generation(TokenPorts found, const TokenLimits &limits,
                       Request asked, std::unique_ptr<Machine> given)
    : ports(std::move(found)), request(std::move(asked)),
      machine(std::move(given)), rows(request.starts.size()),
      width(static_cast<int64_t>(request.ids.size() / rows)),
      sampler(request.sampling, ports.vocabulary),
      caches(createMemory(*machine, ports, limits, request,
                          countExpected(width, request.mostTokens))),
      arguments(ports.numArguments), results(ports.numResults),
      numRows(static_cast<int64_t>(rows)), lengths(rows),
      logits(machine->hasLogits() ? 0 : rows * getLogitsBytes()),
      scores(ports.vocabulary), tokens(rows), ended(rows) {
  if (ports.pages)
    pool = static_cast<PagePool *>(caches.get());
  if (request.sampling.repetitionPenalty != 1)
    seen.resize(rows * ports.vocabulary);
}

size_t Generation::getLogitsBytes() const {
  return ports.vocabulary *
         files::getTypeBytes(files::getTypeWord(ports.logitsType));
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
  for (size_t index = 0; index < ports.caches.size(); ++index)
    arguments[ports.caches[index].argument] = &(*caches)[index];
  if (ports.pages)
    arguments[*ports.pages] = caches->getTable();
  results[ports.logits] = {logits.data(), ports.logitsType.c_str(),
                           logitsShape.size(), logitsShape.data()};
}

void Generation::markPrompt() {
  if (seen.empty())
    return;
  for (size_t row = 0; row < rows; ++row)
    for (int64_t place = request.starts[row]; place < width; ++place)
      seen[row * ports.vocabulary + request.ids[row * width + place]] = 1;
}

int64_t Generation::countParts() const {
  if (shared.tokens > 0)
    return isUneven(request) ? 3 : 2;
  int64_t parts = 0;
  for (int64_t first = 0; first < width; ++parts)
    first += caches->countNext(first, width - first);
  return parts;
}

void Generation::connectChoice() {
  const Sampling &asked = request.sampling;
  for (size_t row = 0; row < rows; ++row) {
    for (double field : {asked.temperature, static_cast<double>(asked.topK),
                         asked.topP, asked.minP, asked.repetitionPenalty})
      choice.sampling.push_back(field);
    uint64_t state = getRowStream(request.seed, row).getState();
    choice.random.push_back(static_cast<int64_t>(state & 0xFFFFFFFF));
    choice.random.push_back(static_cast<int64_t>(state >> 32));
  }
  nextCall = 1 - countParts();
  choice.step.assign(rows, nextCall);
  choice.ended.assign(rows, 0);
  choice.stops = request.stops;
  if (choice.stops.empty())
    choice.stops = {-1};
  choice.numStops = static_cast<int64_t>(choice.stops.size());
  choice.samplingShape = {numRows, 5};
  choice.randomShape = {numRows, 2};
  choice.seenShape = {numRows, ports.vocabulary};
  const ChoicePorts &own = *ports.choice;
  choice.tensors = {{
      {choice.sampling.data(), "f64", 2, choice.samplingShape.data()},
      {choice.random.data(), "i64", 2, choice.randomShape.data()},
      {choice.stops.data(), "i64", 1, &choice.numStops},
      {&request.padding, "i64", 1, &one},
      // Null: zeros.
      {seen.empty() ? nullptr : seen.data(), "i8", 2, choice.seenShape.data()},
      {choice.ended.data(), "i64", 1, &numRows},
      {choice.step.data(), "i64", 1, &numRows},
  }};
  const unsigned positions[] = {own.sampling, own.random,   own.stops,
                                own.padding,  own.pastSeen, own.pastEnded,
                                own.pastStep};
  for (size_t i = 0; i < choice.tensors.size(); ++i)
    arguments[positions[i]] = &choice.tensors[i];
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Status Generation::run(const int64_t *data, int64_t count, bool wantsLogits) {
  ids.data = const_cast<int64_t *>(data);
  idsShape[1] = count;
  keptRow = count - 1;
  for (size_t row = 0; row < rows; ++row)
    lengths[row] = caches->countOf(row, held);
  // Arguments and results share memory: new rows are written in place.
  for (size_t index = 0; index < ports.caches.size(); ++index)
    results[ports.caches[index].result] = (*caches)[index];
  if (Status failure = ports.choice
                           ? machine->enqueue(arguments, results, nextCall++)
                           : machine->run(arguments, results, wantsLogits))
    return failure;
  held += count;
  return {};
}

Status Generation::begin() {
  if (hasBegun)
    return fail("generation: expected one beginning, and another generation "
                "where it failed");
  hasBegun = true;
  if (Status failure = shared.tokens > 0 ? beginShared() : beginRows())
    return failure;
  isReady = true;
  return {};
}

Status Generation::beginRows() {
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
    if (Status failure = caches->reserve(held, held + count))
      return failure;
    first += count;
    if (Status failure = run(data, count, /*wantsLogits=*/first == width))
      return failure;
  }
  return {};
}

std::vector<int64_t> Generation::alignPrompt() {
  std::vector<int64_t> behind = request.starts;
  // In place: calls read these.
  std::fill(request.starts.begin(), request.starts.end(), 0);
  for (size_t row = 0; row < rows; ++row) {
    auto begin = request.ids.begin() + row * width, end = begin + width;
    std::fill(std::move(begin + behind[row], end, begin), end, request.padding);
  }
  int64_t least = *std::min_element(behind.begin(), behind.end());
  for (int64_t &count : behind)
    count -= least;
  width -= least;
  return behind;
}

void Generation::setRows(size_t count) {
  numRows = static_cast<int64_t>(count);
  idsShape[0] = logitsShape[0] = numRows;
  choice.samplingShape[0] = choice.randomShape[0] = numRows;
  choice.seenShape[0] = numRows;
  choice.step.assign(rows, nextCall);
}

Status Generation::addTokens(int64_t count, const std::vector<size_t> &chosen,
                             const std::vector<int64_t> &behind,
                             bool wantsLogits) {
  if (Status failure = caches->reserve(held, held + count))
    return failure;
  auto stride = static_cast<int64_t>(request.ids.size() / rows);
  part.resize(chosen.size() * count);
  for (size_t place = 0; place < chosen.size(); ++place)
    std::copy_n(request.ids.data() + chosen[place] * stride + held -
                    behind[chosen[place]],
                count, part.data() + place * count);
  return run(part.data(), count, wantsLogits);
}

/// Tokens of shorter rows are followed by others until the last call, so that
/// all rows end with it: what those leave in caches is behind the tokens that a
/// row has, and written again before it is read.
Status Generation::beginShared() {
  bool isSplit = isUneven(request);
  std::vector<int64_t> behind = alignPrompt(), none(rows);
  std::vector<size_t> all(rows);
  std::iota(all.begin(), all.end(), 0);
  pool->beginWith(shared.firstRows.size(), shared.tokens);
  setRows(shared.firstRows.size());
  if (Status failure = addTokens(shared.tokens, shared.firstRows, none,
                                 /*wantsLogits=*/false))
    return failure;
  pool->share(shared.groups);
  setRows(rows);
  if (isSplit) {
    if (Status failure = addTokens(width - lastTokens - held, all, none,
                                   /*wantsLogits=*/false))
      return failure;
    pool->setBehind(behind, held);
    for (size_t row = 0; ports.choice && row < rows; ++row)
      if (Status failure = machine->setLength(row, caches->countOf(row, held)))
        return failure;
  }
  return addTokens(width - held, all, behind, /*wantsLogits=*/true);
}

bool Generation::hasEnded() const {
  return made == request.mostTokens ||
         (made > 0 && std::all_of(ended.begin(), ended.end(),
                                  [](uint8_t end) { return end; }));
}

Status Generation::next() {
  if (!isReady || hasEnded())
    return fail(
        "generation: expected a step behind a beginning and before the end");
  isReady = false;
  if (ports.choice)
    return takeNext();
  if (made > 0) {
    if (Status failure = caches->reserve(held, held + 1))
      return failure;
    if (Status failure = run(tokens.data(), 1, /*wantsLogits=*/true))
      return failure;
  }
  for (size_t row = 0; row < rows; ++row)
    if (Status failure = chooseFor(row))
      return failure;
  ++made;
  isReady = true;
  return {};
}

Status Generation::takeNext() {
  // Of calls made to nextCall - 1 the outcome is not known.
  while (nextCall < request.mostTokens &&
         nextCall - made <= Machine::mostAhead) {
    int64_t lag = std::max<int64_t>(nextCall - made - 1, 0);
    if (Status failure = caches->reserve(held, held + 1, lag)) {
      // Rows may have ended, and their pages be free.
      if (nextCall > made)
        break;
      return failure;
    }
    if (Status failure = run(/*ids=*/nullptr, 1, /*wantsLogits=*/false))
      return failure;
  }
  Machine::Outcome outcome;
  if (Status failure = machine->take(made, outcome))
    return failure;
  for (size_t row = 0; row < rows; ++row)
    if (Status failure = takeRow(row, outcome))
      return failure;
  ++made;
  isReady = true;
  return {};
}

Status Generation::takeRow(size_t row, const Machine::Outcome &outcome) {
  tokens[row] = outcome.tokens[row];
  int64_t end = outcome.ended[row];
  if (end < 0)
    return fail("row " + std::to_string(row) + ", token " +
                std::to_string(-1 - end) + ": " + Sampler::noNumbers);
  if (end == 0 || ended[row])
    return {};
  ended[row] = 1;
  caches->end(row);
  int64_t length = caches->countOf(row, held);
  return length == held ? Status() : machine->setLength(row, length);
}

Status Generation::chooseFor(size_t row) {
  if (ended[row]) {
    tokens[row] = request.padding;
    return {};
  }
  readLogits(ports.logitsType,
             static_cast<const uint8_t *>(results[ports.logits].data) +
                 row * getLogitsBytes(),
             scores.size(), scores.data());
  uint8_t *marks = seen.empty() ? nullptr : seen.data() + row * scores.size();
  if (Status failure =
          sampler.draw(scores.data(), marks, drawPoint(request.seed, row, made),
                       tokens[row]))
    return fail("row " + std::to_string(row) + ", token " +
                std::to_string(made) + ": " + failure->text);
  int64_t token = tokens[row];
  ended[row] = std::find(request.stops.begin(), request.stops.end(), token) !=
               request.stops.end();
  if (ended[row])
    caches->end(row);
  if (marks)
    marks[token] = 1;
  return {};
}
