module {
  func.func @main(%arg0: tensor<2x3x12xbf16> {block.input = "x"},
      %arg1: tensor<2x?x12xbf16> {block.dims = ["t"], block.input = "y"})
      -> (tensor<2x3x12xbf16> {block.output = "a"}, tensor<2x?x12xbf16> {block.output = "b"}) {
    %cst = arith.constant dense<[[[0.000000e+00, 0.000000e+00], [0.841470957, 0.00999983306], [0.909297406, 0.0199986659]]]> : tensor<1x3x2xf32>
    %cst_0 = arith.constant dense<[[[1.000000e+00, 1.000000e+00], [0.540302277, 0.999949991], [-0.416146845, 9.998000e-01]]]> : tensor<1x3x2xf32>
    %0 = block.rotate %arg0, %cst_0, %cst {dim = 4, heads = 2, style = #block.rope_style<half>} : tensor<2x3x12xbf16>, tensor<1x3x2xf32>
    %1 = block.rotate %0, %cst_0, %cst {dim = 4, heads = 1, style = #block.rope_style<interleaved>} : tensor<2x3x12xbf16>, tensor<1x3x2xf32>
    %2 = block.rope %arg1 {form = #block.rope<style = half, dim = 4>, heads = 2} : tensor<2x?x12xbf16>
    return %1, %2 : tensor<2x3x12xbf16>, tensor<2x?x12xbf16>
  }
}

