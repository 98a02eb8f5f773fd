//===- TileMultiplyOps.td - products of tiles --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A part of TileOps.td, which defines the base classes.
//
//===----------------------------------------------------------------------===//

def Tile_MmaOp : Tile_Op<"mma", [
    MemoryEffects<[MemRead]>, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "multiplies two tiles into an accumulator";
  let description = [{
    In `consume`. `result[m, n] = accumulator[m, n] + sum_k left[m, k] * right[n, k]`. An
    operand marked `depth_first` is stored transposed, as `left[k, m]` or `right[k, n]`, so
    the four operand orders of a product need no transposed copies. With `depth`, the sum
    ends there. An accumulator on the left is rounded to the element type of the right
    operand. `less` are values of rows that are subtracted from the left operand before the
    product, in f32.

    A `deferred` product may overlap with the beginning of the next step of its pipeline.
    Buffers that only such products read are released later than the others, which are read
    before the first `tile.settle`. The pipeline has at least one step.

    Constraints: [MMA-1] both operands have the same depth, which is their columns, or
    rows where the depth comes first, and buffers the same element type; [MMA-2] the
    accumulator has the rows of the left operand, and at most those of the right; [MMA-3]
    a depth is positive, and no more than the operands'; [MMA-4] the depth of an
    accumulator does not come first; [MMA-5] the result of a deferred product is only
    yielded; [MMA-6] values of rows are subtracted from a buffer of f32, and match the
    accumulator's rows and width.
  }];
  let arguments = (ins AnyTypeOf<[Tile_BufferType, Tile_AccumulatorType]>:$left,
                       Tile_BufferType:$right,
                       Tile_AccumulatorType:$accumulator,
                       Optional<Tile_RowValuesType>:$less,
                       UnitAttr:$leftDepthFirst, UnitAttr:$rightDepthFirst,
                       OptionalAttr<I64Attr>:$depth, UnitAttr:$deferred);
  let results = (outs Tile_AccumulatorType:$result);
  let assemblyFormat = [{
    $left (`depth_first` $leftDepthFirst^)? (`less` $less^ `:` type($less))? `,`
    $right (`depth_first` $rightDepthFirst^)? `,` $accumulator
    (`depth` $depth^)? (`deferred` $deferred^)? attr-dict
    `:` type($left) `,` type($right) `,` type($accumulator)
  }];
  let hasVerifier = 1;
}

def Tile_MmaCodesOp : Tile_Op<"mma_codes", [
    MemoryEffects<[MemRead]>, AttrSizedOperandSegments, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "multiplies codes of few bits and a tile into an accumulator";
  let description = [{
    In `consume`. The left operand consists of cells of 16 rows in the order of lanes
    (`LaneCodes.h`): 8 rows of 128 bytes, with 64 columns of bytes or 128 of half bytes.
    The depth has as many equal parts as there are scales, or zero points, else one.
    `result[m, n] = accumulator[m, n] + sum_p scale_p[m] * sum_{k in p} (number(left[m, k]) -
    zero_p[m]) * right[n, k]`: numbers less zero points are exact in the right operand's
    type, sums of a part are f32, and so are scales. The numbers of codes are those of
    `block.unpack_weight`: `int8`, `int4` (0 to 15), `mxfp4` (E2M1) and `fp8` (E4M3). The
    product is complete, without a `tile.settle`.

    Constraints: [MMACODES-1] the left operand is a swizzled buffer of i8, the right one of
    bf16 or f16, with a column for each byte, or for each half byte; [MMACODES-2] the
    accumulator has twice the rows of the left operand, and at most those of the right;
    [MMACODES-3] scales and zero points match the accumulator's rows and width, and there
    are equally many, if there are both; [MMACODES-4] parts of the depth are multiples of
    16; [MMACODES-5] zero points are those of integers, whole numbers from -128 to 127.
  }];
  let arguments = (ins Tile_CodesAttr:$codes, Tile_BufferType:$left, Tile_BufferType:$right,
                       Tile_AccumulatorType:$accumulator,
                       Variadic<Tile_RowValuesType>:$scales,
                       Variadic<Tile_RowValuesType>:$zeros);
  let results = (outs Tile_AccumulatorType:$result);
  let assemblyFormat = [{
    $codes $left `,` $right `,` $accumulator (`scales` $scales^ `:` type($scales))?
    (`zeros` $zeros^ `:` type($zeros))? attr-dict
    `:` type($left) `,` type($right) `,` type($accumulator)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns whether a byte is two codes.
    bool isPacked() { return getCodes() == Codes::Int4 || getCodes() == Codes::MxFp4; }
    /// Returns the number of parts of the depth.
    int64_t getParts() {
      return std::max<int64_t>({1, static_cast<int64_t>(getScales().size()),
                                static_cast<int64_t>(getZeros().size())});
    }
  }];
}

def Tile_MmaScaledOp : Tile_Op<"mma_scaled", [
    MemoryEffects<[MemRead]>, AttrSizedOperandSegments, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "multiplies tiles of numbers of 8 bits, and adds the scaled sums";
  let description = [{
    In `consume`, with wgmma. `result[m, n] = accumulator[m, n] + scales[m] * c[n] * sum_k
    left[m, k] * right[n, k]`; elements are E4M3. The sums over k are those of tensor cores,
    which keep about 14 bits; scaled, they are added in f32 registers. The product is
    complete, without a `tile.settle`.

    `columns` is a tensor `[column, group]`: `c` are elements of its column `group`. The
    accumulator's columns are as many equal pieces as there are numbers after it, each the
    row of the tensor that a piece begins with; columns past the end have the last one's.
    Without `columns`, `c` is 1.

    Constraints: [MMASCALED-1] both operands are swizzled buffers of i8 with 128 columns;
    [MMASCALED-2] the accumulator has the rows of both operands; [MMASCALED-3] scales match
    the accumulator's rows and width; [MMASCALED-4] scales of columns are a tensor of f32 of
    two static dimensions, with a group and the beginnings of equal pieces.
  }];
  let arguments = (ins Tile_BufferType:$left, Tile_BufferType:$right,
                       Tile_AccumulatorType:$accumulator, Tile_RowValuesType:$scales,
                       Optional<AnyMemRef>:$columns, Optional<Index>:$group,
                       Variadic<Index>:$firsts);
  let results = (outs Tile_AccumulatorType:$result);
  let assemblyFormat = [{
    $left `,` $right `,` $accumulator `scales` $scales `:` type($scales)
    (`columns` $columns^ `[` $group `]` `from` $firsts `:` type($columns))? attr-dict
    `:` type($left) `,` type($right) `,` type($accumulator)
  }];
  let hasVerifier = 1;
}

def Tile_SettleOp : Tile_Op<"settle", [AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "waits for the products that an accumulator comes from";
  let description = [{
    In `consume`, between a product and its readers other than products and `tile.yield`.
    The last `pending` products before it may still run.

    Constraint: [SETTLE-1] pending is not negative.
  }];
  let arguments = (ins Tile_AccumulatorType:$accumulator,
                       DefaultValuedAttr<I64Attr, "0">:$pending);
  let results = (outs Tile_AccumulatorType:$result);
  let assemblyFormat = "$accumulator (`pending` $pending^)? attr-dict `:` type($accumulator)";
  let hasVerifier = 1;
}
