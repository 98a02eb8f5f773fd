//===- LaunchPlan.h - the host side of a device program ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a host has to do to run a function whose steps are launches: tensors to
// hold, and launches in order with their parameters. Sizes may be dimensions
// with a name, and what follows from them, so that one plan serves many shapes.
// It is read from IR or from a package, and every launcher, emulated or real,
// follows it. Nothing here needs LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_LAUNCHPLAN_H
#define PARABLOCK_LAUNCH_LAUNCHPLAN_H

#include "parablock/Engines/Launch/PlanSize.h"
#include "parablock/Support/ArenaPlan.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parablock {

/// A tensor in device memory.
struct PlanTensor {
  std::string name;
  /// As IR spells it: "bf16", "i64", ...
  std::string type;
  std::vector<PlanSize> shape;
  /// For a view: the tensor before it, itself none, whose elements it has in
  /// another shape.
  std::optional<unsigned> viewOf;
};

/// Bytes of an element of a type, or 0 for a type that devices do not hold.
unsigned getPlanElementSize(const std::string &type);

/// Tells whether ranks join tensors of a type, as they do floats and indices.
bool isJoinedByRanks(const std::string &type);
inline constexpr char typesJoinedByRanks[] = "f32, bf16, f16, i64 or i32";

/// "bf16 [batch, 17, 64]": how messages spell it.
std::string formatPlanType(const PlanTensor &tensor);

/// One parameter of a kernel.
struct PlanArgument {
  enum Kind { Pointer, TensorMap, Dim } kind = Pointer;
  /// Index into LaunchPlan::tensors.
  unsigned tensor = 0;
  unsigned dim = 0;
  /// Rows and columns of a tensor map's box.
  uint32_t boxRows = 0, boxColumns = 0;
  /// Columns of the parts of a row that boxes keep to; 0 for the whole row.
  uint32_t partColumns = 0;
  /// True of a tensor that the kernel may read while the launch before still
  /// runs.
  bool isConstant = false;
};

/// A step that ranks do together, or one with a part of what it has, in place
/// of a kernel.
struct PlanRankStep {
  enum Kind {
    /// The sum of all ranks' inputs, for each of them.
    AllReduce,
    /// All ranks' inputs side by side in dimension `dim`.
    AllGather,
    /// A rank's share, in dimension `dim`, of the sum.
    ReduceScatter,
    /// The part of the input that is as large as the output in `dim`.
    Take,
    /// The input as a part of the second input, or of zeros.
    Put
  } kind = AllReduce;
  unsigned dim = 0;
  /// Take, Put: where the part begins in that dimension, in elements or, of
  /// shares, in parts.
  int64_t offset = 0;
  bool isShare = false;

  bool isTogether() const { return kind < Take; }
};

/// "all_reduce": how manifests and reports spell it.
const char *getRankStepName(PlanRankStep::Kind kind);

/// A kernel, and how it is launched.
struct PlanKernel {
  /// Or what the step of ranks is called.
  std::string kernel;
  uint32_t grid = 1, cluster = 1, threads = 32, sharedBytes = 0;
  /// True where it waits for the launch before by itself.
  bool isProgrammatic = false;
  std::vector<PlanArgument> arguments;
};

/// The kernel of a launch where a number of rows is small.
struct PlanFewKernel : PlanKernel {
  /// Tensors and dimensions of them: the number is the product of these.
  std::vector<std::pair<unsigned, unsigned>> sizes;
  /// The largest that it is launched for.
  int64_t most = 1;
};

struct PlanLaunch : PlanKernel {
  /// Where this is no kernel. Its outputs are the result and, where parts do
  /// not lie one behind the other, room for them while they are moved.
  std::optional<PlanRankStep> rankStep;
  /// The layer that it belongs to; -1 where it belongs to none.
  int64_t layer = -1;
  /// The tensors that it reads and those that it writes.
  std::vector<unsigned> inputs, outputs;
  std::optional<PlanFewKernel> few;

  /// The kernels that this may be.
  std::vector<const PlanKernel *> getKernels() const {
    if (rankStep)
      return {};
    if (few)
      return {this, &*few};
    return {this};
  }
};

/// The plan of one rank, where there are several.
struct LaunchPlan {
  /// First the function's arguments, in order.
  std::vector<PlanTensor> tensors;
  unsigned numArguments = 0;
  /// Those that hold 0 before the first launch, and that kernels share in
  /// turns.
  std::vector<unsigned> workspaces;
  std::vector<PlanLaunch> launches;
  /// The function's results.
  std::vector<unsigned> results;

  /// The tensor whose memory a tensor has.
  unsigned getOwner(unsigned tensor) const {
    return tensors[tensor].viewOf.value_or(tensor);
  }
};

/// Fails for a launch that takes for constant what is none of `parameters`,
/// which are tensors of arguments, or what a launch writes.
launch::Status checkConstants(const LaunchPlan &plan,
                              const std::vector<bool> &parameters);

/// Notes in `dims` what a tensor of `shape` says of the named dimensions of
/// `tensor`. A failure names both shapes, or the dimension with two sizes.
launch::Status matchShape(const PlanTensor &tensor,
                          const std::vector<int64_t> &shape, PlanDims &dims);

/// A tensor with sizes.
struct BoundTensor {
  std::vector<int64_t> shape;
  uint64_t numElements = 0, bytes = 0;
  /// Elements of the last dimension, and how many such rows there are.
  uint64_t columns = 1, rows = 1;
};

/// How a driver is told of a tensor map, from the last dimension on.
struct TensorMapShape {
  TensorMapShape(const PlanArgument &argument, const BoundTensor &tensor,
                 uint64_t elementSize);

  unsigned rank;
  uint64_t dims[3], strides[2];
  uint32_t box[3];
};

/// A plan with sizes.
struct BoundPlan {
  std::vector<BoundTensor> tensors;
  /// The places, by tensor, of what is neither argument nor result nor
  /// workspace; the others take no room.
  ArenaPlan arena;
};

/// The kernel of a launch for tensors of those sizes.
const PlanKernel &chooseKernel(const PlanLaunch &launch,
                               const std::vector<BoundTensor> &tensors);

/// Gives every named dimension its size. A failure names a dimension without
/// one, a size below 1, or a tensor too large for any device.
launch::Status bindPlan(const LaunchPlan &plan, const PlanDims &dims,
                        BoundPlan &bound);

} // namespace parablock

#endif // PARABLOCK_LAUNCH_LAUNCHPLAN_H
