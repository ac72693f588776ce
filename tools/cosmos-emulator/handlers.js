// The request handlers that replace the library's.
'use strict';

const { lib } = require('./library');
const { apply, find, refuse } = require('./operations');
const { headerKey, keyText, within } = require('./partitions');
const json = lib('json').default;

const MAX_OPERATIONS = 100; // in a transactional batch
const MAX_BATCH = 2 * 1024 * 1024; // bytes

let sequence = 0;
const sessionToken = response => response.setHeader('x-ms-session-token', `0:-1#${++sequence}`);

const collectionOf = (account, params) => account.database(params.dbId).collection(params.collId);

function answer(response, { statusCode, body }) {
  response.statusCode = statusCode;
  return body;
}

// A patch is a list of operations, or an object with a condition beside it.
const patchOf = body => (Array.isArray(body) ? { operations: body } : body);

// item makes the handler of one kind of operation on one item.
const item = kind => async (account, request, response, params) => {
  const body = kind === 'Read' || kind === 'Delete' ? undefined : await json(request);
  const collection = collectionOf(account, params);
  const key = headerKey(request);
  if (!collection.read()) return answer(response, refuse(404));
  if (!key) return answer(response, refuse(400));
  const result = apply(collection, kind, key, {
    id: params.docId,
    body: kind === 'Patch' ? undefined : body,
    ifMatch: request.headers['if-match'],
    patch: kind === 'Patch' ? patchOf(body) : undefined,
  });
  sessionToken(response);
  if (kind === 'Read' && result.statusCode === 200 && request.headers['if-none-match'] === result.body._etag) {
    response.statusCode = 304;
    return undefined;
  }
  return answer(response, result);
};

// batch is a transactional batch: all of it or nothing.
async function batch(account, request, response, params) {
  const operations = await json(request);
  const collection = collectionOf(account, params);
  if (!collection.read()) return answer(response, refuse(404));
  if (operations.length > MAX_OPERATIONS) return answer(response, refuse(400));
  if (JSON.stringify(operations).length > MAX_BATCH) return answer(response, refuse(413));
  const key = headerKey(request);
  const results = [];
  const undo = []; // what was there before each operation
  for (const operation of operations) {
    const id = operation.id || (operation.resourceBody && operation.resourceBody.id);
    undo.push([id, find(collection, id, keyText(key))]);
    const result = batched(collection, key, operation);
    results.push(result);
    if (result.statusCode >= 400) break;
  }
  sessionToken(response);
  const last = results[results.length - 1];
  if (!last || last.statusCode < 400) return results;
  for (const [id, item] of undo.reverse()) restore(collection, id, keyText(key), item);
  response.statusCode = 207;
  const failed = results.length - 1;
  return operations.map((_, i) => ({ statusCode: i === failed ? last.statusCode : 424, requestCharge: 0 }));
}

// restore makes an item what it was, ETag and all; undefined when it was not there.
function restore(collection, id, key, item) {
  if (find(collection, id, key)) collection.documents.delete(id, key);
  if (item) collection.documents._set(item);
}

function batched(collection, key, operation) {
  const patching = operation.operationType === 'Patch';
  const result = apply(collection, operation.operationType, key, {
    id: operation.id,
    body: patching ? undefined : operation.resourceBody,
    ifMatch: operation.ifMatch,
    patch: patching ? patchOf(operation.resourceBody) : undefined,
  });
  return {
    statusCode: result.statusCode,
    requestCharge: 1,
    eTag: result.body && result.body._etag,
    resourceBody: result.statusCode < 400 ? result.body : undefined,
  };
}

// query keeps the library's SQL engine and gives it the partition of the request's header.
function query(original) {
  return async (account, request, response, params) => {
    const collection = collectionOf(account, params);
    const key = headerKey(request);
    if (!collection.read() || !key) return original(account, request, response, params);
    // The library waits for the body before it queries; binding the query itself keeps other requests apart.
    const bound = Object.create(collection.documents, {});
    bound.query = (query, options) => within(collection.documents, keyText(key), () => collection.documents.query(query, options));
    const view = Object.create(collection, { documents: { value: bound } });
    const database = Object.create(account.database(params.dbId), { collection: { value: () => view } });
    return original(Object.create(account, { database: { value: () => database } }), request, response, params);
  };
}

// ranges are numbered by the library; the service, and the Go client, have text.
function ranges(original) {
  return async (...args) => {
    const body = await original(...args);
    if (body && body.PartitionKeyRanges) {
      body.PartitionKeyRanges = body.PartitionKeyRanges.map(range => ({ ...range, id: String(range.id) }));
    }
    return body;
  };
}

function correct() {
  const replace = (name, handler) => {
    lib(`handler/${name}`).default = handler;
  };
  const wrap = (name, make) => replace(name, make(lib(`handler/${name}`).default));
  replace('create-document', item('Create'));
  replace('upsert-document', item('Upsert'));
  replace('replace-document', item('Replace'));
  replace('delete-document', item('Delete'));
  replace('read-document', item('Read'));
  replace('patch-document', item('Patch'));
  replace('batch-documents', batch);
  wrap('query-documents', query);
  wrap('read-partition-key-ranges', ranges);
}

module.exports = { correct };
