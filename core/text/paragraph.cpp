#include "core/text/paragraph.hpp"

namespace plait {

namespace {

constexpr std::uint32_t carriage_return = '\r', line_feed = '\n';

}  // namespace

bool Paragraphs::next(Paragraph& paragraph) {
    paragraph.codes.clear();
    paragraph.classes.clear();
    paragraph.origins.clear();
    paragraph.complete = paragraph.closes = true;
    while (place_ < text_.size()) {
        const std::size_t gap = place_;
        std::size_t breaks = 0;
        for (; place_ < text_.size() && is_space(text_.char_class(place_)); ++place_) {
            const bool second_half = text_.codes[place_] == line_feed && place_ > gap &&
                                     text_.codes[place_ - 1] == carriage_return;
            breaks += text_.char_class(place_) == CharClass::line_break && !second_half;
        }
        if (place_ == text_.size()) break;
        if (place_ > gap && paragraph.size() > 0) {
            if (breaks >= (lines_ ? 1u : 2u)) {
                paragraph.closes = breaks >= 2;
                return true;
            }
            paragraph.codes.push_back(' ');
            paragraph.classes.push_back(CharClass::space);
            paragraph.origins.push_back(gap);
        }
        for (; place_ < text_.size() && !is_space(text_.char_class(place_)); ++place_) {
            paragraph.codes.push_back(text_.codes[place_]);
            paragraph.classes.push_back(text_.char_class(place_));
            paragraph.origins.push_back(place_);
        }
    }
    paragraph.complete = is_all_;
    return paragraph.size() > 0;
}

}  // namespace plait
