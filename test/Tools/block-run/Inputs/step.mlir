// A layer and its gradients, written by hand: y = x + 0.5 W_down relu(W_up x + b).
#row = affine_map<(n, k, b, t) -> (b, t, n)>
#column = affine_map<(n, k, b, t) -> (b, t, k)>
#weight = affine_map<(n, k, b, t) -> (n, k)>
func.func @main_step(
    %x: tensor<2x3x4xf32> {block.input = "x"},
    %up: tensor<4x4xf32> {block.param = "up.weight"},
    %bias: tensor<4xf32> {block.param = "up.bias"},
    %down: tensor<4x4xf32> {block.param = "down.weight"},
    %ids: tensor<2x3xi64> {block.input = "ids"},
    %dy: tensor<2x3x4xf32> {block.input = "grad.y"})
    -> (tensor<2x3x4xf32> {block.output = "y"},
        tensor<2x3xi64> {block.output = "ids"},
        tensor<4x4xf32> {block.grad = "up.weight"},
        tensor<4xf32> {block.grad = "up.bias"},
        tensor<4x4xf32> {block.grad = "down.weight"},
        tensor<2x3x4xf32> {block.grad = "x"}) {
  %hidden, %opened, %y = block.layer "h.0" at 0
      -> tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32> {
    %0 = block.linear %x, %up bias %bias
        : (tensor<2x3x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
    %1 = block.activation %0 {kind = #block.activation<relu>} : tensor<2x3x4xf32>
    %2 = block.linear %1, %down : (tensor<2x3x4xf32>, tensor<4x4xf32>) -> tensor<2x3x4xf32>
    %3 = block.residual %x, %2 {branch_scales = [0.5 : f64]} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    block.yield %0, %1, %3 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
  }

  %weights = tensor.empty() : tensor<4x4xf32>
  %vectors = tensor.empty() : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %noWeight = linalg.fill ins(%zero : f32) outs(%weights : tensor<4x4xf32>) -> tensor<4x4xf32>
  %noVector = linalg.fill ins(%zero : f32) outs(%vectors : tensor<4xf32>) -> tensor<4xf32>
  %none = arith.constant dense<0.0> : tensor<2x3x4xf32>
  %half = arith.constant dense<0.5> : tensor<2x3x4xf32>
  %du, %dx, %dz = block.layer "h.0" at 0 backward
      -> tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32> {
    %0 = arith.mulf %dy, %half : tensor<2x3x4xf32>
    %1 = linalg.transpose ins(%down : tensor<4x4xf32>) outs(%weights : tensor<4x4xf32>) permutation = [1, 0]
    %2 = block.linear %0, %1 : (tensor<2x3x4xf32>, tensor<4x4xf32>) -> tensor<2x3x4xf32>
    %3 = arith.cmpf ogt, %hidden, %none : tensor<2x3x4xf32>
    %4 = arith.select %3, %2, %none : tensor<2x3x4xi1>, tensor<2x3x4xf32>
    %5 = linalg.transpose ins(%up : tensor<4x4xf32>) outs(%weights : tensor<4x4xf32>) permutation = [1, 0]
    %6 = block.linear %4, %5 : (tensor<2x3x4xf32>, tensor<4x4xf32>) -> tensor<2x3x4xf32>
    %7 = arith.addf %dy, %6 : tensor<2x3x4xf32>
    block.yield %4, %7, %0 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
  }
  %dup = linalg.generic {indexing_maps = [#row, #column, #weight], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%du, %x : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%noWeight : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<4x4xf32>
  %ddown = linalg.generic {indexing_maps = [#row, #column, #weight], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%dz, %opened : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%noWeight : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<4x4xf32>
  %dbias = linalg.reduce ins(%du : tensor<2x3x4xf32>) outs(%noVector : tensor<4xf32>) dimensions = [0, 1]
      (%a: f32, %sum: f32) {
    %next = arith.addf %a, %sum : f32
    linalg.yield %next : f32
  }
  return %y, %ids, %dup, %dbias, %ddown, %dx
      : tensor<2x3x4xf32>, tensor<2x3xi64>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<2x3x4xf32>
}
