#include "trellis/cli/topics/corpus_call.h"

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
  const bool said = options.to_value() != TextOptions().to_value() || !stop_words.empty() ||
                    vocabulary.min_documents != 1 || vocabulary.max_share != 1 ||
                    vocabulary.max_words != 0;
  if (said && files.is_corpus()) {
    throw UsageError(paths.front() +
                     " is a corpus, whose words are settled: what is said of text, stop words and "
                     "the vocabulary is for 'trellis topics corpus'");
  }
  options.check();
  options.stop_words = stop_words_of(stop_words, options);
  Corpus corpus = read_training_corpus(files, options, vocabulary, threads);
  if (options.by_language && !corpus.has_languages()) {
    throw UsageError("--languages-apart: the documents have no languages");
  }
  return corpus;
}

void add_source_options(cli::Command& command, SourceCall& call) {
  command.group("Documents");
  command.option("--format", call.reader.format,
                 "lines: plain text, a document a line\n"
                 "files: a document a file, of folders; the folder's name is the label\n"
                 "tsv: columns with tabs between them\n"
                 "translations: a table of id and a language for each further column, which its "
                 "first line names\n"
                 "uci: bag of words of the UCI repository\n"
                 "svmlight: label index:count …\n"
                 "[seen from the file]");
  command.option("--columns", call.columns,
                 "Of tsv: what each is, of id, label, language, text and skip [text; label,text; "
                 "id,label,text]");
  command.option(
      "--vocabulary", call.reader.vocabulary,
      "File with a word a line, of uci and svmlight [words are called by their numbers]");
}

void add_corpus_options(cli::Command& command, CorpusCall& call) {
  command
      .option("files", call.paths,
              "Documents: files of text or counts, folders, or a corpus written before")
      .required();
  add_source_options(command, call.source);
  command.group("Words");
  command.flag("--keep-case", call.keep_case, "Tell words apart by capitals");
  command.flag("--numbers", call.text.numbers, "Keep words without a letter");
  command.option("--min-length", call.text.min_length, "Characters of a word, at least");
  command.option("--scripts", call.text.unspaced,
                 "Words of scripts without blanks: pairs of characters, each overlapping the next, "
                 "or single characters");
  command.option("--ngrams", call.text.ngrams, "Up to so many words in a row are words, too")
      .between(1, TextOptions::kMaxNgrams);
  command.flag("--languages-apart", call.text.by_language,
               "Words are of the language of their document: fr:but is another word than en:but; "
               "and a topic has a distribution over the words of each language, instead of one "
               "over all (lda, wordlda)");
  command
      .option("--stop-words", call.stop_words,
              "Words to leave out: english, none, or a file of them; may be said again [english]")
      .repeats();
  command.option("--min-documents", call.vocabulary.min_documents,
                 "Leave out words that fewer documents have");
  command
      .option(
          "--max-share", call.vocabulary.max_share,
          "Leave out words that a larger share of the documents has (with --languages-apart: of "
          "those in its language)")
      .between(0, 1);
  command.option("--max-words", call.vocabulary.max_words,
                 "Keep the most frequent words; 0: all of them");
}

}  // namespace trellis::topics
