"""Findings as values: what is wrong, where, and what to do; and how they are shown."""

from fabric_auto.diagnostics.model import Diagnostic, Note, Rule, Severity, Span

__all__ = ["Diagnostic", "Note", "Rule", "Severity", "Span"]
