//===- LossKernels.cpp - logits, softmax and gradients of a chunk ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A chunk of rows passes through launches that all threads share: its logits,
// which become gradients row by row, and their contributions to the gradients
// by inputs and weights. So only one chunk of logits exists at a time.
//
//===----------------------------------------------------------------------===//

#include "LossKernels.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Rows of a chunk, whole strips on all processors: more rows read and write
/// weights and their gradients less often, but need more memory.
static constexpr int64_t kChunkRows = 252;

/// Steps of the depth whose weights stay in the second-level cache.
static constexpr int64_t kSliceSteps = 512;

/// Columns of logits, and rows and columns of gradients by inputs, per item.
static constexpr int64_t kItemLogits = 256, kItemRows = 126, kItemColumns = 128;

LossForm::LossForm(const CpuTarget &target, Type input, Type weight,
                   int64_t vocabulary, int64_t width)
    : input(input), weight(weight), vocabulary(vocabulary), width(width),
      strips(target, input, weight) {
  strips.inPairs &= vocabulary % 2 == 0 && width % 2 == 0;
}

int64_t LossForm::getColumns() const {
  return llvm::alignTo(vocabulary, strips.panelColumns);
}

Type LossForm::getGradientType(OpBuilder &builder) const {
  return strips.inPairs ? Type(builder.getBF16Type())
                        : Type(builder.getF32Type());
}

RowChunks LossForm::getChunks() const {
  return {kChunkRows, getColumns() * (strips.inPairs ? 2 : 1)};
}

PanelLayout LossForm::getLayout(bool isTransposed) const {
  PanelLayout layout;
  layout.columns = strips.panelColumns;
  layout.depth = isTransposed ? vocabulary : width;
  layout.together = strips.inPairs ? 2 : 1;
  int64_t outputs = isTransposed ? width : vocabulary;
  for (int64_t first = 0; first < outputs; first += layout.columns)
    layout.panels.push_back({first, std::min(layout.columns, outputs - first)});
  return layout;
}

static KernelCode finish(Frame &frame, int64_t factor, int64_t block = 1) {
  return frame.finish(factor, block);
}

//===----------------------------------------------------------------------===//
// Numbers of the whole loss
//===----------------------------------------------------------------------===//

/// The number of rows that count, in f64.
static Value countTargets(Frame &frame, const LossForm &form, Value targets) {
  Code &code = frame.getCode();
  Value rows = code.mulI(frame.getDim(0), frame.getDim(1));
  Value zero = code.index(0);
  Value count =
      code.loop(zero, rows, 1, zero,
                [&](Value row, ValueRange before) -> Values {
                  Value target = code.loadI64(targets, row);
                  Value isOut = code.equalI(target, code.index(form.ignored));
                  return {code.addI(before[0],
                                    code.select(isOut, zero, code.index(1)))};
                })
          .front();
  return arith::SIToFPOp::create(code.builder, code.loc,
                                 code.builder.getF64Type(), count);
}

static Value widen(Code &code, Value number) {
  return arith::ExtFOp::create(code.builder, code.loc,
                               code.builder.getF64Type(), number);
}

static Value narrow(Code &code, Value number) {
  return arith::TruncFOp::create(code.builder, code.loc, code.f32Type(1),
                                 number);
}

static Value divide(Code &code, Value a, Value b) {
  return arith::DivFOp::create(code.builder, code.loc, a, b);
}

KernelCode cpugen::buildLossFactorKernel(Frame &frame, const LossForm &form) {
  Code &code = frame.getCode();
  Value zero = code.index(0);
  auto loadNumber = [&](unsigned tensor) {
    return widen(code,
                 code.load(frame.getTensor(tensor), form.number, zero, 1));
  };
  Value divisor = form.hasDivisor
                      ? loadNumber(2)
                      : countTargets(frame, form, frame.getTensor(0));
  Value factor = divide(code, loadNumber(1), divisor);
  code.storeRaw(narrow(code, factor), frame.getTensor(form.hasDivisor ? 3 : 2),
                zero);
  return finish(frame, 1);
}

KernelCode cpugen::buildLossSumKernel(Frame &frame, const LossForm &form,
                                      Type type) {
  Code &code = frame.getCode();
  Value losses = frame.getTensor(0), targets = frame.getTensor(1);
  Value zero = code.index(0);
  Value rows = code.mulI(frame.getDim(0), frame.getDim(1));
  Value none = code.real(code.builder.getF64Type(), 0);
  Value sum =
      code.loop(zero, rows, 1, none,
                [&](Value row, ValueRange before) -> Values {
                  Value loss = code.loadRaw(losses, code.f32Type(1), row);
                  return {arith::AddFOp::create(code.builder, code.loc,
                                                before[0], widen(code, loss))};
                })
          .front();
  Value count = countTargets(frame, form, targets);
  Value divisor =
      form.hasDivisor
          ? widen(code, code.load(frame.getTensor(2), form.number, zero, 1))
          : count;
  Value isEmpty = arith::CmpFOp::create(code.builder, code.loc,
                                        arith::CmpFPredicate::OEQ, count, none);
  Value loss = code.select(isEmpty, none, divide(code, sum, divisor));
  code.store(narrow(code, loss), frame.getTensor(form.hasDivisor ? 3 : 2), type,
             zero);
  return finish(frame, 1);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Multiplies with panels of `depth` inputs, slice by slice.
static void emitProducts(Code &code, const StripForm &form,
                         StripFactors factors, int64_t depth, Value rows,
                         Value panels, Value sums, int64_t columns) {
  int64_t together = form.inPairs ? 2 : 1;
  Value left = factors.left, right = factors.right;
  Value steps = code.index(depth / together);
  factors.panelDistance = code.index(depth * form.panelColumns);
  factors.mostSteps = kSliceSteps;
  code.loop(code.index(0), steps, kSliceSteps, [&](Value first) {
    factors.left = code.address(left, code.mulI(first, factors.stepDistance),
                                form.getUnit(code));
    factors.right =
        code.address(right, code.mulI(first, form.panelColumns * together),
                     factors.rightType);
    Value count = code.minI(code.subI(steps, first), code.index(kSliceSteps));
    emitStrips(code, form, factors, rows, panels, count, sums, columns,
               code.equalI(first, code.index(0)));
  });
}

/// Returns the rows of a matrix in the form of a product: converted to `buffer`
/// unless that is null.
static Value getLeftRows(Code &code, const StripForm &form, Value matrix,
                         Type type, Value first, Value count, int64_t width,
                         Value buffer) {
  Value start = code.mulI(first, width);
  if (!buffer)
    return code.address(matrix, start, type);
  Rectangle rows = {matrix,           type, start, code.index(width), count,
                    code.index(width)};
  emitPacking(code, form, rows, buffer, width, /*panels=*/1,
              /*panelDistance=*/0);
  return buffer;
}

KernelCode cpugen::buildLogitsKernel(Frame &frame, const LossForm &form) {
  Code &code = frame.getCode();
  const StripForm &strips = form.strips;
  bool isConverted = !strips.inPairs && !form.input.isF32();
  Value buffer = isConverted
                     ? frame.allocate(kChunkRows * form.width * sizeof(float))
                     : Value();
  LaunchRows rows(frame, form.getChunks());
  Value chunk = frame.getTensor(2);
  int64_t itemPanels = std::max<int64_t>(1, kItemLogits / strips.panelColumns);
  int64_t panels = form.getColumns() / strips.panelColumns;
  Value input = getLeftRows(code, strips, frame.getTensor(0), form.input,
                            rows.first, rows.count, form.width, buffer);
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value item) {
    Value panel = code.mulI(item, itemPanels);
    StripFactors factors;
    factors.left = input;
    factors.rowDistance = form.width / (strips.inPairs ? 2 : 1);
    factors.right = code.address(
        frame.getTensor(1), code.mulI(panel, form.width * strips.panelColumns),
        form.weight);
    factors.rightType = form.weight;
    Value place = code.address(chunk, code.mulI(panel, strips.panelColumns),
                               code.f32Type(1));
    emitProducts(
        code, strips, factors, form.width, rows.count,
        code.minI(code.subI(code.index(panels), panel), code.index(itemPanels)),
        place, form.getColumns());
  });
  return finish(frame, llvm::divideCeil(panels, itemPanels));
}

KernelCode cpugen::buildInputGradKernel(Frame &frame, const LossForm &form,
                                        Type type) {
  Code &code = frame.getCode();
  const StripForm &strips = form.strips;
  int64_t itemPanels = std::max<int64_t>(1, kItemColumns / strips.panelColumns);
  int64_t itemColumns = itemPanels * strips.panelColumns;
  int64_t columnItems = llvm::divideCeil(form.width, itemColumns);
  int64_t panels = llvm::divideCeil(form.width, strips.panelColumns);
  Value sums = frame.allocate(llvm::alignTo(kItemRows, strips.shape.rows) *
                              itemColumns * sizeof(float));
  LaunchRows rows(frame, form.getChunks());
  Value zero = code.index(0);
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value item) {
    Value row = code.mulI(code.divI(item, columnItems), kItemRows);
    Value panel = code.mulI(code.remI(item, columnItems), itemPanels);
    Value column = code.mulI(panel, strips.panelColumns);
    Value count = code.maxI(
        code.minI(code.subI(rows.count, row), code.index(kItemRows)), zero);
    StripFactors factors;
    factors.left = code.address(
        frame.getTensor(0), code.mulI(row, form.getColumns()), code.f32Type(1));
    factors.rowDistance = form.getColumns();
    factors.right = code.address(
        frame.getTensor(1),
        code.mulI(panel, form.vocabulary * strips.panelColumns), form.weight);
    factors.rightType = form.weight;
    emitProducts(
        code, strips, factors, form.vocabulary, count,
        code.minI(code.subI(code.index(panels), panel), code.index(itemPanels)),
        sums, itemColumns);
    Value first =
        code.addI(code.mulI(code.addI(rows.first, row), form.width), column);
    emitSumStore(code, sums, itemColumns,
                 {frame.getTensor(2), type, first, code.index(form.width),
                  count,
                  code.minI(code.subI(code.index(form.width), column),
                            code.index(itemColumns))});
  });
  return finish(frame, columnItems * llvm::divideCeil(kChunkRows, kItemRows));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The logarithm of a normal f64 number, to the digits of f32 and more.
static Value emitLog(Code &code, Value x) {
  OpBuilder &builder = code.builder;
  Type i64 = builder.getI64Type(), f64 = builder.getF64Type();
  auto constant = [&](double value) { return code.real(f64, value); };
  auto fma = [&](Value a, Value b, Value c) -> Value {
    Value product = arith::MulFOp::create(builder, code.loc, a, b);
    return arith::AddFOp::create(builder, code.loc, product, c);
  };
  // x = m 2^e with m from 1 / sqrt(2) to sqrt(2).
  constexpr int64_t half = 0x3FE6A09E667F3BCD;
  Value bits = arith::BitcastOp::create(builder, code.loc, i64, x);
  Value above = code.subI(bits, code.index(half));
  Value exponent =
      arith::ShRSIOp::create(builder, code.loc, above, code.index(52));
  Value shifted =
      arith::ShLIOp::create(builder, code.loc, exponent, code.index(52));
  Value m = arith::BitcastOp::create(builder, code.loc, f64,
                                     code.subI(bits, shifted));
  Value s =
      divide(code, arith::SubFOp::create(builder, code.loc, m, constant(1)),
             arith::AddFOp::create(builder, code.loc, m, constant(1)));
  Value square = arith::MulFOp::create(builder, code.loc, s, s);
  Value series = constant(2.0 / 15);
  for (int odd = 13; odd > 0; odd -= 2)
    series = fma(series, square, constant(2.0 / odd));
  Value e = arith::SIToFPOp::create(builder, code.loc, f64, exponent);
  return fma(e, constant(0.69314718055994530942),
             arith::MulFOp::create(builder, code.loc, series, s));
}

namespace {
/// One row of a chunk.
class LossRow {
public:
  LossRow(Code &code, const LossForm &form, Value logits)
      : code(code), form(form), logits(logits) {}

  /// Finishes logits, and gives the largest.
  Value finishLogits(Value bias);
  /// The sum of exponentials; they take the place of logits if `keeps`.
  Value sumExponentials(Value largest, bool keeps);
  /// Writes gradients over the logits.
  void writeGradients(Value largest, Value sum, Value factor, Value target,
                      Value logit);
  void writeZeros();
  Value load(Value column) {
    return code.loadRaw(logits, code.f32Type(1), column);
  }

private:
  using Body = llvm::function_ref<Value(Value, int64_t, Value)>;
  Value fold(Value initial, llvm::function_ref<Value(Value, Value)> join,
             Body body);
  void forColumns(llvm::function_ref<void(Value, int64_t)> body);
  /// Returns the derivative of a logit by its value before scale and cap.
  Value getSlope(Value logit) {
    if (form.cap == 0)
      return code.f32(form.scale);
    Value share = code.mul(logit, code.f32(1 / form.cap));
    return code.mul(code.sub(code.f32(1), code.mul(share, share)),
                    code.f32(form.scale));
  }
  Type getType() { return form.getGradientType(code.builder); }

  Code &code;
  const LossForm &form;
  Value logits;
};
} // namespace

void LossRow::forColumns(llvm::function_ref<void(Value, int64_t)> body) {
  int64_t lanes = code.lanes(), whole = form.vocabulary / lanes * lanes;
  code.loop(code.index(0), code.index(whole), lanes,
            [&](Value column) { body(column, lanes); });
  code.loop(code.index(whole), code.index(form.vocabulary), 1,
            [&](Value column) { body(column, 1); });
}

/// Number of vectors of logits whose exponentials are summed separately: in one
/// chain over a large vocabulary each small term would be rounded to the
/// magnitude of the whole sum.
static constexpr int64_t kSumVectors = 64;

/// Joins all results of `body`, lane by lane first, some vectors at a time.
Value LossRow::fold(Value initial, llvm::function_ref<Value(Value, Value)> join,
                    Body body) {
  int64_t lanes = code.lanes(), whole = form.vocabulary / lanes * lanes;
  Value none = code.splat(initial, lanes), end = code.index(whole);
  auto foldVectors = [&](Value first) -> Value {
    Value next = code.minI(code.addI(first, lanes * kSumVectors), end);
    return code
        .loop(first, next, lanes, none,
              [&](Value column, ValueRange before) -> Values {
                return {body(column, lanes, before[0])};
              })
        .front();
  };
  Value wide = code.loop(code.index(0), end, lanes * kSumVectors, none,
                         [&](Value first, ValueRange before) -> Values {
                           return {join(before[0], foldVectors(first))};
                         })
                   .front();
  Value result =
      code.loop(code.index(whole), code.index(form.vocabulary), 1, initial,
                [&](Value column, ValueRange before) -> Values {
                  return {body(column, 1, before[0])};
                })
          .front();
  for (int64_t lane = 0; lane < lanes; ++lane)
    result = join(
        result, vector::ExtractOp::create(code.builder, code.loc, wide, lane));
  return result;
}

Value LossRow::finishLogits(Value bias) {
  auto join = [&](Value a, Value b) { return code.max(b, a); };
  return fold(code.f32(-HUGE_VAL), join,
              [&](Value column, int64_t lanes, Value before) {
                Value x = code.loadRaw(logits, code.f32Type(lanes), column);
                if (bias)
                  x = code.add(x, code.load(bias, form.bias, column, lanes));
                x = code.scale(x, form.scale);
                if (form.cap != 0)
                  x = code.mul(code.tanh(code.mul(x, code.f32(1 / form.cap))),
                               code.f32(form.cap));
                if (bias || form.scale != 1 || form.cap != 0)
                  code.storeRaw(x, logits, column);
                return join(before, x);
              });
}

Value LossRow::sumExponentials(Value largest, bool keeps) {
  auto join = [&](Value a, Value b) { return code.add(a, b); };
  return fold(code.f32(0), join,
              [&](Value column, int64_t lanes, Value before) {
                Value x = code.loadRaw(logits, code.f32Type(lanes), column);
                Value e = code.exp(code.sub(x, largest));
                if (keeps)
                  code.storeRaw(e, logits, column);
                return code.add(before, e);
              });
}

void LossRow::writeGradients(Value largest, Value sum, Value factor,
                             Value target, Value logit) {
  Value share = code.div(factor, sum);
  // Narrower elements never overtake those that are still to be read.
  auto get = [&](Value column, int64_t lanes) {
    Value x = code.loadRaw(logits, code.f32Type(lanes), column);
    if (form.cap == 0)
      return code.mul(x, code.scale(share, form.scale));
    Value e = code.exp(code.sub(x, largest));
    return code.mul(code.mul(e, share), getSlope(x));
  };
  // The target's share in f32, before any rounding.
  Value own = code.mul(code.exp(code.sub(logit, largest)), share);
  Value ofTarget = code.mul(code.sub(own, factor), getSlope(logit));
  forColumns([&](Value column, int64_t lanes) {
    code.store(get(column, lanes), logits, getType(), column);
  });
  code.store(ofTarget, logits, getType(), target);
}

void LossRow::writeZeros() {
  forColumns([&](Value column, int64_t lanes) {
    code.store(code.splat(code.f32(0), lanes), logits, getType(), column);
  });
}

KernelCode cpugen::buildLossRowsKernel(Frame &frame, const LossForm &form,
                                       bool hasGradient) {
  Code &code = frame.getCode();
  unsigned next = 0;
  Value targets = frame.getTensor(next++);
  Value bias = form.hasBias ? frame.getTensor(next++) : Value();
  Value zero = code.index(0);
  Value factor =
      hasGradient ? code.loadRaw(frame.getTensor(next++), code.f32Type(1), zero)
                  : Value();
  Value chunk = frame.getTensor(next++), losses = frame.getTensor(next);
  LaunchRows rows(frame, form.getChunks());
  Value end = code.minI(frame.getEnd(), rows.count);
  code.loop(frame.getBegin(), end, 1, [&](Value item) {
    Value row = code.addI(rows.first, item);
    Value target = code.loadI64(targets, row);
    LossRow logits(code, form,
                   code.address(chunk, code.mulI(item, form.getColumns()),
                                code.f32Type(1)));
    code.ifElse(
        code.equalI(target, code.index(form.ignored)), {},
        [&]() -> Values {
          code.storeRaw(code.f32(0), losses, row);
          if (hasGradient)
            logits.writeZeros();
          return {};
        },
        [&]() -> Values {
          // Clamped, so that no data causes accesses to other memory.
          Value place = code.minI(code.maxI(target, zero),
                                  code.index(form.vocabulary - 1));
          Value largest = logits.finishLogits(bias);
          Value logit = logits.load(place);
          Value sum = logits.sumExponentials(largest, /*keeps=*/hasGradient &&
                                                          form.cap == 0);
          Value log = emitLog(code, widen(code, sum));
          Value distance = widen(code, code.sub(largest, logit));
          code.storeRaw(
              narrow(code, arith::AddFOp::create(code.builder, code.loc, log,
                                                 distance)),
              losses, row);
          if (hasGradient)
            logits.writeGradients(largest, sum, factor, place, logit);
          return {};
        });
  });
  return finish(frame, kChunkRows);
}
