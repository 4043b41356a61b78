"""Word alignment of the Hansards: what ./dev bench paper-alignment, aligner-learners and aligner-scale are made of."""
