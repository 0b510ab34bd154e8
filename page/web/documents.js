/** Documents: a PDF, or the text of another document, beside what was read in it, its summary, and answers with the passages that they stand on. */
import { html, nothing } from './library/lit-element.js';
import { ask, follow, post, upload } from './api.js';
import { dropZone, failureCard, requestCard, stopped } from './cards.js';
import { icon } from './icons.js';
import { number, percent, t } from './texts.js';
import { View, announce, copy } from './view.js';
import './pdf-view.js';
import './text-view.js';

/** Kinds that the service reads. */
const ACCEPTED = 'application/pdf,.pdf,.docx,.pptx,.xlsx,.odt,.odp,.ods,.epub,.html,.htm,.md,.txt,.csv,.tsv,.eml';
/** Pages that are shown while the others are being read, and characters of each. */
const READY_PAGES = 3;
const READY_TEXT = 600;
const TABS = ['questions', 'summary', 'outline', 'contents'];
const KINDS = ['title', 'heading', 'paragraph', 'listItem', 'table', 'code', 'caption', 'footnote', 'header', 'footer', 'other'];

class DocumentsPart extends View {
  static properties = {
    file: { state: true }, isPdf: { state: true }, found: { state: true }, summary: { state: true }, busy: { state: true }, tab: { state: true },
    kind: { state: true }, turns: { state: true }, call: { state: true }, failure: { state: true }, copied: { state: true }, cited: { state: true },
  };

  constructor() {
    super();
    Object.assign(this, { tab: 'questions', kind: '', turns: [], summary: null });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.abort?.abort();
  }

  async take(file) {
    const isPdf = (await file.slice(0, 1024).text()).includes('%PDF-');
    this.abort?.abort();
    this.abort = new AbortController();
    Object.assign(this, { file, isPdf, found: null, summary: null, failure: null, turns: [], kind: '', cited: null, busy: 'extract', tab: 'questions' });
    this.ready = [];
    this.call = upload('/api/v1/pdf/extract-text', { pdf: file });
    announce(t('reading'));
    try {
      this.found = await follow(this.call, (event, data) => this.hear(data, this.ready), { signal: this.abort.signal });
      announce(this.found.message);
    } catch (error) {
      if (stopped(error)) return;
      this.failure = error;
    }
    this.busy = '';
    this.stage = null;
  }

  /** Takes the progress of the work, or a part of its result: a page that was read, a sentence that was written. */
  hear(data, parts) {
    if (data.stage) this.stage = data;
    else parts?.push(data);
    this.requestUpdate();
  }

  async summarize() {
    this.busy = 'summary';
    this.failure = null;
    this.written = [];
    this.call = upload('/api/v1/pdf/summarize', { pdf: this.file });
    try {
      this.summary = await follow(this.call, (event, data) => this.hear(data, this.written), { signal: this.abort.signal });
      announce(t('summary'));
    } catch (error) {
      if (!stopped(error)) this.failure = error;
    }
    this.busy = '';
    this.stage = null;
  }

  async question(event) {
    event.preventDefault();
    const field = event.target.elements.question;
    const message = field.value.trim();
    if (!message) return;
    field.value = '';
    const turn = { message, written: [] };
    this.turns = [...this.turns, turn];
    this.failure = null;
    this.call = post('/api/v1/pdf/chat', { message, documentId: this.found.documentId });
    try {
      turn.answer = await follow(this.call, (event, data) => this.hear(data, turn.written));
      announce(turn.answer.answer);
      const [first] = turn.answer.citations ?? [];
      if (first) this.cite(first.page, first.quote);
    } catch (error) {
      this.turns = this.turns.filter((other) => other !== turn);
      field.value = message;
      this.failure = error;
    }
    this.stage = null;
    this.requestUpdate();
  }

  /** Goes to a page and lights a passage up. */
  async cite(page, quote) {
    this.cited = { page, quote };
    this.exact = await this.querySelector('quartet-pdf, quartet-text')?.show(page, quote);
    this.requestUpdate();
  }

  async forget() {
    const ids = [this.found?.documentId, this.summary?.documentId].filter(Boolean);
    try {
      for (const documentId of ids) {
        this.call = post('/api/v1/pdf/forget', { documentId });
        await ask(this.call);
      }
      Object.assign(this, { file: null, found: null, summary: null, turns: [], failure: null });
      announce(t('forgotten'));
    } catch (error) {
      this.failure = error;
    }
  }

  async copyText() {
    this.copied = await copy(this.found.text);
    if (this.copied) announce(t('copied'));
    setTimeout(() => { this.copied = false; }, 2000);
  }

  choose(event, step) {
    const next = TABS[(TABS.indexOf(this.tab) + step + TABS.length) % TABS.length];
    event.preventDefault();
    this.tab = next;
    this.updateComplete.then(() => this.querySelector(`#tab-${next}`).focus());
  }

  keyed(event) {
    const ahead = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const back = ahead === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
    if (event.key === ahead) this.choose(event, 1);
    if (event.key === back) this.choose(event, -1);
  }

  citation({ page, quote, score }) {
    const on = this.cited?.page === page && this.cited?.quote === quote;
    return html`<button class="citation" aria-pressed=${on} @click=${() => this.cite(page, quote)}>
      <span class="badge">${t('pageShort', { page: number(page) })}</span><span dir="auto">${quote}</span>
      ${score === undefined ? nothing : html`<small>${percent(score)}</small>`}</button>`;
  }

  /** What is known before the whole answer is there: the step, and the sentences that are written. */
  soFar(sentences = []) {
    const { stage } = this;
    const text = stage ? t(`stage_${stage.stage}`, { done: number(stage.done ?? 0), total: number(stage.total ?? 0) }) : t('waitingFor');
    return html`${sentences.length ? html`<p class="answer" dir="auto">${sentences.map(({ text }) => text).join(' ')}</p>
        ${sentences.flatMap(({ citations }) => citations).map((one) => this.citation(one))}` : nothing}
      <p class="quiet">${text}</p>
      ${stage?.total ? html`<progress max=${stage.total} .value=${stage.done} aria-label=${text}></progress>` : nothing}`;
  }

  questions() {
    return html`<div class="turns" role="log">${this.turns.map((turn) => html`<p class="asked" dir="auto">${turn.message}</p>
        ${turn.answer ? html`<p class="answer" dir="auto">${turn.answer.answer}</p>
          <p class="quiet">${t(`origin_${turn.answer.origin}`)} · ${t('confidence')} ${percent(turn.answer.confidence ?? 0)}</p>
          ${turn.answer.citations?.map((one) => this.citation(one))}` : this.soFar(turn.written)}`)}
        ${this.turns.length ? nothing : html`<p class="quiet">${t('askDocument')}</p>`}</div>
      <form class="ask" @submit=${(event) => this.question(event)}>
        <label class="hidden" for="document-question">${t('question')}</label>
        <input id="document-question" name="question" autocomplete="off" dir="auto" placeholder=${t('question')}>
        <button class="primary round" aria-label=${t('send')}>${icon('send')}</button></form>`;
  }

  summaryTab() {
    const { summary } = this;
    if (!summary) {
      if (this.busy === 'summary') return this.soFar(this.written);
      return html`<button class="primary" @click=${() => this.summarize()}>${t('summarize')}</button>`;
    }
    return html`<h3 dir="auto">${summary.title}</h3><p class="answer" dir="auto">${summary.summary}</p>
      <p class="quiet">${t(`origin_${summary.origin}`)}</p>
      ${summary.sentences?.map((sentence) => this.citation({ page: sentence.page, quote: sentence.text }))}
      ${summary.keyPhrases?.length ? html`<h3>${t('keyPhrases')}</h3><ul class="phrases">${summary.keyPhrases.map((phrase) => html`<li dir="auto">${phrase.text ?? phrase}</li>`)}</ul>` : nothing}`;
  }

  outline() {
    const { outline = [] } = this.found;
    if (!outline.length) return html`<p class="quiet">${t('noOutline')}</p>`;
    return html`<ul class="outline">${outline.map((entry) => html`<li class="level-${Math.min(entry.level ?? 1, 4)}">
      <button class="plain" @click=${() => this.cite(entry.page, entry.title)}><span dir="auto">${entry.title}</span><span class="quiet">${entry.page ? number(entry.page) : ''}</span></button></li>`)}</ul>`;
  }

  contents() {
    const blocks = this.found.pages.flatMap((page) => page.blocks.map((block) => ({ ...block, page: page.page })));
    const kinds = KINDS.filter((kind) => blocks.some((block) => block.kind === kind));
    const chosen = blocks.filter((block) => !this.kind || block.kind === this.kind);
    return html`<div class="controls"><label><span>${t('kinds')}</span><select @change=${(event) => { this.kind = event.target.value; }}>
        <option value="">${t('all')} (${number(blocks.length)})</option>
        ${kinds.map((kind) => html`<option value=${kind}>${t(`kind_${kind}`)} (${number(blocks.filter((block) => block.kind === kind).length)})</option>`)}</select></label>
        <button @click=${() => this.copyText()}>${icon(this.copied ? 'check' : 'copy')}${t('copyText')}</button></div>
      <ol class="blocks">${chosen.slice(0, 400).map((block) => html`<li><button class="plain" @click=${() => this.cite(block.page, block.text)}>
        <span class="badge">${t(`kind_${block.kind}`)} · ${number(block.page)}</span><span dir="auto" class=${block.kind}>${block.text}</span></button></li>`)}</ol>
      ${chosen.length > 400 ? html`<p class="quiet">${t('more', { count: number(chosen.length - 400) })}</p>` : nothing}`;
  }

  side() {
    const { found } = this;
    if (!found) return html`<p class="quiet" role="status">${this.busy ? t('reading') : ''}</p>${this.busy && this.stage ? this.soFar() : nothing}
      ${this.ready?.length ? html`<ol class="blocks">${this.ready.slice(-READY_PAGES).map(({ page, text }) => html`<li>
        <span class="badge">${t('pageShort', { page: number(page) })}</span><p class="quiet" dir="auto">${text.slice(0, READY_TEXT)}</p></li>`)}</ol>` : nothing}`;
    const parts = { questions: () => this.questions(), summary: () => this.summaryTab(), outline: () => this.outline(), contents: () => this.contents() };
    return html`<p dir="auto"><strong>${found.metadata?.title || this.file.name}</strong>
        <span class="quiet">${found.metadata?.author ?? ''} ${t('pages', { count: number(found.metadata?.pageCount ?? found.pages.length) })}</span></p>
      ${found.truncated || found.warnings?.length ? html`<details class="quiet"><summary>${t('warnings')}</summary><ul lang="en" dir="auto">${found.truncated ? html`<li>${t('truncated')}</li>` : nothing}
        ${(found.warnings ?? []).map((warning) => html`<li>${warning}</li>`)}</ul></details>` : nothing}
      <div class="tabs" role="tablist" aria-label=${t('documents')} @keydown=${this.keyed}>${TABS.map((tab) => html`
        <button id="tab-${tab}" role="tab" aria-selected=${this.tab === tab} aria-controls="panel-${tab}" tabindex=${this.tab === tab ? 0 : -1}
          @click=${() => { this.tab = tab; }}>${t(tab)}</button>`)}</div>
      <div id="panel-${this.tab}" role="tabpanel" aria-labelledby="tab-${this.tab}">${parts[this.tab]()}</div>
      ${this.cited?.quote && this.exact === false ? html`<p class="quiet">${t('notExact')}</p>` : nothing}
      <p class="row"><button @click=${() => this.forget()}>${icon('forget')}${t('forget')}</button><span class="quiet">${t('forgetHint')}</span></p>`;
  }

  render() {
    return html`<section class="part" aria-labelledby="documents-title">
      <h1 id="documents-title">${t('documents')}</h1>
      <p class="lead">${t('documentsLead')}</p>
      ${dropZone({ accept: ACCEPTED, label: t('chooseDocument'), hint: t('dropDocument'), take: (file) => this.take(file) })}
      ${failureCard(this.failure)}
      ${this.file && (this.found || this.busy) ? html`<div class="beside">
        <div class="panel">${this.isPdf
          ? html`<quartet-pdf .file=${this.file} @unreadable=${(event) => { this.failure ??= event.detail; }}></quartet-pdf>`
          : html`<quartet-text .pages=${this.found?.pages ?? []}></quartet-text>`}</div>
        <div class="panel">${this.side()}</div></div>` : nothing}
      ${requestCard(this.call)}
    </section>`;
  }
}
customElements.define('quartet-documents', DocumentsPart);
