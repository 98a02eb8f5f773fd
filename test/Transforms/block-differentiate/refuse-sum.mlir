// What loss=sum adds up are tensors.
// RUN: block-opt %s --block-differentiate="loss=sum" --verify-diagnostics

// expected-error @+1 {{expected results that are tensors for loss=sum, got one of type 'f32'}}
func.func @main(%w: tensor<8xf32> {block.param = "w"}) -> (f32 {block.output = "y"}) {
  %first = arith.constant 0 : index
  %y = tensor.extract %w[%first] : tensor<8xf32>
  return %y : f32
}
