/** What all elements of the page have in common. They draw into the document itself, so that one style sheet and the names
 * of labels hold everywhere, and they draw anew when another language is shown. */
import { LitElement } from './library/lit-element.js';
import { onLanguage } from './texts.js';

export class View extends LitElement {
  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.stopListening = onLanguage(() => this.requestUpdate());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stopListening();
  }
}

/** Says something to readers of the screen. */
export function announce(text) {
  const place = document.getElementById('announcements');
  if (place) place.textContent = text;
}

/** Copies a text; false where the browser does not let it. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages without TLS have no clipboard of that kind.
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
}

/** Has the browser save bytes as a file. */
export function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
