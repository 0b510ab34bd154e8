/** The service's metrics: read from their text, and what two readings say of the time between them. */

/**
 * Reads the text format of Prometheus.
 * @returns {{ name: string, labels: Record<string, string>, value: number }[]}
 */
export function parse(text) {
  const samples = [];
  for (const line of text.split('\n')) {
    const found = /^(\w+)(?:\{(.*)\})? (\S+)/.exec(line);
    if (!found) continue;
    const labels = Object.fromEntries([...(found[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key, value]));
    samples.push({ name: found[1], labels, value: Number(found[3]) });
  }
  return samples;
}

/** The sum of a metric's samples that are as asked. */
export function sum(samples, name, is = () => true) {
  return samples.reduce((total, sample) => (sample.name === name && is(sample.labels) ? total + sample.value : total), 0);
}

/** Sums by a label. */
export function by(samples, name, label) {
  const sums = new Map();
  for (const sample of samples) {
    if (sample.name === name) sums.set(sample.labels[label], (sums.get(sample.labels[label]) ?? 0) + sample.value);
  }
  return sums;
}

/** A quantile of what a histogram counted between two readings, of samples that are as asked, in its unit; NaN where it counted nothing. */
export function quantile(now, before, name, share, is = () => true) {
  const bounds = new Map();
  for (const [samples, sign] of [[now, 1], [before, -1]]) {
    for (const { name: found, labels, value } of samples) {
      if (found !== `${name}_bucket` || !is(labels)) continue;
      const bound = labels.le === '+Inf' ? Infinity : Number(labels.le);
      bounds.set(bound, (bounds.get(bound) ?? 0) + sign * value);
    }
  }
  const sorted = [...bounds].sort(([one], [other]) => one - other);
  const all = sorted.at(-1)?.[1] ?? 0;
  if (all <= 0) return NaN;
  let [below, counted] = [0, 0];
  for (const [bound, count] of sorted) {
    if (count >= share * all) {
      if (bound === Infinity) return below;
      return below + ((bound - below) * (share * all - counted)) / Math.max(1, count - counted);
    }
    [below, counted] = [bound, count];
  }
  return NaN;
}
