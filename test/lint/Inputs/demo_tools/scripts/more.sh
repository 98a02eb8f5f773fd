#!/usr/bin/env bash
block-translate model.mlir
