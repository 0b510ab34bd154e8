"""Asks the service what its own description allows and forbids, by `schemathesis`: every operation with the examples of the
document, with the values at each bound that it states, and with some at random. A seed makes them the same each time."""

import io
import os
import struct
import zlib
from pathlib import Path

import schemathesis
from hypothesis import strategies
from schemathesis.cli import schemathesis as program
from schemathesis.openapi import media_type

address = os.environ["QUARTET_ADDRESS"]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 80, 60, 8, 2, 0, 0, 0))
picture += chunk(b"IDAT", zlib.compress((b"\0" + b"\x20\x40\xe0" * 80) * 60)) + chunk(b"IEND", b"")
media_type("image/png", strategies.just(picture))
media_type("application/pdf", strategies.just(Path(os.environ["QUARTET_DOCUMENT"]).read_bytes()))

# Texts of one request for vectors: as many as the description allows take longer than one test is worth.
MOST_TEXTS = 64


@schemathesis.hook
def filter_case(_context, case):
    texts = case.body.get("texts") if isinstance(case.body, dict) else None
    return not isinstance(texts, list) or len(texts) <= MOST_TEXTS


# Codes of failures that depend on what was sent before, or on more than one field, which no schema can say.
UNSAID = ["no_upload", "unknown_upload", "unknown_conversation", "nothing_to_speak"]


@schemathesis.check
def what_is_allowed_is_taken(ctx, response, case):
    """A request that fits the description is refused for nothing that it could say."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    failure = response.json()
    # `toolChoice` may be the name of one of `tools`, whose parameters are schemas themselves, and results in `messages` are of calls.
    related = any(f"field `{field}" in failure["error"] for field in ["tool", "messages["])
    said = failure["code"] not in UNSAID and not related
    assert not said, failure


CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "what_is_allowed_is_taken",
    "unsupported_method",
    "allow_header_conformance",
    # Not `positive_data_acceptance`, in whose place the check above is. Not `missing_required_header`: no header is required.
    # Not `ignored_auth`: the description says that keys may be needed, and this service has none; the suite has tests of its
    # own with keys. Not `use_after_free`, `ensure_resource_availability` and `object_level_authorization`: a job is in
    # nobody's collection.
]

# 503 is described, and what a service without a language model and without natural speech answers where they are asked for.
Path("schemathesis.toml").write_text("[checks]\nnot_a_server_error.expected-statuses = [\"2xx\", \"3xx\", \"4xx\", \"503\"]\n")

try:
    program.main(
        [
            "run",
            f"{address}/openapi.json",
            "--checks=" + ",".join(CHECKS),
            "--phases=examples,coverage,fuzzing",
            "--max-examples=3",
            "--seed=1",
            "--request-timeout=40",
            "--generation-database=none",
            "--no-color",
            "--continue-on-failure",
        ],
        standalone_mode=False,
    )
except SystemExit as end:
    if end.code:
        raise
print("all is well")
