"""Has the language model call functions and fill in forms, as programs do that use LangChain."""

import os

from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langchain_mistralai import ChatMistralAI
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

given = {"model": "quartet", "timeout": 300}
base = os.environ["OPENAI_BASE_URL"]


@tool
def get_weather(city: str) -> str:
    """Get the current weather of a city."""
    return f"17 degrees and overcast in {city}"


class City(BaseModel):
    """A city and its country."""

    name: str
    country: str


chat = ChatOpenAI(max_retries=0, **given)
mistral = ChatMistralAI(base_url=base, api_key="anything", max_retries=1, **given)
for model in (chat, mistral):
    asking = model.bind_tools([get_weather])
    messages = [HumanMessage("What is the weather in Paris?")]
    # In pieces first, which are put together by their index: such an answer may take its time, and what comes after it goes
    # on from what was computed for it.
    whole = None
    for piece in asking.stream(messages):
        whole = piece if whole is None else whole + piece
    assert whole.tool_calls[0]["args"] == {"city": "Paris"}, whole
    call = asking.invoke(messages)
    assert [(call["name"], call["args"]) for call in call.tool_calls] == [("get_weather", {"city": "Paris"})], call
    messages += [call, *(get_weather.invoke(asked) for asked in call.tool_calls)]
    answer = asking.invoke(messages)
    assert "17" in answer.text and answer.usage_metadata["output_tokens"] > 0, answer

# Forms: by a schema, by a function, and by Mistral's word for a function that has to be called.
question = "Name the capital of France, and its country."
forms = [
    chat.with_structured_output(City),
    chat.with_structured_output(City, method="function_calling"),
    mistral.with_structured_output(City),
    mistral.with_structured_output(City, method="json_schema"),
]
for form in forms:
    *_, city = form.stream(question)
    assert (city.name, city.country) == ("Paris", "France"), city
    city = form.invoke(question)
    assert (city.name, city.country) == ("Paris", "France"), city

print("all is well")
