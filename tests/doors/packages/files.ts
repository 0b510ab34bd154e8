// What programs with generated clients send and count.

/** Throws what is there instead, where a condition does not hold. */
export function holds(condition: unknown, instead: unknown): asserts condition {
  if (!condition) throw new Error(JSON.stringify(instead));
}

/** A blue picture, 80 pixels wide and 60 high, without compression. */
export function blue(): Blob {
  const [width, height, head] = [80, 60, 54];
  const file = new DataView(new ArrayBuffer(head + width * height * 3));
  file.setUint16(0, 0x424d);
  file.setUint32(2, file.byteLength, true);
  file.setUint32(10, head, true);
  file.setUint32(14, 40, true);
  file.setInt32(18, width, true);
  file.setInt32(22, height, true);
  file.setUint16(26, 1, true);
  file.setUint16(28, 24, true);
  for (let at = head; at < file.byteLength; at += 3) {
    file.setUint8(at, 0xe0);
    file.setUint8(at + 1, 0x40);
    file.setUint8(at + 2, 0x20);
  }
  return new Blob([file.buffer], { type: "image/bmp" });
}

/** Counts the samples of a WAV file. */
export function samples(file: Uint8Array): number {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const name = (at: number): string => String.fromCharCode(...file.subarray(at, at + 4));
  holds(name(0) === "RIFF" && name(8) === "WAVE", name(0));
  let at = 12;
  while (name(at) !== "data") at += 8 + view.getUint32(at + 4, true);
  const length = view.getUint32(at + 4, true);
  holds(at + 8 + length === file.length, file.length);
  return length / 2;
}
