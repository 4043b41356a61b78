// The script that replaces the picture of a document map by a canvas: zoom, pan, the document under
// the pointer, classes that can be hidden, search in titles. Fifty thousand points take some
// milliseconds to draw. A body for page_script(); it reads #documents-data, and reports the topic
// of a clicked document by the event "choose-topic".
#pragma once

#include <string_view>

namespace trellis::report {

std::string_view document_map_script();

}  // namespace trellis::report
