#include "trellis/tasks/tag/templates/template_parser.h"

namespace trellis::tag {

std::string_view template_reference() {
  return R"(A template says which attributes a token has. A line is a statement (or several, separated
by ";"), "#" begins a comment, columns are counted from 0.

  word = column 0              a name for an expression
  node word                    an attribute of the token:             word[0]=Paris
  node word[-2..2]             of its neighbours, one for each offset: word[-2]=… to word[2]=…
  node word[-1] | pos[0]       a conjunction:                         word[-1]|pos[0]=in|NNP
  node "near": word[-3..3]     a name of your own (here: a bag of words): near=Paris
  node ; node "name"           an attribute that every token has
  edge                         transitions from label to label
  edge word[0]                 transitions that depend on the word
  boundary mark                offsets beyond the sentence are _B-1, _B-2 … and _E+1, _E+2 … (the
                               default, for the lines that follow)
  boundary drop                … or there is no such attribute

Places: word[-1], word[-2..2], word[@1] and word[@-1] (the first and the last token),
word[head] (as far away as the number in the expression `head` says); word alone is word[0].

Functions of text, which can be nested:
  lower(e) upper(e)            case
  shape(e) short_shape(e)      Xxxxx-dd and Xx-d for "Trell-42"
  case(e)                      none, lower, title, upper, single or mixed
  prefix(e, 3) suffix(e, 1..4) affixes of so many characters, if the text is that long
  length(e)                    in characters
  find(e, "[0-9]+")            the first match of a regular expression (RE2), or its first group
  replace(e, "[0-9]", "0")     every match replaced
  test(e, "[0-9]")             true or false: whether there is a match
Tests, which make an attribute without a value, if they hold:
  match(e, "[0-9]")            there is a match
  contains(e, "-")             the text is in e
  has(e, C) all(e, C) starts(e, C) ends(e, C)
                               some, all, the first, the last character are of class C: letter, upper,
                               lower, digit, alnum or punctuation
  first, last                  the token is the first, the last of the sentence
Lists of phrases, one per line of a file:
  in(e, "cities.txt")          B, I, L or U: the position in the longest phrase found
  in(e, "cities.txt", ignore_case)

Lines of CRF++ (U00:%x[-1,0]/%x[0,0], B, B01:%x[0,1]) and of Wapiti (u: b: *: %X %t %m) are
understood as they are.
)";
}

}  // namespace trellis::tag
