from ..decoding.caches import Caches
