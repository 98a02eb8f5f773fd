//===- BlockDifferentiate.cpp - pass block-differentiate ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DifferentiateFunction.h"
#include "FrozenRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/DissolveKernels.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/Differentiate/Passes.h"
#include "parablock/Transforms/KeptNorms.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKDIFFERENTIATE
#include "parablock/Transforms/Differentiate/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static bool holdsFloats(Type type) {
  auto tensor = dyn_cast_if_present<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

static StringAttr getName(func::FuncOp function, unsigned argument) {
  StringAttr name = function.getArgAttrOfType<StringAttr>(argument, kParamAttr);
  return name ? name
              : function.getArgAttrOfType<StringAttr>(argument, kInputAttr);
}

static void markKeptNorms(func::FuncOp step) {
  auto isReadBy = [](Value value, function_ref<bool(Operation *)> isOfKind) {
    return llvm::any_of(value.getUsers(), isOfKind);
  };
  step.walk([&](NormalizeOp norm) {
    if (isReadBy(norm.getResult(), llvm::IsaPred<WeightGradOp>) &&
        !isReadBy(norm.getMoment(), llvm::IsaPred<NormGradOp>))
      norm->setAttr(kKeptNormAttr, UnitAttr::get(norm.getContext()));
  });
}

/// The arguments that `wrt` names, in their order.
static FailureOr<SmallVector<unsigned>> choose(func::FuncOp function,
                                               StringRef wrt) {
  llvm::SmallSetVector<StringRef, 4> names;
  SmallVector<StringRef> parts;
  wrt.split(parts, ',');
  for (StringRef part : parts)
    names.insert(part.trim());
  bool all = names.remove("all");
  bool params = names.remove("params") || all;
  bool inputs = names.remove("inputs") || all;
  SmallVector<unsigned> chosen;
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
    StringAttr name = getName(function, i);
    bool isNamed = name && names.remove(name.getValue());
    Type type = function.getArgumentTypes()[i];
    if (isNamed && !holdsFloats(type)) {
      return function.emitError()
             << "expected wrt to name arguments of floats, got \""
             << name.getValue() << "\" of type " << type
             << ": ids, lengths and masks of integers have no gradient";
    }
    bool isParam = static_cast<bool>(function.getArgAttr(i, kParamAttr));
    if (isNamed || (name && holdsFloats(type) && (isParam ? params : inputs)))
      chosen.push_back(i);
  }
  if (!names.empty())
    return function.emitError()
           << "expected wrt to be params, inputs, all or names of arguments, "
              "got \""
           << names.front() << '"';
  if (chosen.empty())
    return function.emitError() << "expected wrt to name arguments of floats, "
                                   "got \""
                                << wrt << "\", of which there are none";
  return chosen;
}

/// Checks that a frozen row of a table is known where the table is looked
/// up.
static LogicalResult checkFrozenRows(func::FuncOp function,
                                     ArrayRef<unsigned> wrt) {
  for (unsigned i : wrt) {
    BlockArgument table = function.getArgument(i);
    std::optional<int64_t> row = findFrozenRow(table);
    if (!row || table.use_empty())
      continue;
    bool isLookedUp = llvm::any_of(
        table.getUsers(), llvm::IsaPred<EmbeddingOp, tensor::ExtractOp>);
    if (*row >= 0 && isLookedUp)
      continue;
    return function.emitError()
           << getName(function, i) << " has no gradient: "
           << (*row < 0 ? "its lookups leave out different rows"
                        : "it is looked up by way of something else, and one "
                          "of its rows is left out");
  }
  return success();
}

/// Adds an argument for the adjoint of the result `of`.
static FailureOr<Value> addAdjoint(func::FuncOp function, StringAttr of,
                                   Type type) {
  MLIRContext *context = function.getContext();
  auto name = StringAttr::get(context, "grad." + of.getValue());
  if (failed(function.insertArgument(
          function.getNumArguments(), type,
          DictionaryAttr::get(context, NamedAttribute(kInputAttr, name)),
          function.getLoc())))
    return failure();
  return Value(function.getArguments().back());
}

/// The sum over all results of floats, each times an argument that is added.
static FailureOr<SmallVector<Seed>> addAdjointArguments(func::FuncOp function) {
  SmallVector<Seed> seeds;
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
    auto type = dyn_cast<RankedTensorType>(function.getResultTypes()[i]);
    auto name = function.getResultAttrOfType<StringAttr>(i, kOutputAttr);
    if (isa<FloatType>(function.getResultTypes()[i]))
      return function.emitError()
             << "expected results that are tensors for loss=sum, got one of "
                "type "
             << function.getResultTypes()[i];
    if (!holdsFloats(type))
      continue;
    if (!name || !type.hasStaticShape())
      return function.emitError()
             << "expected results with names and static shapes for loss=sum, "
                "got "
             << (name ? name.getValue() : "one without a name") << " of type "
             << type;
    FailureOr<Value> adjoint = addAdjoint(function, name, type);
    if (failed(adjoint))
      return failure();
    seeds.push_back({i, *adjoint});
  }
  if (seeds.empty())
    return function.emitError("expected a result of floats for loss=sum");
  return seeds;
}

/// Adds an argument for each gradient of `step` by a result of `unpack`, which
/// is still @prepack.
static FailureOr<SmallVector<Seed>> addPackedAdjoints(func::FuncOp unpack,
                                                      func::FuncOp step) {
  llvm::DenseMap<StringAttr, Type> gradients;
  for (unsigned i = 0, e = step.getNumResults(); i < e; ++i)
    if (auto name = step.getResultAttrOfType<StringAttr>(i, kGradAttr))
      gradients[name] = step.getResultTypes()[i];
  SmallVector<Seed> seeds;
  for (unsigned i = 0, e = unpack.getNumResults(); i < e; ++i) {
    auto name = unpack.getResultAttrOfType<StringAttr>(i, kOutputAttr);
    Type type = name ? gradients.lookup(name) : Type();
    if (!type)
      continue;
    FailureOr<Value> adjoint = addAdjoint(unpack, name, type);
    if (failed(adjoint))
      return failure();
    seeds.push_back({i, *adjoint});
  }
  return seeds;
}

/// The one number that `loss` names.
static FailureOr<SmallVector<Seed>> seedLoss(func::FuncOp function,
                                             StringRef loss) {
  StringRef name = loss == "cross-entropy" ? "loss" : loss;
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
    auto output = function.getResultAttrOfType<StringAttr>(i, kOutputAttr);
    if (!output || output.getValue() != name)
      continue;
    auto type = dyn_cast<RankedTensorType>(function.getResultTypes()[i]);
    if (!type || type.getRank() != 0 || !type.getElementType().isF32())
      return function.emitError()
             << "expected the loss \"" << name << "\" to be a tensor<f32>, got "
             << function.getResultTypes()[i];
    OpBuilder builder(function.getBody().front().getTerminator());
    auto one = DenseElementsAttr::get(type, 1.0f);
    function->setAttr(kLossAttr, output);
    return SmallVector<Seed>{
        {i, arith::ConstantOp::create(builder, function.getLoc(), one)}};
  }
  return function.emitError()
         << "expected a result named \"" << name << "\" for loss=" << loss
         << "; loss=sum needs none";
}

/// Returns the gradients behind the results.
static LogicalResult addResults(func::FuncOp function, ArrayRef<unsigned> wrt,
                                ArrayRef<Value> gradients) {
  Operation *end = function.getBody().front().getTerminator();
  OpBuilder builder(end);
  for (auto [argument, gradient] : llvm::zip_equal(wrt, gradients)) {
    Value value = gradient;
    StringAttr name = getName(function, argument);
    auto type = cast<RankedTensorType>(function.getArgumentTypes()[argument]);
    if (function.getArgAttr(argument, kParamAttr))
      type = type.clone(builder.getF32Type());
    // The differentiated value does not depend on it.
    if (!value && !type.hasStaticShape())
      return function.emitError()
             << "expected the result to depend on " << name
             << ", whose gradient would be zeros of dynamic shape";
    if (!value)
      value = arith::ConstantOp::create(builder, function.getLoc(),
                                        builder.getZeroAttr(type));
    end->insertOperands(end->getNumOperands(), value);
    if (failed(function.insertResult(
            function.getNumResults(), value.getType(),
            builder.getDictionaryAttr(builder.getNamedAttr(kGradAttr, name)))))
      return failure();
  }
  return success();
}

namespace {
struct BlockDifferentiatePass
    : public parablock::block::impl::BlockDifferentiateBase<
          BlockDifferentiatePass> {
  using BlockDifferentiateBase::BlockDifferentiateBase;

  void runOnOperation() final {
    if (failed(addStep()))
      signalPassFailure();
  }

  LogicalResult addStep() {
    ModuleOp module = getOperation();
    func::FuncOp main = findMainFuncOp(module, functionName);
    if (!main)
      return failure();
    if (!main.getBody().hasOneBlock())
      return main.emitError() << "expected @" << main.getName()
                              << " to have one block to differentiate";
    std::string stepName = (main.getName() + kStepSuffix).str();
    if (Operation *step = module.lookupSymbol(stepName))
      return step->emitError() << "expected no @" << stepName
                               << " yet, which is what differentiation makes";
    FailureOr<SmallVector<unsigned>> chosen = choose(main, wrt);
    if (failed(chosen))
      return failure();
    func::FuncOp step = main.clone();
    step.setName(stepName);
    SymbolTable(module).insert(step, std::next(main->getIterator()));
    if (failed(fill(step, *chosen))) {
      step.erase();
      return failure();
    }
    auto prepack = module.lookupSymbol<func::FuncOp>(kPrepack);
    return prepack && !prepack.isExternal() ? addUnpack(prepack, step)
                                            : success();
  }

  /// Adds the adjoint of @prepack: gradients by stored parameters, from those
  /// by packed ones that `step` returns.
  LogicalResult addUnpack(func::FuncOp prepack, func::FuncOp step) {
    ModuleOp module = getOperation();
    if (Operation *unpack = module.lookupSymbol(kUnpackGrads))
      return unpack->emitError("expected no @unpack_grads yet, which is what "
                               "differentiation makes of @prepack");
    func::FuncOp unpack = prepack.clone();
    unpack.setName(kUnpackGrads);
    SymbolTable(module).insert(unpack, std::next(prepack->getIterator()));
    if (failed(fillUnpack(unpack, step))) {
      unpack.erase();
      step.erase();
      return failure();
    }
    return success();
  }

  static LogicalResult fillUnpack(func::FuncOp unpack, func::FuncOp step) {
    unsigned numStored = unpack.getNumArguments();
    FailureOr<SmallVector<Seed>> seeds = addPackedAdjoints(unpack, step);
    if (failed(seeds))
      return failure();
    SmallVector<unsigned> wrt;
    for (unsigned i = 0; i < numStored; ++i)
      if (holdsFloats(unpack.getArgumentTypes()[i]))
        wrt.push_back(i);
    FailureOr<SmallVector<Value>> gradients =
        differentiate(unpack, *seeds, wrt);
    if (failed(gradients))
      return failure();
    unsigned numPacked = unpack.getNumResults();
    unpack.getBody().front().getTerminator()->eraseOperands(0, numPacked);
    BitVector packed(numPacked, true);
    if (failed(unpack.eraseResults(packed)) ||
        failed(addResults(unpack, wrt, *gradients)))
      return failure();
    closeLayers(unpack);
    return success();
  }

  LogicalResult fill(func::FuncOp step, ArrayRef<unsigned> chosen) {
    dissolveKernels(step);
    OpPassManager expand(func::FuncOp::getOperationName());
    expand.addPass(createBlockExpand());
    if (failed(runPipeline(expand, step)))
      return failure();
    if (failed(checkFrozenRows(step, chosen)))
      return failure();
    FailureOr<SmallVector<Seed>> seeds =
        loss == "sum" ? addAdjointArguments(step) : seedLoss(step, loss);
    if (failed(seeds))
      return failure();
    FailureOr<SmallVector<Value>> gradients =
        differentiate(step, *seeds, chosen);
    if (failed(gradients))
      return failure();
    if (failed(addResults(step, chosen, *gradients)))
      return failure();
    markKeptNorms(step);
    closeLayers(step);
    return success();
  }
};
} // namespace
