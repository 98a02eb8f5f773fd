def wrap():
    import parablock
    return parablock.Model
