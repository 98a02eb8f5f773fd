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
