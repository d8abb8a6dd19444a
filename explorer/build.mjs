// Bundles the page into one HTML file, src/lcg/explorer/generated/explorer.html. `make explorer` runs it.
//   node build.mjs [FILE]           the page; FILE instead of the usual place
//   node build.mjs test [FOLDER]    the tests, to test/built/ or another folder

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const at = (...parts) => join(here, ...parts);
const OUTPUT = at("..", "src", "lcg", "explorer", "generated", "explorer.html");
const common = {
  bundle: true, write: false, metafile: true, absWorkingDir: here, logLevel: "warning", charset: "utf8",
  legalComments: "none", target: ["es2023"],
};
const packages = new Set();

/** Bundle one entry and note which packages are in it. */
async function bundled(entry, options = {}) {
  const result = await build({ ...common, entryPoints: [entry], minify: true, format: "iife", ...options });
  for (const input of Object.keys(result.metafile.inputs)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (name) packages.add(name);
  }
  return result.outputFiles[0].text.trim();
}

const workers = {
  name: "workers",
  setup(plugin) {
    plugin.onResolve({ filter: /^worker:layout$/ }, () => ({ path: "layout", namespace: "worker" }));
    plugin.onLoad({ filter: /.*/, namespace: "worker" }, async () => ({
      contents: await bundled("src/layout-worker.ts"), loader: "text",
    }));
  },
};

function licences() {
  return [...packages].sort().map((name) => {
    const folder = at("node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (!file) throw new Error(`${name} has no licence file`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
  });
}

function comment(text) {
  if (text.includes("--")) throw new Error("a licence cannot stand in a comment");
  return `<!--\n${text}\n-->`;
}

const digest = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

async function page() {
  const script = await bundled("src/main.ts", { plugins: [workers] });
  const style = await bundled("src/style.css");
  const head = [
    "DO NOT EDIT. Renew with `make explorer`.",
    "Source: explorer/ (TypeScript), bundled by explorer/build.mjs.",
    "",
    "It contains these packages, under their own licences:",
    "",
    licences().join("\n\n"),
  ].join("\n");
  const values = { head: comment(head), script, style, script_digest: digest(script), style_digest: digest(style) };
  return readFileSync(at("src", "page.html"), "utf8").replace(/\{\{(\w+)\}\}/g, (all, name) => values[name] ?? all);
}

if (process.argv[2] === "test") {
  const folder = process.argv[3] ?? at("test", "built");
  rmSync(folder, { recursive: true, force: true });
  const entries = readdirSync(at("test")).filter((name) => name.endsWith(".test.ts")).map((name) => `test/${name}`);
  await build({
    ...common, write: true, entryPoints: entries, outdir: folder, outExtension: { ".js": ".mjs" },
    platform: "node", format: "esm",
  });
} else {
  const target = process.argv[2] ?? OUTPUT;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, await page());
}
