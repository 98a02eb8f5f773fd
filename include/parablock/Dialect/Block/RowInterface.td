//===- RowInterface.td - steps that rows are enough for ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_ROWINTERFACE_TD
#define PARABLOCK_IR_ROWINTERFACE_TD

include "mlir/IR/OpBase.td"

def RowStepOpInterface : OpInterface<"RowStepOpInterface"> {
  let description = [{
    A step whose results can be computed row by row, where a row is what the
    last dimension holds. Kernels of rows and the epilogues of products, of the
    CPU and of GPUs, are made of such steps: an op that says these things runs
    in all of them.
  }];
  let cppNamespace = "::parablock::block";
  let methods = [
    InterfaceMethod<"The value of a result at `column`: not asked for of statistics.",
      "::mlir::Value", "emitElement",
      (ins "::parablock::RowElements &":$rows, "unsigned":$result,
           "const ::parablock::Column &":$column), "",
      "llvm_unreachable(\"statistics have no elements\");">,
    InterfaceMethod<[{
        Computes, once per row or per group of its columns, what all of their
        elements share, and keeps it as facts. }],
      "void", "emitFacts",
      (ins "::parablock::RowElements &":$rows, "::mlir::Value":$group), "", "return;">,
    InterfaceMethod<[{
        Fails, with `refuse`, where no row says enough. }],
      "::llvm::LogicalResult", "checkRows",
      (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$refuse), "",
      "return ::mlir::success();">,
    InterfaceMethod<"Columns of a group that has facts of its own; 0 where the row has them.",
      "int64_t", "getGroupSize", (ins), "", "return 0;">,
    InterfaceMethod<[{
        How far from its column the step looks in its first operand: within
        parts of so many columns, or 0 for anywhere. None for its own column,
        and where sums over columns are all that it looks at. }],
      "std::optional<int64_t>", "getColumnReach", (ins), "", "return std::nullopt;">,
    InterfaceMethod<[{
        What the step asks of the order in which columns are gone through, beside
        its groups. }],
      "::parablock::ColumnOrder", "getColumnOrder", (ins), "", "return {};">,
    InterfaceMethod<"Whether the results are statistics of rows, facts that `emitFacts` keeps.",
      "bool", "yieldsStatistics", (ins), "", "return false;">,
    InterfaceMethod<"Columns that each of its statistics is about, where rows have several; else 0.",
      "int64_t", "getTileSize", (ins), "", "return 0;">,
    InterfaceMethod<"The statistics, one per result, of a tile of so many columns.",
      "::llvm::SmallVector<::mlir::Value>", "emitTile",
      (ins "::parablock::RowElements &":$rows, "const ::parablock::ColumnRange &":$tile,
           "::mlir::Value":$count), "", "return {};">,
  ];
}

#endif // PARABLOCK_IR_ROWINTERFACE_TD
