// A sum over rows of cross entropies of a projection is one block; other losses stay as they are, with a reason.
// RUN: block-opt %s --block-raise --split-input-file --remarks-filter=block-raise --remark-format=emitRemark \
// RUN:   2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t.remarks

// The logarithm of 1 and what other classes have over the target.
// CHECK-LABEL: func.func @margin
// CHECK-NOT: block.linear
// CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
// CHECK: block.cross_entropy %arg0, %arg3 targets %arg1 divisor %[[ONE]]
// CHECK-NOT: tosa.exp
// WHY: Function=margin | Remark="cross_entropy recognised"
func.func @margin(%x: tensor<2x3x4xf32> {block.input = "x"}, %labels: tensor<2x3xi64> {block.input = "labels"}, %others: tensor<2x3xi64> {block.input = "others"}, %w: tensor<5x4xf32> {block.param = "w"}) -> (tensor<f32> {block.output = "loss"}) {
  %f0 = arith.constant 0.0 : f32
  %least = "tosa.const"() <{values = dense<5.0e-01> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %hidden = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %none = "tosa.const"() <{values = dense<-100> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
  %numbers = "tosa.const"() <{values = dense<[[0, 1, 2, 3, 4]]> : tensor<1x5xi64>}> : () -> tensor<1x5xi64>
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %nothing = tensor.empty() : tensor<6x5xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%nothing : tensor<6x5xf32>) -> tensor<6x5xf32>
  %turned = tensor.empty() : tensor<4x5xf32>
  %wt = linalg.transpose ins(%w : tensor<5x4xf32>) outs(%turned : tensor<4x5xf32>) permutation = [1, 0]
  %logits = linalg.matmul ins(%x2, %wt : tensor<6x4xf32>, tensor<4x5xf32>) outs(%init : tensor<6x5xf32>) -> tensor<6x5xf32>
  %rows = tensor.collapse_shape %labels [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %targets = tensor.expand_shape %rows [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %rows2 = tensor.collapse_shape %labels [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %targets2 = tensor.expand_shape %rows2 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %isNone = tosa.equal %targets2, %none : (tensor<6x1xi64>, tensor<1x1xi64>) -> tensor<6x1xi1>
  %own = tosa.equal %targets, %numbers : (tensor<6x1xi64>, tensor<1x5xi64>) -> tensor<6x5xi1>
  %chosen = tosa.select %own, %logits, %zero : (tensor<6x5xi1>, tensor<6x5xf32>, tensor<1x1xf32>) -> tensor<6x5xf32>
  %picked = tosa.reduce_sum %chosen {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %rest = tosa.select %own, %hidden, %logits : (tensor<6x5xi1>, tensor<1x1xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
  %most = tosa.reduce_max %rest {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %less = tosa.sub %rest, %most : (tensor<6x5xf32>, tensor<6x1xf32>) -> tensor<6x5xf32>
  %powers = tosa.exp %less : (tensor<6x5xf32>) -> tensor<6x5xf32>
  %sum = tosa.reduce_sum %powers {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %total = tosa.maximum %sum, %least : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %log = tosa.log %total : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %margin = tosa.sub %most, %picked : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %z = tosa.add %margin, %log : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %size = tosa.abs %z : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %minus = tosa.sub %zero, %size : (tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %power = tosa.exp %minus : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %tail = math.log1p %power : tensor<6x1xf32>
  %above = tosa.maximum %z, %zero : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %loss = tosa.add %above, %tail : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %kept = tosa.select %isNone, %zero, %loss : (tensor<6x1xi1>, tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %line = tensor.collapse_shape %kept [[0, 1]] : tensor<6x1xf32> into tensor<6xf32>
  %all = tosa.reduce_sum %line {axis = 0 : i32} : (tensor<6xf32>) -> tensor<1xf32>
  %result = tensor.collapse_shape %all [] : tensor<1xf32> into tensor<f32>
  return %result : tensor<f32>
}

// -----

// The logarithm of all shares, of which the target's is picked.
// CHECK-LABEL: func.func @shares
// CHECK-NOT: block.linear
// CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
// CHECK: block.cross_entropy %arg0, %arg3 targets %arg1 divisor %[[ONE]]
// CHECK-NOT: tosa.exp
// WHY: Function=shares | Remark="cross_entropy recognised"
func.func @shares(%x: tensor<2x3x4xf32> {block.input = "x"}, %labels: tensor<2x3xi64> {block.input = "labels"}, %others: tensor<2x3xi64> {block.input = "others"}, %w: tensor<5x4xf32> {block.param = "w"}) -> (tensor<f32> {block.output = "loss"}) {
  %f0 = arith.constant 0.0 : f32
  %least = "tosa.const"() <{values = dense<5.0e-01> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %hidden = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %none = "tosa.const"() <{values = dense<-100> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
  %numbers = "tosa.const"() <{values = dense<[[0, 1, 2, 3, 4]]> : tensor<1x5xi64>}> : () -> tensor<1x5xi64>
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %nothing = tensor.empty() : tensor<6x5xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%nothing : tensor<6x5xf32>) -> tensor<6x5xf32>
  %turned = tensor.empty() : tensor<4x5xf32>
  %wt = linalg.transpose ins(%w : tensor<5x4xf32>) outs(%turned : tensor<4x5xf32>) permutation = [1, 0]
  %logits = linalg.matmul ins(%x2, %wt : tensor<6x4xf32>, tensor<4x5xf32>) outs(%init : tensor<6x5xf32>) -> tensor<6x5xf32>
  %rows = tensor.collapse_shape %labels [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %targets = tensor.expand_shape %rows [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %rows2 = tensor.collapse_shape %labels [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %targets2 = tensor.expand_shape %rows2 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %isNone = tosa.equal %targets2, %none : (tensor<6x1xi64>, tensor<1x1xi64>) -> tensor<6x1xi1>
  %own = tosa.equal %targets, %numbers : (tensor<6x1xi64>, tensor<1x5xi64>) -> tensor<6x5xi1>
  %most = tosa.reduce_max %logits {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %less = tosa.sub %logits, %most : (tensor<6x5xf32>, tensor<6x1xf32>) -> tensor<6x5xf32>
  %powers = tosa.exp %less : (tensor<6x5xf32>) -> tensor<6x5xf32>
  %total = tosa.reduce_sum %powers {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %log = tosa.log %total : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %shares = tosa.sub %less, %log : (tensor<6x5xf32>, tensor<6x1xf32>) -> tensor<6x5xf32>
  %chosen = tosa.select %own, %shares, %zero : (tensor<6x5xi1>, tensor<6x5xf32>, tensor<1x1xf32>) -> tensor<6x5xf32>
  %picked = tosa.reduce_sum %chosen {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %loss = tosa.sub %zero, %picked : (tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %kept = tosa.select %isNone, %zero, %loss : (tensor<6x1xi1>, tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %line = tensor.collapse_shape %kept [[0, 1]] : tensor<6x1xf32> into tensor<6xf32>
  %all = tosa.reduce_sum %line {axis = 0 : i32} : (tensor<6xf32>) -> tensor<1xf32>
  %result = tensor.collapse_shape %all [] : tensor<1xf32> into tensor<f32>
  return %result : tensor<f32>
}

// -----

// The numbers of classes begin at 1.
// CHECK-LABEL: func.func @numbers_from_one
// CHECK: block.linear
// CHECK-NOT: block.cross_entropy
// CHECK: tosa.exp
// WHY: Function=numbers_from_one | Reason="unknown-loss: logits of all rows are in memory
func.func @numbers_from_one(%x: tensor<2x3x4xf32> {block.input = "x"}, %labels: tensor<2x3xi64> {block.input = "labels"}, %others: tensor<2x3xi64> {block.input = "others"}, %w: tensor<5x4xf32> {block.param = "w"}) -> (tensor<f32> {block.output = "loss"}) {
  %f0 = arith.constant 0.0 : f32
  %least = "tosa.const"() <{values = dense<5.0e-01> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %hidden = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %none = "tosa.const"() <{values = dense<-100> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
  %numbers = "tosa.const"() <{values = dense<[[1, 2, 3, 4, 5]]> : tensor<1x5xi64>}> : () -> tensor<1x5xi64>
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %nothing = tensor.empty() : tensor<6x5xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%nothing : tensor<6x5xf32>) -> tensor<6x5xf32>
  %turned = tensor.empty() : tensor<4x5xf32>
  %wt = linalg.transpose ins(%w : tensor<5x4xf32>) outs(%turned : tensor<4x5xf32>) permutation = [1, 0]
  %logits = linalg.matmul ins(%x2, %wt : tensor<6x4xf32>, tensor<4x5xf32>) outs(%init : tensor<6x5xf32>) -> tensor<6x5xf32>
  %rows = tensor.collapse_shape %labels [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %targets = tensor.expand_shape %rows [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %rows2 = tensor.collapse_shape %labels [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %targets2 = tensor.expand_shape %rows2 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %isNone = tosa.equal %targets2, %none : (tensor<6x1xi64>, tensor<1x1xi64>) -> tensor<6x1xi1>
  %own = tosa.equal %targets, %numbers : (tensor<6x1xi64>, tensor<1x5xi64>) -> tensor<6x5xi1>
  %chosen = tosa.select %own, %logits, %zero : (tensor<6x5xi1>, tensor<6x5xf32>, tensor<1x1xf32>) -> tensor<6x5xf32>
  %picked = tosa.reduce_sum %chosen {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %rest = tosa.select %own, %hidden, %logits : (tensor<6x5xi1>, tensor<1x1xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
  %most = tosa.reduce_max %rest {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %less = tosa.sub %rest, %most : (tensor<6x5xf32>, tensor<6x1xf32>) -> tensor<6x5xf32>
  %powers = tosa.exp %less : (tensor<6x5xf32>) -> tensor<6x5xf32>
  %sum = tosa.reduce_sum %powers {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %total = tosa.maximum %sum, %least : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %log = tosa.log %total : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %margin = tosa.sub %most, %picked : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %z = tosa.add %margin, %log : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %size = tosa.abs %z : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %minus = tosa.sub %zero, %size : (tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %power = tosa.exp %minus : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %tail = math.log1p %power : tensor<6x1xf32>
  %above = tosa.maximum %z, %zero : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %loss = tosa.add %above, %tail : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %kept = tosa.select %isNone, %zero, %loss : (tensor<6x1xi1>, tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %line = tensor.collapse_shape %kept [[0, 1]] : tensor<6x1xf32> into tensor<6xf32>
  %all = tosa.reduce_sum %line {axis = 0 : i32} : (tensor<6xf32>) -> tensor<1xf32>
  %result = tensor.collapse_shape %all [] : tensor<1xf32> into tensor<f32>
  return %result : tensor<f32>
}

// -----

// Other numbers decide which rows have no target.
// CHECK-LABEL: func.func @other_labels
// CHECK: block.linear
// CHECK-NOT: block.cross_entropy
// CHECK: tosa.exp
// WHY: Function=other_labels | Reason="unknown-loss: logits of all rows are in memory
func.func @other_labels(%x: tensor<2x3x4xf32> {block.input = "x"}, %labels: tensor<2x3xi64> {block.input = "labels"}, %others: tensor<2x3xi64> {block.input = "others"}, %w: tensor<5x4xf32> {block.param = "w"}) -> (tensor<f32> {block.output = "loss"}) {
  %f0 = arith.constant 0.0 : f32
  %least = "tosa.const"() <{values = dense<5.0e-01> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %hidden = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %none = "tosa.const"() <{values = dense<-100> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
  %numbers = "tosa.const"() <{values = dense<[[0, 1, 2, 3, 4]]> : tensor<1x5xi64>}> : () -> tensor<1x5xi64>
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %nothing = tensor.empty() : tensor<6x5xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%nothing : tensor<6x5xf32>) -> tensor<6x5xf32>
  %turned = tensor.empty() : tensor<4x5xf32>
  %wt = linalg.transpose ins(%w : tensor<5x4xf32>) outs(%turned : tensor<4x5xf32>) permutation = [1, 0]
  %logits = linalg.matmul ins(%x2, %wt : tensor<6x4xf32>, tensor<4x5xf32>) outs(%init : tensor<6x5xf32>) -> tensor<6x5xf32>
  %rows = tensor.collapse_shape %labels [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %targets = tensor.expand_shape %rows [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %rows2 = tensor.collapse_shape %others [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %targets2 = tensor.expand_shape %rows2 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %isNone = tosa.equal %targets2, %none : (tensor<6x1xi64>, tensor<1x1xi64>) -> tensor<6x1xi1>
  %own = tosa.equal %targets, %numbers : (tensor<6x1xi64>, tensor<1x5xi64>) -> tensor<6x5xi1>
  %chosen = tosa.select %own, %logits, %zero : (tensor<6x5xi1>, tensor<6x5xf32>, tensor<1x1xf32>) -> tensor<6x5xf32>
  %picked = tosa.reduce_sum %chosen {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %rest = tosa.select %own, %hidden, %logits : (tensor<6x5xi1>, tensor<1x1xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
  %most = tosa.reduce_max %rest {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %less = tosa.sub %rest, %most : (tensor<6x5xf32>, tensor<6x1xf32>) -> tensor<6x5xf32>
  %powers = tosa.exp %less : (tensor<6x5xf32>) -> tensor<6x5xf32>
  %sum = tosa.reduce_sum %powers {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %total = tosa.maximum %sum, %least : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %log = tosa.log %total : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %margin = tosa.sub %most, %picked : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %z = tosa.add %margin, %log : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %size = tosa.abs %z : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %minus = tosa.sub %zero, %size : (tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %power = tosa.exp %minus : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %tail = math.log1p %power : tensor<6x1xf32>
  %above = tosa.maximum %z, %zero : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %loss = tosa.add %above, %tail : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %kept = tosa.select %isNone, %zero, %loss : (tensor<6x1xi1>, tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %line = tensor.collapse_shape %kept [[0, 1]] : tensor<6x1xf32> into tensor<6xf32>
  %all = tosa.reduce_sum %line {axis = 0 : i32} : (tensor<6xf32>) -> tensor<1xf32>
  %result = tensor.collapse_shape %all [] : tensor<1xf32> into tensor<f32>
  return %result : tensor<f32>
}

// -----

// The bound changes sums of exponentials.
// CHECK-LABEL: func.func @high_bound
// CHECK: block.linear
// CHECK-NOT: block.cross_entropy
// CHECK: tosa.exp
func.func @high_bound(%x: tensor<2x3x4xf32> {block.input = "x"}, %labels: tensor<2x3xi64> {block.input = "labels"}, %others: tensor<2x3xi64> {block.input = "others"}, %w: tensor<5x4xf32> {block.param = "w"}) -> (tensor<f32> {block.output = "loss"}) {
  %f0 = arith.constant 0.0 : f32
  %least = "tosa.const"() <{values = dense<1.5> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %hidden = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %none = "tosa.const"() <{values = dense<-100> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
  %numbers = "tosa.const"() <{values = dense<[[0, 1, 2, 3, 4]]> : tensor<1x5xi64>}> : () -> tensor<1x5xi64>
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  %nothing = tensor.empty() : tensor<6x5xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%nothing : tensor<6x5xf32>) -> tensor<6x5xf32>
  %turned = tensor.empty() : tensor<4x5xf32>
  %wt = linalg.transpose ins(%w : tensor<5x4xf32>) outs(%turned : tensor<4x5xf32>) permutation = [1, 0]
  %logits = linalg.matmul ins(%x2, %wt : tensor<6x4xf32>, tensor<4x5xf32>) outs(%init : tensor<6x5xf32>) -> tensor<6x5xf32>
  %rows = tensor.collapse_shape %labels [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %targets = tensor.expand_shape %rows [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %rows2 = tensor.collapse_shape %labels [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %targets2 = tensor.expand_shape %rows2 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %isNone = tosa.equal %targets2, %none : (tensor<6x1xi64>, tensor<1x1xi64>) -> tensor<6x1xi1>
  %own = tosa.equal %targets, %numbers : (tensor<6x1xi64>, tensor<1x5xi64>) -> tensor<6x5xi1>
  %chosen = tosa.select %own, %logits, %zero : (tensor<6x5xi1>, tensor<6x5xf32>, tensor<1x1xf32>) -> tensor<6x5xf32>
  %picked = tosa.reduce_sum %chosen {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %rest = tosa.select %own, %hidden, %logits : (tensor<6x5xi1>, tensor<1x1xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
  %most = tosa.reduce_max %rest {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %less = tosa.sub %rest, %most : (tensor<6x5xf32>, tensor<6x1xf32>) -> tensor<6x5xf32>
  %powers = tosa.exp %less : (tensor<6x5xf32>) -> tensor<6x5xf32>
  %sum = tosa.reduce_sum %powers {axis = 1 : i32} : (tensor<6x5xf32>) -> tensor<6x1xf32>
  %total = tosa.maximum %sum, %least : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %log = tosa.log %total : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %margin = tosa.sub %most, %picked : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %z = tosa.add %margin, %log : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %size = tosa.abs %z : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %minus = tosa.sub %zero, %size : (tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %power = tosa.exp %minus : (tensor<6x1xf32>) -> tensor<6x1xf32>
  %tail = math.log1p %power : tensor<6x1xf32>
  %above = tosa.maximum %z, %zero : (tensor<6x1xf32>, tensor<1x1xf32>) -> tensor<6x1xf32>
  %loss = tosa.add %above, %tail : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %kept = tosa.select %isNone, %zero, %loss : (tensor<6x1xi1>, tensor<1x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
  %line = tensor.collapse_shape %kept [[0, 1]] : tensor<6x1xf32> into tensor<6xf32>
  %all = tosa.reduce_sum %line {axis = 0 : i32} : (tensor<6xf32>) -> tensor<1xf32>
  %result = tensor.collapse_shape %all [] : tensor<1xf32> into tensor<f32>
  return %result : tensor<f32>
}
