// A text as the tokenizer sees it: paragraphs in which every run of white space is one space.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plait {

// The classes Python gives to characters (src/plait/text/characters.py has the same list).
enum class CharClass : std::uint8_t {
    outside,  // no character: before a sentence, behind a paragraph
    space,
    line_break,
    upper,
    lower,
    letter,
    digit,
    number,
    mark,
    dash,
    opening,
    closing,
    quote,
    end,
    comma,
    punctuation,
    currency,
    symbol,
    other
};
inline constexpr std::size_t char_classes = 19;

inline bool is_space(CharClass c) { return c == CharClass::space || c == CharClass::line_break; }
inline bool is_wordlike(CharClass c) { return c >= CharClass::upper && c <= CharClass::mark; }

// One entry per code point of a text: its lower-case code point and its class.
struct Characters {
    std::span<const std::uint32_t> codes;
    std::span<const std::uint8_t> classes;

    std::size_t size() const { return codes.size(); }
    CharClass char_class(std::size_t i) const { return static_cast<CharClass>(classes[i]); }
};

// A stretch of text that no sentence leaves: up to an empty line, or one line.
struct Paragraph {
    std::vector<std::uint32_t> codes;
    std::vector<CharClass> classes;
    std::vector<std::size_t> origins;  // where in the text the characters are
    bool complete = true;              // otherwise the text may go on
    bool closes = true;                // an empty line or the end of the text follows

    std::size_t size() const { return codes.size(); }
};

// Cuts a text into paragraphs, one at a time.
class Paragraphs {
  public:
    // With `lines`, every line is a paragraph. `is_all`: nothing follows the text.
    Paragraphs(const Characters& text, bool lines, bool is_all)
        : text_(text), lines_(lines), is_all_(is_all) {}

    bool next(Paragraph& paragraph);

  private:
    Characters text_;
    bool lines_, is_all_;
    std::size_t place_ = 0;
};

}  // namespace plait
