//===- RewriteVerifier.cpp - runs functions around passes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/RewriteVerifier.h"

#include "ShrinkFunction.h"
#include "mlir/Pass/Pass.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Execution/CacheLimits.h"
#include "parablock/Execution/ModuleLoading.h"
#include "parablock/Judges/Compare/Original.h"
#include "parablock/Judges/Compare/Prepack.h"
#include "parablock/Judges/Compare/ReferenceEngine.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::runner;

namespace {
constexpr int64_t kBatch = 2, kSequence = 9;
constexpr uint64_t kSeed = 20260101;

/// A run: its function, the outputs, and the stream after each layer.
struct Run {
  Signature signature;
  std::vector<Tensor> arguments, outputs;
  std::vector<std::pair<std::string, Tensor>> layers;
  std::optional<OutputRows> rows;
};
} // namespace

/// Sets the size of pools to a page for each entry of their table.
static void choosePools(const Signature &signature, DimSizes &sizes) {
  std::optional<CacheLimits> caches = collectCacheLimits(signature);
  if (!caches)
    return;
  for (const TableLimit &table : caches->tables) {
    ArrayRef<int64_t> shape = signature.arguments[table.argument].shape;
    auto choose = [&](unsigned dim, int64_t size) {
      return ShapedType::isDynamic(shape[dim]) ? size : shape[dim];
    };
    for (const InputSize &pages : table.pages)
      for (auto &[name, size] : sizes)
        if (pages.argument &&
            signature.arguments[*pages.argument].dims[pages.dim] == name)
          size = choose(0, kBatch) * choose(1, kSequence);
  }
}

/// Returns the names of verified functions: models, and their steps with
/// gradients.
static std::vector<std::string> listVerified(ModuleOp module) {
  std::vector<std::string> names;
  for (FunctionOpInterface model : listModelFunctions(module))
    if (isa<func::FuncOp>(model.getOperation()))
      names.push_back(model.getName().str());
  for (auto function : module.getOps<func::FuncOp>())
    if (isStepFunction(function) &&
        !llvm::is_contained(names, function.getName()))
      names.push_back(function.getName().str());
  return names;
}

/// The names of all dynamic sizes, given a small one.
static DimSizes chooseSizes(const Signature &signature) {
  DimSizes sizes;
  auto add = [&](StringRef name, int64_t size) {
    if (llvm::none_of(sizes, [&](auto &known) { return known.first == name; }))
      sizes.emplace_back(name.str(), size);
  };
  for (const Argument &argument : signature.arguments)
    for (auto [d, name] : llvm::enumerate(argument.dims))
      if (!name.empty())
        add(argument.hasNamedDims ? StringRef(name)
                                  : StringRef("d" + std::to_string(d)),
            name == "batch" || d == 0 ? kBatch : kSequence);
  choosePools(signature, sizes);
  return sizes;
}

/// Binds function `name` of `module`, whose values then come from `supply`.
static llvm::Expected<BoundFunction> bind(ModuleOp module, StringRef name,
                                          ArgumentSupply &supply) {
  llvm::Expected<func::FuncOp> function =
      findFunction(module, name, "the module");
  if (!function)
    return function.takeError();
  return supply.bind(*function);
}

static llvm::Expected<Run> execute(const BoundFunction &function,
                                   ArgumentSupply &supply) {
  std::unique_ptr<Engine> engine = createReferenceEngine();
  if (llvm::Error error = providePackedParameters(function, /*weights=*/nullptr,
                                                  /*exactArithmetic=*/true,
                                                  *engine, /*rank=*/0, supply))
    return error;
  llvm::Expected<std::vector<Tensor>> arguments = supply.provide(function);
  if (!arguments)
    return arguments.takeError();
  Run run;
  RunOptions options;
  options.exactArithmetic = true;
  options.observer = [&](Operation *op, ArrayRef<Tensor> results) {
    if (auto layer = dyn_cast<block::LayerOp>(op); layer && !results.empty())
      run.layers.emplace_back(layer.getLabel(), results.front());
  };
  llvm::Expected<RunResult> result =
      engine->run(function.signature.function, *arguments, options);
  if (!result)
    return result.takeError();
  run.outputs = std::move(result->outputs);
  run.signature = function.signature;
  run.rows.emplace(function, *arguments, supply.facts());
  run.arguments = std::move(*arguments);
  return run;
}

static double measure(const Tensor &got, const Tensor &want,
                      const CompareOptions &options) {
  if (got.shape != want.shape)
    return std::numeric_limits<double>::infinity();
  ErrorMetrics metrics = compare(got.data(), want.data(), options);
  return metrics.numDifferentNonFinite ? std::numeric_limits<double>::infinity()
                                       : metrics.relL2;
}

/// Returns the error of result `index`. For a gradient that is 0 up to
/// rounding, it is relative to the summands, which `original`
/// computes.
static llvm::Expected<double> measureResult(const Run &got, const Run &want,
                                            size_t index,
                                            std::optional<Original> &original) {
  const Port &port = want.signature.results[index];
  CompareOptions options = want.rows->getOptions(port);
  double error = measure(got.outputs[index], want.outputs[index], options);
  if (error <= exactLimit || !port.isGradient)
    return error;
  if (!original) {
    llvm::Expected<Original> run =
        Original::run(want.signature, want.arguments);
    if (!run)
      return run.takeError();
    original = std::move(*run);
  }
  options.leastNorm = original->measureFloor(port, *want.rows).leastNorm;
  return measure(got.outputs[index], want.outputs[index], options);
}

/// The label of the first layer behind which the streams differ.
static std::string findFirstDifference(const Run &got, const Run &want) {
  Port stream;
  stream.name = "stream";
  for (auto &[label, tensor] : want.layers)
    for (auto &[gotLabel, gotTensor] : got.layers) {
      if (gotLabel != label)
        continue;
      stream.shape.assign(tensor.shape.begin(), tensor.shape.end());
      if (measure(gotTensor, tensor, want.rows->getOptions(stream)) >
          exactLimit)
        return label;
    }
  return "";
}

Equality runner::verifySameFunction(ModuleOp before, ModuleOp after,
                                    StringRef pass, StringRef function) {
  auto fail = [&](llvm::Error error) {
    std::string text = llvm::toString(std::move(error));
    after.emitError() << "cannot verify " << pass << ": " << text;
    return Equality::Unknown;
  };
  llvm::Expected<func::FuncOp> original =
      findFunction(before, function, "the module");
  if (!original)
    return fail(original.takeError());
  llvm::Expected<Signature> signature = readSignature(*original);
  if (!signature)
    return fail(signature.takeError());
  ArgumentSupply supply(nullptr, nullptr, chooseSizes(*signature), kSeed);
  // Both are bound before either runs: facts about an input from one apply to
  // the other.
  llvm::Expected<BoundFunction> old = bind(before, function, supply);
  if (!old)
    return fail(old.takeError());
  llvm::Expected<BoundFunction> now = bind(after, function, supply);
  if (!now)
    return fail(now.takeError());
  llvm::Expected<Run> want = execute(*old, supply);
  if (!want)
    return fail(want.takeError());
  llvm::Expected<Run> got = execute(*now, supply);
  if (!got)
    return fail(got.takeError());
  if (got->outputs.size() != want->outputs.size()) {
    after.emitError() << pass << " changed the number of results of @"
                      << (*original).getName() << " from "
                      << want->outputs.size() << " to " << got->outputs.size();
    return Equality::Different;
  }
  std::optional<Original> roundings;
  for (size_t i = 0; i < want->outputs.size(); ++i) {
    llvm::Expected<double> error = measureResult(*got, *want, i, roundings);
    if (!error)
      return fail(error.takeError());
    if (*error <= exactLimit)
      continue;
    std::string layer = findFirstDifference(*got, *want);
    after.emitError() << pass << " changed the function @"
                      << (*original).getName() << ": result '"
                      << want->signature.results[i].name << "' differs by "
                      << *error << " (relative L2, limit " << exactLimit << ")"
                      << (layer.empty()
                              ? ""
                              : ", first behind layer '" + layer + "'");
    return Equality::Different;
  }
  return Equality::Same;
}

//===----------------------------------------------------------------------===//
// Instrumentation
//===----------------------------------------------------------------------===//

RewriteVerifier::RewriteVerifier(std::shared_ptr<VerificationResult> result,
                                 ArrayRef<StringRef> exactPasses)
    : result(std::move(result)) {
  for (StringRef pass : exactPasses)
    this->exactPasses.insert(pass);
}

/// Returns a separate module with a copy of `op`; null for ops that are neither
/// module nor function.
static OwningOpRef<ModuleOp> copyModule(Operation *op) {
  OwningOpRef<ModuleOp> copy;
  if (auto module = dyn_cast<ModuleOp>(op)) {
    copy = module.clone();
  } else if (auto function = dyn_cast<func::FuncOp>(op)) {
    copy = ModuleOp::create(op->getLoc());
    copy->push_back(function.clone());
  }
  return copy;
}

/// A copy on few rows; null where its sizes are not free.
static OwningOpRef<ModuleOp> copyShrunken(ModuleOp module, StringRef name) {
  OwningOpRef<ModuleOp> copy = module.clone();
  auto function = copy->lookupSymbol<func::FuncOp>(name);
  if (!function)
    return nullptr;
  return shrinkRows(function, kBatch, kSequence) ? std::move(copy) : nullptr;
}

void RewriteVerifier::runBeforePass(Pass *pass, Operation *op) {
  if (!exactPasses.contains(pass->getArgument()))
    return;
  OwningOpRef<ModuleOp> copy = copyModule(op);
  // Functions derived from a model, such as @prepack, are verified with the
  // model.
  if (isa<func::FuncOp>(op) && listVerified(*copy).empty())
    return;
  if (!copy || listVerified(*copy).empty()) {
    op->emitError() << "cannot verify " << pass->getArgument()
                    << ": expected a function with a body, got none";
    result->failed = true;
    return;
  }
  std::lock_guard<std::mutex> lock(mutex);
  before[op] = std::move(copy);
}

void RewriteVerifier::runAfterPass(Pass *pass, Operation *op) {
  OwningOpRef<ModuleOp> original;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = before.find(op);
    if (found == before.end() || !exactPasses.contains(pass->getArgument()))
      return;
    original = std::move(found->second);
    before.erase(found);
  }
  OwningOpRef<ModuleOp> now = copyModule(op);
  for (const std::string &name : listVerified(*original)) {
    OwningOpRef<ModuleOp> smallOriginal, smallNow;
    // The sizes of a step are also those of its gradients, which are fixed.
    if (!isStepFunction(original->lookupSymbol<func::FuncOp>(name))) {
      smallOriginal = copyShrunken(*original, name);
      smallNow = copyShrunken(*now, name);
    }
    bool isSmall = smallOriginal && smallNow;
    Equality equality = verifySameFunction(isSmall ? *smallOriginal : *original,
                                           isSmall ? *smallNow : *now,
                                           pass->getArgument(), name);
    result->differs = result->differs || equality == Equality::Different;
    result->failed = result->failed || equality == Equality::Unknown;
  }
  ++result->verified;
}

void RewriteVerifier::runAfterPassFailed(Pass *, Operation *op) {
  std::lock_guard<std::mutex> lock(mutex);
  before.erase(op);
}
