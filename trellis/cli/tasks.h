// The tasks of the program, each with its commands: train, predict, evaluate, inspect; tag, align,
// parse, grammar and factors have explain as well.
#pragma once

#include "trellis/cli/command.h"

namespace trellis {

namespace tag {
void add_tag(cli::Program& program);
}
namespace classify {
void add_classify(cli::Program& program);
}
namespace segment {
void add_segment(cli::Program& program);
}
namespace label {
void add_label(cli::Program& program);
}
namespace match {
void add_match(cli::Program& program);
}
namespace align {
void add_align(cli::Program& program);
}
namespace parse {
void add_parse(cli::Program& program);
}
namespace grammar {
void add_grammar(cli::Program& program);
}
namespace rank {
void add_rank(cli::Program& program);
}
namespace factors {
void add_factors(cli::Program& program);
}
namespace topics {
void add_topics(cli::Program& program);
}
namespace hmm {
void add_hmm(cli::Program& program);
}
namespace bayes {
void add_bayes(cli::Program& program);
}

}  // namespace trellis
