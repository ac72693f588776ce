// One operation on one item, with the conditions and answers of the service. Single requests and batches share it.
'use strict';

const { lib } = require('./library');
const { itemKey, keyText, removeExpired, within } = require('./partitions');
const { patchOperation } = lib('handler/_patch-operations');

const MAX_ITEM = 2 * 1024 * 1024; // bytes

const NAMES = { 400: 'BadRequest', 404: 'NotFound', 409: 'Conflict', 412: 'PreconditionFailed', 413: 'RequestEntityTooLarge' };
const refuse = code => ({ statusCode: code, body: { code: NAMES[code], message: NAMES[code] } });

const writesWhole = kind => kind === 'Create' || kind === 'Upsert' || kind === 'Replace';
const needsItem = kind => kind !== 'Create' && kind !== 'Upsert';

function find(collection, id, key) {
  removeExpired(collection);
  const item = collection.document(id, key).read();
  return item && item.id === id ? item : undefined;
}

// apply does one operation. values is the partition key's array; the answer is {statusCode, body}.
function apply(collection, kind, values, { id, body, ifMatch, patch }) {
  const key = keyText(values);
  if (writesWhole(kind)) {
    if (!body || typeof body.id !== 'string' || !body.id || itemKey(collection, body) !== key) return refuse(400);
    if (JSON.stringify(body).length > MAX_ITEM) return refuse(413);
  }
  const current = find(collection, id || (body && body.id), key);
  if (needsItem(kind) && !current) return refuse(404);
  if (current && ifMatch && ifMatch !== '*' && ifMatch !== current._etag) return refuse(412);
  try {
    return change(collection, kind, key, current, body, patch);
  } catch (error) {
    if (error.conflict) return refuse(409);
    if (error.badRequest) return refuse(400);
    throw error;
  }
}

function change(collection, kind, key, current, body, patch) {
  const documents = collection.documents;
  switch (kind) {
    case 'Create':
      return current ? refuse(409) : { statusCode: 201, body: documents.create(body) };
    case 'Upsert':
      return current ? { statusCode: 200, body: documents.replace(body, current) } : { statusCode: 201, body: documents.create(body) };
    case 'Replace':
      return { statusCode: 200, body: documents.replace(body, current) };
    case 'Delete':
      documents.delete(current.id, key);
      return { statusCode: 204 };
    case 'Read':
      return { statusCode: 200, body: current };
    case 'Patch':
      return applyPatch(documents, key, current, patch);
  }
  return refuse(400);
}

function applyPatch(documents, key, current, patch) {
  if (patch.condition && !meets(documents, key, current, patch.condition)) return refuse(412);
  const copy = JSON.parse(JSON.stringify(current));
  // The library's own patch, given this one item: it would look it up by a partition key that it does not understand.
  const one = { document: () => ({ read: () => copy }), documents: { replace: patched => documents.replace(patched, current) } };
  return patchOperation(one, { id: current.id, partitionKey: '["one"]', operations: patch.operations });
}

// meets tells whether an item fulfils a condition "FROM c WHERE ...".
function meets(documents, key, item, condition) {
  const alias = (condition.match(/^\s*from\s+(\w+)/i) || [, 'c'])[1];
  const where = condition.replace(/^\s*from\s+\w+\s+where\s+/i, '');
  const query = `SELECT * FROM ${alias} WHERE ${alias}.id = @id AND (${where})`;
  return within(documents, key, () => documents.query({ query, parameters: [{ name: '@id', value: item.id }] }, {}).result.length > 0);
}

module.exports = { apply, find, refuse };
