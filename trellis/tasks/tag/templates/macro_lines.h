// Template lines in the syntax of CRF++ and Wapiti, compiled into the same programs as ours.
//
// CRF++ (Kudo):   U05:%x[-1,0]/%x[0,0]   a node attribute; %x[row,column] is the value of a field
//                 B01:%x[0,1]            an edge attribute
//                 B                      transitions
// Wapiti (Lavergne, Cappé & Yvon 2010) adds u, b and * (both) as first letters, and
//                 %t[0,0,"\u"]           "true" or "false": whether the pattern matches
//                 %m[0,0,"^.?.?"]        the first match, or nothing
//                 %X %T %M               the same in lower case
//                 %x[@1,0] %x[@-1,0]     rows from the start, from the end of the sentence
//                 %x[*2,0]               row offset given by the number in column 2
//
// The text of an attribute is its line with macros replaced, exactly as in those programs. Two
// things are more general here: characters are Unicode code points instead of Wapiti's bytes, and
// windows may be larger than CRF++'s 8 tokens. Wapiti's patterns have a small syntax of their own
// (. ^ $ * ? and the classes \a \d \l \p \s \u \w, complemented in upper case), which are ASCII.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/tasks/tag/templates/template_program.h"

namespace trellis::tag {

// Whether a template line has this syntax: it begins with U, u, B, b or *, and consists of this
// letter alone, or has a colon after its first word, or contains a macro.
bool is_macro_line(std::string_view line);

// Throws TemplateError. `name` and `number` are the origin of the line.
void parse_macro_line(std::string_view name, Index number, std::string_view line,
                      TemplateProgramBuilder& builder);

// Translates a Wapiti pattern into RE2 syntax; empty if '*' or '?' has nothing to repeat.
std::optional<std::string> translate_wapiti_pattern(std::string_view pattern);

}  // namespace trellis::tag
