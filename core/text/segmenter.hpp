// Greedy segmentation: after every character, does a token end here, or a sentence?
#pragma once

#include <algorithm>
#include <bitset>

#include "core/cancel.hpp"
#include "core/kernel.hpp"
#include "core/text/reading.hpp"
#include "core/text/whole.hpp"

namespace plait {

enum Decision : std::uint8_t { inside, token_end, sentence_end };
inline constexpr std::size_t decisions = 3;

// Between which classes of characters a token may end at all.
using Seams = std::bitset<char_classes * char_classes>;

inline bool is_seam(const Seams& seams, const Paragraph& paragraph, std::size_t i) {
    const auto left = static_cast<std::size_t>(paragraph.classes[i]);
    return seams[left * char_classes + static_cast<std::size_t>(paragraph.classes[i + 1])];
}

struct SegmentationOptions {
    std::size_t longest_sentence = 1000, longest_token = 1000;  // in tokens, in characters
    float bias = 0;                                             // for sentence ends
    bool whole = false;  // a paragraph is one sentence: its sentence ends are not asked for
};

struct Token {
    std::size_t first, last;  // characters of the paragraph; `last` is behind the token
    float lead;               // of the sentence end over the other decisions
};

// Runs through a paragraph and asks `decide` where there is a choice: `decide(reading, i, at_space)` gives a
// decision and the lead of a sentence end. `finish(tokens)` gets every sentence. Returns where the first
// sentence begins that is not finished because the text may go on.
template <typename Decide, typename Finish>
std::size_t segment_paragraph(const Paragraph& paragraph, const Seams& seams, const Lexicon& lexicon,
                              bool fresh, const SegmentationOptions& options, Decide decide, Finish finish) {
    struct Verdict {
        Decision decision;
        float lead;
    };
    Reading reading(paragraph, lexicon, fresh);
    std::vector<Token> tokens;
    const std::size_t size = paragraph.size();
    for (std::size_t i = 0; i < size; ++i) {
        if (!paragraph.complete && i + lookahead >= size) return reading.sentence_first();
        reading.advance(i);
        const bool at_space = i + 1 < size && paragraph.classes[i + 1] == CharClass::space;
        Verdict verdict{inside, -1e9f};
        if (i + 1 == size) {
            verdict.decision = sentence_end;
        } else if (const AtEmoji emoji = at_emoji(paragraph, reading.token_first(), i);
                   !at_space && emoji != AtEmoji::neither) {
            verdict.decision = emoji == AtEmoji::apart ? token_end : inside;
        } else if (at_space || (is_seam(seams, paragraph, i) && !reading.in_whole(i))) {
            const auto [decision, lead] = decide(reading, i, at_space);
            verdict = {decision, lead};
        }
        if (verdict.decision == inside && i + 1 - reading.token_first() >= options.longest_token) {
            verdict.decision = token_end;
        }
        if (verdict.decision == inside) continue;
        tokens.push_back({reading.token_first(), i + 1, verdict.lead});
        const std::size_t next = i + 1 + at_space;
        if (verdict.decision == sentence_end) {
            finish(std::span<const Token>(tokens));
            tokens.clear();
            if (next < size) reading.begin_sentence(next);
        } else if (tokens.size() >= options.longest_sentence) {
            // The best end in the second half, so that at most half of the work is done again.
            const auto half = tokens.begin() + static_cast<std::ptrdiff_t>(tokens.size() / 2);
            const auto best = std::ranges::max_element(half, tokens.end(), {}, &Token::lead);
            const std::size_t end = best->last;
            tokens.erase(best + 1, tokens.end());
            finish(std::span<const Token>(tokens));
            tokens.clear();
            const std::size_t again = end + (paragraph.classes[end] == CharClass::space);
            reading.begin_sentence(again);
            i = again - 1;
            continue;
        } else {
            reading.end_token(next);
        }
        i += at_space;
    }
    return size;
}

// The decision with the highest score; white space ends a token in any case.
inline Decision best_decision(std::span<const float> scores, bool at_space,
                              const SegmentationOptions& options) {
    Decision best = at_space || scores[token_end] > scores[inside] ? token_end : inside;
    if (!options.whole && scores[sentence_end] + options.bias > scores[best]) best = sentence_end;
    return best;
}

inline float sentence_lead(std::span<const float> scores, bool at_space) {
    const float other = at_space ? scores[token_end] : std::max(scores[inside], scores[token_end]);
    return scores[sentence_end] - other;
}

struct Segments {
    std::vector<std::int64_t> firsts, lasts;  // of tokens, in the text; `last` is behind the token
    std::vector<std::uint8_t> ends;  // 0: inside a sentence, 1: its last token, 2: of a paragraph too
};

template <typename Weights>
Segments segment(const Weights& weights, const Seams& seams, const Lexicon& lexicon, const Characters& text,
                 const SegmentationOptions& options, bool fresh, bool is_all) {
    Segments result;
    std::array<float, decisions + block> scores;
    Paragraph paragraph;
    Paragraphs paragraphs(text, options.whole, is_all);
    while (paragraphs.next(paragraph)) {
        const auto decide = [&](Reading& reading, std::size_t i, bool at_space) {
            check_cancelled();
            weights.score(reading.features(i), scores);
            return std::pair(best_decision(scores, at_space, options), sentence_lead(scores, at_space));
        };
        const auto finish = [&](std::span<const Token> tokens) {
            for (const Token& token : tokens) {
                result.firsts.push_back(static_cast<std::int64_t>(paragraph.origins[token.first]));
                result.lasts.push_back(static_cast<std::int64_t>(paragraph.origins[token.last - 1] + 1));
                result.ends.push_back(0);
            }
            result.ends.back() = 1;
        };
        const std::size_t done = segment_paragraph(paragraph, seams, lexicon, fresh, options, decide, finish);
        fresh = paragraph.closes;
        if (done == paragraph.size() && paragraph.closes) result.ends.back() = 2;
    }
    return result;
}

}  // namespace plait
