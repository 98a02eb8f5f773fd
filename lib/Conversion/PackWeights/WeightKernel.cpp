//===- WeightKernel.cpp - emits elements of packed weights ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each element of the result is computed from parameters at once, through all
// moves and folds, without intermediate tensors. Values that can be traced
// (WeightTrace.h) are computed in vectors: panels (WeightMoves.h) and sums
// (WeightSums.h).
//
//===----------------------------------------------------------------------===//

#include "parablock/Conversion/PackWeights/WeightKernel.h"

#include "WeightMoves.h"
#include "WeightSums.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

bool cpugen::isWeightType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return false;
  Type element = tensor.getElementType();
  return element.isF32() || element.isBF16() || element.isF16() ||
         element.isSignlessInteger(8);
}

bool cpugen::isWeightWork(Operation *op) {
  if (!llvm::all_of(op->getResultTypes(), isWeightType) ||
      !llvm::all_of(op->getOperandTypes(), isWeightType))
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](arith::ConstantOp constant) {
        auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
        return elements && isa<FloatType>(elements.getElementType());
      })
      .Case([](arith::TruncFOp cast) {
        return cast.getRoundingmode().value_or(
                   arith::RoundingMode::to_nearest_even) ==
               arith::RoundingMode::to_nearest_even;
      })
      .Case<arith::ExtFOp, tensor::ExtractSliceOp, tensor::ConcatOp,
            tensor::CollapseShapeOp, tensor::ExpandShapeOp, linalg::TransposeOp,
            block::WeightOpInterface>([](auto) { return true; })
      .Default(false);
}

ValueRange cpugen::getWeightSources(Operation *op) {
  return isa<linalg::TransposeOp>(op) ? op->getOperands().take_front()
                                      : ValueRange(op->getOperands());
}

llvm::SetVector<Value> cpugen::findLeaves(Value value) {
  llvm::SetVector<Value> leaves, seen;
  SmallVector<Value> open = {value};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next))
      continue;
    Operation *op = next.getDefiningOp();
    if (!op || !isWeightWork(op))
      leaves.insert(next);
    else
      llvm::append_range(open, getWeightSources(op));
  }
  return leaves;
}

namespace {
/// Compares how two weights are computed: values correspond one to one.
class WeightComparison {
public:
  bool run(Value first, Value second) {
    auto [known, isNew] = partners.try_emplace(first, second);
    if (!isNew)
      return known->second == second;
    if (!taken.insert(second).second || first.getType() != second.getType())
      return false;
    Operation *op = findWork(first), *other = findWork(second);
    if (!op || !other)
      return op == other;
    // The callback is not called for a value that both ops read.
    return OperationEquivalence::isEquivalentTo(
               op, other, OperationEquivalence::ignoreValueEquivalence,
               /*markEquivalent=*/nullptr,
               OperationEquivalence::IgnoreLocations) &&
           llvm::all_of(
               llvm::zip_equal(op->getOperands(), other->getOperands()),
               [&](auto operands) {
                 auto [operand, partner] = operands;
                 return run(operand, partner);
               });
  }

private:
  static Operation *findWork(Value value) {
    Operation *op = value.getDefiningOp();
    return op && isWeightWork(op) ? op : nullptr;
  }

  llvm::DenseMap<Value, Value> partners;
  llvm::DenseSet<Value> taken;
};
} // namespace

bool cpugen::isSameWeight(Value first, Value second) {
  return WeightComparison().run(first, second);
}

namespace {
class WeightCode {
public:
  WeightCode(Frame &frame, Value value)
      : frame(frame), code(frame.getCode()), value(value),
        leaves(findLeaves(value)) {
    for (unsigned i = 0; i < leaves.size(); ++i)
      pointers[leaves[i]] = frame.getTensor(i);
    result = frame.getTensor(leaves.size());
  }

  void emitPlain();
  void emitSums(block::WeightOpInterface op);
  void emitPanels(const PanelLayout &layout);

private:
  class Formula;

  Value element(Value tensor, ArrayRef<Value> at);
  Value computed(block::WeightOpInterface op, ArrayRef<Value> at);
  Value constant(arith::ConstantOp op, ArrayRef<Value> at);
  Value concatenated(tensor::ConcatOp op, ArrayRef<Value> at, unsigned input);
  Value sliced(tensor::ExtractSliceOp op, ArrayRef<Value> at);
  Value reshaped(Value source, Value tensor, ArrayRef<Value> at);
  /// The sum over the columns of a matrix's row, in f64.
  Value sumColumns(int64_t columns, llvm::function_ref<Value(Value)> body);
  Value linear(Value tensor, ArrayRef<Value> at);
  /// Codes are numbers from -128 on, as others are.
  Value load(Value pointer, Type type, Value position);
  void store(Value value, Value pointer, Type type, Value position);
  Type elementType(Value tensor) {
    return getElementTypeOrSelf(tensor.getType());
  }

  Frame &frame;
  Code &code;
  Value value;
  llvm::SetVector<Value> leaves;
  llvm::DenseMap<Value, Value> pointers;
  Value result;
};
} // namespace

/// Position in a row-major tensor.
Value WeightCode::linear(Value tensor, ArrayRef<Value> at) {
  Value position = code.index(0);
  for (auto [size, index] : llvm::zip_equal(shapeOf(tensor), at))
    position = code.addI(code.mulI(position, size), index);
  return position;
}

Value WeightCode::load(Value pointer, Type type, Value position) {
  if (!type.isInteger())
    return code.load(pointer, type, position, 1);
  return arith::SIToFPOp::create(code.builder, code.loc, code.f32Type(1),
                                 code.loadRaw(pointer, type, position));
}

void WeightCode::store(Value value, Value pointer, Type type, Value position) {
  if (!type.isInteger())
    return code.store(value, pointer, type, position);
  code.storeRaw(arith::FPToSIOp::create(code.builder, code.loc, type, value),
                pointer, position);
}

Value WeightCode::constant(arith::ConstantOp op, ArrayRef<Value> at) {
  auto elements = cast<DenseElementsAttr>(op.getValue());
  if (elements.isSplat())
    return code.f32(elements.getSplatValue<FloatAttr>().getValueAsDouble());
  auto numbers = llvm::map_to_vector(
      elements.getValues<FloatAttr>(), [](FloatAttr number) {
        return static_cast<float>(number.getValueAsDouble());
      });
  auto type = RankedTensorType::get(static_cast<int64_t>(numbers.size()),
                                    code.f32Type(1));
  Value table =
      code.table(DenseElementsAttr::get(type, llvm::ArrayRef<float>(numbers)));
  return code.loadRaw(table, code.f32Type(1), linear(op, at));
}

Value WeightCode::concatenated(tensor::ConcatOp op, ArrayRef<Value> at,
                               unsigned input) {
  Value source = op.getInputs()[input];
  if (input + 1 == op.getInputs().size())
    return element(source, at);
  int64_t size = shapeOf(source)[op.getDim()];
  Value place = at[op.getDim()];
  return code
      .ifElse(
          code.lessI(place, code.index(size)), code.f32Type(1),
          [&]() -> Values { return {element(source, at)}; },
          [&]() -> Values {
            Values later(at);
            later[op.getDim()] = code.addI(place, -size);
            return {concatenated(op, later, input + 1)};
          })
      .front();
}

Value WeightCode::sliced(tensor::ExtractSliceOp op, ArrayRef<Value> at) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Values source;
  for (unsigned dim = 0, next = 0; dim < dropped.size(); ++dim) {
    Value index = dropped[dim] ? code.index(0) : at[next++];
    source.push_back(code.addI(code.mulI(index, op.getStaticStride(dim)),
                               op.getStaticOffset(dim)));
  }
  return element(op.getSource(), source);
}

Value WeightCode::reshaped(Value source, Value tensor, ArrayRef<Value> at) {
  Value position = linear(tensor, at);
  Values inSource;
  for (int64_t size : llvm::reverse(shapeOf(source))) {
    inSource.push_back(code.remI(position, size));
    position = code.divI(position, size);
  }
  std::reverse(inSource.begin(), inSource.end());
  return element(source, inSource);
}

Value WeightCode::sumColumns(int64_t columns,
                             llvm::function_ref<Value(Value)> body) {
  Type f64 = code.builder.getF64Type();
  Value sum =
      code.loop(code.index(0), code.index(columns), 1, code.real(f64, 0),
                [&](Value column, ValueRange sum) -> Values {
                  Value wide = arith::ExtFOp::create(code.builder, code.loc,
                                                     f64, body(column));
                  return {arith::AddFOp::create(code.builder, code.loc, sum[0],
                                                wide)};
                })
          .front();
  return arith::TruncFOp::create(code.builder, code.loc, code.f32Type(1), sum);
}

/// The formula of one element, in f32.
class WeightCode::Formula final : public CodeMath {
public:
  /// `at` are the loops that run, the sum's own one last inside of it.
  Formula(WeightCode &weights, block::WeightOpInterface op, ArrayRef<Value> at)
      : CodeMath(weights.code), weights(weights), op(op), at(at) {}

  Value element(unsigned operand) override {
    Values places;
    for (AffineExpr read : op.getOperandMap(operand).getResults())
      places.push_back(place(read));
    return weights.element(op->getOperand(operand), places);
  }
  Value decode(unsigned operand, ArrayRef<double> numbers) override {
    Value bits = arith::FPToSIOp::create(
        code.builder, code.loc, code.builder.getI64Type(), element(operand));
    // As unsigned bytes are.
    bits = code.remI(code.addI(bits, 256), 256);
    if (numbers.size() == 16) {
      Value isLow = code.equalI(code.remI(at[1], 2), code.index(0));
      bits = arith::SelectOp::create(code.builder, code.loc, isLow,
                                     code.remI(bits, 16), code.divI(bits, 16));
    }
    auto type = RankedTensorType::get(static_cast<int64_t>(numbers.size()),
                                      code.f32Type(1));
    SmallVector<float> narrow(numbers.begin(), numbers.end());
    Value table =
        code.table(DenseElementsAttr::get(type, ArrayRef<float>(narrow)));
    return code.loadRaw(table, code.f32Type(1), bits);
  }
  Value identity() override {
    return code.select(code.equalI(at[0], at[1]), code.f32(1), code.f32(0));
  }

private:
  Value place(AffineExpr read) {
    if (auto loop = dyn_cast<AffineDimExpr>(read))
      return at[loop.getPosition()];
    auto quotient = dyn_cast<AffineBinaryOpExpr>(read);
    if (!quotient)
      return code.index(0);
    int64_t by = cast<AffineConstantExpr>(quotient.getRHS()).getValue();
    return code.divI(place(quotient.getLHS()), by);
  }

  WeightCode &weights;
  block::WeightOpInterface op;
  ArrayRef<Value> at;
};

Value WeightCode::computed(block::WeightOpInterface op, ArrayRef<Value> at) {
  Value sum;
  if (op.hasSum())
    sum = sumColumns(countSummands(op), [&](Value column) {
      Values inside(at);
      inside.push_back(column);
      Formula formula(*this, op, inside);
      return op.buildSummand(formula);
    });
  Formula formula(*this, op, at);
  return op.buildElement(formula, sum);
}

Value WeightCode::element(Value tensor, ArrayRef<Value> at) {
  if (Value pointer = pointers.lookup(tensor))
    return load(pointer, elementType(tensor), linear(tensor, at));
  auto rounded = [&](Value element) {
    return code.round(element, elementType(tensor));
  };
  return llvm::TypeSwitch<Operation *, Value>(tensor.getDefiningOp())
      .Case([&](arith::ConstantOp op) { return constant(op, at); })
      .Case([&](tensor::ConcatOp op) { return concatenated(op, at, 0); })
      .Case([&](tensor::ExtractSliceOp op) { return sliced(op, at); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
          [&](auto op) { return reshaped(op.getSrc(), tensor, at); })
      .Case([&](linalg::TransposeOp op) {
        Values source(at);
        for (auto [dim, from] : llvm::enumerate(op.getPermutation()))
          source[from] = at[dim];
        return element(op.getInput(), source);
      })
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](auto op) { return rounded(element(op.getIn(), at)); })
      .Case([&](block::WeightOpInterface op) {
        return rounded(computed(op, at));
      });
}

void WeightCode::emitPlain() {
  ArrayRef<int64_t> shape = shapeOf(value);
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value item) {
    Values at;
    if (!shape.empty())
      at.push_back(item);
    // One loop for each further dimension.
    std::function<void()> visit = [&] {
      if (at.size() == shape.size()) {
        store(element(value, at), result, elementType(value),
              linear(value, at));
        return;
      }
      code.loop(code.index(0), code.index(shape[at.size()]), 1,
                [&](Value index) {
                  at.push_back(index);
                  visit();
                  at.pop_back();
                });
    };
    visit();
  });
}

/// The op of a row of sums.
static block::WeightOpInterface getSums(Value value) {
  auto op = value.getDefiningOp<block::WeightOpInterface>();
  return op && op.hasSum() && shapeOf(value).size() == 1 ? op : nullptr;
}

void WeightCode::emitSums(block::WeightOpInterface op) {
  if (emitTracedSums(frame, op, leaves, result))
    return;
  Type f64 = code.builder.getF64Type(), element = elementType(value);
  Value sums = frame.allocate(kSumsTogether * int64_t(sizeof(double)));
  Value zero = code.index(0), columns = code.index(countSummands(op));
  Value size = code.index(shapeOf(value).front());
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value item) {
    Value first = code.mulI(item, kSumsTogether);
    Value count =
        code.subI(code.minI(code.addI(first, kSumsTogether), size), first);
    code.loop(zero, count, 1,
              [&](Value row) { code.storeRaw(code.real(f64, 0), sums, row); });
    code.loop(zero, columns, 1, [&](Value column) {
      code.loop(zero, count, 1, [&](Value row) {
        Values at = {code.addI(first, row), column};
        Formula formula(*this, op, at);
        Value summand = arith::ExtFOp::create(code.builder, code.loc, f64,
                                              op.buildSummand(formula));
        Value sum = code.loadRaw(sums, f64, row);
        code.storeRaw(
            arith::AddFOp::create(code.builder, code.loc, sum, summand), sums,
            row);
      });
    });
    code.loop(zero, count, 1, [&](Value row) {
      Values at = {code.addI(first, row)};
      Formula formula(*this, op, at);
      Value sum =
          arith::TruncFOp::create(code.builder, code.loc, code.f32Type(1),
                                  code.loadRaw(sums, f64, row));
      store(code.round(op.buildElement(formula, sum), element), result, element,
            at.front());
    });
  });
}

void WeightCode::emitPanels(const PanelLayout &layout) {
  if (std::optional<WeightMoves> moves = findMoves(value, leaves, layout)) {
    emitMoves(frame, *moves, layout, elementType(value), result);
    return;
  }
  SmallVector<int64_t> firsts, counts;
  for (const PanelLayout::Panel &panel : layout.panels) {
    firsts.push_back(panel.first);
    counts.push_back(panel.count);
  }
  auto table = [&](ArrayRef<int64_t> numbers) {
    auto type = RankedTensorType::get(static_cast<int64_t>(numbers.size()),
                                      code.builder.getI64Type());
    return code.table(DenseElementsAttr::get(type, numbers));
  };
  Value firstTable = table(firsts), countTable = table(counts);
  int64_t together = layout.together;
  Value zero = code.index(0), columns = code.index(layout.columns);
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value panel) {
    Value first = code.loadI64(firstTable, panel);
    Value count = code.loadI64(countTable, panel);
    Value start = code.mulI(panel, layout.depth * layout.columns);
    code.loop(zero, code.index(layout.depth), 1, [&](Value k) {
      Value line =
          code.addI(start, code.addI(code.mulI(code.divI(k, together),
                                               layout.columns * together),
                                     code.remI(k, together)));
      auto put = [&](Value column, Value number) {
        store(number, result, elementType(value),
              code.addI(line, code.mulI(column, together)));
      };
      code.loop(zero, count, 1, [&](Value column) {
        put(column, element(value, {code.addI(first, column), k}));
      });
      code.loop(count, columns, 1,
                [&](Value column) { put(column, code.f32(0)); });
    });
  });
}

KernelCode cpugen::buildWeightKernel(Frame &frame, Value value,
                                     const PanelLayout *layout) {
  WeightCode weights(frame, value);
  if (layout)
    weights.emitPanels(*layout);
  else if (block::WeightOpInterface sums = getSums(value))
    weights.emitSums(sums);
  else
    weights.emitPlain();
  ArrayRef<int64_t> shape = shapeOf(value);
  int64_t items = layout          ? static_cast<int64_t>(layout->panels.size())
                  : shape.empty() ? 1
                  : getSums(value)
                      ? llvm::divideCeilSigned(shape.front(), kSumsTogether)
                      : shape.front();
  return frame.finish(items);
}
