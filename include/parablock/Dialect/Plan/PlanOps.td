//===- PlanOps.td - what a host does to run a function -----*- tablegen -*-===//
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
    that callers choose, the tensors that it holds, and launches of kernels in order. It
    has no arithmetic of its own, and says nothing of where a tensor lies or how long it
    lives: whoever runs it derives that from the launches.

    ```mlir
    plan.program @main {
      %batch = plan.size "batch"
      %x = plan.tensor "x" input 0 : f32 [%batch, 8]
      %w = plan.tensor "w" parameter 1 : f32 [16, 8]
      %y = plan.tensor "y" result 0 : f32 [%batch, 16]
      %packed = plan.tensor "w.panels" packed : f32 [1, 8, 16]
      plan.prepack {
        plan.launch @kernels::@pack(%w) -> (%packed) dims [] items 1 x [] x [] by 1
      }
      plan.run {
        plan.launch @kernels::@linear(%x, %packed) -> (%y) dims [%batch] items 2 x [] x [%batch] by 6
      }
    }
    ```
  }];
  let useDefaultTypePrinterParser = 1;
}

def Plan_TensorKind : I32EnumAttr<"TensorKind", "what a tensor of a plan is", [
    I32EnumAttrCase<"Parameter", 0, "parameter">,
    I32EnumAttrCase<"Packed", 1, "packed">,
    I32EnumAttrCase<"Input", 2, "input">,
    I32EnumAttrCase<"Temporary", 3, "temporary">,
    I32EnumAttrCase<"Result", 4, "result">]> {
  let cppNamespace = "::parablock::plan";
}

def Plan_TensorType : TypeDef<Plan_Dialect, "Tensor">,
    BuildableType<"::parablock::plan::TensorType::get($_builder.getContext())"> {
  let mnemonic = "tensor";
  let summary = "a tensor that a program holds";
  let description = [{
    What its elements and sizes are, the `plan.tensor` that makes it says.
  }];
}

class Plan_Op<string mnemonic, list<Trait> traits = []> : Op<Plan_Dialect, mnemonic, traits>;

def Plan_ProgramOp : Plan_Op<"program", [
    IsolatedFromAbove, NoTerminator, NoRegionArguments, SingleBlock, Symbol]> {
  let summary = "the host side of a function";
  let description = [{
    First the sizes that callers choose and the tensors, then what is done with them.

    Constraints: [PLAN-1] it consists of sizes, shares and tensors, then at most one
    `plan.prepack`, then a `plan.run`; [PLAN-2] every size has a name of its own and is
    one of a parameter or an input.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// What is done once per set of parameters; null where that is nothing.
    PrepackOp getPrepack();
    /// What is done once per run.
    RunOp getRun();
  }];
}

def Plan_SizeOp : Plan_Op<"size", [
    Pure, HasParent<"ProgramOp">, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a size that callers choose";
  let description = [{
    That of every dimension of a parameter or an input that is said to be it: all of them
    are equal.
  }];
  let arguments = (ins StrAttr:$label);
  let results = (outs Index:$result);
  let assemblyFormat = "$label attr-dict";
}

def Plan_ShareOp : Plan_Op<"share", [Pure, HasParent<"ProgramOp">]> {
  let summary = "an equal part of a size";
  let description = [{
    What one of several ranks has of it; a size that is no multiple of their number is
    refused before anything runs.

    Constraint: [PLAN-3] there are at least two parts, and they are those of a `plan.size`.
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
    Row-major, without gaps. A `parameter` or an `input` is the argument of that position
    of the function, a `result` its result of that position. A `packed` tensor is what
    `plan.prepack` makes of parameters, and a `temporary` lives from the launch that
    writes it to the last one that reads it.

    Constraints: [PLAN-4] parameters, inputs and results have a position, others none;
    [PLAN-5] elements are f64, f32, bf16, f16, i64, i32, i16, i8, ui8 or i1; [PLAN-6] sizes
    are not negative, and those of packed tensors numbers.
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

class Plan_SectionOp<string mnemonic> : Plan_Op<mnemonic, [
    HasParent<"ProgramOp">, NoTerminator, NoRegionArguments, SingleBlock]> {
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def Plan_PrepackOp : Plan_SectionOp<"prepack"> {
  let summary = "what is done once per set of parameters";
  let description = "Its launches run one after the other.";
}

def Plan_RunOp : Plan_SectionOp<"run"> {
  let summary = "what is done once per run";
  let description = "Its launches run one after the other.";
}

def Plan_LaunchOp : Plan_Op<"launch", [
    AttrSizedOperandSegments, ParentOneOf<["PrepackOp", "RunOp"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one launch of a kernel";
  let description = [{
    The kernel gets its tensors, those that it reads and then those that it writes, and
    the values of `dims`. Its work consists of independent items:
    `items F x [O...] x [I...] by B` are `F * product(O) * ceil(product(I) / B)` of them.
    It is done in parts of at least `grain` items, in any order and on any threads, each of
    which has `scratch` bytes of its own.

    Constraints: [PLAN-7] `kernel` is a function; [PLAN-8] factor, block and grain are
    positive, scratch and sizes not negative; [PLAN-9] launches of `plan.prepack` read
    parameters and packed tensors and write packed ones, and their sizes are numbers;
    those of `plan.run` write temporaries and results.
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Variadic<Plan_TensorType>:$inputs,
                       Variadic<Plan_TensorType>:$outputs,
                       Variadic<Index>:$dims, DenseI64ArrayAttr:$static_dims,
                       I64Attr:$factor,
                       Variadic<Index>:$outer, DenseI64ArrayAttr:$static_outer,
                       Variadic<Index>:$inner, DenseI64ArrayAttr:$static_inner,
                       I64Attr:$block, DefaultValuedAttr<I64Attr, "1">:$grain,
                       DefaultValuedAttr<I64Attr, "0">:$scratch);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` `->` `(` $outputs `)`
    `dims` custom<DynamicIndexList>($dims, $static_dims)
    `items` $factor `x` custom<DynamicIndexList>($outer, $static_outer)
    `x` custom<DynamicIndexList>($inner, $static_inner) `by` $block
    (`grain` $grain^)? (`scratch` $scratch^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    llvm::SmallVector<mlir::OpFoldResult> getMixedDims();
    llvm::SmallVector<mlir::OpFoldResult> getMixedOuter();
    llvm::SmallVector<mlir::OpFoldResult> getMixedInner();
  }];
}

#endif // PARABLOCK_PLAN_PLANOPS_TD
