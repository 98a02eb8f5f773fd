def write(path, text):
    path.write_text(text)
    with open(path, "w") as file:
        file.write(text)
    with open(path, "rb") as file:
        return file.read()
