//===- BlockOpBase.td - types and base classes of block ops -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKOPBASE_TD
#define PARABLOCK_IR_BLOCKOPBASE_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"
include "parablock/Dialect/Block/BlockAttrs.td"
include "parablock/Dialect/Block/BlockInterfaces.td"
include "parablock/Dialect/Block/WeightInterface.td"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Block_Float : AnyTypeOf<[F32, BF16, F16]>;

class Block_RankedOf<list<Type> elements, list<int> ranks>
    : TensorRankOf<elements, ranks>;

/// Batch, sequence and past may be dynamic or 0; widths and weights never are.
def Block_StaticWidth : CPred<
    "!::llvm::cast<::mlir::ShapedType>($_self).getShape().empty() && "
    "::llvm::cast<::mlir::ShapedType>($_self).getShape().back() > 0">;
def Block_PositiveShape : CPred<
    "::llvm::all_of(::llvm::cast<::mlir::ShapedType>($_self).getShape(), "
    "[](int64_t size) { return size > 0; })">;
def Block_StaticShape : CPred<"::llvm::cast<::mlir::ShapedType>($_self).hasStaticShape()">;

def Block_Hidden : ConfinedType<Block_RankedOf<[Block_Float], [3]>, [Block_StaticWidth],
    "3D tensor of f32, bf16 or f16 with a static width of at least 1"> {
  let cppFunctionName = "isHiddenTensor";
}
def Block_FixedStream : ConfinedType<Block_RankedOf<[I32], [3]>, [Block_StaticWidth],
    "3D tensor of i32 with a static width of at least 1">;
def Block_Matrix : ConfinedType<Block_RankedOf<[Block_Float], [2]>, [Block_PositiveShape],
    "static 2D tensor of f32, bf16 or f16 without a size of 0"> {
  let cppFunctionName = "isMatrixTensor";
}
def Block_Vector : ConfinedType<Block_RankedOf<[Block_Float], [1]>, [Block_PositiveShape],
    "static 1D tensor of f32, bf16 or f16 without a size of 0"> {
  let cppFunctionName = "isVectorTensor";
}
def Block_Codes : ConfinedType<Block_RankedOf<[I8, UI8], [2]>, [Block_StaticShape],
    "static 2D tensor of i8 or ui8">;
def Block_Scales : ConfinedType<Block_RankedOf<[F32, BF16, F16, I8, UI8], [2]>, [Block_StaticShape],
    "static 2D tensor of f32, bf16, f16, i8 or ui8">;
def Block_CodedRows : ConfinedType<Block_RankedOf<[I8], [3]>, [Block_StaticWidth],
    "3D tensor of i8 with a static width of at least 1">;
def Block_Any : TensorRankOf<[Block_Float], [1, 2, 3, 4]>;
def Block_Number : Block_RankedOf<[F32], [0]>;
def Block_Statistic : ConfinedType<Block_RankedOf<[F32], [3]>, [Block_StaticWidth],
    "3D tensor of f32 with a static last dimension of at least 1">;
def Block_Ids : Block_RankedOf<[I64], [2]>;
def Block_Lengths : Block_RankedOf<[I64], [1]> {
  let cppFunctionName = "isLengthsTensor";
}
/// Where rows begin to be counted: one index for all batch rows, or one integer for
/// each.
def Block_Offset : AnyTypeOf<[Index, Block_Lengths], "index or 1D tensor of i64">;
def Block_Bounds : Block_RankedOf<[I64], [1]> {
  let cppFunctionName = "isBoundsTensor";
}
/// The pages of each batch row, in the order of its rows.
def Block_Pages : Block_RankedOf<[I64], [2]> {
  let cppFunctionName = "isPagesTensor";
}
/// The number that what is drawn at random depends on.
def Block_Seed : ConfinedType<Block_RankedOf<[I64], [1]>, [Block_StaticShape,
    CPred<"::llvm::cast<::mlir::ShapedType>($_self).getNumElements() == 1">],
    "1D tensor of one i64"> {
  let cppFunctionName = "isSeedTensor";
}
def Block_Image : Block_RankedOf<[Block_Float], [4]>;
def Block_ScoreBias : Block_RankedOf<[Block_Float], [4]> {
  let cppFunctionName = "isScoreBiasTensor";
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// An op that reads each operand as its argument, a Block_In, states.
class Block_Op<string mnemonic, list<Trait> own = []> : Op<Block_Dialect, mnemonic> {
  let traits = !listconcat(own, Block_Roles<arguments>.traits);
}

/// The end of an assembly format, `{attributes} : types`, by a rule of
/// lib/Dialect/Block/TypeRules.cpp. Names all operands in their order.
class Block_Signature<string rule, list<string> operands, string result = "result"> {
  string names = !interleave(operands, " ");
  string arguments = !interleave(
      !foreach(name, operands, "ref($" # name # "), type($" # name # ")"), ", ");
  string format = " custom<Signature>(\"getOperationName()\", \"\\\"" # names # "\\\"\", \"" # rule #
      "\", attr-dict, " # arguments # ", type($" # result # "))";
}

/// A step without side effects whose verifier compares shapes by hand.
class Block_PureOp<string mnemonic, list<Trait> traits = []>
    : Block_Op<mnemonic, !listconcat([Pure], traits)> {
  let hasVerifier = 1;
}

/// Work on weights alone; `methods` are what its formula has beside an element.
class Block_WeightOp<string mnemonic, list<string> methods, list<Trait> traits = []>
    : Block_PureOp<mnemonic, !listconcat(
          [DeclareOpInterfaceMethods<Block_WeightOpInterface, methods>], traits)>;

/// A pure op whose only result has the shape of operand 0, but possibly another
/// last dimension.
class Block_RowOp<string mnemonic, list<Trait> traits = []>
    : Block_PureOp<mnemonic, !listconcat(
          [DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>], traits)>;

/// An elementwise op: result and operands have one type. The trait is content
/// with types that may be equal at run time, which the syntax cannot say, so
/// ops add AllTypesMatch.
class Block_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Block_Op<mnemonic, !listconcat(
          [Pure, SameOperandsAndResultType,
           DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>], traits)>;

#endif // PARABLOCK_IR_BLOCKOPBASE_TD
