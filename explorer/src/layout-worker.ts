/** Runs the layout beside the page. The same task gives the same places: nothing in it is left to chance or to time. */

import iterate from "graphology-layout-forceatlas2/iterate.js";
import { fixedOf, PER_NODE, placesOf, sizesOf, type Task } from "./matrices.js";
import { separate } from "./overlap.js";

/** Pixels that the drawing is taken to be wide when it is shown whole; decides how large an entity is in it. */
const WIDE = 900;
const MARGIN_PX = 0.6;
const PASSES = 60;

self.onmessage = ({ data }: MessageEvent<Task>): void => {
  const order = data.nodes.length / PER_NODE;
  const settings = {
    linLogMode: false,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 1,
    scalingRatio: 10,
    strongGravityMode: true,
    gravity: 0.05,
    slowDown: 1 + Math.log(order + 1),
    barnesHutOptimize: order > 800,
    barnesHutTheta: order > 2000 ? 1 : 0.6,
  };
  for (let step = 1; step <= data.iterations; step += 1) {
    iterate(settings, data.nodes, data.edges);
    if (step % data.every === 0 && step < data.iterations) {
      self.postMessage({ places: placesOf(data.nodes), share: step / data.iterations });
    }
  }
  const places = placesOf(data.nodes);
  const unit = widthOf(places) / WIDE;
  const radii = sizesOf(data.nodes).map((size) => (size * 1.35 + MARGIN_PX) * unit);
  separate(places, radii, fixedOf(data.nodes), PASSES);
  self.postMessage({ places, share: 1 });
};

function widthOf(places: Float32Array): number {
  let [least, most] = [Infinity, -Infinity];
  for (const place of places) {
    least = Math.min(least, place);
    most = Math.max(most, place);
  }
  return most - least || 1;
}
