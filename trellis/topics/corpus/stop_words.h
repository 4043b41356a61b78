// Words without information on a text's subject: built-in lists by name, or the user's own.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/tokenizer.h"

namespace trellis::topics {

// The names of the lists that are built in: "english".
std::span<const std::string_view> stop_word_languages();

// A built-in list, or the words of a file; a line that begins with # is a comment. Words are found
// as in text by these options ("don't" is two), of any length. Throws InputError about the file.
NameList read_stop_words(const std::string& name_or_path, const TextOptions& text = {});

}  // namespace trellis::topics
