"""How fluid the page of the graph is: `python -m bench.explorer [ENTITIES FACTS]`, 5,000 and 10,000 without.

A headless Chromium opens a page with a made-up graph, waits for the layout, and is then used with a mouse: the drawing
is dragged around, zoomed with the wheel, and the pointer is moved over entities, which stand out. Counted are the
frames that the browser gives the page meanwhile. WebGL is drawn by the processor (SwiftShader), the slowest case there
is, and most of a frame is waiting for it; a graphics card takes that away. The page's own code is told beside it.
"""

import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.explorer_graph import made_up
from lcg.explorer.page import file_page
from tests.explorer.browser import chromium, launch, missing

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

MOVES = 60
COUNT = """() => {
  const times = [];
  window.counted = times;
  const note = (time) => { times.push(time); window.counting = requestAnimationFrame(note); };
  window.counting = requestAnimationFrame(note);
}"""
STOP = "() => { cancelAnimationFrame(window.counting); return window.counted; }"


def main() -> int:
    """Measure, print, and return the exit status."""
    reason = missing()
    if reason is not None:
        print(f"not measured: {reason}")
        return 1
    entities, facts = (int(each) for each in sys.argv[1:3]) if len(sys.argv) > 2 else (5_000, 10_000)
    with tempfile.TemporaryDirectory() as folder, chromium() as kind, launch(kind) as browser:
        path = Path(folder, "graph.html")
        path.write_bytes(file_page("measured", made_up(entities, facts)))
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        began = time.monotonic()
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-drawing=settled]", state="attached", timeout=300_000)
        print(f"{entities:,} entities, {facts:,} facts, a file of {path.stat().st_size / 1e6:.1f} MB")
        print(f"opened and laid out in {time.monotonic() - began:.1f} s")
        session = page.context.new_cdp_session(page)
        session.send("Profiler.enable")
        for name, use in (("dragging", drag), ("zooming", zoom), ("pointing", point)):
            print(f"{name:<9} {measured(page, session, use)}")
    return 0


def measured(page: "Page", session: "CDPSession", use: Callable[["Page"], None]) -> str:
    """Use the page and say how many frames there were."""
    page.evaluate(COUNT)
    session.send("Profiler.start")
    use(page)
    own, waiting = spent(session.send("Profiler.stop")["profile"])
    times: list[float] = page.evaluate(STOP)
    gaps = sorted(later - earlier for earlier, later in itertools.pairwise(times))
    rate = 1000 * len(gaps) / (times[-1] - times[0])
    return (
        f"{rate:5.1f} frames a second; a frame takes {statistics.median(gaps):.0f} ms, one in twenty more than "
        f"{gaps[int(len(gaps) * 0.95)]:.0f} ms; the page's code works {own / len(gaps):.1f} ms a frame and waits "
        f"{waiting / len(gaps):.1f} ms for what draws"
    )


def spent(profile: dict[str, Any]) -> tuple[float, float]:
    """Return the milliseconds of the page's own code, and those in which it waited for WebGL."""
    names = {each["id"]: each["callFrame"]["functionName"] for each in profile["nodes"]}
    own = waiting = 0.0
    for sample, microseconds in zip(profile["samples"], profile["timeDeltas"], strict=True):
        if names[sample] == "readPixels":
            waiting += microseconds / 1000
        elif names[sample] not in ("(idle)", "(program)", "(root)"):
            own += microseconds / 1000
    return own, waiting


def drag(page: "Page") -> None:
    """Draw the graph around in circles."""
    page.mouse.move(860, 400)
    page.mouse.down()
    for step in range(MOVES):
        page.mouse.move(860 + 200 * ((step % 40) / 40 - 0.5), 400 + 150 * ((step % 30) / 30 - 0.5))
    page.mouse.up()


def zoom(page: "Page") -> None:
    """Turn the wheel there and back."""
    for step in range(MOVES):
        page.mouse.wheel(0, -60 if step % 20 < 10 else 60)
        page.wait_for_timeout(16)


def point(page: "Page") -> None:
    """Move over entities, each of which stands out with its neighbours."""
    for step in range(MOVES):
        page.mouse.move(600 + step * 8, 300 + (step * 37) % 200)


if __name__ == "__main__":
    sys.exit(main())
