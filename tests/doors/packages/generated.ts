// Uses the service by `openapi-fetch` and the types that `openapi-typescript` made of its description.

import createClient from "openapi-fetch";
import type { components, paths } from "./described";
import { blue, holds, samples } from "./files";

declare const process: { env: Record<string, string | undefined> };

async function main(): Promise<void> {
  const client = createClient<paths>({ baseUrl: process.env.QUARTET_ADDRESS });

  const request: components["schemas"]["SpeechRequest"] = { text: "Good morning.", voice: "Kore", engine: "fast" };
  const speech = await client.POST("/api/v1/tts/generate", { body: request });
  holds(typeof speech.data === "object" && "audioBase64" in speech.data.data, speech);
  const whole = Uint8Array.from(atob(speech.data.data.audioBase64), (byte) => byte.charCodeAt(0));
  holds(samples(whole) > 12_000 && samples(whole) < 48_000 && whole.length === speech.data.data.audioSize, whole.length);
  const streamed = await client.POST("/api/v1/tts/stream", { body: request, parseAs: "arrayBuffer" });
  holds(streamed.data instanceof ArrayBuffer && streamed.data.byteLength === whole.length, streamed.error);

  const seen = await client.POST("/api/v1/image/analyze", {
    // A file is a string in the types that are made, whatever its format.
    body: { image: blue() as unknown as string, language: "de" },
    bodySerializer: (fields) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value as string | Blob);
      return form;
    },
  });
  holds(seen.data && "colours" in seen.data.data, seen.error);
  holds(seen.data.data.picture.width === 80 && seen.data.data.colours[0]?.name.includes("blue"), seen.data.data);
  holds(seen.data.data.description.toLowerCase().includes("blau"), seen.data.data.description);

  const answer = await client.POST("/api/v1/chat", { body: { message: "What is 12 times 12?" } });
  holds(typeof answer.data === "object" && "answer" in answer.data.data, answer);
  holds(answer.data.data.answer.includes("144") && answer.data.data.usage.totalTokens === 0, answer.data.data);

  const begun = await client.POST("/api/v1/tts/generate", { body: request, params: { header: { prefer: "respond-async" } } });
  holds(begun.response.status === 202 && typeof begun.data === "object" && "jobId" in begun.data.data, begun);
  const path = { id: begun.data.data.jobId };
  const job = await client.GET("/api/v1/jobs/{id}", { params: { path, query: { wait: 25 } } });
  holds(job.data?.data.state === "done", job);

  const failed = await client.POST("/api/v1/tts/generate", { body: { text: "..." } });
  holds(failed.response.status === 400 && failed.error?.code === "nothing_to_speak", failed);
  holds(failed.error.success === false && failed.error.error.includes("`text`"), failed.error);
}

void main();
