// The SQL engine without its quadratic steps: it builds lists by copying them whole for every row.
'use strict';

const { engine } = require('./library');

// What the engine's generator writes for the rows of a FROM clause, and the same in linear time.
const COPYING = /\? \[\.\.\.\$, (\{[^{}]*\})\] : \$, \[\]\)/g;
const APPENDING = '? ($$.push($1), $$) : $$, [])';

function stripUndefined(value) {
  if (Array.isArray(value)) return value.filter(v => v !== undefined).map(stripUndefined);
  if (!value || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined).map(([k, v]) => [k, stripUndefined(v)]));
}

function correct() {
  engine('helpers').stripUndefined = stripUndefined;
  const query = Object.getPrototypeOf(engine('index').default('SELECT * FROM c'));
  const { get } = Object.getOwnPropertyDescriptor(query, 'code');
  Object.defineProperty(query, 'code', {
    get() {
      if (!this._code) this._code = get.call(this).replace(COPYING, APPENDING);
      return this._code;
    },
  });
}

module.exports = { correct };
