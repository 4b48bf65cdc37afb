"""YAML with the place of every node: files in, documents with spans and findings out."""

from fabric_auto.source.document import Document, Key, Place
from fabric_auto.source.files import SourceFile, read_folder, read_source
from fabric_auto.source.reader import load_text

__all__ = ["Document", "Key", "Place", "SourceFile", "load_text", "read_folder", "read_source"]
