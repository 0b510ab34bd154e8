/** Documents: a PDF, or the text of another document, beside what was read in it, its summary, and answers with the passages that they stand on. */
import { html, nothing } from './library/lit-element.js';
import { ask, follow, get, post, upload } from './api.js';
import { dropZone, failureCard, requestCard, stopped } from './cards.js';
import { icon } from './icons.js';
import { begin, cancel, outcome } from './jobs.js';
import { job } from './settings.js';
import { counted, number, percent, t } from './texts.js';
import { View, announce, copy } from './view.js';
import './pdf-view.js';
import './text-view.js';

/** Kinds that the service reads. */
const ACCEPTED = 'application/pdf,.pdf,.docx,.pptx,.xlsx,.odt,.odp,.ods,.epub,.html,.htm,.md,.txt,.csv,.tsv,.eml';

/** Failures that pass: with a key, or later, the job can be asked for again. */
const PASSING = [401, 429, 503];

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

  connectedCallback() {
    super.connectedCallback();
    this.load();
  }

  /** Takes up what this tab began before the page was left. */
  load() {
    if (job.get() && !this.busy && !this.found) this.resume(job.get());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.abort?.abort();
  }

  /** Reads a document, as a job: a long scan takes minutes, and the work goes on where the page is left. */
  async take(file) {
    const isPdf = (await file.slice(0, 1024).text()).includes('%PDF-');
    this.letGo();
    Object.assign(this, { file, isPdf });
    const call = upload('/api/v1/pdf/extract-text', { pdf: file, format: 'markdown' });
    await this.read(call, async (tell, options) => {
      const address = await begin(call, options);
      job.set(address);
      try {
        const { data, call: result } = await outcome(address, tell, options);
        Object.assign(call, { version: result.version, total: performance.now() - call.begun });
        return data;
      } catch (error) {
        if (error.status !== 404) throw error;
        // A balancer asked another replica than the one that has the job. An answer in events holds on to its own.
        job.set(null);
        delete call.headers;
        return follow(call, tell, options);
      }
    });
  }

  /** Finds the job of this tab again. The document itself is gone with the page that was left. */
  async resume(address) {
    Object.assign(this, { file: null, isPdf: false });
    await this.read(null, async (tell, options) => {
      const { data, call } = await outcome(address, tell, options);
      this.call = call;
      return data;
    });
    // It was forgotten meanwhile, which is no news to whoever comes back.
    if (this.failure?.status === 404) this.failure = null;
  }

  async read(call, work) {
    this.abort = new AbortController();
    const { signal } = this.abort;
    Object.assign(this, { call, found: null, summary: null, failure: null, turns: [], kind: '', cited: null, busy: 'extract', tab: 'questions', stage: null });
    this.ready = [];
    announce(t('reading'));
    try {
      this.found = await work((event, data) => this.hear(event, data, this.ready), { signal });
      announce(this.found.message);
    } catch (error) {
      // Another document has taken its place, or nobody wants it any more.
      if (signal.aborted) return;
      if (!stopped(error)) this.failure = error;
      // Where the service has spoken, there is nothing to come back for.
      if (stopped(error) || (error.status && !PASSING.includes(error.status))) job.set(null);
    }
    this.busy = '';
    this.stage = null;
  }

  /** Shows the text of a document that the browser cannot draw. */
  showText(failure) {
    this.failure ??= failure;
    this.isPdf = false;
  }

  /** Ends what runs, and takes back the job that reads the document, or has its answer forgotten. */
  letGo() {
    this.abort?.abort();
    this.summing?.abort();
    const address = job.get();
    job.set(null);
    // Where it cannot be reached, the service forgets it by itself.
    if (address) cancel(address).catch(() => {});
  }

  stopReading() {
    this.letGo();
    Object.assign(this, { file: null, busy: '', stage: null });
    announce(t('stopped'));
    // Its button is gone, and with it the place of whoever works by keyboard.
    this.updateComplete.then(() => this.querySelector('input[type=file]').focus());
  }

  /** Takes the progress of the work, or a part of its result: a page that was read, a sentence that was written. */
  hear(event, data, parts) {
    if (event === 'progress') this.stage = data.stage ? data : null;
    else parts?.push(data);
    this.requestUpdate();
  }

  async summarize() {
    this.busy = 'summary';
    this.failure = null;
    this.written = [];
    this.call = upload('/api/v1/pdf/summarize', { pdf: this.file });
    this.summing = new AbortController();
    const { signal } = this.summing;
    // The button that was pressed is gone.
    this.updateComplete.then(() => this.querySelector('#panel-summary .stop')?.focus());
    try {
      this.summary = await follow(this.call, (event, data) => this.hear(event, data, this.written), { signal });
      announce(t('summary'));
    } catch (error) {
      if (!stopped(error)) this.failure = error;
    }
    // Another document may be read meanwhile.
    if (this.busy !== 'summary') return;
    Object.assign(this, { busy: '', stage: null });
    if (signal.aborted) this.updateComplete.then(() => this.querySelector('#panel-summary button')?.focus());
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
      turn.answer = await follow(this.call, (event, data) => this.hear(event, data, turn.written));
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
      this.letGo();
      Object.assign(this, { file: null, found: null, summary: null, turns: [], failure: null });
      announce(t('forgotten'));
    } catch (error) {
      this.failure = error;
    }
  }

  /** Copies the document in a form: `text` or `markdown`. */
  async copyAs(form) {
    if (!await copy(this.found[form])) return;
    this.copied = form;
    announce(t('copied'));
    setTimeout(() => { this.copied = ''; }, 2000);
  }

  copyButton(form, name) {
    return html`<button @click=${() => this.copyAs(form)}>${icon(this.copied === form ? 'check' : 'copy')}${name}</button>`;
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

  stopButton(stop) {
    return html`<button class="stop" @click=${stop}>${icon('stop')}${t('stop')}</button>`;
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
    return html`<div class="turns" role="log">${this.turns.map((turn) => html`<p class="asked">${turn.message}</p>
        ${turn.answer ? html`<p class="answer" dir="auto">${turn.answer.answer}</p>
          ${turn.answer.answered === false ? nothing : html`<p class="quiet">${t(`origin_${turn.answer.origin}`)} · ${t('confidence')} ${percent(turn.answer.confidence ?? 0)}</p>`}
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
      if (this.busy === 'summary') return html`${this.soFar(this.written)}${this.stopButton(() => this.summing.abort())}`;
      if (!this.file) return html`<p class="quiet">${t('chooseAgain')}</p>`;
      return html`<button class="primary" @click=${() => this.summarize()}>${t('summarize')}</button>`;
    }
    return html`<h2 dir="auto">${summary.title}</h2><p class="answer" dir="auto">${summary.summary}</p>
      <p class="quiet">${t(`origin_${summary.origin}`)}</p>
      ${summary.sentences?.map((sentence) => this.citation({ page: sentence.page, quote: sentence.text }))}
      ${summary.keyPhrases?.length ? html`<h2>${t('keyPhrases')}</h2><ul class="phrases">${summary.keyPhrases.map((phrase) => html`<li dir="auto">${phrase.text ?? phrase}</li>`)}</ul>` : nothing}`;
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
        ${this.copyButton('text', t('copyText'))}
        ${this.found.markdown === undefined ? nothing : this.copyButton('markdown', t('copyMarkdown'))}</div>
      <ol class="blocks">${chosen.slice(0, 400).map((block) => html`<li><button class="plain" @click=${() => this.cite(block.page, block.text)}>
        <span class="badge">${t(`kind_${block.kind}`)} · ${number(block.page)}</span><span dir="auto" class=${block.kind}>${block.text}</span></button></li>`)}</ol>
      ${chosen.length > 400 ? html`<p class="quiet">${t('more', { count: number(chosen.length - 400) })}</p>` : nothing}`;
  }

  side() {
    const { found } = this;
    if (!found) return html`<p class="quiet" role="status">${this.busy ? t('reading') : ''}</p>${this.busy && this.stage ? this.soFar() : nothing}
      ${this.busy ? html`<p class="row">${this.stopButton(() => this.stopReading())}</p><p class="quiet">${t('goesOn')}</p>` : nothing}
      ${this.ready?.length ? html`<ol class="blocks">${this.ready.slice(-READY_PAGES).map(({ page, text }) => html`<li>
        <span class="badge">${t('pageShort', { page: number(page) })}</span><p class="quiet" dir="auto">${text.slice(0, READY_TEXT)}</p></li>`)}</ol>` : nothing}`;
    const parts = { questions: () => this.questions(), summary: () => this.summaryTab(), outline: () => this.outline(), contents: () => this.contents() };
    return html`<p><strong dir="auto">${found.metadata?.title || this.file?.name || t('document')}</strong>
        <span class="quiet"><bdi>${found.metadata?.author ?? ''}</bdi> ${counted('pages', found.metadata?.pageCount ?? found.pages.length)}</span></p>
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
      ${this.found || this.busy ? html`<div class="beside">
        <div class="panel">${this.isPdf
          ? html`<quartet-pdf .file=${this.file} @unreadable=${(event) => this.showText(event.detail)}></quartet-pdf>`
          : html`${this.file ? nothing : html`<p class="quiet">${t('chooseAgain')}</p>`}<quartet-text .pages=${this.found?.pages ?? []}></quartet-text>`}</div>
        <div class="panel">${this.side()}</div></div>` : nothing}
      ${requestCard(this.call)}
    </section>`;
  }
}
customElements.define('quartet-documents', DocumentsPart);
