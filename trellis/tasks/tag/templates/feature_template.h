// Feature templates: the attributes of a token of a column file.
//
//     word = column 0
//     boundary drop
//     node word[-2..2]                   attributes word[-2]=… to word[2]=…, if the token exists
//     node word[-1] | word[0]            a conjunction: word[-1]|word[0]=in|the
//     node suffix(lower(word), 1..4)     functions of a column: case, affixes, shapes, patterns …
//     edge                               transitions
//     edge word[0]                       transitions that depend on the word
//
// template_reference() has the complete language, which includes lines of CRF++ and Wapiti
// templates. A template is compiled once. Each expression is evaluated once per token, and the
// fingerprint of an attribute is computed from the hashes of its values (text_hash.h); texts are
// made only on request. The fingerprint depends only on the attribute's text, and node and edge
// attributes are separate; so equal texts mean equal attributes, in one or in different templates.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/columns/sentence.h"
#include "trellis/tasks/tag/templates/builtin_templates.h"
#include "trellis/tasks/tag/templates/gazetteer.h"

namespace trellis::tag {

// Attributes of one kind at each of T positions, in compressed rows: those of position t are
// [begin[t], begin[t+1]). An attribute is identified by a 64-bit fingerprint of its text
// ("w[-1]=the"); the text is made only on request (FeatureTemplate::name).
struct AttributeList {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint64_t> fingerprints;
  std::vector<float> values;  // empty: all 1

  void clear() { begin.assign(1, 0), fingerprints.clear(), values.clear(); }
};

// Node attributes score labels; edge attributes score transitions into the position.
struct SentenceAttributes {
  AttributeList node;
  AttributeList edge;
};

struct TemplateProgram;
struct TemplateScratch;

// Immutable; copies share the compiled template.
class FeatureTemplate {
 public:
  // Memory for one thread, for any template and any sentence.
  class Scratch {
   public:
    Scratch();
    ~Scratch();
    Scratch(Scratch&&) noexcept;
    Scratch& operator=(Scratch&&) noexcept;

   private:
    friend class FeatureTemplate;
    std::unique_ptr<TemplateScratch> state_;
  };

  // Messages name `name`. Throws TemplateError (template_scanner.h) with the position, or
  // InputError. The lists from the loader become part of the template.
  static FeatureTemplate parse(std::string_view text, const std::string& name,
                               const GazetteerLoader& loader = no_gazetteers());
  // One of builtin_template_names(); throws UsageError for another name.
  static FeatureTemplate builtin(std::string_view name, const BuiltinOptions& options = {},
                                 const GazetteerLoader& loader = gazetteer_files(""));

  // The attributes of every token, in the order of the template's lines; overwrites `out`. An
  // attribute can occur several times at one token if lines share a name. Position 0 has no edge
  // attributes. Throws InputError if the sentence has fewer than min_columns() columns, or more
  // than 2³² attributes. Allocates no memory once the scratch and `out` are large enough.
  void extract(const Sentence& sentence, Scratch& scratch, SentenceAttributes& out) const;

  // The texts of the attributes that extract() finds in a sentence; the first call evaluates the
  // sentence again. The arguments must outlive the object, and the scratch can name only one
  // sentence at a time.
  class Names {
   public:
    Names(const FeatureTemplate& features, const Sentence& sentence, Scratch& scratch)
        : features_(&features), sentence_(&sentence), state_(scratch.state_.get()) {}
    // The text of attribute k at token t.
    std::string node(Index t, Index k) { return text(false, t, k); }
    std::string edge(Index t, Index k) { return text(true, t, k); }

   private:
    std::string text(bool edge, Index t, Index k);

    const FeatureTemplate* features_;
    const Sentence* sentence_;
    TemplateScratch* state_;
    bool evaluated_ = false;
  };

  bool has_plain_transitions() const;
  bool has_edge_attributes() const;
  Index min_columns() const;
  bool uses_column(Index column) const;

  // The source text of the template, and its lists by path.
  const std::string& source() const { return source_; }
  std::vector<std::string> gazetteers() const;

  // The template and the contents of its lists as bytes.
  std::string serialize() const;
  // `name` is the model's, for messages. Throws InputError for invalid bytes.
  static FeatureTemplate deserialize(std::string_view bytes, const std::string& name);

 private:
  FeatureTemplate(std::string source, std::shared_ptr<const TemplateProgram> program);
  void check_columns(const Sentence& sentence) const;

  std::string source_;
  std::shared_ptr<const TemplateProgram> program_;
};

}  // namespace trellis::tag
