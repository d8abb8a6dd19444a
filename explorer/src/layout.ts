/** Finds places for entities: those with links by ForceAtlas2 in a worker, the rest in rows below. */

import code from "worker:layout";
import { matrices, type Joined, type Placed } from "./matrices.js";

export interface Progress {
  places: Float32Array;
  /** 0 to 1, where all is done. */
  share: number;
}

/** Start a layout; `tell` is called with the places so far. Returns what stops it. */
export function startLayout(
  placed: readonly Placed[],
  joined: readonly Joined[],
  iterations: number,
  tell: (progress: Progress) => void,
): () => void {
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(address);
  const stop = (): void => {
    worker.terminate();
    URL.revokeObjectURL(address);
  };
  worker.onmessage = ({ data }: MessageEvent<Progress>): void => {
    tell(data);
    if (data.share >= 1) stop();
  };
  worker.onerror = stop;
  worker.postMessage({ ...matrices(placed, joined), iterations, every: 10 });
  return stop;
}

/** Return how many steps a graph of this size is given: enough to unfold, and not more than a few seconds. */
export function iterationsFor(size: number): number {
  return size < 500 ? 600 : size < 2500 ? 400 : 250;
}
