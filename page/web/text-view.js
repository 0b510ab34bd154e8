/** A document that pdf.js does not draw, as the service read it: its pages, block by block. */
import { html, nothing } from './library/lit-element.js';
import { number, t } from './texts.js';
import { View } from './view.js';

/** Most blocks that are shown: more would keep the browser busy. */
const MOST = 2000;

/** Beginnings of addresses that are safe to open. */
const SAFE = /^(https?|mailto):/iu;

/** A text as it is compared: without white space and differences of case and form. */
const bare = (text) => text.normalize('NFKC').toLowerCase().replace(/[\s\u00ad\u200b]/gu, '');

class TextView extends View {
  static properties = { pages: { attribute: false } };

  /** Shows a page, and lights up the block with a quote. Returns true if there is one. */
  async show(page, quote) {
    await this.updateComplete;
    for (const other of this.querySelectorAll('.cited')) other.classList.remove('cited');
    const sheet = this.querySelector(`[data-page="${page}"]`);
    if (!sheet) return false;
    const wanted = bare(quote ?? '');
    const blocks = [...sheet.querySelectorAll('[data-block]')];
    const start = wanted.slice(0, 60);
    const found = wanted && (blocks.find((block) => bare(block.textContent).includes(wanted))
      ?? blocks.find((block) => bare(block.textContent).includes(start)));
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    (found || sheet).scrollIntoView({ block: found ? 'center' : 'start', behavior: calm ? 'auto' : 'smooth' });
    found?.classList.add('cited');
    return Boolean(found);
  }

  block({ kind, text }) {
    if (kind === 'title' || kind === 'heading') return html`<h2 data-block dir="auto">${text}</h2>`;
    if (kind === 'code') return html`<pre data-block dir="ltr">${text}</pre>`;
    if (kind === 'listItem') return html`<p data-block class="item" dir="auto">${text}</p>`;
    if (kind === 'table') {
      const rows = text.split('\n').map((row) => row.split('\t'));
      return html`<div data-block class="wide"><table><tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td dir="auto">${cell}</td>`)}</tr>`)}</tbody></table></div>`;
    }
    const quiet = ['header', 'footer', 'footnote', 'caption', 'other'].includes(kind);
    return html`<p data-block class=${quiet ? 'quiet' : ''} dir="auto">${text}</p>`;
  }

  render() {
    let left = MOST;
    const pages = this.pages ?? [];
    const shown = pages.map((page) => {
      const blocks = page.blocks.slice(0, Math.max(0, left));
      left -= blocks.length;
      const links = page.links.filter((link) => SAFE.test(link.url ?? '')).slice(0, 50);
      return blocks.length || left > 0 ? html`<section data-page=${page.page}>
        ${pages.length > 1 ? html`<p class="quiet">${t('pageShort', { page: number(page.page) })}</p>` : nothing}
        ${blocks.map((block) => this.block(block))}
        ${links.length ? html`<ul class="quiet">${links.map((link) => html`<li><a href=${link.url} rel="noreferrer noopener" target="_blank" dir="auto">${link.text || link.url}</a></li>`)}</ul>` : nothing}
      </section>` : nothing;
    });
    const count = pages.reduce((sum, page) => sum + page.blocks.length, 0);
    return html`<div class="reading" tabindex="0" role="region" aria-label=${t('document')}>${shown}
      ${count > MOST ? html`<p class="quiet">${t('more', { count: number(count - MOST) })}</p>` : nothing}</div>`;
  }
}
customElements.define('quartet-text', TextView);
