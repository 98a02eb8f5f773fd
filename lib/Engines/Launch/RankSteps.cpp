//===- RankSteps.cpp - what ranks do together, and parts of tensors -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// NCCL concatenates contiguous parts, as in the first dimension.
// Parts of another dimension are copied to their places, each
// rank's as a box: so no kernel is needed, and all steps can be
// captured. A collective that is started is sent on a stream of its own, which
// events order with the session's.
//
//===----------------------------------------------------------------------===//

#include "RankSteps.h"

#include <algorithm>

using namespace parablock;
using namespace parablock::launch;

namespace {
/// The rows around a dimension: their number, and the distance of their
/// beginnings in bytes.
struct Rows {
  uint64_t count = 1, pitch = 0;
};
} // namespace

static Rows getRows(const BoundTensor &tensor, unsigned dim) {
  Rows rows;
  for (unsigned i = 0; i < dim; ++i)
    rows.count *= static_cast<uint64_t>(tensor.shape[i]);
  rows.pitch = rows.count ? tensor.bytes / rows.count : 0;
  return rows;
}

static nccl::DataType getDataType(const std::string &type) {
  if (type == "bf16")
    return nccl::Bfloat16;
  if (type == "f16")
    return nccl::Float16;
  if (type == "i64")
    return nccl::Int64;
  return type == "i32" ? nccl::Int32 : nccl::Float32;
}

/// `width` bytes of each of `count` rows.
static Status copyRows(const Driver &driver, cuda::Pointer target,
                       uint64_t targetPitch, cuda::Pointer source,
                       uint64_t sourcePitch, uint64_t width, uint64_t count,
                       cuda::Stream on) {
  // A pitch is bounded, the length of one row is not.
  if (count == 1)
    return driver.check(
        driver.copy(target, source, static_cast<size_t>(width), on),
        "cuMemcpyDtoDAsync");
  cuda::BoxCopy box;
  box.target.device = target;
  box.target.pitch = static_cast<size_t>(targetPitch);
  box.source.device = source;
  box.source.pitch = static_cast<size_t>(sourcePitch);
  box.widthInBytes = static_cast<size_t>(width);
  box.height = static_cast<size_t>(count);
  return driver.check(driver.copyBox(&box, on), "cuMemcpy2DAsync");
}

/// Moves parts between a tensor with all ranks' parts concatenated and scratch
/// in which they are contiguous.
Status RankSteps::moveParts(unsigned whole, unsigned room, unsigned dim,
                            bool toRoom, cuda::Stream on) const {
  const Driver &driver = program.device.driver;
  auto ranks = static_cast<uint64_t>(program.group->own.count);
  Rows rows = getRows(sizes.tensors[whole], dim);
  uint64_t width = rows.pitch / ranks;
  for (uint64_t rank = 0; rank < ranks; ++rank) {
    cuda::Pointer inWhole = addresses[whole] + rank * width;
    cuda::Pointer inRoom = addresses[room] + rank * rows.count * width;
    Status failure = toRoom ? copyRows(driver, inRoom, width, inWhole,
                                       rows.pitch, width, rows.count, on)
                            : copyRows(driver, inWhole, rows.pitch, inRoom,
                                       width, width, rows.count, on);
    if (failure)
      return failure;
  }
  return {};
}

/// Returns the tensor with all ranks' parts, if a collective has them not in
/// the first dimension.
std::optional<unsigned> RankSteps::findMoved(const PlanLaunch &step) const {
  const PlanRankStep &what = *step.rankStep;
  if (what.kind == PlanRankStep::AllReduce)
    return std::nullopt;
  unsigned whole = what.kind == PlanRankStep::AllGather ? step.outputs.front()
                                                        : step.inputs.front();
  if (getRows(sizes.tensors[step.inputs.front()], what.dim).count == 1)
    return std::nullopt;
  return whole;
}

Status RankSteps::enqueueBefore(const PlanLaunch &step, cuda::Stream on) const {
  std::optional<unsigned> whole = findMoved(step);
  if (!whole || step.rankStep->kind != PlanRankStep::ReduceScatter)
    return {};
  return moveParts(*whole, step.outputs.back(), step.rankStep->dim,
                   /*toRoom=*/true, on);
}

Status RankSteps::enqueueBehind(const PlanLaunch &step, cuda::Stream on) const {
  std::optional<unsigned> whole = findMoved(step);
  if (!whole || step.rankStep->kind != PlanRankStep::AllGather)
    return {};
  return moveParts(*whole, step.outputs.back(), step.rankStep->dim,
                   /*toRoom=*/false, on);
}

Status RankSteps::send(const PlanLaunch &step, cuda::Stream on) const {
  RankGroup &group = *program.group;
  unsigned input = step.inputs.front(), output = step.outputs.front();
  unsigned room = findMoved(step) ? step.outputs.back() : output;
  nccl::DataType type = getDataType(program.plan->tensors[input].type);
  uint64_t count = sizes.tensors[input].numElements;
  switch (step.rankStep->kind) {
  case PlanRankStep::AllGather:
    return group.allGather(addresses[input], addresses[room], count, type, on);
  case PlanRankStep::ReduceScatter:
    return group.reduceScatter(addresses[findMoved(step) ? room : input],
                               addresses[output],
                               sizes.tensors[output].numElements, type, on);
  default:
    return group.allReduce(addresses[input], addresses[output], count, type,
                           on);
  }
}

//===----------------------------------------------------------------------===//
// Started collectives
//===----------------------------------------------------------------------===//

Status RankSteps::setUp() {
  const std::vector<PlanLaunch> &launches = program.plan->launches;
  const Driver &driver = program.device.driver;
  auto makeEvent = [&](cuda::Event &event) {
    return driver.check(driver.createEvent(&event, cuda::DisableTiming),
                        "cuEventCreate");
  };
  for (size_t step = 0; step < launches.size(); ++step) {
    if (!launches[step].rankStep || !launches[step].rankStep->awaits)
      continue;
    if (!side) {
      if (Status failure = driver.check(
              driver.createStream(&side, cuda::NonBlocking), "cuStreamCreate"))
        return failure;
      if (Status failure = makeEvent(ready))
        return failure;
    }
    size_t start = *findStart(launches, step);
    startOf[step] = start;
    if (Status failure = makeEvent(sent[start]))
      return failure;
  }
  return {};
}

RankSteps::~RankSteps() {
  if (!side)
    return;
  CurrentContext current(program.device);
  const Driver &driver = program.device.driver;
  // An error may have left work that nothing awaits.
  program.group->wait(side);
  driver.destroyStream(side);
  for (auto [start, event] : sent)
    if (event)
      driver.destroyEvent(event);
  if (ready)
    driver.destroyEvent(ready);
}

Status RankSteps::record(cuda::Event event, cuda::Stream on) const {
  const Driver &driver = program.device.driver;
  return driver.check(driver.recordEvent(event, on), "cuEventRecord");
}

Status RankSteps::await(cuda::Event event, cuda::Stream on) const {
  const Driver &driver = program.device.driver;
  return driver.check(driver.awaitEvent(on, event, /*flags=*/0),
                      "cuStreamWaitEvent");
}

Status RankSteps::enqueueStart(size_t step, cuda::Stream on) {
  const PlanLaunch &launch = program.plan->launches[step];
  if (Status failure = enqueueBefore(launch, on))
    return failure;
  if (Status failure = record(ready, on))
    return failure;
  if (Status failure = await(ready, side))
    return failure;
  if (Status failure = send(launch, side))
    return failure;
  latest = step;
  return record(sent[step], side);
}

Status RankSteps::enqueueAwait(size_t step, cuda::Stream on) {
  size_t start = startOf[step];
  if (latest == start)
    latest.reset();
  if (Status failure = await(sent[start], on))
    return failure;
  return enqueueBehind(program.plan->launches[step], on);
}

Status RankSteps::enqueueTogether(size_t step, cuda::Stream on) {
  const PlanLaunch &launch = program.plan->launches[step];
  if (launch.rankStep->starts)
    return enqueueStart(step, on);
  if (launch.rankStep->awaits)
    return enqueueAwait(step, on);
  // All ranks send in one order, on whatever stream.
  if (latest)
    if (Status failure = await(sent[*latest], on))
      return failure;
  if (Status failure = enqueueBefore(launch, on))
    return failure;
  if (Status failure = send(launch, on))
    return failure;
  return enqueueBehind(launch, on);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Status RankSteps::enqueuePart(const PlanLaunch &step, cuda::Stream on) const {
  const Driver &driver = program.device.driver;
  const PlanRankStep &what = *step.rankStep;
  unsigned input = step.inputs.front(), output = step.outputs.front();
  bool isTake = what.kind == PlanRankStep::Take;
  const BoundTensor &part = sizes.tensors[isTake ? output : input];
  const BoundTensor &whole = sizes.tensors[isTake ? input : output];
  if (!isTake) {
    // The tensor that contains the part.
    auto bytes = static_cast<size_t>(whole.bytes);
    Status failure =
        step.inputs.size() > 1
            ? driver.check(driver.copy(addresses[output],
                                       addresses[step.inputs[1]], bytes, on),
                           "cuMemcpyDtoDAsync")
            : driver.check(driver.fill(addresses[output], 0, bytes, on),
                           "cuMemsetD8Async");
    if (failure)
      return failure;
  }
  Rows partRows = getRows(part, what.dim), wholeRows = getRows(whole, what.dim);
  auto columns = std::max<uint64_t>(1, part.shape[what.dim]);
  uint64_t unit = what.isShare ? partRows.pitch : partRows.pitch / columns;
  uint64_t offset = 0, end = 0;
  if (__builtin_mul_overflow(static_cast<uint64_t>(what.offset), unit,
                             &offset) ||
      __builtin_add_overflow(offset, partRows.pitch, &end) ||
      end > wholeRows.pitch)
    return fail("expected a part within '" +
                program.plan->tensors[isTake ? input : output].name + "'");
  cuda::Pointer inWhole = addresses[isTake ? input : output] + offset;
  cuda::Pointer alone = addresses[isTake ? output : input];
  return isTake ? copyRows(driver, alone, partRows.pitch, inWhole,
                           wholeRows.pitch, partRows.pitch, partRows.count, on)
                : copyRows(driver, inWhole, wholeRows.pitch, alone,
                           partRows.pitch, partRows.pitch, partRows.count, on);
}

Status RankSteps::enqueue(size_t step, cuda::Stream on) {
  const PlanLaunch &launch = program.plan->launches[step];
  Status failure = launch.rankStep->isTogether() ? enqueueTogether(step, on)
                                                 : enqueuePart(launch, on);
  if (failure)
    return fail(launch.kernel + ": " + failure->text, failure->fault);
  return {};
}
