"""The documents that the demo ingests."""

from pathlib import Path

from lcg.documents.finding import KINDS, find_documents
from lcg.documents.splitting import Chunk, cut

__all__ = ["Chunk", "cut", "folder_documents", "project_documents"]


def project_documents(root: Path) -> list[Path]:
    """Return this project's own documents."""
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def folder_documents(folder: Path) -> list[Path]:
    """Return the Markdown and text files below a folder, hidden ones left out."""
    found = find_documents([folder], folder)
    return sorted(document.path for document in found if KINDS[document.path.suffix.lower()] == "text")
