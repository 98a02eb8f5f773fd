// RUN: block-opt %s | FileCheck %s
// RUN: block-opt %s | FileCheck %s --check-prefixes=ONE,TWO
// CEHCK: misspelt
// CHECK-SMAE: misspelt
// CHECK-NEX: misspelt
// CHECK-LABLE: misspelt
// CHECK without a colon
// CHECK-ERROR: no RUN line gives it
// OTHER-NEXT: no RUN line gives it
// CHECK: %[[X:.*]] = block.linear %{{.*}}, %{{.*}} : tensor
// CHECK: %[[X:.*]] = block.linear %[[Y:.*]], %{{.*}} : tensor
// ONE: checked
// expected-error @+1 {{nobody verifies}}
// expected-eror @+1 {{misspelt}}
