"""Has Home Assistant's own code for the Wyoming protocol use the service: its config flow's questions, its speech, whole and
while the text comes, and its conversation agent. The code is that of its wheel, as published; of the rest of Home Assistant
only the names are here that this code imports. The addresses of both are in the environment."""

import asyncio
import enum
import io
import os
import sys
import types
import wave
from dataclasses import dataclass

WHEEL = os.environ["QUARTET_HOME_ASSISTANT"]
HOST, PORT = os.environ["QUARTET_WYOMING"].rsplit(":", 1)
ROOT = "homeassistant"
WYOMING = ROOT + ".components.wyoming"


def stand_in(name, path=(), **attributes):
    module = types.ModuleType(name)
    module.__path__ = list(path)
    module.__dict__.update(attributes)
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)


@dataclass
class Voice:
    voice_id: str
    name: str


@dataclass
class Audio:
    extension: str
    data_gen: object


@dataclass
class Request:
    language: str
    options: dict
    message_gen: object


class Response:
    """What Home Assistant says in the end."""

    def __init__(self, language):
        self.language, self.speech, self.error = language, None, None

    def async_set_speech(self, text):
        self.speech = text

    def async_set_error(self, code, text):
        self.error = (code, text)


@dataclass
class Result:
    response: Response
    conversation_id: str


class Codes(enum.Enum):
    UNKNOWN = 1
    NO_INTENT_MATCH = 2
    FAILED_TO_HANDLE = 3


class Platform(enum.Enum):
    STT = 1
    TTS = 2
    WAKE_WORD = 3
    CONVERSATION = 4


def base(name):
    return type(name, (), {})


stand_in(ROOT)
stand_in(ROOT + ".const", Platform=Platform)
stand_in(ROOT + ".core", HomeAssistant=object, callback=lambda function: function)
stand_in(ROOT + ".exceptions", HomeAssistantError=type("HomeAssistantError", (Exception,), {}))
stand_in(ROOT + ".config_entries", ConfigEntry=object)
stand_in(ROOT + ".util")
stand_in(ROOT + ".util.ulid", ulid_now=lambda: "01JZ0000000000000000000001")
stand_in(ROOT + ".helpers")
stand_in(ROOT + ".helpers.entity_platform", AddConfigEntryEntitiesCallback=object)
stand_in(
    ROOT + ".helpers.intent",
    IntentResponse=Response,
    IntentResponseErrorCode=Codes,
    IntentError=type("IntentError", (Exception,), {}),
)
stand_in(ROOT + ".components")
stand_in(
    ROOT + ".components.tts",
    TextToSpeechEntity=base("TextToSpeechEntity"),
    ATTR_AUDIO_OUTPUT="audio_output",
    ATTR_VOICE="voice",
    Voice=Voice,
    TTSAudioRequest=Request,
    TTSAudioResponse=Audio,
)
stand_in(
    ROOT + ".components.conversation",
    ConversationEntity=base("ConversationEntity"),
    AbstractConversationAgent=base("AbstractConversationAgent"),
    ConversationInput=object,
    ConversationResult=Result,
)
stand_in(WYOMING, path=[f"{WHEEL}/homeassistant/components/wyoming"])
stand_in(WYOMING + ".models", DomainDataItem=object)

from homeassistant.components.wyoming.conversation import WyomingConversationEntity  # noqa: E402
from homeassistant.components.wyoming.data import WyomingService  # noqa: E402
from homeassistant.components.wyoming.tts import WyomingTtsProvider  # noqa: E402


class Entry:
    """The entry of a configuration, as far as it is asked for something."""

    entry_id = "entry"

    def async_create_background_task(self, _hass, work, _name):
        self.task = asyncio.create_task(work)


async def pieces(*texts):
    for text in texts:
        yield text


async def main():
    service = await WyomingService.create(HOST, int(PORT))
    assert service.has_services() and service.get_name() == "Quartet", service
    assert service.platforms == [Platform.TTS, Platform.CONVERSATION], service.platforms

    entry = Entry()
    speech = WyomingTtsProvider(entry, service)
    speech.hass = None
    assert len(speech._attr_supported_languages) == 12 and speech.async_supports_streaming_input()
    voices = speech.async_get_supported_voices("de")
    assert len(voices) == 5 and Voice("de-Kore", "Kore (standard)") in voices, voices

    for options in [{}, {"voice": "de-Kore"}, {"voice": "ja-Aoede", "speaker": None}]:
        extension, data = await speech.async_get_tts_audio("Guten Morgen.", "de", options)
        with wave.open(io.BytesIO(data)) as file:
            assert (extension, file.getframerate(), file.getnchannels()) == ("wav", 24_000, 1)
            assert file.getnframes() > 12_000, options
    assert await speech.async_get_tts_audio("Guten Morgen.", "de", {"voice": "Puck"}) == (None, None)

    request = Request("de", {"voice": "de-Kore"}, pieces("Das Licht ", "ist an. Die ", "Tür ist zu."))
    answer = await speech.async_stream_tts_audio(request)
    data = b"".join([piece async for piece in answer.data_gen])
    await entry.task
    assert answer.extension == "wav" and data[:4] == b"RIFF" and len(data) > 96_000, len(data)
    request = Request("de", {"voice": "Puck"}, pieces("Das Licht ", "ist an."))
    answer = await speech.async_stream_tts_audio(request)
    assert [piece async for piece in answer.data_gen] == []

    agent = WyomingConversationEntity(entry, service)
    assert len(agent.supported_languages) == 12, agent.supported_languages

    async def ask(text, conversation_id):
        said = types.SimpleNamespace(text=text, conversation_id=conversation_id, language="en")
        return await agent.async_process(said)

    first = await ask("What is 12 times 12?", None)
    assert (first.response.speech, first.response.error) == ("12 × 12 = 144", None), first
    second = await ask("What is 12 times 13?", first.conversation_id)
    assert "156" in second.response.speech and second.conversation_id == first.conversation_id, second
    refused = (await ask("Who was Goethe?", first.conversation_id)).response
    assert refused.speech is None and refused.error[0] is Codes.FAILED_TO_HANDLE and refused.error[1], refused


asyncio.run(main())
print("all is well")
