//===- LaunchPlan.cpp - binds sizes and plans the arena -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/LaunchPlan.h"

#include "parablock/Files/TensorLayout.h"
#include "parablock/Support/DataFaults.h"
#include <algorithm>
#include <limits>

using namespace parablock;
using launch::fail;
using launch::Status;

unsigned parablock::getPlanElementSize(const std::string &type) {
  return files::getTypeBytes(files::getTypeWord(type));
}

bool parablock::isJoinedByRanks(const std::string &type) {
  return type == "f32" || type == "bf16" || type == "f16" || type == "i64" ||
         type == "i32";
}

const char *parablock::getRankStepName(PlanRankStep::Kind kind) {
  static constexpr const char *names[] = {"all_reduce",
                                          "all_gather",
                                          "reduce_scatter",
                                          "rows_to_experts",
                                          "rows_from_experts",
                                          "take",
                                          "put"};
  return names[kind];
}

bool parablock::waitsOnHost(const LaunchPlan &plan) {
  return std::any_of(plan.launches.begin(), plan.launches.end(),
                     [](const PlanLaunch &launch) {
                       return launch.rankStep && launch.rankStep->isOfRows();
                     });
}

std::string parablock::formatPlanType(const PlanTensor &tensor) {
  std::string text = tensor.type + " [";
  for (const PlanSize &size : tensor.shape) {
    if (&size != &tensor.shape.front())
      text += ", ";
    text += formatSize(size);
  }
  return text + "]";
}

/// Returns the index in a report, which is the nearest number of 32 bits.
static std::string formatReportedIndex(int32_t index) {
  std::string text = std::to_string(index);
  if (index == std::numeric_limits<int32_t>::max())
    return "at least " + text;
  return index == std::numeric_limits<int32_t>::min() ? "at most " + text
                                                      : text;
}

Status parablock::describeReport(const PlanLaunch &launch, uint64_t word) {
  if (word == 0)
    return {};
  const PlanReports &reports = *launch.reports;
  auto place = static_cast<int64_t>(std::numeric_limits<uint32_t>::max() -
                                    static_cast<uint32_t>(word >> 32));
  auto detail = static_cast<int32_t>(static_cast<uint32_t>(word));
  std::string text = "kernel '" + launch.kernel + "'";
  if (launch.layer >= 0)
    text += " of layer " + std::to_string(launch.layer);
  if (reports.kind == PlanReports::Logits)
    return fail(text + ": " +
                describeNanOfRouter(
                    place, detail > 0 ? std::optional<int64_t>(detail - 1)
                                      : std::nullopt));
  return fail(text + ": " +
              describeExpertIndex(/*isOfExperts=*/true,
                                  formatReportedIndex(detail), reports.experts,
                                  place / reports.slots,
                                  place % reports.slots));
}

Status parablock::checkConstants(const LaunchPlan &plan,
                                 const std::vector<bool> &parameters) {
  std::vector<bool> isWritten(plan.tensors.size());
  for (const PlanLaunch &launch : plan.launches)
    for (unsigned output : launch.outputs)
      isWritten[plan.getOwner(output)] = true;
  for (const PlanLaunch &launch : plan.launches)
    for (const PlanKernel *kernel : launch.getKernels())
      for (const PlanArgument &argument : kernel->arguments) {
        unsigned owner = plan.getOwner(argument.tensor);
        bool isParameter = owner < parameters.size() && parameters[owner];
        if (argument.isConstant && (!isParameter || isWritten[owner]))
          return fail("kernel '" + kernel->kernel +
                      "': expected a parameter that no launch writes for what "
                      "it takes for constant, got '" +
                      plan.tensors[argument.tensor].name + "'");
      }
  return {};
}

/// Returns whether two collectives are the start and the await of one.
static bool areOne(const PlanLaunch &start, const PlanLaunch &await) {
  return start.rankStep && start.rankStep->starts &&
         start.rankStep->kind == await.rankStep->kind &&
         start.rankStep->dim == await.rankStep->dim &&
         start.inputs == await.inputs && start.outputs == await.outputs;
}

std::optional<size_t>
parablock::findStart(const std::vector<PlanLaunch> &launches, size_t await) {
  for (size_t step = await; step-- > 0;) {
    if (areOne(launches[step], launches[await]))
      return step;
    // An earlier step awaits it.
    if (launches[step].rankStep && launches[step].rankStep->awaits &&
        launches[step].outputs == launches[await].outputs)
      break;
  }
  return std::nullopt;
}

Status parablock::checkStarts(const LaunchPlan &plan) {
  auto has = [&](const std::vector<unsigned> &tensors, unsigned tensor) {
    return std::any_of(tensors.begin(), tensors.end(), [&](unsigned other) {
      return plan.getOwner(other) == plan.getOwner(tensor);
    });
  };
  const std::vector<PlanLaunch> &launches = plan.launches;
  size_t numStarts = 0, numAwaits = 0;
  for (size_t step = 0; step < launches.size(); ++step) {
    const std::optional<PlanRankStep> &what = launches[step].rankStep;
    if (!what || (!what->starts && !what->awaits))
      continue;
    if (!what->mayStart() || (what->starts && what->awaits))
      return fail("expected a collective that starts or awaits, got step '" +
                  launches[step].kernel + "'");
    numStarts += what->starts;
    numAwaits += what->awaits;
    if (what->starts)
      continue;
    std::optional<size_t> start = findStart(launches, step);
    if (!start)
      return fail("step '" + launches[step].kernel +
                  "' awaits nothing that was started");
    for (size_t between = *start + 1; between < step; ++between) {
      const PlanLaunch &other = launches[between];
      for (unsigned output : launches[step].outputs)
        if (has(other.inputs, output) || has(other.outputs, output))
          return fail("'" + other.kernel + "' uses '" +
                      plan.tensors[output].name +
                      "' before the step that awaits it");
      for (unsigned input : launches[step].inputs)
        if (has(other.outputs, input))
          return fail("'" + other.kernel + "' writes '" +
                      plan.tensors[input].name +
                      "' before the step that awaits it");
    }
  }
  if (numStarts != numAwaits)
    return fail("expected a step that awaits each that was started");
  return {};
}

const PlanKernel &
parablock::chooseKernel(const PlanLaunch &launch,
                        const std::vector<BoundTensor> &tensors) {
  if (!launch.few)
    return launch;
  // Sizes are at least 1: a product that is too large stays so.
  int64_t rows = 1;
  for (auto [tensor, dim] : launch.few->sizes)
    if (__builtin_mul_overflow(rows, tensors[tensor].shape[dim], &rows))
      return launch;
  if (rows > launch.few->most)
    return launch;
  return *launch.few;
}

static std::string formatShape(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

Status parablock::matchShape(const PlanTensor &tensor,
                             const std::vector<int64_t> &shape,
                             PlanDims &dims) {
  bool fits = shape.size() == tensor.shape.size();
  for (size_t dim = 0; fits && dim < shape.size(); ++dim)
    fits = tensor.shape[dim].isNamed() ||
           tensor.shape[dim] == PlanSize{shape[dim], ""};
  if (!fits)
    return fail("expected '" + tensor.name + "' to be " +
                formatPlanType(tensor) + ", got " + formatShape(shape));
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    const std::string &name = tensor.shape[dim].name;
    if (name.empty())
      continue;
    int64_t known = dims.try_emplace(name, shape[dim]).first->second;
    if (known != shape[dim])
      return fail("dimension '" + name + "' is " + std::to_string(known) +
                  ", but " + std::to_string(shape[dim]) + " in '" +
                  tensor.name + "' of " + formatShape(shape));
  }
  return {};
}

/// No device has more, and sums over all tensors of a manifest fit 64 bits.
static constexpr uint64_t mostTensorBytes = uint64_t(1) << 40;

static Status bindTensor(const PlanTensor &tensor, const PlanDims &dims,
                         BoundTensor &bound) {
  // Sizes are parameters of 32 bits, and so are rows in device code.
  constexpr uint64_t largest = std::numeric_limits<int32_t>::max();
  for (const PlanSize &size : tensor.shape)
    if (Status failure =
            evaluateSize(size, tensor.name, dims, bound.shape.emplace_back()))
      return failure;
  bool fits = true;
  for (size_t dim = 0; dim < bound.shape.size(); ++dim) {
    uint64_t size = static_cast<uint64_t>(bound.shape[dim]);
    if (dim + 1 == bound.shape.size())
      bound.columns = size;
    else
      fits &= !__builtin_mul_overflow(bound.rows, size, &bound.rows);
  }
  fits =
      fits && bound.rows <= largest && bound.columns <= largest &&
      !__builtin_mul_overflow(bound.rows, bound.columns, &bound.numElements) &&
      !__builtin_mul_overflow(bound.numElements,
                              getPlanElementSize(tensor.type), &bound.bytes) &&
      bound.bytes <= mostTensorBytes;
  if (!fits)
    return fail("tensor '" + tensor.name + "' of " + formatPlanType(tensor) +
                " is too large for a device");
  return {};
}

static Status checkView(const LaunchPlan &plan, unsigned index,
                        const std::vector<BoundTensor> &tensors) {
  unsigned owner = plan.getOwner(index);
  if (tensors[index].numElements == tensors[owner].numElements)
    return {};
  return fail("view '" + plan.tensors[index].name + "' of " +
              formatShape(tensors[index].shape) +
              ": expected as many elements as '" + plan.tensors[owner].name +
              "' of " + formatShape(tensors[owner].shape));
}

TensorMapShape::TensorMapShape(const PlanArgument &argument,
                               const BoundTensor &tensor, uint64_t elementSize)
    : rank(argument.partColumns ? 3 : 2), dims{tensor.columns, tensor.rows, 0},
      strides{tensor.columns * elementSize, 0},
      box{argument.boxColumns, argument.boxRows, 0} {
  if (rank == 2)
    return;
  uint64_t part = argument.partColumns;
  dims[0] = part;
  dims[1] = tensor.columns / part;
  dims[2] = tensor.rows;
  strides[0] = part * elementSize;
  strides[1] = tensor.columns * elementSize;
  box[1] = 1;
  box[2] = argument.boxRows;
}

/// Lists the buffers of the arena, with their first and last launch.
static std::vector<ArenaBuffer>
collectBuffers(const LaunchPlan &plan,
               const std::vector<BoundTensor> &tensors) {
  std::vector<ArenaBuffer> buffers(tensors.size());
  for (unsigned index = plan.numArguments; index < tensors.size(); ++index)
    if (plan.getOwner(index) == index)
      buffers[index].bytes = tensors[index].bytes;
  for (unsigned result : plan.results)
    buffers[result].bytes = 0;
  for (unsigned workspace : plan.workspaces)
    buffers[workspace].bytes = 0;
  for (uint32_t step = 0; step < plan.launches.size(); ++step) {
    const std::optional<PlanRankStep> &rankStep = plan.launches[step].rankStep;
    for (unsigned output : plan.launches[step].outputs) {
      if ((!rankStep || !rankStep->awaits) &&
          !plan.launches[step].overwrites(output))
        buffers[output].firstUse = step;
      buffers[output].lastUse = step;
    }
    for (unsigned input : plan.launches[step].inputs)
      buffers[plan.getOwner(input)].lastUse = step;
  }
  // Views are copied to results in the end.
  for (unsigned result : plan.results)
    buffers[plan.getOwner(result)].lastUse =
        static_cast<uint32_t>(plan.launches.size());
  return buffers;
}

Status parablock::bindPlan(const LaunchPlan &plan, const PlanDims &dims,
                           BoundPlan &bound) {
  bound = BoundPlan();
  for (const PlanTensor &tensor : plan.tensors)
    if (Status failure = bindTensor(tensor, dims, bound.tensors.emplace_back()))
      return failure;
  for (unsigned index = 0; index < plan.tensors.size(); ++index)
    if (Status failure = checkView(plan, index, bound.tensors))
      return failure;
  bound.arena = planArena(collectBuffers(plan, bound.tensors));
  return {};
}
