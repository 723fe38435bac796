// Small helpers for elements. Texts of others are set by textContent alone.

export const $ = (id) => document.getElementById(id);

const SVG = 'http://www.w3.org/2000/svg';

export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined).map(inOrder));
  return node;
}

/// A text without marks that change the order in which what stands behind them is read: a name must not turn round a number.
function inOrder(text) {
  return typeof text === 'string' ? text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd') : text;
}

/// Sets a text only if it differs: an unchanged live region is not read out again.
export function setText(node, said) {
  const text = inOrder(said);
  if (node.textContent !== text) node.textContent = text;
}

/// Text with its first part in bold.
export function setBoldText(node, bold, rest) {
  if (node.dataset.text === bold + '\u0000' + rest) return;
  node.dataset.text = bold + '\u0000' + rest;
  node.replaceChildren(element('b', {}, bold), inOrder(rest));
}

/// A tick or a cross before a word: never colour alone.
export function pill(ok, text) {
  const path = ok ? 'M2 7.5l3.2 3.2L12 3.6' : 'M3 3l8 8M11 3l-8 8';
  return element('span', {class: `pill ${ok ? 'ok' : 'bad'}`},
                 svg('svg', {viewBox: '0 0 14 14', 'aria-hidden': 'true'},
                     svg('path', {d: path, fill: 'none', stroke: 'currentColor', 'stroke-width': 2.2})), text);
}

export function setWidth(node, part) {
  node.style.width = `${Math.max(0, Math.min(1, part)) * 100}%`;
}
