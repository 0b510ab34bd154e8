/** The text of a speech, in which the word that is said is lit up. */
import { html, nothing } from './library/lit-element.js';
import { View } from './view.js';

/** The browser paints it over the text, which stays one piece for whoever selects it or has it read. */
const HIGHLIGHT = 'said';

class ReadAlong extends View {
  static properties = { text: {}, words: { attribute: false }, played: { type: Number }, lang: {} };

  willUpdate(changed) {
    if (!changed.has('text') && !changed.has('words')) return;
    // Words stand in the text as they come, one after the other.
    let from = 0;
    this.places = (this.words ?? []).map(({ word, start, end }) => {
      const at = (this.text ?? '').indexOf(word, from);
      from = at < 0 ? from : at + word.length;
      return { at, length: word.length, start, end };
    }).filter(({ at }) => at >= 0);
    this.current = null;
  }

  render() {
    return this.places?.length ? html`<p class="read-along" tabindex="0" dir="auto" lang=${this.lang ?? ''} .textContent=${this.text}></p>` : nothing;
  }

  updated() {
    const { places = [], played = 0 } = this;
    // Up to the next word: between two words the first stays lit.
    let index = places.findLastIndex(({ start }) => start <= played);
    const last = places.length - 1;
    if (index === last && index >= 0 && played > places[last].end) index = -1;
    const place = places[index] ?? null;
    if (place === this.current || !globalThis.CSS?.highlights) return;
    this.current = place;
    const node = this.querySelector('p')?.firstChild;
    if (!place || !node) {
      CSS.highlights.delete(HIGHLIGHT);
      return;
    }
    const range = new Range();
    range.setStart(node, place.at);
    range.setEnd(node, place.at + place.length);
    CSS.highlights.set(HIGHLIGHT, new Highlight(range));
    this.follow(range);
  }

  /** Keeps the word in sight where the text is longer than its box. */
  follow(range) {
    const box = this.querySelector('p');
    const [word, frame] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
    if (word.bottom > frame.bottom || word.top < frame.top) box.scrollTop += word.top - frame.top - frame.height / 3;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    globalThis.CSS?.highlights?.delete(HIGHLIGHT);
  }
}
customElements.define('quartet-read-along', ReadAlong);
