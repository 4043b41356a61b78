"""Aligns two files with eflomal, as its command line does by default: IBM 1, HMM and fertilities, three samplers, both directions.

    eflomal_align.py SOURCE TARGET FORWARD REVERSE

The links go to two files. Prints one JSON object: what the sampler itself used, without starting Python and numbering words. Runs in the
virtual environment of bench/peers."""

import json
import resource
import sys

import eflomal


def main():
    source, target, forward, reverse = sys.argv[1:]
    with open(source, encoding="utf-8") as source_text, open(target, encoding="utf-8") as target_text:
        eflomal.Aligner().align(source_text, target_text, links_filename_fwd=forward, links_filename_rev=reverse)
    sampler = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({"cpu": sampler.ru_utime + sampler.ru_stime, "memory": sampler.ru_maxrss / 1024}))


if __name__ == "__main__":
    main()
