// What no kernel takes is named.
// RUN: block-opt %s --split-input-file --verify-diagnostics --block-form-leftovers

func.func @main(%x: tensor<65xf32>) -> tensor<65xf32> {
  // expected-error @below {{no code for a constant of 65 different numbers in a kernel: expected at most 64, or a parameter}}
  %numbers = arith.constant dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F00000040"> : tensor<65xf32>
  %sum = arith.addf %x, %numbers : tensor<65xf32>
  return %sum : tensor<65xf32>
}

// -----

func.func @main(%x: tensor<8xf32>, %n: tensor<i64>) -> tensor<?xf32> {
  %number = tensor.extract %n[] : tensor<i64>
  %size = arith.index_cast %number : i64 to index
  // expected-error @below {{no code for 'tensor.extract_slice' in a kernel: its size depends on data}}
  %first = tensor.extract_slice %x[0] [%size] [1] : tensor<8xf32> to tensor<?xf32>
  return %first : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<8xf32>, %i: tensor<2xi64>) -> tensor<2xf32> {
  %empty = tensor.empty() : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%i : tensor<2xi64>) outs(%empty : tensor<2xf32>) {
  ^bb0(%row: i64, %old: f32):
    %seven = arith.constant 7 : i64
    %isBelow = arith.cmpi slt, %row, %seven : i64
    // expected-error @below {{no code for an assertion, other than that an index is one of the tensor that it reads}}
    cf.assert %isBelow, "row"
    %at = arith.index_cast %row : i64 to index
    %element = tensor.extract %x[%at] : tensor<8xf32>
    linalg.yield %element : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
