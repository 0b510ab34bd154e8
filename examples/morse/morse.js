// A speech component in JavaScript: it says texts in Morse code. It answers what every speech component is asked before it
// serves (`host/src/registry/probe/tts.rs`), and so takes the place of Quartet's own voice in a service that runs.

import { Fields, OutgoingBody, OutgoingResponse, ResponseOutparam } from "wasi:http/types@0.2.12";

const SAMPLE_RATE = 24000;
const PITCH = 600; // hertz
const DOT = 0.05; // seconds

const CODE = Object.fromEntries(
  ("a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- " +
    "w.-- x-..- y-.-- z--.. 0----- 1.---- 2..--- 3...-- 4....- 5..... 6-.... 7--... 8---.. 9----.")
    .split(" ")
    .map((entry) => [entry[0], entry.slice(1)]),
);

const LANGUAGES = [
  ["en", "English"], ["hi", "Hindi"], ["es", "Spanish"], ["fr", "French"], ["de", "German"], ["it", "Italian"],
  ["pt", "Portuguese"], ["ru", "Russian"], ["ja", "Japanese"], ["zh", "Chinese"], ["ko", "Korean"], ["ar", "Arabic"],
];
const VOICES = ["Kore", "Phoebe", "Charon", "Fenrir", "Aoede"];

// A failure for the client, with the service's word for it.
class Failure extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}

// A part of a sound as bytes of 16-bit samples: a tone, or silence.
function part(dots, level) {
  const samples = new Int16Array(Math.round(dots * DOT * SAMPLE_RATE));
  const edge = SAMPLE_RATE * 0.005; // without it, every tone would begin and end with a click
  for (let index = 0; level > 0 && index < samples.length; index++) {
    const envelope = Math.min(1, index / edge, (samples.length - index) / edge);
    samples[index] = level * envelope * Math.sin((2 * Math.PI * PITCH * index) / SAMPLE_RATE);
  }
  return new Uint8Array(samples.buffer);
}

const TONES = { ".": part(1, 12000), "-": part(3, 12000) };
const AFTER_TONE = part(1, 0);
const AFTER_LETTER = part(2, 0);
const BETWEEN_WORDS = part(4, 0);

// A WAV file of a text. What Morse has no sign for is left out, as an operator would.
function wav(text) {
  const parts = [];
  for (const letter of text.toLowerCase()) {
    for (const sign of CODE[letter] ?? "") parts.push(TONES[sign], AFTER_TONE);
    if (letter in CODE) parts.push(AFTER_LETTER);
    else if (/\s/.test(letter)) parts.push(BETWEEN_WORDS);
  }
  if (!parts.includes(AFTER_LETTER)) {
    throw new Failure(400, "nothing_to_speak", "the text has no letter or digit that Morse code has a sign for");
  }
  const size = parts.reduce((sum, bytes) => sum + bytes.length, 0);
  const file = new Uint8Array(44 + size);
  const header = new DataView(file.buffer);
  const word = (at, letters) => [...letters].forEach((letter, index) => (file[at + index] = letter.charCodeAt(0)));
  word(0, "RIFF"), header.setUint32(4, 36 + size, true), word(8, "WAVEfmt "), header.setUint32(16, 16, true);
  header.setUint16(20, 1, true), header.setUint16(22, 1, true), header.setUint32(24, SAMPLE_RATE, true);
  header.setUint32(28, SAMPLE_RATE * 2, true), header.setUint16(32, 2, true), header.setUint16(34, 16, true);
  word(36, "data"), header.setUint32(40, size, true);
  let at = 44;
  for (const bytes of parts) file.set(bytes, at), (at += bytes.length);
  return file;
}

function base64(bytes) {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const text = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const bits = (bytes[at] << 16) | ((left > 1 ? bytes[at + 1] : 0) << 8) | (left > 2 ? bytes[at + 2] : 0);
    text.push(
      digits[bits >> 18] + digits[(bits >> 12) & 63] + (left > 1 ? digits[(bits >> 6) & 63] : "=") +
        (left > 2 ? digits[bits & 63] : "="),
    );
  }
  return text.join("");
}

function speech(body) {
  let request;
  try {
    request = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Failure(400, "invalid_json", "the request's body is not valid JSON in UTF-8");
  }
  if (typeof request?.text !== "string") throw new Failure(400, "missing_field", "field `text` must be a string");
  const language = LANGUAGES.find(([code]) => code === (request.language ?? "en").toLowerCase());
  if (!language) throw new Failure(400, "invalid_field", "field `language` must be one of en, hi, es, fr, …");
  const voice = VOICES.find((name) => name.toLowerCase() === (request.voice ?? "Kore").toLowerCase());
  if (!voice) throw new Failure(400, "invalid_field", `field \`voice\` must be one of ${VOICES.join(", ")}`);
  return { text: request.text, language: language[1], voice, file: wav(request.text) };
}

const success = (data) => ["application/json", new TextEncoder().encode(JSON.stringify({ success: true, data }))];

const OPERATIONS = {
  "GET /api/v1/tts/languages": () =>
    success({ languages: LANGUAGES.map(([code, name]) => ({ code, name })), total: LANGUAGES.length }),
  "POST /api/v1/tts/stream": (body) => ["audio/wav", speech(body).file],
  "POST /api/v1/tts/generate": (body) => {
    const { file, ...said } = speech(body);
    const message = "The text was said in Morse code.";
    return success({ message, ...said, audioFormat: "WAV", audioSize: file.length, audioBase64: base64(file) });
  },
};

// The whole body of a request.
function read(request) {
  const body = request.consume();
  const stream = body.stream();
  const pieces = [];
  try {
    for (;;) pieces.push(stream.blockingRead(65536n));
  } catch (error) {
    if (error.payload?.tag !== "closed") throw new Failure(400, "malformed_request", "the request's body ended early");
  }
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) bytes.set(piece, at), (at += piece.length);
  return bytes;
}

const methodName = (method) => (method.tag === "other" ? method.val : method.tag.toUpperCase());

function answer(request) {
  const path = (request.pathWithQuery() ?? "").split("?")[0];
  const operation = OPERATIONS[`${methodName(request.method())} ${path}`];
  if (!operation) throw new Failure(404, "not_found", "this voice has no such operation");
  return [200, ...operation(read(request))];
}

export const incomingHandler = {
  handle(request, out) {
    let status, type, bytes;
    try {
      [status, type, bytes] = answer(request);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      const [id] = request.headers().get("x-request-id");
      const requestId = id && new TextDecoder().decode(id);
      status = failure.status;
      type = "application/json";
      const body = { success: false, error: failure.message, code: failure.code, requestId };
      bytes = new TextEncoder().encode(JSON.stringify(body));
    }
    const length = new TextEncoder().encode(String(bytes.length));
    const response = new OutgoingResponse(
      Fields.fromList([["content-type", new TextEncoder().encode(type)], ["content-length", length]]),
    );
    response.setStatusCode(status);
    const body = response.body();
    ResponseOutparam.set(out, { tag: "ok", val: response });
    const stream = body.write();
    for (let at = 0; at < bytes.length; at += 4096) stream.blockingWriteAndFlush(bytes.subarray(at, at + 4096));
    stream[Symbol.dispose]();
    OutgoingBody.finish(body, undefined);
  },
};
