//===- LaunchPlanTest.cpp - plans get their sizes -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/LaunchPlan.h"
#include "Failures.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using testing::HasSubstr;
using unittest::FailsWith;

static const PlanSize batch{0, "batch"}, seq{0, "seq"};

/// One input, three kernels in a chain, a workspace.
static LaunchPlan makePlan() {
  LaunchPlan plan;
  plan.numArguments = 1;
  for (const char *name : {"x", "a", "b", "c", "y"})
    plan.tensors.push_back({name, "bf16", {batch, seq, {64, ""}}});
  plan.tensors.push_back({"work", "i32", {{1000, ""}}});
  plan.workspaces = {5};
  for (unsigned step = 0; step < 4; ++step) {
    PlanLaunch launch;
    launch.inputs = {step};
    launch.outputs = {step + 1};
    plan.launches.push_back(launch);
  }
  plan.results = {4};
  return plan;
}

TEST(LaunchPlanTest, SizesMakeAnArena) {
  LaunchPlan plan = makePlan();
  BoundPlan bound;
  EXPECT_EQ(bindPlan(plan, {{"batch", 2}, {"seq", 17}}, bound), std::nullopt)
      << "sizes";
  EXPECT_EQ(bound.tensors[1].rows, 34u) << "rows";
  EXPECT_EQ(bound.tensors[1].columns, 64u) << "columns";
  EXPECT_EQ(bound.tensors[1].bytes, uint64_t(34 * 64 * 2)) << "bytes";
  // a and b, b and c live together; neither the result nor the workspace does.
  EXPECT_EQ(bound.arena.peakBytes, uint64_t(2 * 4352)) << "arena";
  EXPECT_EQ(bound.arena.sumBytes, uint64_t(3 * 4352)) << "without sharing";

  EXPECT_THAT(bindPlan(plan, {{"batch", 2}}, bound),
              FailsWith(HasSubstr("dimension 'seq' of 'x' has no size")))
      << "a size is missing";
  EXPECT_THAT(bindPlan(plan, {{"batch", 2}, {"seq", 0}}, bound),
              FailsWith(HasSubstr("expected a size of at least 1, got 0")))
      << "a size is zero";
  EXPECT_THAT(
      bindPlan(plan, {{"batch", 1 << 20}, {"seq", 1 << 20}}, bound),
      FailsWith(HasSubstr("tensor 'x' of bf16 [batch, seq, 64] is too large")))
      << "too large";
  EXPECT_EQ(bindPlan(plan, {{"batch", (1 << 16) - 1}, {"seq", 1 << 15}}, bound),
            std::nullopt)
      << "as many rows as 31 bits count";
  EXPECT_THAT(bindPlan(plan, {{"batch", 1 << 16}, {"seq", 1 << 15}}, bound),
              FailsWith(HasSubstr("tensor 'x' of bf16 [batch, seq, 64] is too "
                                  "large")))
      << "one more, of less memory than a device has";
}

TEST(LaunchPlanTest, FewRowsHaveAKernelOfTheirOwn) {
  LaunchPlan plan = makePlan();
  PlanLaunch &launch = plan.launches[0];
  launch.kernel = "many";
  auto choose = [&](int64_t rows, int64_t tokens) {
    BoundPlan bound;
    EXPECT_EQ(bindPlan(plan, {{"batch", rows}, {"seq", tokens}}, bound),
              std::nullopt);
    return chooseKernel(launch, bound.tensors).kernel;
  };
  EXPECT_EQ(choose(2, 8), "many") << "no other one";
  launch.few.emplace();
  launch.few->kernel = "few";
  launch.few->sizes = {{0, 0}, {0, 1}};
  launch.few->most = 16;
  EXPECT_EQ(choose(1, 1), "few");
  EXPECT_EQ(choose(2, 8), "few") << "the most";
  EXPECT_EQ(choose(1, 17), "many") << "one more";
  launch.few->kernel.clear();
  EXPECT_EQ(choose(2, 8), "") << "nothing is launched";
  EXPECT_EQ(choose(1, 17), "many");
  EXPECT_EQ(launch.getKernels().size(), 1u);
}

TEST(LaunchPlanTest, ViewsHaveNoMemoryOfTheirOwn) {
  LaunchPlan plan = makePlan();
  PlanTensor rows{
      "rows", "bf16", {makeSize(PlanSize::Multiply, batch, seq), {64, ""}}};
  rows.viewOf = 1;
  plan.tensors.push_back(rows);
  plan.results = {4, 6};
  BoundPlan bound;
  EXPECT_EQ(bindPlan(plan, {{"batch", 2}, {"seq", 17}}, bound), std::nullopt)
      << "sizes";
  // a is read in the end, and a view has no memory.
  EXPECT_EQ(bound.arena.peakBytes, uint64_t(3 * 4352)) << "arena";
  EXPECT_EQ(bound.arena.sumBytes, uint64_t(3 * 4352)) << "without sharing";
  plan.tensors[6].shape[1] = {32, ""};
  EXPECT_THAT(bindPlan(plan, {{"batch", 2}, {"seq", 17}}, bound),
              FailsWith(HasSubstr(
                  "view 'rows' of [34, 32]: expected as many elements as 'a' "
                  "of [2, 17, 64]")))
      << "other elements";
}

TEST(LaunchPlanTest, SizesMayBeComputed) {
  LaunchPlan plan = makePlan();
  PlanSize half = makeSize(PlanSize::FloorDiv, seq, {2, ""});
  plan.tensors[1].shape[1] = half;
  plan.tensors[1].type = "i1";
  BoundPlan bound;
  EXPECT_EQ(bindPlan(plan, {{"batch", 2}, {"seq", 17}}, bound), std::nullopt)
      << "sizes";
  EXPECT_EQ(bound.tensors[1].shape[1], 8) << "half";
  EXPECT_EQ(bound.tensors[1].bytes, uint64_t(2 * 8 * 64)) << "a byte each";
  EXPECT_THAT(bindPlan(plan, {{"batch", 2}, {"seq", 1}}, bound),
              FailsWith(HasSubstr(
                  "size 'seq floordiv 2' of 'a': expected at least 1, got 0")))
      << "nothing is left";
  plan.tensors[0].shape[1] = half;
  PlanDims dims;
  EXPECT_THAT(matchShape(plan.tensors[0], {2, 8, 64}, dims),
              FailsWith(HasSubstr(
                  "expected 'x' to be bf16 [batch, seq floordiv 2, 64], got "
                  "[2, 8, 64]")))
      << "no input says it";
}

TEST(LaunchPlanTest, ShapesNameSizes) {
  PlanTensor tensor{"x", "bf16", {batch, seq, {64, ""}}};
  PlanDims dims;
  EXPECT_EQ(matchShape(tensor, {2, 17, 64}, dims), std::nullopt) << "a shape";
  EXPECT_EQ(dims["seq"], 17) << "names it";
  EXPECT_EQ(matchShape(tensor, {2, 17, 64}, dims), std::nullopt)
      << "the same again";
  EXPECT_THAT(matchShape(tensor, {2, 16, 64}, dims),
              FailsWith(HasSubstr("dimension 'seq' is 17, but 16 in 'x'")))
      << "another size";
  EXPECT_THAT(matchShape(tensor, {2, 17, 63}, dims),
              FailsWith(HasSubstr(
                  "expected 'x' to be bf16 [batch, seq, 64], got [2, 17, 63]")))
      << "another fixed size";
  EXPECT_THAT(matchShape(tensor, {17, 64}, dims),
              FailsWith(HasSubstr("got [17, 64]")))
      << "another rank";
}

TEST(LaunchPlanTest, ReportsArePlacesAndDetails) {
  auto makeWord = [](uint32_t place, int32_t detail) {
    return (uint64_t(UINT32_MAX - place) << 32) | static_cast<uint32_t>(detail);
  };
  PlanLaunch route;
  route.kernel = "route_0";
  route.reports.emplace();
  EXPECT_EQ(describeReport(route, 0), std::nullopt) << "nothing";
  EXPECT_THAT(describeReport(route, makeWord(0, 0)),
              FailsWith("kernel 'route_0': 'block.route' expected scores "
                        "without NaN, got one in row 0, of an infinite logit "
                        "or correction"));
  EXPECT_THAT(describeReport(route, makeWord(3000000000u, 1)),
              FailsWith(HasSubstr("for expert 0 in row 3000000000")));
  PlanLaunch sum;
  sum.kernel = "sum";
  sum.layer = 2;
  sum.reports = {PlanReports::Indices, 0, 8, 3};
  EXPECT_THAT(describeReport(sum, makeWord(7, -1)),
              FailsWith("kernel 'sum' of layer 2: 'block.experts' expected "
                        "indices to be in [0, 8), or larger with a weight of "
                        "0, got -1 in slot 1 of row 2"));
  EXPECT_THAT(describeReport(sum, makeWord(0, INT32_MAX)),
              FailsWith(HasSubstr("got at least 2147483647 in slot 0")));
  EXPECT_THAT(describeReport(sum, makeWord(0, INT32_MIN)),
              FailsWith(HasSubstr("got at most -2147483648 in slot 0")));
}
