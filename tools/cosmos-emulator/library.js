// Finds the server's library in tools/emulators and insists on the version whose insides the corrections know.
'use strict';

const path = require('path');
const { createRequire } = require('module');

const VERSION = '1.0.1';
const emulators = createRequire(path.join(__dirname, '..', 'emulators', 'package.json'));
const manifest = emulators.resolve('@vercel/cosmosdb-server/package.json');
const found = require(manifest).version;
if (found !== VERSION) {
  throw new Error(`@vercel/cosmosdb-server ${found} is installed; the corrections are for ${VERSION} exactly. Run npm ci in tools/emulators.`);
}

// lib gives a module of the library by its path below lib/.
exports.lib = name => require(path.join(path.dirname(manifest), 'lib', name));

// engine gives a module of the SQL engine that the library uses.
const inside = createRequire(manifest);
exports.engine = name => inside(path.join(path.dirname(inside.resolve('@zeit/cosmosdb-query/package.json')), 'lib', name));
