/** The page itself: the way from part to part, language, theme, and the key. */
import { html, nothing } from './library/lit-element.js';
import { onKeyNeeded } from './api.js';
import './cards.js';
import { icon } from './icons.js';
import { keepPage } from './offline.js';
import { stop } from './player.js';
import { applyTheme, kept, key } from './settings.js';
import { LANGUAGES, preferred, show, shown, t } from './texts.js';
import { View } from './view.js';
import './speech.js';
import './pictures.js';
import './documents.js';
import './chat.js';
import './status.js';

const PARTS = {
  speech: html`<quartet-speech></quartet-speech>`,
  pictures: html`<quartet-pictures></quartet-pictures>`,
  documents: html`<quartet-documents></quartet-documents>`,
  chat: html`<quartet-chat></quartet-chat>`,
  status: html`<quartet-status></quartet-status>`,
};
const THEMES = ['auto', 'light', 'dark'];
const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' };

class Page extends View {
  static properties = { place: {}, part: { state: true }, seen: { state: true }, theme: { state: true }, keyed: { state: true } };

  constructor() {
    super();
    this.theme = kept.get('theme') ?? 'auto';
    this.seen = new Set();
    this.keyed = key.get() !== '';
    onKeyNeeded(() => this.askForKey());
    addEventListener('hashchange', () => this.go());
  }

  connectedCallback() {
    super.connectedCallback();
    this.go();
  }

  go() {
    const named = location.hash.slice(2);
    this.part = this.place === 'admin' ? 'status' : Object.hasOwn(PARTS, named) ? named : 'speech';
    // Parts stay as they were left.
    this.seen = new Set([...this.seen, this.part]);
    document.title = `${t(this.part)} · Quartet`;
  }

  updated(changed) {
    if (changed.has('part') && changed.get('part')) {
      this.querySelector('main').focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    document.title = `${t(this.part)} · Quartet`;
  }

  askForKey() {
    // The admin interface has a token, and a place for it.
    if (this.place === 'admin') return;
    const dialog = this.querySelector('dialog.key');
    if (dialog && !dialog.open) dialog.showModal();
  }

  takeKey(event) {
    event.preventDefault();
    key.set(event.target.elements.key.value.trim());
    this.keyed = key.get() !== '';
    this.querySelector('dialog.key').close();
    for (const part of this.querySelectorAll('quartet-speech, quartet-documents')) part.load();
  }

  nextTheme() {
    this.theme = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length];
    kept.set('theme', this.theme === 'auto' ? null : this.theme);
    applyTheme();
  }

  async choose(event) {
    kept.set('language', event.target.value);
    await show(event.target.value);
  }

  render() {
    const parts = this.place === 'admin' ? ['status'] : Object.keys(PARTS);
    return html`<a class="skip" href="#main" @click=${(event) => { event.preventDefault(); this.querySelector('main').focus(); }}>${t('skip')}</a>
      <header>
        <a class="brand" href="#/speech">${icon('mark')}<span>Quartet</span></a>
        <nav aria-label=${t('parts')}>${parts.map((part) => html`<a href="#/${part}" aria-current=${part === this.part ? 'page' : nothing}>${icon(part)}<span>${t(part)}</span></a>`)}</nav>
        <div class="tools">
          ${this.place === 'admin' ? nothing : html`<button class="round ${this.keyed ? 'on' : ''}" aria-label=${t('key')} title=${t('key')} @click=${() => this.askForKey()}>${icon('key')}</button>`}
          <button class="round" aria-label="${t('theme')}: ${t(`theme_${this.theme}`)}" title="${t('theme')}: ${t(`theme_${this.theme}`)}" @click=${() => this.nextTheme()}>${icon(THEME_ICONS[this.theme])}</button>
          <select aria-label=${t('pageLanguage')} @change=${(event) => this.choose(event)}>${Object.entries(LANGUAGES).map(([code, name]) => html`
            <option value=${code} lang=${code} ?selected=${shown() === code}>${name}</option>`)}</select>
        </div>
      </header>
      <main id="main" tabindex="-1">${parts.map((part) => (this.seen.has(part) ? html`<div ?hidden=${part !== this.part}>${
        part === 'status' ? (part === this.part ? html`<quartet-status place=${this.place ?? ''}></quartet-status>` : nothing) : PARTS[part]}</div>` : nothing))}</main>
      <footer class="quiet"><p>${t('footer')}${this.place === 'admin' ? nothing : html` <a href="/docs">OpenAPI</a>`}</p></footer>
      <div id="announcements" class="hidden" role="status" aria-live="polite"></div>
      <dialog class="key" aria-labelledby="key-title"><form method="dialog" @submit=${(event) => this.takeKey(event)}>
        <h2 id="key-title">${t('keyTitle')}</h2><p>${t('keyHint')}</p>
        <label for="key">${t('key')}</label><input id="key" name="key" type="password" autocomplete="off" .value=${key.get()}>
        <div class="row"><button class="primary">${t('use')}</button><button type="button" @click=${(event) => event.target.closest('dialog').close()}>${t('close')}</button></div>
      </form></dialog>`;
  }
}

applyTheme();
addEventListener('pagehide', () => stop());
await show(preferred()).catch(() => show('en'));
customElements.define('quartet-page', Page);
// Versions are not changed where nothing can be reached.
if (document.querySelector('quartet-page').place !== 'admin') keepPage();
