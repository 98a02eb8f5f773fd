//===- BlockInterfaces.td - what an op says of itself ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKINTERFACES_TD
#define PARABLOCK_IR_BLOCKINTERFACES_TD

include "mlir/IR/OpBase.td"

def StepOpInterface : OpInterface<"StepOpInterface"> {
  let description = [{
    What a step is, said once, for all that form kernels, shard, count and tell
    the story of a model. Casts of `arith` implement it too.
  }];
  let cppNamespace = "::parablock::block";
  let methods = [
    InterfaceMethod<"What it is to kernels.",
      "::parablock::block::StepKind", "getStepKind">,
    InterfaceMethod<"How far from its own column a column of the result looks.",
      "::parablock::block::StepReach", "getReach">,
    InterfaceMethod<"The part of a model that it belongs to by what it is.",
      "::parablock::ModelPart", "getPart">,
    InterfaceMethod<"What it reads `operand` as.",
      "::parablock::block::OperandRole", "getOperandRole",
      (ins "::mlir::OpOperand &":$operand), "",
      "return ::parablock::block::lookupRole($_op, operand.getOperandNumber());">,
    InterfaceMethod<"The kind of kernel that it is the root of, if of any.",
      "std::optional<::parablock::block::KernelKind>", "getRootKind", (ins), "",
      "return std::nullopt;">,
    InterfaceMethod<"Whether tiles of a product can be put through it before they are written.",
      "bool", "canEndTile", (ins), "",
      "return ::parablock::block::StepOpInterface($_op).getReach() <= "
      "::parablock::block::StepReach::Group;">,
    InterfaceMethod<"How many columns have to be in one tile for it.",
      "int64_t", "getGranule", (ins), "", "return 1;">,
    InterfaceMethod<[{
        Whether its result is for the same part of a model as its first operand:
        where it neither is a part by itself nor joins several values. }],
      "bool", "handsOn", (ins), "",
      "return ::parablock::block::handsOnColumns($_op);">,
    InterfaceMethod<"Whether its results are statistics of rows, not rows.",
      "bool", "makesStatistics", (ins), "", "return false;">,
    InterfaceMethod<[{
        Whether it reads and writes memory where nothing is fused. Steps that
        rewrites leave beside a product do not. }],
      "bool", "movesRows", (ins), "", "return true;">,
    InterfaceMethod<"Its arithmetic per row of the result, where that counts and it is no product.",
      "double", "getFlopsPerRow", (ins), "", "return 0;">,
    InterfaceMethod<"Adapts counts of heads or groups to `own` of `all` columns.",
      "void", "takeColumns", (ins "int64_t":$own, "int64_t":$all), "", "return;">,
  ];
  let extraSharedClassDeclaration = [{
    /// The operands that it reads as `role`, in order.
    ::llvm::SmallVector<::mlir::Value, 2>
    getOperandsOf(::parablock::block::OperandRole role) {
      ::llvm::SmallVector<::mlir::Value, 2> found;
      for (::mlir::OpOperand &operand : $_op->getOpOperands())
        if ($_op.getOperandRole(operand) == role)
          found.push_back(operand.get());
      return found;
    }
  }];
}

/// Facts of a step that need no code: its reach, its kind and its part. Anything
/// else is a method of the interface that the op defines.
class Block_StepFacts<string reach, string kind, string part>
    : ParamNativeOpTrait<"StepFacts",
          "::parablock::block::StepKind::" # kind
          # ", ::parablock::block::StepReach::" # reach
          # ", ::parablock::ModelPart::" # part> {
  let cppNamespace = "::parablock::block";
}
class Block_Step<string reach, string kind = "Step", string part = "Other">
    : TraitList<[Block_StepFacts<reach, kind, part>, StepOpInterface]>;

/// Level 1: block-expand opens it.
class Block_Composite<string part> : Block_Step<"Product", "Composite", part>;
/// Work on weights alone.
def Block_WeightWork : Block_Step<"Element", "Weights">;

/// An operand with what the op reads it as (OperandRole).
class Block_In<string readAs, Constraint type> : Arg<type> {
  string role = readAs;
}

class Block_OperandRoles<string roles> : ParamNativeOpTrait<"OperandRoles", roles> {
  let cppNamespace = "::parablock::block";
}

/// The trait with the roles of `arguments`, in their order; none without roles.
class Block_Roles<dag arguments> {
  list<int> places = !filter(place, !range(!size(arguments)),
                             !initialized(!getdagarg<Block_In>(arguments, place)));
  list<string> all = !foreach(place, places, "::parablock::block::OperandRole::"
                                  # !getdagarg<Block_In>(arguments, place).role);
  assert !or(!empty(places), !eq(!foldl(-1, places, last, place, place), !sub(!size(places), 1))),
         "expected roles on the first arguments, without one between them that has none";
  list<Trait> traits = !if(!empty(all), []<Trait>,
                           [Block_OperandRoles<!interleave(all, ", ")>]);
}

#endif // PARABLOCK_IR_BLOCKINTERFACES_TD
