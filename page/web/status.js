/** How the service is doing: its versions, what it is asked, how long that takes, what it refuses and what it holds. Whoever has
 * the admin interface's token changes versions here, where the page is opened at that interface's own address. */
import { html, nothing, svg } from './library/lit-element.js';
import { Failure, ask, get, send } from './api.js';
import { failureCard, requestCard } from './cards.js';
import { icon } from './icons.js';
import { by, parse, quantile, sum } from './metrics.js';
import { token } from './settings.js';
import { bytes, duration, number, percent, t } from './texts.js';
import { View, announce } from './view.js';

/** Time between two readings, in milliseconds. */
const PAUSE = 2000;

/** Readings that a plot shows. */
const SHOWN = 90;

/** Time between two questions for what the components say of themselves, in milliseconds. */
const INFOS = 60_000;

/** Time between two questions for the step of a change that is under way, in milliseconds. */
const STEP_PAUSE = 150;

/** The host's own pages, which nobody asks of a component. */
const OWN = new Set(['healthz', 'readyz', 'metrics', 'page']);

const ADMIN = '/admin/v1/components';

/** What a new version goes through, in this order, by the names that a refusal has for it. */
const STEPS = ['read', 'check', 'compile', 'link', 'probe', 'keep'];

class StatusPart extends View {
  static properties = {
    place: {}, ready: { state: true }, components: { state: true }, points: { state: true }, refused: { state: true },
    failure: { state: true }, problem: { state: true }, call: { state: true }, why: { state: true }, token: { state: true }, done: { state: true }, share: { state: true },
    model: { state: true }, steps: { state: true }, working: { state: true },
  };

  constructor() {
    super();
    Object.assign(this, { components: [], points: [], refused: new Map(), token: token.get(), share: 5, why: '' });
  }

  connectedCallback() {
    super.connectedCallback();
    this.poll();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  get admin() {
    return this.place === 'admin';
  }

  async poll() {
    clearTimeout(this.timer);
    if (!document.hidden) await this.look();
    if (this.isConnected) this.timer = setTimeout(() => this.poll(), PAUSE);
  }

  async look() {
    await this.updateComplete;
    const bearer = this.admin ? this.token : undefined;
    if (this.admin && !bearer) return;
    try {
      if (this.admin) await this.lookFromInside(bearer);
      else await this.lookFromOutside();
      this.failure = null;
    } catch (error) {
      this.failure = error;
    }
    try {
      const text = await (await send(get('/metrics'), { bearer })).text();
      this.read(parse(text));
      this.why = '';
    } catch (error) {
      this.why = error.status === 404 ? t('noMetrics') : error.message;
    }
  }

  /** What the one with the token may know. */
  async lookFromInside(bearer) {
    this.components = (await ask(get(ADMIN), { bearer })).components;
    await this.askReady();
  }

  async askReady() {
    this.ready = await ask(get('/readyz')).catch((error) => ({ status: error.message }));
  }

  /** What everybody may know. */
  async lookFromOutside() {
    await this.askReady();
    // They count as requests, which a page that is only looked at must not use up.
    if (this.outside && performance.now() - this.outsideAt < INFOS) return;
    this.outsideAt = performance.now();
    const infos = await Promise.all(['tts', 'chat'].map((name) => ask(get(`/api/v1/${name}/info`)).catch(() => null)));
    const known = ['tts', 'chat'].map((name, index) => infos[index]?.component && { capability: name, current: infos[index].component });
    this.outside = known.filter(Boolean);
    this.model = infos[1] && (infos[1].model?.name ?? '');
    if (!this.components.length) this.components = this.outside;
  }

  read(now) {
    const before = this.earlier ?? now;
    const seconds = Math.max(0.001, (performance.now() - (this.readAt ?? performance.now() - PAUSE)) / 1000);
    this.readAt = performance.now();
    const asked = ({ operation }) => !OWN.has(operation);
    const served = (samples) => sum(samples, 'quartet_requests_total', asked);
    const refused = (samples) => sum(samples, 'quartet_failures_total');
    const written = (samples) => sum(samples, 'quartet_language_tokens_total', ({ of }) => of === 'answer');
    const point = {
      requests: Math.max(0, served(now) - served(before)) / seconds,
      middle: quantile(now, before, 'quartet_request_head_seconds', 0.5, asked) * 1000,
      slow: quantile(now, before, 'quartet_request_head_seconds', 0.95, asked) * 1000,
      refused: Math.max(0, refused(now) - refused(before)) / seconds,
      running: sum(now, 'quartet_running', ({ of }) => !of || of === 'requests'),
      waiting: sum(now, 'quartet_waiting', ({ of }) => !of || of === 'requests'),
      tokens: Math.max(0, written(now) - written(before)) / seconds,
      memory: sum(now, 'quartet_process_private_memory_bytes') || sum(now, 'process_resident_memory_bytes'),
    };
    this.points = [...this.points, point].slice(-SHOWN);
    this.refused = by(now, 'quartet_failures_total', 'code');
    this.total = served(now);
    this.earlier = now;
    if (!this.admin) {
      const versions = now.filter(({ name, value }) => name === 'quartet_component_serving' && value === 1);
      this.components = versions.map(({ labels }) => {
        const capability = labels.capability;
        const digest = labels.version;
        const info = this.outside?.find((one) => one.capability === capability)?.current;
        const errors = sum(now, 'quartet_requests_total', (of) => of.version === digest && of.status >= '500');
        const requests = sum(now, 'quartet_requests_total', (of) => of.version === digest);
        const since = sum(now, 'quartet_component_since_seconds', (of) => of.version === digest) * 1000;
        return { capability, current: { ...info, digest: info?.digest ?? digest, requests, errors, ...(since ? { since } : {}) } };
      });
    }
  }

  /** Asks the admin interface for a change. */
  async change(path, file, done) {
    this.problem = null;
    this.done = t('waitingFor');
    this.working = true;
    this.steps = file ? { passed: 0, at: 0 } : null;
    this.call = { method: 'POST', path: ADMIN + path, file, token: true };
    if (file) this.watch(path.split('/')[1], this.call);
    try {
      const { fleet } = await ask(this.call, { bearer: this.token });
      if (file) this.steps = { passed: STEPS.length };
      const behind = fleet?.replicas.filter(({ state }) => state !== 'serving') ?? [];
      // The change holds, and these replicas do not have it: whose names and reasons are for whoever runs them.
      if (behind.length) throw new Error(behind.map(({ name, state, reason }) => `${name}: ${reason ?? state}`).join('; '));
      this.done = done;
      announce(done);
    } catch (error) {
      this.done = '';
      this.problem = error;
      const refused = STEPS.indexOf(/ at the step (\w+)/.exec(error.message)?.[1]);
      // Of other failures the steps know nothing.
      if (!this.steps?.passed) this.steps = refused < 0 ? null : { passed: refused, refused };
    }
    this.working = false;
    this.poll();
  }

  /** Shows the step that a change has reached, until its answer is there. */
  async watch(capability, call) {
    const goesOn = () => this.isConnected && this.working && this.call === call;
    while (goesOn()) {
      const { change } = await ask(get(`${ADMIN}/${capability}`), { bearer: this.token }).catch(() => ({}));
      const at = STEPS.indexOf(change?.step);
      // Among replicas a version goes through the first steps twice.
      if (goesOn() && at > this.steps.passed) this.steps = { passed: at, at };
      await new Promise((resolve) => { setTimeout(resolve, STEP_PAUSE); });
    }
  }

  enter(event) {
    event.preventDefault();
    this.token = event.target.elements.token.value.trim();
    token.set(this.token);
    this.poll();
  }

  /** The steps of a new version: those it has passed, the one it is at, or the one at which it was refused. */
  stepList(steps) {
    if (!steps) return nothing;
    const { passed = 0, at, refused } = steps;
    const state = (index) => (index < passed ? 'passed' : index === refused ? 'refused' : index === at ? 'at' : 'ahead');
    const said = { at: nothing, passed: html`${icon('check')}<span class="hidden">${t('passed')}</span>`, refused: html`${icon('warning')}<span class="hidden">${t('failedHere')}</span>`, ahead: nothing };
    return html`<ol class="steps row" aria-label=${t('steps')}>${STEPS.map((step, index) => html`<li class="badge ${state(index)}" aria-current=${index === at ? 'step' : nothing}>${said[state(index)]}${t(`step_${step}`)}</li>`)}</ol>`;
  }

  /** A plot of the first field, with the second as a broken line; `keys` names them where the plot's name does not. */
  plot(name, fields, shown, keys = []) {
    const points = this.points.map((point) => fields.map((field) => (Number.isFinite(point[field]) ? point[field] : 0)));
    const most = Math.max(...points.flat(), 1e-9);
    const last = this.points.at(-1)?.[fields[0]];
    const now = Number.isFinite(last) ? shown(last) : '–';
    const wide = Math.max(points.length - 1, 19);
    const line = (index) => points.map((values, at) => `${(at * 180) / wide},${46 - (values[index] / most) * 42}`).join(' ');
    return html`<figure class="plot"><figcaption>${name}<strong>${now}</strong></figcaption>
      <svg viewBox="0 0 180 48" preserveAspectRatio="none" role="img" aria-label="${name}: ${now}">
        ${fields.map((_, index) => svg`<polyline class="line-${index}" points=${line(index)}/>`)}</svg>
      <small class="quiet"><span>≤ ${shown(Math.max(...points.flat(), 0))}</span>${keys.map((key, index) => (key ? html`
        <span class="key-${index}">${key}</span>` : nothing))}</small></figure>`;
  }

  /** A canary beside the version that serves: what each answered, and in which time. */
  trial({ digest, plan, secondsLeft, candidate, current }) {
    const slowest = ({ times = {} }) => Math.max(0, ...Object.values(times).map((time) => time.p95Ms ?? 0));
    const tallies = [[t('canary'), candidate], [t('current'), current]].filter(([, tally]) => tally);
    const row = (name, value) => html`<tr><th scope="row">${name}</th>${tallies.map(([, tally]) => html`<td>${value(tally)}</td>`)}</tr>`;
    return html`<p><span class="badge">${t('canary')}</span> <code>${digest.slice(0, 12)}</code>
        <span class="quiet">${percent(plan.percent / 100)} · ${duration(secondsLeft * 1000)}</span></p>
      ${tallies.length ? html`<table class="trial"><thead><tr><td></td>${tallies.map(([name]) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>${row(t('requests'), (tally) => number(tally.requests))}${row(t('errors'), (tally) => number(tally.failed))}
          ${row(t('refusals'), (tally) => number(tally.refused))}
          ${row(t('latency'), (tally) => (slowest(tally) ? duration(slowest(tally)) : '–'))}</tbody></table>` : nothing}`;
  }

  component({ capability, current, change, previous = [], trial, lastTrial }) {
    const at = change && !this.working ? STEPS.indexOf(change.step) : -1;
    const swap = (files, canary) => files?.[0] && this.change(
      `/${capability}/${canary ? `canary?percent=${this.share}` : 'swap'}`, files[0], t(canary ? 'canaryBegun' : 'swapped', { name: capability }));
    const over = (event, is) => {
      if (!this.admin) return;
      event.preventDefault();
      event.currentTarget.classList.toggle('over', is);
    };
    return html`<article class="panel component" @dragover=${(event) => over(event, true)} @dragleave=${(event) => over(event, false)}
        @drop=${(event) => { over(event, false); if (this.admin) swap(event.dataTransfer.files); }}>
      <h3>${capability}</h3>
      <dl class="facts">
        <div><dt>${t('version')}</dt><dd><code>${(current?.digest ?? '–').slice(0, 12)}</code></dd></div>
        ${current?.since ? html`<div><dt>${t('since')}</dt><dd>${new Date(current.since).toLocaleString(document.documentElement.lang)}</dd></div>` : nothing}
        <div><dt>${t('requests')}</dt><dd>${number(current?.requests ?? 0)}</dd></div>
        ${current?.errors === undefined ? nothing : html`<div><dt>${t('errors')}</dt><dd>${number(current.errors)}</dd></div>`}
        ${lastTrial && !trial ? html`<div><dt>${t('lastTrial')}</dt><dd lang="en">${lastTrial.ended ?? ''}</dd></div>` : nothing}
      </dl>
      ${at < 0 ? nothing : this.stepList({ passed: at, at })}
      ${trial ? html`${this.trial(trial)}
        <div class="row"><button class="primary" @click=${() => this.change(`/${capability}/canary/promote`, undefined, t('promoted'))}>${t('promote')}</button>
          <button @click=${() => this.change(`/${capability}/canary/abort`, undefined, t('aborted'))}>${t('abort')}</button></div>` : nothing}
      ${this.admin ? html`<div class="row">
        <label class="button"><input class="hidden" type="file" accept=".wasm,application/wasm" @change=${(event) => { swap(event.target.files); event.target.value = ''; }}>${t('swap')}</label>
        <label class="button"><input class="hidden" type="file" accept=".wasm,application/wasm" @change=${(event) => { swap(event.target.files, true); event.target.value = ''; }}>${t('canaryAt', { percent: percent(this.share / 100) })}</label>
        <button ?disabled=${!previous.length} @click=${() => this.change(`/${capability}/rollback`, undefined, t('rolledBack'))}>${t('rollback')}</button></div>
        <p class="quiet">${t('dropComponent')} ${previous.length ? html`<br>${t('previous')}: ${previous.map((digest) => html`<code>${digest.slice(0, 12)}</code> `)}` : nothing}</p>` : nothing}
    </article>`;
  }

  render() {
    const failures = [...this.refused].filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one);
    return html`<section class="part" aria-labelledby="status-title">
      <h1 id="status-title">${t('status')}</h1>
      <p class="lead">${t(this.admin ? 'statusLeadAdmin' : 'statusLead')}</p>
      ${this.admin ? html`<form class="panel row" @submit=${(event) => this.enter(event)}>
        <label for="token">${t('token')}</label><input id="token" name="token" type="password" autocomplete="off" .value=${this.token}>
        <button class="primary">${icon('key')}${t('use')}</button>
        ${this.token ? nothing : html`<p class="quiet">${t('tokenHint')}</p>`}
        <label>${t('canaryShare')} <input type="number" min="1" max="100" .value=${String(this.share)} @change=${(event) => { this.share = Number(event.target.value); }}></label></form>` : nothing}
      ${failureCard(this.problem ?? (this.failure instanceof Failure ? this.failure : null))}
      ${this.done ? html`<p role="status">${this.working ? nothing : icon('check')} ${this.done}</p>` : nothing}
      ${this.stepList(this.steps)}
      ${this.ready ? html`<p><span class="badge ${this.ready.status === 'ready' ? 'good' : 'bad'}">${this.ready.status === 'ready' ? t('ready') : this.ready.status}</span>
        ${this.ready.missingModels ? html`<span class="quiet">${t('missingModels')}: ${this.ready.missingModels.map((model) => html`<code>${model}</code> `)}</span>`
    : html`<span class="quiet">${t('allModels')}</span>`}
        ${typeof this.model === 'string' ? html`<span class="quiet">${t('languageModel')}: ${this.model ? html`<code>${this.model}</code>` : t('none')}</span>` : nothing}</p>` : nothing}
      ${this.points.length ? html`<div class="plots">
        ${this.plot(t('requestsRate'), ['requests'], (value) => number(value, { maximumFractionDigits: 1 }))}
        ${this.plot(t('latency'), ['middle', 'slow'], (value) => duration(value), [percent(0.5), percent(0.95)])}
        ${this.plot(t('refusals'), ['refused'], (value) => number(value, { maximumFractionDigits: 1 }))}
        ${this.plot(t('running'), ['running', 'waiting'], (value) => number(value), ['', t('waiting')])}
        ${this.plot(t('memory'), ['memory'], bytes)}
        ${this.plot(t('tokensRate'), ['tokens'], (value) => number(value, { maximumFractionDigits: 1 }))}</div>` : html`<p class="quiet" dir="auto">${this.why}</p>`}
      ${this.components.length ? html`<h2>${t('versions')}</h2>
      <div class="grid">${this.components.map((component) => this.component(component))}</div>` : nothing}
      ${failures.length ? html`<h2>${t('refusals')}</h2><table><thead><tr><th scope="col">${t('code')}</th><th scope="col">${t('count')}</th></tr></thead>
        <tbody>${failures.map(([code, count]) => html`<tr><td><code>${code}</code></td><td>${number(count)}</td></tr>`)}</tbody></table>` : nothing}
      ${requestCard(this.call)}
      ${this.admin ? nothing : html`<p class="quiet">${t('adminElsewhere')} <code dir="ltr">--admin-listen 127.0.0.1:8081</code></p>`}
    </section>`;
  }
}
customElements.define('quartet-status', StatusPart);
