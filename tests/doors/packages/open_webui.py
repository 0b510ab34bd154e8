"""Has Open WebUI's own code use the service: its loaders for documents, chosen by its settings as it chooses them; its
routers for chat and for speech, asked over ASGI as its page asks them; and its function for embeddings. The code is that of
its wheel, as published. Of the rest of Open WebUI, its database and its accounts, only the names are here that this code
imports. The addresses of the wheel and of the service are in the environment."""

import asyncio
import base64
import json
import os
import sys
import tempfile
import types
from pathlib import Path

import requests

WHEEL = os.environ["QUARTET_OPEN_WEBUI"]
ADDRESS = os.environ["QUARTET_ADDRESS"]
DOCUMENT = Path(os.environ["QUARTET_DOCUMENT"])
# Goes with the program.
KEPT = tempfile.TemporaryDirectory()
FOLDER = Path(KEPT.name)
ROOT = "open_webui"
# What its own start would ask for; no account is made.
os.environ |= {"DATA_DIR": str(FOLDER), "WEBUI_SECRET_KEY": "anything", "GLOBAL_LOG_LEVEL": "CRITICAL"}


class StandIn(types.ModuleType):
    """A module of which only the names are asked for. Whatever it was not given is an empty class."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def stand_in(name, path=(), **attributes):
    module = types.ModuleType(name) if path else StandIn(name)
    module.__path__ = list(path)
    module.__dict__.update(attributes)
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], child, module)


SETTINGS = {}


class Config:
    """The settings, which Open WebUI has in its database."""

    @staticmethod
    async def get(key):
        return SETTINGS.get(key)

    @staticmethod
    async def get_many(*keys):
        return {key: SETTINGS[key] for key in keys if key in SETTINGS}


async def verified_user():
    return types.SimpleNamespace(id="1", name="Ada", email="ada@a.example", role="admin")


async def nothing(*_given, **_more):
    """Whatever a database would say of a model, a right or an event that nobody entered there."""


class Models:
    get_model_by_id = staticmethod(nothing)


# Packages of others that are not used on the way to the service.
stand_in("aiocache", cached=lambda **_settings: lambda function: function)
stand_in("azure")
stand_in("azure.identity")
stand_in("engineio")
stand_in("engineio.json")
stand_in("langchain_classic")
stand_in("langchain_classic.retrievers")
stand_in("markdown", markdown=lambda _text: "")
stand_in("mimeparse")
stand_in("pydub")
stand_in("pydub.silence")
stand_in("pydub.utils")
stand_in("sqlalchemy")
stand_in("sqlalchemy.ext")
stand_in("sqlalchemy.ext.asyncio")

# Its folders, of which the modules come out of the wheel, but for those that are not what is tried here.
sys.path.insert(0, WHEEL)
import open_webui  # noqa: E402, F401

for folder in [
    "internal",
    "models",
    "retrieval",
    "retrieval.loaders",
    "retrieval.vector",
    "retrieval.web",
    "routers",
    "utils",
]:
    stand_in(f"{ROOT}.{folder}", path=[f"{WHEEL}/{ROOT}/{folder.replace('.', '/')}"])
stand_in(f"{ROOT}.config", CACHE_DIR=FOLDER, UPLOAD_DIR=FOLDER, RAG_EMBEDDING_PREFIX_FIELD_NAME=None)
stand_in(
    f"{ROOT}.events",
    publish_event=nothing,
    publish_model_provider_request_failed=nothing,
    EVENTS=StandIn("EVENTS"),
)
stand_in(f"{ROOT}.models.config", Config=Config)
stand_in(f"{ROOT}.models.models", Models=Models)
stand_in(f"{ROOT}.utils.access_control", check_model_access=nothing)
for module in [
    "internal.db",
    "models.access_grants",
    "models.chats",
    "models.files",
    "models.folders",
    "models.groups",
    "models.knowledge",
    "models.notes",
    "models.users",
    "retrieval.external",
    "retrieval.vector.async_client",
    "retrieval.vector.factory",
    "retrieval.vector.main",
    "retrieval.web.utils",
    "utils.access_control.files",
    "utils.access_control.folders",
    "utils.oauth",
    "utils.payload",
]:
    stand_in(f"{ROOT}.{module}")
stand_in(f"{ROOT}.utils.auth", get_verified_user=verified_user, get_admin_user=verified_user)

import httpx  # noqa: E402
from fastapi import APIRouter, FastAPI  # noqa: E402

# Calls over OpenAI's Realtime API are not here.
stand_in(f"{ROOT}.routers.audio.realtime", router=APIRouter())

from open_webui.retrieval.loaders.main import Loader  # noqa: E402
from open_webui.retrieval.utils import get_embedding_function  # noqa: E402
from open_webui.routers import audio, openai  # noqa: E402
from open_webui.utils.session_pool import close_session  # noqa: E402

PDF = "application/pdf"


async def load(engine, path=DOCUMENT, kind=PDF, **settings):
    """Reads a file as an upload is read, by the engine and the settings of the administrator."""
    keys = [
        "external_document_loader_headers",
        "file.max_size",
        "pdf_extract_images",
        "tika_server_version",
    ]
    config = {f"rag.{key}": None for key in keys} | {f"rag.{key}": value for key, value in settings.items()}
    loader = Loader(config | {"rag.content_extraction_engine": engine})
    return await loader.aload(path.name, kind, str(path))


async def documents():
    external = {"external_document_loader_url": ADDRESS, "external_document_loader_api_key": "anything"}
    mistral = {"mistral_ocr_api_base_url": f"{ADDRESS}/v1", "mistral_ocr_api_key": "anything"}
    docling = {"docling_server_url": ADDRESS, "docling_api_key": "anything", "docling_params": {}}
    by_page = {
        "external": external,
        "docling": docling,
        "mistral_ocr": mistral | {"mistral_ocr_use_base64": False},
    }
    for engine, settings in by_page.items():
        pages = await load(engine, **settings)
        assert [page.metadata["page"] for page in pages] == [0, 1], (engine, pages)
        assert "built in 1742" in pages[0].page_content and "the Lenn" in pages[1].page_content, (engine, pages)
    pages = await load("mistral_ocr", **mistral, mistral_ocr_use_base64=True)
    assert pages[1].metadata["total_pages"] == 2 and "the Lenn" in pages[1].page_content, pages
    for version in ["3", "4"]:
        (found,) = await load("tika", tika_server_url=ADDRESS, tika_server_version=version)
        assert found.page_content.startswith("The mill of Aldebourne"), found
        assert "the Lenn" in found.page_content, found

    # A name and headers that its administrator sets, which take the way of all others.
    headers = {"external_document_loader_headers": {"X-File": "{{FILE_NAME}}"}}
    assert len(await load("external", **external, **headers)) == 2

    # What cannot be read is said in the words of the service.
    damaged = FOLDER / "a.pdf"
    damaged.write_bytes(b"%PDF-1.7 and nothing else")
    for engine, settings in [("external", external), ("docling", docling)]:
        try:
            raise AssertionError(await load(engine, damaged, **settings))
        except AssertionError:
            raise
        except Exception as error:
            assert "damaged" in str(error), (engine, error)
    (found,) = await load("mistral_ocr", damaged, **mistral, mistral_ocr_use_base64=True)
    assert found.metadata["error"] == "processing_failed", found


def page(router):
    """What asks a router as the page does."""
    app = FastAPI()
    app.include_router(router)
    app.state.OPENAI_MODELS = {}
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://open-webui")


def said(stream):
    """The text of a streamed answer, in the form of chat or of responses."""
    events = [line.removeprefix("data: ") for line in stream.splitlines() if line.startswith("data: ")]
    events = [json.loads(event) for event in events if event != "[DONE]"]
    chunks = [choice["delta"].get("content") or "" for event in events for choice in event.get("choices", [])]
    deltas = [event["delta"] for event in events if event.get("type") == "response.output_text.delta"]
    return "".join(chunks + deltas)


async def chat():
    connection = {"url": f"{ADDRESS}/v1", "key": "anything"}
    SETTINGS.update(
        {
            "openai.enable": True,
            "openai.api_base_urls": [connection["url"]],
            "openai.api_keys": [connection["key"]],
        }
    )
    question = {"role": "user", "content": "What is 12 times 12?"}
    data = "data:application/pdf;base64," + base64.b64encode(DOCUMENT.read_bytes()).decode()
    file = {"type": "file", "file": {"filename": "a.pdf", "file_data": data}}
    asked = {"role": "user", "content": [{"type": "text", "text": "When was the mill built?"}, file]}
    body = {
        "model": "quartet",
        "messages": [{"role": "system", "content": "Be brief."}, question],
        "temperature": 0.7,
        "max_tokens": 200,
        "stop": ["###"],
    }
    for form in ["completions", "responses"]:
        # The second is "API Type: Responses" in the settings of the connection.
        SETTINGS["openai.api_configs"] = {"0": {"api_type": form, "prefix_id": "", "tags": []}}
        async with page(openai.router) as browser:
            verified = (await browser.post("/verify", json=connection)).json()
            assert [model["id"] for model in verified["data"]][:2] == ["quartet", "quartet-search"], verified
            models = (await browser.get("/models")).json()["data"]
            assert [model["name"] for model in models][:2] == ["quartet", "quartet-search"], models
            answer = (await browser.post("/chat/completions", json=body)).json()
            assert "144" in answer["choices"][0]["message"]["content"], (form, answer)
            more = {"stream": True, "stream_options": {"include_usage": True}}
            streamed = await browser.post("/chat/completions", json=body | more)
            assert streamed.headers["content-type"].startswith("text/event-stream"), streamed.headers
            assert "144" in said(streamed.text), (form, streamed.text)
            turns = [
                question,
                {"role": "assistant", "content": "144"},
                {"role": "user", "content": "What is 12 times 13?"},
            ]
            answer = (await browser.post("/chat/completions", json=body | {"messages": turns})).json()
            assert "156" in answer["choices"][0]["message"]["content"], (form, answer)
            answer = (await browser.post("/chat/completions", json=body | {"messages": [asked]})).json()
            assert "1742" in answer["choices"][0]["message"]["content"], (form, answer)
            # What the service says of a failure is what the page shows.
            refused = await browser.post("/chat/completions", json=body | {"tools": "none"})
            assert refused.status_code == 400 and "tools" in refused.json()["error"]["message"], refused.text


async def speech():
    SETTINGS.update(
        {
            "audio.tts.engine": "openai",
            "audio.tts.model": "quartet-tts",
            "audio.tts.voice": "Kore",
            "audio.tts.openai.api_base_url": f"{ADDRESS}/v1",
            "audio.tts.openai.api_key": "anything",
            # One engine, so that the same request gives the same bytes.
            "audio.tts.openai.params": {"speed": 1.2, "engine": "fast"},
        }
    )
    async with page(audio.router) as browser:
        assert (await browser.get("/models")).json() == {"models": [{"id": "quartet-tts", "name": "quartet-tts"}]}
        voices = (await browser.get("/voices")).json()["voices"]
        assert voices[0] == {"id": "Kore", "name": "Kore (standard)"} and len(voices) == 18, voices
        answer = await browser.post("/speech", json={"input": "Good morning.", "voice": ""})
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "audio/mpeg", answer.headers
        # It is what the service says itself, and came as MP3, because the sound is not touched on the way.
        asked = {"model": "quartet-tts", "voice": "Kore", "input": "Good morning.", "speed": 1.2, "engine": "fast"}
        sound = requests.post(f"{ADDRESS}/v1/audio/speech", json=asked).content
        assert answer.content == sound and sound[0] == 0xFF, (len(answer.content), len(sound))
        # Of a failure it hands on the status; it lets go of the answer before it looks for the sentence.
        refused = await browser.post("/speech", json={"input": "Good morning.", "voice": "Nobody"})
        assert refused.status_code == 400 and "External" in refused.json()["detail"], refused.text


async def embeddings():
    embed = get_embedding_function("openai", "multilingual-e5-small", None, f"{ADDRESS}/v1", "anything", 2)
    query = await embed("query: Where do herons nest?")
    vectors = await embed(["passage: Herons nest in trees.", "passage: Steel is made of iron.", "passage: Ice."])
    assert len(query) == 384 and len(vectors) == 3, len(vectors)
    near, far, _ = (sum(a * b for a, b in zip(query, vector)) for vector in vectors)
    assert near > far, (near, far)


async def main():
    await documents()
    await chat()
    await speech()
    await embeddings()
    await close_session()


asyncio.run(main())
print("all is well")
