// Translations of a corpus, measured and told; and languages beside mixtures.
#include "trellis/tasks/topics/output/language_agreement.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/tasks/topics/small_topics.h"
#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/data/json.h"
#include "trellis/tasks/topics/corpus_files.h"
#include "trellis/tasks/topics/output/evaluate.h"
#include "trellis/tasks/topics/output/predict.h"
#include "trellis/topics/corpus/read_corpus.h"

namespace trellis::topics::language_agreement_test {
namespace {

using testing::few_sweeps;
using testing::two_subjects;

// "Languages" in one vocabulary: de says of each id what en does, pt something else.
constexpr const char* kTable =
    "id\ten\tde\tpt\n"
    "a\tboat tide sail\tboat boat tide sail\toven flour dough yeast\n"
    "b\toven flour crust dough\tdough crust oven\tanchor boat harbour\n"
    "c\tanchor harbour tide\t\tyeast crust\n"
    "d\tzebra\tboat\tboat\n";

class LanguageAgreements : public ::testing::Test {
 protected:
  Corpus corpus(const std::string& table = kTable) const {
    return read_corpus_with(model_.words(), {folder_.make("t.tsv", table)}, {}, model_.text());
  }
  Evaluation evaluated(const Corpus& corpus, Index top_topics = 5) const {
    EvaluateOptions options;
    options.agreement = AgreementOptions{top_topics};
    options.source = "t.tsv";
    options.threads = 1;
    return evaluate(model_, corpus, options);
  }
  std::string refusal(const Corpus& corpus) const {
    try {
      evaluated(corpus);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::string predicted(const CorpusFiles& files, MixtureFormat format) const {
    PredictOptions options;
    options.format = format;
    OutputFile out(folder_.file("out"));
    predict(model_, files, options, out);
    out.commit();
    return read_file(folder_.file("out"));
  }

  const trellis::testing::TemporaryDirectory folder_;
  const TopicModel model_ = *train(two_subjects(), nullptr, few_sweeps()).model;
};

TEST_F(LanguageAgreements, AreOfEveryTwoLanguages) {
  const LanguageAgreement found = *evaluated(corpus()).agreement;
  EXPECT_EQ(found.top_topics, 2u);  // the model has no more
  ASSERT_EQ(found.languages.size(), 3u);
  const LanguagePair& english_german = found.languages[0];
  EXPECT_EQ(english_german.first, "en");
  EXPECT_EQ(english_german.second, "de");
  EXPECT_EQ(english_german.agreement.pairs, 2u);
  EXPECT_EQ(english_german.left_out, 1u);  // the zebra
  EXPECT_EQ(english_german.agreement.first_topic, 1);
  EXPECT_EQ(english_german.agreement.forth.first, 1);
  const LanguagePair& english_portuguese = found.languages[1];
  EXPECT_EQ(english_portuguese.second, "pt");
  EXPECT_EQ(english_portuguese.agreement.pairs, 3u);
  EXPECT_EQ(english_portuguese.agreement.first_topic, 0);
  EXPECT_EQ(english_portuguese.agreement.top_topics, 2);
  EXPECT_GT(english_portuguese.agreement.hellinger, english_german.agreement.hellinger);
  EXPECT_EQ(found.languages[2].agreement.pairs, 3u);
}

TEST_F(LanguageAgreements, AreThoseOfTheMixturesThatPredictWrites) {
  const Corpus documents = corpus();
  const std::string lines = predicted({{folder_.file("t.tsv")}, {}}, MixtureFormat::kJson);
  std::vector<double> mixtures;
  for (std::istringstream text(lines); text.peek() != EOF;) {
    std::string line;
    std::getline(text, line);
    const auto mixture = parse_json(line).value().at("mixture").get<std::vector<double>>();
    mixtures.insert(mixtures.end(), mixture.begin(), mixture.end());
  }
  const std::vector<TranslationPair> pairs = {{0, 1}, {3, 4}};  // en and de of a and b
  const Agreement expected = measure_agreement(mixtures, 2, pairs);
  const Agreement found = evaluated(documents).agreement->languages[0].agreement;
  EXPECT_EQ(found.l2, expected.l2);
  EXPECT_EQ(found.hellinger, expected.hellinger);
}

TEST_F(LanguageAgreements, AreToldAsJsonAndAsATable) {
  const Evaluation found = evaluated(corpus(), 1);
  const Value agreement = parse_json(to_json(found.record())).value().at("agreement");
  ASSERT_EQ(agreement.size(), 3u);
  EXPECT_EQ(agreement.at(0).at("languages"), Value::list({"en", "de"}));
  EXPECT_EQ(agreement.at(0).at("pairs"), 2);
  EXPECT_EQ(agreement.at(0).at("left_out"), 1);
  EXPECT_EQ(agreement.at(0).at("top_topics"), 1);
  EXPECT_EQ(agreement.at(0).at("mean_common_topics"), 1);
  EXPECT_EQ(agreement.at(0).at("same_first_topic"), 1);
  EXPECT_EQ(agreement.at(0).at("mean_l2"), found.agreement->languages[0].agreement.l2);
  EXPECT_EQ(agreement.at(0).at("mean_hellinger"),
            found.agreement->languages[0].agreement.hellinger);
  EXPECT_EQ(agreement.at(0).at("retrieval").at(1).at("from"), "de");
  EXPECT_EQ(agreement.at(0).at("retrieval").at(1).at("to"), "en");
  EXPECT_EQ(agreement.at(0).at("retrieval").at(1).at("mean_reciprocal_rank"), 1);
  const std::string text = found.to_text();
  for (const char* said : {"en → de", "en → pt", "de → pt", "Hellinger", "common of 1", "100.0 %",
                           "skipped 2 pairs"}) {
    EXPECT_NE(text.find(said), std::string::npos) << said << "\n" << text;
  }
  // Nothing is said where nothing was asked.
  const Evaluation plain = evaluate(model_, corpus());
  EXPECT_FALSE(plain.record().contains("agreement"));
  EXPECT_EQ(plain.to_text().find("Hellinger"), std::string::npos);
}

TEST_F(LanguageAgreements, OfTwoLanguagesWithoutTranslationsAreNull) {
  const Evaluation found =
      evaluated(corpus("id\ten\tde\tpt\na\tboat\tboat\t\nb\t\toven\toven\nc\t\t\ttide\n"));
  const Value agreement = parse_json(to_json(found.record())).value().at("agreement");
  EXPECT_EQ(agreement.at(1).at("pairs"), 0);
  EXPECT_TRUE(agreement.at(1).at("mean_l2").is_null());
  EXPECT_TRUE(agreement.at(1).at("retrieval").at(0).at("first").is_null());
  EXPECT_NE(found.to_text().find("none"), std::string::npos);
}

TEST_F(LanguageAgreements, RefuseWhatHasNoTranslations) {
  EXPECT_NE(refusal(corpus("boat\ttide\n")).find("t.tsv: expected documents with ids, found none"),
            std::string::npos);
  EXPECT_NE(refusal(two_subjects()).find("t.tsv: expected documents with languages, found none"),
            std::string::npos);
  EXPECT_EQ(refusal(corpus("id\ten\tde\na\tboat\t\n")),
            "t.tsv: expected documents in at least two languages, found only \"en\"");
  EXPECT_EQ(refusal(corpus("id\ten\tde\na\tboat\t\nb\t\ttide\n")),
            "t.tsv: expected documents with the same id in two languages, found none");
  EXPECT_EQ(refusal(corpus("id\ten\tde\na\tboat\tboat\na\ttide\t\n")),
            "t.tsv: expected one document of each id in the language en, found two of \"a\"");
}

TEST_F(LanguageAgreements, MixturesTellTheLanguage) {
  const CorpusFiles table{{folder_.make("t.tsv", kTable)}, {}};
  const std::string csv = predicted(table, MixtureFormat::kCsv);
  EXPECT_TRUE(csv.starts_with("id,language,label,words,topic_0,topic_1\na,en,,3,")) << csv;
  EXPECT_NE(csv.find("\na,de,,4,"), std::string::npos);
  EXPECT_TRUE(predicted(table, MixtureFormat::kText).starts_with("a\ten\t"));
  const std::string json = predicted(table, MixtureFormat::kJson);
  EXPECT_EQ(parse_json(json.substr(0, json.find('\n'))).value().at("language"), "en");
  EXPECT_TRUE(predicted(table, MixtureFormat::kLibsvm).starts_with("0 1:"));
  // A corpus that was written before has them, too.
  corpus().write(folder_.file("c"));
  EXPECT_EQ(predicted({{folder_.file("c")}, {}}, MixtureFormat::kCsv), csv);
  // Of documents of which only some have one.
  ReaderOptions columns;
  columns.columns = TextColumns::parse("id,language,text");
  const CorpusFiles some{{folder_.make("some.tsv", "x\t\tboat\ny\tfr\toven\n")}, columns};
  const std::string lines = predicted(some, MixtureFormat::kJson);
  EXPECT_TRUE(parse_json(lines.substr(0, lines.find('\n'))).value().at("language").is_null());
  // And none where documents have none.
  const CorpusFiles plain{{folder_.make("plain.txt", "boat\n")}, {}};
  EXPECT_TRUE(predicted(plain, MixtureFormat::kCsv).starts_with("id,label,words,topic_0"));
}

}  // namespace
}  // namespace trellis::topics::language_agreement_test
