// What a kernel stores: statistics that another kernel merges again although this
// one does as well, and a projection that is read beside the residual it joins.
// RUN: block-opt %s --block-form-kernels | FileCheck %s

// CHECK-LABEL: func.func @merged_twice(
// CHECK: %[[FIRST:.*]]:2 = block.kernel "rows"
// CHECK: block.merge_stats
// CHECK: block.yield {{.*}} : tensor<1x2x1xf32>, tensor<1x2x8xf32>
// CHECK: block.kernel "rows" ({{.*}} = %[[FIRST]]#0 : tensor<1x2x1xf32>)
// CHECK-NEXT: block.merge_stats
func.func @merged_twice(%ids: tensor<1x2xi64>, %table: tensor<7x8xf32>, %gain: tensor<8xf32>) -> tensor<1x2x8xf32> {
  %x = block.embedding %ids in %table : (tensor<1x2xi64>, tensor<7x8xf32>) -> tensor<1x2x8xf32>
  %moment = block.norm_stats %x : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  %n = block.normalize %x moment %moment gamma %gain {form = #block.norm<kind = rms, eps = 1.0e-05>} : (tensor<1x2x8xf32>, tensor<1x2x1xf32>, tensor<8xf32>) -> tensor<1x2x8xf32>
  %layer = block.layer "l" at 0 -> tensor<1x2x8xf32> {
    %y = block.activation %n {kind = #block.activation<relu>} : tensor<1x2x8xf32>
    block.yield %y : tensor<1x2x8xf32>
  }
  %result = block.normalize %layer moment %moment {form = #block.norm<kind = rms, eps = 1.0e-05>} : (tensor<1x2x8xf32>, tensor<1x2x1xf32>) -> tensor<1x2x8xf32>
  return %result : tensor<1x2x8xf32>
}

// CHECK-LABEL: func.func @read_beside_residual(
// CHECK: block.linear {{.*}} : tensor<1x2x8xbf16>{{$}}
// CHECK: block.residual
// CHECK: block.yield {{.*}} : tensor<1x2x8xbf16>, tensor<1x2x8xbf16>
func.func @read_beside_residual(%x: tensor<1x2x8xbf16>, %weight: tensor<8x8xbf16>) -> (tensor<1x2x8xbf16>, tensor<1x2x8xbf16>) {
  %update = block.linear %x, %weight : (tensor<1x2x8xbf16>, tensor<8x8xbf16>) -> tensor<1x2x8xbf16>
  %y = block.residual %x, %update : (tensor<1x2x8xbf16>, tensor<1x2x8xbf16>) -> tensor<1x2x8xbf16>
  return %update, %y : tensor<1x2x8xbf16>, tensor<1x2x8xbf16>
}

// Statistics that are a function's results, beside a norm that this kernel applies.
// CHECK-LABEL: func.func @returned_statistics(
// CHECK: %[[ROWS:.*]]:3 = block.kernel "linear"
// CHECK: block.partial_stats
// CHECK: %[[MERGED:.*]]:2 = block.kernel "rows" ({{.*}} = %[[ROWS]]#{{[012]}} : tensor<1x2x1xf32>, {{.*}} = %[[ROWS]]#{{[012]}} : tensor<1x2x1xf32>)
// CHECK-NEXT: block.merge_stats
// CHECK: %[[NORMED:.*]] = block.kernel "rows"
// CHECK: block.merge_stats
// CHECK: return %[[MERGED]]#0, %[[MERGED]]#1, %[[NORMED]]
func.func @returned_statistics(%x: tensor<1x2x8xf32>, %weight: tensor<8x8xf32>) -> (tensor<1x2x1xf32>, tensor<1x2x1xf32>, tensor<1x2x8xf32>) {
  %a = block.linear %x, %weight : (tensor<1x2x8xf32>, tensor<8x8xf32>) -> tensor<1x2x8xf32>
  %s:2 = block.norm_stats %a centered : (tensor<1x2x8xf32>) -> (tensor<1x2x1xf32>, tensor<1x2x1xf32>)
  %n = block.normalize %a mean %s#0 moment %s#1 {form = #block.norm<kind = layer, eps = 1.0e-05>} : (tensor<1x2x8xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x8xf32>
  return %s#0, %s#1, %n : tensor<1x2x1xf32>, tensor<1x2x1xf32>, tensor<1x2x8xf32>
}

// The same of rows that the very kernel makes that applies the norm.
// CHECK-LABEL: func.func @returned_from_rows(
// CHECK: %[[ROWS:.*]]:2 = block.kernel "rows"
// CHECK: block.embedding
// CHECK: %[[MERGED:.*]] = block.merge_stats
// CHECK: %[[NORMED:.*]] = block.normalize
// CHECK: block.yield %[[MERGED]], %[[NORMED]]
// CHECK: return %[[ROWS]]#0, %[[ROWS]]#1
func.func @returned_from_rows(%ids: tensor<1x2xi64>, %table: tensor<7x8xf32>) -> (tensor<1x2x1xf32>, tensor<1x2x8xf32>) {
  %x = block.embedding %ids in %table : (tensor<1x2xi64>, tensor<7x8xf32>) -> tensor<1x2x8xf32>
  %moment = block.norm_stats %x : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  %n = block.normalize %x moment %moment {form = #block.norm<kind = rms, eps = 1.0e-05>} : (tensor<1x2x8xf32>, tensor<1x2x1xf32>) -> tensor<1x2x8xf32>
  return %moment, %n : tensor<1x2x1xf32>, tensor<1x2x8xf32>
}
