// Cross entropy of logits w + c with the first class: a number, which c does not change.
func.func @main_step(
    %w: tensor<4xf32> {block.param = "w"},
    %c: tensor<1xf32> {block.param = "c"})
    -> (tensor<f32> {block.output = "loss"},
        tensor<4xf32> {block.output = "logits"},
        tensor<4xf32> {block.grad = "w"},
        tensor<1xf32> {block.grad = "c"})
    attributes {block.loss = "loss"} {
  %empty = tensor.empty() : tensor<4xf32>
  %number = tensor.empty() : tensor<f32>
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%number : tensor<f32>) -> tensor<f32>
  %shift = tensor.collapse_shape %c [] : tensor<1xf32> into tensor<f32>
  %shifts = linalg.broadcast ins(%shift : tensor<f32>) outs(%empty : tensor<4xf32>) dimensions = [0]
  %logits = arith.addf %w, %shifts : tensor<4xf32>
  %e = math.exp %logits : tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<4xf32>) outs(%start : tensor<f32>) dimensions = [0]
  %log = math.log %sum : tensor<f32>
  %first = tensor.extract_slice %logits[0] [1] [1] : tensor<4xf32> to tensor<f32>
  %loss = arith.subf %log, %first : tensor<f32>

  %sums = linalg.broadcast ins(%sum : tensor<f32>) outs(%empty : tensor<4xf32>) dimensions = [0]
  %p = arith.divf %e, %sums : tensor<4xf32>
  %target = arith.constant dense<[1.0, 0.0, 0.0, 0.0]> : tensor<4xf32>
  %dw = arith.subf %p, %target : tensor<4xf32>
  %dc = arith.constant dense<0.0> : tensor<1xf32>
  return %loss, %logits, %dw, %dc : tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<1xf32>
}
