// What is one token whatever the weights say, because treebanks have too little of it to learn from.
#pragma once

#include "core/text/paragraph.hpp"

namespace plait {

// Where the hashtag, the @name or the date ends that begins at `first`; `first` if none does.
std::size_t end_of_whole(const Paragraph& paragraph, std::size_t first);

// Whether the dot at `place` is that of a host, such as example.com.
bool is_host_dot(const Paragraph& paragraph, std::size_t place);

// What emoji say of the place behind character i, which is not the last one. Their parts stay together: skin
// colours, joined emoji, the two letters of a flag. `first` is where the token begins.
enum class AtEmoji { neither, together, apart };
AtEmoji at_emoji(const Paragraph& paragraph, std::size_t first, std::size_t i);

}  // namespace plait
