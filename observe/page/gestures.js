// Pointer gestures on the plots over time: drag zooms, shift-drag pans, wheel and pinch zoom,
// a click pins the cursor, a double-click goes back to live.

const CLICK = 4;         // pixels that a click may move
const WHEEL = 1.0015;    // zoom per unit of the wheel

export function listen(canvas, panel, app, {brush = false} = {}) {
  const pointers = new Map();
  let start = null;
  let pinch = null;
  const at = (event) => event.clientX - canvas.getBoundingClientRect().left;
  const time = (event) => panel.axes?.valueAtX(at(event)) ?? 0;

  canvas.addEventListener('pointerdown', (event) => {
    if (!panel.axes || event.button > 0) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    start = {x: at(event), time: time(event), shift: event.shiftKey, to: app.view.to, span: app.view.span};
    if (pointers.size === 2) pinch = pinchOf(pointers, panel, app);
  });

  canvas.addEventListener('pointermove', (event) => {
    if (!panel.axes) return;
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, at(event));
    if (pinch && pointers.size === 2) {
      const [a, b] = [...pointers.values()];
      const factor = pinch.apart / Math.max(10, Math.abs(a - b));
      app.view.setRange(pinch.about - pinch.part * pinch.span * factor, pinch.about + (1 - pinch.part) * pinch.span * factor);
    } else if (start && pointers.size === 1) {
      if (Math.abs(at(event) - start.x) < CLICK) return;
      if (brush) moveWindow(app, start, time(event));
      else if (start.shift) panTo(app, start, at(event), panel);
      else panel.drag = [start.x, at(event)];
    } else if (!pointers.size && event.pointerType === 'mouse') {
      app.view.hover(time(event));
    }
    app.changed();
  });

  canvas.addEventListener('pointerup', (event) => {
    const moved = start ? Math.abs(at(event) - start.x) : 0;
    if (start && pointers.size === 1 && panel.axes && !pinch) {
      if (moved < CLICK) click(app, time(event), brush);
      else if (!brush && !start.shift) app.view.setRange(Math.min(start.time, time(event)), Math.max(start.time, time(event)));
    }
    end(event);
  });
  canvas.addEventListener('pointercancel', (event) => end(event));
  canvas.addEventListener('pointerleave', () => {
    if (pointers.size) return;
    app.view.hover(null);
    app.changed();
  });
  canvas.addEventListener('dblclick', () => app.goLive());
  canvas.addEventListener('wheel', (event) => {
    if (!panel.axes) return;
    event.preventDefault();
    if (event.shiftKey) app.view.pan((event.deltaY || event.deltaX) / panel.axes.perX);
    else app.view.zoom(WHEEL ** event.deltaY, brush ? app.view.to : time(event));
    app.changed();
  }, {passive: false});

  function end(event) {
    pointers.delete(event.pointerId);
    if (pointers.size === 0 || pinch) start = null;  // the second finger of a pinch leaves later, and means nothing
    if (pointers.size < 2) pinch = null;
    panel.drag = null;
    app.changed();
  }
}

function click(app, time, brush) {
  const {view} = app;
  if (brush) view.setRange(time - 0.5 * view.span, time + 0.5 * view.span);
  // A second click at the same place takes the cursor away.
  else if (view.pinned !== null && Math.abs(view.pinned - time) < 0.01 * view.span) view.pin(null);
  else view.pin(time);
}

function panTo(app, start, x, panel) {
  app.view.setRange(start.to - start.span - (x - start.x) / panel.axes.perX, start.to - (x - start.x) / panel.axes.perX);
}

/// In the overview a drag moves the window if it begins inside, else draws a new one.
function moveWindow(app, start, time) {
  const inside = start.time >= start.to - start.span && start.time <= start.to;
  if (inside) app.view.setRange(start.to - start.span + (time - start.time), start.to + (time - start.time));
  else app.view.setRange(Math.max(0, Math.min(start.time, time)), Math.max(start.time, time));
}

function pinchOf(pointers, panel, app) {
  const [a, b] = [...pointers.values()];
  const about = panel.axes.valueAtX(0.5 * (a + b));
  return {apart: Math.max(10, Math.abs(a - b)), about, span: app.view.span, part: (about - app.view.from) / app.view.span};
}
