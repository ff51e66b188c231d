"""Agreement: our logits beside llama.cpp's, over whole texts.

The f32 reference path is compared with llama.cpp computing on the same weights dequantised to F32 (f32 KV): `ref_*`.
Each fast path is compared with the f32 reference, next to llama.cpp's own quantised path against the same reference:
`fast_*`. Models: the two real ones on English prose, and random-weight files of every architecture and weight type on
random ids. All paths of a model run side by side and are read in step, so that no logits are kept.

What remains between the reference and llama.cpp's F32 on gemma3 is llama.cpp's GeLU, which it looks up in a table of
f16 numbers: rounding the reference's GeLU the same way brings the logit NMSE of random gemma3 from 2.5e-6 to 1e-7.
"""

import pathlib
import random
import struct
import subprocess
import tempfile

import numpy

from bench import report
from bench.peers import llama_cpp

REAL_MODELS = {"smollm2-135m": "smollm2-135m-instruct-q4_1.gguf", "gemma-3-270m": "gemma-3-270m-q4_k_m.gguf"}
REAL_WEIGHTS = {"smollm2-135m": "Q4_1", "gemma-3-270m": "Q4_K_M"}
ARCHITECTURES = ("llama", "llama3", "qwen2", "qwen3", "gemma3")
WEIGHT_TYPES = ("F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K")
TEXT = "text_en_pride_and_prejudice.txt"
WINDOW = 512
POSITIONS = 4096
THREADS = 2
ROWS_AT_ONCE = 64


class Stream:
    """The logits of one path, row after row, from the standard output of a process."""

    def __init__(self, command):
        self._process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE)

    def rows(self, count, vocabulary_count):
        wanted = count * vocabulary_count * 4
        data = self._process.stdout.read(wanted)
        if len(data) != wanted:
            raise SystemExit(f"{self._process.args[0]} ended early (status {self._process.wait()})")
        return numpy.frombuffer(data, numpy.float32).reshape(count, vocabulary_count)

    def close(self):
        self._process.stdout.close()
        self._process.wait()


def log_softmax(logits):
    shifted = logits - logits.max(axis=1, keepdims=True)
    return shifted - numpy.log(numpy.exp(shifted).sum(axis=1, keepdims=True))


class Comparison:
    """Sums over positions of how one path differs from a base."""

    def __init__(self):
        self.positions = self.same_top = self.scored = 0
        self.kl = self.error = self.energy = self.base_nll = self.nll = 0.0

    def add(self, base, logits, next_ids):
        """`next_ids`: the token that follows each row, -1 where none does."""
        base_log, own_log = log_softmax(base), log_softmax(logits)
        self.positions += len(base)
        self.same_top += int((base.argmax(axis=1) == logits.argmax(axis=1)).sum())
        self.kl += float((numpy.exp(base_log) * (base_log - own_log)).sum(dtype=numpy.float64))
        self.error += float(numpy.square(base - logits).sum(dtype=numpy.float64))
        self.energy += float(numpy.square(base).sum(dtype=numpy.float64))
        rows = numpy.flatnonzero(next_ids >= 0)
        self.scored += len(rows)
        self.base_nll -= float(base_log[rows, next_ids[rows]].sum(dtype=numpy.float64))
        self.nll -= float(own_log[rows, next_ids[rows]].sum(dtype=numpy.float64))

    @property
    def top1(self):
        return self.same_top / self.positions

    @property
    def kl_mean(self):
        return self.kl / self.positions

    @property
    def nmse(self):
        return self.error / self.energy

    @property
    def perplexity_ratio(self):
        return float(numpy.exp((self.nll - self.base_nll) / self.scored))


def compare(streams, pairs, tokens, vocabulary_count):
    """Reads all streams in step; `pairs` are (base, other) names. Returns a Comparison for each pair."""
    found = {pair: Comparison() for pair in pairs}
    ids = numpy.array(tokens, numpy.int64)
    following = numpy.append(ids[1:], -1)
    following[WINDOW - 1::WINDOW] = -1
    for begin in range(0, len(tokens), ROWS_AT_ONCE):
        rows = {name: stream.rows(ROWS_AT_ONCE, vocabulary_count) for name, stream in streams.items()}
        for base, other in pairs:
            found[base, other].add(rows[base], rows[other], following[begin:begin + ROWS_AT_ONCE])
    for stream in streams.values():
        stream.close()
    return found


def build_peer_driver(peer, folder):
    """bench/peers/llama_logits.cpp against the peer's library."""
    driver = folder / "llama_logits"
    include = [f"-I{peer.source / part}" for part in ("include", "ggml/include")]
    libraries = [f"-L{peer.bin}", "-lllama", "-lggml", "-lggml-base", f"-Wl,-rpath,{peer.bin}"]
    source = report.REPO / "bench" / "peers" / "llama_logits.cpp"
    subprocess.run(["clang++-19", "-O2", "-std=c++20", *include, source, "-o", driver, *libraries], check=True)
    return driver


class Bench:
    def __init__(self, run, folder):
        self.run = run
        self.folder = folder
        self.logits = report.driver("bench_model_logits")
        self.peer, self.absent = llama_cpp.ensure(run.note)
        self.peer_driver = build_peer_driver(self.peer, folder) if self.peer else None
        tiers = subprocess.run([self.logits, "tiers"], check=True, capture_output=True, text=True).stdout.split()
        self.fast_tiers = [tier for tier in tiers if tier != "reference"]

    def ours(self, model, tier, kv, tokens):
        return Stream([self.logits, model, tier, kv, THREADS, WINDOW, tokens])

    def theirs(self, model, kv, tokens):
        return Stream([self.peer_driver, model, kv, THREADS, WINDOW, tokens])

    def vocabulary_count(self, model):
        return int(subprocess.run([self.logits, "vocabulary", model], check=True, capture_output=True).stdout)

    def measure(self, name, weights, model, tokens, tiers):
        """One model over `tokens`; adds its rows."""
        path = self.folder / "tokens"
        path.write_bytes(struct.pack(f"<{len(tokens)}I", *tokens))
        streams = {"reference": self.ours(model, "reference", "f32", path)}
        pairs = []
        for tier in tiers:
            streams[tier] = self.ours(model, tier, "f16", path)
            pairs.append(("reference", tier))
        if self.peer:
            dequantised = self.folder / "f32.gguf"
            subprocess.run([self.peer.tool("llama-quantize"), "--allow-requantize", model, dequantised, "F32"],
                           check=True, capture_output=True)
            streams["peer f32"] = self.theirs(dequantised, "f32", path)
            streams["peer"] = self.theirs(model, "f16", path)
            pairs += [("peer f32", "reference"), ("reference", "peer")]
        found = compare(streams, pairs, tokens, self.vocabulary_count(model))
        self.report(name, weights, found, tiers)

    def report(self, name, weights, found, tiers):
        version = self.peer.version if self.peer else self.absent
        about = {"model": name, "weights": weights}

        def add(metric, unit, value, tier, peer_value=None, better=""):
            self.run.value(metric, unit, [value], [] if peer_value is None else [peer_value], peer_name="llama.cpp",
                           peer_version=version, kernel_tier=tier, better=better, **about)

        reference = found.get(("peer f32", "reference"))
        if reference:
            add("ref_top1", "share", reference.top1, "reference")
            add("ref_kl_mean", "nats", reference.kl_mean, "reference")
            add("ref_logit_nmse", "share", reference.nmse, "reference")
        own = found.get(("reference", "peer"))
        for tier in tiers:
            fast = found["reference", tier]
            add("fast_kl_mean", "nats", fast.kl_mean, tier, own and own.kl_mean)
            add("fast_top1", "share", fast.top1, tier, own and own.top1)
            add("fast_ppl_ratio", "share", fast.perplexity_ratio, tier, own and own.perplexity_ratio, "lower")
        add("positions", "calls", next(iter(found.values())).positions, "")

    def real(self, name):
        model = report.MODELS / REAL_MODELS[name]
        path = self.folder / "text"
        text = self.run.options.data / TEXT
        subprocess.run([self.peer_driver, model, "tokenize", text, str(POSITIONS), path], check=True)
        tokens = numpy.fromfile(path, numpy.uint32).tolist()
        # The portable tier takes minutes over a real model and shares its arithmetic with the random ones.
        self.measure(name, REAL_WEIGHTS[name], model, tokens, self.fast_tiers[-1:])

    def synthetic(self, architecture, weights):
        model = self.folder / "random.gguf"
        writer = report.REPO / "build" / "release" / "src" / "random_gguf"
        subprocess.run([writer, architecture, weights, "7", model], check=True)
        source = random.Random(architecture + weights)
        count = WINDOW if self.run.options.quick else POSITIONS
        tokens = [source.randrange(self.vocabulary_count(model)) for _ in range(count)]
        self.measure(f"random-{architecture}", weights, model, tokens, self.fast_tiers)


def main():
    run = report.start("agreement", __doc__)
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(run, pathlib.Path(scratch))
        types = ("Q4_1", "Q6_K") if run.options.quick else WEIGHT_TYPES
        for architecture in ARCHITECTURES:
            for weights in types:
                bench.synthetic(architecture, weights)
        for name in REAL_MODELS:
            if run.options.quick or not bench.peer:
                run.note(f"{name}: left out ({'--quick' if run.options.quick else bench.absent})")
                continue
            bench.real(name)
    run.finish()


if __name__ == "__main__":
    main()
