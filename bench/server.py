"""The whole server against llama-server: requests a second, time to start, memory, and a soak of many streams.

Both serve the same GGUF with the same number of threads, greedy, 64 tokens in and 16 out, every prompt different. Only
answers with exactly the tokens asked for count. Clients share the machine's cores with the server.
"""

import concurrent.futures
import http.client
import json
import os
import random
import threading
import time

from bench import machine, report, servers
from bench.peers import llama_cpp

MODEL = report.MODELS / "smollm2-135m-instruct-q4_1.gguf"
MODEL_NAME, WEIGHTS = "smollm2-135m", "Q4_1"
PROMPT_TOKENS, OUTPUT_TOKENS = 64, 16
# End-of-text and end-of-turn of SmolLM2's vocabulary: forbidden, so that every answer has its full length.
NO_END = {"0": -100, "2": -100}
# Words that are one token each, with their leading blank.
WORDS = """
time people way day man thing woman life child world school state family student group country problem hand part
place case week company system program question work government number night point home water room mother area money
story fact month lot right study book eye job word business issue side kind head house service friend father power
""".split()

SOAK_STREAM_COUNT = 64
SOAK_SECONDS = 60


def prompt(randomness):
    return " " + " ".join(randomness.choices(WORDS, k=PROMPT_TOKENS))


def requests_per_second(server, client_count, request_count, seed):
    """Wall-clock rate of `request_count` calls by `client_count` clients that each keep one connection busy."""
    randomness = random.Random(seed)
    prompts = [prompt(randomness) for _ in range(request_count)]
    local = threading.local()

    def one(text):
        if not hasattr(local, "connection"):
            local.connection = server.connect()
        usage = servers.complete(local.connection, {"prompt": text, "max_tokens": OUTPUT_TOKENS, "logit_bias": NO_END})
        return usage["usage"]["prompt_tokens"], usage["usage"]["completion_tokens"]

    started = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(client_count) as pool:
        usages = list(pool.map(one, prompts))
    seconds = time.perf_counter() - started
    wrong = [usage for usage in usages if usage[1] != OUTPUT_TOKENS or abs(usage[0] - PROMPT_TOKENS) > 1]
    if wrong:
        raise RuntimeError(f"{server.name}: {len(wrong)} of {len(usages)} answers have other counts, e.g. {wrong[0]}")
    return request_count / seconds


def measure_rates(run, ours, peer, peer_text):
    for client_count in (1, 16):
        if client_count > 1 and run.options.quick:
            continue
        request_count = max(8, 4 * client_count)
        seeds = iter(range(1000))

        def rate(server):
            return requests_per_second(server, client_count, request_count, next(seeds))

        run.compare(f"rps_{client_count}", "requests/s", lambda: rate(ours), (lambda: rate(peer)) if peer else None,
                    peer_name="llama-server", peer_version=peer_text, model=MODEL_NAME, weights=WEIGHTS)


def measure_starts(run, new_stint, new_peer, peer_text):
    """start_ms and rss_mb, each from processes of their own."""
    def started(new):
        with new() as server:
            return server.start_ms, server.resident_mb()

    ours, peers = report.interleave(lambda: started(new_stint), (lambda: started(new_peer)) if new_peer else None,
                                    run.run_count(5, 3))
    for index, (metric, unit) in enumerate((("start_ms", "ms"), ("rss_mb", "MB"))):
        run.value(metric, unit, [pair[index] for pair in ours], [pair[index] for pair in peers],
                  peer_name="llama-server", peer_version=peer_text, model=MODEL_NAME, weights=WEIGHTS)


class Soak:
    """Keeps SOAK_STREAM_COUNT streams going and probes /health beside them."""

    def __init__(self, server, seconds):
        self._server = server
        self._end = time.monotonic() + seconds
        self.health_ms, self.resident, self.problems, self.answer_count = [], [], [], 0

    def _stream(self, number):
        connection, randomness, count = self._server.connect(), random.Random(number), 0
        while time.monotonic() < self._end:
            body = json.dumps({"model": "m", "prompt": prompt(randomness), "max_tokens": OUTPUT_TOKENS, "stream": True})
            connection.request("POST", "/v1/completions", body, {"content-type": "application/json"})
            response = connection.getresponse()
            text = response.read()
            if response.status != 200 or not text.endswith(b"data: [DONE]\n\n"):
                self.problems.append(f"status {response.status}: {text[-200:]!r}")
            count += 1
        return count

    def _probe(self):
        while time.monotonic() < self._end:
            started = time.perf_counter()
            connection = http.client.HTTPConnection("127.0.0.1", self._server.port, timeout=10)
            connection.request("GET", "/health")
            if connection.getresponse().status != 200:
                self.problems.append("/health is not 200")
            connection.close()
            self.health_ms.append(1000 * (time.perf_counter() - started))
            self.resident.append(self._server.resident_mb())
            time.sleep(0.1)

    def run(self):
        prober = threading.Thread(target=self._probe)
        prober.start()
        with concurrent.futures.ThreadPoolExecutor(SOAK_STREAM_COUNT) as pool:
            self.answer_count = sum(pool.map(self._stream, range(SOAK_STREAM_COUNT)))
        prober.join()


def fd_count(server):
    return len(os.listdir(f"/proc/{server.pid}/fd"))


def measure_soak(run, ours):
    """64 streams at a time: no error, /health answers, descriptors and memory stay flat."""
    seconds = 10 if run.options.quick else SOAK_SECONDS
    before, cpu_before = fd_count(ours), machine.cpu_seconds(ours.pid)
    soak = Soak(ours, seconds)
    soak.run()
    cpu = machine.cpu_seconds(ours.pid) - cpu_before
    run.note(f"{soak.answer_count} streams in {seconds} s, {len(soak.problems)} problems, server used {cpu:.0f} CPU s")
    for problem in soak.problems[:3]:
        run.note(problem)
    mean = sum(soak.resident) / len(soak.resident)
    deviation = (sum((value - mean) ** 2 for value in soak.resident) / len(soak.resident)) ** 0.5
    common = {"case": f"{SOAK_STREAM_COUNT} streams {seconds} s", "model": MODEL_NAME, "weights": WEIGHTS}
    run.value("rps_64", "requests/s", [soak.answer_count / seconds], **common)
    run.value("failed_streams", "events", [len(soak.problems)], **common)
    run.value("health_p50_ms", "ms", [report.quantile(soak.health_ms, 0.5)], **common)
    run.value("health_max_ms", "ms", [max(soak.health_ms)], **common)
    run.value("rss_variation", "share", [deviation / mean], **common)
    run.value("leaked_fds", "fds", [max(0, settled_fd_count(ours, before) - before)], **common)


def settled_fd_count(server, before):
    """Descriptors once closed connections have been noticed: asks for up to five seconds."""
    deadline = time.monotonic() + 5
    while fd_count(server) > before and time.monotonic() < deadline:
        time.sleep(0.05)
    return fd_count(server)


def main():
    run = report.start("server", __doc__)
    threads = len(os.sched_getaffinity(0))
    peer_build, absent = llama_cpp.ensure(run.note)
    peer_text = llama_cpp.VERSION if peer_build else absent
    with servers.scratch_folder() as folder:
        def new_stint():
            return servers.Stint(report.binary(), MODEL, folder)

        def new_peer():
            return servers.LlamaServer(peer_build, MODEL, folder, 16, threads)

        measure_starts(run, new_stint, new_peer if peer_build else None, peer_text)
        with new_stint() as ours:
            if peer_build:
                with new_peer() as peer:
                    measure_rates(run, ours, peer, peer_text)
            else:
                measure_rates(run, ours, None, peer_text)
            measure_soak(run, ours)
    run.finish()


if __name__ == "__main__":
    main()
