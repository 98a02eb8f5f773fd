//===- SampleKernel.cpp - chooses the next token of each row --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One CTA chooses the token of a row, by passes over its scores. The first pass
// computes scores, keeps them in memory and finds the best one: with
// temperature 0 that is all. The filters top_k and top_p keep the tokens from a
// rank on, where ranks are ordered by score and then by token, and the draw
// chooses the first token from which on sums are large enough. All three search
// an integer: the largest rank whose sum, of those from it on, reaches a
// target. A pass compares three ranks that divide the remaining range. Counts
// and shares are integers, so no result depends on the order of threads.
//
//===----------------------------------------------------------------------===//

#include "SampleKernel.h"

#include "KernelShell.h"
#include "SampleWords.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "parablock/Support/Chips.h"
#include "parablock/Support/TokenShares.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

RankedTensorType parablock::getScoresType(block::SampleOp op) {
  auto logits = cast<RankedTensorType>(op.getLogits().getType());
  return RankedTensorType::get({logits.getDimSize(0), logits.getDimSize(2)},
                               Float32Type::get(op.getContext()));
}

static tile::ScheduleAttr getSchedule(block::SampleOp op, StringRef chip) {
  RankedTensorType scores = getScoresType(op);
  // A thread has four columns or more, where there are enough.
  constexpr int64_t mostWarps = 32, columns = 4 * 32;
  int64_t warps = std::min<int64_t>(
      llvm::PowerOf2Ceil(llvm::divideCeil(scores.getDimSize(1), columns)),
      mostWarps);
  int64_t grid = getDeviceChip(chip).multiprocessors;
  if (!scores.isDynamicDim(0))
    grid = std::clamp<int64_t>(scores.getDimSize(0), 1, grid);
  return tile::ScheduleAttr::get(op.getContext(), tile::MultiplyUnit::None,
                                 tile::CopyUnit::Plain, warps, /*producers=*/0,
                                 /*stages=*/1, grid, /*cluster=*/1,
                                 /*whole_rows=*/false);
}

namespace {
/// Sums of ranks from `low` on and from `high` on: the first reaches the
/// target, the second does not. `lowCount` and `highCount` are numbers of
/// tokens.
struct Search {
  enum Field { Low, High, LowSum, HighSum, LowCount, HighCount, NumFields };
  SmallVector<Value> values;

  Value get(Field field) const { return values[field]; }
};

/// A token as a search sees it.
struct Ranked {
  Value rank, weight;
};

/// How a search goes over tokens.
struct SearchForm {
  /// Weights are 0 or 1, and sums are counts.
  bool counts = false;
  /// A rank is `vocabulary - 1 - token`: only tokens of the remaining range are
  /// read, and the search ends with one of them.
  bool isOfTokens = false;
};

/// Numbers of a row that the next step reads.
struct State {
  Value ended, length, step;
};

class SampleEmitter {
public:
  SampleEmitter(KernelShell &shell, block::SampleOp op)
      : shell(shell), vocabulary(getScoresType(op).getDimSize(1)) {}

  void emit(TileCode code);

private:
  enum Input {
    Logits,
    Ids,
    Options,
    Random,
    Stops,
    Padding,
    Seen,
    Ended,
    Lengths,
    Step
  };
  enum Output { Tokens, NextSeen, NextEnded, NextLengths, NextStep, Scores };
  enum Option { Temperature, TopK, TopP, MinP, Penalty };

  void emitRow(TileCode code, Value row);
  Value loadOption(TileCode code, Option option);
  Value isGreedy(TileCode code);
  /// Computes and keeps scores of the row, and returns the largest key and the
  /// first token that has it.
  std::pair<Value, Value> findBest(TileCode code);
  /// Returns the token that is drawn.
  Value sample(TileCode code, Value bestKey, Value step);
  Value findKeyOfTopK(TileCode code, Value bestKey);
  Value findRankOfTopP(TileCode code, Value bestKey, Value best, Value leastKey,
                       Value part);
  Value findRankOfTies(TileCode code, const Search &found, Value target,
                       Value share);
  Value drawPoint(TileCode code, Value step);

  using Rank = llvm::function_ref<Ranked(Words, Value column)>;
  Search search(TileCode code, SearchForm form, const Search &search,
                Value target, Rank rank);
  SmallVector<Value> narrow(TileCode code, SearchForm form,
                            const Search &search, Value target, Rank rank);
  Value sumShares(TileCode code, Rank rank);
  Value loadScore(TileCode code, Value column) {
    return code.load(shell.getOutput(Scores), row, column);
  }
  /// The rank of a token: its key, then its number.
  Value toRank(const Words &words, Value column, Value score) {
    return words.add(words.shiftLeft(words.toKey(score), 32),
                     words.toWord(column));
  }

  void storeResults(TileCode code, Value token, Value isChosen,
                    const State &next);

  KernelShell &shell;
  int64_t vocabulary;
  Value row;
};
} // namespace

//===----------------------------------------------------------------------===//
// Passes over columns
//===----------------------------------------------------------------------===//

static Value both(TileCode code, Value a, Value b) {
  return arith::AndIOp::create(code.builder, code.loc, a, b);
}

static Value negate(TileCode code, Value condition) {
  return code.select(condition, code.boolean(false), code.boolean(true));
}

static SmallVector<Value>
fold(TileCode code, tile::Reduction kind, size_t results, Value from, Value to,
     llvm::function_ref<SmallVector<Value>(TileCode, Value column)> body) {
  SmallVector<Type> types(results, code.builder.getI64Type());
  auto op = tile::FoldOp::create(code.builder, code.loc, types, from, to, kind);
  Block &block = op.getBody().emplaceBlock();
  block.addArgument(code.builder.getIndexType(), code.loc);
  OpBuilder inner = OpBuilder::atBlockEnd(&block);
  SmallVector<Value> values = body({inner, code.loc}, block.getArgument(0));
  tile::YieldOp::create(inner, code.loc, values);
  return SmallVector<Value>(op.getResults());
}

Value SampleEmitter::sumShares(TileCode code, Rank rank) {
  return fold(code, tile::Reduction::Add, 1, code.index(0),
              code.index(vocabulary),
              [&](TileCode each, Value column) -> SmallVector<Value> {
                return {rank(Words{each}, column).weight};
              })[0];
}

/// Divides the remaining range into four parts, and returns the part that has
/// the rank.
SmallVector<Value> SampleEmitter::narrow(TileCode code, SearchForm form,
                                         const Search &search, Value target,
                                         Rank rank) {
  constexpr uint64_t countBits = 21;
  constexpr size_t middles = 3;
  Words words{code};
  Value low = search.get(Search::Low), high = search.get(Search::High);
  Value distance = words.sub(high, low);
  Value half = words.add(low, words.shiftRight(distance, 1));
  Value quarter = words.shiftRight(distance, 2);
  Value limits[middles] = {words.add(low, quarter), half,
                           words.add(half, quarter)};
  Value from = code.index(0), to = code.index(vocabulary);
  if (form.isOfTokens) {
    Value all = words.number(vocabulary);
    from = words.toIndex(words.sub(all, high));
    to = words.toIndex(words.sub(all, low));
  }
  bool sums = !form.counts, counts = !form.isOfTokens;
  SmallVector<Value> folded =
      fold(code, tile::Reduction::Add, middles * sums + counts, from, to,
           [&](TileCode each, Value column) {
             Words own{each};
             Ranked token = rank(own, column);
             SmallVector<Value> values;
             Value packed = own.number(0);
             for (size_t i = 0; i < middles; ++i) {
               Value isBelow = own.less(token.rank, limits[i]);
               Value weight = own.select(isBelow, own.number(0), token.weight);
               if (sums)
                 values.push_back(weight);
               // Three counts in one word.
               Value one = form.counts
                               ? weight
                               : own.truth(own.less(own.number(0), weight));
               packed = own.add(packed, own.shiftLeft(one, countBits * i));
             }
             if (counts)
               values.push_back(packed);
             return values;
           });
  auto countFrom = [&](size_t i) -> Value {
    if (!counts)
      return words.number(0);
    return words.conjunction(words.shiftRight(folded.back(), countBits * i),
                             words.number((uint64_t(1) << countBits) - 1));
  };
  SmallVector<Value> next = search.values;
  // From the lowest on: the last that reaches the target is the new end.
  for (size_t i = 0; i < middles; ++i) {
    Value count = countFrom(i);
    Value sum = form.counts ? count : folded[i];
    if (form.isOfTokens)
      sum = words.add(sum, search.get(Search::HighSum));
    Value isShort = words.less(sum, target);
    auto set = [&](Search::Field lowField, Value value) {
      auto highField = static_cast<Search::Field>(lowField + 1);
      // Only the first that is short is the upper end.
      Value isFirst = words.less(limits[i], next[Search::High]);
      Value isEnd = both(code, isShort, isFirst);
      return std::pair(words.select(isShort, next[lowField], value),
                       words.select(isEnd, value, next[highField]));
    };
    auto [newLow, newHigh] = set(Search::Low, limits[i]);
    auto [newLowSum, newHighSum] = set(Search::LowSum, sum);
    auto [newLowCount, newHighCount] = set(Search::LowCount, count);
    next = {newLow, newHigh, newLowSum, newHighSum, newLowCount, newHighCount};
  }
  return next;
}

/// Returns the range that remains when it has one rank, or, unless ranks are
/// tokens, one token, or when the sum is the target.
Search SampleEmitter::search(TileCode code, SearchForm form,
                             const Search &search, Value target, Rank rank) {
  SmallVector<Type> types(Search::NumFields, code.builder.getI64Type());
  auto loop = scf::WhileOp::create(
      code.builder, code.loc, types, search.values,
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        Words words{{builder, loc}};
        auto isAboveOne = [&](Search::Field above, Search::Field below) {
          return words.less(words.number(1),
                            words.sub(values[above], values[below]));
        };
        Value isOpen = isAboveOne(Search::High, Search::Low);
        if (!form.isOfTokens) {
          isOpen = both(words.code, isOpen,
                        isAboveOne(Search::LowCount, Search::HighCount));
          isOpen = both(words.code, isOpen,
                        words.less(target, values[Search::LowSum]));
        }
        scf::ConditionOp::create(builder, loc, isOpen, values);
      },
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        Search known{SmallVector<Value>(values)};
        scf::YieldOp::create(builder, loc,
                             narrow({builder, loc}, form, known, target, rank));
      });
  return {SmallVector<Value>(loop.getResults())};
}

//===----------------------------------------------------------------------===//
// Filters
//===----------------------------------------------------------------------===//

Value SampleEmitter::loadOption(TileCode code, Option option) {
  return tile::LoadOp::create(code.builder, code.loc, code.builder.getF64Type(),
                              shell.getInput(Options),
                              ValueRange{row, code.index(option)});
}

Value SampleEmitter::isGreedy(TileCode code) {
  return arith::CmpFOp::create(
      code.builder, code.loc, arith::CmpFPredicate::OEQ,
      loadOption(code, Temperature), Words{code}.f64(0));
}

std::pair<Value, Value> SampleEmitter::findBest(TileCode code) {
  Words words{code};
  auto toF32 = [&](Value number) -> Value {
    return arith::TruncFOp::create(code.builder, code.loc,
                                   code.builder.getF32Type(), number);
  };
  Value penalty = toF32(loadOption(code, Penalty));
  Value isPenalised = arith::CmpFOp::create(
      code.builder, code.loc, arith::CmpFPredicate::ONE, penalty, code.f32(1));
  Value divisor = code.select(isGreedy(code), code.f32(1),
                              toF32(loadOption(code, Temperature)));
  auto divide = [](TileCode each, Value a, Value b) -> Value {
    // Rounded as on processors.
    return arith::DivFOp::create(each.builder, each.loc, a, b);
  };
  Value logits = shell.getInput(Logits);
  Value rows = code.dim(logits, 1);
  Value last = code.subIndex(
      code.mulIndex(code.addIndex(row, code.index(1)), rows), code.index(1));
  Value best = fold(
      code, tile::Reduction::Max, 1, code.index(0), code.index(vocabulary),
      [&](TileCode each, Value column) -> SmallVector<Value> {
        Words own{each};
        Value logit = each.load(logits, last, column);
        Value score = each.ifElse(
            isPenalised,
            [&](TileCode inner) {
              Value seen = inner.load(shell.getInput(Seen), row, column);
              Value none = arith::ConstantOp::create(
                  inner.builder, inner.loc, inner.builder.getI8IntegerAttr(0));
              Value isNegative = inner.less(logit, inner.f32(0));
              Value changed =
                  inner.select(isNegative, inner.mul(logit, penalty),
                               divide(inner, logit, penalty));
              return inner.select(inner.equalIndex(seen, none), logit, changed);
            },
            [&](TileCode) { return logit; });
        score = divide(each, score, divisor);
        each.store(score, shell.getOutput(Scores), row, column);
        // Of equal ones the first is the largest.
        return {own.sub(own.add(own.shiftLeft(own.toKey(score), 32),
                                own.number(0xFFFFFFFF)),
                        own.toWord(column))};
      })[0];
  Value token = words.sub(words.number(0xFFFFFFFF),
                          words.conjunction(best, words.number(0xFFFFFFFF)));
  return {words.shiftRight(best, 32), token};
}

Value SampleEmitter::findKeyOfTopK(TileCode code, Value bestKey) {
  Value option = loadOption(code, TopK);
  Words words{code};
  auto compare = [&](arith::CmpFPredicate predicate, double number) -> Value {
    return arith::CmpFOp::create(code.builder, code.loc, predicate, option,
                                 words.f64(number));
  };
  Value isGiven =
      both(code, compare(arith::CmpFPredicate::OGT, 0),
           compare(arith::CmpFPredicate::OLT, static_cast<double>(vocabulary)));
  return code.ifElse(
      isGiven,
      [&](TileCode inner) {
        Words own{inner};
        Value none = own.number(0), all = own.number(vocabulary);
        Search whole{
            {none, own.add(bestKey, own.number(1)), all, none, all, none}};
        return search(inner, {/*counts=*/true, /*isOfTokens=*/false}, whole,
                      own.fromF64(option),
                      [&](const Words &each, Value column) -> Ranked {
                        return {each.toKey(loadScore(each.code, column)),
                                each.number(1)};
                      })
            .get(Search::Low);
      },
      [&](TileCode inner) { return Words{inner}.number(0); });
}

/// Returns the rank of the first of those tied tokens, from the last one on,
/// that reach the target together.
Value SampleEmitter::findRankOfTies(TileCode code, const Search &found,
                                    Value target, Value share) {
  Words words{code};
  Value missing = words.sub(target, found.get(Search::HighSum));
  Value needed = arith::DivUIOp::create(
      code.builder, code.loc,
      words.add(missing, words.sub(share, words.number(1))), share);
  Value key = found.get(Search::Low), none = words.number(0),
        all = words.number(vocabulary);
  Value ties =
      words.sub(found.get(Search::LowCount), found.get(Search::HighCount));
  Search whole{{none, all, ties, none, ties, none}};
  Value token =
      search(code, {/*counts=*/true, /*isOfTokens=*/false}, whole, needed,
             [&](const Words &each, Value column) -> Ranked {
               Value own = each.toKey(loadScore(each.code, column));
               return {each.toWord(column), each.truth(each.equal(own, key))};
             })
          .get(Search::Low);
  return words.add(words.shiftLeft(key, 32), token);
}

Value SampleEmitter::findRankOfTopP(TileCode code, Value bestKey, Value best,
                                    Value leastKey, Value part) {
  Words words{code};
  auto rank = [&](const Words &each, Value column) -> Ranked {
    Value score = loadScore(each.code, column);
    Value key = each.toKey(score), none = each.number(0);
    return {key, each.select(each.less(key, leastKey), none,
                             each.share(score, best))};
  };
  Value sum = sumShares(code, rank);
  // The best token always stays.
  Value target = words.max(words.least(part, sum), words.number(1));
  Value none = words.number(0);
  Search whole{{leastKey, words.add(bestKey, words.number(1)), sum, none,
                words.number(vocabulary), none}};
  Search found = search(code, {}, whole, target, rank);
  Value key = found.get(Search::Low);
  // Tokens that are tied at the end of the range, of which not all are needed.
  Value isOne =
      words.equal(words.sub(found.get(Search::High), key), words.number(1));
  Value isAbove = words.less(target, found.get(Search::LowSum));
  Value share = words.share(words.fromKey(key), best);
  return code.ifElse(
      both(code, isOne, isAbove),
      [&](TileCode inner) {
        return findRankOfTies(inner, found, target, share);
      },
      [&](TileCode inner) { return Words{inner}.shiftLeft(key, 32); });
}

//===----------------------------------------------------------------------===//
// The draw
//===----------------------------------------------------------------------===//

Value SampleEmitter::drawPoint(TileCode code, Value step) {
  Words words{code};
  Value random = shell.getInput(Random);
  Value low = code.load(random, row, code.index(0));
  Value high = code.load(random, row, code.index(1));
  return words.uniform(words.add(low, words.shiftLeft(high, 32)), step);
}

Value SampleEmitter::sample(TileCode code, Value bestKey, Value step) {
  Words words{code};
  Value best = words.fromKey(bestKey);
  Value leastKey = findKeyOfTopK(code, bestKey);
  Value part = loadOption(code, TopP);
  Value isPart = arith::CmpFOp::create(
      code.builder, code.loc, arith::CmpFPredicate::OLT, part, words.f64(1));
  Value leastRank = code.ifElse(
      isPart,
      [&](TileCode inner) {
        return findRankOfTopP(inner, bestKey, best, leastKey, part);
      },
      [&](TileCode inner) { return Words{inner}.shiftLeft(leastKey, 32); });
  Value leastShare =
      words.least(loadOption(code, MinP), words.number(shares::whole));
  auto rank = [&](const Words &each, Value column) -> Ranked {
    Value score = loadScore(each.code, column), none = each.number(0);
    Value share = each.share(score, best);
    Value isOut = each.less(toRank(each, column, score), leastRank);
    share = each.select(isOut, none, share);
    share = each.select(each.less(share, leastShare), none, share);
    return {each.sub(each.number(vocabulary - 1), each.toWord(column)), share};
  };
  Value sum = sumShares(code, rank);
  Value target =
      words.add(words.bound(drawPoint(code, step), sum), words.number(1));
  Value none = words.number(0), all = words.number(vocabulary);
  // The sum up to a token is that of ranks from its own on.
  Search whole{{none, all, sum, none, none, none}};
  Search found = search(code, {/*counts=*/false, /*isOfTokens=*/true}, whole,
                        target, rank);
  return words.sub(words.number(vocabulary - 1), found.get(Search::Low));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void SampleEmitter::storeResults(TileCode code, Value token, Value isChosen,
                                 const State &next) {
  Words words{code};
  Value zero = code.index(0), one = code.index(1);
  Value seen = shell.getInput(Seen), nextSeen = shell.getOutput(NextSeen);
  Value isSame = code.isSameMemory(seen, nextSeen);
  auto mark = [](TileCode each) -> Value {
    return arith::ConstantOp::create(each.builder, each.loc,
                                     each.builder.getI8IntegerAttr(1));
  };
  // With two memories every warp copies a part of the row.
  auto warps = static_cast<int64_t>(shell.kernel.getSchedule().getWarps());
  int64_t size = llvm::divideCeil(vocabulary, warps);
  code.tileRows(code.select(isSame, zero, code.index(warps)), warps,
                [&](TileCode inner, Value warp) {
                  Value from = inner.mulIndex(warp, inner.index(size));
                  Value to =
                      inner.minIndex(inner.addIndex(from, inner.index(size)),
                                     inner.index(vocabulary));
                  inner.columns(from, to, [&](TileCode each, Value column) {
                    Words own{each};
                    Value isOwn = both(each, isChosen,
                                       own.equal(own.toWord(column), token));
                    Value before = each.load(seen, row, column);
                    each.store(each.select(isOwn, mark(each), before), nextSeen,
                               row, column);
                  });
                });
  Value padding = code.load(shell.getInput(Padding), zero, zero);
  Value given = words.select(isChosen, token, padding);
  code.tileRows(one, /*extent=*/1, [&](TileCode inner, Value) {
    inner.store(given, shell.getOutput(Tokens), row, inner.index(0));
    inner.store(next.ended, shell.getOutput(NextEnded), inner.index(0), row);
    inner.store(next.length, shell.getOutput(NextLengths), inner.index(0), row);
    inner.store(next.step, shell.getOutput(NextStep), inner.index(0), row);
    inner.when(both(inner, isSame, isChosen), [&](TileCode each) {
      each.store(mark(each), nextSeen, row, Words{each}.toIndex(token));
    });
  });
}

void SampleEmitter::emitRow(TileCode code, Value ownRow) {
  row = ownRow;
  Words words{code};
  Value zero = code.index(0), none = words.number(0);
  Value ended = code.load(shell.getInput(Ended), zero, row);
  Value step = code.load(shell.getInput(Step), zero, row);
  // The state is read here: it may be written at the end.
  Value length = code.load(shell.getInput(Lengths), zero, row);
  Value isRunning = words.equal(ended, none);
  Value added = words.toWord(code.dim(shell.getInput(Ids), 1));
  Value nextLength = words.select(isRunning, words.add(length, added), length);
  Value isPart = code.lessIndex(step, none);
  Value isActive = both(code, isRunning, negate(code, isPart));
  auto [bestKey, first] = findBest(code);
  Value isFinite =
      both(code, words.less(words.number(Words::keyOfMinusInfinity), bestKey),
           words.less(bestKey, words.number(Words::keyOfInfinity)));
  Value isChosen = both(code, isActive, isFinite);
  Value isDrawn = both(code, isChosen, negate(code, isGreedy(code)));
  Value best = bestKey, firstBest = first;
  Value token = code.ifElse(
      isDrawn, [&](TileCode inner) { return sample(inner, best, step); },
      [&](TileCode) { return firstBest; });
  Value stops = shell.getInput(Stops);
  Value isStop = code.accumulate(
      zero, code.dim(stops, 0), none,
      [&](TileCode inner, Value index, ValueRange known) -> SmallVector<Value> {
        Words own{inner};
        Value stop = inner.load(stops, inner.index(0), index);
        return {own.select(own.equal(stop, token), own.number(1), known[0])};
      })[0];
  // -1 - step, for logits without a finite best one.
  Value fault = words.sub(words.number(~uint64_t(0)), step);
  Value nextEnded = words.select(isFinite, isStop, fault);
  nextEnded = words.select(isActive, nextEnded, ended);
  storeResults(code, token, isChosen,
               {nextEnded, nextLength, words.add(step, words.number(1))});
}

void SampleEmitter::emit(TileCode code) {
  Value rows = code.dim(shell.getInput(Ended), 0);
  code.tiles(rows, code.index(1), [&](TileCode inner, Value ownRow, Value) {
    emitRow(inner, ownRow);
  });
}

tile::KernelOp parablock::buildSampleKernel(OpBuilder &atModule,
                                            block::SampleOp op, StringRef name,
                                            StringRef chip) {
  KernelShell shell =
      createKernelShell(atModule, op, name, getSchedule(op, chip),
                        /*workspaces=*/{}, getScoresType(op));
  shell.kernel.setInPlace(true);
  SampleEmitter(shell, op).emit({shell.builder, op.getLoc()});
  return shell.kernel;
}
