/** Pictures: what is in one, where, and answers about it with what they rest on. */
import { html, nothing, svg } from './library/lit-element.js';
import { ask, post, upload } from './api.js';
import { dropZone, failureCard, requestCard, stopped } from './cards.js';
import './camera.js';
import { icon } from './icons.js';
import { counted, number, percent, shown, t } from './texts.js';
import { View, announce } from './view.js';

/** Types that the service reads; browsers show all but TIFF. */
const TYPES = 'image/jpeg,image/png,image/webp,image/gif,image/bmp,image/tiff';

class PicturesPart extends View {
  static properties = {
    file: { state: true }, address: { state: true }, found: { state: true }, busy: { state: true }, least: { state: true },
    lit: { state: true }, turns: { state: true }, call: { state: true }, failure: { state: true }, camera: { state: true },
  };

  constructor() {
    super();
    Object.assign(this, { least: 0.3, hiddenKinds: new Set(), lit: [], turns: [] });
    this.pasted = (event) => {
      const file = [...(event.clipboardData?.files ?? [])].find((item) => item.type.startsWith('image/'));
      if (file && this.offsetParent !== null) this.take(file);
    };
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener('paste', this.pasted);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener('paste', this.pasted);
    this.abort?.abort();
  }

  async take(file) {
    this.abort?.abort();
    this.abort = new AbortController();
    if (this.address) URL.revokeObjectURL(this.address);
    Object.assign(this, { file, address: URL.createObjectURL(file), found: null, failure: null, lit: [], turns: [], camera: false, busy: true });
    this.hiddenKinds.clear();
    this.call = upload('/api/v1/image/analyze', { image: file, language: shown() });
    announce(t('looking'));
    try {
      this.found = await ask(this.call, { signal: this.abort.signal });
      announce(this.found.description);
    } catch (error) {
      if (stopped(error)) return;
      this.failure = error;
    }
    this.busy = false;
  }

  async question(event) {
    event.preventDefault();
    const field = event.target.elements.question;
    const message = field.value.trim();
    if (!message) return;
    field.value = '';
    const turn = { message };
    this.turns = [...this.turns, turn];
    this.failure = null;
    this.call = post('/api/v1/image/chat', { message, imageId: this.found.imageId });
    try {
      turn.answer = await ask(this.call);
      announce(turn.answer.answer);
      this.light(turn.answer);
    } catch (error) {
      this.turns = this.turns.filter((other) => other !== turn);
      field.value = message;
      this.failure = error;
    }
    this.requestUpdate();
  }

  /** Lights up what an answer rests on. */
  light(answer) {
    this.lit = (answer.evidence ?? []).map((evidence) => evidence.box).filter(Boolean);
  }

  async forget() {
    this.call = post('/api/v1/image/forget', { imageId: this.found.imageId });
    try {
      await ask(this.call);
      URL.revokeObjectURL(this.address);
      Object.assign(this, { file: null, address: null, found: null, turns: [], lit: [], failure: null });
      announce(t('forgotten'));
    } catch (error) {
      this.failure = error;
    }
  }

  /** Everything that was found somewhere, by kind. */
  marks() {
    const { objects = [], lines = [], unread = [] } = this.found ?? {};
    return [
      ...objects.map((object) => ({ kind: object.label, name: object.name ?? object.label, ...object, of: 'object' })),
      ...lines.map((line) => ({ ...line, kind: 'text', name: line.text, of: 'text' })),
      ...unread.map((line) => ({ ...line, kind: 'unread', name: t('unread'), of: 'unread' })),
    ];
  }

  toggle(kind) {
    if (!this.hiddenKinds.delete(kind)) this.hiddenKinds.add(kind);
    this.requestUpdate();
  }

  drawn(mark) {
    const { x, y, width, height } = mark.box;
    const turn = mark.angle ? `rotate(${mark.angle} ${x + width / 2} ${y + height / 2})` : '';
    if (mark.of === 'text') {
      return svg`<g class="mark text"><rect x=${x} y=${y} width=${width} height=${height}/>
        <text x=${x} y=${y + height * 0.78} font-size=${height * 0.8} textLength=${width} lengthAdjust="spacingAndGlyphs" transform=${turn}>${mark.text}</text></g>`;
    }
    return svg`<g class="mark ${mark.of}"><rect x=${x} y=${y} width=${width} height=${height} rx=${this.unit() / 2}/></g>`;
  }

  /** The name of an object, which lies over the frames of all. */
  tag({ box: { x, y }, name, confidence }) {
    const unit = this.unit();
    const size = unit * 2.4;
    return svg`<text class="tag" x=${x + unit / 2} y=${Math.max(y - unit / 2, size)} font-size=${size} stroke-width=${unit / 2}>${name} ${percent(confidence)}</text>`;
  }

  /** A hundredth of the picture, by which what is drawn over it is measured. */
  unit() {
    return Math.max(this.found.picture.width, this.found.picture.height) / 100;
  }

  stage() {
    const { picture } = this.found ?? {};
    const kinds = this.marks();
    const shownMarks = kinds.filter((mark) => !this.hiddenKinds.has(mark.kind) && mark.confidence >= this.least);
    const counts = Map.groupBy ? Map.groupBy(kinds, (mark) => mark.kind) : kinds.reduce((map, mark) => map.set(mark.kind, [...(map.get(mark.kind) ?? []), mark]), new Map());
    const kindName = (kind) => (kind === 'text' ? t('text') : kind === 'unread' ? t('unread') : kind);
    return html`<div class="stage" dir="ltr">
        <img src=${this.address} alt=${this.found?.description ?? this.file.name}>
        ${picture ? html`<svg class="over" viewBox="0 0 ${picture.width} ${picture.height}" preserveAspectRatio="none" role="group" aria-label=${t('found')}>
          ${shownMarks.map((mark) => this.drawn(mark))}
          ${this.lit.map((box) => svg`<rect class="lit" x=${box.x - 3} y=${box.y - 3} width=${box.width + 6} height=${box.height + 6} rx="4"/>`)}
          ${shownMarks.filter((mark) => mark.of === 'object').map((mark) => this.tag(mark))}</svg>` : nothing}
        ${this.busy ? html`<p class="working" role="status">${t('looking')}</p>` : nothing}
      </div>
      ${counts.size ? html`<div class="controls"><label><span>${t('confidence')} <output>≥ ${percent(this.least)}</output></span>
          <input type="range" min="0" max="0.95" step="0.05" .value=${String(this.least)} @input=${(event) => { this.least = Number(event.target.value); }}></label></div>
        <div class="row" role="group" aria-label=${t('kinds')}>${[...counts].map(([kind, marks]) => html`
          <button class="chip kind-${kind === 'text' || kind === 'unread' ? kind : 'object'}" aria-pressed=${!this.hiddenKinds.has(kind)}
            @click=${() => this.toggle(kind)}>${kindName(kind)} <span class="count">${number(marks.length)}</span></button>`)}</div>` : nothing}`;
  }

  render() {
    const { found } = this;
    return html`<section class="part" aria-labelledby="pictures-title">
      <h1 id="pictures-title">${t('pictures')}</h1>
      <p class="lead">${t('picturesLead')}</p>
      ${dropZone({
        accept: TYPES, label: t('choosePicture'), hint: t('dropPicture'), take: (file) => this.take(file),
        extra: html`<button @click=${() => { this.camera = true; }}>${icon('camera')}${t('camera')}</button>`,
      })}
      ${this.camera ? html`<quartet-camera @picture=${(event) => this.take(event.detail)} @close=${() => { this.camera = false; }}></quartet-camera>` : nothing}
      ${failureCard(this.failure)}
      ${this.file && (found || this.busy) ? html`<div class="beside">
        <div class="panel">${this.stage()}</div>
        <div class="panel">${found ? html`
          <h2>${t('description')}</h2><p class="answer" dir="auto">${found.description}</p>
          ${found.warning ? html`<p class="quiet" lang="en" dir="auto">${found.warning}</p>` : nothing}
          ${found.colours?.length ? html`<ul class="swatches" aria-label=${t('colours')}>${found.colours.map((colour) => html`
            <li title="${colour.name} ${percent(colour.share)}"><svg viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill=${colour.hex}/></svg><span>${colour.name}</span></li>`)}</ul>` : nothing}
          ${found.text ? html`<details><summary>${t('textFound')}</summary><pre class="prose" dir="auto" tabindex="0" aria-label=${t('textFound')}>${found.text}</pre></details>` : nothing}
          <h2>${t('questions')}</h2>
          <div class="turns" role="log">${this.turns.map((turn) => html`<p class="asked">${turn.message}</p>
            ${turn.answer ? html`<button class="answer said" @click=${() => this.light(turn.answer)} @focus=${() => this.light(turn.answer)}>
              <span dir="auto">${turn.answer.answer}</span>${turn.answer.evidence?.length ? html`<small>${counted('evidence', turn.answer.evidence.length)}</small>` : nothing}</button>`
    : html`<p class="quiet">${t('waitingFor')}</p>`}`)}</div>
          <form class="ask" @submit=${(event) => this.question(event)}>
            <label class="hidden" for="picture-question">${t('question')}</label>
            <input id="picture-question" name="question" autocomplete="off" dir="auto" placeholder=${t('question')}>
            <button class="primary round" aria-label=${t('send')}>${icon('send')}</button></form>
          <p class="row"><button @click=${() => this.forget()}>${icon('forget')}${t('forget')}</button><span class="quiet">${t('forgetHint')}</span></p>`
    : html`<p class="quiet">${this.busy ? t('looking') : ''}</p>`}</div></div>` : nothing}
      ${requestCard(this.call)}
    </section>`;
  }
}
customElements.define('quartet-pictures', PicturesPart);
