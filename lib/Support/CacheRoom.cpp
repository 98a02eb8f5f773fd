//===- CacheRoom.cpp - checks rows, padding and pages ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/CacheRoom.h"

#include <algorithm>
#include <limits>

using namespace parablock;

static std::string formatFault(const std::string &name,
                               const std::string &place,
                               const std::string &wanted, int64_t got) {
  return "input '" + name + "': expected " + wanted + ", got " +
         std::to_string(got) + " at [" + place + "]";
}

static std::string formatFault(const std::string &name, size_t row,
                               const std::string &wanted, int64_t got) {
  return formatFault(name, std::to_string(row), wanted, got);
}

/// Finds the first key that these tokens see, or is that of one.
static int64_t findFirstKey(std::optional<int64_t> window, int64_t tokens,
                            int64_t past, int64_t start) {
  // The first query that is a token.
  int64_t query = std::max(past, start);
  if (query >= past + tokens)
    return past;
  int64_t first = window ? std::max(start, query - *window + 1) : start;
  return std::min(first, past);
}

/// Returns whether a cache still holds all keys that these tokens read.
static bool holds(const CacheRoom::Cache &cache, int64_t tokens, int64_t past,
                  int64_t start) {
  return tokens <= cache.capacity &&
         findFirstKey(cache.window, tokens, past, start) >=
             past + tokens - cache.capacity;
}

namespace {
/// The places of new rows by one table.
class TableCheck {
public:
  using GetPage = std::function<int64_t(size_t table, size_t at)>;

  TableCheck(const CacheRoom &room, size_t number, const GetPage &getPage)
      : room(room), table(room.tables[number]), number(number),
        getPage(getPage) {
    places.clear();
  }

  std::optional<std::string> checkRow(size_t row, int64_t past, int64_t start);
  std::optional<std::string> checkPlaces();

private:
  struct Place {
    int64_t number;
    size_t row;
    bool operator<(const Place &other) const { return number < other.number; }
  };

  const CacheRoom &room;
  const CacheRoom::Table &table;
  size_t number;
  const GetPage &getPage;
  /// Memory shared by calls, so that steps allocate none.
  static thread_local std::vector<Place> places;
};
} // namespace

thread_local std::vector<TableCheck::Place> TableCheck::places;

/// Every page is one of the pool's that has a row which is read or written.
std::optional<std::string> TableCheck::checkRow(size_t row, int64_t past,
                                                int64_t start) {
  int64_t size = table.pageRows, capacity = size * table.entries;
  if (!holds({capacity, table.window}, room.tokens, past, start))
    return formatFault(room.pastName, row,
                       "room for " + std::to_string(room.tokens) +
                           " tokens in " + std::to_string(table.entries) +
                           " pages of " + std::to_string(size) + " rows",
                       past);
  int64_t first = findFirstKey(table.window, room.tokens, past, start);
  for (int64_t at = first, end = past + room.tokens; at < end;) {
    int64_t entry = at % capacity / size, next = (at / size + 1) * size;
    int64_t page = getPage(number, row * table.entries + entry);
    if (page < 0 || page >= table.pages)
      return formatFault(table.name,
                         std::to_string(row) + ", " + std::to_string(entry),
                         "0 to " + std::to_string(table.pages - 1) +
                             ", for a row that is needed",
                         page);
    for (at = std::max(at, past); at < std::min(next, end); ++at)
      places.push_back({page * size + at % size, row});
    at = next;
  }
  return std::nullopt;
}

/// No row is written twice.
std::optional<std::string> TableCheck::checkPlaces() {
  std::sort(places.begin(), places.end());
  for (size_t i = 1; i < places.size(); ++i)
    if (places[i - 1].number == places[i].number)
      return formatFault(table.name, std::max(places[i - 1].row, places[i].row),
                         "new rows in places of their own, not in one page",
                         places[i].number / table.pageRows);
  return std::nullopt;
}

std::optional<std::string>
CacheRoom::check(int64_t rows, const std::function<int64_t(size_t)> &getPast,
                 const std::function<int64_t(size_t)> &getStart,
                 const TableCheck::GetPage &getPage) const {
  auto startOf = [&](size_t row) { return getStart ? getStart(row) : 0; };
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  for (size_t row = 0; row < static_cast<size_t>(rows); ++row) {
    int64_t past = getPast(row), start = startOf(row);
    if (past < 0 || past > most)
      return formatFault(pastName, row, "numbers from 0 to 2^31 - 1", past);
    // Padding may go on behind these tokens.
    if (start < 0 || start > most)
      return formatFault("starts", row, "numbers from 0 to 2^31 - 1", start);
    for (const Cache &cache : caches)
      if (!holds(cache, tokens, past, start))
        return formatFault(pastName, row,
                           "room for " + std::to_string(tokens) +
                               " tokens in a cache of " +
                               std::to_string(cache.capacity) + " rows",
                           past);
    int64_t end = past + tokens, used = countsPadding ? end : end - start;
    if (positions && used > *positions)
      return formatFault(pastName, row,
                         "at most " + std::to_string(*positions) +
                             " positions, for " + std::to_string(used) +
                             " tokens",
                         past);
  }
  for (size_t number = 0; number < tables.size(); ++number) {
    TableCheck table(*this, number, getPage);
    for (size_t row = 0; row < static_cast<size_t>(rows); ++row)
      if (std::optional<std::string> fault =
              table.checkRow(row, getPast(row), startOf(row)))
        return fault;
    if (std::optional<std::string> fault = table.checkPlaces())
      return fault;
  }
  return std::nullopt;
}
