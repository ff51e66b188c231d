"""One server for most tests, and a way to start others with a configuration of their own."""

import contextlib

import pytest

from tests.flow.stint_process import StintProcess, is_sanitized


@pytest.fixture(scope="session")
def _shared_stint(tmp_path_factory):
    with StintProcess(tmp_path_factory.mktemp("stint")) as process:
        yield process


@pytest.fixture
def stint(_shared_stint):
    """The server with default settings. It must survive every test."""
    yield _shared_stint
    assert _shared_stint.is_alive(), f"the server died during this test\n{_shared_stint.log()}"


@pytest.fixture
def start_stint(tmp_path):
    """start_stint(config="...", environment={...}) -> a running StintProcess, ended after the test."""
    with contextlib.ExitStack() as stack:
        count = iter(range(100))

        def start(config="", environment=None):
            return stack.enter_context(StintProcess(tmp_path / str(next(count)), config, environment))

        yield start


@pytest.fixture
def few_tokens():
    """An answer long enough to stream and short enough for a sanitizer build."""
    return 6 if is_sanitized() else 16
