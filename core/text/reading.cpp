#include "core/text/reading.hpp"

#include <algorithm>

#include "core/text/whole.hpp"

namespace plait {

namespace {

constexpr std::size_t longest_sketch = 32;
constexpr std::size_t most_words = 12;    // to the next mark that may end a sentence
constexpr std::size_t longest_look = 64;  // at the beginning of a chunk
constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;

std::uint64_t join(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * factor;
    return hash ^ (hash >> 29);
}

std::uint64_t bin(std::size_t count) {
    if (count <= 4) return count;
    return count <= 6 ? 5 : count <= 10 ? 6 : count <= 20 ? 7 : count <= 40 ? 8 : 9;
}

// In the part of an address before "@" or "://", or in the name of a host.
bool may_be_of_name(const Paragraph& paragraph, std::size_t i) {
    const std::uint32_t code = paragraph.codes[i];
    return is_wordlike(paragraph.classes[i]) || code == '.' || code == '-' || code == '_' || code == '+';
}

Sketch sketch(const Paragraph& paragraph, std::size_t first, std::size_t last) {
    Sketch result;
    result.length = last - first;
    std::uint64_t before = char_classes;
    for (std::size_t i = first; i < std::min(last, first + longest_sketch); ++i) {
        result.hash = join(result.hash, paragraph.codes[i]);
        const auto now = static_cast<std::uint64_t>(paragraph.classes[i]);
        if (now != before) result.shape = join(result.shape, now);
        before = now;
    }
    return result;
}

}  // namespace

Sketch next_sketch(const Paragraph& paragraph, std::size_t& place) {
    const std::size_t size = paragraph.size();
    if (place < size && paragraph.classes[place] == CharClass::space) ++place;
    if (place >= size) return {};
    const std::size_t first = place, limit = std::min(size, first + longest_sketch);
    if (is_wordlike(paragraph.classes[place])) {
        while (place < limit && is_wordlike(paragraph.classes[place])) ++place;
    } else {
        while (place < limit && paragraph.codes[place] == paragraph.codes[first]) ++place;
    }
    return sketch(paragraph, first, place);
}

std::uint64_t Reading::code(std::size_t i, std::ptrdiff_t offset) const {
    const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(i) + offset;
    if (place < static_cast<std::ptrdiff_t>(sentence_first_)) return 0;
    if (place >= static_cast<std::ptrdiff_t>(paragraph_.size())) return 1;
    return paragraph_.codes[static_cast<std::size_t>(place)];
}

std::uint64_t Reading::char_class(std::size_t i, std::ptrdiff_t offset) const {
    const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(i) + offset;
    if (place < static_cast<std::ptrdiff_t>(sentence_first_)) return 0;
    if (place >= static_cast<std::ptrdiff_t>(paragraph_.size())) return char_classes;
    return static_cast<std::uint64_t>(paragraph_.classes[static_cast<std::size_t>(place)]);
}

void Reading::begin_sentence(std::size_t first) {
    sentence_first_ = token_first_ = first;
    seen_ = 0;
    std::size_t place = first;
    first_ = next_sketch(paragraph_, place);
    second_ = next_sketch(paragraph_, place);
    fresh_ = false;
    tokens_ = 0;
    previous_ = second_previous_ = {};
    brackets_ = 0;
    in_quotes_ = false;
    look_ahead(first);
}

void Reading::advance(std::size_t i) {
    const CharClass now = paragraph_.classes[i];
    if (i == token_first_ || !is_wordlike(now)) seen_ |= std::uint64_t{1} << static_cast<unsigned>(now);
    if (now == CharClass::opening) ++brackets_;
    if (now == CharClass::closing) brackets_ = std::max(0, brackets_ - 1);
    if (paragraph_.codes[i] == '"') in_quotes_ = !in_quotes_;
}

void Reading::end_token(std::size_t next_first) {
    std::size_t last = next_first;
    if (paragraph_.classes[last - 1] == CharClass::space) --last;
    second_previous_ = previous_;
    previous_ = sketch(paragraph_, token_first_, last);
    token_first_ = next_first;
    ++tokens_;
    look_ahead(next_first);
}

// What the text up to the next space looks like; signs of an address are "://", "www.", "@" with a dot after
// it, and ".com" and the like.
void Reading::look_ahead(std::size_t first) {
    whole_last_ = end_of_whole(paragraph_, first);
    chunk_ = 0;
    address_ = Address::none;
    std::size_t at = 0;
    const std::size_t limit = std::min(paragraph_.size(), first + longest_look);
    for (std::size_t i = first; i < limit && paragraph_.classes[i] != CharClass::space; ++i) {
        const std::uint64_t here = paragraph_.codes[i];
        const bool before_word = i + 1 < limit && is_wordlike(paragraph_.classes[i + 1]);
        const bool inner = before_word && i > first && is_wordlike(paragraph_.classes[i - 1]);
        if (here == ':' && i > first && code(i, 1) == '/' && code(i, 2) == '/') {
            find_address(Address::web, first, i);
        }
        if (here == '.' && i >= first + 3 && code(i, -1) == 'w' && code(i, -2) == 'w' && code(i, -3) == 'w') {
            find_address(Address::web, first, i);
        }
        if (here == '.' && at > 0 && inner) find_address(Address::mail, first, at);
        if (here == '@' && i > first && before_word) at = i;
        if (here == '.' && inner && at == 0 && is_host_dot(paragraph_, i)) {
            find_address(code(i, 4) == '/' ? Address::web : Address::mail, first, i);
        }
        if (here == '/' && inner) chunk_ |= 1;
        if (here == '.' && inner) chunk_ |= chunk_ & 2 ? 4 : 2;
        if (here == '_') chunk_ |= 8;
    }
    chunk_ = chunk_ * 4 + static_cast<std::uint64_t>(address_);
    std::size_t last = first;
    while (last < limit && paragraph_.classes[last] != CharClass::space) ++last;
    chunk_hash_ = sketch(paragraph_, first, last).hash;
    while (last > first && !is_wordlike(paragraph_.classes[last - 1])) --last;
    bare_hash_ = sketch(paragraph_, first, last).hash;
}

// The address begins where the characters before its sign are no longer those of an address.
void Reading::find_address(Address kind, std::size_t first, std::size_t sign) {
    if (address_ != Address::none) return;
    address_ = kind;
    address_first_ = sign;
    while (address_first_ > first && may_be_of_name(paragraph_, address_first_ - 1)) --address_first_;
}

bool Reading::in_whole(std::size_t i) const {
    if (i + 1 < whole_last_) return true;
    if (address_ == Address::none || i < address_first_) return false;
    const std::size_t limit = std::min(paragraph_.size(), i + 1 + longest_sketch);
    for (std::size_t j = i + 1; j < limit; ++j) {
        const std::uint32_t here = paragraph_.codes[j];
        if (is_wordlike(paragraph_.classes[j])) return true;
        if (address_ == Address::mail
                ? here != '@' && !may_be_of_name(paragraph_, j)
                : here == ' ' || here == '<' || here == '>' || here == '"' || here == '|') {
            return false;
        }
        if (here == '/') return true;
    }
    return false;
}

Reading::Rest Reading::look_for_end(std::size_t place) const {
    const std::size_t limit = std::min(paragraph_.size(), place + lookahead - 2 * longest_sketch);
    Rest rest{0, 0, Stop::far};
    for (; place < limit && rest.words < most_words; ++rest.words) {
        const std::size_t first = place + (paragraph_.classes[place] == CharClass::space);
        if (first >= limit) break;
        next_sketch(paragraph_, place);
        if (paragraph_.classes[first] == CharClass::upper) ++rest.capitals;
        if (paragraph_.classes[first] == CharClass::end) {
            rest.stop = Stop::mark;
            return rest;
        }
    }
    if (place >= paragraph_.size()) rest.stop = Stop::paragraph;
    return rest;
}

template <typename... Values>
void Reading::add(Values... values) {
    std::uint64_t hash = mode_ + ++count_;
    ((hash = join(hash, static_cast<std::uint64_t>(values))), ...);
    features_[count_ - 1] = join(hash, factor);
}

std::span<const std::uint64_t> Reading::features(std::size_t i) {
    const bool at_space = code(i, 1) == ' ';
    count_ = 0;
    mode_ = at_space ? 0x10000 : 0x20000;
    const std::ptrdiff_t after = at_space ? 2 : 1;  // the first character that is not white space

    std::array<std::uint64_t, 6> l, r, lc, rc;
    for (std::size_t k = 0; k < l.size(); ++k) {
        const auto offset = static_cast<std::ptrdiff_t>(k);
        l[k] = code(i, -offset);
        lc[k] = char_class(i, -offset);
        r[k] = code(i, after + offset);
        rc[k] = char_class(i, after + offset);
    }
    const Sketch token = sketch(paragraph_, token_first_, i + 1);
    std::size_t place = i + 1;
    const Sketch next = next_sketch(paragraph_, place);
    const std::uint64_t joined = code(place, 0) != ' ';
    const Sketch second_next = next_sketch(paragraph_, place);

    // Characters around the place.
    add(l[0]);
    add(r[0], rc[0]);
    add(l[0], r[0], rc[0]);
    add(l[0], l[1]);
    add(r[0], r[1], rc[0]);
    add(l[0], l[1], r[0], rc[0]);
    add(l[0], r[0], r[1], rc[0]);
    add(l[0], l[1], l[2]);
    add(r[0], r[1], r[2]);
    add(l[0], l[1], l[2], l[3]);
    add(r[0], r[1], r[2], r[3]);
    add(l[0], l[1], r[0], r[1]);
    add(l[0], l[1], l[2], r[0], r[1], r[2]);
    add(lc[0], rc[0]);
    add(lc[0], lc[1], rc[0], rc[1]);
    add(l[0], lc[1], rc[0], rc[1]);
    add(lc[0], lc[1], lc[2], rc[0], rc[1], rc[2]);
    add(l[0], lc[1], lc[2], rc[0], rc[1], rc[2]);
    add(lc[0], lc[1], lc[2], lc[3], rc[0]);
    add(lc[0], rc[0], rc[1], rc[2], rc[3]);
    add(l[0], lc[1], lc[2], lc[3], lc[4]);
    add(l[0], r[0], chunk_);
    add(lc[0], rc[0], chunk_);
    add(l[0], l[1], r[0], r[1], chunk_);

    // The token so far and what follows.
    add(token.hash);
    add(token.hash, r[0], rc[0]);
    add(token.hash, next.hash);
    add(token.shape, bin(token.length), rc[0]);
    add(token.shape, next.shape, joined);
    add(token.shape, l[0], r[0]);
    add(next.hash, rc[0], lc[0]);
    add(next.hash, rc[0], l[0]);
    add(previous_.hash, token.hash);
    add(previous_.shape, token.shape, rc[0]);
    add(previous_.hash, token.hash, rc[0]);

    if (!at_space) {
        add(token.hash, next.hash, second_next.hash);
        add(token.shape, next.shape, second_next.shape, chunk_);
        add(token.hash, next.shape, second_next.hash);
        add(previous_.hash, token.hash, next.hash);
        add(r[0], lc[0], bin(token.length), bin(next.length), bin(second_next.length), joined);
        add(chunk_hash_, i - token_first_);
        add(bare_hash_, i - token_first_);
        return std::span(features_).first(count_);
    }

    // What a sentence is like: how it begins, how long it is, what may end it.
    const std::uint64_t start = char_class(sentence_first_, 0), second_start = char_class(sentence_first_, 1);
    const std::uint64_t next_start = rc[0] * 32 + rc[1];
    add(token.hash, next.shape, joined);
    add(token.hash, next_start, second_next.hash);
    add(next.hash, next_start, second_next.hash);
    add(next.shape, second_next.shape, joined, l[0]);
    add(previous_.hash, l[0], next_start);
    add(previous_.shape, bin(previous_.length), l[0], next_start);
    add(previous_.hash, token.hash, next.hash);
    add(second_previous_.hash, previous_.hash, token.hash);
    add(second_previous_.shape, previous_.shape, token.shape, next_start);
    add(previous_.hash, next.hash, l[0]);
    add(bin(tokens_), l[0], rc[0]);
    add(bin(tokens_), l[0], next.hash);
    add(bin(tokens_), lc[0], next_start, start);
    add(start, second_start, l[0], next_start);
    add(start, l[0], next.hash);
    add(brackets_ > 0, in_quotes_, l[0], rc[0]);
    add(brackets_ > 0, in_quotes_, l[0], r[0], lc[1]);
    add(token.length, lc[0], lc[1], next_start);
    const std::uint64_t next_kind = lexicon_.kind(next.hash), token_kind = lexicon_.kind(token.hash);
    add(next_kind, next_start, lc[0]);
    add(next_kind, next_start, l[0], joined);
    add(next_kind, rc[0], l[0], fresh_, bin(tokens_));
    add(next_kind, next.shape, second_next.shape, lexicon_.kind(second_next.hash), lc[0]);
    add(token_kind, lc[0], next_kind, rc[0], fresh_);
    add(token_kind, token.shape, next_kind, next.shape);
    add(lexicon_.kind(previous_.hash), previous_.shape, l[0], next_kind, rc[0]);
    add(fresh_, bin(tokens_), lc[0], rc[0]);
    add(fresh_, next.hash, rc[0], lc[0]);

    // Lists: what follows begins as this sentence did.
    const Sketch third_next = next_sketch(paragraph_, place), fourth_next = next_sketch(paragraph_, place);
    const std::uint64_t like = (next.hash == first_.hash) + 2 * (next.shape == first_.shape) +
                               4 * (second_next.hash == second_.hash) +
                               8 * (second_next.shape == second_.shape);
    add(like, next.shape, l[0]);
    add(like, lc[0], rc[0], bin(tokens_));
    // What was in the sentence so far.
    add(seen_, lc[0], next_start);
    add(seen_, bin(tokens_), l[0], next_kind);
    add(seen_, next.hash, rc[0]);
    add(first_.hash, lc[0], next_start);
    add(first_.hash, bin(tokens_), lc[0], rc[0]);
    add(first_.hash, second_.hash, lc[0], rc[0]);
    add(first_.hash, next.hash, lc[0]);
    // What follows.
    add(next.hash, second_next.hash, third_next.hash, rc[0]);
    add(next.shape, second_next.shape, third_next.shape, fourth_next.shape, lc[0]);
    add(next_kind, lexicon_.kind(second_next.hash), lexicon_.kind(third_next.hash), lc[0], rc[0]);
    const auto [words, capitals, stop] = look_for_end(i + 2);
    const std::uint64_t ahead = static_cast<std::uint64_t>(stop);
    add(ahead, bin(words), lc[0], next_start);
    add(ahead, bin(words), bin(capitals), lc[0], next_kind);
    add(ahead, bin(words), bin(capitals), bin(tokens_), seen_);
    add(ahead, bin(words), next.hash, lc[0]);
    return std::span(features_).first(count_);
}

}  // namespace plait
