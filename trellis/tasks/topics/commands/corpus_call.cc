#include "trellis/tasks/topics/commands/corpus_call.h"

#include <utility>

#include "trellis/base/error.h"
#include "trellis/topics/corpus/stop_words.h"

namespace trellis::topics {
namespace {

NameList stop_words_of(const std::vector<std::string>& said, const TextOptions& text) {
  if (said.empty()) return read_stop_words("english", text);
  if (said.size() == 1 && said.front() == "none") return {};
  NameList all;
  for (const std::string& list : said) {
    const NameList words = read_stop_words(list, text);
    for (Index w = 0; w < words.size(); ++w) all.add(words[w]);
  }
  return all;
}

}  // namespace

CorpusFiles SourceCall::files(std::vector<std::string> paths) const {
  CorpusFiles files{std::move(paths), reader};
  if (!columns.empty()) files.reader.columns = TextColumns::parse(columns);
  files.reader.check();
  return files;
}

Corpus CorpusCall::read(int threads) const {
  const CorpusFiles files = source.files(paths);
  TextOptions options = text;
  options.lowercase = !keep_case;
  if (words_given && files.is_corpus()) {
    throw UsageError(paths.front() +
                     " is a corpus file, whose words are fixed: options of text, stop words and "
                     "vocabulary must be given to 'trellis topics corpus'");
  }
  options.check();
  options.stop_words = stop_words_of(stop_words, options);
  Corpus corpus = read_training_corpus(files, options, vocabulary, threads);
  if (options.by_language && !corpus.has_languages()) {
    throw UsageError("--languages-apart requires documents with languages");
  }
  return corpus;
}

void add_source_options(frame::Command& command, SourceCall& call) {
  command.group("Documents");
  command.option(
      "--format", call.reader.format,
      "Format of the documents\n"
      "lines: plain text, one document per line\n"
      "files: folders with one document per file; the name of the folder is the label\n"
      "tsv: columns separated by tabs\n"
      "translations: a table with an id and one column for each language, named in the first line\n"
      "uci: bag of words of the UCI repository\n"
      "svmlight: label index:count …\n"
      "[detected from the file]");
  command.option("--columns", call.columns,
                 "Columns of a tsv file: id, label, language, text or skip, separated by commas "
                 "[text; label,text; id,label,text]");
  command.option("--vocabulary", call.reader.vocabulary,
                 "File with the words of uci or svmlight data, one per line [words are named by "
                 "their numbers]");
}

void add_corpus_options(frame::Command& command, CorpusCall& call) {
  command
      .option("files", call.paths,
              "Documents: files of text or counts, folders, or a file written by 'trellis topics "
              "corpus'")
      .required();
  add_source_options(command, call.source);
  command.group("Words");
  command.flag("--keep-case", call.keep_case, "Distinguish upper and lower case");
  command.flag("--numbers", call.text.numbers, "Keep words without a letter");
  command.option("--min-length", call.text.min_length, "Minimum length of a word in characters");
  command.option(
      "--scripts", call.text.unspaced,
      "Words of scripts without blanks: overlapping pairs of characters, or single characters");
  command
      .option("--ngrams", call.text.ngrams, "Maximum number of consecutive words that form a term")
      .between(1, TextOptions::kMaxNgrams);
  command.flag("--languages-apart", call.text.by_language,
               "Separate the vocabularies of the languages: fr:but and en:but are different words, "
               "and a topic has one distribution over words for each language (lda, wordlda)");
  command
      .option("--stop-words", call.stop_words,
              "Stop words, which are removed: english, none, or a file of words; may be repeated "
              "[english]")
      .repeats();
  command.option("--min-documents", call.vocabulary.min_documents,
                 "Minimum number of documents that contain a word; rarer words are removed");
  command
      .option("--max-share", call.vocabulary.max_share,
              "Maximum fraction of the documents that contain a word; more frequent words are "
              "removed (with --languages-apart: fraction of the documents in its language)")
      .between(0, 1);
  command.option("--max-words", call.vocabulary.max_words,
                 "Maximum number of words, the most frequent ones; 0: all");
  command.require([&] {
    call.words_given = command.any_given({"keep-case", "numbers", "min-length", "scripts", "ngrams",
                                          "languages-apart", "stop-words", "min-documents",
                                          "max-share", "max-words"});
  });
}

}  // namespace trellis::topics
