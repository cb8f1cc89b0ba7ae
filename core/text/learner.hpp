// Learning where tokens and sentences end, in the states the learner's own decisions lead to.
#pragma once

#include <optional>

#include "core/text/lesson.hpp"

namespace plait {

struct SegmentationReport {
    std::int64_t decisions = 0, updates = 0;
};

// Passive-aggressive steps (Crammer et al. 2006), weights averaged over all decisions.
class SegmentationLearner {
  public:
    SegmentationLearner(int bits, float longest_step)
        : kernel(bits, decisions), averaged(kernel), longest_step_(longest_step) {}

    // `gold` has a decision for every character of the text the lesson is from. With `follow`, the reading
    // goes on as the learner decided, otherwise as is right.
    void learn(const Lesson& lesson, const Seams& seams, const Lexicon& lexicon,
               std::span<const std::uint8_t> gold, bool follow, SegmentationReport& report) {
        const SegmentationOptions options;
        const auto decide = [&](Reading& reading, std::size_t i, bool at_space) {
            const auto features = reading.features(i);
            kernel.score(features, scores_);
            const auto right = static_cast<Decision>(gold[lesson.text.origins[i]]);
            ++report.decisions;
            report.updates += update(features, right, at_space);
            const Decision own = best_decision(scores_, at_space, options);
            return std::pair(follow ? own : right, sentence_lead(scores_, at_space));
        };
        segment_paragraph(lesson.text, seams, lexicon, lesson.fresh, options, decide,
                          [](std::span<const Token>) {});
    }

    Kernel kernel;
    Averaged averaged;

  private:
    bool update(std::span<const std::uint64_t> features, Decision right, bool at_space) {
        averaged.next_example();
        std::optional<Decision> rival;
        for (const Decision other : {inside, token_end, sentence_end}) {
            if (other == right || (at_space && other == inside)) continue;
            if (!rival || scores_[other] > scores_[*rival]) rival = other;
        }
        if (at_space && right == inside) return false;  // a form with a space in it: nothing to learn
        const float lead = scores_[right] - scores_[*rival];
        if (lead >= 1) return false;
        const float step = std::min(longest_step_, (1 - lead) / (2 * static_cast<float>(features.size())));
        averaged.add(features, right, step);
        averaged.add(features, *rival, -step);
        return true;
    }

    float longest_step_;
    std::array<float, decisions + block> scores_;
};

}  // namespace plait
