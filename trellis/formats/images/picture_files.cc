#include "trellis/formats/images/picture_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/parallel.h"
#include "trellis/base/text.h"
#include "trellis/formats/images/image_file.h"

namespace trellis::segment {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kEndings = {".png", ".pgm", ".ppm", ".pnm"};

bool is_picture(const fs::path& path) {
  return std::find(kEndings.begin(), kEndings.end(), path.extension().string()) != kEndings.end();
}

bool is_mask(const fs::path& path) {
  return is_picture(path) && path.stem().extension() == ".mask";
}

std::string mask_beside(const fs::path& picture) {
  std::error_code unknown;  // as of a name that is too long: no such file
  for (const std::string_view ending : kEndings) {
    fs::path mask = picture;
    mask.replace_extension(".mask" + std::string(ending));
    if (fs::exists(mask, unknown)) return mask.string();
  }
  return {};
}

PictureFile with_mask_beside(const fs::path& picture) {
  return {picture.stem().string(), picture.string(), mask_beside(picture)};
}

void add_directory(const fs::path& directory, std::vector<PictureFile>& files) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    if (is_picture(at->path()) && !is_mask(at->path())) found.push_back(at->path());
  }
  if (error)
    throw InputError(directory.string(), 0, "cannot list the directory: " + error.message());
  if (found.empty()) {
    throw InputError(directory.string(), 0, "expected pictures NAME.png in the directory");
  }
  std::sort(found.begin(), found.end());
  for (const fs::path& picture : found) files.push_back(with_mask_beside(picture));
}

void add_list(const std::string& path, std::vector<PictureFile>& files) {
  InputFile list(path);
  const fs::path directory = fs::path(path).parent_path();
  std::string_view line;
  std::vector<std::string_view> fields;
  while (list.read_line(line)) {
    split_columns(line, fields);
    if (fields.empty() || fields[0].starts_with('#')) continue;
    if (fields.size() > 2) {
      throw InputError(
          path, list.line_number(),
          fmt::format("expected a picture and its mask, found {} fields", fields.size()));
    }
    const fs::path picture = directory / fields[0];
    PictureFile file = with_mask_beside(picture);
    if (fields.size() == 2) file.mask = (directory / fields[1]).string();
    files.push_back(std::move(file));
  }
}

void refuse_same_names(std::span<const PictureFile> files) {
  std::map<std::string_view, std::string_view> seen;
  for (const PictureFile& file : files) {
    const auto [at, is_new] = seen.emplace(file.name, file.image);
    if (is_new) continue;
    throw InputError(
        file.image, 0,
        fmt::format("the picture has the same name as another picture, {}", at->second));
  }
}

}  // namespace

std::vector<PictureFile> list_pictures(std::span<const std::string> paths, bool need_masks) {
  std::vector<PictureFile> files;
  std::error_code unknown;
  for (const std::string& path : paths) {
    if (fs::is_directory(path, unknown)) {
      add_directory(path, files);
    } else if (is_picture(path)) {
      files.push_back(with_mask_beside(path));
    } else {
      const Index before = files.size();
      add_list(path, files);
      if (files.size() == before)
        throw InputError(path, 0, "expected pictures in the list, found none");
    }
  }
  refuse_same_names(files);
  for (const PictureFile& file : files) {
    if (!need_masks || !file.mask.empty()) continue;
    throw InputError(file.image, 0,
                     fmt::format("expected the mask {}.mask.png next to the picture", file.name));
  }
  return files;
}

Picture read_picture(const PictureFile& file) {
  Picture picture{file.name, image::read_image(file.image), {}};
  if (file.mask.empty()) return picture;
  picture.mask = image::read_mask(file.mask);
  if (picture.mask.width != picture.raster.width() ||
      picture.mask.height != picture.raster.height()) {
    throw InputError(file.mask, 0,
                     fmt::format("expected a mask of {} x {} pixels, the size of {}, found {} x {}",
                                 picture.raster.width(), picture.raster.height(), file.image,
                                 picture.mask.width, picture.mask.height));
  }
  return picture;
}

std::vector<Picture> read_pictures(std::span<const PictureFile> files, int threads) {
  std::vector<Picture> pictures(files.size());
  parallel_for(files.size(), threads, [&](Index i, int) { pictures[i] = read_picture(files[i]); });
  return pictures;
}

}  // namespace trellis::segment
