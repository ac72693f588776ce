// Partitions and time to live. The library compares one top-level key only, ignores the partition in queries, and never expires items.
'use strict';

const { lib } = require('./library');
const Items = lib('account/items').default;
const Documents = lib('account/documents').default;

const HEADER = 'x-ms-documentdb-partitionkey';

// headerKey is the partition key of a request, an array, or null when there is none.
function headerKey(request) {
  try {
    return request.headers[HEADER] ? JSON.parse(request.headers[HEADER]) : null;
  } catch {
    return null;
  }
}

// keyText makes a partition key comparable: numbers stay numbers, missing values are null.
const keyText = values => JSON.stringify(values.map(v => (v === undefined || (v && typeof v === 'object') ? null : v)));

const valueAt = (item, keyPath) => keyPath.slice(1).split('/').reduce((x, name) => (x == null ? undefined : x[name]), item);

const keyPaths = collection => ((collection.read() || {}).partitionKey || {}).paths || ['/id'];

// itemKey is the partition that an item belongs to by its content.
const itemKey = (collection, item) => keyText(keyPaths(collection).map(p => valueAt(item, p)));

const seconds = () => Math.floor(Date.now() / 1000);

function expired(item, standard) {
  const ttl = item.ttl !== undefined ? item.ttl : standard;
  return ttl !== -1 && seconds() >= item._ts + ttl;
}

// removeExpired runs before whatever looks at items. Without a default in the container, items do not expire.
function removeExpired(collection) {
  const standard = (collection.read() || {}).defaultTtl;
  if (standard === undefined || standard === null) return;
  for (const entry of [...collection.documents._data.values()]) {
    const item = entry.read();
    if (expired(item, standard)) collection.documents.delete(item.id, itemKey(collection, item));
  }
}

const queryAll = Items.prototype.query;

// within runs work with queries on documents bound to one partition, or to those below a part of a hierarchical key.
// Work must be synchronous: the bound partition is kept on the shared object.
function within(documents, key, work) {
  documents._boundTo = key;
  try {
    return work();
  } finally {
    documents._boundTo = undefined;
  }
}

function query(params, options) {
  removeExpired(this._parent);
  if (!this._boundTo) return queryAll.call(this, params, options);
  const all = this._data;
  const parts = JSON.parse(this._boundTo).length;
  const key = entry => (entry._key = entry._key || this._getPartition(entry.read())); // an entry never changes, it is replaced
  const whole = parts === this._partitionKeyPath.length;
  const belongs = entry => (whole ? key(entry) : keyText(JSON.parse(key(entry)).slice(0, parts))) === this._boundTo;
  this._data = new Map([...all].filter(([, entry]) => belongs(entry)));
  try {
    return queryAll.call(this, params, options);
  } finally {
    this._data = all;
  }
}

function correct() {
  Documents.prototype._getPartition = function (item) {
    return keyText(this._partitionKeyPath.map(p => valueAt(item, p)));
  };
  Documents.prototype.query = query;
}

module.exports = { correct, headerKey, itemKey, keyText, removeExpired, within };
