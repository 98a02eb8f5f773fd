// Every second row of a mask, turned over, and numbers of as many rows and one: kernels written by hand, whose results have
// sizes that follow from those of the input.
#size = affine_map<()[s0, s1] -> (s0 ceildiv 2)>
#more = affine_map<()[s0] -> (s0 * 2 - 1)>
#same = affine_map<()[s0, s1] -> (s1)>
#eight = affine_map<()[s0] -> (8)>
module {
  gpu.module @kernels {
    llvm.func @pick(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %rows: i32, %columns: i32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>, <kind = pointer, operand = 1>, <kind = dim, operand = 1>, <kind = dim, operand = 1, dim = 1>], schedule = <warps = 1, grid = 1>>} {
      %one = llvm.mlir.constant(1 : i8) : i8
      %two = llvm.mlir.constant(2 : i32) : i32
      %step = llvm.mlir.constant(32 : i32) : i32
      %count = llvm.mul %rows, %columns : i32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      llvm.br ^loop(%thread : i32)
    ^loop(%i: i32):
      %more = llvm.icmp "slt" %i, %count : i32
      llvm.cond_br %more, ^body, ^end
    ^body:
      %row = llvm.sdiv %i, %columns : i32
      %column = llvm.srem %i, %columns : i32
      %twice = llvm.mul %row, %two : i32
      %begin = llvm.mul %twice, %columns : i32
      %from = llvm.add %begin, %column : i32
      %source = llvm.getelementptr %in[%from] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
      %read = llvm.load %source : !llvm.ptr<1> -> i8
      %other = llvm.xor %read, %one : i8
      %target = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
      llvm.store %other, %target : i8, !llvm.ptr<1>
      %next = llvm.add %i, %step : i32
      llvm.br ^loop(%next : i32)
    ^end:
      llvm.return
    }
    llvm.func @count(%in: !llvm.ptr<1>, %rows: i32, %out: !llvm.ptr<1>, %wide: i32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.launch = #tile.launch<arguments = [<kind = pointer, operand = 0>, <kind = dim, operand = 0>, <kind = pointer, operand = 1>, <kind = dim, operand = 1>], schedule = <warps = 1, grid = 1>>} {
      %eight = llvm.mlir.constant(8 : i32) : i32
      %step = llvm.mlir.constant(32 : i32) : i32
      %known = llvm.mul %rows, %eight : i32
      %count = llvm.mul %wide, %eight : i32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      llvm.br ^loop(%thread : i32)
    ^loop(%i: i32):
      %more = llvm.icmp "slt" %i, %count : i32
      llvm.cond_br %more, ^body, ^end
    ^body:
      %from = llvm.srem %i, %known : i32
      %source = llvm.getelementptr %in[%from] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
      %read = llvm.load %source : !llvm.ptr<1> -> i8
      %set = llvm.zext %read : i8 to i32
      %sum = llvm.sub %set, %i : i32
      %narrow = llvm.trunc %sum : i32 to i16
      %target = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i16
      llvm.store %narrow, %target : i16, !llvm.ptr<1>
      %next = llvm.add %i, %step : i32
      llvm.br ^loop(%next : i32)
    ^end:
      llvm.return
    }
  }
  func.func @main(%m: tensor<?x8xi1> {block.input = "mask", block.dims = ["n"]}) -> (tensor<?x8xi1> {block.output = "picked"}, tensor<?x8xi16> {block.output = "counts"}, tensor<?x8xi1> {block.output = "again"}, tensor<?x8xi1> {block.output = "same"}) {
    %p = tile.launch @kernels::@pick(%m) {size_symbols = array<i64: 0, 0, 0, 1>, sizes = [[#size, #same]]} : (tensor<?x8xi1>) -> tensor<?x8xi1>
    %c = tile.launch @kernels::@count(%p) {size_symbols = array<i64: 0, 0>, sizes = [[#more, #eight]]} : (tensor<?x8xi1>) -> tensor<?x8xi16>
    return %p, %c, %p, %m : tensor<?x8xi1>, tensor<?x8xi16>, tensor<?x8xi1>, tensor<?x8xi1>
  }
}
