//===- StepFunction.cpp - reads outlines and builds losses ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StepFunction.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// The outline
//===----------------------------------------------------------------------===//

static std::string describe(const Port &port) {
  return getElementTypeKeyword(port.type).str() + " " + formatDims(port.shape);
}

/// Returns true unless the static sizes differ.
static bool canHaveShape(const Port &port, const Port &other) {
  return port.shape.size() == other.shape.size() &&
         llvm::all_of(llvm::zip_equal(port.shape, other.shape), [](auto pair) {
           auto [size, otherSize] = pair;
           return size == otherSize || mlir::ShapedType::isDynamic(size) ||
                  mlir::ShapedType::isDynamic(otherSize);
         });
}

namespace {
class OutlineReader {
public:
  explicit OutlineReader(const Signature &signature)
      : signature(signature), function(signature.function) {}

  Expected<StepOutline> read() {
    for (unsigned i = 0; i < signature.results.size(); ++i)
      if (mlir::StringAttr name = getGradientName(i))
        if (Error error = addGradient(i, name))
          return error;
    if (outline.gradients.empty())
      return fail("expected a result with block.grad, got none");
    auto loss = function->getAttrOfType<mlir::StringAttr>(block::kLossAttr);
    if (Error error = loss ? addLoss(loss) : addOutputs())
      return error;
    return std::move(outline);
  }

private:
  Error fail(const Twine &message) {
    return llvm::createStringError("function '" + function.getName() +
                                   "': " + message);
  }

  mlir::StringAttr getGradientName(unsigned result) {
    return function.getResultAttrOfType<mlir::StringAttr>(result,
                                                          block::kGradAttr);
  }

  Error addGradient(unsigned result, StringRef name) {
    const Argument *argument = signature.lookupArgument(name);
    if (!argument)
      return fail("expected block.grad to name an argument, got '" + name +
                  "'");
    const Port &gradient = signature.results[result];
    if (!isFloatType(argument->type))
      return fail("expected a gradient by floats, got one by '" + name +
                  "', which is " + describe(*argument));
    if (!isFloatType(gradient.type) || !canHaveShape(gradient, *argument))
      return fail("expected the gradient by '" + name +
                  "' to be floats of shape " + formatDims(argument->shape) +
                  ", got " + describe(gradient));
    if (!names.insert(name).second)
      return fail("expected one gradient by '" + name + "', got two");
    outline.gradients.push_back({result, indexOf(*argument)});
    return Error::success();
  }

  unsigned indexOf(const Argument &argument) const {
    return &argument - signature.arguments.data();
  }

  Error addLoss(StringRef name) {
    for (auto [index, port] : llvm::enumerate(signature.results)) {
      if (getGradientName(index) || port.name != name)
        continue;
      bool isOne =
          llvm::all_of(port.shape, [](int64_t size) { return size == 1; });
      if (!isFloatType(port.type) || !isOne)
        return fail("expected the loss '" + name + "' to be one float, got " +
                    describe(port));
      outline.loss.push_back({static_cast<unsigned>(index), std::nullopt});
      return Error::success();
    }
    return fail("expected block.loss to name a result that is no gradient, "
                "got '" +
                name + "'");
  }

  Error addOutputs() {
    for (auto [index, port] : llvm::enumerate(signature.results)) {
      if (getGradientName(index) || !isFloatType(port.type))
        continue;
      std::string name = "grad." + port.name;
      const Argument *factor = signature.lookupArgument(name);
      if (!factor)
        return fail("expected an argument '" + name + "' for the output '" +
                    port.name + "', or block.loss, got neither");
      if (!isFloatType(factor->type) || !canHaveShape(*factor, port))
        return fail("expected '" + name + "' to be floats of shape " +
                    formatDims(port.shape) + ", got " + describe(*factor));
      outline.loss.push_back({static_cast<unsigned>(index), indexOf(*factor)});
    }
    if (outline.loss.empty())
      return fail("expected a result to differentiate, got gradients and "
                  "integers alone");
    return Error::success();
  }

  const Signature &signature;
  mlir::func::FuncOp function;
  llvm::StringSet<> names;
  StepOutline outline;
};
} // namespace

Expected<StepOutline> runner::readStep(const Signature &signature) {
  return OutlineReader(signature).read();
}

//===----------------------------------------------------------------------===//
// The loss alone
//===----------------------------------------------------------------------===//

/// Erases ops that do not contribute to `function`'s results.
static void eraseUnused(mlir::func::FuncOp function) {
  llvm::SmallVector<mlir::Operation *> ops;
  function.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op != function)
      ops.push_back(op);
  });
  // Users come after their operands, and are erased first; ops in a region
  // before their parent.
  for (mlir::Operation *op : llvm::reverse(ops))
    if (mlir::isOpTriviallyDead(op))
      op->erase();
}

LossFunction::LossFunction(mlir::func::FuncOp whole,
                           llvm::ArrayRef<LossTerm> terms)
    : function(whole.clone()) {
  mlir::Operation *terminator = function.getBody().back().getTerminator();
  llvm::BitVector erased(whole.getNumResults(), true);
  llvm::SmallVector<mlir::Value> returned;
  for (const LossTerm &term : terms) {
    erased.reset(term.result);
    returned.push_back(terminator->getOperand(term.result));
  }
  terminator->setOperands(returned);
  function->removeAttr(block::kLossAttr);
  (void)function.eraseResults(erased);
  eraseUnused(function);
  mlir::SymbolTable(whole->getParentOp()).insert(function);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static bool isBlock(mlir::Operation *op) {
  return mlir::isa_and_nonnull<block::BlockDialect>(op->getDialect());
}

/// Returns true for casts and rearrangements of one tensor, by ops outside the
/// block dialect.
static bool isMove(mlir::Operation *op) {
  if (mlir::isa<mlir::linalg::TransposeOp, mlir::linalg::BroadcastOp>(op))
    return true;
  return !isBlock(op) && op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         llvm::count_if(op->getOperandTypes(),
                        llvm::IsaPred<mlir::TensorType>) == 1;
}

static StringRef getLayer(mlir::Operation *op) {
  auto layer = op->getParentOfType<block::LayerOp>();
  return layer ? layer.getLabel() : StringRef();
}

Readers runner::findReaders(mlir::func::FuncOp function, unsigned argument) {
  llvm::SmallPtrSet<mlir::Operation *, 8> readers;
  llvm::SmallVector<mlir::Value> pending = {function.getArgument(argument)};
  while (!pending.empty())
    for (mlir::OpOperand &use : pending.pop_back_val().getUses()) {
      mlir::Operation *op = use.getOwner();
      if (auto kernel = mlir::dyn_cast<block::KernelOp>(op))
        pending.push_back(kernel.getBody().getArgument(use.getOperandNumber()));
      else if (isMove(op))
        pending.push_back(op->getResult(0));
      else
        readers.insert(op);
    }
  Readers found;
  size_t place = 0;
  function.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    ++place;
    if (!readers.contains(op))
      return;
    if (found.names.empty()) {
      found.place = place;
      found.layer = getLayer(op).str();
    }
    std::string name = op->getName().getStringRef().str();
    if (!llvm::is_contained(found.names, name))
      found.names.push_back(std::move(name));
  });
  return found;
}

std::string runner::describeMaker(mlir::func::FuncOp function, unsigned index) {
  mlir::Value value =
      function.getBody().back().getTerminator()->getOperand(index);
  mlir::Operation *op = value.getDefiningOp();
  while (mlir::isa_and_nonnull<block::LayerOp, block::KernelOp>(op)) {
    unsigned number = mlir::cast<mlir::OpResult>(value).getResultNumber();
    value = op->getRegion(0).front().getTerminator()->getOperand(number);
    op = value.getDefiningOp();
  }
  if (!op)
    return "an argument";
  std::string text = op->getName().getStringRef().str();
  if (auto layer = op->getParentOfType<block::LayerOp>())
    text += (layer.getBackward() ? " in backward layer '" : " in layer '") +
            layer.getLabel().str() + "'";
  if (auto place = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
    text += " on line " + llvm::utostr(place.getLine());
  return text;
}
