// First load and lazy chunks, gzip, from the build's manifest.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const dist = process.argv[2] ?? "dist";
const manifest = JSON.parse(readFileSync(`${dist}/.vite/manifest.json`, "utf8"));
const entry = Object.values(manifest).find((one) => one.isEntry);
const first = new Set();
const walk = (chunk) => {
  if (first.has(chunk.file)) return;
  first.add(chunk.file);
  (chunk.css ?? []).forEach((file) => first.add(file));
  (chunk.imports ?? []).forEach((name) => walk(manifest[name]));
};
walk(entry);
const gz = (file) => gzipSync(readFileSync(`${dist}/${file}`)).length / 1024;
let total = 0;
for (const file of first) total += gz(file);
console.log(`first load ${total.toFixed(1)} KB gzip`);
for (const { file } of Object.values(manifest)) if (!first.has(file)) console.log(`  lazy ${file} ${gz(file).toFixed(1)} KB`);
if (total > 350) process.exit(1);
