//===- BlockNormOps.td - norm and its two steps ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKNORMOPS_TD
#define PARABLOCK_IR_BLOCKNORMOPS_TD

include "parablock/Dialect/Block/BlockOpBase.td"

def Block_NormOp : Block_RowOp<"norm", [
    Block_Step<"Row", "Composite", "Norm">,
    AttrSizedOperandSegments]> {
  let summary = "normalisation over the last dimension or groups of it";
  let description = [{
    Level 1. Splits the last dimension into `groups` equal parts (1: the whole
    row; a head norm has one per head), normalises each by `form` (see
    `#block.norm`), multiplies the gain and adds the bias. Gain and bias have one
    element per channel of a group, or one per channel of the row. Computed in
    f32 or wider; rounding points: the one of `form.rounding` and the result.
    The result may be of another float type than the input.

    Constraints: [NORM-1] the result has the shape of the input; [NORM-2] groups
    divide the last dimension; [NORM-3] gain and bias have the size of a group or
    of the row.
  }];
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$input,
                       Block_In<"NormGain", Optional<Block_Vector>>:$gamma,
                       Block_In<"NormGain", Optional<Block_Vector>>:$beta, Block_NormAttr:$form,
                       DefaultValuedAttr<I64Attr, "1">:$groups);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$input (`gamma` $gamma^)? (`beta` $beta^)?" #
      Block_Signature<"ruleNorm", ["input", "gamma", "beta"]>.format;
}

def Block_NormStatsOp : Block_PureOp<"norm_stats", [
    Block_Step<"Row">,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "row statistics of a norm";
  let description = [{
    Level 2. For each row and group: with `centered` the mean and the mean of the
    squared distances to it (two passes or Welford, never E[x^2] - E[x]^2);
    else one result, the mean of squares (`l2` norms take it times the group's
    size). Results are f32, `[batch, sequence, groups]`. Epsilon is not in here, so
    norms with different ones can share them.

    Constraints: [STATS-1] two results if centered, else one; [STATS-2] groups
    divide the last dimension; [STATS-3] results have one element per row and
    group.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$input, UnitAttr:$centered,
                       DefaultValuedAttr<I64Attr, "1">:$groups);
  let results = (outs Variadic<Block_Statistic>:$statistics);
  let assemblyFormat = "$input (`centered` $centered^)?" #
      Block_Signature<"ruleNormStats", ["input"], "statistics">.format;
  let extraClassDeclaration = [{
    StepReach getReach();
    static bool makesStatistics() { return true; }
    int64_t getGranule();
    /// The mean, or a null value where the statistics are not centred.
    ::mlir::Value getMean() { return getCentered() ? getStatistics().front() : ::mlir::Value(); }
    ::mlir::Value getMoment() { return getStatistics().back(); }
  }];
}

def Block_NormalizeOp : Block_RowOp<"normalize", [
    Block_Step<"Row", "Step", "Norm">,
    AttrSizedOperandSegments]> {
  let summary = "applies row statistics, gain and bias";
  let description = [{
    Level 2. `(input - mean) * r(moment)`, gain and bias as `block.norm` says, from
    statistics that `block.norm_stats` made. Rounding points: the one of
    `form.rounding` and the result.

    Constraints: [NORMALIZE-1] there is a mean if and only if the form is centred;
    [NORMALIZE-2] statistics have one element per row and group; [NORMALIZE-3] gain
    and bias have the size of a group or of the row; [NORMALIZE-4] the result has
    the shape of the input.
  }];
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$input,
                       Block_In<"Statistic", Optional<Block_Statistic>>:$mean,
                       Block_In<"Statistic", Block_Statistic>:$moment,
                       Block_In<"NormGain", Optional<Block_Vector>>:$gamma,
                       Block_In<"NormGain", Optional<Block_Vector>>:$beta, Block_NormAttr:$form,
                       DefaultValuedAttr<I64Attr, "1">:$groups);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$input (`mean` $mean^)? `moment` $moment (`gamma` $gamma^)? (`beta` $beta^)?" #
      Block_Signature<"ruleNormalize", ["input", "mean", "moment", "gamma", "beta"]>.format;
  let extraClassDeclaration = [{
    StepReach getReach();
    int64_t getGranule();
    void takeColumns(int64_t own, int64_t all);
  }];
}

#endif // PARABLOCK_IR_BLOCKNORMOPS_TD
