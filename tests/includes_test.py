#!/usr/bin/env python3
"""Fails on a file of trellis/ that speaks of std::vector and brings no <vector> along, itself or by the
headers of the house that it includes. Folders are compiled as one, and the installed headers are tried
with the standard library before them, so no compiler would notice. Usage: includes_test.py SOURCE_DIR
"""

import re
import sys
from pathlib import Path

# What each header of the standard library is included for; some names have several homes.
HOMES = {
    "algorithm": "all_of any_of none_of clamp copy copy_if copy_n count count_if equal equal_range fill fill_n find find_if"
                 " is_sorted lower_bound max max_element min min_element minmax_element nth_element partial_sort"
                 " partition remove remove_if replace reverse rotate sort stable_sort swap_ranges transform unique"
                 " upper_bound",
    "any": "any any_cast",
    "array": "array",
    "atomic": "atomic memory_order_relaxed",
    "bit": "bit_cast bit_ceil bit_floor bit_width countl_zero countr_zero endian popcount rotl",
    "charconv": "from_chars to_chars",
    "chrono": "chrono",
    "cmath": "abs cbrt ceil copysign exp expm1 floor fma hypot isfinite isinf isnan ldexp lgamma log log1p log2 lround"
             " pow round signbit sqrt",
    "complex": "complex",
    "concepts": "convertible_to derived_from invocable same_as integral floating_point",
    "condition_variable": "condition_variable",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t",
    "cstdlib": "abs getenv strtod exit",
    "cstring": "memchr memcmp memcpy memset strerror",
    "deque": "deque",
    "exception": "current_exception exception exception_ptr rethrow_exception",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream",
    "functional": "equal_to function greater less reference_wrapper",
    "future": "async future",
    "iterator": "back_inserter istreambuf_iterator make_move_iterator",
    "limits": "numeric_limits",
    "list": "list",
    "map": "less map multimap",
    "memory": "make_shared make_unique shared_ptr unique_ptr weak_ptr",
    "mutex": "lock_guard mutex scoped_lock unique_lock",
    "numbers": "numbers",
    "numeric": "accumulate iota inner_product partial_sum reduce",
    "optional": "nullopt optional",
    "queue": "priority_queue queue",
    "ranges": "ranges views",
    "regex": "regex",
    "set": "less multiset set",
    "span": "as_bytes as_writable_bytes span",
    "sstream": "istringstream ostringstream stringstream",
    "stdexcept": "invalid_argument logic_error out_of_range runtime_error",
    "stop_token": "stop_source stop_token",
    "string": "string stod stoi to_string",
    "string_view": "string_view",
    "system_error": "errc error_code generic_category system_error",
    "thread": "jthread thread",
    "tuple": "get make_tuple tie tuple",
    "type_traits": "conditional_t decay_t enable_if_t is_same_v remove_cvref_t is_trivially_copyable_v",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "utility": "as_const exchange get make_pair move pair swap",
    "valarray": "valarray",
    "variant": "get get_if holds_alternative monostate variant visit",
    "vector": "vector",
}
# What else the standard promises: these headers have the names of those.
BRINGS = {
    "string": ["string_view"], "charconv": ["system_error"], "array": ["utility"], "map": ["utility"], "unordered_map": ["utility"], "thread": ["stop_token"],
    "fstream": ["string"], "sstream": ["string"], "iostream": ["string"], "filesystem": ["string", "system_error"], "ranges": ["iterator"],
    "condition_variable": ["mutex"], "stdexcept": ["string", "exception"], "utility": ["tuple"], "tuple": ["utility"],
    "algorithm": ["utility"], "functional": ["utility"], "memory": ["utility"], "vector": ["utility"], "optional": ["utility"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')
NAME = re.compile(r"\bstd::([a-z_0-9]+)")


def homes_by_name():
    homes = {}
    for header, names in HOMES.items():
        for name in names.split():
            homes.setdefault(name, set()).add(header)
    return homes


def brought_along(name, texts, known):
    """The headers of others that file `name` includes, itself or through files of the house."""
    if name not in known:
        known[name] = set()  # a cycle is layering_test.py's business
        for target in INCLUDE.findall(texts[name]):
            if target in texts:
                known[name] |= brought_along(target, texts, known)
            else:
                known[name] |= {target, *BRINGS.get(target, [])}
    return known[name]


def complaints(texts):
    homes, known = homes_by_name(), {}
    for name, text in sorted(texts.items()):
        there = brought_along(name, texts, known)
        for word in sorted(set(NAME.findall(COMMENT.sub("", text)))):
            wanted = homes.get(word, set())
            if wanted and not wanted & there:
                yield f"{name}: speaks of std::{word} without <{'>, <'.join(sorted(wanted))}>"


def main():
    root = Path(sys.argv[1])
    files = [p for p in (root / "trellis").rglob("*") if p.suffix in {".h", ".cc"}]
    found = list(complaints({p.relative_to(root).as_posix(): p.read_text(encoding="utf-8") for p in files}))
    print("\n".join(found) if found else f"{len(files)} files, no complaint")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
