"""What the configuration file promises: keys, strict mode, refusals that say what to do."""

import json
import pathlib
import re
import socket
import subprocess

import pytest

from tests.flow.stint_process import binary, model_path

ASK = {"model": "claude-haiku-4-5", "max_tokens": 1, "messages": [{"role": "user", "content": "Hello."}]}
VERSION = {"anthropic-version": "2026-10-21"}


def run(*arguments, **options):
    return subprocess.run([binary(), *arguments], capture_output=True, text=True, timeout=60, check=False, **options)


def test_access_keys_are_asked_for_and_compared(start_stint):
    server = start_stint("keys: [ { name: team, key: a-long-access-key-0123456789 } ]\n")
    for headers, expected in [({}, 401), ({"x-api-key": "wrong"}, 401), ({"authorization": "Bearer wrong"}, 401),
                              ({"x-api-key": "a-long-access-key-0123456789"}, 200),
                              ({"authorization": "Bearer a-long-access-key-0123456789"}, 200)]:
        status, _, body = server.request("POST", "/v1/messages", ASK, {**VERSION, **headers})
        assert status == expected, body
        if expected == 401:
            assert json.loads(body)["error"]["type"] == "authentication_error"
    assert server.status("/health") == 200
    assert "a-long-access-key" not in server.log()


def test_strict_models(start_stint):
    server = start_stint("models: { strict: true }\n")
    status, _, body = server.request("POST", "/v1/messages", ASK, VERSION)
    assert status == 404 and "claude-haiku-4-5" in json.loads(body)["error"]["message"]


def test_check_accepts_a_good_file(tmp_path):
    path = tmp_path / "stint.yaml"
    path.write_text("listen: { addr: 127.0.0.1:4000 }\n")
    checked = run("check", str(path))
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("text, said", [
    ("listne: { addr: 127.0.0.1:4000 }\n", ["1", "listne", "listen"]),
    ("listen:\n  addr: 127.0.0.1:4000\n  addr: 127.0.0.1:4001\n", ["3", "addr"]),
    ("listen: { addr: 127.0.0.1:99999 }\n", ["1", "addr"]),
    ("listen: { addr: 0.0.0.0:4000 }\n", ["1", "keys"]),
    ("engine: { threads: many }\n", ["1", "threads"]),
    ("a: [\n", ["stint.yaml"]),
])
def test_check_says_line_and_key(tmp_path, text, said):
    path = tmp_path / "stint.yaml"
    path.write_text(text)
    checked = run("check", str(path))
    assert checked.returncode != 0
    assert all(word in checked.stdout + checked.stderr for word in said), checked.stdout + checked.stderr


def documented_keys():
    page = (pathlib.Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
    page = page[:page.index("## Environment")]
    return re.findall(r"^\| `([\w.\[\]]+)` \|", page, re.MULTILINE)


def test_every_key_is_documented_and_every_documented_key_exists():
    declared = {line.split()[0] for line in run("check", "--keys").stdout.splitlines() if line.strip()}
    # Lists and maps of sections are declared too; the page speaks of what stands in them.
    declared -= {re.sub(r"(\[\]|\.NAME)\..*", "", key) for key in declared if "[]" in key or ".NAME." in key}
    assert declared == set(documented_keys())


def misused(path):
    """A file in which the key of that path has a map for a value, which no key takes."""
    text = "{ wrong: 1 }"
    for part in reversed(path.replace("NAME", "cache").split(".")):
        name = part.removesuffix("[]")
        text = f"{{ {name}: [ {text} ] }}" if part.endswith("[]") else f"{{ {name}: {text} }}"
    return text + "\n"


@pytest.mark.parametrize("key", documented_keys())
def test_a_wrong_value_is_refused_by_its_key(tmp_path, key):
    path = tmp_path / "stint.yaml"
    path.write_text(misused(key))
    checked = run("check", str(path))
    assert checked.returncode != 0
    assert re.search(re.escape(key.split(".")[-1].removesuffix("[]")), checked.stderr), checked.stderr
    assert f"{path}:1:" in checked.stderr


@pytest.mark.parametrize("config, said", [
    ("engine: { model: /no/such/model.gguf }\n", ["/no/such/model.gguf"]),
    ("listen: { addr: 0.0.0.0:0 }\n", ["keys"]),
])
def test_a_start_that_cannot_be_says_why_in_one_sentence(tmp_path, config, said):
    path = tmp_path / "stint.yaml"
    path.write_text(config)
    started = run("serve", "-c", str(path))
    assert started.returncode != 0
    assert all(word in started.stderr for word in said), started.stderr


def test_a_taken_port_is_named(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        path = tmp_path / "stint.yaml"
        path.write_text(f"listen: {{ addr: 127.0.0.1:{port}, admin: 127.0.0.1:0 }}\n"
                        f"engine: {{ model: {model_path()} }}\n")
        started = run("serve", "-c", str(path))
    assert started.returncode != 0 and str(port) in started.stderr


def test_sigterm_finishes_the_answer_under_way(start_stint):
    server = start_stint()
    connection = socket.create_connection(("127.0.0.1", server.port))
    body = json.dumps({**ASK, "max_tokens": 12, "stream": True})
    connection.sendall(f"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nanthropic-version: 2026-10-21\r\n"
                       f"content-length: {len(body)}\r\n\r\n{body}".encode())
    received = connection.recv(65536)
    server.signal(15)
    while chunk := connection.recv(65536):
        received += chunk
    assert b"message_stop" in received
    assert server.wait() == 0
