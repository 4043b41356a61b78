// Template lines in the notations of CRF++ and Wapiti, compiled into the same program as ours.
//
// CRF++ (Kudo):   U05:%x[-1,0]/%x[0,0]   a node attribute; %x[row,column] stands for a field
//                 B01:%x[0,1]            an edge attribute
//                 B                      transitions
// Wapiti (Lavergne, Cappé & Yvon 2010) adds, with u, b and * (both) as first letters:
//                 %t[0,0,"\u"]           "true" or "false": whether the pattern matches
//                 %m[0,0,"^.?.?"]        the first match, or nothing
//                 %X %T %M               the same in lower case
//                 %x[@1,0] %x[@-1,0]     counted from the start, from the end of the sentence
//                 %x[*2,0]               as far away as the number in column 2 says
//
// An attribute's text is its line with the macros replaced, exactly as in those programs. Two
// things are more general here: characters are Unicode code points where Wapiti has bytes, and
// CRF++'s windows may reach further than 8 tokens. Wapiti's patterns are of its own small dialect
// (. ^ $ * ? and the classes \a \d \l \p \s \u \w, complemented in upper case), which are ASCII.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/tasks/tag/templates/template_program.h"

namespace trellis::tag {

// Whether a line of a template is one of these: it begins with U, u, B, b or *, and is that letter
// alone, or has a colon after its first word, or has a macro.
bool is_macro_line(std::string_view line);

// Throws TemplateError. `name` and `number` say where the line comes from.
void parse_macro_line(std::string_view name, Index number, std::string_view line,
                      TemplateProgramBuilder& builder);

// A pattern of Wapiti's dialect in RE2's; nothing if '*' or '?' has nothing to repeat.
std::optional<std::string> translate_wapiti_pattern(std::string_view pattern);

}  // namespace trellis::tag
