"""Asks a service as programs do that use LangChain: by its packages for OpenAI and for Mistral, and by its loader for
documents that Docling reads elsewhere. The last comes out of its wheel, because the packages for cutting documents into
pieces, which it imports for something else, are larger than all others here. The addresses are in the environment."""

import asyncio
import os
import sys
import types

import httpx
import openai
import tiktoken
from docling.service_client import DoclingServiceClient
from docling.service_client.exceptions import TaskExecutionError
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_mistralai import ChatMistralAI, MistralAIEmbeddings
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

address = os.environ["QUARTET_ADDRESS"]
document = os.environ["QUARTET_DOCUMENT"]
base = os.environ["OPENAI_BASE_URL"]
mistral = {"api_key": "anything", "max_retries": 1}

# Chat, whole and in pieces, by both of OpenAI's interfaces and by Mistral's.
question = "What is 12 times 12?"
chats = [
    ChatOpenAI(model="quartet", max_retries=0),
    ChatOpenAI(model="quartet", max_retries=0, use_responses_api=True),
    ChatMistralAI(model="quartet", base_url=base, **mistral),
]
for chat in chats:
    answer = chat.invoke(question)
    assert "144" in answer.text and answer.usage_metadata["total_tokens"] == 0, answer
    pieces = list(chat.stream(question))
    assert "144" in "".join(piece.text for piece in pieces), pieces
    answers = chat.batch([question, "How many feet are in 3 miles?"])
    assert "144" in answers[0].text and "15840" in answers[1].text, answers
streamed = ChatOpenAI(model="quartet", max_retries=0, stream_usage=True).stream(question)
usages = [piece.usage_metadata for piece in streamed if piece.usage_metadata]
assert len(usages) == 1 and usages[0]["total_tokens"] == 0, usages
try:
    ChatOpenAI(model="gpt-4o", max_retries=0).invoke(question)
    raise AssertionError("a model that is not there answered")
except openai.NotFoundError as error:
    assert error.code == "model_not_found", error
try:
    ChatMistralAI(model="mistral-small-latest", base_url=base, **mistral).invoke(question)
    raise AssertionError("a model that is not there answered")
except httpx.HTTPStatusError as error:
    assert error.response.status_code == 404 and "quartet-search" in str(error), error

# Vectors of texts.
texts = ["Where do herons nest?", "Herons nest in trees.", "Steel is made of iron."]
embeddings = OpenAIEmbeddings(model="text-embedding-3-small", max_retries=0, check_embedding_ctx_length=False)
vectors = embeddings.embed_documents(texts)
assert [len(vector) for vector in vectors] == [384, 384, 384]
query = embeddings.embed_query(texts[0])
assert max(abs(a - b) for a, b in zip(query, vectors[0])) < 1e-4
near, far = (sum(a * b for a, b in zip(query, vector)) for vector in vectors[1:])
assert near > far, (near, far)


async def asynchronously():
    turns = [SystemMessage("Be brief."), HumanMessage(question), AIMessage("144"), HumanMessage("What is 12 times 13?")]
    answers = await asyncio.gather(*(chat.ainvoke(turns) for chat in chats))
    assert all("156" in answer.text for answer in answers), answers
    assert len(await embeddings.aembed_documents(texts)) == 3


# Once, because a connection belongs to the loop that it was made in.
asyncio.run(asynchronously())

# Without that setting LangChain sends the numbers of OpenAI's tokens. Its table of them is fetched from elsewhere, so one
# of bytes stands in for it.
table = tiktoken.Encoding(
    "bytes", pat_str=r"\s*\S+", mergeable_ranks={bytes([byte]): byte for byte in range(256)}, special_tokens={}
)
tiktoken.encoding_for_model = lambda _model: table
try:
    OpenAIEmbeddings(model="text-embedding-3-small", max_retries=0).embed_query("heron")
    raise AssertionError("numbers of another model's tokens were taken")
except openai.BadRequestError as error:
    assert error.param == "input" and "check_embedding_ctx_length=False" in str(error), error

# Mistral's counts tokens for the size of its requests only, by a table that is fetched from elsewhere, too.
counting = Tokenizer(WordLevel({"a": 0}, unk_token="a"))
embeddings = MistralAIEmbeddings(endpoint=base, api_key="anything", tokenizer=counting, max_retries=1)
assert [len(vector) for vector in embeddings.embed_documents(texts)] == [384, 384, 384]

# Documents, which its loader has Docling's client read.
sys.path.insert(0, os.environ["QUARTET_LANGCHAIN_DOCLING"])
cutting = types.ModuleType("docling.chunking")
cutting.BaseChunk = cutting.BaseChunker = cutting.HybridChunker = object
sys.modules["docling.chunking"] = cutting
from langchain_docling import DoclingLoader  # noqa: E402
from langchain_docling.loader import ExportType  # noqa: E402

with DoclingServiceClient(url=address, api_key="anything") as docling:
    loader = DoclingLoader(document, converter=docling, export_type=ExportType.MARKDOWN)
    (read,) = loader.load()
    assert read.page_content.startswith("The mill of Aldebourne") and "the Lenn" in read.page_content, read
    assert read.metadata == {"source": document}, read
    damaged = os.path.join(os.path.dirname(document), "damaged.pdf")
    with open(damaged, "wb") as file:
        file.write(b"%PDF-1.7 and nothing else")
    try:
        DoclingLoader(damaged, converter=docling, export_type=ExportType.MARKDOWN).load()
        raise AssertionError("a damaged document was read")
    except TaskExecutionError as error:
        assert "damaged" in str(error), error

print("all is well")
