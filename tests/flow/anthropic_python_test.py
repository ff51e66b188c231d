"""The official Anthropic SDK for Python against the local model."""

import anthropic
import pytest

from tests.flow.stint_process import wait_until

MODEL = "claude-haiku-4-5"
QUESTION = [{"role": "user", "content": "Write one sentence about the sea."}]


@pytest.fixture
def client(stint):
    with anthropic.Anthropic(base_url=stint.base_url, api_key="any-key", max_retries=0, timeout=120) as client:
        yield client


def create(client, max_tokens, **fields):
    messages = fields.pop("messages", QUESTION)
    return client.messages.create(model=MODEL, max_tokens=max_tokens, messages=messages, **fields)


def test_create(client, few_tokens):
    message = create(client, few_tokens)
    assert message.id.startswith("msg_") and message.type == "message" and message.role == "assistant"
    assert message.model == MODEL
    assert message.content[0].type == "text" and message.content[0].text
    assert message.stop_reason in ("end_turn", "max_tokens")
    assert message.usage.input_tokens > 5 and 0 < message.usage.output_tokens <= few_tokens
    assert message._request_id.startswith("req_")


def test_headers_say_who_served_and_how_long_it_took(client):
    response = client.messages.with_raw_response.create(model=MODEL, max_tokens=2, messages=QUESTION)
    assert response.headers["x-stint-served-by"]
    assert "dur=" in response.headers["server-timing"]


def test_stream_helper_agrees_with_itself_and_with_create(client, few_tokens):
    greedy = {"extra_body": {"temperature": 0}}
    with client.messages.stream(model=MODEL, max_tokens=few_tokens, messages=QUESTION, **greedy) as stream:
        text = "".join(stream.text_stream)
        final = stream.get_final_message()
    assert final.content[0].text == text
    whole = create(client, few_tokens, **greedy)
    assert whole.content[0].text == text
    assert (whole.usage.output_tokens, whole.stop_reason) == (final.usage.output_tokens, final.stop_reason)


def test_events_come_in_their_order(client, few_tokens):
    kinds = [event.type for event in create(client, few_tokens, stream=True)]
    assert kinds[:2] == ["message_start", "content_block_start"]
    assert kinds[-3:] == ["content_block_stop", "message_delta", "message_stop"]
    middle = kinds[2:-3]
    assert middle and set(middle) == {"content_block_delta"}


def test_usage_stands_in_start_and_delta(client, few_tokens):
    events = list(create(client, few_tokens, stream=True))
    start = events[0].message.usage
    delta = next(event for event in events if event.type == "message_delta").usage
    assert start.input_tokens == delta.input_tokens > 0
    assert 0 < delta.output_tokens <= few_tokens


def running_count(stint):
    return sum(value for name, value in stint.metrics().items() if name.startswith("stint_engine_running"))


def test_abort_ends_the_generation(client, stint):
    with create(client, 2000, stream=True) as stream:
        for event in stream:
            if event.type == "content_block_delta":
                break
    wait_until(lambda: running_count(stint) == 0, 30, "the engine runs nothing after the client has left")


def test_count_tokens_is_what_create_bills(client):
    fields = {"messages": QUESTION, "system": "You are brief."}
    counted = client.messages.count_tokens(model=MODEL, **fields)
    assert counted.input_tokens == create(client, 1, **fields).usage.input_tokens


def test_models(client):
    models = list(client.models.list())
    assert models
    retrieved = client.models.retrieve(models[0].id)
    assert retrieved.id == models[0].id and retrieved.type == "model" and retrieved.display_name
    with pytest.raises(anthropic.NotFoundError):
        client.models.retrieve("no-such-model")


def test_stop_sequence(client):
    greedy = {"extra_body": {"temperature": 0}}
    words = create(client, 12, **greedy).content[0].text.split()
    stopped = create(client, 12, stop_sequences=[words[3]], **greedy)
    assert (stopped.stop_reason, stopped.stop_sequence) == ("stop_sequence", words[3])
    assert words[3] not in stopped.content[0].text


def test_beta_resource(client):
    message = client.beta.messages.create(model=MODEL, max_tokens=2, messages=QUESTION, betas=["some-beta-2026-01-01"])
    assert message.content[0].text


def test_every_optional_field_is_taken(client):
    message = create(
        client, 2, system=[{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        metadata={"user_id": "u"}, service_tier="auto", stop_sequences=["@@@"],
        tools=[{"name": "weather", "description": "Weather", "input_schema": {"type": "object", "properties": {}}},
               {"type": "web_search_20250305", "name": "web_search"}],
        tool_choice={"type": "auto"}, thinking={"type": "adaptive"},
        extra_body={"temperature": 0.5, "top_p": 0.9, "top_k": 40, "unknown_field": {"a": [1]},
                    "output_config": {"effort": "low"}})
    assert message.usage.output_tokens <= 2


def test_system_turns_and_prefill_are_taken(client):
    messages = [{"role": "user", "content": [{"type": "text", "text": "Say a word."}]},
                {"role": "system", "content": "Answer in English."},
                {"role": "assistant", "content": "The word is"}]
    assert create(client, 3, messages=messages).content[0].text


def test_tool_history_is_taken(client):
    messages = [*QUESTION,
                {"role": "assistant", "content": [
                    {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": 1}}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "42"}]}]
    assert create(client, 2, messages=messages).content[0].text


def test_thread_gets_the_code_that_makes_clients_resend(client):
    with pytest.raises(anthropic.BadRequestError) as failure:
        create(client, 2, extra_body={"thread": {"type": "create"}})
    assert failure.value.body["error"]["details"]["error_code"] == "thread_unsupported_request"


@pytest.mark.parametrize("fields, named", [
    ({"messages": []}, "messages"),
    ({"messages": [{"role": "robot", "content": "x"}]}, "role"),
    ({"messages": [{"role": "user", "content": [{"type": "image", "source": {
        "type": "base64", "media_type": "image/png", "data": "AAAA"}}]}]}, "image"),
])
def test_a_bad_request_names_the_field(client, fields, named):
    with pytest.raises(anthropic.BadRequestError) as failure:
        create(client, 2, **fields)
    error = failure.value.body
    assert error["type"] == "error" and error["error"]["type"] == "invalid_request_error"
    assert named in error["error"]["message"]
    assert failure.value.request_id.startswith("req_")


def test_missing_and_impossible_max_tokens(client):
    with pytest.raises(anthropic.BadRequestError, match="max_tokens"):
        client.post("/v1/messages", cast_to=object, body={"model": MODEL, "messages": QUESTION})
    with pytest.raises(anthropic.BadRequestError, match="max_tokens"):
        create(client, -1)


def test_a_huge_max_tokens_is_capped(client):
    with create(client, 128_000, stream=True) as stream:
        assert next(iter(stream)).type == "message_start"


def test_context_overflow_gives_both_counts(client):
    with pytest.raises(anthropic.BadRequestError, match=r"\d+.*\d+"):
        create(client, 16, messages=[{"role": "user", "content": "word " * 20_000}])


def test_an_unknown_path_is_not_found(client):
    with pytest.raises(anthropic.NotFoundError):
        client.get("/_stainless_unknown_path", cast_to=object)


def test_a_client_timeout_leaves_the_server_well(client, stint):
    with pytest.raises(anthropic.APITimeoutError):
        client.with_options(timeout=0.05).messages.create(model=MODEL, max_tokens=1000, messages=QUESTION)
    wait_until(lambda: running_count(stint) == 0, 30, "the engine runs nothing after the client has left")
    assert create(client, 1).usage.output_tokens == 1
