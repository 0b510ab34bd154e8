/** The head of a WAV file, as the service writes it before the samples: their number, and the words with their times where
 * they were asked for (cue points with labels). */

/** @typedef {{ word: string, start: number, end: number }} Word Its times are in samples. */

/** Reads what stands before the samples; null while more of it is to come.
 * @param {Uint8Array} bytes
 * @returns {{ samples: number, words: Word[], size: number } | null} */
export function readHead(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const name = (at) => String.fromCharCode(...bytes.subarray(at, at + 4));
  const words = new Map();
  const word = (id) => words.get(id) ?? words.set(id, { word: '', start: 0, end: 0 }).get(id);
  // After "RIFF", its size and "WAVE".
  let at = 12;
  while (at + 8 <= bytes.length) {
    const [kind, size, content] = [name(at), view.getUint32(at + 4, true), at + 8];
    if (kind === 'data') {
      return { samples: size / 2, words: [...words.values()].sort((one, other) => one.start - other.start), size: content };
    }
    const end = content + size + (size % 2);
    if (end > bytes.length) return null;
    if (kind === 'cue ') {
      for (let point = content + 4; point + 24 <= content + size; point += 24) {
        word(view.getUint32(point, true)).start = view.getUint32(point + 20, true);
      }
    } else if (kind === 'LIST' && name(content) === 'adtl') {
      let inner = content + 4;
      while (inner + 12 <= content + size) {
        const [label, length, id] = [name(inner), view.getUint32(inner + 4, true), view.getUint32(inner + 8, true)];
        if (label === 'ltxt') word(id).end = word(id).start + view.getUint32(inner + 12, true);
        if (label === 'labl') word(id).word = new TextDecoder().decode(bytes.subarray(inner + 12, inner + 8 + length - 1));
        inner += 8 + length + (length % 2);
      }
    }
    at = end;
  }
  return null;
}
