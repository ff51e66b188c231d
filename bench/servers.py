"""Servers under measurement: stint and llama-server, started on a free port, asked over HTTP, ended by their owner."""

import http.client
import json
import pathlib
import socket
import subprocess
import tempfile
import time

from bench import machine

START_TIMEOUT_S = 120


class Server:
    """A child process that answers /v1/completions. A context manager; `start_ms` is set once it has answered one."""

    name = ""

    def __init__(self, command, port, folder):
        self.port = port
        self._log_path = pathlib.Path(folder) / f"{self.name}.log"
        self._command = [str(part) for part in command]
        self._process = None
        self.start_ms = None

    def __enter__(self):
        started = time.perf_counter()
        with self._log_path.open("wb") as log:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self._wait_for_an_answer()
        except BaseException:
            self.__exit__()
            raise
        self.start_ms = 1000 * (time.perf_counter() - started)
        return self

    def __exit__(self, *_):
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _wait_for_an_answer(self):
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                break
            try:
                if complete(self.connect(), {"prompt": "Hello", "max_tokens": 1})["choices"]:
                    return
            except (OSError, http.client.HTTPException, RuntimeError):
                time.sleep(0.002)
        raise RuntimeError(f"{self.name} did not start:\n{self._log_path.read_text(errors='replace')[-2000:]}")

    def connect(self):
        """A keep-alive connection; one a thread."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)

    @property
    def pid(self):
        return self._process.pid

    def resident_mb(self):
        return machine.resident_mb(self.pid)


class Stint(Server):
    """The release binary with default settings but for ports and model."""

    name = "stint"

    def __init__(self, binary, model, folder):
        port, self.admin_port = free_port(), free_port()
        config = pathlib.Path(folder) / "stint.yaml"
        config.write_text(f"listen: {{ addr: 127.0.0.1:{port}, admin: 127.0.0.1:{self.admin_port} }}\n"
                          f"engine: {{ model: {model} }}\n", encoding="utf-8")
        super().__init__([binary, "serve", "-c", config], port, folder)


class LlamaServer(Server):
    """llama-server with as many slots as there are clients and no prompt cache, so that both do the same work."""

    name = "llama-server"

    def __init__(self, peer, model, folder, slot_count, thread_count):
        port = free_port()
        super().__init__([peer.tool("llama-server"), "-m", model, "--host", "127.0.0.1", "--port", port, "-t",
                          thread_count, "-np", slot_count, "-c", 512 * slot_count, "--no-webui"], port, folder)


def free_port():
    """A port that nobody listens on at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def complete(connection, fields):
    """One /v1/completions call; the decoded answer. Raises RuntimeError when it is refused."""
    body = json.dumps({"model": "m", "temperature": 0, "cache_prompt": False, **fields})
    connection.request("POST", "/v1/completions", body, {"content-type": "application/json"})
    response = connection.getresponse()
    answer = response.read()
    if response.status != 200:
        raise RuntimeError(f"status {response.status}: {answer[:300]!r}")
    return json.loads(answer)


def scratch_folder():
    return tempfile.TemporaryDirectory(prefix="stint-bench-")

