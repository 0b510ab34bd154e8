/** Texts of the page in twelve languages: one file a language, loaded when it is chosen. */
import { kept } from './settings.js';

/** Languages of the service, under their own names. */
export const LANGUAGES = {
  en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', it: 'Italiano', pt: 'Português',
  ru: 'Русский', ja: '日本語', ko: '한국어', zh: '中文', hi: 'हिन्दी', ar: 'العربية',
};

let texts = {};
let language = 'en';
const listeners = new Set();

/** The language that is shown. */
export const shown = () => language;

/** Calls back when another language is shown; returns what ends it. */
export function onLanguage(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The language to begin with: the kept one, or the first of the browser's that there is. */
export function preferred() {
  const chosen = [kept.get('language'), ...navigator.languages.map((tag) => tag.split('-')[0])];
  return chosen.find((code) => code && Object.hasOwn(LANGUAGES, code)) ?? 'en';
}

/** Shows a language. */
export async function show(code) {
  const answer = await fetch(new URL(`texts/${code}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`texts/${code}.json: ${answer.status}`);
  texts = await answer.json();
  language = code;
  document.documentElement.lang = code;
  document.documentElement.dir = code === 'ar' ? 'rtl' : 'ltr';
  for (const listener of listeners) listener();
}

/**
 * A text, with its placeholders filled: `{name}` stands for a value.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function t(name, values = {}) {
  const text = texts[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? String(values[key]) : whole));
}

/** A number as the language writes it. */
export const number = (value, options) => new Intl.NumberFormat(language, options).format(value);

/** A text about a number of things: in the form for one, where the language has a form for that. */
export function counted(name, count) {
  const form = new Intl.PluralRules(language).select(count);
  return t(form === 'one' ? `${name}_one` : name, { count: number(count) });
}

/** A share from 0 to 1 as per cent. */
export const percent = (share) => number(share, { style: 'percent', maximumFractionDigits: 0 });

/** Seconds from which on a time is told in minutes. */
const LONG = 600;

/** A time in milliseconds, in words of a sensible size. */
export function duration(milliseconds) {
  if (milliseconds >= LONG * 1000) return number(milliseconds / 60_000, { style: 'unit', unit: 'minute', maximumFractionDigits: 0 });
  if (milliseconds < 1000) return number(milliseconds, { style: 'unit', unit: 'millisecond', maximumFractionDigits: milliseconds < 10 ? 1 : 0 });
  return number(milliseconds / 1000, { style: 'unit', unit: 'second', maximumFractionDigits: 1 });
}

/** A number of bytes. */
export function bytes(count) {
  const [unit, size] = count < 1e6 ? ['kilobyte', 1e3] : count < 1e9 ? ['megabyte', 1e6] : ['gigabyte', 1e9];
  return number(count / size, { style: 'unit', unit, maximumFractionDigits: 1 });
}

/** The name of a language in the one that is shown. */
export function languageName(code) {
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(code);
  } catch {
    return LANGUAGES[code] ?? code;
  }
}
