"""The shortest path through everything; also run under ThreadSanitizer."""

import concurrent.futures
import json

QUESTION = [{"role": "user", "content": "What is 2+2?"}]


def message(stint, max_tokens=4, **fields):
    """Greedy, so that the answer fills its tokens in every run."""
    ask = {"model": "claude-haiku-4-5", "max_tokens": max_tokens, "temperature": 0, "messages": QUESTION, **fields}
    return stint.request("POST", "/v1/messages", ask, {"anthropic-version": "2023-06-01"})


def test_health_ready_and_metrics(stint):
    assert stint.status("/health") == 200
    assert stint.status("/ready") == 200
    assert any(name.startswith("stint_") for name in stint.metrics())


def test_a_message_comes_back(stint):
    status, headers, body = message(stint)
    answer = json.loads(body)
    assert status == 200, body
    assert headers["content-type"].startswith("application/json")
    assert answer["role"] == "assistant" and answer["content"][0]["text"]
    assert answer["usage"]["output_tokens"] == 4 and answer["stop_reason"] == "max_tokens"


def test_a_stream_ends_with_message_stop(stint):
    status, headers, body = message(stint, stream=True)
    assert status == 200 and headers["content-type"].startswith("text/event-stream")
    assert body.rstrip().splitlines()[-2] == b"event: message_stop" and body.endswith(b"\n\n")


def test_a_chat_completion_comes_back(stint):
    status, _, body = stint.request("POST", "/v1/chat/completions",
                                    {"model": "gpt-4o-mini", "max_tokens": 4, "temperature": 0, "messages": QUESTION})
    assert status == 200, body
    assert json.loads(body)["choices"][0]["finish_reason"] == "length"


def test_the_answer_does_not_depend_on_who_else_asks(stint):
    def text(_):
        return json.loads(message(stint)[2])["content"]

    alone = text(None)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert all(answer == alone for answer in pool.map(text, range(6)))
