// A norm whose statistics are of other rows than it reads.
func.func @main(%x: tensor<?x?x64xf32> {block.input = "x"}, %y: tensor<?x?x64xf32> {block.input = "y"},
    %w: tensor<64x64xf32> {block.param = "w"}, %u: tensor<64x64xf32> {block.param = "u"},
    %g: tensor<64xf32> {block.param = "g"}, %h: tensor<31x64xf32> {block.param = "h"})
    -> (tensor<?x?x31xf32> {block.output = "logits"}) {
  %a = block.linear %x, %w : tensor<?x?x64xf32>
  %b = block.linear %y, %u : tensor<?x?x64xf32>
  %moment = block.norm_stats %b : tensor<?x?x64xf32>
  %n = block.normalize %a moment %moment gamma %g {form = #block.norm<kind = rms, eps = 1.0e-06>} : tensor<?x?x64xf32>
  %logits = block.head %n, %h : tensor<?x?x64xf32> -> tensor<?x?x31xf32>
  return %logits : tensor<?x?x31xf32>
}
