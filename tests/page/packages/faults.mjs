// What a person would call a fault of a page's layout, found out in the page itself.

/** Runs in the page: what is too wide, cut off, covered, or lies over something else. */
export function faults() {
  scrollTo(0, 0);
  const found = [];
  const root = document.documentElement;
  const room = root.clientWidth;
  const name = (element) => {
    const said = (element.getAttribute('aria-label') ?? element.innerText ?? element.value ?? '').trim().replace(/\s+/g, ' ').slice(0, 40);
    return `${element.localName}${element.id ? `#${element.id}` : ''}${[...element.classList].map((one) => `.${one}`).join('')} “${said}”`;
  };
  /** True for words that only readers of the screen are told, or that show once they have the focus. */
  const aside = (element) => element.closest('.hidden, .skip') !== null;
  const shown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true }) && width > 0 && height > 0 && !aside(element);
  };
  if (root.scrollWidth > room) found.push(`the page is ${root.scrollWidth} pixels wide in a window of ${room}`);

  /** The part of an element that its surroundings let through, and what they cut off on purpose or by scrolling. */
  function visible(element) {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    let cut = '';
    for (let frame = element.parentElement; frame && frame !== document.body; frame = frame.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(frame);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const box = frame.getBoundingClientRect();
      // Up and down a person scrolls; to the side nobody should have to.
      if (left < box.left - 1 || right > box.right + 1) cut ||= `${name(frame)} cuts it off at its side`;
      if (/hidden|clip/.test(overflowY) && (top < box.top - 1 || bottom > box.bottom + 1)) cut ||= `${name(frame)} cuts it off`;
      [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, top, right, bottom, cut, empty: right - left < 1 || bottom - top < 1 };
  }

  const controls = [...document.querySelectorAll('a[href], button, select, input, textarea, summary, label.button')].filter(shown);
  const boxes = controls.map((element) => ({ element, ...visible(element) }));
  for (const { element, left, right, cut } of boxes) {
    if (cut) found.push(`${name(element)}: ${cut}`);
    if (left < -1 || right > room + 1) found.push(`${name(element)} stands out of the window`);
  }
  const there = boxes.filter(({ empty }) => !empty);
  there.forEach((one, index) => {
    for (const other of there.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > 1 && high > 1) found.push(`${name(one.element)} and ${name(other.element)} lie over each other`);
    }
  });

  // Text: inside of what it is written on, whole, and inside of the window.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const told = new Set();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || !parent || !shown(parent) || parent.closest('svg, option, .textLayer, textarea')) continue;
    range.selectNodeContents(node);
    const { left, right } = range.getBoundingClientRect();
    const surface = parent.closest('button, a, .badge, .button, th, td, dd, .panel, p') ?? parent;
    let problem = '';
    let scrolls = false;
    for (let frame = parent; frame && frame !== document.body; frame = frame.parentElement) {
      const { overflowX } = getComputedStyle(frame);
      if (/auto|scroll/.test(overflowX)) scrolls = true;
      // The beginning of what somebody wrote stands for it.
      const title = frame.matches('.history .plain');
      if (/hidden|clip/.test(overflowX) && frame.scrollWidth > frame.clientWidth + 1 && !title) problem ||= 'is cut off';
      if (title) scrolls = true;
    }
    const box = surface.getBoundingClientRect();
    if (!scrolls && getComputedStyle(surface).display !== 'inline' && (left < box.left - 1.5 || right > box.right + 1.5)) problem ||= 'runs out of its place';
    if (!scrolls && (left < -1 || right > room + 1)) problem ||= 'runs out of the window';
    if (problem && !told.has(parent)) {
      told.add(parent);
      found.push(`the text of ${name(parent)} ${problem}`);
    }
  }
  // The browser draws what a list shows: measured by its own letters, with room for its arrow.
  const pen = document.createElement('canvas').getContext('2d');
  for (const list of document.querySelectorAll('select')) {
    if (!shown(list)) continue;
    const style = getComputedStyle(list);
    pen.font = style.font;
    const wanted = pen.measureText(list.selectedOptions[0]?.textContent.trim() ?? '').width;
    const has = list.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd) - 16;
    if (wanted > has + 1) found.push(`${name(list)} shows ${Math.round(has)} of ${Math.round(wanted)} pixels of its text`);
  }
  return found;
}

/** Runs in the page: controls whose middle is under something else, each moved into the middle of the window first. */
export function covered() {
  const found = [];
  const from = scrollY;
  for (const element of document.querySelectorAll('a[href], button, select, input, textarea, summary, label.button')) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.hidden, .skip') || element.disabled) continue;
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const [{ left, top, width, height }] = element.getClientRects();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!hit || !(element.contains(hit) || hit.closest('label')?.contains(element))) {
      found.push(`${element.outerHTML.slice(0, 120)} is covered by ${hit?.outerHTML.slice(0, 120) ?? 'nothing'}`);
    }
  }
  scrollTo(0, from);
  return found;
}

/** Runs in a page from right to left: what does not stand where its mirror image stands when the page is turned around. */
export function unmirrored() {
  const root = document.documentElement;
  const room = root.clientWidth;
  const all = [...document.querySelectorAll('header, .brand, nav, nav a, .tools, .tools > *, main, h1, h2, .panel, .row, .row > *, .controls > *, .voice, .voice *, .drop, .drop > *, .badge, .facts > *, .citation, .asked, .said, .ask > *, .tabs, .tabs > *, .plot, .failure, table, th, td, summary, footer')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 0
      // Texts of others have a direction of their own, and words in a line the order of their letters.
      && !element.closest('.hidden, [dir]:not(html), dialog') && !/^inline$/.test(getComputedStyle(element).display));
  const measure = (dir) => {
    root.dir = dir;
    return all.map((element) => element.getBoundingClientRect());
  };
  const turned = measure('ltr');
  const own = measure('rtl');
  const found = [];
  all.forEach((element, index) => {
    const [one, other] = [own[index], turned[index]];
    const off = Math.max(Math.abs(one.left - (room - other.right)), Math.abs(one.right - (room - other.left)));
    if (off > 2) found.push(`${element.localName}${[...element.classList].map((name) => `.${name}`).join('')} is ${Math.round(off)} pixels off its mirror image`);
  });
  return { found, measured: all.length };
}

/** Runs in the page: what moves by itself, or slowly. */
export function moving() {
  const still = (style) => style.animationName === 'none' && style.transitionDuration.split(',').every((time) => parseFloat(time) === 0);
  return [...document.querySelectorAll('*')].filter((element) => !still(getComputedStyle(element))).map((element) => element.outerHTML.slice(0, 80));
}

/** Runs in the page: begins to note what the keyboard reaches. */
export function begin() {
  document.activeElement?.blur();
  scrollTo(0, 0);
  globalThis.unreached = new Set([...document.querySelectorAll('a[href], button, select, input, textarea, summary, [tabindex="0"]')].filter((element) => {
    if (element.disabled || element.tabIndex < 0 || element.closest('dialog:not([open])')) return false;
    if (element.type === 'radio' && !element.checked) return false;
    return element.checkVisibility({ visibilityProperty: true });
  }));
  globalThis.unmarked = new Set();
}

/** Runs in the page after a key: notes what has the focus; false once there is nothing left. */
export function reached() {
  const element = document.activeElement;
  globalThis.unreached.delete(element);
  if (element && element !== document.body) {
    const seen = [element, element.closest('label')].some((one) => {
      if (!one) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
    });
    if (!seen) globalThis.unmarked.add(element.outerHTML.slice(0, 100));
  }
  return globalThis.unreached.size > 0;
}

/** Runs in the page: what the keyboard did not reach, and what did not show that it has the focus. */
export function ended() {
  return [
    ...[...globalThis.unreached].map((element) => `the keyboard does not reach ${element.outerHTML.slice(0, 100)}`),
    ...[...globalThis.unmarked].map((text) => `nothing shows the focus of ${text}`),
  ];
}
