//===- LaunchPlan.h - host side of device programs --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The steps by which a host runs a function of launches: tensors to allocate,
// and launches in order with their parameters. Sizes may be named dimensions
// and expressions of them, so one plan serves many shapes. A plan is read from
// IR or from a package, and every launcher, emulated or real, follows it.
// Nothing here needs LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_LAUNCHPLAN_H
#define PARABLOCK_LAUNCH_LAUNCHPLAN_H

#include "parablock/Engines/Launch/PlanSize.h"
#include "parablock/Support/ArenaPlan.h"
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parablock {

/// A tensor in device memory.
struct PlanTensor {
  std::string name;
  /// In IR spelling: "bf16", "i64", ...
  std::string type;
  std::vector<PlanSize> shape;
  /// For a view: the tensor, not itself a view, whose elements it has in
  /// another shape.
  std::optional<unsigned> viewOf = std::nullopt;
};

/// Bytes of an element of a type, or 0 for a type that devices do not hold.
unsigned getPlanElementSize(const std::string &type);

/// Returns whether collectives of ranks support a type: floats and indices.
bool isJoinedByRanks(const std::string &type);
inline constexpr char typesJoinedByRanks[] = "f32, bf16, f16, i64 or i32";

/// Returns "bf16 [batch, 17, 64]", for messages.
std::string formatPlanType(const PlanTensor &tensor);

/// One parameter of a kernel.
struct PlanArgument {
  enum Kind { Pointer, TensorMap, Dim } kind = Pointer;
  /// Index into LaunchPlan::tensors.
  unsigned tensor = 0;
  unsigned dim = 0;
  /// Rows and columns of a tensor map's box.
  uint32_t boxRows = 0, boxColumns = 0;
  /// Columns of the parts of a row that boxes do not cross; 0 for the whole
  /// row.
  uint32_t partColumns = 0;
  /// True for a tensor that the kernel may read while the previous launch still
  /// runs.
  bool isConstant = false;
};

/// A collective step of ranks, or a step on a rank's part of a tensor, instead
/// of a kernel.
struct PlanRankStep {
  enum Kind {
    /// The sum of all ranks' inputs, on each rank.
    AllReduce,
    /// The concatenation of all ranks' inputs in dimension `dim`.
    AllGather,
    /// A rank's share, in dimension `dim`, of the sum.
    ReduceScatter,
    /// The rows of all ranks that choose one of this rank's experts, else 0.
    /// The second input are the choices of all rows.
    RowsToExperts,
    /// The results of the ranks for this rank's rows, side by side.
    RowsFromExperts,
    /// The part of the input with the output's size in `dim`.
    Take,
    /// The second input, or zeros, with the input as one part.
    Put
  } kind = AllReduce;
  unsigned dim = 0;
  /// Take, Put: the offset of the part in that dimension, in elements or, for
  /// shares, in parts.
  int64_t offset = 0;
  bool isShare = false;
  /// A collective of whole tensors may be two steps with the same tensors,
  /// between which other launches run.
  bool starts = false, awaits = false;
  /// For exchanges of rows: the experts of all ranks.
  int64_t experts = 0;

  bool isTogether() const { return kind < Take; }
  bool mayStart() const { return kind < RowsToExperts; }
  bool isOfRows() const {
    return kind == RowsToExperts || kind == RowsFromExperts;
  }
};

/// Returns "all_reduce", ...: the spelling of manifests and reports.
const char *getRankStepName(PlanRankStep::Kind kind);

/// A kernel with its launch configuration.
struct PlanKernel {
  /// The kernel, or the name of a rank step.
  std::string kernel;
  uint32_t grid = 1, cluster = 1, threads = 32, sharedBytes = 0;
  /// True if its code waits for the previous launch.
  bool isProgrammatic = false;
  std::vector<PlanArgument> arguments;

  bool isNone() const { return kernel.empty(); }
};

/// The kernel of a launch for a small number of rows; without a name, nothing
/// is launched for these.
struct PlanFewKernel : PlanKernel {
  /// Tensors and their dimensions; the number is the product of these sizes.
  std::vector<std::pair<unsigned, unsigned>> sizes;
  /// The largest number that it is launched for.
  int64_t most = 1;
};

/// Reports of a kernel about its data, in a word of the launch: 0, or the first
/// place that is wrong (`tile.report`).
struct PlanReports {
  enum Kind {
    /// The place is a row of a router.
    Logits,
    /// The place is a slot of a row.
    Indices
  } kind = Logits;
  /// A workspace.
  unsigned word = 0;
  /// For Indices: the number of experts, and of slots in a row.
  int64_t experts = 0, slots = 0;
};

struct PlanLaunch : PlanKernel {
  /// Set if the step is not a kernel. Its outputs are the result and, if parts
  /// are not contiguous, scratch in which they are moved.
  std::optional<PlanRankStep> rankStep;
  /// The layer of the launch; -1 if none.
  int64_t layer = -1;
  /// The tensors that the launch reads and writes.
  std::vector<unsigned> inputs, outputs;
  std::optional<PlanFewKernel> few;
  std::optional<PlanReports> reports;

  /// Returns whether the launch reads an output, too, whose memory it keeps.
  bool overwrites(unsigned output) const {
    return !rankStep &&
           std::find(inputs.begin(), inputs.end(), output) != inputs.end();
  }

  /// Returns the kernels that the launch may select.
  std::vector<const PlanKernel *> getKernels() const {
    if (rankStep)
      return {};
    if (few && !few->isNone())
      return {this, &*few};
    return {this};
  }
};

/// The plan of one rank, if there are several.
struct LaunchPlan {
  /// The function's arguments come first, in order.
  std::vector<PlanTensor> tensors;
  unsigned numArguments = 0;
  /// Tensors that are zero before the first launch and that kernels share in
  /// turn.
  std::vector<unsigned> workspaces;
  std::vector<PlanLaunch> launches;
  /// The function's results.
  std::vector<unsigned> results;

  /// Returns whether a workspace is the word of a launch's reports.
  bool isReport(unsigned workspace) const {
    return std::any_of(
        launches.begin(), launches.end(), [&](const PlanLaunch &launch) {
          return launch.reports && launch.reports->word == workspace;
        });
  }

  /// Returns the tensor that owns the memory of `tensor`.
  unsigned getOwner(unsigned tensor) const {
    return tensors[tensor].viewOf.value_or(tensor);
  }
};

/// Returns whether the host reads numbers of a step before it goes on.
bool waitsOnHost(const LaunchPlan &plan);

/// Returns the error that the word of a launch's reports stands for; none if it
/// is 0.
launch::Status describeReport(const PlanLaunch &launch, uint64_t word);

/// Fails for a launch that treats a tensor as constant that is not in
/// `parameters`, which are tensors of arguments, or that a launch writes.
launch::Status checkConstants(const LaunchPlan &plan,
                              const std::vector<bool> &parameters);

/// Records in `dims` the named dimensions of `tensor` that follow from `shape`.
/// A failure names both shapes, or the dimension with two sizes.
launch::Status matchShape(const PlanTensor &tensor,
                          const std::vector<int64_t> &shape, PlanDims &dims);

/// A tensor with sizes.
struct BoundTensor {
  std::vector<int64_t> shape;
  uint64_t numElements = 0, bytes = 0;
  /// Elements of the last dimension, and number of rows.
  uint64_t columns = 1, rows = 1;
};

/// The shape of a tensor map as the driver expects it, last dimension first.
struct TensorMapShape {
  TensorMapShape(const PlanArgument &argument, const BoundTensor &tensor,
                 uint64_t elementSize);

  unsigned rank;
  uint64_t dims[3], strides[2];
  uint32_t box[3];
};

/// Returns the place of the step that `launches[await]` awaits; nullopt if
/// there is none, or if another one awaits it.
std::optional<size_t> findStart(const std::vector<PlanLaunch> &launches,
                                size_t await);

/// Fails for a collective that is started and not awaited, or the other way,
/// or whose tensors are used in between.
launch::Status checkStarts(const LaunchPlan &plan);

/// A plan with sizes.
struct BoundPlan {
  std::vector<BoundTensor> tensors;
  /// The places, by tensor, of temporaries; other tensors take no
  /// room.
  ArenaPlan arena;
};

/// Returns the kernel of a launch for tensors of those sizes, possibly none.
const PlanKernel &chooseKernel(const PlanLaunch &launch,
                               const std::vector<BoundTensor> &tensors);

/// Assigns a size to every named dimension. A failure names a dimension without
/// one, a size below 1, or a tensor too large for any device.
launch::Status bindPlan(const LaunchPlan &plan, const PlanDims &dims,
                        BoundPlan &bound);

} // namespace parablock

#endif // PARABLOCK_LAUNCH_LAUNCHPLAN_H
