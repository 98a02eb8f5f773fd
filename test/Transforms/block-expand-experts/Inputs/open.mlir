func.func @main(%l: tensor<?x?x4xbf16> {block.input = "l"}) -> (tensor<?x?x2xi64> {block.output = "i"}, tensor<?x?x2xbf16> {block.output = "w"}) {
  %i, %w = block.route %l {form = #block.routing<chosen = 2, score = softmax>} : (tensor<?x?x4xbf16>) -> (tensor<?x?x2xi64>, tensor<?x?x2xbf16>)
  return %i, %w : tensor<?x?x2xi64>, tensor<?x?x2xbf16>
}
