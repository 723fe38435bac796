// The connection to `trestle watch`: signs in, listens, and connects again by itself.

import {ask} from './asking.js';
import {decodeFrame} from './frames.js';

const WAITS = [500, 1000, 2000, 5000, 10000];  // until the next try [ms]
const SILENCE = 6000;  // without a word the connection is taken for dead [ms]

export class Connection {
  /// `on`: hello, message, frame, lost, refused; each may be missing. `frame` returns true if more frames belong to this one.
  constructor(on) {
    this.on = on;
    this.socket = null;
    this.failures = 0;
    this.heard = 0;      // performance.now() of the last message
    this.nextTry = 0;
    this.open = false;
    this.problem = '';
    this.timer = 0;
    this.quietIsFine = false;  // the record ended: the server has nothing to say
    setInterval(() => this.look(), 500);
  }

  /// Exchanges the token of the address for the cookie, then connects.
  async start() {
    const token = location.hash.slice(1);
    if (token) {
      history.replaceState(null, '', location.pathname + location.search);
      try {
        const answer = await fetch('api/login', {method: 'POST', headers: {'Content-Type': 'application/json'},
                                                 body: JSON.stringify({token})});
        if (answer.status === 401) this.problem = 'The token of this address is wrong or has expired.';
        if (answer.status === 429) this.problem = 'Too many wrong tokens came from this address. Wait a minute.';
      } catch { /* the connection below says it */ }
    }
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    const address = new URL('live', location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    address.hash = '';
    const socket = new WebSocket(address, 'trestle.live.1');
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    this.began = performance.now();
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.heard = performance.now();
      if (typeof event.data === 'string') this.takeText(event.data);
      else this.takeFrame(event.data);
    };
    socket.onclose = () => this.lose(socket);
  }

  takeText(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (message.type === 'hello') {
      this.open = true;
      this.failures = 0;
      this.problem = '';
      this.on.hello?.(message);
    } else if (message.type === 'bye') {
      this.problem = message.reason || '';
    } else {
      this.on.message?.(message);
    }
  }

  takeFrame(bytes) {
    let more = false;
    try {
      more = this.on.frame?.(decodeFrame(bytes)) === true;
    } catch (problem) {
      console.error(problem);
    }
    // A hidden page draws nothing: the next frame may wait until it is seen again. The rest of a window has to come first.
    if (document.hidden) this.owesAck = true;
    else if (more) this.send({type: 'ack'});
    else requestAnimationFrame(() => this.send({type: 'ack'}));
  }

  payAck() {
    if (!this.owesAck) return;
    this.owesAck = false;
    this.send({type: 'ack'});
  }

  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  lose(socket) {
    if (socket !== this.socket) return;
    this.socket = null;
    this.open = false;
    this.owesAck = false;
    const wait = WAITS[Math.min(this.failures++, WAITS.length - 1)];
    this.nextTry = performance.now() + wait;
    this.timer = setTimeout(() => this.connect(), wait);
    this.on.lost?.();
    this.askWhy();
  }

  /// A WebSocket does not tell why it was refused; the same request by HTTP does.
  async askWhy() {
    try {
      const answer = await ask('api/run?record=0');
      if (this.open) return;  // late: it answers an older question
      if (answer.status === 401 && !this.problem)
        this.problem = 'This page needs the address that trestle watch printed, with its token.';
      if (answer.status === 503) this.problem = 'The server has as many pages as it may serve.';
    } catch { /* the server is gone */ }
  }

  /// A connection that stays silent although it is open, or never opens, begins again.
  look() {
    if (!this.socket) return;
    const since = Math.max(this.heard, this.began);
    if (this.quietIsFine && this.open) return;
    if (performance.now() - since < SILENCE || document.hidden) return;
    const dead = this.socket;
    dead.onclose = null;
    dead.close();
    this.lose(dead);
  }
}
