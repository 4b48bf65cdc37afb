"""The table of contents of the tool: load → parse → build → derive → check → render → write. Pure but for files."""
