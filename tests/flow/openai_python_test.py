"""The official OpenAI SDK for Python against the local model."""

import openai
import pytest

from tests.flow.stint_process import wait_until

MODEL = "gpt-4o-mini"
QUESTION = [{"role": "user", "content": "Write one sentence about the sea."}]


@pytest.fixture
def client(stint):
    with openai.OpenAI(base_url=f"{stint.base_url}/v1", api_key="any-key", max_retries=0, timeout=120) as client:
        yield client


def create(client, max_tokens, **fields):
    return client.chat.completions.create(model=MODEL, max_tokens=max_tokens,
                                          messages=fields.pop("messages", QUESTION), **fields)


def test_create(client, few_tokens):
    completion = create(client, few_tokens)
    assert completion.id.startswith("chatcmpl-") and completion.object == "chat.completion"
    assert completion.model == MODEL
    choice = completion.choices[0]
    assert choice.message.role == "assistant" and choice.message.content
    assert choice.finish_reason in ("stop", "length")
    usage = completion.usage
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens
    assert 0 < usage.completion_tokens <= few_tokens
    assert completion._request_id.startswith("req_")


def test_stream_with_usage(client, few_tokens):
    chunks = list(create(client, few_tokens, stream=True, temperature=0, stream_options={"include_usage": True}))
    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-1].choices == [] and chunks[-1].usage.completion_tokens <= few_tokens
    assert all(chunk.usage is None for chunk in chunks[:-1])
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks[:-1])
    whole = create(client, few_tokens, temperature=0)
    assert whole.choices[0].message.content == text
    assert whole.usage == chunks[-1].usage


def test_stream_without_usage_has_none(client):
    chunks = list(create(client, 2, stream=True, temperature=0))
    assert all(chunk.choices and chunk.usage is None for chunk in chunks)
    assert chunks[-1].choices[0].finish_reason == "length"


def test_stream_helper(client):
    """The helper raises when an answer ends for lack of room, so this one asks what is answered in a few tokens."""
    with client.chat.completions.stream(model=MODEL, max_tokens=60, temperature=0,
                                        messages=[{"role": "user", "content": "Name three fruits."}]) as stream:
        text = "".join(event.delta for event in stream if event.type == "content.delta")
        final = stream.get_final_completion()
    assert final.choices[0].message.content == text


def test_abort_ends_the_generation(client, stint):
    with create(client, 2000, stream=True) as stream:
        next(iter(stream))

    def running():
        return sum(value for name, value in stint.metrics().items() if name.startswith("stint_engine_running"))

    wait_until(lambda: running() == 0, 30, "the engine runs nothing after the client has left")


def test_seed_repeats_a_sample(client, few_tokens):
    one, two = (create(client, few_tokens, seed=7, temperature=1).choices[0].message.content for _ in range(2))
    assert one == two


def test_stop_string(client):
    words = create(client, 12, temperature=0).choices[0].message.content.split()
    stopped = create(client, 12, temperature=0, stop=words[3])
    assert stopped.choices[0].finish_reason == "stop"
    assert words[3] not in stopped.choices[0].message.content


def test_logprobs(client):
    choice = create(client, 3, temperature=0, logprobs=True, top_logprobs=2).choices[0]
    assert len(choice.logprobs.content) == 3
    for token in choice.logprobs.content:
        assert token.logprob <= 0 and len(token.top_logprobs) == 2
        assert token.top_logprobs[0].logprob >= token.top_logprobs[1].logprob
        assert token.token == token.top_logprobs[0].token


def test_logit_bias_forbids_a_token(client):
    words = create(client, 1, temperature=0, logprobs=True, top_logprobs=1).choices[0]
    assert words.message.content
    banned = create(client, 1, temperature=0, logit_bias={str(token): -100 for token in range(0, 1000)})
    assert banned.usage.completion_tokens == 1


def test_completions(client, few_tokens):
    completion = client.completions.create(model=MODEL, prompt="The sea is", max_tokens=few_tokens, temperature=0)
    assert completion.object == "text_completion" and completion.choices[0].text
    streamed = client.completions.create(model=MODEL, prompt="The sea is", max_tokens=few_tokens, temperature=0,
                                         stream=True)
    assert "".join(chunk.choices[0].text for chunk in streamed) == completion.choices[0].text


def test_embeddings_in_both_encodings(client):
    texts = ["the sea is blue", "the ocean is blue", "tax law of 1913"]
    asked = client.embeddings.create(model=MODEL, input=texts)
    plain = client.embeddings.create(model=MODEL, input=texts, encoding_format="float")
    assert [item.index for item in asked.data] == [0, 1, 2]
    assert asked.data[0].embedding == pytest.approx(plain.data[0].embedding, rel=1e-5)
    assert asked.usage.prompt_tokens == asked.usage.total_tokens > 0

    def likeness(a, b):
        return sum(x * y for x, y in zip(asked.data[a].embedding, asked.data[b].embedding))

    assert likeness(0, 1) > likeness(0, 2)


def test_models(client):
    models = client.models.list().data
    assert models and models[0].object == "model"
    assert client.models.retrieve(models[0].id).id == models[0].id
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("no-such-model")


def test_tools_are_taken(client):
    tools = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}}}]
    messages = [*QUESTION,
                {"role": "assistant", "content": None, "tool_calls": [
                    {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}]},
                {"role": "tool", "tool_call_id": "call_1", "content": "sunny"}]
    completion = create(client, 2, tools=tools, tool_choice="auto", messages=messages)
    assert completion.choices[0].message.content is not None


@pytest.mark.parametrize("fields, named", [
    ({"messages": []}, "messages"),
    ({"n": 2}, "n"),
    ({"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}}},
     "response_format"),
    ({"temperature": 9}, "temperature"),
    ({"top_logprobs": 99, "logprobs": True}, "top_logprobs"),
])
def test_a_bad_request_names_the_field(client, fields, named):
    with pytest.raises(openai.BadRequestError) as failure:
        create(client, 2, **fields)
    assert failure.value.type == "invalid_request_error"
    assert named in failure.value.message
    assert failure.value.request_id.startswith("req_")


def test_context_overflow_has_its_code(client):
    with pytest.raises(openai.BadRequestError) as failure:
        create(client, 16, messages=[{"role": "user", "content": "word " * 20_000}])
    assert failure.value.code == "context_length_exceeded"


def test_an_unknown_path_is_not_found(client):
    with pytest.raises(openai.NotFoundError):
        client.get("/no/such/path", cast_to=object)


def test_a_client_timeout_leaves_the_server_well(client):
    with pytest.raises(openai.APITimeoutError):
        client.with_options(timeout=0.05).chat.completions.create(model=MODEL, max_tokens=1000, messages=QUESTION)
    assert create(client, 1).usage.completion_tokens == 1
