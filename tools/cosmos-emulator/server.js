// The Cosmos DB emulator of decant's tests and of `decant local`: @vercel/cosmosdb-server 1.0.1 with its faults corrected.
// Usage: node server.js [PORT]     (0, the default, takes a free port; the address is printed)
// It listens on 127.0.0.1 only, keeps everything in memory, and ends when its standard input ends.
'use strict';

const { lib } = require('./library');

require('./engine').correct();
require('./partitions').correct();
require('./handlers').correct(); // before lib/index builds its router table

const { createHttpServer } = lib('index');
const server = createHttpServer({ keepAlive: true });
server.listen(Number(process.argv[2]) || 0, '127.0.0.1', () => {
  console.log(`listening at http://127.0.0.1:${server.address().port}`);
});
