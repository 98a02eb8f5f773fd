include "mlir/Pass/PassBase.td"

def Good : Pass<"block-good"> {
  let summary = "has all";
  let description = [{
    Class: exact. Example: test/Transforms/block-good/doc.mlir.
  }];
  let options = [Option<"level", "level", "int", "1", "how much">];
}

def Bad : Pass<"block-bad"> {
  let summary = "has nothing";
  let description = [{ Class: perfect. }];
  let options = [Option<"level", "level", "int", "1", "how much">];
}

class Leveled<string flag> : Pass<flag> {
  let options = [Option<"level", "level", "int", "1", "how much">];
}

def Derived
    : Leveled<"block-derived"> {
  let summary = "is of a class of passes";
  let description = [{ Class: exact. Example: test/Transforms/block-good/doc.mlir. }];
}

def Unlisted : Pass<"block-unlisted"> {
  let summary = "is not registered";
  let description = [{ Class: exact. Example: test/Transforms/block-unlisted/doc.mlir. }];
}
