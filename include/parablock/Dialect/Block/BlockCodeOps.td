//===- BlockCodeOps.td - rows in codes of 8 bits -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rows as numbers of 8 bits with a scale for each group of columns: an
// approximation, which block-quantize makes on request.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKCODEOPS_TD
#define PARABLOCK_IR_BLOCKCODEOPS_TD

include "parablock/Dialect/Block/BlockOpBase.td"

def Block_GroupScalesOp : Block_PureOp<"group_scales", [
    Block_Step<"Group">,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "scales of groups of columns, for codes of 8 bits";
  let description = [{
    Level 2. For each row and each `group` columns, the smallest power of 2 by which 448,
    the largest number of E4M3, is not below any finite magnitude of the group, but at least
    2^-116: all numbers of codes times a scale are then normal numbers of f32, or 0. Results
    are f32, `[batch, sequence, groups]`.

    Constraints: [GSCALES-1] the group is a positive divisor of the width; [GSCALES-2] the
    result has one element per row and group.
  }];
  let arguments = (ins Block_In<"Rows", Block_Hidden>:$input, I64Attr:$group);
  let results = (outs Block_Statistic:$result);
  let assemblyFormat = "$input" # Block_Signature<"ruleGroupScales", ["input"]>.format;
  let extraClassDeclaration = [{
    static bool makesStatistics() { return true; }
    int64_t getGranule() { return getGroup(); }
  }];
}

def Block_EncodeGroupsOp : Block_RowOp<"encode_groups", [
    Block_Step<"Group">]> {
  let summary = "codes of 8 bits of rows";
  let description = [{
    Level 2. `result[.., c]` is the E4M3 code of the number nearest to
    `input[.., c] / scales[.., c / group]`, ties to the even code, where `group` is the width
    of the input over that of the scales. Magnitudes beyond 448 become 448; a number that is
    not finite becomes 127, the code of no number. The code of a negative number is its
    magnitude's with the highest bit set. Scales are powers of 2 from 2^-116 to 2^120, such as
    those of `block.group_scales`; the result is undefined for others.

    Constraints: [ENCODE-1] scales have the rows of the input, and a width that divides its
    width; [ENCODE-2] the result has the shape of the input.
  }];
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$input,
                       Block_In<"Statistic", Block_Statistic>:$scales);
  let results = (outs Block_CodedRows:$result);
  let assemblyFormat = "$input `scales` $scales" #
      Block_Signature<"ruleEncodeGroups", ["input", "scales"]>.format;
  let extraClassDeclaration = [{
    static bool movesRows() { return false; }
    int64_t getGranule() { return getGroup(); }
    /// Columns that a scale applies to.
    int64_t getGroup();
  }];
}

def Block_DecodeGroupsOp : Block_RowOp<"decode_groups", [
    Block_Step<"Group">]> {
  let summary = "rows from codes of 8 bits";
  let description = [{
    Level 2. `result[.., c] = number(codes[.., c]) * scales[.., c / group]`, rounded once; the
    numbers are those of form `fp8` of `block.unpack_weight`. Products with scales of
    `block.group_scales` are exact in f32 and bf16. In f16 a magnitude of 65536, to which
    numbers from 63488 on are rounded, is infinite.

    Constraints: [DECODE-1] scales have the rows of the codes, and a width that divides
    their width; [DECODE-2] the result has the shape of the codes.
  }];
  let arguments = (ins Block_In<"Columns", Block_CodedRows>:$codes,
                       Block_In<"Statistic", Block_Statistic>:$scales);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$codes `scales` $scales" #
      Block_Signature<"ruleDecodeGroups", ["codes", "scales"]>.format;
  let extraClassDeclaration = [{
    static bool movesRows() { return false; }
    int64_t getGranule() { return getGroup(); }
    /// Columns that a scale applies to.
    int64_t getGroup();
  }];
}

#endif // PARABLOCK_IR_BLOCKCODEOPS_TD
