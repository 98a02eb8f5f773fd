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
            Value count);

  Frame &frame;
  Code &code;
  Value whole, part, first;

private:
  void copyBlocks(Value to, Value toPosition, Value from, Value fromPosition,
                  Value begin, Value end, int64_t lanes);
};
} // namespace

void MoveCode::copyBlocks(Value to, Value toPosition, Value from,
                          Value fromPosition, Value begin, Value end,
                          int64_t lanes) {
  Type words = code.typed(code.builder.getI16Type(), lanes);
  code.loop(begin, end, lanes, [&](Value i) {
    Value word = from ? code.loadRaw(from, words, code.addI(fromPosition, i))
                      : code.constant(words, code.builder.getI16IntegerAttr(0));
    code.storeRaw(word, to, code.addI(toPosition, i));
  });
}

void MoveCode::copy(Value to, Value toPosition, Value from, Value fromPosition,
                    Value count) {
  int64_t lanes = 2 * code.lanes();
  Value zero = code.index(0);
  Value inVectors = code.mulI(code.divI(count, lanes), lanes);
  copyBlocks(to, toPosition, from, fromPosition, zero, inVectors, lanes);
  copyBlocks(to, toPosition, from, fromPosition, inVectors, count, 1);
}

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
