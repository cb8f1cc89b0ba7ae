#include "core/text/whole.hpp"

#include <algorithm>
#include <array>

namespace plait {

namespace {

constexpr std::size_t longest = 64;
constexpr std::uint32_t joiner = 0x200d, emoji_style = 0xfe0f, keycap = 0x20e3;

bool is_letter(CharClass c) { return c >= CharClass::upper && c <= CharClass::letter; }

// The text from `first` on, as far as one looks; behind it there is a space.
class Ahead {
  public:
    Ahead(const Paragraph& paragraph, std::size_t first)
        : paragraph_(paragraph), end_(std::min(paragraph.size(), first + longest)) {}

    std::uint32_t code(std::size_t i) const { return i < end_ ? paragraph_.codes[i] : ' '; }
    CharClass char_class(std::size_t i) const { return i < end_ ? paragraph_.classes[i] : CharClass::space; }
    bool is_word(std::size_t i) const { return is_wordlike(char_class(i)) || code(i) == '_'; }
    bool is_digit(std::size_t i) const { return char_class(i) == CharClass::digit; }

    std::size_t end_of_word(std::size_t i) const {
        while (is_word(i)) ++i;
        return i;
    }
    std::size_t end_of_digits(std::size_t i) const {
        while (is_digit(i)) ++i;
        return i;
    }

  private:
    const Paragraph& paragraph_;
    std::size_t end_;
};

std::size_t end_of_hashtag(const Ahead& text, std::size_t first) {
    const std::size_t last = text.end_of_word(first + 1);
    for (std::size_t i = first + 1; i < last; ++i) {
        if (is_letter(text.char_class(i))) return last;
    }
    return first;  // a number
}

std::size_t end_of_name(const Ahead& text, std::size_t first) {
    if (!is_letter(text.char_class(first + 1)) && text.code(first + 1) != '_') return first;
    std::size_t last = text.end_of_word(first + 1);
    while ((text.code(last) == '.' || text.code(last) == '-') && text.is_word(last + 1)) {
        last = text.end_of_word(last + 1);
    }
    return last;
}

// Day, month and a year of four digits, or the other way round, with a time behind it as ISO 8601 has it.
std::size_t end_of_date(const Ahead& text, std::size_t first) {
    const std::size_t one = text.end_of_digits(first);
    const std::uint32_t mark = text.code(one);
    if (mark != '-' && mark != '/' && mark != '.') return first;
    const std::size_t two = text.end_of_digits(one + 1);
    if (text.code(two) != mark || !text.is_digit(two + 1)) return first;
    std::size_t last = text.end_of_digits(two + 1);
    const std::size_t middle = two - one - 1;
    const std::array sizes{one - first, last - two - 1};
    const bool has_year = std::ranges::max(sizes) == 4 && std::ranges::min(sizes) <= 2;
    if (!has_year || middle < 1 || middle > 2) return first;
    if (text.code(last) == 't' && text.is_digit(last + 1)) {
        last = text.end_of_word(last + 1);
        while ((text.code(last) == ':' || text.code(last) == '.' || text.code(last) == '+') &&
               text.is_digit(last + 1)) {
            last = text.end_of_word(last + 1);
        }
        return last;
    }
    return text.is_word(last) || text.code(last) == mark ? first : last;
}

bool is_flag_letter(std::uint32_t code) { return code >= 0x1f1e6 && code <= 0x1f1ff; }
bool is_colour(std::uint32_t code) { return code >= 0x1f3fb && code <= 0x1f3ff; }
bool is_emoji(std::uint32_t code) { return code >= 0x1f1e6 && code <= 0x1faff; }
bool goes_on(std::uint32_t code) {
    return is_colour(code) || code == joiner || code == emoji_style || code == keycap ||
           (code >= 0xe0020 && code <= 0xe007f);
}

}  // namespace

std::size_t end_of_whole(const Paragraph& paragraph, std::size_t first) {
    const Ahead text(paragraph, first);
    if (text.code(first) == '#') return end_of_hashtag(text, first);
    if (text.code(first) == '@') return end_of_name(text, first);
    return text.is_digit(first) ? end_of_date(text, first) : first;
}

bool is_host_dot(const Paragraph& paragraph, std::size_t place) {
    const Ahead text(paragraph, place);
    const std::array<std::uint32_t, 3> name{text.code(place + 1), text.code(place + 2), text.code(place + 3)};
    const auto is = [&](const char* other) { return std::equal(name.begin(), name.end(), other); };
    return (is("com") || is("org") || is("net") || is("edu") || is("gov")) && !text.is_word(place + 4);
}

AtEmoji at_emoji(const Paragraph& paragraph, std::size_t first, std::size_t i) {
    const std::uint32_t here = paragraph.codes[i], next = paragraph.codes[i + 1];
    if (here < joiner && next < joiner) return AtEmoji::neither;  // nearly always
    if (here == joiner || goes_on(next)) return AtEmoji::together;
    if (is_flag_letter(here) && is_flag_letter(next)) {
        return (i - first) % 2 == 0 ? AtEmoji::together : AtEmoji::apart;
    }
    if (is_emoji(here) || is_emoji(next)) return AtEmoji::apart;
    const bool ends_one = here == emoji_style && i > first && paragraph.classes[i - 1] == CharClass::symbol;
    return ends_one ? AtEmoji::apart : AtEmoji::neither;
}

}  // namespace plait
