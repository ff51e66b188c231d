"""Starts `stint serve` on ports of its own choosing and looks at it from outside: log, files, metrics, memory.

STINT_BINARY names the binary, STINT_TEST_MODEL the model; `./dev test` sets both. A context manager that always ends
the process; a test that finds it dead gets its log in the failure.
"""

import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

START_TIMEOUT_S = 120
STOP_TIMEOUT_S = 60


def binary():
    return os.environ["STINT_BINARY"]


def model_path():
    return os.environ["STINT_TEST_MODEL"]


def is_sanitized():
    """Sanitizer builds run the model many times slower: tests ask for less then."""
    return os.environ.get("STINT_PRESET", "release") != "release"


def wait_until(condition, timeout_s, what):
    """Asks every 20 ms until condition() is true; the state of another process cannot be waited for otherwise."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {timeout_s} s: {what}")
        time.sleep(0.02)


class StintProcess:
    """One running server. `port` and `admin_port` are set once it is ready."""

    def __init__(self, folder, config="", environment=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.config_path = self.folder / "stint.yaml"
        self.config_path.write_text(self._config(config), encoding="utf-8")
        # No provider key of the person who runs the tests may reach the server.
        clean = {name: value for name, value in os.environ.items() if not name.endswith(("_API_KEY", "_AUTH_TOKEN"))}
        self._environment = {**clean, "ANTHROPIC_OPTIMIZE": "", **(environment or {})}
        self._process = None
        self._lines = []
        self.port = self.admin_port = None

    @staticmethod
    def _config(config):
        default = f"listen: {{ addr: 127.0.0.1:0, admin: 127.0.0.1:0 }}\nengine: {{ model: {model_path()} }}\n"
        return config if "listen:" in config else default + config

    def __enter__(self):
        self._process = subprocess.Popen([binary(), "serve", "-c", str(self.config_path)], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                         env=self._environment)
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()
        try:
            wait_until(self._has_started, START_TIMEOUT_S, "stint has printed its ports and answers /ready")
        except AssertionError as error:
            self.kill()
            raise AssertionError(f"{error}\n{self.log()}") from None
        return self

    def __exit__(self, *failure):
        code = self.stop()
        # A sanitizer's finding at exit, a crash or an unclean drain would otherwise pass unseen.
        if code != 0 and failure[0] is None:
            raise AssertionError(f"stint ended with exit code {code}\n{self.log()}")

    def _read_log(self):
        for line in self._process.stdout:
            self._lines.append(line)

    def _has_started(self):
        if self._process.poll() is not None:
            raise AssertionError(f"stint ended while starting, exit code {self._process.returncode}")
        if self.port is None:
            said = "".join(line for line in self._lines if "listening" in line)
            ports = re.findall(r"127\.0\.0\.1:(\d+)", said)
            if len(ports) < 2:
                return False
            self.port, self.admin_port = int(ports[0]), int(ports[1])
        return self.status("/ready") == 200

    # --- what the server looks like from outside

    def log(self):
        return "".join(self._lines)

    @property
    def pid(self):
        return self._process.pid

    @property
    def base_url(self):
        return f"http://127.0.0.1:{self.port}"

    def is_alive(self):
        return self._process.poll() is None

    def fd_count(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def status(self, path, port=None):
        """Status of a GET on a connection of its own; None if nobody answers."""
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=10)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except OSError:
            return None
        finally:
            connection.close()

    def request(self, method, path, body=None, headers=None, port=None):
        """One exchange; returns (status, headers, body bytes). A dict as body is sent as JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=120)
        try:
            if isinstance(body, (dict, list)):
                body = json.dumps(body)
                headers = {"content-type": "application/json", **(headers or {})}
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def metrics(self):
        """The samples of /metrics: {name with labels: value}."""
        status, _, body = self.request("GET", "/metrics", port=self.admin_port)
        assert status == 200
        samples = [line.rsplit(" ", 1) for line in body.decode().splitlines() if line and not line.startswith("#")]
        return {name: float(value) for name, value in samples}

    # --- ending it

    def signal(self, number):
        self._process.send_signal(number)

    def wait(self, timeout_s=STOP_TIMEOUT_S):
        code = self._process.wait(timeout_s)
        self._reader.join(timeout_s)
        return code

    def stop(self):
        """SIGTERM, as a supervisor would; returns the exit code."""
        if self.is_alive():
            self.signal(signal.SIGTERM)
        try:
            return self.wait()
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"stint did not end within {STOP_TIMEOUT_S} s of SIGTERM\n{self.log()}") from None

    def kill(self):
        if self.is_alive():
            self._process.kill()
        self._process.wait()
