"""Asks the Wyoming listener as programs do that use the package `wyoming`. Its address, and that of the service, are in the
environment."""

import asyncio
import io
import json
import os
import urllib.request
import wave

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.handle import Handled, HandledChunk, HandledStart, HandledStop, NotHandled
from wyoming.info import Describe, Info, SelectProgram
from wyoming.ping import Ping, Pong
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeStopped,
    SynthesizeTextFormat,
    SynthesizeVoice,
)

host, port = os.environ["QUARTET_WYOMING"].rsplit(":", 1)


def client():
    return AsyncTcpClient(host, int(port), connect_timeout=60, read_timeout=120)


def by_http(text, voice, language):
    """The samples that the same text has by HTTP."""
    body = json.dumps({"text": text, "voice": voice, "language": language}).encode()
    request = urllib.request.Request(
        os.environ["QUARTET_ADDRESS"] + "/api/v1/tts/stream", body, {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as response, wave.open(io.BytesIO(response.read())) as file:
        return file.readframes(file.getnframes())


async def speech(connection):
    """The samples up to `audio-stop`."""
    samples = b""
    start = AudioStart.from_event(await connection.read_event())
    assert (start.rate, start.width, start.channels) == (24_000, 2, 1), start
    while not AudioStop.is_type((event := await connection.read_event()).type):
        assert AudioChunk.is_type(event.type), event
        chunk = AudioChunk.from_event(event)
        assert (chunk.rate, chunk.width, chunk.channels) == (24_000, 2, 1), chunk
        samples += chunk.audio
    return samples


async def describe():
    async with client() as connection:
        await connection.write_event(Describe().event())
        info = Info.from_event(await connection.read_event())
    [tts], [handle] = info.tts, info.handle
    assert tts.installed and handle.installed and tts.supports_synthesize_streaming, info
    assert handle.supports_handled_streaming and not handle.supports_home_control, handle
    assert not (info.asr or info.intent or info.wake or info.mic or info.snd or info.satellite), info
    languages = {language for voice in tts.voices for language in voice.languages}
    assert len(tts.voices) == 60 and len(languages) == 12, tts
    assert set(handle.models[0].languages) == languages, handle
    assert len({voice.name for voice in tts.voices}) == 60 and all(voice.installed for voice in tts.voices), tts


async def whole():
    async with client() as connection:
        # One connection, several requests.
        await connection.write_event(SelectProgram("Quartet").event())
        for text, name, voice, language in [
            ("Good morning.", "en-Kore", "Kore", "en"),
            ("12.5 °C.", "de-Charon", "Charon", "de"),
            ("おはようございます。", "ja-Aoede", "Aoede", "ja"),
        ]:
            await connection.write_event(Synthesize(text, SynthesizeVoice(name=name)).event())
            samples = await speech(connection)
            assert len(samples) > 24_000 and samples == by_http(text, voice, language), name
        await connection.write_event(Synthesize("Guten Morgen.", SynthesizeVoice(language="de-DE")).event())
        assert await speech(connection) == by_http("Guten Morgen.", "Kore", "de")
        await connection.write_event(Synthesize("Good morning.", text_format=SynthesizeTextFormat.TEXT).event())
        assert await speech(connection) == by_http("Good morning.", "Kore", "en")


async def streamed():
    voice = SynthesizeVoice(name="de-Phoebe")
    sentences = ["Am 3. Oktober kam Dr. Müller.", "Das Licht ist an.", "Die Tür ist zu"]
    expected = [by_http(sentence, "Phoebe", "de") for sentence in sentences]
    # Fast speech ends with its last sound: between two sentences there is a silence.
    silence = bytes(2 * 24_000 * 4 // 10)
    async with client() as connection:
        await connection.write_event(SynthesizeStart(voice=voice).event())
        for piece in ["Am 3. Okto", "ber kam Dr. Mül", "ler. Das ", "Licht"]:
            await connection.write_event(SynthesizeChunk(piece).event())
        # The first sentence is spoken while the second one is not written yet.
        assert await speech(connection) == expected[0]
        for piece in [" ist an. ", "Die Tür", " ist zu"]:
            await connection.write_event(SynthesizeChunk(piece).event())
        await connection.write_event(Synthesize(" ".join(sentences), voice).event())
        await connection.write_event(SynthesizeStop().event())
        assert await speech(connection) == silence + expected[1]
        assert await speech(connection) == silence + expected[2]
        # The whole text was passed over.
        assert SynthesizeStopped.is_type((await connection.read_event()).type)
        await connection.write_event(SynthesizeStart(voice=voice).event())
        await connection.write_event(SynthesizeStop().event())
        assert SynthesizeStopped.is_type((await connection.read_event()).type)


async def said(connection, text, **more):
    """The answer in pieces and as a whole."""
    await connection.write_event(Transcript(text, **more).event())
    start = HandledStart.from_event(await connection.read_event())
    pieces = ""
    while HandledChunk.is_type((event := await connection.read_event()).type):
        pieces += HandledChunk.from_event(event).text
    handled = Handled.from_event(event)
    assert handled.text == pieces and handled.context == start.context, handled
    assert HandledStop.is_type((await connection.read_event()).type)
    return handled


async def conversation():
    async with client() as connection:
        context = {"conversation_id": "01JZ0000000000000000000000"}
        first = await said(connection, "What is 12 times 12?", context=context, language="en")
        assert first.text == "12 × 12 = 144" and first.context == context, first
        second = await said(connection, "Was ist 12 mal 13?", context=context)
        assert "156" in second.text, second
        # A client without a name for it is told one.
        third = await said(connection, "What is 2 + 2?")
        assert "4" in third.text and len(third.context["conversation_id"]) == 32, third
        # There is no language model here.
        for text in ["Who was Goethe?", ""]:
            await connection.write_event(Transcript(text, context=context).event())
            refused = NotHandled.from_event(await connection.read_event())
            assert refused.text and refused.context == context, refused
        assert "144" in (await said(connection, "What is 12 times 12?")).text


async def failures():
    for event, code, part in [
        (Synthesize("a", SynthesizeVoice(name="Puck")), "invalid_field", "Kore, Phoebe, Charon, Fenrir, Aoede"),
        (Synthesize("a", SynthesizeVoice(language="tlh")), "invalid_field", "en, hi, es, fr, de"),
        (SynthesizeStart(SynthesizeVoice(name="xx-Kore")), "invalid_field", "de-Kore"),
        (Synthesize("<speak/>", text_format=SynthesizeTextFormat.SSML), "invalid_field", "text_format"),
        (Synthesize("…"), "nothing_to_speak", ""),
    ]:
        async with client() as connection:
            await connection.write_event(event.event())
            error = Error.from_event(await connection.read_event())
            assert error.code == code and part in error.text, error
            # Home Assistant passes errors over, and would wait for ever.
            assert await connection.read_event() is None


async def pings():
    async with client() as connection:
        for text in ["hello", None]:
            await connection.write_event(Ping(text).event())
            assert Pong.from_event(await connection.read_event()).text == text
        # What is not known, or nothing here, is passed over with its payload.
        await connection.write_event(Transcribe(language="en").event())
        await connection.write_event(AudioStart(rate=16_000, width=2, channels=1).event())
        for _ in range(20):
            await connection.write_event(AudioChunk(rate=16_000, width=2, channels=1, audio=b"\n" * 3_200).event())
        await connection.write_event(AudioStop().event())
        await connection.write_event(Ping("still there").event())
        assert Pong.from_event(await connection.read_event()).text == "still there"


async def main():
    for check in [describe, whole, streamed, conversation, failures, pings]:
        await check()
    await asyncio.gather(describe(), whole(), streamed(), conversation(), failures(), pings())


asyncio.run(main())
print("all is well")
