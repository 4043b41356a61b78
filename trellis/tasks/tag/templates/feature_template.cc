#include "trellis/tasks/tag/templates/feature_template.h"

#include <fmt/format.h>

#include <cassert>
#include <limits>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/tasks/tag/templates/template_bytes.h"
#include "trellis/tasks/tag/templates/template_parser.h"
#include "trellis/tasks/tag/templates/template_program.h"
#include "trellis/tasks/tag/templates/template_values.h"
#include "trellis/tasks/tag/templates/text_hash.h"

namespace trellis::tag {
namespace {

// Whether the attribute holds at t, and the hash of its text if it does.
inline bool hash_at(const TemplateProgram& program, const TemplateValues& values,
                    const Attribute& attribute, Index t, std::uint64_t& hash) {
  hash = 0;
  for (const Piece& piece : attribute.pieces) {
    const TextHash value = value_at(program, values, piece, t);
    if (!value.present()) return false;
    hash = append_text(append_text(hash, piece.literal_hash), value);
  }
  hash = append_text(hash, attribute.tail_hash);
  return true;
}

void extract_list(const TemplateProgram& program, const std::vector<Attribute>& attributes,
                  const TemplateValues& values, Index first_token, AttributeList& out) {
  out.clear();
  for (Index t = 0; t < values.num_tokens(); ++t) {
    if (t >= first_token) {
      for (const Attribute& attribute : attributes) {
        std::uint64_t hash;
        if (hash_at(program, values, attribute, t, hash)) {
          out.fingerprints.push_back(fingerprint_of(hash));
        }
      }
    }
    out.begin.push_back(static_cast<std::uint32_t>(out.fingerprints.size()));
  }
}

// The indices of the attributes that hold at t, in order.
void find_holding(const TemplateProgram& program, const std::vector<Attribute>& attributes,
                  const TemplateValues& values, Index t, std::vector<Index>& holding) {
  holding.clear();
  for (Index a = 0; a < attributes.size(); ++a) {
    std::uint64_t hash;
    if (hash_at(program, values, attributes[a], t, hash)) holding.push_back(a);
  }
}

}  // namespace

class TemplateScratch {
 public:
  // Evaluates the sentence for naming, unless it is the one that was named last.
  void prepare_names(const std::shared_ptr<const TemplateProgram>& program,
                     const Sentence& sentence);
  // The k-th attribute that holds at t.
  const Attribute& attribute(bool edge, Index t, Index k);

  TemplateEvaluator evaluator;
  TemplateValues values;        // of extract()
  TemplateValues named_values;  // of names

 private:
  bool is_named(const Sentence& sentence) const;

  std::shared_ptr<const TemplateProgram> named_program_;
  std::string named_text_;          // its fields, of the columns in use, one after the other
  std::vector<Index> named_sizes_;  // and their lengths
  std::vector<Index> holding_[2];   // of nodes and of edges, at
  Index holding_token_[2];
};

void TemplateScratch::prepare_names(const std::shared_ptr<const TemplateProgram>& program,
                                    const Sentence& sentence) {
  if (program == named_program_ && is_named(sentence)) return;
  named_program_ = program;
  named_text_.clear();
  named_sizes_.clear();
  for (Index t = 0; t < sentence.num_tokens(); ++t) {
    for (const ColumnGroup& group : program->groups) {
      const std::string_view field = sentence.field(t, group.column);
      named_text_ += field;
      named_sizes_.push_back(field.size());
    }
  }
  evaluator.evaluate(program, sentence, named_values);
  holding_token_[0] = holding_token_[1] = kNoIndex;
}

bool TemplateScratch::is_named(const Sentence& sentence) const {
  if (sentence.num_tokens() != named_values.num_tokens()) return false;
  Index begin = 0;
  Index i = 0;
  for (Index t = 0; t < sentence.num_tokens(); ++t) {
    for (const ColumnGroup& group : named_program_->groups) {
      const Index size = named_sizes_[i++];
      if (std::string_view(named_text_).substr(begin, size) != sentence.field(t, group.column)) {
        return false;
      }
      begin += size;
    }
  }
  return true;
}

const Attribute& TemplateScratch::attribute(bool edge, Index t, Index k) {
  const std::vector<Attribute>& attributes = edge ? named_program_->edge : named_program_->node;
  if (holding_token_[edge] != t) {
    holding_token_[edge] = t;
    find_holding(*named_program_, attributes, named_values, t, holding_[edge]);
  }
  assert(k < holding_[edge].size());
  return attributes[holding_[edge][k]];
}

FeatureTemplate::Scratch::Scratch() : state_(std::make_unique<TemplateScratch>()) {}
FeatureTemplate::Scratch::~Scratch() = default;
FeatureTemplate::Scratch::Scratch(Scratch&&) noexcept = default;
FeatureTemplate::Scratch& FeatureTemplate::Scratch::operator=(Scratch&&) noexcept = default;

FeatureTemplate::FeatureTemplate(std::string source, std::shared_ptr<const TemplateProgram> program)
    : source_(std::move(source)), program_(std::move(program)) {}

FeatureTemplate FeatureTemplate::parse(std::string_view text, const std::string& name,
                                       const GazetteerLoader& loader) {
  auto program = std::make_shared<const TemplateProgram>(parse_template(text, name, loader));
  return {std::string(text), std::move(program)};
}

FeatureTemplate FeatureTemplate::builtin(std::string_view name, const BuiltinOptions& options,
                                         const GazetteerLoader& loader) {
  return parse(builtin_template(name, options), fmt::format("template {}", name), loader);
}

void FeatureTemplate::check_columns(const Sentence& sentence) const {
  if (sentence.num_tokens() > 0 && sentence.num_columns() < program_->min_columns) {
    throw InputError("", sentence.first_line(),
                     fmt::format("the template uses {} columns, the sentence has {}",
                                 program_->min_columns, sentence.num_columns()));
  }
  const Index attributes = std::max(program_->node.size(), program_->edge.size());
  if (attributes > 0 &&
      sentence.num_tokens() > std::numeric_limits<std::uint32_t>::max() / attributes) {
    throw InputError("", sentence.first_line(), "the sentence is too long for the template");
  }
}

void FeatureTemplate::extract(const Sentence& sentence, Scratch& scratch,
                              SentenceAttributes& out) const {
  check_columns(sentence);
  TemplateScratch& state = *scratch.state_;
  state.evaluator.evaluate(program_, sentence, state.values);
  extract_list(*program_, program_->node, state.values, 0, out.node);
  extract_list(*program_, program_->edge, state.values, 1, out.edge);
}

std::string FeatureTemplate::name(const Sentence& sentence, bool edge, Index t, Index k,
                                  TemplateScratch& state) const {
  check_columns(sentence);
  state.prepare_names(program_, sentence);
  const Attribute& attribute = state.attribute(edge, t, k);
  std::string text;
  for (const Piece& piece : attribute.pieces) {
    text += piece.literal;
    text += TemplateEvaluator::text_at(*program_, sentence, state.named_values, piece, t);
  }
  return text + attribute.tail;
}

std::string FeatureTemplate::node_name(const Sentence& sentence, Index t, Index k,
                                       Scratch& scratch) const {
  return name(sentence, false, t, k, *scratch.state_);
}

std::string FeatureTemplate::edge_name(const Sentence& sentence, Index t, Index k,
                                       Scratch& scratch) const {
  return name(sentence, true, t, k, *scratch.state_);
}

bool FeatureTemplate::has_plain_transitions() const {
  return program_->plain_transitions;
}

bool FeatureTemplate::has_edge_attributes() const {
  return !program_->edge.empty();
}

bool FeatureTemplate::uses_column(Index column) const {
  return std::any_of(program_->groups.begin(), program_->groups.end(),
                     [&](const auto& group) { return group.column == column; });
}

Index FeatureTemplate::min_columns() const {
  return program_->min_columns;
}

std::vector<std::string> FeatureTemplate::gazetteers() const {
  std::vector<std::string> paths;
  for (const auto& [path, text] : program_->lists) paths.push_back(path);
  return paths;
}

std::string FeatureTemplate::serialize() const {
  return write_template_bytes({source_, program_->lists});
}

FeatureTemplate FeatureTemplate::deserialize(std::string_view bytes, const std::string& name) {
  const TemplateBytes parts = read_template_bytes(bytes, name);
  const GazetteerLoader embedded = [&](const std::string& path) {
    const auto list = parts.lists.find(path);
    if (list == parts.lists.end()) {
      throw InputError(name, 0, "the model does not have the list", path);
    }
    return list->second;
  };
  FeatureTemplate made = parse(parts.source, name + " (template)", embedded);
  if (made.program_->lists.size() != parts.lists.size()) {
    throw InputError(name, 0, "the model has a list that its template does not name");
  }
  return made;
}

}  // namespace trellis::tag
