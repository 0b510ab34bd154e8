/** Icons of the page, drawn for it on a grid of 24, in the colour of the text around them. */
import { html, svg } from './library/lit-element.js';

const DRAWINGS = {
  mark: svg`<path d="M4 10v4M9 6v12M15 8v8M20 10.5v3"/>`,
  speech: svg`<path d="M4 10v4h3l5 4V6L7 10z"/><path d="M15.5 9.5a4 4 0 0 1 0 5M18 7a7.5 7.5 0 0 1 0 10"/>`,
  pictures: svg`<rect x="3.5" y="5" width="17" height="14" rx="2"/><circle cx="9" cy="10" r="1.6"/><path d="m4 17 5-4 3.5 3 3.5-4 4.5 4.5"/>`,
  documents: svg`<path d="M6 3.5h8l4 4v13H6z"/><path d="M14 3.5v4h4M9 12h6M9 15.5h6"/>`,
  chat: svg`<path d="M4 5h16v11h-8l-4.5 3.5V16H4z"/><path d="M8 9h8M8 12h5"/>`,
  status: svg`<path d="M3.5 12.5h4l2.5-6 4 11 2.5-5h4"/>`,
  play: svg`<path d="M8 5.5v13l10-6.5z"/>`,
  stop: svg`<rect x="6.5" y="6.5" width="11" height="11" rx="1.5"/>`,
  save: svg`<path d="M12 4v10m-4-3.5 4 4 4-4M5 19h14"/>`,
  key: svg`<circle cx="8" cy="15" r="3.5"/><path d="m10.5 12.5 8-8M15.5 7.5l3 3"/>`,
  sun: svg`<circle cx="12" cy="12" r="3.8"/><path d="M12 3.5v2M12 18.5v2M3.5 12h2M18.5 12h2M6 6l1.4 1.4M16.6 16.6 18 18M18 6l-1.4 1.4M7.4 16.6 6 18"/>`,
  moon: svg`<path d="M19 14.2A7.6 7.6 0 0 1 9.8 5a7.6 7.6 0 1 0 9.2 9.2z"/>`,
  auto: svg`<circle cx="12" cy="12" r="7.5"/><path d="M12 4.5v15a7.5 7.5 0 0 0 0-15z" fill="currentColor"/>`,
  camera: svg`<path d="M4 8h3.5L9 5.5h6L16.5 8H20v11H4z"/><circle cx="12" cy="13" r="3.4"/>`,
  copy: svg`<rect x="8.5" y="8.5" width="11" height="11" rx="1.5"/><path d="M15.5 8.5v-4h-11v11h4"/>`,
  forget: svg`<path d="M5 7h14M9.5 7V4.5h5V7M7 7l1 12.5h8L17 7"/>`,
  send: svg`<path d="M4.5 12h14m-5-5.5 5.5 5.5-5.5 5.5"/>`,
  add: svg`<path d="M12 5v14M5 12h14"/>`,
  close: svg`<path d="m6 6 12 12M18 6 6 18"/>`,
  check: svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`,
  warning: svg`<path d="M12 4 3 19.5h18zM12 10v4.5M12 16.8v.4"/>`,
  sum: svg`<rect x="5" y="3.5" width="14" height="17" rx="2"/><path d="M8 7.5h8M8.5 12v.2M12 12v.2M15.5 12v.2M8.5 16v.2M12 16v.2M15.5 16v.2"/>`,
  code: svg`<path d="m8.5 7-5 5 5 5M15.5 7l5 5-5 5"/>`,
};

/**
 * An icon, which readers of the screen pass over: its button has a name.
 * @param {keyof typeof DRAWINGS} name
 */
export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${DRAWINGS[name]}</svg>`;
}
