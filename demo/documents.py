"""The documents that the demo ingests."""

from pathlib import Path

from lcg.documents.finding import KINDS, find_documents
from lcg.documents.splitting import Chunk, cut

__all__ = ["Chunk", "cut", "find"]


def find(folder: Path) -> list[Path]:
    """Return the Markdown and text files below a folder, hidden ones left out."""
    found = find_documents([folder], folder)
    return sorted(document.path for document in found if KINDS[document.path.suffix.lower()] == "text")
