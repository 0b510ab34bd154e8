// Uses the service by the client that `openapi-typescript-codegen` made of its description in OpenAPI 3.0.

import { ApiError, ChatService, Engine, ImageService, Language, OpenAPI, TtsService, Voice } from "./older";
import { blue, holds, samples } from "./files";

declare const process: { env: Record<string, string | undefined> };

async function main(): Promise<void> {
  OpenAPI.BASE = process.env.QUARTET_ADDRESS ?? "";

  const requestBody = { text: "Good morning.", voice: Voice.KORE, engine: Engine.FAST };
  const speech = (await TtsService.generateSpeech({ requestBody })).data;
  holds("audioBase64" in speech, speech);
  const whole = Uint8Array.from(atob(speech.audioBase64), (byte) => byte.charCodeAt(0));
  holds(samples(whole) > 12_000 && samples(whole) < 48_000 && whole.length === speech.audioSize, whole.length);

  const seen = (await ImageService.describePicture({ formData: { image: blue(), language: Language.DE } })).data;
  holds("colours" in seen && seen.colours[0]?.name.includes("blue"), seen);
  holds(seen.description.toLowerCase().includes("blau"), seen.description);

  const answer = await ChatService.chat({ requestBody: { message: "What is 12 times 12?" } });
  holds(typeof answer === "object" && "answer" in answer.data && answer.data.answer.includes("144"), answer);

  const failed: unknown = await TtsService.generateSpeech({ requestBody: { text: "..." } }).then(() => null, (error) => error);
  holds(failed instanceof ApiError && failed.status === 400 && failed.body.code === "nothing_to_speak", failed);
}

void main();
