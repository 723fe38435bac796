// What a person may do from the page: hold, stop, write a note; and why not.

import {$, setText} from './dom.js';
import {fixed} from './units.js';

const NO_CONNECTION = 'Not sent: no connection to the server.';

export class Commands {
  constructor(app) { this.app = app; }

  /// Nothing can be sent without a connection, and a test that nobody serves obeys nobody.
  show() {
    const {hello, connection, standing} = this.app;
    const may = (verb) => hello.role === 'operator' && (hello.allow ?? []).includes(verb) && connection.open;
    const moves = standing?.served === true;
    $('b-hold').disabled = !(may('hold') && moves);
    $('b-stop').disabled = !(may('stop') && moves);
    $('b-note').disabled = !may('note');
  }

  tell(text) { this.app.tell(text); }
  send(message) {
    if (!this.app.connection.send(message)) this.tell(NO_CONNECTION);
  }

  /// At one click: it is the safe side.
  hold() {
    if (!this.app.connection.open) return this.tell(NO_CONNECTION);
    if (this.app.isRecord) return this.tell('Nothing to hold: the test no longer runs.');
    if ($('b-hold').disabled) return this.tell('This page may not hold the test. On the host of the test: trestle hold');
    this.send({type: 'hold', text: 'from the page'});
  }

  stop() {
    this.ask({title: 'Stop the test', text: 'The test ends safely and cannot be resumed.', label: 'Reason', button: 'Stop the test'},
             (text) => this.send({type: 'stop', text}));
  }

  writeNote() {
    if (!this.app.connection.open) return this.tell(NO_CONNECTION);
    if ($('b-note').disabled) return this.tell('This page may not write notes. On the host of the test: trestle note');
    const {time} = this.app.view;
    this.ask({title: 'Note', text: `At ${fixed(time, 3)} s of the test.`, label: 'Text', button: 'Write'},
             (text) => this.send({type: 'note', text, time_s: time}));
  }

  ask({title, text, label, button}, then) {
    const dialog = $('ask');
    setText($('ask-title'), title);
    setText($('ask-text'), text);
    setText($('ask-label'), label);
    setText($('ask-ok'), button);
    $('ask-input').value = '';
    $('ask-input').required = true;
    dialog.onclose = () => {
      const words = $('ask-input').value.trim();
      if (dialog.returnValue === 'ok' && words) then(words);
    };
    dialog.returnValue = '';
    dialog.showModal();
    $('ask-input').focus();
  }
}
