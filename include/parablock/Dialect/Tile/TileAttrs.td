//===- TileAttrs.td - schedules and kernel parameters ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TILE_TILEATTRS_TD
#define PARABLOCK_TILE_TILEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"
include "parablock/Dialect/Tile/TileDialect.td"

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::parablock::tile";
  let genSpecializedAttr = 0;
}

def Tile_MultiplyUnit : Tile_Enum<"MultiplyUnit", "unit that multiplies tiles", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Fma", 1, "fma">,
    I32EnumAttrCase<"Mma", 2, "mma">,
    I32EnumAttrCase<"Wgmma", 3, "wgmma">]>;

def Tile_CopyUnit : Tile_Enum<"CopyUnit", "unit that copies tiles into shared memory", [
    I32EnumAttrCase<"Plain", 0, "plain">,
    I32EnumAttrCase<"Async", 1, "async">,
    I32EnumAttrCase<"Tma", 2, "tma">]>;

def Tile_BufferLayout : Tile_Enum<"BufferLayout", "layout of the elements of a buffer", [
    I32EnumAttrCase<"Rows", 0, "rows">,
    I32EnumAttrCase<"Padded", 1, "padded">,
    I32EnumAttrCase<"Swizzled", 2, "swizzled">]>;

def Tile_Reduction : Tile_Enum<"Reduction", "how lanes are combined", [
    I32EnumAttrCase<"Add", 0, "add">,
    I32EnumAttrCase<"Max", 1, "max">]>;
def Tile_ReductionAttr : EnumAttr<Tile_Dialect, Tile_Reduction, "reduction"> {
  let assemblyFormat = "`<` $value `>`";
}

def Tile_Codes : Tile_Enum<"Codes", "numbers of few bits", [
    I32EnumAttrCase<"Int8", 0, "int8">,
    I32EnumAttrCase<"Int4", 1, "int4">,
    I32EnumAttrCase<"MxFp4", 2, "mxfp4">,
    I32EnumAttrCase<"Fp8", 3, "fp8">]>;
def Tile_CodesAttr : EnumAttr<Tile_Dialect, Tile_Codes, "codes">;

def Tile_Role : Tile_Enum<"Role", "role of the warps at a pipeline", [
    I32EnumAttrCase<"Producer", 0, "producer">,
    I32EnumAttrCase<"Consumer", 1, "consumer">]>;
def Tile_RoleAttr : EnumAttr<Tile_Dialect, Tile_Role, "role">;

def Tile_Lanes : Tile_Enum<"Lanes", "which lanes of a warp store", [
    I32EnumAttrCase<"First", 0, "first">,
    I32EnumAttrCase<"Each", 1, "each">]>;
def Tile_LanesAttr : EnumAttr<Tile_Dialect, Tile_Lanes, "lanes">;

/// A byte of dynamic shared memory.
def Tile_Offset : ConfinedAttr<I64Attr, [IntNonNegative]>;

def Tile_ArgumentKind : Tile_Enum<"ArgumentKind", "kind of a parameter of a device function", [
    I32EnumAttrCase<"Pointer", 0, "pointer">,
    I32EnumAttrCase<"TensorMap", 1, "tensor_map">,
    I32EnumAttrCase<"Dim", 2, "dim">]>;

class Tile_Attr<string name, string attrMnemonic> : AttrDef<Tile_Dialect, name> {
  let mnemonic = attrMnemonic;
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_Checked : Tile_Enum<"Checked", "data that a kernel checks", [
    I32EnumAttrCase<"Logits", 0, "logits">,
    I32EnumAttrCase<"Indices", 1, "indices">]>;

def Tile_ReportsAttr : Tile_Attr<"Reports", "reports"> {
  let summary = "what a kernel reports about its data";
  let description = [{
    The kernel's last workspace is a word for `tile.report`, of each launch its own. Of
    `logits`, the place is a row, and the detail the number of its first expert whose logit
    is NaN, counted from 1; 0 for a score that is NaN without one. Of `indices`, the place
    is a slot, `slots` to a row, and the detail its index, which is not below `experts` or
    is negative.

    Constraint: [REPORTS-1] indices alone have positive numbers of experts and slots.
  }];
  let parameters = (ins
    "Checked":$checked,
    DefaultValuedParameter<"int64_t", "0">:$experts,
    DefaultValuedParameter<"int64_t", "0">:$slots);
  let genVerifyDecl = 1;
}

def Tile_ScheduleAttr : Tile_Attr<"Schedule", "schedule"> {
  let summary = "how a kernel's program is executed";
  let description = [{
    `warps` compute; with `copies = tma`, `producers` additional warps only copy (four, a
    warpgroup that passes registers on, or one, if a multiprocessor is to have room for
    several CTAs; only one of their threads issues copies). `stages` is the number of buffers
    that a pipeline has in flight. `grid` is the number of CTAs; any number is correct,
    since tiles and rows are distributed in turn. With `cluster`, that many consecutive CTAs
    run at the same time and share equal copies: each copies a part for all of them. A
    cluster that `joins` shares no copies, but the depth of a tile: `tile.join_cluster`
    adds what its CTAs have staged. With `whole_rows`, warps divide accumulators by rows
    alone, so that one warp can combine the columns of a row.

    Constraints: [SCHEDULE-1] at least one warp, one CTA and one stage; [SCHEDULE-2]
    wgmma needs a multiple of four warps, and copies by tma; [SCHEDULE-3] producers
    are one or four where copies are by tma, else none; [SCHEDULE-4] a cluster has one CTA,
    or two where copies are by tma, or two to eight if it joins, and the grid whole clusters.
  }];
  let parameters = (ins
    DefaultValuedParameter<"MultiplyUnit", "MultiplyUnit::None">:$multiply,
    DefaultValuedParameter<"CopyUnit", "CopyUnit::Plain">:$copies,
    "int64_t":$warps,
    DefaultValuedParameter<"int64_t", "0">:$producers,
    DefaultValuedParameter<"int64_t", "1">:$stages,
    "int64_t":$grid,
    DefaultValuedParameter<"int64_t", "1">:$cluster,
    DefaultValuedParameter<"bool", "false">:$whole_rows,
    DefaultValuedParameter<"bool", "false">:$joins);
  let builders = [AttrBuilder<(ins "MultiplyUnit":$multiply, "CopyUnit":$copies, "int64_t":$warps,
                                   "int64_t":$producers, "int64_t":$stages, "int64_t":$grid,
                                   "int64_t":$cluster, "bool":$whole_rows), [{
    return $_get($_ctxt, multiply, copies, warps, producers, stages, grid, cluster, whole_rows, /*joins=*/false);
  }]>];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getThreads() const { return (getWarps() + getProducers()) * 32; }
    /// Returns how many CTAs share copies, and work in step.
    int64_t getSharing() const { return getJoins() ? 1 : getCluster(); }
  }];
}

def Tile_ArgumentAttr : Tile_Attr<"Argument", "argument"> {
  let summary = "one parameter of a device function";
  let description = [{
    `operand` counts the kernel's tensors, inputs first. A pointer is the tensor's address;
    a tensor map describes it as rows of its last dimension, in boxes of `box` rows and
    columns, with a 128-byte swizzle and zeros outside; with a third number, rows are
    consecutive parts of that many columns, and a box has columns of one part. A dim is the
    size of dimension `dim` as i32. A `constant` tensor may be read while the previous
    launch still runs: the launcher passes a parameter, which no launch writes.

    Constraints: [ARGUMENT-1] the operand and the dimension are not negative, and a tensor
    map alone has a box, of two or three positive sizes; [ARGUMENT-2] a dim is not `constant`.
  }];
  let parameters = (ins
    "ArgumentKind":$kind,
    "int64_t":$operand,
    DefaultValuedParameter<"int64_t", "0">:$dim,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$box,
    DefaultValuedParameter<"bool", "false">:$constant);
  let genVerifyDecl = 1;
}

/// A list in brackets, which may be omitted if it is empty.
class Tile_ListParameter<string element> : OptionalArrayRefParameter<element> {
  let defaultValue = "::llvm::SmallVector<" # element # ">()";
  let parser = "::parablock::tile::parseList<" # element # ">($_parser)";
  let printer = "::parablock::tile::printList($_printer, $_self)";
}

def Tile_LaunchAttr : Tile_Attr<"Launch", "launch"> {
  let summary = "how a device function is launched";
  let description = [{
    Attribute `tile.launch` of an `llvm.func` lowered from a `tile.kernel`: all
    information for a launcher. `arguments` are its parameters, in order; the schedule
    contains the CTAs and their threads; `shared_bytes` is its dynamic shared memory;
    `workspaces` are the types of its private memory, which follows inputs and outputs
    among the operands; a kernel that `reports` has a word there for each launch. A
    `programmatic` kernel may begin while the previous launch still runs, and waits for it.

    Constraints: [LAUNCHED-1] the number of bytes is not negative; [LAUNCHED-2]
    `tile.launch` is on a function, with an argument for each of its parameters.
  }];
  let parameters = (ins
    Tile_ListParameter<"::parablock::tile::ArgumentAttr">:$arguments,
    "::parablock::tile::ScheduleAttr":$schedule,
    DefaultValuedParameter<"int64_t", "0">:$shared_bytes,
    Tile_ListParameter<"::mlir::MemRefType">:$workspaces,
    DefaultValuedParameter<"bool", "false">:$programmatic,
    OptionalParameter<"::parablock::tile::ReportsAttr">:$reports);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Name of the attribute on a function.
    static constexpr ::llvm::StringLiteral getAttrName() { return {"tile.launch"}; }

    /// Returns the attribute of a device function, or null.
    static LaunchAttr of(::mlir::Operation *function) {
      return function->getAttrOfType<LaunchAttr>(getAttrName());
    }
  }];
}

#endif // PARABLOCK_TILE_TILEATTRS_TD
