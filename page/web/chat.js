/** Chat: answers as they are written, what was computed as a card, and sources by their numbers. The conversation is kept in this
 * browser and sent with each question; the service keeps none of it. */
import { html, nothing } from './library/lit-element.js';
import { ask, follow, get, post } from './api.js';
import { failureCard, requestCard, stopped } from './cards.js';
import { conversations, drop, keep } from './history.js';
import { icon } from './icons.js';
import { Speech, stop } from './player.js';
import { QUESTIONS } from './samples.js';
import { number, shown, t } from './texts.js';
import { View, announce } from './view.js';

/** Turns of a conversation that are sent with a question. */
const SENT = 20;

class ChatPart extends View {
  static properties = {
    conversation: { state: true }, mode: { state: true }, search: { state: true }, busy: { state: true }, info: { state: true },
    call: { state: true }, failure: { state: true }, reading: { state: true },
  };

  constructor() {
    super();
    Object.assign(this, { mode: 'general', search: false, conversation: conversations()[0] ?? this.empty() });
    ask(get('/api/v1/chat/info')).then((info) => { this.info = info; }, () => {});
  }

  empty() {
    return { id: Math.random().toString(36).slice(2), turns: [] };
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.abort?.abort();
  }

  /** The conversation as the service takes it. */
  sent() {
    const { turns } = this.conversation;
    return turns.slice(-SENT).filter((turn) => turn.content).map(({ role, content }) => ({ role, content }));
  }

  async send(message) {
    const { turns } = this.conversation;
    const messages = this.sent();
    const answer = { role: 'assistant', content: '' };
    turns.push({ role: 'user', content: message }, answer);
    await this.receive({ message, mode: this.mode, useSearch: this.search, messages }, answer);
    if (!answer.content && !answer.stopped) {
      turns.splice(-2, 2);
      this.querySelector('textarea').value ||= message;
    }
    this.ended();
  }

  /** Has the model go on with the last answer, in its place. */
  async goOn() {
    const answer = this.conversation.turns.at(-1);
    // The mark of a cut is none of the text.
    answer.content = answer.content.replace(/ …$/, '');
    answer.stopped = false;
    await this.receive({ message: '', mode: this.mode, messages: this.sent() }, answer);
    this.ended();
  }

  /** True for an answer of the model that was stopped, or has as many tokens as it may have. */
  goesOn(turn) {
    const isCut = turn.stopped || ['length', 'time'].includes(turn.finish);
    return isCut && !this.busy && turn === this.conversation.turns.at(-1) && !turn.sources?.length;
  }

  /** Asks, and appends to an answer what comes. */
  async receive(question, answer) {
    const begun = answer.content;
    this.failure = null;
    this.abort = new AbortController();
    this.busy = true;
    const call = post('/api/v1/chat', question);
    this.call = call;
    this.toEnd();
    const tell = (event, data) => {
      if (event === 'token') answer.content += data.text;
      this.requestUpdate();
      this.toEnd();
    };
    try {
      const whole = await follow(call, tell, { signal: this.abort.signal });
      const { answer: content, origin, model, sources, computation, notes, finish, language, search, usage } = whole;
      Object.assign(answer, { content: begun + content, origin, model, sources, computation, notes, finish, language, search, usage });
      this.toEnd();
      announce(answer.content);
    } catch (error) {
      if (stopped(error)) answer.stopped = true;
      else this.failure = error;
    }
    call.total = performance.now() - call.begun;
  }

  ended() {
    this.busy = false;
    // Where the first question failed, there is nothing to come back to.
    if (this.conversation.turns.length) keep(this.conversation);
  }

  submitted(event) {
    event.preventDefault();
    const field = this.querySelector('textarea');
    const message = field.value.trim();
    if (!message || this.busy) return;
    field.value = '';
    this.send(message);
  }

  /** Why there is no model. That there is none is said in the page's language before. */
  modelProblem() {
    const problem = (this.info.modelProblem ?? '').replace(/^there is no language model: /, '');
    return problem && `(${problem})`;
  }

  toEnd() {
    this.updateComplete.then(() => {
      const log = this.querySelector('.log');
      if (log) log.scrollTop = log.scrollHeight;
    });
  }

  async read(turn) {
    if (this.reading === turn) return stop();
    const speech = new Speech(() => {
      if (this.reading === turn && ['done', 'stopped', 'idle'].includes(speech.state)) this.reading = null;
    });
    this.reading = turn;
    this.call = post('/api/v1/tts/stream', { text: turn.content, ...(turn.language ? { language: turn.language } : {}) });
    try {
      await speech.stream(this.call);
    } catch (error) {
      this.reading = null;
      this.failure = error;
    }
    this.requestUpdate();
  }

  open(conversation) {
    this.abort?.abort();
    this.conversation = conversation;
    this.failure = null;
  }

  /** The text of an answer; where it names a source by its number, the number leads there. */
  prose(turn) {
    const sources = new Map((turn.sources ?? []).map((source) => [String(source.number), source]));
    return turn.content.split(/(\[\d+\])/).map((part) => {
      const source = sources.get(part.slice(1, -1));
      return source ? html`<a class="cite" href=${source.url} target="_blank" rel="noopener noreferrer">${part}</a>` : part;
    });
  }

  answer(turn) {
    const { computation } = turn;
    return html`<article class="answer">
      ${computation ? html`<div class="computation">${icon('sum')}<div><code dir="ltr">${computation.expression}</code>
        <strong dir="ltr">${computation.approximate ? '≈' : '='} ${computation.result}</strong></div><span class="badge">${t('computed')}</span></div>` : nothing}
      <div class="prose" dir="auto">${turn.content ? this.prose(turn) : html`<span class="quiet">${turn.stopped ? t('stopped') : t('waitingFor')}</span>`}</div>
      ${turn.sources?.length ? html`<ol class="sources" aria-label=${t('sources')}>${turn.sources.map((source) => html`<li value=${source.number}>
        <a href=${source.url} target="_blank" rel="noopener noreferrer" dir="auto">${source.title || source.url}</a>
        <span class="quiet" dir="auto">${source.date ?? ''} ${source.quote ? `“${source.quote}”` : ''}</span></li>`)}</ol>` : nothing}
      ${turn.notes?.map((note) => html`<p class="quiet" lang="en" dir="auto">${note}</p>`)}
      ${turn.content && (turn.origin || turn.stopped) ? html`<p class="row quiet">
        <button class="chip" @click=${() => this.read(turn)}>${icon(this.reading === turn ? 'stop' : 'speech')}${this.reading === turn ? t('stop') : t('readAloud')}</button>
        ${this.goesOn(turn) ? html`<button class="chip" @click=${() => this.goOn()}>${icon('add')}${t('goOn')}</button>` : nothing}
        ${turn.origin ? html`<span>${turn.model ?? t(`origin_${turn.origin}`)}</span>` : nothing}
        ${turn.usage?.totalTokens ? html`<span>${t('tokens', { count: number(turn.usage.totalTokens) })}</span>` : nothing}
        ${turn.stopped ? html`<span>${t('stopped')}</span>` : nothing}</p>` : nothing}</article>`;
  }

  render() {
    const { turns } = this.conversation;
    const kept = conversations();
    return html`<section class="part" aria-labelledby="chat-title">
      <h1 id="chat-title">${t('chat')}</h1>
      <p class="lead">${this.info && !this.info.model
        ? html`${t('noModel')} <span class="quiet" lang="en" dir="auto">${this.modelProblem()}</span>` : t('chatLead')}</p>
      <div class="panel">
        <div class="log" role="log" aria-label=${t('chat')} tabindex="0">
          ${turns.length ? turns.map((turn) => (turn.role === 'user' ? html`<p class="asked">${turn.content}</p>` : this.answer(turn)))
    : html`<div class="row" role="group" aria-label=${t('examples')}>${QUESTIONS[shown()].map((example) => html`<button class="chip" @click=${() => this.send(example)}>${example}</button>`)}</div>`}
        </div>
        ${failureCard(this.failure)}
        <form class="ask" @submit=${(event) => this.submitted(event)}>
          <label class="hidden" for="chat-message">${t('message')}</label>
          <textarea id="chat-message" rows="2" dir="auto" placeholder=${t('message')}
            @keydown=${(event) => { if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) this.submitted(event); }}></textarea>
          ${this.busy ? html`<button type="button" class="primary round" aria-label=${t('stop')} @click=${() => this.abort.abort()}>${icon('stop')}</button>`
    : html`<button class="primary round" aria-label=${t('send')}>${icon('send')}</button>`}</form>
        <div class="controls">
          <label><span>${t('mode')}</span><select @change=${(event) => { this.mode = event.target.value; }}>
            ${['general', 'concise', 'detailed'].map((mode) => html`<option value=${mode} ?selected=${this.mode === mode}>${t(`mode_${mode}`)}</option>`)}</select></label>
          <label class="switch"><input type="checkbox" role="switch" .checked=${this.search} @change=${(event) => { this.search = event.target.checked; }}><span>${t('searchWeb')}</span></label>
          <button @click=${() => this.open(this.empty())}>${icon('add')}${t('newChat')}</button>
        </div>
      </div>
      ${kept.length ? html`<details class="history"><summary>${t('history')} <span class="count">${number(kept.length)}</span></summary>
        <p class="quiet">${t('historyHint')}</p>
        <ul>${kept.map((one) => html`<li class="row"><button class="plain" dir="auto" aria-current=${one.id === this.conversation.id ? 'true' : 'false'}
            @click=${() => this.open(one)}>${one.turns[0]?.content ?? '…'}</button>
          <button class="round" aria-label=${t('forget')} title=${t('forget')} @click=${() => { drop(one.id); if (one.id === this.conversation.id) this.open(this.empty()); this.requestUpdate(); }}>${icon('forget')}</button></li>`)}</ul>
        <button @click=${() => { drop(); this.open(this.empty()); this.requestUpdate(); }}>${icon('forget')}${t('forgetAll')}</button></details>` : nothing}
      ${requestCard(this.call)}
    </section>`;
  }
}
customElements.define('quartet-chat', ChatPart);
