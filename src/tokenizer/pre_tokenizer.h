// Pre-tokenizers: where text splits into pieces before merges. Hand-written scanners that give the matches of the
// models' regular expressions (leftmost, first alternative that fits), in time linear in the text. Pure functions over
// borrowed text: thread-safe. Invalid UTF-8 counts as a character that is neither letter, number nor space.
#pragma once

#include <cstddef>
#include <string_view>

#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

// The end of the piece that begins at `begin`. Pieces follow one another without gaps, and what follows a piece
// boundary depends only on the text after it. Requires begin < text.size(). O(piece size), whitespace O(run of
// whitespace).
//
// gpt2:      's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// smollm:    every \p{N} alone; gpt2 on what lies between, as if each stretch were a text of its own
//
// llama_bpe: (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|
//            \s+(?!\S)|\s+
//
// qwen2:     as llama_bpe, with \p{N} instead of \p{N}{1,3}
//
// none:      the whole text
std::size_t piece_end(PreTokenizer rules, std::string_view text, std::size_t begin);

}  // namespace stint::tokenizer
