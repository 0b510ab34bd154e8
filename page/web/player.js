/** Speech as it streams: the service's WAV is taken apart as it comes, its samples are handed to the thread of the sound, kept
 * for saving and shown to whoever draws them. */
import { pieces, send } from './api.js';
import { readHead } from './wav.js';

/** Length of the header of a saved file, in bytes. */
const HEADER = 44;

let context;
let worklet;

/** The device, opened by the first sound that somebody asks for: browsers allow none before. */
async function device(rate) {
  if (context?.sampleRate !== rate) {
    await context?.close();
    context = new AudioContext({ sampleRate: rate });
    worklet = context.audioWorklet.addModule(new URL('player-worklet.js', import.meta.url));
  }
  await worklet;
  await context.resume();
  return context;
}

/** What plays; only one does at a time. */
let playing = null;

/** Stops what plays. */
export function stop() {
  playing?.stop();
  playing = null;
}

/** Samples of 16 bits, little-endian, as the device takes them. */
function floats(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / 2 }, (_, index) => view.getInt16(index * 2, true) / 32768);
}

/** A speech: what has come of it, and how far it was played. */
export class Speech {
  /** @param {(speech: Speech) => void} changed */
  constructor(changed = () => {}) {
    Object.assign(this, { changed, rate: 24000, parts: [], came: 0, length: 0, played: 0, state: 'idle', engine: '', language: '', words: [] });
    this.abort = new AbortController();
  }

  /** Asks for it and plays it as it comes. @param {import('./api.js').Call} call */
  async stream(call) {
    stop();
    playing = this;
    this.state = 'waiting';
    this.changed(this);
    try {
      // Opened while the answer is on its way. A browser without a device for sound may never open one; what comes can be
      // saved all the same.
      const opened = device(this.rate).then(() => !this.abort.signal.aborted && this.play());
      await Promise.all([opened, this.read(call)]);
    } catch (error) {
      this.stop();
      if (error.name !== 'AbortError') throw error;
    }
  }

  async read(call) {
    const answer = await send(call, { signal: this.abort.signal });
    this.engine = answer.headers.get('x-speech-engine') ?? '';
    this.language = answer.headers.get('content-language') ?? '';
    let rest = new Uint8Array(0);
    let headed = false;
    for await (const chunk of pieces(answer.body)) {
      const bytes = new Uint8Array(rest.length + chunk.length);
      bytes.set(rest);
      bytes.set(chunk, rest.length);
      rest = bytes;
      if (!headed) {
        const head = readHead(rest);
        if (!head) continue;
        [this.length, this.words] = [head.samples, head.words];
        rest = rest.subarray(head.size);
        headed = true;
      }
      const even = rest.length & ~1;
      this.take(rest.slice(0, even));
      rest = rest.slice(even);
    }
    call.total = performance.now() - call.begun;
    this.length = this.came;
    this.whole = true;
    this.node?.port.postMessage('end');
    this.changed(this);
  }

  /** Takes the next samples. */
  take(bytes) {
    const samples = floats(bytes);
    this.parts.push(bytes);
    this.came += samples.length;
    this.drawn?.(samples);
    this.node?.port.postMessage(samples);
    this.changed(this);
  }

  play() {
    this.node = new AudioWorkletNode(context, 'player', { numberOfInputs: 0, outputChannelCount: [1] });
    this.node.port.onmessage = ({ data }) => {
      this.played = data.played;
      if (data.over) {
        this.node?.disconnect();
        this.node = null;
        this.state = 'done';
        if (playing === this) playing = null;
      }
      this.changed(this);
    };
    this.node.connect(context.destination);
    for (const bytes of this.parts) this.node.port.postMessage(floats(bytes));
    if (this.whole) this.node.port.postMessage('end');
    this.state = 'playing';
    this.changed(this);
  }

  /** Plays what was kept, from the beginning. */
  async again() {
    stop();
    playing = this;
    await device(this.rate);
    this.played = 0;
    this.play();
  }

  stop() {
    this.abort.abort();
    this.node?.disconnect();
    this.node = null;
    if (this.state !== 'done') this.state = this.came ? 'stopped' : 'idle';
    if (playing === this) playing = null;
    this.changed(this);
  }

  /** What has come, as a WAV file. */
  wav() {
    const data = this.came * 2;
    const head = new DataView(new ArrayBuffer(HEADER));
    const word = (at, text) => [...text].forEach((letter, index) => head.setUint8(at + index, letter.charCodeAt(0)));
    word(0, 'RIFF'); head.setUint32(4, data + 36, true); word(8, 'WAVEfmt '); head.setUint32(16, 16, true);
    head.setUint16(20, 1, true); head.setUint16(22, 1, true); head.setUint32(24, this.rate, true);
    head.setUint32(28, this.rate * 2, true); head.setUint16(32, 2, true); head.setUint16(34, 16, true);
    word(36, 'data'); head.setUint32(40, data, true);
    return new Blob([head, ...this.parts], { type: 'audio/wav' });
  }
}
