"""LangChain's Anthropic chat model against the local model."""

import pytest
from langchain_anthropic import ChatAnthropic


@pytest.fixture
def chat(stint, few_tokens):
    return ChatAnthropic(model="claude-haiku-4-5", base_url=stint.base_url, api_key="any-key", max_tokens=few_tokens,
                         max_retries=0, timeout=120, temperature=0)


def test_invoke(chat, few_tokens):
    answer = chat.invoke("Write one sentence about the sea.")
    assert answer.content
    assert 0 < answer.usage_metadata["output_tokens"] <= few_tokens


def test_stream_adds_up(chat, few_tokens):
    """LangChain sums usage over the deltas and reads the input count from the last one: there must be exactly one."""
    whole = None
    for chunk in chat.stream("Write one sentence about the sea."):
        whole = chunk if whole is None else whole + chunk
    alone = chat.invoke("Write one sentence about the sea.")
    assert whole.text == alone.text
    for key in ("input_tokens", "output_tokens"):
        assert whole.usage_metadata[key] == alone.usage_metadata[key]
    assert whole.response_metadata["stop_reason"] in ("max_tokens", "end_turn")


def test_system_and_history(chat):
    answer = chat.invoke([("system", "You are brief."), ("human", "Hi."), ("ai", "Hello."), ("human", "Bye.")])
    assert answer.content is not None
