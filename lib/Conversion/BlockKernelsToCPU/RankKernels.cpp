//===- RankKernels.cpp - sums, copies and puts of ranks -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RankKernels.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/MPI/IR/MPI.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

//===----------------------------------------------------------------------===//
// Sums over ranks
//===----------------------------------------------------------------------===//

/// MPI counts elements in 32 bits.
static constexpr int64_t kMostAtOnce = int64_t(1) << 30;

/// Returns `count` elements at `pointer` in the form of upstream's MPI ops.
static Value makeMemRef(Code &code, Value pointer, Value count, Type element) {
  OpBuilder &builder = code.builder;
  Type i64 = builder.getI64Type();
  Type numbers = LLVM::LLVMArrayType::get(i64, 1);
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(),
      {pointer.getType(), pointer.getType(), i64, numbers, numbers});
  Value descriptor = LLVM::PoisonOp::create(builder, code.loc, type);
  auto set = [&](Value field, ArrayRef<int64_t> position) {
    descriptor = LLVM::InsertValueOp::create(builder, code.loc, descriptor,
                                             field, position);
  };
  set(pointer, 0);
  set(pointer, 1);
  set(code.index(0), 2);
  set(count, {3, 0});
  set(code.index(1), {4, 0});
  return UnrealizedConversionCastOp::create(
             builder, code.loc, MemRefType::get(ShapedType::kDynamic, element),
             descriptor)
      .getResult(0);
}

/// Waits for the sum of `request` where the condition holds.
static void awaitIf(Value condition, Frame &frame, Value request) {
  Code &code = frame.getCode();
  auto branch = scf::IfOp::create(code.builder, code.loc, condition);
  OpBuilder::InsertionGuard guard(code.builder);
  code.builder.setInsertionPointToStart(branch.thenBlock());
  Type pointer = request.getType();
  auto module = frame.getFunction()->getParentOfType<ModuleOp>();
  FailureOr<LLVM::LLVMFuncOp> wait =
      LLVM::lookupOrCreateFn(code.builder, module, "MPI_Wait",
                             {pointer, pointer}, code.builder.getI32Type());
  // No MPI library has a larger status.
  Value status = frame.allocate(/*bytes=*/64);
  LLVM::CallOp::create(code.builder, code.loc, *wait,
                       ValueRange{request, status});
}

/// Calls `before` for each piece that MPI can count, with its first element.
static KernelCode buildSum(Frame &frame, Type unit, Value count,
                           llvm::function_ref<void(Value)> before) {
  Code &code = frame.getCode();
  OpBuilder &builder = code.builder;
  Value summand = frame.getTensor(0), sum = frame.getTensor(1);
  Value world = mpi::CommWorldOp::create(
      builder, code.loc, mpi::CommType::get(builder.getContext()));
  code.loop(code.index(0), count, kMostAtOnce, [&](Value begin) {
    before(begin);
    Value size = code.minI(code.subI(count, begin), code.index(kMostAtOnce));
    auto from = [&](Value tensor) {
      return makeMemRef(code, code.address(tensor, begin, unit), size, unit);
    };
    mpi::AllReduceOp::create(builder, code.loc, TypeRange(), from(summand),
                             from(sum), mpi::MPI_ReductionOpEnum::MPI_SUM,
                             world);
  });
  return frame.finish();
}

/// Returns the number of units of a launch of a sum.
static Value countUnits(Frame &frame) {
  Value count = frame.getDim(0);
  for (unsigned dim = 1; dim <= kMaxSummedDims; ++dim)
    count = frame.getCode().mulI(count, frame.getDim(dim));
  return count;
}

KernelCode cpugen::buildSumKernel(Frame &frame, Type unit) {
  return buildSum(frame, unit, countUnits(frame), [](Value) {});
}

KernelCode cpugen::buildStartKernel(Frame &frame, Type unit) {
  Code &code = frame.getCode();
  frame.getFunction()->setAttr(kStartsSum, code.builder.getUnitAttr());
  Value request = frame.getTensor(2);
  return buildSum(frame, unit, countUnits(frame), [&](Value begin) {
    // One request is in flight at a time.
    awaitIf(code.compareI(arith::CmpIPredicate::ne, begin, code.index(0)),
            frame, request);
  });
}

KernelCode cpugen::buildAwaitKernel(Frame &frame) {
  // A sum of no units makes no request.
  Code &code = frame.getCode();
  awaitIf(
      code.compareI(arith::CmpIPredicate::ne, countUnits(frame), code.index(0)),
      frame, frame.getTensor(1));
  return frame.finish();
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

static void copyBlocks(Code &code, Value to, Value toPosition, Value from,
                       Value fromPosition, Value begin, Value end,
                       int64_t lanes) {
  Type words = code.typed(code.builder.getI16Type(), lanes);
  code.loop(begin, end, lanes, [&](Value i) {
    Value word = from ? code.loadRaw(from, words, code.addI(fromPosition, i))
                      : code.constant(words, code.builder.getI16IntegerAttr(0));
    code.storeRaw(word, to, code.addI(toPosition, i));
  });
}

/// `count` words; zeros where `from` is null.
static void copyWords(Code &code, Value to, Value toPosition, Value from,
                      Value fromPosition, Value count) {
  int64_t lanes = 2 * code.lanes();
  Value zero = code.index(0);
  Value inVectors = code.mulI(code.divI(count, lanes), lanes);
  copyBlocks(code, to, toPosition, from, fromPosition, zero, inVectors, lanes);
  copyBlocks(code, to, toPosition, from, fromPosition, inVectors, count, 1);
}

namespace {
/// Sizes of a move in words, and the code that copies them.
class MoveCode {
public:
  explicit MoveCode(Frame &frame) : frame(frame), code(frame.getCode()) {
    Value inner = frame.getDim(MoveDims::Words);
    for (unsigned i = 0; i < 3; ++i)
      inner = code.mulI(inner, frame.getDim(MoveDims::Inner + i));
    whole = code.mulI(frame.getDim(MoveDims::Whole), inner);
    part = code.mulI(frame.getDim(MoveDims::Part), inner);
    first = code.mulI(
        code.mulI(frame.getDim(MoveDims::Factor), frame.getDim(MoveDims::Unit)),
        inner);
  }

  /// For each item.
  void forAll(llvm::function_ref<void(Value)> body) {
    code.loop(frame.getBegin(), frame.getEnd(), 1, body);
  }
  /// `count` words; zeros where `from` is null.
  void copy(Value to, Value toPosition, Value from, Value fromPosition,
            Value count) {
    copyWords(code, to, toPosition, from, fromPosition, count);
  }

  Frame &frame;
  Code &code;
  Value whole, part, first;
};
} // namespace

KernelCode cpugen::buildPutKernel(Frame &frame, bool hasBase) {
  MoveCode move(frame);
  Code &code = move.code;
  Value part = frame.getTensor(0);
  Value base = hasBase ? frame.getTensor(1) : Value();
  Value result = frame.getTensor(hasBase ? 2 : 1);
  move.forAll([&](Value item) {
    Value start = code.mulI(item, move.whole);
    Value place = code.addI(start, move.first);
    Value behind = code.addI(place, move.part);
    move.copy(result, start, base, start, move.first);
    move.copy(result, place, part, code.mulI(item, move.part), move.part);
    move.copy(result, behind, base, behind,
              code.subI(code.addI(start, move.whole), behind));
  });
  return frame.finish();
}

KernelCode cpugen::buildTakeKernel(Frame &frame) {
  MoveCode move(frame);
  Code &code = move.code;
  Value whole = frame.getTensor(0), result = frame.getTensor(1);
  move.forAll([&](Value item) {
    Value place = code.addI(code.mulI(item, move.whole), move.first);
    move.copy(result, code.mulI(item, move.part), whole, place, move.part);
  });
  return frame.finish();
}

//===----------------------------------------------------------------------===//
// Rows of experts
//===----------------------------------------------------------------------===//

/// A call exchanges this many words at most, so that rows that are packed stay
/// near the processor, and MPI's numbers of 32 bits hold.
static constexpr int64_t kWordsAtOnce = int64_t(1) << 21;

int64_t RowExchange::getRowsAtOnce() const {
  return std::max<int64_t>(1, kWordsAtOnce / (ranks * words));
}

namespace {
class RowExchangeBuilder {
public:
  RowExchangeBuilder(Frame &frame, const RowExchange &form)
      : frame(frame), code(frame.getCode()), form(form),
        rank(code.index(form.rank)), own(frame.getDim(1)) {}

  KernelCode build();

private:
  /// Rows that this rank has, for the ranks that read them, or rows of the
  /// ranks that have them, for this one.
  enum class Rows { OfThisRank, ForThisRank };
  /// A row of one of all ranks, with a number that is passed from row to row.
  struct Row {
    /// The other rank, the row's number on the rank that has it and among those
    /// of all ranks, and whether an expert of its reader is chosen.
    Value other, number, place, isRead;
    Value count;
  };
  /// Calls `body` with each row that is one of [begin, end) on the rank that
  /// has it, and `after` behind those of each rank, with its first count and
  /// the last.
  void forRows(Rows rows, Value begin, Value end,
               llvm::function_ref<Value(const Row &)> body,
               llvm::function_ref<void(Value, Value, Value)> after);
  Value isRead(Value place, Value reader);
  void listRows(Rows rows, Value begin, Value end, int64_t place, bool packs);
  void placeRows(Rows rows, Value begin, Value end);
  void callMpi();

  Value isOther(Value other) {
    return code.compareI(arith::CmpIPredicate::ne, other, rank);
  }
  /// The row of the input.
  Value getSource(const Row &row) {
    return form.isBack ? row.place : row.number;
  }
  /// Zeros where `from` is null.
  void copyRow(Value to, Value toRow, Value from, Value fromRow) {
    copyWords(code, to, code.mulI(toRow, form.words), from,
              from ? code.mulI(fromRow, form.words) : Value(),
              code.index(form.words));
  }
  void setNumber(int64_t place, Value other, Value rows) {
    Value number = arith::TruncIOp::create(code.builder, code.loc,
                                           code.builder.getI32Type(),
                                           code.mulI(rows, form.words));
    code.storeRaw(number, frame.getTensor(kExchangeNumbers),
                  code.addI(other, place * form.ranks));
  }

  Frame &frame;
  Code &code;
  const RowExchange &form;
  Value rank, own;
};
} // namespace

Value RowExchangeBuilder::isRead(Value place, Value reader) {
  Value first = code.mulI(reader, form.experts);
  Value behind = code.addI(first, form.experts);
  Value begin = code.mulI(place, form.slots);
  Value none = code.lessI(begin, begin);
  auto join = [&](Value slot, ValueRange found) -> Values {
    Value choice = code.loadI64(frame.getTensor(1), code.addI(begin, slot));
    Value isOwn = arith::AndIOp::create(
        code.builder, code.loc,
        code.compareI(arith::CmpIPredicate::sge, choice, first),
        code.lessI(choice, behind));
    return {arith::OrIOp::create(code.builder, code.loc, found[0], isOwn)};
  };
  return code.loop(code.index(0), code.index(form.slots), 1, none, join)[0];
}

void RowExchangeBuilder::forRows(
    Rows rows, Value begin, Value end,
    llvm::function_ref<Value(const Row &)> body,
    llvm::function_ref<void(Value, Value, Value)> after) {
  bool areOwn = rows == Rows::OfThisRank;
  auto forRank = [&](Value other, ValueRange first) -> Values {
    Value owner = areOwn ? rank : other, reader = areOwn ? other : rank;
    auto forRow = [&](Value number, ValueRange count) -> Values {
      Value sequence = code.divI(number, own), t = code.remI(number, own);
      Value place = code.addI(
          code.mulI(code.addI(code.mulI(sequence, form.ranks), owner), own), t);
      return {body({other, number, place, isRead(place, reader), count[0]})};
    };
    Value last = code.loop(begin, end, 1, first, forRow)[0];
    after(other, first[0], last);
    return {last};
  };
  code.loop(code.index(0), code.index(form.ranks), 1, code.index(0), forRank);
}

/// Numbers the words of rows of other ranks, or for them, and packs those that
/// are sent.
void RowExchangeBuilder::listRows(Rows rows, Value begin, Value end,
                                  int64_t place, bool packs) {
  forRows(
      rows, begin, end,
      [&](const Row &row) {
        Value isMoved = arith::AndIOp::create(code.builder, code.loc,
                                              row.isRead, isOther(row.other));
        if (packs)
          code.ifThen(isMoved, [&] {
            copyRow(frame.getTensor(3), row.count, frame.getTensor(0),
                    getSource(row));
          });
        return code.select(isMoved, code.addI(row.count, 1), row.count);
      },
      [&](Value other, Value first, Value last) {
        setNumber(place, other, code.subI(last, first));
        setNumber(place + 1, other, first);
      });
}

/// Copies rows to their places in the result: those received, those that this
/// rank has itself, and zeros.
void RowExchangeBuilder::placeRows(Rows rows, Value begin, Value end) {
  forRows(
      rows, begin, end,
      [&](const Row &row) {
        Value to = frame.getTensor(2);
        Value target =
            form.isBack
                ? code.addI(code.mulI(row.number, form.ranks), row.other)
                : row.place;
        auto copyRead = [&]() -> Values {
          auto received = [&]() -> Values {
            copyRow(to, target, frame.getTensor(4), row.count);
            return {code.addI(row.count, 1)};
          };
          auto kept = [&]() -> Values {
            copyRow(to, target, frame.getTensor(0), getSource(row));
            return {row.count};
          };
          return code.ifElse(isOther(row.other), row.count.getType(), received,
                             kept);
        };
        auto fill = [&]() -> Values {
          copyRow(to, target, Value(), Value());
          return {row.count};
        };
        return code.ifElse(row.isRead, row.count.getType(), copyRead, fill)[0];
      },
      [](Value, Value, Value) {});
}

/// A call that cpu-lower-mpi replaces: upstream has no op for it.
void RowExchangeBuilder::callMpi() {
  frame.getFunction()->setAttr(kExchangesRows,
                               code.builder.getI64IntegerAttr(form.ranks));
  Value world = mpi::CommWorldOp::create(
      code.builder, code.loc, mpi::CommType::get(code.builder.getContext()));
  Type word = code.builder.getI16Type();
  auto from = [&](unsigned tensor) {
    return makeMemRef(code, frame.getTensor(tensor), code.index(0), word);
  };
  mpi::AllReduceOp::create(code.builder, code.loc, TypeRange(), from(3),
                           from(4), mpi::MPI_ReductionOpEnum::MPI_SUM, world);
}

KernelCode RowExchangeBuilder::build() {
  Rows sent = form.isBack ? Rows::ForThisRank : Rows::OfThisRank;
  Rows received = form.isBack ? Rows::OfThisRank : Rows::ForThisRank;
  // As many calls on each rank, whatever its rows choose.
  int64_t atOnce = form.getRowsAtOnce();
  Value count = code.mulI(frame.getDim(0), own);
  code.loop(code.index(0), count, atOnce, [&](Value begin) {
    Value end = code.minI(code.addI(begin, atOnce), count);
    listRows(sent, begin, end, /*place=*/0, /*packs=*/true);
    listRows(received, begin, end, /*place=*/2, /*packs=*/false);
    callMpi();
    placeRows(received, begin, end);
  });
  return frame.finish();
}

KernelCode cpugen::buildRowExchangeKernel(Frame &frame,
                                          const RowExchange &form) {
  return RowExchangeBuilder(frame, form).build();
}
