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
  case PlanRankStep::AllReduce:
    return group.allReduce(addresses[input], addresses[output], count, type,
                           on);
  case PlanRankStep::AllGather:
    return group.allGather(addresses[input], addresses[room], count, type, on);
  case PlanRankStep::ReduceScatter:
    return group.reduceScatter(addresses[findMoved(step) ? room : input],
                               addresses[output],
                               sizes.tensors[output].numElements, type, on);
  case PlanRankStep::RowsToExperts:
  case PlanRankStep::RowsFromExperts:
  case PlanRankStep::Take:
  case PlanRankStep::Put:
    break;
  }
  return fail("expected a collective of whole tensors");
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
  if (launch.rankStep->isOfRows())
    return enqueueRows(launch, on);
  if (Status failure = enqueueBefore(launch, on))
    return failure;
  if (Status failure = send(launch, on))
    return failure;
  return enqueueBehind(launch, on);
}

//===----------------------------------------------------------------------===//
// Rows of experts
//===----------------------------------------------------------------------===//

namespace {
/// Rows that follow each other, on the rank that has them and among those of
/// all ranks.
struct RowRun {
  uint64_t own, place, count;
};

/// The rows for each rank, by the choices of all rows.
class ChosenRows {
public:
  ChosenRows(const BoundTensor &choices, int64_t experts, int ranks)
      : perSequence(static_cast<uint64_t>(choices.shape[1])),
        slots(static_cast<uint64_t>(choices.shape[2])),
        experts(experts / ranks), ranks(static_cast<uint64_t>(ranks)),
        chosen(choices.numElements) {}

  int64_t *data() { return chosen.data(); }
  uint64_t getRowsOfRank() const {
    return slots ? chosen.size() / slots / ranks : 0;
  }
  /// The rows of `owner` that experts of `reader` read.
  std::vector<RowRun> find(int owner, int reader) const;

private:
  bool isFor(uint64_t place, int reader) const {
    auto first = chosen.begin() + static_cast<ptrdiff_t>(place * slots);
    return std::any_of(
        first, first + static_cast<ptrdiff_t>(slots), [&](int64_t choice) {
          return choice >= reader * experts && choice < (reader + 1) * experts;
        });
  }

  uint64_t perSequence, slots;
  int64_t experts;
  uint64_t ranks;
  std::vector<int64_t> chosen;
};
} // namespace

std::vector<RowRun> ChosenRows::find(int owner, int reader) const {
  std::vector<RowRun> runs;
  uint64_t share = perSequence / ranks;
  for (uint64_t own = 0; own < getRowsOfRank(); ++own) {
    uint64_t place = own / share * perSequence +
                     static_cast<uint64_t>(owner) * share + own % share;
    if (!isFor(place, reader))
      continue;
    bool follows = !runs.empty() &&
                   runs.back().own + runs.back().count == own &&
                   runs.back().place + runs.back().count == place;
    if (follows)
      ++runs.back().count;
    else
      runs.push_back({own, place, 1});
  }
  return runs;
}

/// Sends rows, and receives others, by the choices, which the host reads: how
/// many rows there are is not known before. A run of rows is one message.
Status RankSteps::enqueueRows(const PlanLaunch &step, cuda::Stream on) const {
  const Driver &driver = program.device.driver;
  RankGroup &group = *program.group;
  bool isBack = step.rankStep->kind == PlanRankStep::RowsFromExperts;
  unsigned input = step.inputs[0], output = step.outputs[0];
  cuda::CaptureStatus status = cuda::NotCaptured;
  if (Status failure = driver.check(driver.getCaptureStatus(on, &status),
                                    "cuStreamIsCapturing"))
    return failure;
  if (status != cuda::NotCaptured)
    return fail("expected a stream that is not captured, as the host reads "
                "which experts rows choose");
  const BoundTensor &indices = sizes.tensors[step.inputs[1]];
  ChosenRows rows(indices, step.rankStep->experts, group.own.count);
  // A copy to the host would wait for others without a limit.
  if (Status failure = group.wait(on))
    return failure;
  if (Status failure =
          driver.check(driver.download(rows.data(), addresses[step.inputs[1]],
                                       static_cast<size_t>(indices.bytes), on),
                       "cuMemcpyDtoHAsync"))
    return failure;
  if (Status failure =
          driver.check(driver.waitForStream(on), "cuStreamSynchronize"))
    return failure;
  // Results of ranks are first one behind the other, then side by side.
  unsigned place = isBack ? step.outputs[1] : output;
  const BoundTensor &target = sizes.tensors[place];
  if (Status failure =
          driver.check(driver.fill(addresses[place], 0,
                                   static_cast<size_t>(target.bytes), on),
                       "cuMemsetD8Async"))
    return failure;
  auto width = static_cast<uint64_t>(sizes.tensors[input].shape[2]);
  uint64_t bytes =
      width * getPlanElementSize(program.plan->tensors[input].type);
  auto getSource = [&](const RowRun &run) {
    return addresses[input] + (isBack ? run.place : run.own) * bytes;
  };
  auto getTarget = [&](const RowRun &run, int other) {
    uint64_t first = static_cast<uint64_t>(other) * rows.getRowsOfRank();
    return addresses[place] + (isBack ? first + run.own : run.place) * bytes;
  };
  int own = group.own.rank;
  std::vector<RankGroup::Message> messages;
  for (int other = 0; other < group.own.count; ++other) {
    std::vector<RowRun> sent =
        isBack ? rows.find(other, own) : rows.find(own, other);
    for (const RowRun &run : sent) {
      if (other != own) {
        messages.push_back({getSource(run), run.count * width, other, true});
        continue;
      }
      if (Status failure = driver.check(
              driver.copy(getTarget(run, own), getSource(run),
                          static_cast<size_t>(run.count * bytes), on),
              "cuMemcpyDtoDAsync"))
        return failure;
    }
    if (other == own)
      continue;
    for (const RowRun &run :
         isBack ? rows.find(own, other) : rows.find(other, own))
      messages.push_back(
          {getTarget(run, other), run.count * width, other, false});
  }
  if (Status failure = group.exchange(
          messages, getDataType(program.plan->tensors[input].type), on))
    return failure;
  return isBack ? moveParts(output, place, /*dim=*/2, /*toRoom=*/false, on)
                : Status();
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
