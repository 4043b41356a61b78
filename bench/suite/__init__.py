"""Code for all measurements: how they are found, run, recorded, kept, and shown in docs/performance.md."""
