from parablock.model import Model
from parablock.decoding.decoder import decode
