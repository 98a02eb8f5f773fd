//===- MachineReport.cpp - matches kernels with machine code --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MachineReport.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/ExpertLaunches.h"
#include "parablock/Analysis/GemmPlan.h"
#include "parablock/Analysis/GradientLaunches.h"
#include "parablock/Analysis/KernelCache.h"
#include "parablock/Analysis/ProductTiles.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Dialect/Block/SinkCodes.h"
#include "parablock/Support/StrictJSON.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace parablock;
using llvm::formatv;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The elements of a value; open sizes are batch and sequence.
static double countElements(Value value, const CountedSizes &sizes) {
  double elements = 1;
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  for (auto [dim, size] : llvm::enumerate(shape))
    elements *= double(!ShapedType::isDynamic(size) ? size
                       : dim == 0                   ? sizes.batch
                                                    : sizes.sequence);
  return elements;
}

static double countBytes(Value value, const CountedSizes &sizes) {
  return countElements(value, sizes) *
         cast<RankedTensorType>(value.getType()).getElementTypeBitWidth() / 8;
}

/// None for kernels without one product on 16-bit operands.
static std::optional<machine::ProductSize>
findProduct(block::KernelOp kernel, const CountedSizes &sizes) {
  // A kernel that the plan refuses has no code, and was reported by the plan.
  ScopedDiagnosticHandler silent(kernel.getContext(),
                                 [](Diagnostic &) { return success(); });
  FailureOr<GemmPlan> plan = planGemm(kernel, CodeOrder::Lanes);
  if (failed(plan) || plan->elementType.getIntOrFloatBitWidth() != 16)
    return std::nullopt;
  machine::ProductSize size;
  for (const GemmSource &source : plan->sources) {
    size.depth += source.depth;
    Value input = plan->computed ? plan->getRows() : Value(source.input);
    size.bytes += countBytes(input, sizes) + countBytes(source.weight, sizes);
    if (source.unpack)
      size.bytes +=
          countBytes(block::UnpackWeightOp(source.unpack).getScales(), sizes);
  }
  Value root = plan->root->getResult(0);
  size.columns = block::getDim(root, -1);
  size.rows = int64_t(countElements(root, sizes)) / size.columns;
  double stored = 0;
  for (Value result : kernel.getResults())
    stored += countBytes(result, sizes);
  size.bytes += stored;
  size.storedBytes = stored / double(size.rows) / double(size.columns);
  return size;
}

namespace {
/// The products of kernels, by the names of their code; none without one.
using NamedProducts =
    std::map<std::string, std::optional<machine::ProductSize>>;
} // namespace

/// Counts a stack of experts' matrices, or its codes.
static double countStackBytes(Value stack, const CountedSizes &sizes) {
  block::UnpackWeightOp unpack = block::findLaneStack(stack);
  if (!unpack)
    return countBytes(stack, sizes);
  double bytes = 0;
  for (Value operand : unpack->getOperands())
    bytes += countBytes(operand, sizes);
  return bytes;
}

/// Adds the kernels of experts with the sizes of both products.
static void addExperts(block::ExpertsOp op, const std::string &name,
                       const CountedSizes &sizes, NamedProducts &kernels) {
  for (StringRef suffix : {"_count", "_place", "_gather", "_sum"})
    kernels[name + suffix.str()] = std::nullopt;
  bool isWide =
      getElementTypeOrSelf(op.getInput()).getIntOrFloatBitWidth() > 16;
  auto add = [&](StringRef suffix, Value stack, int64_t width,
                 double storedBytes) {
    machine::ProductSize size;
    auto rows = static_cast<int64_t>(countElements(op.getIndices(), sizes));
    size.rows = rows;
    size.columns = block::getDim(stack, 1);
    size.depth = block::getDim(stack, 2);
    double stored = storedBytes * double(rows) * double(width);
    size.bytes = countStackBytes(stack, sizes) +
                 2 * double(rows) * double(size.depth) + stored;
    size.storedBytes = stored / double(rows) / double(size.columns);
    kernels[name + suffix.str()] = isWide ? std::nullopt : std::optional(size);
  };
  int64_t hidden = block::getDim(op.getDownWeight(), 2);
  add("_up", op.getUpWeight(), hidden, 2);
  add("_down", op.getDownWeight(), block::getDim(op.getDownWeight(), 1), 4);
}

/// Returns the names of gradients that are launches, which the names of their
/// kernels begin with. True for gradients of attention.
static std::map<std::string, bool> nameGradients(FunctionOpInterface function) {
  std::map<std::string, bool> gradients;
  SmallVector<Operation *> known;
  KernelNames names;
  function->walk([&](Operation *op) {
    if (!isGradientLaunch(op) || llvm::any_of(known, [&](Operation *other) {
          return isSameMove(other, op);
        }))
      return;
    known.push_back(op);
    gradients[names.make(op->getName().stripDialect())] =
        isa<block::SdpaGradOp>(op);
  });
  return gradients;
}

/// The kernels of `original` by the names of their code.
static NamedProducts nameKernels(FunctionOpInterface original,
                                 const CountedSizes &sizes) {
  // Many rows of a head have kernels of their own.
  OwningOpRef<Operation *> copy = original->clone();
  block::separateRows(*copy, mostFewRows);
  auto function = cast<FunctionOpInterface>(*copy);
  NamedProducts kernels;
  KernelCache<bool> cache;
  KernelNames names;
  function->walk([&](block::KernelOp kernel) {
    if (findGatheringExperts(kernel))
      return;
    (void)cache.lookupOrBuild(kernel, [&](block::KernelOp own) {
      kernels[names.make(stringifyKernelKind(own.getKind()))] =
          findProduct(own, sizes);
      return true;
    });
  });
  SmallVector<Operation *> others;
  function->walk([&](Operation *op) {
    auto isLike = [&](Operation *known) {
      auto experts = dyn_cast<block::ExpertsOp>(op);
      auto other = dyn_cast<block::ExpertsOp>(known);
      return experts && other ? isSameExperts(other, experts)
                              : isSameMove(known, op);
    };
    if (!(isMove(op) || isa<block::ExpertsOp>(op)) ||
        llvm::any_of(others, isLike))
      return;
    others.push_back(op);
    std::string name = names.make(op->getName().stripDialect());
    if (auto experts = dyn_cast<block::ExpertsOp>(op))
      addExperts(experts, name, sizes, kernels);
    else
      kernels[name] = std::nullopt;
  });
  return kernels;
}

llvm::Expected<std::vector<MachineKernel>>
parablock::reportMachineCode(FunctionOpInterface function, StringRef path,
                             const CountedSizes &sizes, const Chip &chip) {
  if (!chip.isDevice())
    return llvm::createStringError("machine code is reported of chips with "
                                   "device code, got chip '" +
                                   chip.name + "'");
  llvm::Expected<std::string> text = machine::readMachineCode(path);
  if (!text)
    return text.takeError();
  auto listed = machine::readListing(*text);
  if (!listed)
    return llvm::createStringError("'" + path +
                                   "': " + llvm::toString(listed.takeError()));
  NamedProducts ofFunction = nameKernels(function, sizes);
  std::map<std::string, bool> gradients = nameGradients(function);
  std::vector<MachineKernel> kernels;
  for (machine::Kernel &code : *listed) {
    StringRef name = code.name;
    bool isForFew = name.consume_back(KernelNames::fewSuffix);
    auto own = ofFunction.find(name.str());
    // Kernels of ops that are no blocks are formed later than the others.
    if (own == ofFunction.end() &&
        name.starts_with(stringifyKernelKind(block::KernelKind::Elements)))
      own = ofFunction.try_emplace(name.str()).first;
    bool isGradient = false;
    for (const auto &[gradient, isAttention] : gradients)
      if (StringRef rest = name; rest.consume_front(gradient) &&
                                 (rest.empty() || rest.starts_with("_"))) {
        own = ofFunction.try_emplace(name.str()).first;
        isGradient = isAttention;
      }
    if (own == ofFunction.end())
      return llvm::createStringError(
          "'" + path + "': kernel '" + code.name +
          "' is none of the function's: expected the machine code of its " +
          Twine(ofFunction.size() + gradients.size()) + " kernels");
    MachineKernel kernel{std::move(code), {}, {}, {}, {}};
    kernel.loops = kernel.code.findLoops();
    auto model =
        machine::modelKernel(kernel.code, kernel.loops, chip, isGradient);
    if (!model)
      return llvm::createStringError("'" + path +
                                     "': " + llvm::toString(model.takeError()));
    kernel.model = std::move(*model);
    // A kernel for few rows does not match the assumed sizes.
    if (!isForFew)
      kernel.product = own->second;
    kernel.prediction =
        kernel.product
            ? machine::predictProduct(kernel.model, *kernel.product, chip)
            : machine::predictMainLoop(kernel.model);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Returns `23 to 41 %`, or one number if both are equal.
static std::string describeShare(const machine::Prediction &prediction) {
  auto percent = [](double share) {
    return formatv("{0:f1}", 100 * share).str();
  };
  std::string least = percent(prediction.least);
  std::string most = percent(prediction.most);
  return least == most ? most + " %" : least + " to " + most + " %";
}

static void writeMain(raw_ostream &os, const machine::MainLoop &main) {
  os << "  main loop:";
  StringRef comma = " ";
  for (const auto &[shape, count] : main.products) {
    os << comma << count << " x " << shape;
    comma = ", ";
  }
  os << " and " << main.others << " others; cycles of ";
  if (main.depth)
    os << main.depth << " of depth: ";
  else
    os << "a round: ";
  const machine::UnitCycles &cycles = main.cycles;
  os << formatv("tensor cores {0:f0}, shared memory {1:f0}, issue {2:f0}, "
                "special functions {3:f0}, simple arithmetic {4:f0}\n",
                cycles.tensor, cycles.shared, cycles.issue, cycles.special,
                cycles.simple);
}

void parablock::writeMachineText(raw_ostream &os,
                                 ArrayRef<MachineKernel> kernels) {
  os << "machine code: a prediction from counts of instructions, nothing was "
        "run\n";
  for (const MachineKernel &kernel : kernels) {
    os << kernel.code.name << ": " << kernel.code.instructions.size()
       << " instructions, " << kernel.model.warps << " warps\n";
    if (kernel.model.main)
      writeMain(os, *kernel.model.main);
    for (const machine::RowLoop &rows : kernel.model.rows)
      os << formatv("  rows: {0} instructions for {1} bytes of a warp\n",
                    rows.instructions, rows.storedBytes);
    if (kernel.prediction)
      os << "  prediction: at most " << describeShare(*kernel.prediction)
         << " of the peak of the tensor cores"
         << (kernel.product ? "" : " in the main loop")
         << ", limit: " << kernel.prediction->limit << "\n";
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Object describeCycles(const machine::UnitCycles &cycles) {
  return json::Object{{"tensor", toJSONNumber(cycles.tensor)},
                      {"shared", toJSONNumber(cycles.shared)},
                      {"issue", toJSONNumber(cycles.issue)},
                      {"special", toJSONNumber(cycles.special)},
                      {"simple", toJSONNumber(cycles.simple)}};
}

static json::Object describeProducts(const machine::MainLoop &loop) {
  json::Object products;
  for (const auto &[shape, count] : loop.products)
    products[shape] = count;
  return products;
}

static json::Value describeMain(const MachineKernel &kernel) {
  if (!kernel.model.main)
    return nullptr;
  const machine::MainLoop &main = *kernel.model.main;
  const machine::Loop &loop = *machine::findMainLoop(kernel.loops);
  int64_t exponentials =
      llvm::count_if(loop.instructions, [](const machine::Instruction *i) {
        return i->isExponential();
      });
  return json::Object{{"products", describeProducts(main)},
                      {"others", int64_t(main.others)},
                      {"depth", main.depth},
                      {"tile", json::Array{main.rows, main.columns}},
                      {"cycles", describeCycles(main.cycles)},
                      {"exponentials", exponentials},
                      {"exponentials_beside_products",
                       int64_t(machine::countExponentialsBesideProducts(loop))},
                      {"order", machine::describeOrder(loop)}};
}

json::Array parablock::describeMachineCode(ArrayRef<MachineKernel> kernels) {
  json::Array result;
  for (const MachineKernel &kernel : kernels) {
    json::Array rows;
    for (const machine::RowLoop &loop : kernel.model.rows)
      rows.push_back(json::Object{{"instructions", int64_t(loop.instructions)},
                                  {"stored_bytes", loop.storedBytes},
                                  {"cycles", describeCycles(loop.cycles)}});
    json::Array loops;
    for (const machine::MainLoop &loop : kernel.model.loops)
      loops.push_back(json::Object{{"products", describeProducts(loop)},
                                   {"others", int64_t(loop.others)},
                                   {"cycles", describeCycles(loop.cycles)}});
    json::Value prediction = nullptr;
    if (const auto &known = kernel.prediction)
      prediction =
          json::Object{{"of", kernel.product ? "product" : "main loop"},
                       {"limit", known->limit},
                       {"least", toJSONNumber(known->least)},
                       {"most", toJSONNumber(known->most)}};
    result.push_back(json::Object{
        {"name", json::fixUTF8(kernel.code.name)},
        {"instructions", int64_t(kernel.code.instructions.size())},
        {"warps", kernel.model.warps},
        {"main_loop", describeMain(kernel)},
        {"product_loops", std::move(loops)},
        {"rows", std::move(rows)},
        {"barriers_in_loops",
         json::Object{{"GPU", int64_t(machine::countBarriersInLoops(
                                  kernel.loops, "GPU"))},
                      {"CTA", int64_t(machine::countBarriersInLoops(
                                  kernel.loops, "CTA"))}}},
        {"prediction", std::move(prediction)}});
  }
  return result;
}
