// Has clients for TypeScript made from the service's descriptions, compiles programs that use them, which checks their types,
// and runs these.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const address = process.env.QUARTET_ADDRESS;
const program = (name) => join("node_modules", ".bin", name);
const run = (name, ...given) => execFileSync(program(name), given, { stdio: ["ignore", "inherit", "inherit"] });

const folder = mkdtempSync(join(tmpdir(), "generated-"));
try {
  // The compiler makes nothing of files inside the folder of the packages, so that stands inside theirs.
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "dir");
  // The newer description, as types alone.
  run("openapi-typescript", `${address}/openapi.json`, "--output", join(folder, "described.d.ts"));
  // The older one, by a generator that knows no other.
  const older = await (await fetch(`${address}/openapi-3.0.json`)).json();
  assert.match(older.openapi, /^3\.0\./);
  writeFileSync(join(folder, "described.json"), JSON.stringify(older));
  run("openapi", "--input", join(folder, "described.json"), "--output", join(folder, "older"), "--useOptions");

  const programs = ["generated.ts", "generated_older.ts"];
  for (const file of [...programs, "files.ts"]) copyFileSync(file, join(folder, file));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "commonjs" }));
  const compilerOptions = { strict: true, target: "es2022", module: "node16", lib: ["es2022", "dom", "dom.iterable"], types: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: programs }));
  run("tsc", "--project", folder);
  for (const file of programs) {
    execFileSync("node", [join(folder, file.replace(/ts$/, "js"))], { stdio: "inherit" });
  }
} finally {
  rmSync(folder, { recursive: true });
}

console.log("all is well");
