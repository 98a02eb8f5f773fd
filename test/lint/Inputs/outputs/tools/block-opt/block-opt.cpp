static auto output = mlir::openOutputFile(outputName, &message);
