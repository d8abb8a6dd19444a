"""From files to chunks: finding documents, reading them as text, and cutting them where a reader would."""
