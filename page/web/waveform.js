/** The waveform of a speech, drawn as its samples come. */
import { View } from './view.js';

/** Samples that are one column's at first; halved in number when the columns are full. */
const COLUMN = 240;

class Waveform extends View {
  static properties = { speech: { attribute: false }, played: { attribute: false } };

  constructor() {
    super();
    this.peaks = [];
  }

  firstUpdated() {
    this.canvas = document.createElement('canvas');
    this.append(this.canvas);
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.sizes?.disconnect();
  }

  updated(changed) {
    if (changed.has('speech') && this.speech) {
      this.peaks = [];
      this.peak = 0;
      this.counted = 0;
      this.speech.drawn = (samples) => this.take(samples);
    }
    this.draw();
  }

  take(samples) {
    for (const sample of samples) {
      this.peak = Math.max(this.peak, Math.abs(sample));
      this.counted += 1;
      if (this.counted === COLUMN) {
        this.peaks.push(this.peak);
        this.peak = 0;
        this.counted = 0;
      }
    }
    this.draw();
  }

  /** Draws once before the next frame, however often it is asked. */
  draw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.paint();
    });
  }

  paint() {
    const { canvas, speech } = this;
    if (!canvas) return;
    const scale = globalThis.devicePixelRatio || 1;
    const [width, height] = [this.clientWidth, this.clientHeight];
    canvas.width = width * scale;
    canvas.height = height * scale;
    const pen = canvas.getContext('2d');
    pen.scale(scale, scale);
    const colours = getComputedStyle(this);
    const bars = Math.max(1, Math.floor(width / 4));
    const total = Math.max(this.peaks.length, (speech?.length ?? 0) / COLUMN, 1);
    const done = (speech?.played ?? 0) / COLUMN;
    for (let bar = 0; bar < bars; bar += 1) {
      const [from, to] = [Math.floor((bar * total) / bars), Math.max(Math.floor(((bar + 1) * total) / bars), Math.floor((bar * total) / bars) + 1)];
      let peak = 0;
      for (let index = from; index < Math.min(to, this.peaks.length); index += 1) peak = Math.max(peak, this.peaks[index]);
      const there = from < this.peaks.length;
      const tall = Math.max(2, Math.sqrt(peak) * (height - 4));
      pen.fillStyle = colours.getPropertyValue(!there ? '--line' : from < done ? '--accent' : '--accent-soft');
      pen.beginPath();
      pen.roundRect(bar * 4, (height - tall) / 2, 2.5, tall, 1.25);
      pen.fill();
    }
  }
}
customElements.define('quartet-waveform', Waveform);
