//===- SplitComplex.cpp - complex numbers as pairs ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rotations may be written with complex numbers. Each is split into its real
// and its imaginary part, if it begins and ends within the function.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Rewrites.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Frontends/StableHLO/StableHLO.h"
#include "llvm/ADT/DenseMap.h"
#include <complex>

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

static bool isComplex(Value value) {
  return isa<ComplexType>(getElementTypeOrSelf(value));
}

namespace {
struct Parts {
  Value real, imaginary;
  explicit operator bool() const { return real && imaginary; }
};

class Splitter {
public:
  explicit Splitter(MLIRContext *context) : builder(context) {}
  /// Returns false if there is no rule for the op.
  bool split(Operation *op);

private:
  Value make(StringRef name, ValueRange operands, Type type,
             ArrayRef<NamedAttribute> attributes = {}) {
    OperationState state(builder.getInsertionPoint()->getLoc(), name, operands,
                         type, attributes);
    return builder.create(state)->getResult(0);
  }
  Value combine(StringRef name, Value a, Value b) {
    return make(name, {a, b}, a.getType());
  }
  Parts compute(Operation *op);
  Parts splitConstant(Operation *op);
  Parts move(Operation *op);
  Type getPartType(Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return tensor.clone(
        cast<ComplexType>(tensor.getElementType()).getElementType());
  }

  llvm::DenseMap<Value, Parts> parts;
  OpBuilder builder;
};
} // namespace

Parts Splitter::splitConstant(Operation *op) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(Conversion(op).get("value"));
  if (!dense)
    return {};
  SmallVector<APFloat> real, imaginary;
  for (std::complex<APFloat> number :
       dense.getValues<std::complex<APFloat>>()) {
    real.push_back(number.real());
    imaginary.push_back(number.imag());
  }
  auto type = cast<RankedTensorType>(getPartType(op->getResult(0).getType()));
  auto makePart = [&](ArrayRef<APFloat> numbers) {
    return make(
        op->getName().getStringRef(), {}, type,
        builder.getNamedAttr("value", DenseElementsAttr::get(type, numbers)));
  };
  return {makePart(real), makePart(imaginary)};
}

/// An op that moves elements moves both parts in the same way.
Parts Splitter::move(Operation *op) {
  SmallVector<NamedAttribute> attributes(op->getAttrs());
  if (auto properties =
          dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    llvm::append_range(attributes, properties.getValue());
  auto makePart = [&](bool isReal) -> Value {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      const Parts &own = parts[operand];
      operands.push_back(!isComplex(operand) ? operand
                         : isReal            ? own.real
                                             : own.imaginary);
    }
    return make(op->getName().getStringRef(), operands,
                getPartType(op->getResult(0).getType()), attributes);
  };
  return {makePart(true), makePart(false)};
}

Parts Splitter::compute(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (name == "constant")
    return splitConstant(op);
  if (name == "complex" && op->getNumOperands() == 2)
    return {op->getOperand(0), op->getOperand(1)};
  SmallVector<Parts> x;
  for (Value operand : op->getOperands())
    if (isComplex(operand))
      x.push_back(parts.lookup(operand));
  if (x.empty() || !llvm::all_of(x, [](const Parts &p) { return bool(p); }))
    return {};
  auto negate = [&](Value value) {
    return make("stablehlo.negate", value, value.getType());
  };
  if (llvm::is_contained({"broadcast_in_dim", "reshape", "transpose", "slice",
                          "concatenate", "select", "dynamic_slice",
                          "dynamic_broadcast_in_dim", "dynamic_reshape",
                          "optimization_barrier"},
                         name))
    return move(op);
  if (name == "conj")
    return {x[0].real, negate(x[0].imaginary)};
  if (name == "negate")
    return {negate(x[0].real), negate(x[0].imaginary)};
  if (name == "exponential") {
    Type type = x[0].real.getType();
    Value length = make("stablehlo.exponential", x[0].real, type);
    Value cosine = make("stablehlo.cosine", x[0].imaginary, type);
    Value sine = make("stablehlo.sine", x[0].imaginary, type);
    return {combine("stablehlo.multiply", length, cosine),
            combine("stablehlo.multiply", length, sine)};
  }
  if (x.size() != 2)
    return {};
  auto [a, b] = x[0];
  auto [c, d] = x[1];
  if (name == "add" || name == "subtract") {
    StringRef full = op->getName().getStringRef();
    return {combine(full, a, c), combine(full, b, d)};
  }
  if (name != "multiply")
    return {};
  auto product = [&](Value left, Value right) {
    return combine("stablehlo.multiply", left, right);
  };
  return {combine("stablehlo.subtract", product(a, c), product(b, d)),
          combine("stablehlo.add", product(a, d), product(b, c))};
}

bool Splitter::split(Operation *op) {
  builder.setInsertionPoint(op);
  if (op->getNumResults() != 1)
    return false;
  StringRef name = op->getName().stripDialect();
  if (!isComplex(op->getResult(0))) {
    Parts own =
        op->getNumOperands() == 1 ? parts.lookup(op->getOperand(0)) : Parts();
    if (!own || (name != "real" && name != "imag"))
      return false;
    op->getResult(0).replaceAllUsesWith(name == "real" ? own.real
                                                       : own.imaginary);
    return true;
  }
  return static_cast<bool>(parts[op->getResult(0)] = compute(op));
}

/// Ops with complex numbers, in order.
static SmallVector<Operation *> findComplex(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (llvm::any_of(op->getOperands(), isComplex) ||
        llvm::any_of(op->getResults(), isComplex))
      ops.push_back(op);
  });
  return ops;
}

LogicalResult hlo::splitComplex(ModuleOp module) {
  if (findComplex(module).empty())
    return success();
  // Only functions pass them on.
  inlineCalls(module);
  SmallVector<Operation *> ops = findComplex(module);
  Splitter splitter(module.getContext());
  for (Operation *op : ops)
    if (!isStablehlo(op) || !splitter.split(op))
      return op->emitError()
             << "'" << op->getName()
             << "' of complex numbers has no counterpart that is read here";
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  return success();
}
