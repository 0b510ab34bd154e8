"""Calls the tools as programs do that use the package `mcp`, in both ways to speak the protocol. The package compares each
result with the schema that the tool has for it."""

import asyncio
import base64
import os
import struct
import zlib
from pathlib import Path

from mcp import Client, MCPError

address = os.environ["QUARTET_ADDRESS"] + "/mcp"
document = base64.b64encode(Path(os.environ["QUARTET_DOCUMENT"]).read_bytes()).decode()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


pixels = (b"\0" + b"\x20\x40\xe0" * 80) * 60
picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 80, 60, 8, 2, 0, 0, 0))
picture += chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
image = "data:image/png;base64," + base64.b64encode(picture).decode()


def words(result):
    return "\n".join(part.text for part in result.content if part.type == "text")


async def ask(mode, version):
    async with Client(address, mode=mode) as client:
        assert client.protocol_version == version, client.protocol_version
        assert client.server_info.name == "quartet" and "addresses are not fetched" in client.instructions
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert len(tools) == 10, tools
        assert tools["search"].annotations.open_world_hint and not tools["speak"].annotations.open_world_hint

        steps = []

        async def progress(done, total, message):
            steps.append((done, total))

        spoken = await client.call_tool(
            "speak", {"text": "Good morning. " * 8, "engine": "fast"}, progress_callback=progress
        )
        audio = spoken.content[0]
        assert audio.type == "audio" and audio.mime_type == "audio/mpeg", spoken
        assert base64.b64decode(audio.data)[0] == 0xFF
        assert len(steps) > 2 and steps == sorted(steps) and steps[-1][0] <= steps[-1][1] + 0.1, steps

        computed = await client.call_tool("compute", {"question": "What is 12 times 12?"})
        assert "144" in words(computed) and computed.structured_content["origin"] == "computation", computed
        told = await client.call_tool("chat", {"message": "What is 12 times 13?"}, progress_callback=progress)
        assert "156" in words(told), told

        read = await client.call_tool("read_document", {"document": document})
        assert "built in 1742" in words(read), read
        handle = read.structured_content["documentId"]
        answer = await client.call_tool("ask_document", {"question": "Who built the mill?", "documentId": handle})
        assert "Thomas Reed" in words(answer) and answer.structured_content["answered"], answer
        summary = await client.call_tool("summarize_document", {"document": document})
        assert summary.structured_content["sentences"], summary

        described = await client.call_tool("describe_image", {"image": image})
        assert "blue" in words(described), described
        asked = {"question": "What colours are in it?", "imageId": described.structured_content["imageId"]}
        assert "blue" in words(await client.call_tool("ask_image", asked))
        assert not (await client.call_tool("read_image", {"image": image})).is_error

        failed = await client.call_tool("describe_image", {"image": "https://a.example/a.png"})
        assert failed.is_error and "not fetched" in words(failed), failed
        failed = await client.call_tool("search", {"question": "Who was Goethe?"})
        assert failed.is_error, failed
        try:
            await client.call_tool("sing", {})
            raise AssertionError("there is no such tool")
        except MCPError as error:
            assert error.error.code == -32602, error


asyncio.run(ask("auto", "2026-07-28"))
asyncio.run(ask("legacy", "2025-11-25"))
print("mcp all is well")
