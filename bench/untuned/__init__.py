"""Trellis with file names only, compared with peers with their users' usual tuning: what ./dev bench defaults is made of.

`session` runs programs and counts their CPU seconds, `noise` compares two sets of predictions, `rows` keeps and prints what was
found, `parts` cuts files; the others say for each task which data there are, how ours is called and who the peers are."""
