// What is asked about the place of neighbouring columns is asked once: on which side of
// a border they are, in which part; and not at all: which of a pair they are.
// RUN: block-opt %s --tile-widen-columns | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: @borders
  // CHECK: %[[PLACE:.*]] = arith.remui %[[COLUMN:.*]], %{{.*}} : index
  // CHECK-NEXT: arith.constant 16
  // CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi slt, %[[PLACE]], %{{.*}} : index
  // CHECK-NEXT: %[[VALUES:.*]]:4 = scf.if %[[INSIDE]] -> (f32, f32, f32, f32) {
  // CHECK-NEXT: tile.load %{{.*}}[%{{.*}}, %[[AT1:.*]]] :
  // CHECK-NEXT: tile.load %{{.*}}[%{{.*}}, %[[COLUMN]]] :
  // CHECK-NEXT: tile.load %{{.*}}[%{{.*}}, %[[AT3:.*]]] :
  // CHECK-NEXT: tile.load %{{.*}}[%{{.*}}, %[[AT2:.*]]] :
  // CHECK-NEXT: arith.constant 2
  // CHECK-NEXT: %[[PAIR:.*]] = arith.divui %[[PLACE]], %{{.*}} : index
  // CHECK-NEXT: %[[A:.*]] = tile.load %{{.*}}[%{{.*}}, %[[PAIR]]] :
  // CHECK-NEXT: %[[B:.*]] = tile.load %{{.*}}[%{{.*}}, %[[PAIR]]] :
  // CHECK-NEXT: arith.constant 1
  // CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[PAIR]], %{{.*}} overflow<nsw> : index
  // CHECK-NEXT: tile.load %{{.*}}[%{{.*}}, %[[NEXT]]] :
  // CHECK-NEXT: %[[D:.*]] = tile.load %{{.*}}[%{{.*}}, %[[NEXT]]] :
  // CHECK: arith.mulf %[[X1:.*]], %[[B]] : f32
  // CHECK: arith.mulf %[[X3:.*]], %[[D]] : f32
  // CHECK: tile.store %[[VALUES]]#0, %{{.*}}[%{{.*}}, %[[COLUMN]]] :
  // CHECK-NEXT: tile.store %[[VALUES]]#1, %{{.*}}[%{{.*}}, %[[AT1]]] :
  // CHECK-NEXT: tile.store %[[VALUES]]#2, %{{.*}}[%{{.*}}, %[[AT2]]] :
  // CHECK-NEXT: tile.store %[[VALUES]]#3, %{{.*}}[%{{.*}}, %[[AT3]]] :
  // CHECK: {width = 4 : i64}
  tile.kernel @borders(%x: memref<4x128xf32>, %y: memref<4x128xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    tile.rows %row below %c4 grid {
      tile.columns %column = %c0 to %c128 {
        %x0 = tile.load %x[%row, %column] : memref<4x128xf32> to f32
        %place = arith.remui %column, %c96 : index
        %inside = arith.cmpi slt, %place, %c16 : index
        %value = scf.if %inside -> (f32) {
          %rest = arith.remui %place, %c2 : index
          %first = arith.cmpi slt, %rest, %c1 : index
          %after = arith.addi %column, %c1 : index
          %before = arith.subi %column, %c1 : index
          %partner = arith.select %first, %after, %before : index
          %x1 = tile.load %x[%row, %partner] : memref<4x128xf32> to f32
          %pair = arith.divui %place, %c2 : index
          %x2 = tile.load %x[%row, %pair] : memref<4x128xf32> to f32
          %negative = arith.negf %x2 : f32
          %sign = arith.select %first, %negative, %x2 : f32
          %product = arith.mulf %x1, %sign : f32
          scf.yield %product : f32
        } else {
          scf.yield %x0 : f32
        }
        tile.store %value, %y[%row, %column] : f32 to memref<4x128xf32>
      }
    }
    tile.return
  }

  // CHECK-LABEL: @halves
  // CHECK-COUNT-1: arith.cmpi slt
  // CHECK-NOT: arith.cmpi
  // CHECK: %[[PARTNER:.*]] = arith.select
  // CHECK-NEXT: tile.load %{{.*}}[%{{.*}}, %[[PARTNER]]] :
  // CHECK: arith.addi %[[PARTNER]], %c1{{.*}} overflow<nsw>
  // CHECK: arith.addi %[[PARTNER]], %c2{{.*}} overflow<nsw>
  // CHECK: arith.addi %[[PARTNER]], %c3{{.*}} overflow<nsw>
  tile.kernel @halves(%x: memref<4x128xf32>, %y: memref<4x128xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    tile.rows %row below %c4 grid {
      tile.columns %column = %c0 to %c128 {
        %place = arith.remui %column, %c64 : index
        %first = arith.cmpi slt, %place, %c32 : index
        %after = arith.addi %column, %c32 : index
        %before = arith.subi %column, %c32 : index
        %partner = arith.select %first, %after, %before : index
        %x1 = tile.load %x[%row, %partner] : memref<4x128xf32> to f32
        tile.store %x1, %y[%row, %column] : f32 to memref<4x128xf32>
      }
    }
    tile.return
  }

  // CHECK-LABEL: @odd
  // CHECK-COUNT-4: scf.if
  // CHECK: {width = 4 : i64}
  // Of parts that are no multiple of 4, nothing is known.
  tile.kernel @odd(%x: memref<4x128xf32>, %y: memref<4x128xf32>) attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 4, grid = 2>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c30 = arith.constant 30 : index
    %c90 = arith.constant 90 : index
    %c128 = arith.constant 128 : index
    tile.rows %row below %c4 grid {
      tile.columns %column = %c0 to %c128 {
        %place = arith.remui %column, %c90 : index
        %first = arith.cmpi slt, %place, %c30 : index
        %x0 = scf.if %first -> (f32) {
          %x1 = tile.load %x[%row, %column] : memref<4x128xf32> to f32
          scf.yield %x1 : f32
        } else {
          %x2 = tile.load %x[%row, %place] : memref<4x128xf32> to f32
          scf.yield %x2 : f32
        }
        tile.store %x0, %y[%row, %column] : f32 to memref<4x128xf32>
      }
    }
    tile.return
  }
}
