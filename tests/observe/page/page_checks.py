"""Checks that a page can be read and used by everybody: names, contrast, headings, order of the focus, sizes of targets."""

CONTRAST = """
const luminance = (c) => { const [r, g, b] = c.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const numbers = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const behind = (node) => { for (let n = node; n; n = n.parentElement) { const c = numbers(getComputedStyle(n).backgroundColor); if (c.length === 3 || c[3] > 0.99) return c.slice(0, 3); } return [255, 255, 255]; };
const found = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const node = walk.currentNode.parentElement;
  if (!walk.currentNode.data.trim() || !node.checkVisibility() || node.closest('dialog:not([open]), .hidden, .skip, :disabled')) continue;
  const ink = node instanceof SVGElement ? getComputedStyle(node).fill : getComputedStyle(node).color;
  const a = luminance(numbers(ink).slice(0, 3)), b = luminance(behind(node));
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) found.push(`${walk.currentNode.data.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
}
return found;
"""

UNNAMED = """
const found = [];
for (const node of document.querySelectorAll('button, a, input, canvas, [role=img], [role=meter], [role=slider], [role=progressbar], section, dialog')) {
  const by = (node.getAttribute('aria-labelledby') || '').split(' ').map(id => document.getElementById(id)?.textContent || '').join('');
  const label = node.id && document.querySelector(`label[for="${node.id}"]`)?.textContent || '';
  if (!(node.getAttribute('aria-label') || by || label || node.textContent.trim())) found.push(node.id || node.outerHTML.slice(0, 60));
}
if (!document.documentElement.lang) found.push('html: no language');
return found;
"""

HEADINGS = """
const levels = [...document.querySelectorAll('h1, h2, h3, h4')].filter(h => !h.closest('dialog')).map(h => Number(h.tagName[1]));
const found = [];
if (levels[0] !== 1 || levels.filter(l => l === 1).length !== 1) found.push('not exactly one h1 at the begin');
levels.forEach((l, i) => { if (i && l > levels[i - 1] + 1) found.push(`h${levels[i - 1]} then h${l}`); });
for (const s of document.querySelectorAll('main section')) if (!s.querySelector('h2')) found.push('a section without a heading');
return found;
"""

SMALL = """
return [...document.querySelectorAll('button, input:not(#ask-input)')].filter(n => n.checkVisibility() && !n.closest('dialog'))
  .map(n => [n.id || n.textContent.slice(0, 20), n.closest('label')?.getBoundingClientRect() ?? n.getBoundingClientRect()])
  .filter(([, r]) => r.height < 43.5 || r.width < 43.5).map(([name, r]) => `${name} ${r.width.toFixed(0)} x ${r.height.toFixed(0)}`);
"""


def faint_texts(window):
    return window.execute_script(CONTRAST)


def unnamed(window):
    return window.execute_script(UNNAMED)


def headings(window):
    return window.execute_script(HEADINGS)


def small_targets(window):
    return window.execute_script(SMALL)


def focus_jumps(window, chains, keys):
    """Walks through the page with Tab: each stop lies right of or below the one before, and can be seen."""
    window.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
    found, last = [], None
    for _ in range(60):
        chains(window).send_keys(keys.TAB).perform()
        stop = window.execute_script("""const n = document.activeElement, r = n.getBoundingClientRect(), s = getComputedStyle(n);
          return n === document.body ? null : {name: n.id || n.textContent.slice(0, 20), x: r.left + scrollX, y: r.top + scrollY, bottom: r.bottom + scrollY,
            seen: s.outlineStyle !== 'none' || n.classList.contains('skip')}""")
        if stop is None:
            break
        if not stop["seen"]:
            found.append(f"{stop['name']}: no outline")
        if last and stop["bottom"] < last["y"] and last["name"] != "Skip to the panels":
            found.append(f"{last['name']} then {stop['name']}")
        last = stop
    return found
