/** The page's beginning: gets the graph, embedded or from the service, and hands it to the explorer. */

import { readGraph, type GraphData } from "./data.js";
import { el } from "./dom.js";
import { Explorer } from "./explorer.js";
import { connect, type Remote } from "./remote.js";

async function start(): Promise<void> {
  const app = document.getElementById("app")!;
  const embedded = document.getElementById("graph-data")!.textContent!.trim();
  const remote: Remote | null = embedded ? null : connect();
  app.replaceChildren(el("p", { class: "plain", attrs: { role: "status" } }, "Reading the graph …"));
  try {
    const data: GraphData = remote ? await remote.graph() : readGraph(embedded);
    new Explorer(app, data, remote);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    app.replaceChildren(el("p", { class: "plain", attrs: { role: "alert" } }, message));
    throw error;
  }
}

void start();
