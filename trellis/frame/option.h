// One option of a command: the variable that it sets, its help, its default, the values that it
// takes, and the options that it requires or excludes. An option is data: the command line, Python,
// the generated page docs/options.md, and the identity of a checkpoint all read the same facts.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::frame {

// The variable that an option sets.
struct AnyText {  // text that a function reads, and that another one writes
  std::function<void(const std::string&)> read;
  std::function<std::string()> write;
};
struct Off {  // a flag that makes it false
  bool* value;
};
struct PrintAndExit {  // prints, instead of running the command
  std::function<std::string()> text;
};
using Target =
    std::variant<std::string*, double*, Index*, int*, std::optional<std::string>*,
                 std::optional<double>*, std::optional<Index>*, std::vector<std::string>*,
                 std::vector<double>*, std::vector<Index>*, std::map<std::string, double>*, bool*,
                 std::optional<bool>*, AnyText, Off, PrintAndExit>;

class Option {
 public:
  struct Range {
    double least, most;
  };
  // What must hold of another option if this one is given.
  struct Rule {
    std::string other;
    bool excluded = false;            // must not be given; else it must be given,
    std::vector<std::string> values;  // or, if there are any, have one of these values
    std::string because;
  };
  struct Facts {
    std::string name;  // without dashes: "gap-every"
    std::string off;   // the name that makes a flag false again: "no-average"; empty: none
    bool by_place = false;
    std::string help, group;
    std::string brief;  // what the short help says instead of `help`; empty: the same
    Target target;
    std::vector<std::string> words;  // the only values; empty: any
    std::optional<Range> range;
    std::optional<std::string> shown;  // the default in the help; none: the value of the variable
    std::optional<std::string> alone;  // the value of an option that is given without one
    bool required = false;
    bool hidden = false;     // not in any help
    bool repeats = false;    // one value each time that it is given
    bool same_bits = false;  // the result does not depend on it
    int count = 0;           // number of values; 0: as the variable has it
    std::vector<Rule> rules;
  };

  explicit Option(Facts facts) : facts_(std::move(facts)) {}

  Option& required();
  Option& one_of(std::vector<std::string> words);
  Option& between(double least, double most);
  Option& shows(std::string_view standard);
  Option& hidden();
  Option& brief(std::string help);
  Option& takes(int count);
  Option& repeats();
  Option& or_alone(std::string value);
  // The result of a run does not depend on it, so a checkpoint does not record it.
  Option& same_bits();
  // Rules. `because` completes the sentence "--a requires --b: …".
  Option& needs(std::string other, std::string because = {});
  Option& only_with(std::string other, std::vector<std::string> values, std::string because = {});
  Option& excludes(std::string other, std::string because = {});

  const Facts& facts() const { return facts_; }
  const std::string& name() const { return facts_.name; }
  // "--gap-every", or the name alone of an argument by place.
  std::string flag() const { return facts_.by_place ? facts_.name : "--" + facts_.name; }
  bool is_flag() const;
  // Whether the caller gave it; a flag that is false and has no name for that counts as not given.
  bool given() const;
  void mark_given() { given_ = true; }
  // The value of the variable, as the command line would have it; empty: it has none.
  std::string value() const;
  // What a checkpoint records of it: "--order 2"; empty: nothing.
  std::string identity() const;

 private:
  Facts facts_;
  bool given_ = false;
};

}  // namespace trellis::frame
