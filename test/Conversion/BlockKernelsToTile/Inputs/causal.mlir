func.func @main(%q: tensor<BATCHxTOKENSxWIDTHxbf16>, %k: tensor<BATCHxTOKENSxWIDTHxbf16>, %v: tensor<BATCHxTOKENSxWIDTHxbf16>) -> tensor<BATCHxTOKENSxWIDTHxbf16> {
  %0 = block.kernel "sdpa" (%a = %q : tensor<BATCHxTOKENSxWIDTHxbf16>, %b = %k : tensor<BATCHxTOKENSxWIDTHxbf16>, %c = %v : tensor<BATCHxTOKENSxWIDTHxbf16>) -> tensor<BATCHxTOKENSxWIDTHxbf16> {
    %1 = block.sdpa %a, %b, %c {heads = HEADS : i64, kv_heads = HEADS : i64, scores = #block.scores<scale = 0.125, causal = true>} : (tensor<BATCHxTOKENSxWIDTHxbf16>, tensor<BATCHxTOKENSxWIDTHxbf16>, tensor<BATCHxTOKENSxWIDTHxbf16>) -> tensor<BATCHxTOKENSxWIDTHxbf16>
    block.yield %1 : tensor<BATCHxTOKENSxWIDTHxbf16>
  }
  return %0 : tensor<BATCHxTOKENSxWIDTHxbf16>
}
