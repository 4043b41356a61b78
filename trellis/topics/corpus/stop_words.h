// Words that say nothing of a text's subject: lists by name, or of one's own.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/tokenizer.h"

namespace trellis::topics {

// The names of the lists that are built in: "english".
std::span<const std::string_view> stop_word_languages();

// A list that is built in, or the words of a file; a line of it that begins with # is a comment.
// Words are found there as they are in text by these options ("don't" is two), however short.
// Throws InputError about the file.
NameList read_stop_words(const std::string& name_or_path, const TextOptions& text = {});

}  // namespace trellis::topics
