"""Malformed, slow and rude clients: a clear error or a clean close, and the server keeps serving."""

import contextlib
import json
import socket
import struct
import time

import pytest

from tests.flow.stint_process import wait_until

ASK = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "Hi."}]}


@contextlib.contextmanager
def connected(stint, timeout_s=30):
    connection = socket.create_connection(("127.0.0.1", stint.port), timeout=timeout_s)
    try:
        yield connection
    finally:
        connection.close()


def read_all(connection):
    """Everything until the server closes; a reset ends it too, as a server may refuse what it will not read."""
    received = b""
    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
        while chunk := connection.recv(65536):
            received += chunk
    return received


def exchange(stint, data):
    with connected(stint) as connection:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
        return read_all(connection)


def post(body, path="/v1/messages", extra=""):
    return (f"POST {path} HTTP/1.1\r\nhost: localhost\r\nanthropic-version: 2026-10-21\r\n{extra}"
            f"content-length: {len(body)}\r\n\r\n").encode() + body


@pytest.fixture(autouse=True)
def serves_afterwards(stint):
    yield
    assert stint.status("/health") == 200


@pytest.mark.parametrize("request_bytes", [
    b"\x00\x01\x02\xff" * 64,
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\nhost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost: localhost\r\nbad header: x\r\n\r\n",
    b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
    b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!",
    b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999999999999\r\n\r\n",
    b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n",
    b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    b"POST /v1/messages HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n",
    b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
], ids=["noise", "one-word", "version", "no-host", "two-hosts", "no-colon", "space-in-name", "negative-length",
        "two-lengths", "huge-length", "xchunked", "chunked-identity", "chunked-and-length", "bad-chunk", "tls"])
def test_malformed_requests_get_a_4xx_or_a_close(stint, request_bytes):
    answer = exchange(stint, request_bytes)
    assert answer == b"" or answer.split()[1][:1] in (b"4", b"5"), answer[:200]
    assert b"200 OK" not in answer


def test_endless_header_is_cut(stint):
    answer = exchange(stint, b"GET /health HTTP/1.1\r\nhost: localhost\r\nx: " + b"a" * 1_000_000)
    assert answer == b"" or answer.split()[1] in (b"431", b"400")


def test_many_headers_are_cut(stint):
    answer = exchange(stint, b"GET /health HTTP/1.1\r\nhost: localhost\r\n" + b"a: b\r\n" * 100_000 + b"\r\n")
    assert answer == b"" or answer.split()[1] in (b"431", b"400")


def test_a_body_of_64_mib_is_413_before_it_is_read(stint):
    with connected(stint) as connection:
        connection.sendall(b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nanthropic-version: 2026-10-21\r\n"
                           b"content-length: 67108864\r\n\r\n")
        answer = connection.recv(65536)
    assert answer.split()[1] == b"413"
    assert b"request_too_large" in answer


def test_a_chunked_body_of_64_mib_is_cut_at_the_limit(stint):
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    answer = b""
    with connected(stint) as connection:
        connection.sendall(b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nanthropic-version: 2026-10-21\r\n"
                           b"transfer-encoding: chunked\r\n\r\n")
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            for _ in range(64):
                connection.sendall(chunk)
        answer = read_all(connection)
    assert answer == b"" or answer.split()[1] == b"413"


def test_expect_100_continue(stint):
    body = json.dumps(ASK).encode()
    with connected(stint) as connection:
        connection.sendall(post(body, extra="expect: 100-continue\r\n")[:-len(body)])
        assert connection.recv(4096).startswith(b"HTTP/1.1 100")
        connection.sendall(body)
        assert b"HTTP/1.1 200" in connection.recv(65536)


def test_expect_with_a_body_too_large_is_refused_at_once(stint):
    with connected(stint) as connection:
        connection.sendall(b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n"
                           b"anthropic-version: 2026-10-21\r\ncontent-length: 67108864\r\n\r\n")
        assert connection.recv(4096).split()[1] == b"413"


def test_a_request_sent_byte_by_byte(stint):
    with connected(stint) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in post(json.dumps(ASK).encode()):
            connection.sendall(bytes([byte]))
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")


def test_slow_senders_do_not_hold_others_up(stint):
    with contextlib.ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(connected(stint)).sendall(b"POST /v1/messages HTTP/1.1\r\nhost: loc")
        started = time.monotonic()
        assert stint.status("/health") == 200
        assert time.monotonic() - started < 1


def test_keep_alive_and_pipelining(stint):
    one = b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n"
    last = b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
    with connected(stint) as connection:
        connection.sendall(one * 3 + last)
        assert read_all(connection).count(b"HTTP/1.1 200") == 4


def test_a_half_closed_socket_still_gets_its_answer_or_a_close(stint):
    answer = exchange(stint, post(json.dumps(ASK).encode()))
    assert answer == b"" or answer.startswith(b"HTTP/1.1 200")


def test_a_body_that_stops_half_way(stint):
    answer = exchange(stint, post(json.dumps(ASK).encode())[:-10])
    assert answer == b"" or answer.split()[1][:1] == b"4"


def test_resets_in_the_middle_of_a_stream_leak_nothing(stint):
    before = stint.fd_count()
    for _ in range(20):
        with connected(stint) as connection:
            connection.sendall(post(json.dumps({**ASK, "max_tokens": 500, "stream": True}).encode()))
            connection.recv(100)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    wait_until(lambda: stint.fd_count() <= before, 30, "the sockets of clients that left are closed")


def test_a_reader_that_never_reads_does_not_hold_others_up(stint):
    with connected(stint) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(post(json.dumps({**ASK, "max_tokens": 400, "stream": True}).encode()))
        status, _, _ = stint.request("POST", "/v1/messages", ASK, {"anthropic-version": "2026-10-21"})
        assert status == 200
