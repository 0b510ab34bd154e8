/** Choices that stay: the key for this tab, the rest for this browser. Nothing of it leaves the browser but the key. */

const memory = new Map();

/** Reads a kept value; browsers that refuse to keep any have it until the page is closed. */
function read(storage, name) {
  try {
    return globalThis[storage].getItem(`quartet.${name}`);
  } catch {
    return memory.get(name) ?? null;
  }
}

function write(storage, name, value) {
  try {
    if (value === null) globalThis[storage].removeItem(`quartet.${name}`);
    else globalThis[storage].setItem(`quartet.${name}`, value);
  } catch {
    memory.set(name, value);
  }
}

/** The key of the service, for this tab. */
export const key = {
  get: () => read('sessionStorage', 'key') ?? '',
  set: (value) => write('sessionStorage', 'key', value || null),
};

/** The token of the admin interface, for this tab. */
export const token = {
  get: () => read('sessionStorage', 'token') ?? '',
  set: (value) => write('sessionStorage', 'token', value || null),
};

/** The address of the job that reads a document, for this tab: nothing else of the document is kept. */
export const job = {
  get: () => read('sessionStorage', 'job') ?? '',
  set: (value) => write('sessionStorage', 'job', value || null),
};

/** A choice by name, kept in this browser. */
export const kept = {
  get: (name) => read('localStorage', name),
  set: (name, value) => write('localStorage', name, value),
};

/** Light, dark, or as the system has it. */
export function applyTheme() {
  const theme = kept.get('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}
