// Feature templates: which attributes a token of a column file has.
//
//     word = column 0
//     boundary drop
//     node word[-2..2]                   attributes word[-2]=… to word[2]=…, as far as they exist
//     node word[-1] | word[0]            a conjunction: word[-1]|word[0]=in|the
//     node suffix(lower(word), 1..4)     functions of a column: case, affixes, shapes, patterns,
//     lists edge                               transitions edge word[0] transitions that depend on
//     the word
//
// template_reference() has the whole language; lines of CRF++ and Wapiti templates are part of it.
// A template is compiled once. Each expression is evaluated once per token, and the fingerprint of
// an attribute is put together from the hashes of its values (text_hash.h): no text is ever built
// but on request. The fingerprint is a function of the attribute's text alone, and node and edge
// attributes are apart; so equal texts mean equal attributes, in this or in any other template.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/tag/reading/sentence.h"
#include "trellis/tasks/tag/templates/attributes.h"
#include "trellis/tasks/tag/templates/builtin_templates.h"
#include "trellis/tasks/tag/templates/gazetteer.h"

namespace trellis::tag {

struct TemplateProgram;
class TemplateScratch;

// Immutable; copies share the compiled template.
class FeatureTemplate {
 public:
  // Memory for one thread, good for every template and every sentence.
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

  // `name` stands in messages. Throws TemplateError (template_error.h) with the place, or
  // InputError. What the loader gives becomes part of the template.
  static FeatureTemplate parse(std::string_view text, const std::string& name,
                               const GazetteerLoader& loader = no_gazetteers());
  // One of builtin_template_names(); throws UsageError for any other name.
  static FeatureTemplate builtin(std::string_view name, const BuiltinOptions& options = {},
                                 const GazetteerLoader& loader = gazetteer_files(""));

  // The attributes of every token, in the order of the template's lines; `out` is overwritten. An
  // attribute can hold several times at one token, if lines share a name. Position 0 has no edge
  // attributes. Throws InputError if the sentence has fewer than min_columns() columns, or more
  // than 2³² attributes. Does not allocate once the scratch and `out` have grown.
  void extract(const Sentence& sentence, Scratch& scratch, SentenceAttributes& out) const;

  // The text of the k-th attribute that extract() finds at token t. The scratch remembers the
  // sentence it last named attributes of, so that naming all of them costs little more than the
  // text.
  std::string node_name(const Sentence& sentence, Index t, Index k, Scratch& scratch) const;
  std::string edge_name(const Sentence& sentence, Index t, Index k, Scratch& scratch) const;

  bool has_plain_transitions() const;
  bool has_edge_attributes() const;
  Index min_columns() const;
  bool uses_column(Index column) const;

  // The template as it was written, and the lists that it names, by path.
  const std::string& source() const { return source_; }
  std::vector<std::string> gazetteers() const;

  // Bytes that hold the template and the contents of its lists.
  std::string serialize() const;
  // `name` is that of the model, for messages. Throws InputError on anything but such bytes.
  static FeatureTemplate deserialize(std::string_view bytes, const std::string& name);

 private:
  FeatureTemplate(std::string source, std::shared_ptr<const TemplateProgram> program);
  void check_columns(const Sentence& sentence) const;
  std::string name(const Sentence& sentence, bool edge, Index t, Index k,
                   TemplateScratch& state) const;

  std::string source_;
  std::shared_ptr<const TemplateProgram> program_;
};

}  // namespace trellis::tag
