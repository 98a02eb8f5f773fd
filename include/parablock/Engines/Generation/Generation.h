//===- Generation.h - the loop over tokens ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loop over a function with caches (docs/use/Generation.md). All memory is
// allocated before the first step, except for caches of more tokens than
// CacheMemory reserves early.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_GENERATION_H
#define PARABLOCK_GENERATION_GENERATION_H

#include "parablock/Engines/Generation/CacheMemory.h"
#include "parablock/Engines/Generation/Sampling.h"
#include <array>

namespace parablock::generation {

/// Rows to continue, and options.
struct Request {
  /// [rows, width] tokens; the first `starts` of each row are padding.
  std::vector<int64_t> ids, starts;
  /// Maximum number of new tokens of each row.
  int64_t mostTokens = 0;
  Sampling sampling;
  uint64_t seed = 0;
  /// Tokens that end a row.
  std::vector<int64_t> stops;
  /// The token of rows without one.
  int64_t padding = 0;
  /// Limit on pages of paged caches; without a value, as many as rows need.
  std::optional<int64_t> mostPages;
  /// Limit on the tokens of a row that memory is reserved for at once; without
  /// a value, CacheMemory's own.
  std::optional<int64_t> mostReserved;
};

/// Facts about a model's tokens that its ports do not contain.
struct TokenLimits {
  /// Number of positions for the tokens of a row.
  std::optional<int64_t> mostPositions;
  /// True if padding in front has positions, too.
  bool countsPadding = false;
  /// Number of preceding tokens that are read of paged caches, if not all.
  std::optional<int64_t> window;
};

class PagePool;

class Generation {
public:
  /// Checks all of a request, and allocates memory.
  static Status create(TokenPorts ports, const TokenLimits &limits,
                       Request request, std::unique_ptr<Machine> machine,
                       std::unique_ptr<Generation> &made);

  /// Runs the prompt, in parts if rings cannot hold all of it. Paged caches
  /// hold whole pages that rows begin with in common once, and one of these
  /// rows computes them.
  /// Once: what a failed one leaves is unknown.
  Status begin();
  /// Chooses the next token of each row; rows that have ended get padding.
  Status next();

  /// Returns the latest tokens, one per row.
  const std::vector<int64_t> &getTokens() const { return tokens; }
  /// Returns whether every row has ended or reached its number of tokens.
  bool hasEnded() const;

private:
  Generation(TokenPorts ports, const TokenLimits &limits, Request request,
             std::unique_ptr<Machine> machine);

  /// Tokens in whole pages that rows of a group begin with in common.
  struct Beginning {
    /// 0 if rows share nothing.
    int64_t tokens = 0;
    /// A row of each group, and the group of each row.
    std::vector<size_t> firstRows, groups;
  };

  static Beginning findShared(const Request &request, const TokenPorts &ports,
                              const TokenLimits &limits);
  /// Runs a prompt of rows in parts.
  Status beginRows();
  /// Runs a prompt of rows that share beginnings.
  Status beginShared();
  /// Moves padding behind the tokens of each row; returns how many tokens each
  /// row has less than the longest.
  std::vector<int64_t> alignPrompt();
  /// Sets how many rows calls process, the first ones.
  void setRows(size_t count);
  /// Appends tokens `held` to `held + count` of the chosen rows, as many as
  /// calls process.
  Status addTokens(int64_t count, const std::vector<size_t> &chosen,
                   const std::vector<int64_t> &behind, bool wantsLogits);
  /// Returns the bytes of one row of logits.
  size_t getLogitsBytes() const;
  /// Lays out the arguments and results of a call.
  void connect();
  /// Appends tokens [rows, count] to the caches, which have room, and computes
  /// the logits of the last ones or chooses the next ones.
  Status run(const int64_t *ids, int64_t count, bool wantsLogits);
  Status chooseFor(size_t row);
  /// Takes the next tokens of a function that chooses them. Calls begin before
  /// the outcome of earlier ones is known.
  Status takeNext();
  /// Records the outcome of a row.
  Status takeRow(size_t row, const Machine::Outcome &outcome);
  /// Lays out the state of the choice of tokens.
  void connectChoice();
  /// Returns the number of calls that a prompt needs.
  int64_t countParts() const;
  /// Records the tokens of each row, if a filter requires them.
  void markPrompt();

  TokenPorts ports;
  Request request;
  std::unique_ptr<Machine> machine;
  size_t rows;
  int64_t width;
  Sampler sampler;
  std::unique_ptr<CacheMemory> caches;
  /// The same, if they are paged.
  PagePool *pool = nullptr;
  Beginning shared;

  /// The arguments and results of a call, by position, and their
  /// memory.
  Inputs arguments;
  Outputs results;
  ParablockTensor ids{}, pastLengths{}, starts{}, keptRows{};
  std::array<int64_t, 2> idsShape{};
  std::array<int64_t, 3> logitsShape{};
  int64_t numRows, one = 1, keptRow = 0;
  std::vector<int64_t> lengths, part;
  std::vector<uint8_t> logits;

  /// Logits of one row, as filtered.
  std::vector<float> scores;
  /// For each row and token, whether the row contains it.
  std::vector<uint8_t> seen;
  std::vector<int64_t> tokens;
  std::vector<uint8_t> ended;
  /// Inputs of functions that choose tokens.
  struct Choice {
    std::vector<double> sampling;
    std::vector<int64_t> random, stops, ended, step;
    std::array<int64_t, 2> samplingShape{}, randomShape{}, seenShape{};
    int64_t numStops = 0;
    std::array<ParablockTensor, 7> tensors{};
  };
  Choice choice;
  /// Number of tokens that caches hold, and number generated.
  int64_t held = 0, made = 0;
  /// The number of the next call, of a function that chooses tokens.
  int64_t nextCall = 0;
  /// True if the latest call succeeded.
  bool isReady = false, hasBegun = false;
};

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_GENERATION_H
