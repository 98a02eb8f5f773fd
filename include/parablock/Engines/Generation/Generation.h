//===- Generation.h - rows of tokens that go on -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loop over a function with caches (docs/use/Generation.md). All memory is
// taken before the first step, but for caches of more tokens than are worth
// that.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATION_GENERATION_H
#define PARABLOCK_GENERATION_GENERATION_H

#include "parablock/Engines/Generation/CacheMemory.h"
#include "parablock/Engines/Generation/Sampling.h"
#include <array>
#include <functional>

namespace parablock::generation {

/// Rows that are to go on, and how.
struct Request {
  /// [rows, width] tokens; of each row the first `starts` are padding.
  std::vector<int64_t> ids, starts;
  /// New tokens of each row, at most.
  int64_t mostTokens = 0;
  Sampling sampling;
  uint64_t seed = 0;
  /// Tokens that end a row.
  std::vector<int64_t> stops;
  /// The token that stands where there is none.
  int64_t padding = 0;
  /// Pages that caches in pages may take, unless as many as rows come to need.
  std::optional<int64_t> mostPages;
};

/// The facts of a model's tokens that its ports do not say.
struct TokenLimits {
  /// Positions that there are for the tokens of a row.
  std::optional<int64_t> mostPositions;
  /// Truth of: padding in front has some as well.
  bool countsPadding = false;
  /// How many tokens back are seen of caches in pages, where not all.
  std::optional<int64_t> window;
};

/// Runs the function on memory by position; what belongs to parameters is null,
/// and its own to fill in.
using TokenFunction =
    std::function<llvm::Error(llvm::MutableArrayRef<const ParablockTensor *>,
                              llvm::ArrayRef<ParablockTensor>)>;

class Generation {
public:
  /// Checks all of a request, and takes memory.
  static llvm::Expected<std::unique_ptr<Generation>>
  create(TokenPorts ports, const TokenLimits &limits, Request request,
         TokenFunction function);

  /// Runs the prompt, in parts where rings have no room for all of it.
  llvm::Error begin();
  /// Chooses the next token of each row: padding for those that have ended.
  llvm::Error next();

  /// The latest tokens, one of each row.
  llvm::ArrayRef<int64_t> getTokens() const { return tokens; }
  /// Tells whether every row has ended, or has all tokens that are wanted.
  bool hasEnded() const;

private:
  Generation(TokenPorts ports, const TokenLimits &limits, Request request,
             TokenFunction function);

  /// Lays out what a call takes and gives.
  void connect();
  /// Appends tokens [rows, count] to the caches; the logits are those of the
  /// last ones.
  llvm::Error run(const int64_t *ids, int64_t count);
  llvm::Error chooseFor(size_t row);
  /// Notes which tokens rows have, where that is asked for.
  void markPrompt();

  TokenPorts ports;
  Request request;
  TokenFunction function;
  size_t rows;
  int64_t width;
  Sampler sampler;
  std::unique_ptr<CacheMemory> caches;

  /// The tensors that a call takes and gives, by position, and the memory of
  /// it.
  std::vector<const ParablockTensor *> arguments;
  std::vector<ParablockTensor> results;
  ParablockTensor ids{}, pastLengths{}, starts{}, keptRows{};
  std::array<int64_t, 2> idsShape{};
  std::array<int64_t, 3> logitsShape{};
  int64_t numRows, one = 1, keptRow = 0;
  std::vector<int64_t> lengths, part;
  std::vector<uint8_t> logits;

  /// Logits of one row, as wide as they are read and as they are filtered.
  std::vector<double> wide;
  std::vector<float> scores;
  /// For each row and token, whether it was there.
  std::vector<uint8_t> seen;
  std::vector<int64_t> tokens;
  std::vector<uint8_t> ended;
  /// Tokens that caches hold, and that were made.
  int64_t held = 0, made = 0;
  /// Truth of: the latest call was no failure.
  bool isReady = false;
};

} // namespace parablock::generation

#endif // PARABLOCK_GENERATION_GENERATION_H
