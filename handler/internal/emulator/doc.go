// Package emulator starts the storage and Cosmos DB emulators of tools/emulators on free ports, for tests and for
// `decant local`. An emulator ends with Stop, and at the latest with the process that started it.
package emulator
