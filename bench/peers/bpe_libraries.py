"""HF tokenizers and tiktoken as peers, built from a vocabulary of ours: the same tokens and merges, no download."""

from bench import vocabularies

# tiktoken has one expression and one pass: that every number stands alone and ends a run of spaces is written into it.
SMOLLM_PATTERN = r"""\p{N}|'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?[^\s\p{L}\p{N}]+|\s+(?=\p{N})|\s+(?!\S)|\s+"""


def hf_tokenizer(vocabulary):
    """The tokenizer that HF's library makes of the same tokens and merges."""
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

    spelled = [token.decode() for token in vocabulary.tokens]
    ids = {token: index for index, token in enumerate(spelled)}
    scored = vocabulary.algorithm == vocabularies.SCORED
    merges = scored_merges(vocabulary) if scored else [tuple(merge.decode().split(" ")) for merge in vocabulary.merges]
    options = {"byte_fallback": True, "unk_token": "<unk>", "fuse_unk": True} if scored else {}
    tokenizer = Tokenizer(models.BPE(ids, merges, ignore_merges=vocabulary.ignore_merges, **options))
    if scored:
        tokenizer.normalizer = normalizers.Replace(" ", "\u2581")
    elif vocabulary.pre_tokenizer == "smollm":
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    else:
        digits = r"\p{N}" if vocabulary.pre_tokenizer == "qwen2" else r"\p{N}{1,3}"
        pattern = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|" + digits +
                   r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Split(Regex(pattern), "isolated"),
             pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    if vocabulary.nfc:
        tokenizer.normalizer = normalizers.NFC()
    special = (vocabularies.CONTROL, vocabularies.USER_DEFINED)
    tokenizer.add_tokens([AddedToken(token, normalized=False)
                          for token, kind in zip(spelled, vocabulary.types) if kind in special])
    return tokenizer


def scored_merges(vocabulary):
    """SentencePiece's scores as a list of merges: every way to split a token, better scores first."""
    spelled = [token.decode() for token in vocabulary.tokens]
    known = {token for token, kind in zip(spelled, vocabulary.types) if kind == vocabularies.NORMAL}
    order = sorted((-score, index) for index, score in enumerate(vocabulary.scores) if spelled[index] in known)
    splits = ((spelled[index][:split], spelled[index][split:])
              for _, index in order for split in range(1, len(spelled[index])))
    return [(left, right) for left, right in splits if left in known and right in known]


def tiktoken_encoding(vocabulary):
    """tiktoken on the same ranks; it knows one regular expression, so the digits of smollm are part of it."""
    import tiktoken

    alphabet = {character: byte for byte, character in enumerate(vocabularies.byte_alphabet())}
    ranks = {bytes(alphabet[c] for c in token.decode()): index
             for index, token in enumerate(vocabulary.tokens) if vocabulary.types[index] == vocabularies.NORMAL}
    return tiktoken.Encoding("smollm2", pat_str=SMOLLM_PATTERN, mergeable_ranks=ranks, special_tokens={})
