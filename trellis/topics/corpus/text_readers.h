// Readers of documents that are text: each a line, a row of a table, or a file (document_reader.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/text_columns.h"
#include "trellis/topics/corpus/document_reader.h"
#include "trellis/topics/corpus/source_text.h"

namespace trellis::topics {

class LineReader final : public DocumentReader {
 public:
  explicit LineReader(SourceLines lines) : lines_(std::move(lines)) {}

  bool read(SourceDocument& document) override;
  const std::string& name() const override { return lines_.name(); }
  Index line_number() const override { return lines_.line_number(); }

 private:
  SourceLines lines_;
};

class TsvReader final : public DocumentReader {
 public:
  // `columns` not given: the usual ones for the number of columns in the first line.
  TsvReader(SourceLines lines, std::optional<TextColumns> columns)
      : lines_(std::move(lines)), columns_(std::move(columns)) {}

  bool read(SourceDocument& document) override;
  const std::string& name() const override { return lines_.name(); }
  Index line_number() const override { return lines_.line_number(); }

 private:
  void check_columns();
  void assign(ColumnRole role, std::string_view field, SourceDocument& document);

  SourceLines lines_;
  std::optional<TextColumns> columns_;
  std::vector<std::string_view> fields_;
  std::string joined_;  // texts of several columns
};

// Whether a line is certainly the first line of translations: `id`, and two or more different
// language codes: two or three lower-case letters, and possibly a region or script (pt, pt-BR,
// zh_Hant). In a tsv this would be a document called "id" whose text is only a code; the names of
// columns in other tables (label, text, language) are not such codes.
bool names_languages(std::string_view line);

class TranslationsReader final : public DocumentReader {
 public:
  explicit TranslationsReader(SourceLines lines) : lines_(std::move(lines)) {}

  bool read(SourceDocument& document) override;
  const std::string& name() const override { return lines_.name(); }
  Index line_number() const override { return lines_.line_number(); }

 private:
  bool read_names();
  bool read_row();

  SourceLines lines_;
  std::vector<std::string> names_;        // of the columns; empty before the first line is read
  std::vector<std::string_view> fields_;  // of the row
  Index next_ = 0;                        // column of the row
};

class FileReader final : public DocumentReader {
 public:
  // A file, or all files of a folder.
  explicit FileReader(const std::string& path);

  bool read(SourceDocument& document) override;
  const std::string& name() const override { return name_; }
  Index line_number() const override { return 0; }

 private:
  struct Entry {
    std::string path;
    std::string id;
    std::string label;
  };
  void list(const std::filesystem::path& folder);

  std::vector<Entry> entries_;
  Index next_ = 0;
  std::string name_;
  std::string text_;
};

}  // namespace trellis::topics
