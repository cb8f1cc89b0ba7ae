// What the tokenizer knows at a character, and the features it decides by.
#pragma once

#include <array>

#include "core/text/lexicon.hpp"

namespace plait {

// How far decisions look ahead: with so many characters at hand, what follows changes nothing.
inline constexpr std::size_t lookahead = 160;
inline constexpr std::size_t most_text_features = 128;

// A word or a run of one punctuation mark, as a feature sees it.
struct Sketch {
    std::uint64_t hash = 0;   // of the lower-case characters
    std::uint64_t shape = 0;  // of the classes, runs of one class counted once
    std::size_t length = 0;
};

// The words and punctuation of a paragraph, as far as their characters tell: from `place`, or after the space
// there; `place` moves behind it.
Sketch next_sketch(const Paragraph& paragraph, std::size_t& place);

// Reads a paragraph character by character and keeps what was decided. It never looks back beyond the
// beginning of the sentence: a text that comes in pieces can be forgotten up to there.
class Reading {
  public:
    // `fresh`: the paragraph begins here, and not before the text at hand.
    Reading(const Paragraph& paragraph, const Lexicon& lexicon, bool fresh)
        : paragraph_(paragraph), lexicon_(lexicon) {
        begin_sentence(0);
        fresh_ = fresh;
    }

    void begin_sentence(std::size_t first);
    void advance(std::size_t i);             // over the character i, which belongs to the present token
    void end_token(std::size_t next_first);  // the next token begins there

    // Inside a web or mail address, a hashtag, a @name or a date, and not at its end: no token ends there.
    bool in_whole(std::size_t i) const;

    // The features of the decision after character i, as 64-bit hashes; valid until the next call.
    std::span<const std::uint64_t> features(std::size_t i);

    std::size_t token_first() const { return token_first_; }
    std::size_t sentence_first() const { return sentence_first_; }

  private:
    enum class Address { none, web, mail };

    // The words up to the next mark that may end a sentence, as far as one looks, and what is behind them.
    enum class Stop { mark, paragraph, far };
    struct Rest {
        std::size_t words, capitals;
        Stop stop;
    };

    std::uint64_t code(std::size_t i, std::ptrdiff_t offset) const;
    std::uint64_t char_class(std::size_t i, std::ptrdiff_t offset) const;
    void look_ahead(std::size_t first);
    Rest look_for_end(std::size_t place) const;
    void find_address(Address kind, std::size_t first, std::size_t sign);
    template <typename... Values>
    void add(Values... values);

    const Paragraph& paragraph_;
    const Lexicon& lexicon_;
    bool fresh_ = true;
    std::size_t sentence_first_ = 0, token_first_ = 0, tokens_ = 0;
    Sketch previous_, second_previous_;
    Sketch first_, second_;    // of the sentence
    std::uint64_t seen_ = 0;   // the classes of punctuation and of first characters in the sentence
    std::uint64_t chunk_ = 0;  // what the text between two spaces looks like: an address, a number ...
    std::uint64_t chunk_hash_ = 0, bare_hash_ = 0;  // of it, and without the marks at its end
    Address address_ = Address::none;
    std::size_t address_first_ = 0;
    std::size_t whole_last_ = 0;  // behind what is one token in any case
    int brackets_ = 0;
    bool in_quotes_ = false;
    std::array<std::uint64_t, most_text_features> features_;
    std::size_t count_ = 0;
    std::uint64_t mode_ = 0;
};

}  // namespace plait
