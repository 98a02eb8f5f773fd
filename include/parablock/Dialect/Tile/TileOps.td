//===- TileOps.td - ops of a CTA's program -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TILE_TILEOPS_TD
#define PARABLOCK_TILE_TILEOPS_TD

include "mlir/Bytecode/BytecodeOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "parablock/Dialect/Tile/TileTypes.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

def Tile_Global : MemRefOf<[F64, F32, BF16, F16, I64, I32, I16, I8, I1]>;
def Tile_Place : AnyTypeOf<[Tile_Global, Tile_BufferType], "global tensor or buffer">;
def Tile_Register : AnyTypeOf<[Tile_AccumulatorType, Tile_RowValuesType], "accumulator or row values">;
def Tile_Width : ConfinedAttr<I64Attr, [IntPositive]>;
def Tile_SizeMaps : TypedArrayAttrBase<AffineMapArrayAttr, "a list of affine maps for each result">;
def Tile_Scalar : AnyTypeOf<[F64, F32, BF16, F16, I64, I32, I16, I8, I1]>;

//===----------------------------------------------------------------------===//
// Kernels and launches
//===----------------------------------------------------------------------===//

def Tile_KernelOp : Tile_Op<"kernel", [FunctionOpInterface, IsolatedFromAbove]> {
  let summary = "the program of one CTA";
  let description = [{
    Contained in a `gpu.module`. Arguments are the tensors that it reads, then `outputs`
    that it writes, every element once, then `workspaces`: private memory of static size,
    0 before its first launch, used by launches in turn. Executed by `schedule.grid`
    CTAs. With `in_place`, an output may be the memory of an input that the kernel reads.
    With `reports`, the last workspace is the word of `tile.report`.

    Lowering adds attributes: the `chip` that the kernel has been checked for;
    `programmatic`, if the kernel itself waits for the previous launch; `shared_bytes`, its
    dynamic shared memory; and `tile.constant` on an input that no launch of the program
    writes, and that may therefore be read before the previous launch has ended.

    Constraints: [KERNEL-3] arguments are memrefs without layout, and there are no
    results; [KERNEL-4] at most as many outputs and workspaces as arguments; [KERNEL-5]
    only inputs are constant; [KERNEL-6] the word of reports is a memref of one i64.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       I64Attr:$outputs, DefaultValuedAttr<I64Attr, "0">:$workspaces,
                       Tile_ScheduleAttr:$schedule, UnitAttr:$in_place,
                       OptionalAttr<Tile_ReportsAttr>:$reports,
                       OptionalAttr<StrAttr>:$chip, UnitAttr:$programmatic,
                       OptionalAttr<Tile_Offset>:$shared_bytes,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "llvm::StringRef":$name, "mlir::FunctionType":$type,
                                 "int64_t":$outputs, "ScheduleAttr":$schedule,
                                 CArg<"int64_t", "0">:$workspaces)>];
  let extraClassDeclaration = [{
    mlir::ArrayRef<mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    mlir::ArrayRef<mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    mlir::Region *getCallableRegion() { return &getBody(); }
    int64_t getNumInputs() {
      return getArgumentTypes().size() - getOutputs() - getWorkspaces();
    }
    /// Name of the attribute of constant inputs.
    static constexpr llvm::StringLiteral getConstantAttrName() { return {"tile.constant"}; }
    bool isConstant(unsigned argument) {
      return static_cast<bool>(getArgAttr(argument, getConstantAttrName()));
    }
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "ends a kernel";
  let description = "The terminator of `tile.kernel`.";
  let assemblyFormat = "attr-dict";
}

def Tile_LaunchOp : Tile_Op<"launch", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one launch of a kernel";
  let description = [{
    In host code, on tensors: the results are the kernel's outputs. The order of
    launches is the order of the ops.

    If results have dynamic sizes, `size_symbols` contains pairs of an operand and one of
    its dimensions, and `sizes`, for each dimension of each result, a map from those sizes
    to its size: `affine_map<()[s0, s1] -> (s0 ceildiv 2)>`.

    If `few` is given, that kernel, with its own workspaces, is launched in place of the
    first if a product of sizes is at most `most`: `few_sizes` contains pairs of an operand
    and one of its dimensions. With these and without `few`, nothing is launched then, and
    the results are undefined.

    `in_place` contains pairs of a result and an operand. Where the launch is the operand's
    only reader, and another one makes it, both are the same memory.

    Constraints: [LAUNCH-1] `kernel` names a `tile.kernel`, or the device function it
    became; operands and results have the shapes and types of its arguments; [LAUNCH-2]
    `size_symbols` are pairs of an operand and one of its dimensions; [LAUNCH-3] `sizes` are
    maps of that many symbols to one size, for each dimension of each result; [LAUNCH-4]
    `few` is like `kernel`, and requires `few_sizes` and a positive `most`, which are given
    together; [LAUNCH-5] `in_place` are pairs of a result and an operand of its type,
    each in one pair.
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Variadic<AnyRankedTensor>:$inputs,
                       OptionalAttr<DenseI64ArrayAttr>:$size_symbols,
                       OptionalAttr<Tile_SizeMaps>:$sizes,
                       OptionalAttr<SymbolRefAttr>:$few,
                       OptionalAttr<DenseI64ArrayAttr>:$few_sizes,
                       OptionalAttr<I64Attr>:$most,
                       OptionalAttr<DenseI64ArrayAttr>:$in_place);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let builders = [OpBuilder<(ins "mlir::TypeRange":$types, "mlir::SymbolRefAttr":$kernel,
                                 "mlir::ValueRange":$inputs), [{
    build($_builder, $_state, types, kernel, inputs, mlir::DenseI64ArrayAttr(), mlir::ArrayAttr(),
          /*few=*/mlir::SymbolRefAttr(), /*few_sizes=*/mlir::DenseI64ArrayAttr(), /*most=*/mlir::IntegerAttr(),
          /*in_place=*/mlir::DenseI64ArrayAttr());
  }]>];
  let assemblyFormat = "$kernel `(` $inputs `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The map of `size_symbols` to a dimension of a result.
    mlir::AffineMap getSizeMap(unsigned result, unsigned dim) {
      auto own = llvm::cast<mlir::ArrayAttr>((*getSizes())[result]);
      return llvm::cast<mlir::AffineMapAttr>(own[dim]).getValue();
    }
  }];
}

def Tile_DimOp : Tile_Op<"dim", [Pure]> {
  let summary = "size of a dimension of a global tensor";
  let description = [{
    Folds to a constant if the type is static.

    Constraint: [DIM-1] the tensor has that dimension.
  }];
  let arguments = (ins Tile_Global:$tensor, I64Attr:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$tensor `,` $dim attr-dict `:` type($tensor)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_TableOp : Tile_Op<"table", [Pure]> {
  let summary = "constants that a kernel looks up";
  let description = [{
    Read by `tile.load`. Equal tables are one object in device memory.

    Constraint: [TABLE-1] values and result have the same shape and element type.
  }];
  let arguments = (ins ElementsAttr:$values);
  let results = (outs Tile_Global:$result);
  let assemblyFormat = "$values attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

def Tile_TilesOp : Tile_Op<"tiles", [
    RecursiveMemoryEffects, SingleBlock, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "distributes output tiles over CTAs";
  let description = [{
    The body runs once for every pair of `row` below `rows` and `column` below `columns`, in
    one CTA each. Tiles that are near in time are near in memory: `band` rows of tiles are
    finished, column by column, before the next ones. CTAs of a cluster take neighbouring
    rows of one column at a time, the last one possibly a row past the end, for which
    `tile.rows` have no rows: `in_step` marks a body that supports this. CTAs take tiles
    round by round.

    Constraint: [TILES-1] the band is at least 1; the body has two arguments of type
    index.
  }];
  let arguments = (ins Index:$rows, Index:$columns, DefaultValuedAttr<I64Attr, "8">:$band,
                       UnitAttr:$in_step);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Tile_PipelineOp : Tile_Op<"pipeline", [
    RecursiveMemoryEffects, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "copies tiles in while earlier ones are multiplied";
  let description = [{
    For every step `0 .. steps - 1`, `produce` fills a fresh set of buffers with
    `tile.copy`, and `consume` reads it and yields the next carried values. Both get the
    step and the buffers, `consume` the carried values besides. `produce` for later steps
    overlaps with `consume`: in separate warps with copies by tma, else in software, `stages
    - 1` steps ahead; `stages` defaults to the schedule's number. Products that lead to the
    results are complete.

    A pipeline of one step and one stage holds a tile during `consume`, which may contain a
    pipeline itself.

    Lowering adds whether the warps here copy or compute (`as`), the offset of its buffers
    in shared memory (`at`), the numbers of buffers that only deferred products read and
    that are therefore released late (`deferred`), and whether the copying warps wait here
    for the previous launch (`waits`): the first time, they copy constants for as many steps
    as there are stages, and then wait.

    Constraints: [PIPELINE-1] both regions have an index and then the same buffers as
    arguments, `consume` ends with the carried values; [PIPELINE-2] `consume` yields values
    of their types, `produce` none; [PIPELINE-3] there is at least one carried value and one
    stage; [PIPELINE-4] deferred buffers are numbers of buffers, in ascending order;
    [PIPELINE-5] a pipeline that waits belongs to copying warps, and contains neither
    deferred buffers nor pipelines.
  }];
  let arguments = (ins Index:$steps, Variadic<Tile_Register>:$inits,
                       OptionalAttr<I64Attr>:$stages, OptionalAttr<Tile_RoleAttr>:$role,
                       OptionalAttr<Tile_Offset>:$offset,
                       OptionalAttr<DenseI64ArrayAttr>:$deferred, UnitAttr:$waits);
  let results = (outs Variadic<Tile_Register>:$results);
  let regions = (region SizedRegion<1>:$produce, SizedRegion<1>:$consume);
  let assemblyFormat = [{
    $steps (`stages` $stages^)? (`as` $role^)? (`at` $offset^)? (`deferred` $deferred^)? (`waits` $waits^)?
    `init` $inits `:` type($inits) `produce` $produce `consume` $consume attr-dict
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let builders = [OpBuilder<(ins "mlir::Value":$steps, "mlir::ValueRange":$inits,
                                 CArg<"int64_t", "0">:$stages)>];
  let extraClassDeclaration = [{
    /// The buffers of one step.
    mlir::ArrayRef<mlir::BlockArgument> getBuffers() {
      return getProduce().getArguments().drop_front();
    }
    /// Returns whether `consume` contains pipelines.
    bool isNest();
  }];
}

def Tile_BetweenOp : Tile_Op<"between", [Pure]> {
  let summary = "whether a step of a pipeline is in a middle range";
  let description = [{
    In `consume`: true if `from <= step < to`. A pipeline with deferred products has
    separate loops for the steps before, between and after, in which the result is constant.

    Constraint: [BETWEEN-1] the step is that of the innermost enclosing pipeline, whose
    `consume` does not define the bounds.
  }];
  let arguments = (ins Index:$step, Index:$from, Index:$to);
  let results = (outs I1:$result);
  let assemblyFormat = "$step `from` $from `to` $to attr-dict";
  let hasVerifier = 1;
}

def Tile_CopyOp : Tile_Op<"copy", [MemoryEffects<[MemRead, MemWrite]>,
                                   AttrSizedOperandSegments]> {
  let summary = "copies a box of a global tensor into a buffer";
  let description = [{
    In `produce`. Copies `count` rows of the buffer's width, starting at `row` and `column`
    of the tensor, to the buffer's rows starting at `first`. Elements outside the tensor are
    0. With `end`, rows from there on count as outside; with copies by tma into buffers of
    deferred products, only in the last step. With `width`, a divisor of `column`, columns
    from `column + width` on count as outside, too. With `parts`, every row of the tensor
    fills that many rows of the buffer, from neighbouring parts of `width` columns. A
    `shared` copy is the same in all CTAs of a cluster, each of which copies a part of its
    rows for all. With `pages`, the tensor consists of pages of `R` rows, and `row` and
    `end` count rows through line `line` of the table: row `r` is row `r mod R` of page
    `pages[line, r div R]`; page numbers out of range are clamped, and rows beyond the table
    count as outside.

    Constraints: [COPY-1] tensor and buffer have the same element type, and the tensor has a
    dimension; [COPY-2] the
    rows lie within the buffer, in groups of 8; [COPY-3] a width is positive, and no
    more than the buffer's; [COPY-4] parts are positive, and more than 1 have a width;
    [COPY-5] pages are i64 in lines, come with a line, and the tensor has pages of known rows.
  }];
  let arguments = (ins Tile_Global:$source, Index:$row, Index:$column,
                       Tile_BufferType:$buffer, Optional<Index>:$end,
                       Optional<Tile_Global>:$pages, Optional<Index>:$line,
                       DefaultValuedAttr<I64Attr, "0">:$first,
                       I64Attr:$count, OptionalAttr<I64Attr>:$width,
                       DefaultValuedAttr<I64Attr, "1">:$parts, UnitAttr:$shared);
  let builders = [OpBuilder<(ins "mlir::Value":$source, "mlir::Value":$row,
                                 "mlir::Value":$column, "mlir::Value":$buffer,
                                 "int64_t":$first, "int64_t":$count,
                                 CArg<"mlir::Value", "{}">:$end)>];
  let assemblyFormat = [{
    $source `[` $row `,` $column `]` (`below` $end^)? (`width` $width^)?
    (`parts` $parts^)? (`pages` $pages^ `[` $line `]` `:` type($pages))?
    `to` $buffer `[` $first `,` $count `]` (`shared` $shared^)? attr-dict
    `:` type($source) `to` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tile_ZeroOp : Tile_Op<"zero", [Pure]> {
  let summary = "an accumulator of zeros";
  let description = "Every element is 0.";
  let results = (outs Tile_AccumulatorType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

include "parablock/Dialect/Tile/TileMultiplyOps.td"

def Tile_MapOp : Tile_Op<"map", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "computes every element of tiles in registers";
  let description = [{
    The body's arguments are the row, the column if results are accumulators, and the
    element of each operand there (row values are constant along their row); it yields the
    element of each result. Scales, caps, biases and masks of scores are thus code in a
    region.

    Constraints: [MAP-1] operands and results have the same number of rows, and
    accumulators of columns; [MAP-2] results are accumulators, or row values of
    which operands are none; [MAP-3] the body has these arguments and yields these
    values.
  }];
  let arguments = (ins Variadic<Tile_Register>:$operands);
  let results = (outs Variadic<Tile_Register>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $operands `:` functional-type($operands, $results) $body attr-dict
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_CombineOp : Tile_Op<"combine", [Pure]> {
  let summary = "combines the columns of each row of an accumulator";
  let description = [{
    Needs a schedule with `whole_rows`. The order is the same every time.

    With `shares`, each thread combines what it holds of a row: what lanes of a row have
    then differs, and all of it together is the result. A later combine of the row
    values gives that. Sums can wait for it to the end of a pipeline, as long as what is
    done to shares may be done to each by itself.

    Constraints: [COMBINE-1] the result has the accumulator's rows; [COMBINE-2] shares
    are those of an accumulator.
  }];
  let arguments = (ins Tile_ReductionAttr:$kind, Tile_Register:$accumulator,
                       UnitAttr:$shares);
  let results = (outs Tile_RowValuesType:$result);
  let assemblyFormat = [{
    $kind (`shares` $shares^)? $accumulator attr-dict `:` type($accumulator) `to` type($result)
  }];
  let hasVerifier = 1;
}

include "parablock/Dialect/Tile/TileStageOps.td"

def Tile_JoinOp : Tile_Op<"join", [
    RecursiveMemoryEffects, SingleBlock, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "what the last of several CTAs does for all";
  let description = [{
    In `tile.tiles`. `count` CTAs come here for each element `index` of `counters`, a
    workspace; the body runs in the last of them, and reads what all stored into
    workspaces before. So a sum over CTAs is made in a fixed order, whoever comes
    last. Leaves the counter 0, as it was. Lowering adds where in shared memory CTAs
    keep who came when (`at`).

    Constraint: [JOIN-1] counters are a vector of i32, and the count, where it is
    known, is at least 1.
  }];
  let arguments = (ins MemRefRankOf<[I32], [1]>:$counters, Index:$index, Index:$count,
                       OptionalAttr<Tile_Offset>:$offset);
  let builders = [OpBuilder<(ins "mlir::Value":$counters, "mlir::Value":$index,
                                 "mlir::Value":$count), [{
    build($_builder, $_state, counters, index, count, mlir::IntegerAttr());
  }]>];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $counters `[` $index `]` `of` $count (`at` $offset^)? `:` type($counters) $body attr-dict
  }];
  let hasRegionVerifier = 1;
}

def Tile_JoinClusterOp : Tile_Op<"join_cluster", [
    SingleBlock, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "adds what the CTAs of a cluster have staged";
  let description = [{
    In `tile.tiles`, with a schedule that `joins`. Every CTA of the cluster comes here with
    its sums in `staged`. Each row below `count` of the first `extent` becomes their sum in
    the order of CTAs, whoever comes last, in the CTA and for the warp that gets the row in
    `tile.rows` with `cluster`; there the body may read it. No CTA goes on before the others
    have read what it staged. Lowering adds where in shared memory the barrier is (`at`).

    Constraint: [JOINCLUSTER-1] the buffer is f32, not swizzled, has columns in fours and
    at least `extent` rows, of which there is one.
  }];
  let arguments = (ins Tile_BufferType:$staged, Index:$count, I64Attr:$extent,
                       OptionalAttr<Tile_Offset>:$offset);
  let builders = [OpBuilder<(ins "mlir::Value":$staged, "mlir::Value":$count, "int64_t":$extent), [{
    build($_builder, $_state, staged, count, extent, mlir::IntegerAttr());
  }]>];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $staged `below` $count `extent` $extent (`at` $offset^)? `:` type($staged) $body attr-dict
  }];
  let hasRegionVerifier = 1;
}

include "parablock/Dialect/Tile/TileFoldOps.td"
include "parablock/Dialect/Tile/TileFillOps.td"

//===----------------------------------------------------------------------===//
// Rows and columns
//===----------------------------------------------------------------------===//

def Tile_RowsOp : Tile_Op<"rows", [
    RecursiveMemoryEffects, SingleBlock, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "one warp per row";
  let description = [{
    The body runs once for every row below `count`, in one of the computing warps. With
    `grid` the rows are distributed over the warps of all CTAs, else over those of this one
    (all of which execute it): warp `w` of `W` takes the rows `w*R/W` to `(w+1)*R/W - 1` of
    the `R = extent` rows of the tile, or one of `parts` parts of them. With `cluster`, warps
    are counted through all CTAs of a cluster.

    Constraints: [ROWS-1] the body has one argument of type index; there is an extent
    unless `grid`; [ROWS-2] with a part, the number of parts is above 1 and divides the
    extent; [ROWS-3] with `cluster`, there is an extent and no part.
  }];
  let arguments = (ins Index:$count, UnitAttr:$grid, OptionalAttr<I64Attr>:$extent,
                       Optional<Index>:$part, DefaultValuedAttr<I64Attr, "1">:$parts,
                       UnitAttr:$cluster);
  let builders = [OpBuilder<(ins "mlir::Value":$count, "int64_t":$extent,
                                 CArg<"mlir::Value", "{}">:$part,
                                 CArg<"uint64_t", "1">:$parts), [{
    build($_builder, $_state, count, /*grid=*/false, $_builder.getI64IntegerAttr(extent), part, parts);
  }]>];
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Tile_ColumnsOp : Tile_Op<"columns", [
    RecursiveMemoryEffects, SingleBlock, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "distributes columns over the lanes of a warp";
  let description = [{
    In `tile.rows`. The body runs once for every column from `from` to below `to`, in one
    lane each. Values that it stores into a buffer can be read after it. Lowering adds
    `width`, the number of neighbouring columns over which the body is unrolled, `rounds`,
    the number of such runs (a warp's columns apart) over which it is unrolled, and
    `synchronized` if lanes synchronize before and after it, since they read values that
    others wrote.

    Constraint: [COLUMNS-1] the body has one argument of type index.
  }];
  let arguments = (ins Index:$from, Index:$to, OptionalAttr<Tile_Width>:$width,
                       OptionalAttr<Tile_Width>:$rounds, UnitAttr:$synchronized);
  let builders = [OpBuilder<(ins "mlir::Value":$from, "mlir::Value":$to), [{
    build($_builder, $_state, from, to, /*width=*/mlir::IntegerAttr(), /*rounds=*/mlir::IntegerAttr());
  }]>];
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "combines a value over columns";
  let description = [{
    In `tile.rows`. The body yields an f32 for every column from `from` to below `to`; the
    result, uniform over the warp, combines them with `kind`: 0 or minus infinity without
    columns. A lane combines the columns that it loads at once pairwise, and with its
    earlier ones in ascending order; lanes are then combined pairwise: the order never
    depends on timing. `width` and `rounds` are as in `tile.columns`.

    Constraint: [REDUCE-1] the body has one argument of type index and yields one f32.
  }];
  let arguments = (ins Index:$from, Index:$to, Tile_ReductionAttr:$kind,
                       OptionalAttr<Tile_Width>:$width,
                       OptionalAttr<Tile_Width>:$rounds);
  let results = (outs F32:$result);
  let builders = [OpBuilder<(ins "mlir::Type":$type, "mlir::Value":$from, "mlir::Value":$to,
                                 "ReductionAttr":$kind), [{
    build($_builder, $_state, type, from, to, kind, /*width=*/mlir::IntegerAttr(), /*rounds=*/mlir::IntegerAttr());
  }]>];
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Tile_LoadOp : Tile_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "one element";
  let description = [{
    Reads a global tensor, a table or a buffer at `[row, column]`, or a tensor of any rank
    at `[element]`, counted in the order of memory. Floats of up to 32 bits are loaded as
    f32 or unconverted, other types unconverted. An i1 is a byte in memory.

    Constraint: [LOAD-1] the number of indices matches the place, and the result is f32 or
    the element type.
  }];
  let arguments = (ins Tile_Place:$source, Variadic<Index>:$indices);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = "$source `[` $indices `]` attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes one element";
  let description = [{
    The counterpart of `tile.load`; f32 is rounded to the element type, to nearest even.
    Directly in `tile.rows` one lane of the warp stores, in `tile.columns` the lane of the
    column. Lowering adds which lane stores (`by`), and whether lanes synchronize before and
    after it (`synchronized`).

    Constraint: [STORE-1] as LOAD-1.
  }];
  let arguments = (ins Tile_Scalar:$value, Tile_Place:$destination, Variadic<Index>:$indices,
                       OptionalAttr<Tile_LanesAttr>:$lanes, UnitAttr:$synchronized);
  let builders = [OpBuilder<(ins "mlir::Value":$value, "mlir::Value":$destination,
                                 "mlir::ValueRange":$indices), [{
    build($_builder, $_state, value, destination, indices, LanesAttr());
  }]>];
  let assemblyFormat = [{
    $value `,` $destination `[` $indices `]` (`by` $lanes^)? (`synchronized` $synchronized^)? attr-dict `:` type($value) `to` type($destination)
  }];
  let hasVerifier = 1;
}

include "parablock/Dialect/Tile/TileReportOp.td"

def Tile_RoundOp : Tile_Op<"round", [Pure]> {
  let summary = "rounds a value as a store and a load would";
  let description = [{
    The nearest value of `type`, as f32.

    Constraint: [ROUND-1] the type is f32, bf16 or f16.
  }];
  let arguments = (ins F32:$value, TypeAttr:$type);
  let results = (outs F32:$result);
  let assemblyFormat = "$value `to` $type attr-dict";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ScratchOp : Tile_Op<"scratch", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a row of shared memory for each warp";
  let description = [{
    In `tile.rows`. Not initialised. Lowering adds the offset of the first warp's row
    (`at`).

    Constraint: [SCRATCH-1] the buffer is f32, one row, in layout `rows`.
  }];
  let arguments = (ins OptionalAttr<Tile_Offset>:$offset);
  let results = (outs Tile_BufferType:$buffer);
  let builders = [OpBuilder<(ins "mlir::Type":$buffer), [{
    build($_builder, $_state, buffer, mlir::IntegerAttr());
  }]>];
  let assemblyFormat = "(`at` $offset^)? attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "ends a region";
  let description = "Yields the values that the enclosing op requires.";
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [OpBuilder<(ins), [{}]>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // PARABLOCK_TILE_TILEOPS_TD
