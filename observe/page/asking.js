// Asks the server, and for the exact row that is shown one request at a time: the newest wish wins.

const PATIENCE = 10000;  // with an answer: a network that is gone takes none of the few connections of a browser for ever [ms]
const AGAIN = 1000;  // after a row was not there, or the server had no answer [ms]

export function ask(path) {
  return fetch(path, {signal: AbortSignal.timeout(PATIENCE)});
}

export class RowAsker {
  constructor(number) {
    this.number = number;  // of the record
    this.forget();
  }

  /// Another record: an answer that is still on the way is of the one before, and is dropped.
  forget() {
    this.of = {};
    this.known = -1;
    this.wanted = -1;
    this.failed = {index: -1, until: 0};
    this.asking = false;
  }

  /// Asks for a row unless it is known already. `beside`: starts another request whose answer comes with the row.
  /// `take`: gets the row, or null if the record has none there, that answer, and the index.
  async want(index, beside, take) {
    if (index < 0 || index === this.known) return;
    if (index === this.failed.index && performance.now() < this.failed.until) return;
    this.wanted = index;
    if (this.asking) return;
    const {of} = this;
    this.asking = true;
    let row;
    let more = null;
    try {
      const other = beside?.(index);
      const answer = await ask(`api/rows?record=${this.number}&stream=result&from=${index}&to=${index}`);
      const body = answer.ok ? await answer.json() : null;
      more = await other;
      // A record without a step has no rows yet (404); any other refusal tells nothing of the row.
      if (body || answer.status === 404) row = body && rowOf(body);
    } catch { /* the connection tells it */ }
    if (of !== this.of) return;
    this.asking = false;
    if (row) this.known = index;
    else this.failed = {index, until: performance.now() + AGAIN};
    if (row !== undefined) take(row, more, index);
    if (this.wanted !== index) this.want(this.wanted, beside, take);
  }
}

function rowOf({channels, rows}) {
  const row = rows?.[0];
  return row ? {index: row[0], values: new Map(channels.map((name, i) => [name, row[i + 1] ?? NaN]))} : null;
}
