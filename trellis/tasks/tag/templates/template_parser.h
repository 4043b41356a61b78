// The parser of the template language; template_reference() describes the language.
//
//     template   = { line }                      a line holds statements separated by ';'
//     statement  = name "=" expression           | "boundary" ( "mark" | "drop" )
//                | ( "node" | "edge" ) [ string ":" ] [ item { "|" item } ]
//                | "node" string
//                | a line of CRF++ or Wapiti (macro_lines.h)
//     item       = expression [ "[" place "]" ]
//     place      = integer [ ".." integer ]      | "@" integer | expression
//     expression = "column" integer | name | "first" | "last"
//                | function "(" expression { "," argument } ")"
#pragma once

#include <string>
#include <string_view>

#include "trellis/tasks/tag/templates/gazetteer.h"
#include "trellis/tasks/tag/templates/template_program.h"

namespace trellis::tag {

inline constexpr Index kMaxTemplateBytes = Index{1} << 20;

// Messages name `name`. Throws TemplateError if the position is known, else InputError.
TemplateProgram parse_template(std::string_view text, std::string_view name,
                               const GazetteerLoader& loader);

// A one-page description of the language, for --help.
std::string_view template_reference();

}  // namespace trellis::tag
