//===- TokenPorts.cpp - matches arguments by name and shape ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Generation/TokenPorts.h"

#include "parablock/Engines/Generation/Logits.h"
#include <algorithm>
#include <charconv>
#include <string_view>

using namespace parablock;
using namespace parablock::generation;

/// An open size.
static constexpr int64_t open = -1;

static Status refuse(const std::string &message) {
  return fail("generation: expected a function as block-add-caches makes it, " +
              message);
}

/// Returns "[?, 16, 64]".
static std::string formatShape(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : ", ") +
            (size == open ? "?" : std::to_string(size));
  return "[" + text + "]";
}

static bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// The window that the size of a ring is named after: `past_5`.
static std::optional<int64_t> findWindow(const PortFacts &cache) {
  constexpr std::string_view prefix = "past_";
  if (cache.dims.size() < 2 || !startsWith(cache.dims[1], prefix))
    return std::nullopt;
  const std::string &name = cache.dims[1];
  int64_t window = 0;
  const char *end = name.c_str() + name.size();
  auto [stop, fault] =
      std::from_chars(name.c_str() + prefix.size(), end, window);
  if (fault != std::errc() || stop != end)
    return std::nullopt;
  return window;
}

/// Returns whether the first two of three sizes are open.
static bool isRowsOfRows(const PortFacts &port) {
  return port.shape.size() == 3 && port.shape[0] == open &&
         port.shape[1] == open && port.shape[2] != open;
}

namespace {
/// A port of the choice of tokens, and the sizes that it must have.
struct ChoicePort {
  const char *name, *type;
  std::vector<int64_t> shape;
  unsigned ChoicePorts::*position;
};

class PortFinder {
public:
  PortFinder(const std::vector<PortFacts> &arguments,
             const std::vector<PortFacts> &results, TokenPorts &ports)
      : arguments(arguments), results(results), ports(ports) {}

  Status find();

private:
  /// Records the role of an input.
  Status take(unsigned position);
  Status takeCache(unsigned position);
  /// Takes all ports of the choice of tokens.
  Status takeChoice();
  Status checkCache(const PortFacts &cache);
  Status takeResults();

  const std::vector<PortFacts> &arguments, &results;
  TokenPorts &ports;
  /// True if caches are paged, and if the function chooses tokens.
  bool isPaged = false, isChoosing = false;
  std::optional<unsigned> ids, pastLengths, starts, keptRows, logits;
};
} // namespace

/// The size of the vocabulary in a list of ports.
static constexpr int64_t ofVocabulary = -2;

static const std::vector<ChoicePort> &listChoiceInputs() {
  static const std::vector<ChoicePort> ports = {
      {"sampling", "f64", {open, 5}, &ChoicePorts::sampling},
      {"random", "i64", {open, 2}, &ChoicePorts::random},
      {"stops", "i64", {open}, &ChoicePorts::stops},
      {"padding", "i64", {1}, &ChoicePorts::padding},
      {"past_seen", "i8", {open, ofVocabulary}, &ChoicePorts::pastSeen},
      {"past_ended", "i64", {open}, &ChoicePorts::pastEnded},
      {"past_step", "i64", {open}, &ChoicePorts::pastStep}};
  return ports;
}

static const std::vector<ChoicePort> &listChoiceResults() {
  static const std::vector<ChoicePort> ports = {
      {"tokens", "i64", {open, 1}, &ChoicePorts::tokens},
      {"seen", "i8", {open, ofVocabulary}, &ChoicePorts::seen},
      {"ended", "i64", {open}, &ChoicePorts::ended},
      {"lengths", "i64", {open}, &ChoicePorts::lengths},
      {"step", "i64", {open}, &ChoicePorts::step}};
  return ports;
}

static const ChoicePort *findPort(const std::vector<ChoicePort> &ports,
                                  const std::string &name) {
  auto found =
      std::find_if(ports.begin(), ports.end(),
                   [&](const ChoicePort &port) { return port.name == name; });
  return found == ports.end() ? nullptr : &*found;
}

Status PortFinder::takeChoice() {
  ChoicePorts &choice = ports.choice.emplace();
  auto takeAll = [&](const std::vector<ChoicePort> &wanted,
                     const std::vector<PortFacts> &given) -> Status {
    for (const ChoicePort &each : wanted) {
      auto found =
          std::find_if(given.begin(), given.end(), [&](const PortFacts &port) {
            return port.name == each.name && !port.isParameter;
          });
      if (found == given.end())
        return refuse("got one without '" + std::string(each.name) + "'");
      std::vector<int64_t> shape = each.shape;
      std::replace(shape.begin(), shape.end(), ofVocabulary, ports.vocabulary);
      if (found->type != each.type || found->shape != shape)
        return refuse("whose '" + found->name + "' is " + each.type + " " +
                      formatShape(shape) + ", got " + found->type + " " +
                      formatShape(found->shape));
      choice.*each.position = static_cast<unsigned>(found - given.begin());
    }
    return {};
  };
  if (Status failure = takeAll(listChoiceInputs(), arguments))
    return failure;
  return takeAll(listChoiceResults(), results);
}

/// Any number of rows, or of pages that have as many rows in all caches.
Status PortFinder::checkCache(const PortFacts &cache) {
  auto refuseBecause = [&](const char *expected) {
    return refuse("whose '" + cache.name + "' has " + expected +
                  ", got the sizes " + formatShape(cache.shape));
  };
  if (!isPaged)
    return isRowsOfRows(cache) ? Status() : refuseBecause("any number of rows");
  if (cache.shape.size() != 3 || cache.shape[0] != open ||
      cache.shape[1] == open || cache.shape[1] < 1 || cache.shape[2] == open)
    return refuseBecause("any number of pages");
  if (!ports.caches.empty() && cache.shape[1] != ports.pageRows)
    return refuseBecause("pages like those of others");
  ports.pageRows = cache.shape[1];
  return {};
}

Status PortFinder::takeCache(unsigned position) {
  const PortFacts &cache = arguments[position];
  if (Status failure = checkCache(cache))
    return failure;
  std::string given = cache.name.substr(std::string_view("past_").size());
  auto result =
      std::find_if(results.begin(), results.end(),
                   [&](const PortFacts &port) { return port.name == given; });
  if (result == results.end())
    return refuse("that gives '" + given + "', got one that does not");
  ports.caches.push_back({position,
                          static_cast<unsigned>(result - results.begin()),
                          cache.shape[2], cache.type, findWindow(cache)});
  return {};
}

Status PortFinder::take(unsigned position) {
  const PortFacts &argument = arguments[position];
  if (startsWith(argument.name, "past_key.") ||
      startsWith(argument.name, "past_value."))
    return takeCache(position);
  if (isChoosing && findPort(listChoiceInputs(), argument.name))
    return {};
  const std::pair<const char *, std::optional<unsigned> *> known[] = {
      {"input_ids", &ids},
      {"past_lengths", &pastLengths},
      {"starts", &starts},
      {"logits_to_keep", &keptRows},
      {"pages", &ports.pages}};
  const auto *own =
      std::find_if(std::begin(known), std::end(known), [&](const auto &each) {
        return each.first == argument.name;
      });
  if (own == std::end(known))
    return refuse("got one that takes '" + argument.name + "' as well");
  if (argument.type != "i64" ||
      !std::all_of(argument.shape.begin(), argument.shape.end(),
                   [](int64_t size) { return size == open; }))
    return refuse("whose '" + argument.name + "' is i64 of any sizes, got " +
                  argument.type + " " + formatShape(argument.shape));
  *own->second = position;
  return {};
}

Status PortFinder::takeResults() {
  for (unsigned position = 0; position < results.size(); ++position) {
    const PortFacts &port = results[position];
    if (std::any_of(
            ports.caches.begin(), ports.caches.end(),
            [&](const CachePort &cache) { return cache.result == position; }))
      continue;
    if (isChoosing && findPort(listChoiceResults(), port.name))
      continue;
    if (port.name != "logits" || !isRowsOfRows(port) ||
        !isLogitsType(port.type))
      return refuse("got one that gives '" + port.name + "' " +
                    formatShape(port.shape) + " as well");
    logits = position;
    ports.vocabulary = port.shape[2];
    ports.logitsType = port.type;
  }
  return {};
}

Status PortFinder::find() {
  isPaged = std::any_of(
      arguments.begin(), arguments.end(),
      [](const PortFacts &argument) { return argument.name == "pages"; });
  isChoosing = std::any_of(
      arguments.begin(), arguments.end(),
      [](const PortFacts &argument) { return argument.name == "sampling"; });
  for (unsigned position = 0; position < arguments.size(); ++position)
    if (!arguments[position].isParameter)
      if (Status failure = take(position))
        return failure;
  if (Status failure = takeResults())
    return failure;
  const std::pair<const char *, std::optional<unsigned>> needed[] = {
      {"input_ids", ids},
      {"past_lengths", pastLengths},
      {"starts", starts},
      {"logits_to_keep", keptRows},
      {"logits", logits}};
  for (const auto &[name, position] : needed)
    if (!position)
      return refuse("got one without '" + std::string(name) + "'");
  if (ports.caches.empty())
    return refuse("got one without caches");
  if (isChoosing)
    if (Status failure = takeChoice())
      return failure;
  ports.ids = *ids;
  ports.pastLengths = *pastLengths;
  ports.starts = *starts;
  ports.keptRows = *keptRows;
  ports.logits = *logits;
  ports.numArguments = arguments.size();
  ports.numResults = results.size();
  return {};
}

Status generation::findTokenPorts(const std::vector<PortFacts> &arguments,
                                  const std::vector<PortFacts> &results,
                                  TokenPorts &ports) {
  ports = {};
  return PortFinder(arguments, results, ports).find();
}
