// Lists of pictures, each with a mask that separates figure from ground. The list format is
// Trellis' own and is described here; image_file.h reads the pictures. A user names
//
//   a directory   every NAME.png in it (or .pgm, .ppm, .pnm), with the mask NAME.mask.png, by name
//   a picture     with its mask in the same directory, as above
//   a list        any other file: a picture and its mask per line, relative to the list's own
//                 directory; '#' begins a comment
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/images/raster.h"

namespace trellis::segment {

struct PictureFile {
  std::string name;  // without directory and ending
  std::string image;
  std::string mask;  // empty: there is none
};

// Throws InputError if there is no picture, or (with `need_masks`) if a picture has no mask. Two
// pictures of one name are refused: their predictions would be one file.
std::vector<PictureFile> list_pictures(std::span<const std::string> paths, bool need_masks);

struct Picture {
  std::string name;
  image::Raster raster;
  image::Mask mask;  // of the raster's size, or 0 × 0 where there is none
};

// Throws InputError if the mask has another size.
Picture read_picture(const PictureFile& file);
std::vector<Picture> read_pictures(std::span<const PictureFile> files, int threads);

}  // namespace trellis::segment
