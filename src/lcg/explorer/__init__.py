"""The graph to look at: one page, as a file of `lcg export --format html` or served by `lcg view`.

`selection.py` chooses what is drawn, `records.py` and `reading.py` say it in the shapes that the page reads
(explorer/src/data.ts), `page.py` puts it into the page. The page itself is bundled from explorer/ into `generated/`.
"""
