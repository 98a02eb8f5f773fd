from parablock.decoding.caches import Caches


def make():
    from parablock.decoding.decoder import decode
    return decode, Caches
