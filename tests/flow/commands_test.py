"""The command line as a person uses it: help, tokenize, chat, and pull against a file server of our own."""

import http.server
import os
import pathlib
import re
import subprocess
import threading

import pytest

from tests.flow.stint_process import binary, model_path

TIMEOUT_S = 180


def run(*arguments, text="", environment=None):
    return subprocess.run([binary(), *arguments], input=text, capture_output=True, text=True, timeout=TIMEOUT_S,
                          check=False, env={**os.environ, **(environment or {})})


def test_version_and_help():
    assert re.match(r"stint \d+\.\d+\.\d+", run("--version").stdout)
    helped = run("--help").stdout
    assert all(command in helped for command in ("serve", "chat", "pull", "tokenize", "check"))


def test_an_unknown_option_is_explained():
    ran = run("serve", "--no-such-option")
    assert ran.returncode != 0 and "--no-such-option" in ran.stderr + ran.stdout


def test_tokenize():
    model = ("--model", model_path())
    ids = run("tokenize", *model, "Hello world").stdout.split()
    assert len(ids) == 2 == int(run("tokenize", *model, "--count", "Hello world").stdout)
    assert run("tokenize", *model, text="Hello world").stdout.split() == ids
    assert "world" in run("tokenize", *model, "--pieces", "Hello world").stdout


def test_control_tokens_are_tokens_only_when_asked():
    model = ("--model", model_path(), "--count")
    assert int(run("tokenize", *model, "--special", "<|im_start|>").stdout) == 1
    assert int(run("tokenize", *model, "<|im_start|>").stdout) > 1


def test_chat_answers_and_tells_its_speed():
    ran = run("chat", "--model", model_path(), "--max-tokens", "8", text="Name three fruits.\n/exit\n")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()
    assert "tokens/s" in ran.stderr


class FileServer(http.server.ThreadingHTTPServer):
    """Serves one file under any path; `cut_after` ends the first answer early, `requests` keeps what was asked."""

    def __init__(self, path, cut_after=None):
        self.content = pathlib.Path(path).read_bytes()
        self.cut_after = cut_after
        self.requests = []
        super().__init__(("127.0.0.1", 0), FileRequest)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class FileRequest(http.server.BaseHTTPRequestHandler):
    """Knows single ranges that run to the end, as a resumed download asks for."""

    def do_GET(self):  # noqa: N802 (the name http.server calls)
        self.server.requests.append((self.path, dict(self.headers)))
        content = self.server.content
        if "missing" in self.path:
            self.send_error(404)
            return
        start = re.fullmatch(r"bytes=(\d+)-", self.headers.get("range", ""))
        first = int(start[1]) if start else 0
        self.send_response(206 if start else 200)
        self.send_header("content-length", str(len(content) - first))
        self.send_header("etag", '"one"')
        if start:
            self.send_header("content-range", f"bytes {first}-{len(content) - 1}/{len(content)}")
        self.end_headers()
        end = len(content)
        if self.server.cut_after:
            end, self.server.cut_after = self.server.cut_after, None
        self.wfile.write(content[first:end])

    def log_message(self, *_):
        pass


@pytest.fixture
def serve_file():
    servers = []

    def start(path, cut_after=None):
        servers.append(FileServer(path, cut_after))
        return servers[-1]

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def pull(tmp_path):
    """pull(what, ...) with an empty cache folder; returns the finished process."""
    def run_pull(what, **environment):
        return run("pull", what, environment={"XDG_CACHE_HOME": str(tmp_path), **environment})

    run_pull.folder = tmp_path / "stint" / "models"
    return run_pull


def test_the_list_names_size_licence_and_memory():
    listed = run("pull").stdout
    assert "smollm2-135m" in listed and "gemma-3-270m" in listed
    assert "Apache-2.0" in listed and "MB" in listed


def test_pull_from_a_url(serve_file, pull):
    server = serve_file(model_path())
    pulled = pull(f"{server.url}/tiny.gguf")
    assert pulled.returncode == 0, pulled.stderr
    assert (pull.folder / "tiny.gguf").read_bytes() == server.content
    assert len(list(pull.folder.iterdir())) == 1


def test_a_broken_download_goes_on_where_it_stopped(serve_file, pull):
    server = serve_file(model_path(), cut_after=10_000_000)
    url = f"{server.url}/tiny.gguf"
    first = pull(url)
    if first.returncode != 0:
        assert not (pull.folder / "tiny.gguf").exists()
        assert pull(url).returncode == 0
    assert (pull.folder / "tiny.gguf").read_bytes() == server.content
    ranges = [headers for _, headers in server.requests if any(name.lower() == "range" for name in headers)]
    assert ranges, "the second request did not ask for the rest"


def test_pull_from_a_hub_of_ones_own_with_a_token(serve_file, pull):
    server = serve_file(model_path())
    pulled = pull("hf:owner/repo/tiny.gguf", HF_ENDPOINT=server.url, HF_TOKEN="hf_secret")
    assert pulled.returncode == 0, pulled.stderr
    path, headers = server.requests[0]
    assert path == "/owner/repo/resolve/main/tiny.gguf"
    assert {name.lower(): value for name, value in headers.items()}["authorization"] == "Bearer hf_secret"
    assert "hf_secret" not in pulled.stdout + pulled.stderr


def test_a_missing_file_and_a_file_that_is_no_model(serve_file, pull, tmp_path):
    other = tmp_path / "page.html"
    other.write_text("<html>not a model</html>" * 100)
    server = serve_file(other)
    missing = pull(f"{server.url}/missing.gguf")
    assert missing.returncode != 0 and "404" in missing.stderr
    wrong = pull(f"{server.url}/page.gguf")
    assert wrong.returncode != 0 and "page.gguf" in wrong.stderr
    assert not (pull.folder / "page.gguf").exists()


def test_an_unknown_name_lists_what_there_is(pull):
    unknown = pull("no-such-model")
    assert unknown.returncode != 0 and "no-such-model" in unknown.stderr
