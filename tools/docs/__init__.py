"""Makes what readers of the documents get beside the pages that people write. Not part of the package."""
