import importlib

Model = importlib.import_module("parablock.public").Model
