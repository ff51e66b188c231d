"""The real model's tokens against goldens, written by HF tokenizers 0.23.3 from the same tokens and merges.

`./dev bench tokenizer` compares with HF's library itself, on far more text.
"""

import json
import pathlib
import subprocess

import pytest

from tests.flow.stint_process import binary, model_path

TIMEOUT_S = 60
GOLDEN = pathlib.Path(__file__).parent.parent / "golden" / "tokenizer" / "smollm2.json"
CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_ids_are_those_of_hf_tokenizers(case):
    ran = subprocess.run([binary(), "tokenize", "--model", model_path(), "--special"], input=case["text"].encode(),
                         capture_output=True, timeout=TIMEOUT_S, check=True)
    assert [int(token) for token in ran.stdout.split()] == case["ids"]
