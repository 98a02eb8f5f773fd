class Caches:
    pass
