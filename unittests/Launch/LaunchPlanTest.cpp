//===- LaunchPlanTest.cpp - plans get their sizes -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/LaunchPlan.h"

#include "Check.h"

using namespace parablock;

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

static bool failsWith(const launch::Status &status, const char *part) {
  return status && status->text.find(part) != std::string::npos;
}

static void testBinding() {
  LaunchPlan plan = makePlan();
  BoundPlan bound;
  CHECK("sizes", !bindPlan(plan, {{"batch", 2}, {"seq", 17}}, bound));
  CHECK_EQUAL("rows", bound.tensors[1].rows, uint64_t(34));
  CHECK_EQUAL("columns", bound.tensors[1].columns, uint64_t(64));
  CHECK_EQUAL("bytes", bound.tensors[1].bytes, uint64_t(34 * 64 * 2));
  // a and b, b and c live together; neither the result nor the workspace does.
  CHECK_EQUAL("arena", bound.arena.peakBytes, uint64_t(2 * 4352));
  CHECK_EQUAL("without sharing", bound.arena.sumBytes, uint64_t(3 * 4352));

  CHECK("a size is missing", failsWith(bindPlan(plan, {{"batch", 2}}, bound),
                                       "dimension 'seq' of 'x' has no size"));
  CHECK("a size is zero",
        failsWith(bindPlan(plan, {{"batch", 2}, {"seq", 0}}, bound),
                  "expected a size of at least 1, got 0"));
  CHECK("too large",
        failsWith(bindPlan(plan, {{"batch", 1 << 20}, {"seq", 1 << 20}}, bound),
                  "tensor 'x' of bf16 [batch, seq, 64] is too large"));
}

static void testViews() {
  LaunchPlan plan = makePlan();
  PlanTensor rows{
      "rows", "bf16", {makeSize(PlanSize::Multiply, batch, seq), {64, ""}}};
  rows.viewOf = 1;
  plan.tensors.push_back(rows);
  plan.results = {4, 6};
  BoundPlan bound;
  CHECK("sizes", !bindPlan(plan, {{"batch", 2}, {"seq", 17}}, bound));
  // a is read in the end, and a view has no memory.
  CHECK_EQUAL("arena", bound.arena.peakBytes, uint64_t(3 * 4352));
  CHECK_EQUAL("without sharing", bound.arena.sumBytes, uint64_t(3 * 4352));
  plan.tensors[6].shape[1] = {32, ""};
  CHECK("other elements",
        failsWith(bindPlan(plan, {{"batch", 2}, {"seq", 17}}, bound),
                  "view 'rows' of [34, 32]: expected as many elements as 'a' "
                  "of [2, 17, 64]"));
}

static void testDerived() {
  LaunchPlan plan = makePlan();
  PlanSize half = makeSize(PlanSize::FloorDiv, seq, {2, ""});
  plan.tensors[1].shape[1] = half;
  plan.tensors[1].type = "i1";
  BoundPlan bound;
  CHECK("sizes", !bindPlan(plan, {{"batch", 2}, {"seq", 17}}, bound));
  CHECK_EQUAL("half", bound.tensors[1].shape[1], int64_t(8));
  CHECK_EQUAL("a byte each", bound.tensors[1].bytes, uint64_t(2 * 8 * 64));
  CHECK("nothing is left",
        failsWith(bindPlan(plan, {{"batch", 2}, {"seq", 1}}, bound),
                  "size 'seq floordiv 2' of 'a': expected at least 1, got 0"));
  plan.tensors[0].shape[1] = half;
  PlanDims dims;
  CHECK("no input says it",
        failsWith(matchShape(plan.tensors[0], {2, 8, 64}, dims),
                  "expected 'x' to be bf16 [batch, seq floordiv 2, 64], got "
                  "[2, 8, 64]"));
}

static void testMatching() {
  PlanTensor tensor{"x", "bf16", {batch, seq, {64, ""}}};
  PlanDims dims;
  CHECK("a shape", !matchShape(tensor, {2, 17, 64}, dims));
  CHECK_EQUAL("names it", dims["seq"], int64_t(17));
  CHECK("the same again", !matchShape(tensor, {2, 17, 64}, dims));
  CHECK("another size", failsWith(matchShape(tensor, {2, 16, 64}, dims),
                                  "dimension 'seq' is 17, but 16 in 'x'"));
  CHECK("another fixed size",
        failsWith(matchShape(tensor, {2, 17, 63}, dims),
                  "expected 'x' to be bf16 [batch, seq, 64], got [2, 17, 63]"));
  CHECK("another rank",
        failsWith(matchShape(tensor, {17, 64}, dims), "got [17, 64]"));
}

int main() {
  testBinding();
  testViews();
  testDerived();
  testMatching();
  return unittest::finish();
}
