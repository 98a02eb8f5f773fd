#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens two documents in a language server and looks at what it publishes."""

import json
import subprocess
import sys

GOOD = """func.func @f(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %y = block.clamp %x {limit = 1.0 : f64} : tensor<2x5x8xf32>
  return %y : tensor<2x5x8xf32>
}
"""
BAD = GOOD.replace("1.0", "-1.0")


def send(server, method, params, number=None):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        message["id"] = number
    body = json.dumps(message).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def receive(server):
    length = 0
    while line := server.stdout.readline().strip():
        name, value = line.split(b":", 1)
        if name.lower() == b"content-length":
            length = int(value)
    if not length:
        sys.exit("the server closed its output")
    return json.loads(server.stdout.read(length))


def receive_until(server, wanted):
    while True:
        message = receive(server)
        if wanted(message):
            return message


def diagnostics_of(server, uri, text):
    document = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
    send(server, "textDocument/didOpen", {"textDocument": document})
    published = receive_until(
        server, lambda m: m.get("method") == "textDocument/publishDiagnostics"
    )["params"]
    assert published["uri"] == uri, published
    return published["diagnostics"]


def main():
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    send(server, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
    answer = receive_until(server, lambda m: m.get("id") == 1)
    assert "capabilities" in answer["result"], answer
    send(server, "initialized", {})

    found = diagnostics_of(server, "file:///good.mlir", GOOD)
    assert found == [], found
    found = diagnostics_of(server, "file:///bad.mlir", BAD)
    assert len(found) == 1, found
    assert "expected limit to be positive, got -1.000000e+00" in found[0]["message"], found
    assert found[0]["range"]["start"]["line"] == 1, found

    send(server, "shutdown", None, 2)
    receive_until(server, lambda m: m.get("id") == 2)
    send(server, "exit", None)
    server.stdin.close()
    code = server.wait(timeout=30)
    assert code == 0, f"exit code {code}"


if __name__ == "__main__":
    main()
