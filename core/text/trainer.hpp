// Weights that learn to tell where tokens and sentences end from a text, lesson by lesson.
#pragma once

#include "core/learn/order.hpp"
#include "core/text/learner.hpp"

namespace plait {

class SegmentationTrainer {
  public:
    // `gold`: a decision for every character.
    SegmentationTrainer(const Seams& seams, const Characters& text, std::vector<std::uint8_t> gold, int bits,
                        float longest_step)
        : seams_(seams), gold_(std::move(gold)), learner_(bits, longest_step) {
        Paragraphs paragraphs(text, false, true);
        Paragraph paragraph;
        while (paragraphs.next(paragraph)) cut_lessons(paragraph, gold_, lessons_);
    }
    SegmentationTrainer(const SegmentationTrainer&) = delete;
    SegmentationTrainer& operator=(const SegmentationTrainer&) = delete;

    std::size_t size() const { return lessons_.size(); }

    // The words of all lessons.
    WordList words() const {
        WordList list;
        for (std::size_t i = 0; i < lessons_.size(); ++i) {
            list_words(lessons_[i], static_cast<std::int64_t>(i), gold_, list);
        }
        return list;
    }

    // One pass over the lessons named in `order`, each with the lexicon of its fold and shown as `showings`
    // says.
    SegmentationReport learn(std::span<const std::int64_t> order, std::span<const std::int64_t> folds,
                             std::span<const Lexicon* const> lexicons, std::span<const Showing> showings,
                             bool follow) {
        SegmentationReport report;
        each_in_order(order, lessons_.size(), [&](std::size_t i) {
            const Lexicon& lexicon = *lexicons[static_cast<std::size_t>(folds[i])];
            if (showings[i] == Showing::as_written) {
                learner_.learn(lessons_[i], seams_, lexicon, gold_, follow, report);
            } else {
                learner_.learn(shown(lessons_[i], showings[i]), seams_, lexicon, gold_, follow, report);
            }
        });
        return report;
    }
    const Averaged& averaged() const { return learner_.averaged; }
    Averaged& averaged() { return learner_.averaged; }

  private:
    Seams seams_;
    std::vector<std::uint8_t> gold_;
    std::vector<Lesson> lessons_;
    SegmentationLearner learner_;
};

}  // namespace plait
