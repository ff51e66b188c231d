"""What no SDK shows: bytes of streams, headers of both dialects, error bodies, both API versions, probes, switches."""

import json

import pytest

ANTHROPIC = {"anthropic-version": "2026-10-21", "authorization": "Bearer any-key"}
HELLO = [{"role": "user", "content": "Hello."}]
# Greedy, so that the answer has its three tokens in every run.
ASK = {"model": "claude-haiku-4-5", "max_tokens": 3, "temperature": 0, "messages": HELLO}
CHAT = {"model": "gpt-4o-mini", "max_tokens": 3, "temperature": 0, "messages": HELLO}


def events_of(body):
    """[(event name, data)] of an SSE body; every event must be closed by a blank line."""
    assert body.endswith(b"\n\n")
    events = []
    for block in body.decode().strip("\n").split("\n\n"):
        lines = [line for line in block.split("\n") if not line.startswith(":")]
        fields = dict(line.split(": ", 1) for line in lines)
        assert set(fields) <= {"event", "data"}, "ids and retry lines break the OpenAI SDK for Python"
        if fields:
            events.append((fields.get("event"), fields["data"]))
    return events


def test_anthropic_stream_byte_by_byte(stint):
    status, headers, body = stint.request("POST", "/v1/messages", {**ASK, "stream": True}, ANTHROPIC)
    assert status == 200
    assert headers["content-type"].startswith("text/event-stream")
    assert headers["cache-control"].startswith("no-cache")
    assert headers["request-id"].startswith("req_")
    assert headers.get("content-encoding") is None
    events = events_of(body)
    for name, data in events:
        assert json.loads(data)["type"] == name
    start = json.loads(events[0][1])["message"]
    assert start["content"] == [] and start["stop_reason"] is None and start["usage"]["input_tokens"] > 0
    assert json.loads(events[1][1])["content_block"] == {"type": "text", "text": ""}
    assert [name for name, _ in events].count("message_delta") == 1
    delta = json.loads(events[-2][1])
    assert delta["delta"]["stop_reason"] == "max_tokens" and delta["usage"]["output_tokens"] == 3
    assert delta["usage"]["input_tokens"] == start["usage"]["input_tokens"]


def test_openai_stream_byte_by_byte(stint):
    status, headers, body = stint.request("POST", "/v1/chat/completions", {**CHAT, "stream": True})
    assert status == 200 and headers["x-request-id"]
    events = events_of(body)
    assert all(name is None for name, _ in events)
    assert events[-1][1] == "[DONE]"
    chunks = [json.loads(data) for _, data in events[:-1]]
    first = chunks[0]["choices"][0]["delta"]
    assert (first["role"], first["content"]) == ("assistant", "")
    assert chunks[-1]["choices"][0]["finish_reason"] == "length"
    assert len({chunk["id"] for chunk in chunks}) == 1


@pytest.mark.parametrize("headers", [
    {"anthropic-version": "2023-06-01", "x-api-key": "k"},
    {"anthropic-version": "2026-10-21", "authorization": "Bearer k"},
    {"anthropic-version": "2023-06-01"},
])
def test_both_versions_and_both_ways_to_bring_a_key(stint, headers):
    assert stint.request("POST", "/v1/messages", ASK, headers)[0] == 200
    assert stint.request("POST", "/v1/messages?beta=true", ASK, headers)[0] == 200


def test_anthropic_error_body(stint):
    status, headers, body = stint.request("POST", "/v1/messages", {**ASK, "max_tokens": "many"}, ANTHROPIC)
    error = json.loads(body)
    assert status == 400 and error["type"] == "error"
    assert error["error"]["type"] == "invalid_request_error" and "max_tokens" in error["error"]["message"]
    assert error["request_id"] == headers["request-id"]


def test_openai_error_body(stint):
    status, _, body = stint.request("POST", "/v1/chat/completions", {**CHAT, "max_tokens": "many"})
    assert status == 400
    assert set(json.loads(body)["error"]) == {"message", "type", "param", "code"}
    assert json.loads(body)["error"]["param"] == "max_tokens"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"model": tru}', b'{"a": "\xff"}', b"{}" * 2,
                                  b"[" * 100_000, b'{"model":"a","model":"b","max_tokens":1,"messages":[]}'])
@pytest.mark.parametrize("path", ["/v1/messages", "/v1/chat/completions"])
def test_bad_json_is_a_400_in_the_callers_dialect(stint, path, body):
    status, _, answer = stint.request("POST", path, body, {**ANTHROPIC, "content-type": "application/json"})
    assert status == 400
    assert json.loads(answer)["error"]["message"]


def test_probes_and_unknown_paths(stint):
    assert stint.request("HEAD", "/api/hello")[0] == 200
    status, _, body = stint.request("GET", "/v1/nothing", headers=ANTHROPIC)
    assert status == 404 and json.loads(body)["error"]["type"] == "not_found_error"
    status, headers, _ = stint.request("GET", "/v1/messages", headers=ANTHROPIC)
    assert status in (404, 405)


def test_models_in_the_dialect_of_the_caller(stint):
    anthropic = json.loads(stint.request("GET", "/v1/models?limit=1", headers=ANTHROPIC)[2])
    assert {"data", "has_more", "first_id", "last_id"} <= set(anthropic) and anthropic["data"][0]["type"] == "model"
    openai = json.loads(stint.request("GET", "/v1/models")[2])
    assert openai["object"] == "list" and openai["data"][0]["object"] == "model"


def test_metrics_are_on_the_admin_port_only(stint):
    assert stint.status("/metrics", stint.admin_port) == 200
    assert stint.status("/metrics") == 404


def test_metrics_are_well_formed_and_count(stint):
    def count():
        return sum(value for name, value in stint.metrics().items() if name.startswith("stint_requests_total"))

    before = count()
    stint.request("POST", "/v1/messages", ASK, ANTHROPIC)
    assert count() == before + 1


def test_pages_of_other_origins_are_refused(stint):
    status, _, _ = stint.request("POST", "/v1/messages", ASK, {**ANTHROPIC, "origin": "https://evil.example"})
    assert status == 403
    status, _, _ = stint.request("POST", "/v1/messages", ASK, {**ANTHROPIC, "host": "evil.example"})
    assert status == 403


def test_the_linear_flow_answers_the_same(stint, start_stint):
    linear = start_stint(environment={"ANTHROPIC_OPTIMIZE": "off"})
    ours, theirs = (json.loads(server.request("POST", "/v1/messages", ASK, ANTHROPIC)[2]) for server in (stint, linear))
    assert ours["content"] == theirs["content"]
