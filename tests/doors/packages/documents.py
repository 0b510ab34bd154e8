"""Reads a document as programs do that use the packages `tika`, `mistralai` and `docling-slim`, and by the requests of Open WebUI's loaders,
whose package is too large for a test."""

import base64
import io
import os
import zipfile
from pathlib import Path
from urllib.parse import quote

import requests
from docling.datamodel.base_models import ConversionStatus
from docling.datamodel.service.targets import InBodyTarget
from docling.service_client import DoclingServiceClient, StatusWatcherKind
from docling.service_client.exceptions import TaskExecutionError
from docling_core.types.io import DocumentStream
from mistralai.client import Mistral
from tika import detector, parser

address = os.environ["QUARTET_ADDRESS"]
path = Path(os.environ["QUARTET_DOCUMENT"])
data = path.read_bytes()

# Tika: metadata and text, text alone, metadata alone, the media type.
parsed = parser.from_file(str(path), serverEndpoint=address)
assert parsed["status"] == 200, parsed
assert "built in 1742" in parsed["content"] and "the Lenn" in parsed["content"], parsed
assert parsed["metadata"]["xmpTPg:NPages"] == "2", parsed
assert parsed["metadata"]["Content-Type"] == "application/pdf", parsed
assert "1742" in parser.from_buffer(data, serverEndpoint=address)["content"]
text = parser.from_file(str(path), serverEndpoint=address, service="text")["content"]
assert text.startswith("The mill of Aldebourne"), text
metadata = parser.from_file(str(path), serverEndpoint=address, service="meta")["metadata"]
assert metadata["dc:language"] == "en", metadata
kind = requests.put(f"{address}/detect/stream", data=data).text
assert kind == "application/pdf", kind
assert parser.from_buffer(b"PK\x03\x04\x00", serverEndpoint=address, raw_response=True)[0] == 415

# A document of Word, as small as one can be.
word = io.BytesIO()
with zipfile.ZipFile(word, "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("[Content_Types].xml", "<Types/>")
    archive.writestr(
        "word/document.xml",
        "<w:document xmlns:w='w'><w:body><w:p><w:pPr><w:outlineLvl w:val='0'/></w:pPr><w:r><w:t>Mills</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>The mill of Aldebourne was built in 1742.</w:t></w:r></w:p></w:body></w:document>",
    )
word = word.getvalue()
word_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
parsed = parser.from_buffer(word, serverEndpoint=address)
assert parsed["content"].strip() == "Mills\n\nThe mill of Aldebourne was built in 1742.", parsed
assert parsed["metadata"]["Content-Type"] == word_type, parsed
assert requests.put(f"{address}/detect/stream", data=word).text == word_type

# Mistral's OCR.
mistral = Mistral(api_key="anything", server_url=address)
url = "data:application/pdf;base64," + base64.b64encode(data).decode()
document = {"type": "document_url", "document_url": url}
found = mistral.ocr.process(model="mistral-ocr-latest", document=document)
assert [page.index for page in found.pages] == [0, 1], found
assert found.pages[1].dimensions.width > 100 and found.pages[1].dimensions.dpi == 72, found
assert "the Lenn" in found.pages[1].markdown and found.usage_info.pages_processed == 2, found
office = {"type": "document_url", "document_url": f"data:{word_type};base64," + base64.b64encode(word).decode()}
read = mistral.ocr.process(model="mistral-ocr-latest", document=office)
assert read.pages[0].markdown.startswith("# Mills"), read
found = mistral.ocr.process(model="mistral-ocr-latest", document=document, pages=[1])
assert [page.index for page in found.pages] == [1], found
try:
    mistral.ocr.process(
        model="mistral-ocr-latest",
        document={"type": "document_url", "document_url": "https://a.example/x.pdf"},
    )
    raise AssertionError("an address was fetched")
except Exception as error:
    assert "not fetched" in str(error), error

# Its files: uploaded, named by an address, read, forgotten.
kept = mistral.files.upload(file={"file_name": path.name, "content": data}, purpose="ocr")
assert (kept.filename, kept.size_bytes, kept.purpose) == (path.name, len(data), "ocr"), kept
assert mistral.files.retrieve(file_id=kept.id).mimetype == "application/pdf"
signed = mistral.files.get_signed_url(file_id=kept.id, expiry=1).url
for document in ({"type": "document_url", "document_url": signed}, {"type": "file", "file_id": kept.id}):
    found = mistral.ocr.process(model="mistral-ocr-latest", document=document)
    assert "the Lenn" in found.pages[1].markdown, found
assert mistral.files.download(file_id=kept.id).read() == data
assert mistral.files.delete(file_id=kept.id).deleted
try:
    mistral.files.retrieve(file_id=kept.id)
    raise AssertionError("a forgotten file was found")
except Exception as error:
    assert "forgotten" in str(error), error

# LibreChat's OCR and Open WebUI's MistralLoader, request by request.
bearer = {"Authorization": "Bearer anything"}
form = {"files": {"file": (path.name, data, "application/pdf")}, "data": {"purpose": "ocr"}}
kept = requests.post(f"{address}/v1/files", headers=bearer, **form).json()["id"]
signed = requests.get(f"{address}/v1/files/{kept}/url?expiry=24", headers=bearer).json()["url"]
body = {
    "model": "mistral-ocr-latest",
    "image_limit": 0,
    "include_image_base64": False,
    "document": {"type": "document_url", "document_url": signed},
}
found = requests.post(f"{address}/v1/ocr", headers=bearer, json=body).json()
assert "1742" in found["pages"][0]["markdown"], found
assert requests.delete(f"{address}/v1/files/{kept}", headers=bearer).ok
assert requests.get(f"{address}/v1/files/{kept}/url", headers=bearer).status_code == 404

# Open WebUI 0.12.4: ExternalDocumentLoader, TikaLoader for Tika 3 and 4, DoclingLoader.
headers = {"Content-Type": "application/pdf", "X-Filename": quote(path.name), "Authorization": "Bearer anything"}
pages = requests.put(f"{address}/process", data=data, headers=headers).json()
assert [page["metadata"]["page"] for page in pages] == [0, 1], pages
assert pages[0]["metadata"]["source"] == "Mühle.pdf" and "1742" in pages[0]["page_content"], pages
headers = {"Content-Type": "text/csv", "X-Filename": "a.csv"}
pages = requests.put(f"{address}/process", data=b"Mill;Built\nAldebourne;1742\n", headers=headers).json()
assert "| Aldebourne | 1742 |" in pages[0]["page_content"], pages
assert "1742" in requests.put(f"{address}/tika/text", data=data).json()["X-TIKA:content"]
assert "1742" in requests.put(f"{address}/tika/json/md", data=data).json()["tk:content"]
result = requests.post(
    f"{address}/v1/convert/file",
    files={"files": (path.name, data, "application/pdf")},
    data={
        "image_export_mode": "placeholder",
        "md_page_break_placeholder": "\f",
        "to_formats": ["md", "json"],
    },
    headers={"X-Api-Key": "anything"},
).json()
assert result["status"] == "success", result
parts = result["document"]["md_content"].split("\f")
assert len(parts) == 2 and "the Lenn" in parts[1], result
items = [item for item in result["document"]["json_content"]["texts"] if item["content_layer"] == "body"]
assert sorted({item["prov"][0]["page_no"] for item in items}) == [1, 2], items

result = requests.post(f"{address}/v1/convert/file", files={"files": ("a.docx", word, word_type)}).json()
assert result["document"]["md_content"].startswith("# Mills"), result

# Docling's own client: it asks for an address to fetch the answer from first, hears that there is none, follows the task
# by a WebSocket where there is one, else by questions, and takes the answer apart by its own types.
for watcher in StatusWatcherKind:
    with DoclingServiceClient(url=address, api_key="anything", status_watcher=watcher) as docling:
        converted = docling.convert(path)
        assert converted.status == ConversionStatus.SUCCESS, converted
        texts = [(item.text, item.prov[0].page_no) for item in converted.document.texts]
        assert texts == [
            ("The mill of Aldebourne was built in 1742 by Thomas Reed.", 1),
            ("The river that drives the wheel is called the Lenn.", 2),
        ], texts
        size = converted.document.pages[2].size
        box = converted.document.texts[1].prov[0].bbox.to_top_left_origin(size.height)
        assert 0 < box.l < box.r < size.width and 0 < box.t < box.b < size.height, (box, size)
        sheet = docling.convert(DocumentStream(name="a.csv", stream=io.BytesIO(b"Mill;Built\nAldebourne;1742\n"))).document
        cells = sheet.tables[0].export_to_dataframe(sheet).to_dict("list")
        assert cells == {"Mill": ["Aldebourne"], "Built": ["1742"]}, cells
        for document in (converted.document, sheet):
            assert "<loc_" in document.export_to_doctags(), document
        try:
            docling.convert(DocumentStream(name="a.pdf", stream=io.BytesIO(b"%PDF-1.7 and nothing else")))
            raise AssertionError("a damaged document was converted")
        except TaskExecutionError as error:
            assert "damaged" in str(error), error
        job = docling.submit(DocumentStream(name="a.docx", stream=io.BytesIO(word)), target=InBodyTarget())
        converted = job.result(timeout=60)
        assert converted.document.export_to_markdown().lstrip("# ").startswith("Mills"), converted

print("all is well")
