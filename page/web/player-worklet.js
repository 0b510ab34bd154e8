/** Plays samples as they come, in the thread of the sound. It says how many have been played, and when there are no more. */

/** Samples that are there before the first is played: a fifth of a second at 24 kHz. */
const AHEAD = 4800;

class Player extends AudioWorkletProcessor {
  constructor() {
    super();
    this.pieces = [];
    this.there = 0;
    this.at = 0;
    this.played = 0;
    this.told = 0;
    this.ended = false;
    this.running = false;
    this.port.onmessage = ({ data }) => {
      if (data === 'end') this.ended = true;
      else {
        this.pieces.push(data);
        this.there += data.length;
      }
    };
  }

  process(_, [[output]]) {
    // After a gap it waits for a few again, so that one gap is heard and not many.
    if (!this.running && (this.there >= AHEAD || this.ended)) this.running = true;
    let filled = 0;
    while (this.running && filled < output.length && this.pieces.length) {
      const piece = this.pieces[0];
      const taken = Math.min(output.length - filled, piece.length - this.at);
      output.set(piece.subarray(this.at, this.at + taken), filled);
      filled += taken;
      this.at += taken;
      if (this.at === piece.length) {
        this.pieces.shift();
        this.at = 0;
      }
    }
    this.there -= filled;
    this.played += filled;
    if (this.running && filled < output.length && !this.ended) this.running = false;
    const over = this.ended && this.there === 0;
    if (over || this.played - this.told > 1000) {
      this.told = this.played;
      this.port.postMessage({ played: this.played, over });
    }
    return !over;
  }
}

registerProcessor('player', Player);
