//===- Trace.cpp - finds streams and measures them ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/Trace.h"
#include "parablock/Execution/ValueFlow.h"
#include "parablock/Support/StrictJSON.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// Traced values
//===----------------------------------------------------------------------===//

namespace {
enum class Sublayer { None, Attention, Mlp };
} // namespace

/// The sublayer an op is the heart of, at level 1 or level 2.
static Sublayer classify(mlir::Operation *op) {
  auto step = mlir::dyn_cast<block::StepOpInterface>(op);
  ModelPart part = step ? step.getPart() : ModelPart::Other;
  if (part == ModelPart::Attention)
    return Sublayer::Attention;
  return part == ModelPart::Mlp ? Sublayer::Mlp : Sublayer::None;
}

static bool isOutside(mlir::Value origin, block::LayerOp layer) {
  mlir::Operation *op = origin.getDefiningOp();
  return !op || !layer->isProperAncestor(op);
}

/// Returns the sublayer of `value`, without passing another one or a residual
/// of this layer; none for the stream, or for a mix of both.
static Sublayer findSource(mlir::Value value, block::LayerOp layer) {
  llvm::SmallPtrSet<mlir::Operation *, 16> seen;
  llvm::SmallVector<mlir::Value> pending = {value};
  Sublayer source = Sublayer::None;
  while (!pending.empty()) {
    mlir::Value origin = findOrigin(pending.pop_back_val());
    if (isOutside(origin, layer))
      continue;
    mlir::Operation *op = origin.getDefiningOp();
    if (mlir::isa<block::ResidualOp>(op) || !seen.insert(op).second)
      continue;
    Sublayer own = classify(op);
    if (own == Sublayer::None)
      llvm::append_range(pending, op->getOperands());
    else if (source == Sublayer::None || source == own)
      source = own;
    else
      return Sublayer::None;
  }
  return source;
}

/// Returns the end of a sublayer without a residual: its core op, or the
/// projection after it.
static mlir::Value findEnd(mlir::Operation *heart) {
  mlir::Value result = heart->getResult(0);
  if (!result.hasOneUse())
    return result;
  auto projection = mlir::dyn_cast<block::LinearOp>(*result.user_begin());
  if (!projection ||
      llvm::any_of(projection->getUsers(), [](mlir::Operation *user) {
        return classify(user) == Sublayer::Mlp;
      }))
    return result;
  return projection.getResult();
}

/// Returns the stream that a layer reads: the value that its residuals pass on
/// from outside, else the first hidden state from outside (there may also be
/// one of an encoder).
static mlir::Value findInput(block::LayerOp layer) {
  mlir::Value stream, hidden;
  layer.getBody().walk([&](mlir::Operation *op) {
    for (mlir::Value operand : op->getOperands()) {
      auto type = mlir::dyn_cast<mlir::RankedTensorType>(operand.getType());
      if (!type || type.getRank() != 3 ||
          !mlir::isa<mlir::FloatType>(type.getElementType()))
        continue;
      mlir::Value origin = findOrigin(operand);
      if (!isOutside(origin, layer))
        continue;
      if (!hidden)
        hidden = origin;
      if (!stream && mlir::isa<block::ResidualOp>(op))
        stream = origin;
    }
  });
  return stream ? stream : hidden;
}

void Tracer::planLayer(block::LayerOp layer) {
  LayerPlan plan;
  plan.layer = layer;
  plan.input = findInput(layer);
  auto addUpdate = [&](mlir::Value value, double scale) {
    Sublayer source = findSource(value, layer);
    if (source == Sublayer::Attention)
      plan.attention.push_back({findOrigin(value), scale});
    else if (source == Sublayer::Mlp)
      plan.mlp.push_back({findOrigin(value), scale});
  };
  mlir::Value attentionEnd, mlpEnd;
  bool hasResidual = false;
  layer.getBody().walk([&](mlir::Operation *op) {
    if (auto residual = mlir::dyn_cast<block::ResidualOp>(op)) {
      hasResidual = true;
      addUpdate(residual.getInput(),
                residual.getInputScale().convertToDouble());
      for (auto [index, branch] : llvm::enumerate(residual.getBranches()))
        addUpdate(branch, residual.getBranchScale(index));
    }
    if (classify(op) == Sublayer::Attention)
      attentionEnd = findEnd(op);
    else if (classify(op) == Sublayer::Mlp)
      mlpEnd = findEnd(op);
  });
  if (!hasResidual && attentionEnd)
    plan.attention.push_back({attentionEnd, 1.0});
  if (!hasResidual && mlpEnd)
    plan.mlp.push_back({mlpEnd, 1.0});

  if (plan.input)
    meanSquares[plan.input];
  for (const Update &update : plan.attention)
    meanSquares[update.value];
  for (const Update &update : plan.mlp)
    meanSquares[update.value];
  plans.push_back(std::move(plan));
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

static double computeMeanSquare(const Tensor &tensor) {
  double sum = 0;
  for (double value : tensor.data())
    sum += value * value;
  return tensor.data().empty() ? 0 : sum / tensor.data().size();
}

Tracer::Tracer(mlir::func::FuncOp function, ArrayRef<Tensor> arguments) {
  function.walk<mlir::WalkOrder::PreOrder>(
      [&](block::LayerOp layer) { planLayer(layer); });
  for (auto [value, tensor] :
       llvm::zip_equal(function.getArguments(), arguments)) {
    auto wanted = meanSquares.find(value);
    if (wanted != meanSquares.end())
      wanted->second = computeMeanSquare(tensor);
  }
}

void Tracer::observe(mlir::Operation *op, ArrayRef<Tensor> results) {
  for (auto [value, tensor] : llvm::zip_equal(op->getResults(), results)) {
    auto wanted = meanSquares.find(value);
    if (wanted != meanSquares.end())
      wanted->second = computeMeanSquare(tensor);
  }
}

std::optional<double> Tracer::measure(ArrayRef<Update> updates) const {
  std::optional<double> sum;
  for (const Update &update : updates)
    if (std::optional<double> square = meanSquares.lookup(update.value))
      sum = sum.value_or(0) + *square * update.scale * update.scale;
  if (sum)
    sum = std::sqrt(*sum);
  return sum;
}

std::vector<LayerTrace> Tracer::finish() const {
  std::vector<LayerTrace> layers;
  for (const LayerPlan &plan : plans) {
    LayerTrace trace;
    block::LayerOp layer = plan.layer;
    trace.label = layer.getLabel().str();
    trace.index = static_cast<int64_t>(layer.getIndex());
    if (plan.input)
      trace.input = measure(Update{plan.input, 1.0});
    trace.attention = measure(plan.attention);
    trace.mlp = measure(plan.mlp);
    layers.push_back(std::move(trace));
  }
  return layers;
}

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

void runner::printTrace(llvm::raw_ostream &os, ArrayRef<LayerTrace> layers) {
  os << llvm::format("%-5s  %-24s  %10s  %18s  %12s\n", "layer", "label", "|x|",
                     "|attention update|", "|MLP update|");
  auto print = [&](std::optional<double> value, int width) {
    std::string text = "-";
    if (value) {
      text.clear();
      llvm::raw_string_ostream(text) << llvm::format("%.4g", *value);
    }
    os << "  " << llvm::right_justify(text, width);
  };
  for (const LayerTrace &layer : layers) {
    os << llvm::format("%5lld", static_cast<long long>(layer.index)) << "  "
       << llvm::left_justify(layer.label, 24);
    print(layer.input, 10);
    print(layer.attention, 18);
    print(layer.mlp, 12);
    os << "\n";
  }
}

llvm::json::Array runner::toJSON(ArrayRef<LayerTrace> layers) {
  auto number = [](std::optional<double> value) {
    return value ? toJSONNumber(*value) : llvm::json::Value(nullptr);
  };
  llvm::json::Array result;
  for (const LayerTrace &layer : layers)
    result.push_back(llvm::json::Object{{"index", layer.index},
                                        {"label", layer.label},
                                        {"x", number(layer.input)},
                                        {"attention", number(layer.attention)},
                                        {"mlp", number(layer.mlp)}});
  return result;
}
