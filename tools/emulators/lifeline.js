// Loaded before an emulator (node -r): ends it when its standard input ends, so that it never outlives the one who started it.
'use strict';

process.stdin.on('end', () => process.exit(0));
process.stdin.on('close', () => process.exit(0));
process.stdin.resume();
