// Loaded before Azurite (node -r). Azurite's database filters by account first, which everything shares, and sorts all indices anew
// for a list of changes, be it one or none: each request takes time in proportion to all blobs and messages there are. Here it looks
// first at what tells them apart, and changes are done one by one, for which indices are only mended.
'use strict';

const Loki = require('lokijs');

const TELLING = ['messageId', 'name', 'blobName', 'expirationTime', 'timeNextVisible'];

const sample = new Loki('sample').addCollection('sample');
const Resultset = Object.getPrototypeOf(sample.chain());
const Collection = Object.getPrototypeOf(sample);

function tellingFirst(query) {
  if (!query || typeof query !== 'object') return query;
  const first = TELLING.filter(field => Object.hasOwn(query, field));
  return Object.fromEntries([...first, ...Object.keys(query).filter(field => !first.includes(field))].map(field => [field, query[field]]));
}

const { find } = Resultset;
Resultset.find = function (query, firstOnly) {
  return find.call(this, tellingFirst(query), firstOnly);
};

for (const change of ['remove', 'update']) {
  const one = Collection[change];
  Collection[change] = function (documents) {
    return Array.isArray(documents) ? documents.forEach(document => one.call(this, document)) : one.call(this, documents);
  };
}

Collection.findAndRemove = function (query) {
  this.remove(this.find(query));
};
