"""What is done with all measurements alike: how they are found, run, recorded, kept and told in docs/performance.md."""
