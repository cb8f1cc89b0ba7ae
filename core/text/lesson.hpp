// The training text in pieces that can be learned from in any order.
#pragma once

#include "core/text/segmenter.hpp"

namespace plait {

// A few sentences of a paragraph. What follows them there is in sight, but no part of the lesson: the text is
// then not complete, and reading stops as far from its end as it looks ahead.
struct Lesson {
    Paragraph text;
    bool fresh;  // the paragraph begins here

    std::size_t size() const { return text.complete ? text.size() : text.size() - lookahead; }
};

inline constexpr std::size_t sentences_per_lesson = 10;

// `gold` has a decision for every character of the text the paragraph is from.
inline void cut_lessons(const Paragraph& paragraph, std::span<const std::uint8_t> gold,
                        std::vector<Lesson>& lessons) {
    std::size_t first = 0, sentences = 0;
    const auto add = [&](std::size_t last, bool complete) {
        Lesson& lesson = lessons.emplace_back(Lesson{{}, first == 0});
        const auto copy = [&](const auto& from, auto& to) {
            to.assign(from.begin() + static_cast<std::ptrdiff_t>(first),
                      from.begin() + static_cast<std::ptrdiff_t>(last));
        };
        copy(paragraph.codes, lesson.text.codes);
        copy(paragraph.classes, lesson.text.classes);
        copy(paragraph.origins, lesson.text.origins);
        lesson.text.complete = complete;
    };
    for (std::size_t i = 0; i + 1 + lookahead < paragraph.size(); ++i) {
        if (paragraph.classes[i] == CharClass::space || gold[paragraph.origins[i]] != sentence_end) continue;
        if (++sentences < sentences_per_lesson) continue;
        const std::size_t next = i + 1 + (paragraph.classes[i + 1] == CharClass::space);
        add(i + 1 + lookahead, false);
        first = next;
        sentences = 0;
    }
    add(paragraph.size(), true);
}

// How a lesson is shown: some in one case, so that such text is nothing new.
enum class Showing : std::uint8_t { as_written, in_lower_case, in_upper_case };
inline constexpr std::size_t showing_count = 3;

inline Lesson shown(Lesson lesson, Showing showing) {
    const bool lower = showing == Showing::in_lower_case;
    std::ranges::replace(lesson.text.classes, lower ? CharClass::upper : CharClass::lower,
                         lower ? CharClass::lower : CharClass::upper);
    return lesson;
}

// Adds the words of a lesson to a list.
inline void list_words(const Lesson& lesson, std::int64_t number, std::span<const std::uint8_t> gold,
                       WordList& list) {
    const Paragraph& text = lesson.text;
    bool starts = true;
    for (std::size_t place = 0; place < lesson.size();) {
        const std::size_t first = place + (text.classes[place] == CharClass::space);
        const Sketch word = next_sketch(text, place);
        const CharClass initial = text.classes[first];
        if (initial == CharClass::upper || initial == CharClass::lower) {
            list.hashes.push_back(static_cast<std::uint32_t>(word.hash));
            list.cases.push_back(initial == CharClass::lower ? 0 : starts ? 2 : 1);
            list.places.push_back(number);
        }
        // Punctuation at the beginning of a sentence does not hide its first word.
        starts = gold[text.origins[place - 1]] == sentence_end || (starts && !is_wordlike(initial));
    }
}

}  // namespace plait
