// Makes tts.wasm of morse.js. A speech component may import neither clocks nor random numbers, standard streams or requests of
// its own, so that the engine gets none of them.

import { readFile, writeFile } from "node:fs/promises";
import { componentize } from "@bytecodealliance/componentize-js";

const { component } = await componentize(await readFile("morse.js", "utf8"), {
  witPath: "../../wit",
  worldName: "component",
  disableFeatures: ["clocks", "fetch-event", "http", "random", "stdio"],
});
await writeFile("tts.wasm", component);
