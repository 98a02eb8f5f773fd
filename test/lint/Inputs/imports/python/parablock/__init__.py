from parablock.public import Model
