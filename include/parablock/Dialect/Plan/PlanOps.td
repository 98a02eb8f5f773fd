//===- PlanOps.td - host programs of functions -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PLAN_PLANOPS_TD
#define PARABLOCK_PLAN_PLANOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let cppNamespace = "::parablock::plan";
  let summary = "What a host does to run a compiled function.";
  let description = [{
    A `plan.program` is the host side of a function whose work is in kernels: the sizes
    that callers choose and expressions of them, the tensors that it holds, and
    launches of kernels in order. Its only arithmetic is `affine.apply` on sizes.
    Placement and lifetimes of tensors are not part of it: the runtime derives them
    from the launches.

    On a CPU, kernels are functions that are called for parts of a launch's items:

    ```mlir
    plan.program @main {
      %batch = plan.size "batch"
      %x = plan.tensor "x" input 0 : f32 [%batch, 8]
      %w = plan.tensor "w" parameter 1 : f32 [16, 8]
      %y = plan.tensor "y" temporary : f32 [%batch, 16]
      %packed = plan.tensor "w.panels" packed : f32 [1, 8, 16]
      plan.prepack {
        plan.launch @kernels::@pack(%w) -> (%packed) dims [] items 1 x [] x [] by 1
      }
      plan.run {
        plan.launch @kernels::@linear(%x, %packed) -> (%y) dims [%batch] items 2 x [] x [%batch] by 6
        plan.return %y
      }
    }
    ```

    On a device, a kernel has its schedule and parameters in its `#tile.launch`:

    ```mlir
    plan.program @main {
      %n = plan.size "n"
      %x = plan.tensor "x" input 0 : f32 [%n, 8]
      %0 = affine.apply affine_map<()[s0] -> (s0 ceildiv 2)>()[%n]
      %y = plan.tensor "pick#0.0" temporary : f32 [%0, 8]
      %counters = plan.tensor "pick.workspace0" workspace : i32 [4]
      %flat = plan.view "view#3" of %y : [%n, 4]
      plan.run {
        plan.launch @kernels::@pick(%x) -> (%y, %counters) layer 0
        plan.return %flat
      }
    }
    ```
  }];
  let extraClassDeclaration = [{
    /// Suggests an op for a name that is near to it.
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef name) const override;
  }];
  let useDefaultTypePrinterParser = 1;
}

def Plan_TensorKind : I32EnumAttr<"TensorKind", "kind of a tensor of a plan", [
    I32EnumAttrCase<"Parameter", 0, "parameter">,
    I32EnumAttrCase<"Packed", 1, "packed">,
    I32EnumAttrCase<"Input", 2, "input">,
    I32EnumAttrCase<"Temporary", 3, "temporary">,
    I32EnumAttrCase<"Workspace", 4, "workspace">]> {
  let cppNamespace = "::parablock::plan";
}

def Plan_ExchangeStep : I32EnumAttr<"ExchangeStep", "collective or per-rank step", [
    I32EnumAttrCase<"AllReduce", 0, "all_reduce">,
    I32EnumAttrCase<"AllGather", 1, "all_gather">,
    I32EnumAttrCase<"ReduceScatter", 2, "reduce_scatter">,
    I32EnumAttrCase<"RowsToExperts", 3, "rows_to_experts">,
    I32EnumAttrCase<"RowsFromExperts", 4, "rows_from_experts">,
    I32EnumAttrCase<"Take", 5, "take">,
    I32EnumAttrCase<"Put", 6, "put">]> {
  let cppNamespace = "::parablock::plan";
}

def Plan_TensorType : TypeDef<Plan_Dialect, "Tensor">,
    BuildableType<"::parablock::plan::TensorType::get($_builder.getContext())"> {
  let mnemonic = "tensor";
  let summary = "a tensor that a program holds";
  let description = [{
    The `plan.tensor` or `plan.view` that defines it has its element type and sizes.
  }];
}

class Plan_Op<string mnemonic, list<Trait> traits = []> : Op<Plan_Dialect, mnemonic, traits>;

def Plan_ProgramOp : Plan_Op<"program", [
    AffineScope, IsolatedFromAbove, NoTerminator, NoRegionArguments, SingleBlock, Symbol]> {
  let summary = "the host side of a function";
  let description = [{
    Sizes and tensors come first, then the launches.

    Constraints: [PLAN-1] it consists of sizes, shares, `affine.apply`, tensors and views,
    then at most one `plan.prepack`, then a `plan.run`; [PLAN-2] every size has a unique
    name and is a size of a parameter or an input.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the work done once per set of parameters, or null.
    PrepackOp getPrepack();
    /// Returns the work done once per run.
    RunOp getRun();
  }];
}

def Plan_SizeOp : Plan_Op<"size", [
    Pure, HasParent<"ProgramOp">, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a size that callers choose";
  let description = [{
    The common size of all dimensions of parameters and inputs that refer to
    it.
  }];
  let arguments = (ins StrAttr:$label);
  let results = (outs Index:$result);
  let assemblyFormat = "$label attr-dict";
}

def Plan_ShareOp : Plan_Op<"share", [Pure, HasParent<"ProgramOp">]> {
  let summary = "an equal part of a size";
  let description = [{
    One rank's part of a size; a size that is not a multiple of the number of ranks is an
    error before the run.

    Constraint: [PLAN-3] there are at least two parts, of a size that is not a share.
  }];
  let arguments = (ins Index:$size, I64Attr:$parts);
  let results = (outs Index:$result);
  let assemblyFormat = "$size `of` $parts attr-dict";
  let hasVerifier = 1;
}

def Plan_TensorOp : Plan_Op<"tensor", [
    HasParent<"ProgramOp">, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a tensor that a program holds";
  let description = [{
    Row-major, without gaps. A `parameter` or an `input` is the argument of that position of
    the function. A `packed` tensor is computed from parameters by `plan.prepack`. A
    `temporary` lives from the launch that writes it to the last one that reads it, or is a
    result. A `workspace` is zero before the first launch; kernels share it in turn and
    restore the zeros.

    Constraints: [PLAN-4] parameters and inputs have a position, others none; [PLAN-5]
    elements are f64, f32, bf16, f16, i64, i32, i16, i8, ui8 or i1; [PLAN-6] sizes are not
    negative, and those of packed tensors are static.
  }];
  let arguments = (ins Plan_TensorKind:$kind, OptionalAttr<I64Attr>:$position, StrAttr:$label,
                       TypeAttr:$element_type, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs Plan_TensorType:$result);
  let assemblyFormat = [{
    $label $kind ($position^)? `:` $element_type
    custom<DynamicIndexList>($sizes, $static_sizes) attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    llvm::SmallVector<mlir::OpFoldResult> getMixedSizes();
  }];
}

def Plan_ViewOp : Plan_Op<"view", [
    HasParent<"ProgramOp">, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the elements of a tensor in another shape";
  let description = [{
    Shares the tensor's memory. The number of elements is checked when sizes are known.

    Constraint: [PLAN-10] the source is a `plan.tensor`; sizes follow the same rules.
  }];
  let arguments = (ins StrAttr:$label, Plan_TensorType:$source, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs Plan_TensorType:$result);
  let assemblyFormat = [{
    $label `of` $source `:` custom<DynamicIndexList>($sizes, $static_sizes) attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    llvm::SmallVector<mlir::OpFoldResult> getMixedSizes();
  }];
}

class Plan_SectionOp<string mnemonic, list<Trait> traits> : Plan_Op<mnemonic, traits # [
    HasParent<"ProgramOp">, NoRegionArguments]> {
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def Plan_PrepackOp : Plan_SectionOp<"prepack", [NoTerminator, SingleBlock]> {
  let summary = "work done once per set of parameters";
  let description = "Its launches run one after the other.";
}

def Plan_RunOp : Plan_SectionOp<"run", [SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "work done once per run";
  let description = "Its launches run one after the other.";
}

def Plan_ReturnOp : Plan_Op<"return", [HasParent<"RunOp">, Pure, Terminator]> {
  let summary = "the results of a run";
  let description = [{
    In the order of the function's results.

    Constraint: [PLAN-14] none is a workspace.
  }];
  let arguments = (ins Variadic<Plan_TensorType>:$results);
  let assemblyFormat = "($results^)? attr-dict";
  let builders = [OpBuilder<(ins), "">];
  let hasVerifier = 1;
}

def Plan_LaunchOp : Plan_Op<"launch", [
    AttrSizedOperandSegments, ParentOneOf<["PrepackOp", "RunOp"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one launch of a kernel";
  let description = [{
    The kernel's arguments are its tensors: inputs, then outputs, with workspaces
    last.

    With items, the values of `dims` are arguments, too. The work consists of independent
    items: `items F x [O...] x [I...] by B` are `F * product(O) * ceil(product(I) / B)` of
    them. Parts of at least `grain` items run in any order and on any threads, each with its
    own `scratch` bytes. Without items, the kernel defines its own launch. `layer` is the
    model's layer of the launch.

    If `few` is given, that kernel is launched in place of the first if the product of some
    sizes is at most `most`: `few_sizes` has pairs of an input's place and one of its
    dimensions. It writes the same tensors; the first kernel's workspaces precede its own,
    and the device functions define their numbers. Without `few`, nothing is launched then,
    and nothing reads the outputs: launches that take them are replaced or left out, too.

    With `rows`, the product of its first two `dims`, sequences and rows of each, is a
    number of rows that need not all exist at once. `rows` lists the places, among all
    tensors, of tensors with a part for each row; a row reads and writes only its own part;
    with `sequences`, this holds for whole sequences. The first sizes of items are these
    two, or the number of sequences. Other outputs are sums over rows, which accumulate into
    the existing values if the last of `dims` is 1, not 0. `in_place` are pairs of outputs
    and inputs: an element of the output may overwrite that of the input, which has no other
    reader.

    With `reports`, the last output is five integers: 0, or what is wrong with the data, and
    four numbers about it. A run ends with an error unless the first is 0.

    With `starts`, the outputs are complete only behind the launch that `awaits` them, which
    has the same tensors. In between, other launches may run.

    Constraints: [PLAN-7] `kernel` is a function; [PLAN-8] factor, block and grain are
    positive, scratch and sizes not negative, and sizes are given only with items; [PLAN-9]
    launches of `plan.prepack` read parameters and packed tensors and write packed ones, and
    their sizes are numbers; those of `plan.run` write temporaries, then workspaces;
    [PLAN-15] `rows` are places of tensors, in order, of a launch with two or more sizes,
    and are required by `sequences` and `in_place`; [PLAN-16] `in_place` are pairs of an
    output's place and an input's, both of `rows`; [PLAN-17] `few` is a function, and
    requires a positive `most` and `few_sizes`, given together, which are pairs of an
    input's place and one of its dimensions; [PLAN-18] a launch that `reports` belongs to
    `plan.run`, and its last output is of 5 elements of i64; [PLAN-19] a launch with `most`
    and without `few` does not report, and only launches of at least that `most`, for the
    same sizes, take the temporaries that it writes; [PLAN-20] a launch that `starts` is in
    `plan.run`, without `most`, before one that `awaits` it, with the same tensors; no op
    between them uses its outputs, writes its inputs or `reports`, and there is no other that
    `awaits`.
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Variadic<Plan_TensorType>:$inputs,
                       Variadic<Plan_TensorType>:$outputs,
                       Variadic<Index>:$dims,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_dims,
                       OptionalAttr<I64Attr>:$factor,
                       Variadic<Index>:$outer,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_outer,
                       Variadic<Index>:$inner,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_inner,
                       DefaultValuedAttr<I64Attr, "1">:$block,
                       DefaultValuedAttr<I64Attr, "1">:$grain,
                       DefaultValuedAttr<I64Attr, "0">:$scratch,
                       OptionalAttr<I64Attr>:$layer,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$rows,
                       UnitAttr:$sequences,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$in_place,
                       OptionalAttr<SymbolRefAttr>:$few,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$few_sizes,
                       OptionalAttr<I64Attr>:$most, UnitAttr:$reports,
                       UnitAttr:$starts, UnitAttr:$awaits);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` `->` `(` $outputs `)`
    (`dims` custom<DynamicIndexList>($dims, $static_dims)
     `items` $factor^ `x` custom<DynamicIndexList>($outer, $static_outer)
     `x` custom<DynamicIndexList>($inner, $static_inner) `by` $block)?
    (`grain` $grain^)? (`scratch` $scratch^)? (`layer` $layer^)?
    (`rows` $rows^)? (`sequences` $sequences^)? (`in_place` $in_place^)?
    (`few` $few^)? (`of` $few_sizes^ `at` `most` $most)? (`reports` $reports^)?
    (`starts` $starts^)? (`awaits` $awaits^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    llvm::SmallVector<mlir::OpFoldResult> getMixedDims();
    llvm::SmallVector<mlir::OpFoldResult> getMixedOuter();
    llvm::SmallVector<mlir::OpFoldResult> getMixedInner();
  }];
}

def Plan_ExchangeOp : Plan_Op<"exchange", [AttrSizedOperandSegments, HasParent<"RunOp">]> {
  let summary = "a collective, or a rank's step on a part of a tensor";
  let description = [{
    Executed by one of several ranks, all of which run the same program:

    | step | the output is |
    |---|---|
    | `all_reduce` | the sum of all ranks' inputs |
    | `all_gather` | the concatenation of all ranks' inputs in dimension `dim` |
    | `reduce_scatter` | a rank's share, in dimension `dim`, of that sum |
    | `rows_to_experts`, `rows_from_experts` | as in the block dialect, of choices among `experts` |
    | `take` | the part of the input with the output's size in `dim` |
    | `put` | the second input, or zeros, with a part replaced by the first |

    A part begins at element `at`; without it, the part is the rank's share. If shares are
    not contiguous, a second output is scratch in which they are moved. A collective that
    `starts` is complete behind the one that `awaits` it, which is not another collective.

    Constraints: [PLAN-11] one tensor is read, or two by `put`, and two by exchanges of rows,
    and one written, or two by `all_gather`, `reduce_scatter` and `rows_from_experts`;
    [PLAN-12] all are of one type of element, but for choices of i64, and have dimension
    `dim`, and outputs are temporaries; exchanges of rows, of `dim 1`, have the shapes of
    those of the block dialect, and `rows_from_experts` room in the shape of its input;
    [PLAN-13] `at` is not negative, and given only for `take` and `put`; `experts` are
    positive, and given only for exchanges of rows; [PLAN-20] holds for exchanges, too: the
    one that `awaits` has the same step and dimension, and both are a sum or `all_gather`.
  }];
  let arguments = (ins Plan_ExchangeStep:$step, Variadic<Plan_TensorType>:$inputs,
                       Variadic<Plan_TensorType>:$outputs,
                       DefaultValuedAttr<I64Attr, "0">:$dim,
                       OptionalAttr<I64Attr>:$offset, OptionalAttr<I64Attr>:$experts,
                       OptionalAttr<I64Attr>:$layer, UnitAttr:$starts, UnitAttr:$awaits);
  let assemblyFormat = [{
    $step `(` $inputs `)` `->` `(` $outputs `)` `dim` $dim (`at` $offset^)? (`of` $experts^)?
    (`layer` $layer^)? (`starts` $starts^)? (`awaits` $awaits^)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif // PARABLOCK_PLAN_PLANOPS_TD
