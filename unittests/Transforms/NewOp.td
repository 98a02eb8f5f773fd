//===- NewOp.td - ops that the compiler has never heard of -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A dialect of the tests: its ops implement StepOpInterface and nothing else.
//
//===----------------------------------------------------------------------===//

include "parablock/Dialect/Block/BlockOpBase.td"

def Made_Dialect : Dialect {
  let name = "made";
  let cppNamespace = "::made";
}

class Made_Op<string mnemonic, list<Trait> own> : Op<Made_Dialect, mnemonic> {
  let traits = !listconcat(own, [Pure, AllTypesMatch<["input", "result"]>],
                           Block_Roles<arguments>.traits);
}

/// Works on columns one by one, with a number for each.
def Made_WarpOp : Made_Op<"warp", [Block_Step<"Element">]> {
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$input,
                       Block_In<"Gain", Block_Vector>:$gain);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$input `,` $gain attr-dict `:` functional-type(operands, results)";
}

/// Works on heads.
def Made_TwistOp : Made_Op<"twist", [Block_Step<"Group">]> {
  let arguments = (ins Block_In<"Columns", Block_Hidden>:$input, I64Attr:$heads);
  let results = (outs Block_Hidden:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
  let extraClassDeclaration = [{
    int64_t getGranule() {
      return getInput().getType().getShape().back() / static_cast<int64_t>(getHeads());
    }
    void takeColumns(int64_t own, int64_t all) { setHeads(getHeads() * own / all); }
  }];
}
