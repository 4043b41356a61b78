#include "trellis/tasks/tag/templates/feature_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <utility>

#include "trellis/base/error.h"
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

// The stored bytes of a template: its source and its lists, which are parsed again on loading.
//
//   "TRTMPL\n" 0x01 | u64 number of lists | source | then the path and phrases of each list
//
// where a text is its length as a u64 and its bytes; numbers are little-endian.
constexpr std::string_view kMagic{"TRTMPL\n\x01", 8};
constexpr Index kNumberBytes = 8;

void write_number(std::uint64_t number, std::string& out) {
  for (Index i = 0; i < kNumberBytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xFF);
}

void write_text(std::string_view text, std::string& out) {
  write_number(text.size(), out);
  out += text;
}

// Takes no more memory than the bytes.
class TemplateReader {
 public:
  TemplateReader(std::string_view bytes, const std::string& name) : rest_(bytes), name_(name) {}

  [[noreturn]] void refuse(const std::string& why) const { throw InputError(name_, 0, why); }

  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) refuse("the template in the model is truncated");
    const std::string_view taken = rest_.substr(0, static_cast<Index>(size));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::uint64_t number() {
    std::uint64_t number = 0;
    Index shift = 0;
    for (const char c : take(kNumberBytes)) {
      number |= std::uint64_t{static_cast<unsigned char>(c)} << shift;
      shift += 8;
    }
    return number;
  }
  std::string text() { return std::string(take(number())); }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  const std::string& name_;
};

}  // namespace

struct TemplateScratch {
  TemplateEvaluator evaluator;
  TemplateValues values;        // for extract()
  TemplateValues named_values;  // for names
  // The attributes, of nodes and edges, that hold at the tokens named last.
  std::vector<Index> holding[2];
  Index holding_token[2];
};

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

std::string FeatureTemplate::Names::text(bool edge, Index t, Index k) {
  const TemplateProgram& program = *features_->program_;
  if (!std::exchange(evaluated_, true)) {
    features_->check_columns(*sentence_);
    state_->evaluator.evaluate(features_->program_, *sentence_, state_->named_values);
    state_->holding_token[0] = state_->holding_token[1] = kNoIndex;
  }
  const std::vector<Attribute>& attributes = edge ? program.edge : program.node;
  std::vector<Index>& holding = state_->holding[edge];
  if (std::exchange(state_->holding_token[edge], t) != t) {
    find_holding(program, attributes, state_->named_values, t, holding);
  }
  assert(k < holding.size());
  const Attribute& attribute = attributes[holding[k]];
  std::string text;
  for (const Piece& piece : attribute.pieces) {
    text += piece.literal;
    text += TemplateEvaluator::text_at(program, *sentence_, state_->named_values, piece, t);
  }
  return text + attribute.tail;
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
  std::string out(kMagic);
  write_number(program_->lists.size(), out);
  write_text(source_, out);
  for (const auto& [path, phrases] : program_->lists) {
    write_text(path, out);
    write_text(phrases, out);
  }
  return out;
}

FeatureTemplate FeatureTemplate::deserialize(std::string_view bytes, const std::string& name) {
  TemplateReader reader(bytes, name);
  if (bytes.size() < kMagic.size() || reader.take(kMagic.size()) != kMagic) {
    reader.refuse("the template in the model has an unknown form");
  }
  const std::uint64_t num_lists = reader.number();
  const std::string source = reader.text();
  std::map<std::string, std::string> lists;  // phrases by path
  for (std::uint64_t i = 0; i < num_lists; ++i) {
    std::string path = reader.text();
    if (!lists.emplace(std::move(path), reader.text()).second) {
      reader.refuse("the template in the model has a list twice");
    }
  }
  if (!reader.at_end()) reader.refuse("the model has extra bytes after the template");
  const GazetteerLoader embedded = [&](const std::string& path) {
    const auto list = lists.find(path);
    if (list == lists.end()) throw InputError(name, 0, "the model does not have the list", path);
    return list->second;
  };
  FeatureTemplate made = parse(source, name + " (template)", embedded);
  if (made.program_->lists.size() != lists.size()) {
    reader.refuse("the model has a list that its template does not name");
  }
  return made;
}

}  // namespace trellis::tag
