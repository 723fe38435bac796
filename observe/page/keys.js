// The keyboard: each function of the page has a key.

import {$, element} from './dom.js';

const KEYS = [
  ['1 – 9', 'choose the actuator'],
  ['Space', 'pause the view; recording continues'],
  ['L', 'back to live'],
  ['← →', 'cursor by a step; with shift by a window'],
  ['Home End', 'begin of the test, newest row'],
  ['[ ]', 'window half as long, twice as long'],
  ['P', 'replay; + and − change its speed'],
  ['C', 'compare with the second record'],
  ['N', 'write a note'],
  ['H', 'hold the test'],
  ['Esc', 'take the cursor away'],
  ['T', 'light or dark'],
  ['R', 'report'],
  ['?', 'these keys'],
];

export function listenToKeys(app) {
  $('keys-list').replaceChildren(...KEYS.flatMap(([key, what]) => [element('dt', {}, key), element('dd', {}, what)]));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]')) return;
    const target = event.target;
    if (target.matches?.('input:not([type=range]), textarea, select')) return;
    // A button keeps its own keys, a slider its arrows.
    if (target.matches?.('button, a') && (event.key === ' ' || event.key === 'Enter')) return;
    if (target.matches?.('input[type=range]') && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    const commandsAgain = event.repeat && /^[a-z ?]$/i.test(event.key);  // a key that is held down commands once
    if (commandsAgain ? event.key !== ' ' : !act(app, event)) return;
    event.preventDefault();
    app.changed();
  });
}

function act(app, event) {
  const {view} = app;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (/^[1-9]$/.test(key)) return app.selectNumber(Number(key));
  switch (key) {
    case ' ': app.togglePause(); return true;
    case 'l': app.goLive(); return true;
    case 'ArrowLeft': case 'ArrowRight': {
      const way = key === 'ArrowLeft' ? -1 : 1;
      if (event.shiftKey) view.pan(way * view.span);
      else view.moveCursor(way);
      return true;
    }
    case 'Home': view.scrub(Math.min(view.span, view.newest)); return true;
    case 'End': app.goLive(); return true;
    case '[': view.zoom(0.5, view.hasCursor ? view.time : view.to); return true;
    case ']': view.zoom(2, view.hasCursor ? view.time : view.to); return true;
    case 'p': app.toggleReplay(); return true;
    case '+': case '=': view.changeSpeed(1); return true;
    case '-': view.changeSpeed(-1); return true;
    case 'c': app.toggleCompare(); return true;
    case 'n': app.commands.writeNote(); return true;
    case 'h': app.commands.hold(); return true;
    case 't': app.changeTheme(); return true;
    case 'r': app.openReport(); return true;
    case '?': $('keys').showModal(); return true;
    case 'Escape': view.pin(null); view.hover(null); return true;
    default: return false;
  }
}
