#!/usr/bin/env python3
"""Plants faults in a small tree and expects layering_test.py to find each."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("layering_test.py")
SOUND = {
    "trellis/base/types.h": "",
    "trellis/data/vector.h": '#include "trellis/base/types.h"\n',
    "trellis/data/vector.cc": '#include "trellis/data/vector.h"\n#include <vector>\n',
    "trellis/data/CMakeLists.txt": "trellis_layer(data LAYERS base LIBRARIES Some::library)\n",
}


def complaints(files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in {**SOUND, **files}.items():
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        run = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return run.stdout if run.returncode == 1 else None


class LayeringFaults(unittest.TestCase):
    def expect(self, what, files):
        self.assertIn(what, complaints(files) or "no complaint")

    def test_a_sound_tree_passes(self):
        self.assertIsNone(complaints({}))

    def test_an_edge_upwards(self):
        self.expect("base may use nothing", {"trellis/base/a.h": '#include "trellis/data/vector.h"\n'})

    def test_an_edge_sideways_in_angle_brackets(self):
        files = {"trellis/solve/a.h": "", "trellis/data/b.h": "#include <trellis/solve/a.h>\n"}
        self.expect("data may use base", files)

    def test_a_cycle_within_a_layer(self):
        files = {
            "trellis/base/a.h": '#include "trellis/base/b.h"\n',
            "trellis/base/b.h": '#  include "trellis/base/a.h"\n',
        }
        self.expect("a cycle: trellis/base/a.h → trellis/base/b.h → trellis/base/a.h", files)

    def test_a_cycle_between_inner_rooms(self):
        files = {
            "trellis/base/a/x.h": '#include "trellis/base/b/x.h"\n',
            "trellis/base/b/x.h": "",
            "trellis/base/b/y.h": '#include "trellis/base/a/y.h"\n',
            "trellis/base/a/y.h": "",
        }
        self.expect("a cycle of rooms: trellis/base/a → trellis/base/b → trellis/base/a", files)

    def test_the_top_of_a_folder_may_use_its_rooms_and_they_the_top(self):
        files = {
            "trellis/base/a/x.h": '#include "trellis/base/types.h"\n',
            "trellis/base/b/x.h": '#include "trellis/base/a/x.h"\n',
            "trellis/base/all.h": '#include "trellis/base/a/x.h"\n#include "trellis/base/b/x.h"\n',
        }
        self.assertIsNone(complaints(files))

    def test_a_layer_that_links_what_it_may_not(self):
        files = {"trellis/solve/CMakeLists.txt": "trellis_layer(solve LAYERS\n  data base)\n"}
        self.expect("solve may not link data", files)

    def test_a_missing_file(self):
        self.expect("does not exist", {"trellis/base/a.h": '#include "trellis/base/b.h"\n'})

    def test_a_path_that_does_not_start_at_the_root(self):
        self.expect("from the root", {"trellis/base/a.cc": '#include "types.h"\n'})

    def test_a_folder_that_is_no_layer(self):
        self.expect("extras/ is not a layer", {"trellis/extras/a.h": ""})

    def test_a_file_outside_the_layers(self):
        self.expect("outside the layers", {"trellis/a.h": ""})

    def test_names_that_say_nothing(self):
        for name in "utils.h", "string_util.h", "common/a.h", "misc.cc", "parse_helpers.cc":
            self.expect("does not say what it holds", {f"trellis/base/{name}": ""})


if __name__ == "__main__":
    unittest.main()
