/** Speech: a text, a voice in a language, and the sound as it is made. */
import { html, nothing } from './library/lit-element.js';
import { ask, get, post, send } from './api.js';
import { failureCard, requestCard, stopped } from './cards.js';
import { icon } from './icons.js';
import { Speech, stop } from './player.js';
import { SAMPLES } from './samples.js';
import { duration, languageName, number, shown, t } from './texts.js';
import { View, announce, save } from './view.js';
import './read-along.js';
import './waveform.js';

const FORMATS = ['mp3', 'opus', 'flac', 'wav'];

/** Time after which a service that did not answer is asked again, in milliseconds. */
const AGAIN = 4000;

class SpeechPart extends View {
  static properties = {
    voices: { state: true }, codes: { state: true }, engines: { state: true }, voice: { state: true }, language: { state: true },
    engine: { state: true }, speed: { state: true }, speech: { state: true }, call: { state: true }, failure: { state: true },
    sampled: { state: true }, saving: { state: true },
  };

  constructor() {
    super();
    Object.assign(this, { voices: [], codes: Object.keys(SAMPLES), engines: [], voice: 'Kore', language: '', engine: 'auto', speed: 1 });
    this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  async load() {
    clearTimeout(this.timer);
    try {
      const [voices, languages, info] = await Promise.all(['voices', 'languages', 'info'].map((name) => ask(get(`/api/v1/tts/${name}`))));
      this.voices = voices.voices;
      this.codes = languages.languages.map((language) => language.code);
      this.engines = info.engines ?? [];
      this.failure = null;
    } catch (error) {
      this.failure = error;
      // The page may have been opened without its service, and works once that is there.
      if (error.code === 'unreachable') this.timer = setTimeout(() => this.load(), AGAIN);
    }
  }

  fields(text) {
    return {
      text, voice: this.voice, engine: this.engine, speed: this.speed, timings: true,
      ...(this.language ? { language: this.language } : {}),
    };
  }

  get text() {
    return this.querySelector('textarea').value;
  }

  async speak() {
    if (!this.text.trim()) {
      this.querySelector('textarea').focus();
      return;
    }
    await this.run(post('/api/v1/tts/stream', this.fields(this.text)), null);
  }

  /** Lets a voice say a sentence of the language, by the engine that answers at once. */
  async sample(voice) {
    const language = this.language || shown();
    this.voice = voice;
    await this.run(post('/api/v1/tts/stream', { text: SAMPLES[language], voice, language, engine: 'fast', speed: this.speed, timings: true }), voice);
  }

  async run(call, sampled) {
    this.failure = null;
    this.sampled = sampled;
    const speech = new Speech(() => this.requestUpdate());
    this.speech = speech;
    this.call = call;
    this.spoken = call.json;
    announce(t('speaking'));
    try {
      await this.updateComplete;
      await speech.stream(call);
    } catch (error) {
      this.failure = error;
    }
    this.requestUpdate();
  }

  async save(format) {
    const name = `speech.${format}`;
    if (format === 'wav' && this.speech.whole) return save(this.speech.wav(), name);
    this.saving = format;
    this.failure = null;
    const { timings, ...rest } = this.spoken;
    const call = post('/api/v1/tts/stream', { ...rest, format });
    try {
      const answer = await send(call);
      save(await answer.blob(), name);
      call.total = performance.now() - call.begun;
      this.call = call;
    } catch (error) {
      if (!stopped(error)) this.failure = error;
    }
    this.saving = '';
  }

  render() {
    const speech = this.speech;
    const playing = speech && ['waiting', 'playing'].includes(speech.state);
    const natural = this.engines.find((engine) => engine.name === 'natural');
    return html`<section class="part" aria-labelledby="speech-title">
      <h1 id="speech-title">${t('speech')}</h1>
      <p class="lead">${t('speechLead')}</p>
      <div class="panel">
        <label class="field" for="speech-text">${t('text')}</label>
        <textarea id="speech-text" rows="4" dir="auto" .value=${SAMPLES[shown()]}
          @keydown=${(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.speak(); }}></textarea>
        <div class="controls">
          <label><span>${t('language')}</span><select @change=${(event) => { this.language = event.target.value; }}>
            <option value="">${t('detected')}</option>
            ${this.codes.map((code) => html`<option value=${code} ?selected=${this.language === code}>${languageName(code)}</option>`)}</select></label>
          <label><span>${t('engine')}</span><select @change=${(event) => { this.engine = event.target.value; }}>
            <option value="auto">${t('engineAuto')}</option>
            <option value="natural" ?disabled=${natural && !natural.available}>${t('engineNatural')}</option>
            <option value="fast">${t('engineFast')}</option></select></label>
          <label><span>${t('speed')} <output>${number(this.speed, { minimumFractionDigits: 1 })} ×</output></span>
            <input type="range" min="0.5" max="2" step="0.1" .value=${String(this.speed)} @input=${(event) => { this.speed = Number(event.target.value); }}></label>
        </div>
        <fieldset class="voices"><legend>${t('voice')}</legend>${this.voices.map((voice) => html`
          <div class="voice ${this.voice === voice.name ? 'chosen' : ''}">
            <label><input type="radio" name="voice" value=${voice.name} .checked=${this.voice === voice.name} @change=${() => { this.voice = voice.name; }}>
              <span><strong>${voice.name}</strong><small>${t(`voice${voice.name}`)}</small></span></label>
            <button class="round" aria-label=${t('hear', { voice: voice.name })} title=${t('hear', { voice: voice.name })}
              @click=${() => this.sample(voice.name)}>${icon('play')}</button></div>`)}</fieldset>
        <div class="row">
          ${playing
            ? html`<button class="primary" @click=${() => stop()}>${icon('stop')}${t('stop')}</button>`
            : html`<button class="primary" @click=${() => this.speak()}>${icon('play')}${t('speak')}</button>`}
          ${speech?.whole && !playing ? html`<button @click=${() => speech.again()}>${icon('play')}${t('again')}</button>` : nothing}
          ${speech?.whole ? html`<span class="end row" role="group" aria-label=${t('save')}>${icon('save')}${FORMATS.map((format) => html`
            <button class="chip" ?disabled=${this.saving === format} aria-label=${t('saveAs', { format: format.toUpperCase() })}
              @click=${() => this.save(format)}>${format.toUpperCase()}</button>`)}</span>` : nothing}
        </div>
        <quartet-waveform .speech=${speech} .played=${speech?.played} role="img" aria-label=${t('waveform')}></quartet-waveform>
        <quartet-read-along .text=${this.spoken?.text} .words=${speech?.words} .played=${speech?.played ?? 0}
          .lang=${speech?.language ?? ''}></quartet-read-along>
        <p class="quiet" data-state=${speech?.state ?? 'idle'}>${speech?.came ? html`
          ${duration((speech.played / speech.rate) * 1000)} / ${duration((speech.length / speech.rate) * 1000)}
          · ${t(speech.engine === 'natural' ? 'engineNatural' : 'engineFast')}
          ${speech.language ? html`· ${languageName(speech.language)}` : nothing}
          ${this.sampled ? html`· ${this.sampled}` : nothing}` : t(playing ? 'waitingFor' : 'nothingYet')}</p>
        ${failureCard(this.failure)}
      </div>
      ${requestCard(this.call)}
    </section>`;
  }
}
customElements.define('quartet-speech', SpeechPart);
