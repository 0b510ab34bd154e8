/** A PDF as pdf.js draws it: pages are drawn when they come near, and a quote can be shown where it stands. */
import { html } from './library/lit-element.js';
import { Failure } from './api.js';
import { number, t } from './texts.js';
import { PDF_WORKER, trusted } from './trusted.js';
import { View } from './view.js';

const folder = (name) => new URL(`library/${name}`, import.meta.url).href;

let library;

/** pdf.js, loaded with the first document. */
function load() {
  library ??= import('./library/pdf.min.mjs').then((pdfjs) => {
    pdfjs.GlobalWorkerOptions.workerPort = new Worker(trusted(PDF_WORKER), { type: 'module' });
    return pdfjs;
  });
  return library;
}

/** A text as it is compared: without white space, hyphens and differences of case and form. */
const bare = (letter) => letter.normalize('NFKC').toLowerCase().replace(/[\s\u00ad\u2010-\u2015\u200b-]/gu, '').replace(/[\u2018\u2019]/gu, "'").replace(/[\u201c\u201d]/gu, '"');

class PdfView extends View {
  static properties = { file: { attribute: false }, count: { state: true }, page: { state: true } };

  constructor() {
    super();
    this.pages = [];
    this.page = 1;
  }

  updated(changed) {
    if (changed.has('file') && this.file) this.opening = this.open();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.close();
  }

  /** Gives up the document; the promise is over when the worker is free for the next one. */
  async close() {
    this.near?.disconnect();
    this.sizes?.disconnect();
    this.pages = [];
    this.passage = null;
    globalThis.CSS?.highlights?.delete('passage');
    const { loading } = this;
    this.loading = null;
    await loading?.destroy();
  }

  /** Opens the document; where that fails, whoever shows it is told, once. */
  async open() {
    const { file } = this;
    try {
      await this.read(file);
    } catch (error) {
      // Another document has taken its place.
      if (file !== this.file) return;
      const code = error.name === 'PasswordException' ? 'password_needed' : 'not_drawn';
      this.dispatchEvent(new CustomEvent('unreadable', { detail: new Failure(error.message, { code }) }));
    }
  }

  async read(file) {
    // One after the other: a worker that is being given up takes no document.
    this.closed = (this.closed ?? Promise.resolve()).then(() => this.close());
    await this.closed;
    const pdfjs = await load();
    if (file !== this.file || this.loading) return;
    const scroller = this.querySelector('.pages');
    scroller.replaceChildren();
    this.pdfjs = pdfjs;
    const data = new Uint8Array(await file.arrayBuffer());
    if (file !== this.file || this.loading) return;
    const loading = pdfjs.getDocument({
      data, cMapUrl: folder('cmaps/'), cMapPacked: true,
      standardFontDataUrl: folder(''), useSystemFonts: true, wasmUrl: folder(''), isEvalSupported: false, enableXfa: false,
    });
    this.loading = loading;
    let pdf;
    let first;
    try {
      pdf = await loading.promise;
      first = (await pdf.getPage(1)).getViewport({ scale: 1 });
    } catch (error) {
      // Given up meanwhile.
      if (this.loading !== loading) return;
      throw error;
    }
    if (this.loading !== loading) return;
    this.pdf = pdf;
    this.count = pdf.numPages;
    for (let index = 1; index <= pdf.numPages; index += 1) {
      const sheet = document.createElement('div');
      sheet.className = 'sheet';
      sheet.dataset.page = String(index);
      sheet.setAttribute('role', 'group');
      sheet.setAttribute('aria-label', t('pageNumber', { page: number(index) }));
      sheet.style.aspectRatio = `${first.width} / ${first.height}`;
      scroller.append(sheet);
      this.pages.push({ sheet, drawn: null });
    }
    this.near = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const page = Number(entry.target.dataset.page);
        if (entry.isIntersecting) this.draw(page);
        else this.release(page);
      }
    }, { root: scroller, rootMargin: '60% 0%' });
    for (const { sheet } of this.pages) this.near.observe(sheet);
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(scroller);
    this.dispatchEvent(new CustomEvent('opened'));
  }

  /** Draws a page, once; the promise is over when its text lies over it, or when its place says why it is empty. */
  draw(number_) {
    const entry = this.pages[number_ - 1];
    entry.drawn ??= this.paint(number_, entry).catch((error) => this.fail(entry, error));
    return entry.drawn;
  }

  /** Says in a page's place that it could not be drawn. A page that comes near again is drawn again. */
  fail({ sheet }, error) {
    // Its document was given up, and its place with it.
    if (!sheet.isConnected) return;
    const said = document.createElement('p');
    const reason = document.createElement('span');
    said.className = 'undrawn';
    said.textContent = t('notDrawn');
    Object.assign(reason, { className: 'quiet', lang: 'en', dir: 'auto', textContent: error.message });
    said.append(' ', reason);
    sheet.replaceChildren(said);
  }

  async paint(index, entry) {
    const page = await this.pdf.getPage(index);
    const { sheet } = entry;
    const plain = page.getViewport({ scale: 1 });
    sheet.style.aspectRatio = `${plain.width} / ${plain.height}`;
    const scale = sheet.clientWidth / plain.width;
    const viewport = page.getViewport({ scale });
    const sharp = Math.min(globalThis.devicePixelRatio || 1, 2);
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(viewport.width * sharp);
    canvas.height = Math.floor(viewport.height * sharp);
    const layer = document.createElement('div');
    layer.className = 'textLayer';
    layer.style.setProperty('--total-scale-factor', String(scale));
    sheet.replaceChildren(canvas, layer);
    entry.task = page.render({ canvas, viewport, transform: sharp === 1 ? null : [sharp, 0, 0, sharp, 0, 0] });
    const text = new this.pdfjs.TextLayer({ textContentSource: page.streamTextContent(), container: layer, viewport });
    await Promise.all([entry.task.promise.catch((error) => {
      if (error.name !== 'RenderingCancelledException') throw error;
    }), text.render()]);
    // A page that was far away, or hidden, or of another width, has other letters now.
    if (this.passage?.page === index) this.light();
  }

  /** Gives back what a page that is far away holds. */
  release(index) {
    const entry = this.pages[index - 1];
    if (!entry?.drawn) return;
    entry.task?.cancel();
    entry.drawn = null;
    entry.sheet.replaceChildren();
  }

  resized() {
    const width = this.pages[0]?.sheet.clientWidth;
    if (!width || width === this.width) return;
    const first = this.width === undefined;
    this.width = width;
    if (first) return;
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      const drawn = this.pages.map((entry, index) => (entry.drawn ? index + 1 : 0)).filter(Boolean);
      for (const index of drawn) {
        this.release(index);
        this.draw(index);
      }
    }, 200);
  }

  /** Shows a page, and lights up a quote on it. Returns true if the quote was found there. */
  async show(index, quote) {
    await this.opening;
    const entry = this.pages[index - 1];
    if (!entry) return false;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.page = index;
    entry.sheet.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    this.querySelector('.pages').scrollTop = entry.sheet.offsetTop;
    this.passage = { page: index, quote };
    await this.draw(index);
    const range = this.light();
    range?.startContainer.parentElement.scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' });
    return Boolean(range);
  }

  /** Lights up the passage that is shown, and returns its place; null where it is not found, and its page gets a frame. */
  light() {
    for (const { sheet } of this.pages) sheet.classList.remove('cited');
    globalThis.CSS?.highlights?.delete('passage');
    const { page, quote } = this.passage ?? {};
    const sheet = this.pages[page - 1]?.sheet;
    if (!sheet || !quote) return null;
    const layer = sheet.querySelector('.textLayer');
    const range = layer && this.find(layer, quote);
    if (range && globalThis.Highlight) CSS.highlights.set('passage', new Highlight(range));
    else sheet.classList.add('cited');
    return range;
  }

  /** The place of a quote in a page's text; of its first words, where the page goes on otherwise. */
  find(layer, quote) {
    const letters = [];
    const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
    let text = '';
    while (walker.nextNode()) {
      const node = walker.currentNode;
      for (let at = 0; at < node.length; at += 1) {
        const plain = bare(node.data[at]);
        text += plain;
        for (let copy = 0; copy < plain.length; copy += 1) letters.push([node, at]);
      }
    }
    const wanted = bare(quote);
    for (let length = wanted.length; length >= Math.min(12, wanted.length); length = Math.floor(length * 0.7)) {
      const start = text.indexOf(wanted.slice(0, length));
      if (start < 0) continue;
      const range = document.createRange();
      range.setStart(...letters[start]);
      const [node, at] = letters[start + length - 1];
      range.setEnd(node, at + 1);
      return range;
    }
    return null;
  }

  scrolled(event) {
    // A passage that is shown is moved into the middle.
    const middle = event.target.scrollTop + event.target.clientHeight / 2;
    const found = this.pages.findLastIndex(({ sheet }) => sheet.offsetTop <= middle);
    if (found >= 0 && found + 1 !== this.page) this.page = found + 1;
  }

  render() {
    return html`<div class="pages" tabindex="0" role="region" aria-label=${t('document')} dir="ltr" @scroll=${this.scrolled}></div>
      <p class="quiet center">${this.count ? t('pageOf', { page: number(this.page), count: number(this.count) }) : ''}</p>`;
  }
}
customElements.define('quartet-pdf', PdfView);
