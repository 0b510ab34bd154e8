"""Compares answers with the service's own description of itself, by the package `jsonschema`; the description itself is
checked by `openapi-spec-validator`."""

import json
import os
import struct
import uuid
import zlib
from pathlib import Path

import requests
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV30SpecValidator, OpenAPIV31SpecValidator

address = os.environ["QUARTET_ADDRESS"]
document = requests.get(f"{address}/openapi.json").json()
problems = [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()]
assert not problems, problems[:5]
older = requests.get(f"{address}/openapi-3.0.json").json()
problems = [error.message for error in OpenAPIV30SpecValidator(older).iter_errors()]
assert not problems, problems[:5]
assert older["paths"].keys() == document["paths"].keys()
asked = set()
session = str(uuid.uuid4())


def check(schema, value, what):
    schema = {**schema, "components": document["components"]}
    problems = [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema).iter_errors(value)]
    assert not problems, (what, problems[:5])


def ask(path, expected=200, **body):
    """Asks an operation, and compares request and answer with what the document says."""
    method, operation = next(iter(document["paths"][path].items()))
    asked.add(operation["operationId"])
    if expected == 200 and "json" in body:
        check(operation["requestBody"]["content"]["application/json"]["schema"], body["json"], path)
    response = requests.request(method, address + path, headers={"X-Session-Id": session}, **body)
    assert response.status_code == expected, (path, response.status_code, response.text[:300])
    described = operation["responses"][str(response.status_code)]
    kind = response.headers["content-type"].split(";")[0]
    assert kind in described["content"], (path, kind)
    if kind != "application/json":
        return None
    answer = response.json()
    check(described["content"][kind]["schema"], answer, path)
    if expected != 200:
        assert f"`{answer['code']}`" in described["description"], (path, answer, described["description"])
    return answer.get("data")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 80, 60, 8, 2, 0, 0, 0))
picture += chunk(b"IDAT", zlib.compress((b"\0" + b"\x20\x40\xe0" * 80) * 60)) + chunk(b"IEND", b"")
pdf = Path(os.environ["QUARTET_DOCUMENT"]).read_bytes()
base = "/api/v1"

check(document["components"]["parameters"]["session"]["schema"], session, "the name of the session")

# The examples of the document, and what a client would send besides.
for path, methods in document["paths"].items():
    for operation in [part for part in methods.values() if "operationId" in part]:
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content and path.startswith((f"{base}/tts", f"{base}/chat", f"{base}/pdf/emb")) and not path.endswith("forget"):
            ask(path, json=content["example"])
for path in ["/tts/voices", "/tts/languages", "/tts/info", "/chat/info"]:
    ask(base + path)
for path in ["/image/analyze", "/image/extract-text", "/image/detect-objects"]:
    ask(base + path, files={"image": picture})
ask(base + "/image/chat", json={"message": "What colours are in it?"})
ask(base + "/image/forget", json={})
for fields in [{}, {"format": "markdown"}]:
    data = ask(base + "/pdf/extract-text", files={"pdf": pdf}, data=fields)
    assert ("markdown" in data) == bool(fields)
ask(base + "/pdf/summarize", files={"pdf": pdf})
ask(base + "/pdf/chat", json={"message": "Who built the mill of Aldebourne?"})
ask(base + "/pdf/forget", json={})
ask(base + "/chat/forget", json={})

# Jobs.
def follow(path, kind, expected=200, method="get"):
    """Asks about the job at a path, and compares the answer."""
    operation = document["paths"]["/api/v1/jobs/{id}" + kind][method]
    asked.add(operation["operationId"])
    response = requests.request(method, address + path + kind, headers={"X-Session-Id": session})
    assert response.status_code == expected, (path, response.status_code, response.text[:300])
    described = operation["responses"][str(expected)]["content"]
    media_type = response.headers["content-type"].split(";")[0]
    assert media_type in described, (path, media_type)
    if media_type == "application/json":
        check(described[media_type]["schema"], response.json(), path + kind)
    return response


begun = requests.post(
    address + base + "/tts/generate",
    json={"text": "Good morning.", "engine": "fast"},
    headers={"X-Session-Id": session, "Prefer": "respond-async"},
)
described = document["paths"][base + "/tts/generate"]["post"]["responses"]["202"]
check(described["content"]["application/json"]["schema"], begun.json(), "the job")
job = begun.headers["location"]
while follow(job, "").json()["data"]["state"] in ["queued", "running"]:
    pass
assert follow(job, "/result").json()["data"]["audioFormat"] == "WAV"
assert follow(job, "/events").text.startswith("event: done\ndata: {")
follow(job, "", method="delete")
follow(job, "", 404)

# Failures.
ask(base + "/pdf/chat", 404, json={"message": "Who?"})
ask(base + "/pdf/chat", 404, json={"message": "Who?", "documentId": "0" * 32})
ask(base + "/pdf/extract-text", 415, json={})
ask(base + "/pdf/extract-text", 400, files={"pdf": b"%PDF-1.7 and nothing else"})
ask(base + "/image/analyze", 400, files={"image": picture[:60]})
ask(base + "/tts/generate", 400, json={"text": "..."})
ask(base + "/chat", 400, json={})
ask(base + "/pdf/embeddings", 400, json={"texts": []})

methods = [methods.values() for methods in document["paths"].values()]
everything = {operation["operationId"] for each in methods for operation in each if "operationId" in operation}
assert asked == everything, everything - asked
print("all is well")
