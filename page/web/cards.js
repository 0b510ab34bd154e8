/** Cards that every part of the page has: a request as it was sent, and a failure with what to do about it. */
import { html, nothing } from './library/lit-element.js';
import { icon } from './icons.js';
import { key } from './settings.js';
import { curl, javascript, python } from './snippets.js';
import { duration, number, t } from './texts.js';
import { View, announce, copy } from './view.js';

const FORMS = { curl: ['curl', curl], python: ['Python', python], javascript: ['JavaScript', javascript] };

/** The last request of a part: how long it took, which version answered, and how it is sent from elsewhere. */
class RequestCard extends View {
  static properties = { call: { attribute: false }, stamp: { attribute: false }, form: { state: true }, copied: { state: true } };

  constructor() {
    super();
    this.form = 'curl';
  }

  async copy(text) {
    this.copied = await copy(text);
    if (this.copied) announce(t('copied'));
    setTimeout(() => { this.copied = false; }, 2000);
  }

  render() {
    const call = this.call;
    if (!call?.status) return nothing;
    const text = FORMS[this.form][1](call, key.get() !== '');
    const facts = [
      [t('first'), duration(call.first)],
      call.total ? [t('total'), duration(call.total)] : null,
      // Of what comes bit by bit, the head tells the time until the first bit.
      call.timing?.guest && !call.streamed ? [t('computing'), duration(call.timing.guest)] : null,
      call.timing?.queue > 1 ? [t('waiting'), duration(call.timing.queue)] : null,
      call.version ? [t('version'), call.version] : null,
      [t('requestId'), call.id],
    ].filter(Boolean);
    return html`<details class="request">
      <summary>${icon('code')}<span>${t('request')}</span><code>${call.method} ${call.path}</code>
        <span class="quiet">${call.total ? duration(call.total) : duration(call.first)}</span></summary>
      <div class="row" role="group" aria-label=${t('request')}>${Object.entries(FORMS).map(([form, [name]]) => html`
        <button class="chip" aria-pressed=${this.form === form} @click=${() => { this.form = form; }}>${name}</button>`)}
        <button class="chip end" @click=${() => this.copy(text)}>${icon(this.copied ? 'check' : 'copy')}${t('copy')}</button></div>
      <pre dir="ltr" tabindex="0" aria-label=${FORMS[this.form][0]}>${text}</pre>
      <dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd dir="auto">${value}</dd></div>`)}</dl>
    </details>`;
  }
}
customElements.define('quartet-request', RequestCard);

/** The card of a request, drawn anew when more is known of its answer. @param {import('./api.js').Call | undefined} call */
export function requestCard(call) {
  return html`<quartet-request .call=${call} .stamp=${`${call?.id} ${call?.total}`}></quartet-request>`;
}

const ADVICE = {
  unauthorized: 'adviceKey', invalid_api_key: 'adviceKey', forbidden: 'adviceForbidden',
  rate_limited: 'adviceLater', rate_limit_exceeded: 'adviceLater', busy: 'adviceLater',
  payload_too_large: 'adviceSmaller', picture_too_large: 'adviceSmaller', document_too_large: 'adviceSmaller', text_too_long: 'adviceSmaller',
  unsupported_media_type: 'adviceFile', invalid_picture: 'adviceFile', invalid_document: 'adviceFile', password_needed: 'advicePassword',
  unknown_upload: 'adviceAgain', unknown_conversation: 'adviceAgain', no_upload: 'adviceAgain', unavailable: 'adviceUnavailable', deadline_exceeded: 'adviceShorter',
  compute_exhausted: 'adviceShorter', unreachable: 'adviceUnreachable', not_drawn: 'adviceNotDrawn',
};

/**
 * A failure: the service's sentence, what to do, and the id by which whoever runs the service finds it in the log.
 * @param {import('./api.js').Failure | null} failure
 */
export function failureCard(failure) {
  if (!failure) return nothing;
  const advice = ADVICE[failure.code] ?? 'adviceLog';
  return html`<div class="failure" role="alert">${icon('warning')}<div>
    <p><strong>${t(advice, { seconds: number(failure.retryAfter || 1) })}</strong></p>
    <p dir="auto" lang="en">${failure.message}</p>
    ${failure.id ? html`<p class="quiet">${t('requestId')}: <code>${failure.id}</code> · <code>${failure.code}</code></p>` : nothing}
  </div></div>`;
}

/** True if an error only says that somebody stopped what ran. */
export const stopped = (error) => error.name === 'AbortError';

/** A place to choose or drop a file, or paste one. */
export function dropZone({ accept, label, hint, take, extra = nothing }) {
  const taken = (files) => files?.length && take(files[0]);
  const over = (event, is) => { event.preventDefault(); event.currentTarget.classList.toggle('over', is); };
  return html`<div class="drop" @dragover=${(event) => over(event, true)} @dragleave=${(event) => over(event, false)}
      @drop=${(event) => { over(event, false); taken(event.dataTransfer.files); }}>
    <label class="button primary"><input class="hidden" type="file" accept=${accept}
      @change=${(event) => { taken(event.target.files); event.target.value = ''; }}>${label}</label>
    ${extra}<span class="quiet">${hint}</span></div>`;
}
