func.func @main(%x: tensor<1x1x12xf32> {block.input = "x"})
    -> (tensor<1x1x12xf32> {block.output = "once"}, tensor<1x1x12xf32> {block.output = "twice"},
        tensor<1x1x12xf32> {block.output = "back"}) {
  %a = block.stream_add %x : tensor<1x1x12xf32> -> tensor<1x1x12xi32>
  %b = block.stream_add %x to %a : tensor<1x1x12xf32>, tensor<1x1x12xi32> -> tensor<1x1x12xi32>
  %c = block.stream_add %x to %b {subtract} : tensor<1x1x12xf32>, tensor<1x1x12xi32> -> tensor<1x1x12xi32>
  %once = block.stream_value %a : tensor<1x1x12xi32> -> tensor<1x1x12xf32>
  %twice = block.stream_value %b : tensor<1x1x12xi32> -> tensor<1x1x12xf32>
  %back = block.stream_value %c : tensor<1x1x12xi32> -> tensor<1x1x12xf32>
  return %once, %twice, %back : tensor<1x1x12xf32>, tensor<1x1x12xf32>, tensor<1x1x12xf32>
}
