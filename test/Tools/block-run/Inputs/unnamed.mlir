// As other tools write it: no names at all.
func.func @main(%a: tensor<?x?x4xf32>, %b: tensor<?x?x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x?x4xf32>) {
  return %a, %b : tensor<?x?x4xf32>, tensor<?x?x4xf32>
}
