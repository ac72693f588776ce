// Package azfunctest is a stand-in for the Azure Functions host, for tests and for `decant local`: it does to a custom
// handler what the real host does, unpleasant things included.
//
// Start reads an app folder (host.json, local.settings.json, one folder with a function.json per function), checks it as the
// host does, starts the handler with the host's environment, waits until GET / answers, listens on queues, fires timers,
// and forwards HTTP. It restarts the handler by its exit code (0 never, 200 for free, anything else counts: the third stops
// the host), brings failed messages back, renews their invisibility, moves them to the poison queue, kills the handler at
// functionTimeout, and hangs on an empty 2xx answer.
//
// What it cannot do it refuses by name, with ErrUnsupported: other triggers and bindings, settings of host.json that it does
// not know, dynamic concurrency, retry policies, HTTP envelopes. A function that the real host would drop is dropped, and
// told in Host.Dropped. Queues are an interface, so that the package needs no SDK; MemoryQueues is one for tests.
//
// What it leaves out without a word, because no handler can tell: it does not watch the app folder for changes, logs nowhere
// but to Options.Log, keeps nothing about timers between two starts, and knows no plan, scale controller or second instance
// (start two hosts on the same queues for that).
//
// References such as "host: WorkerProcess.cs" name files of Azure/azure-functions-host, "extension: ..." those of
// Microsoft.Azure.WebJobs.Extensions.Storage.Queues.
package azfunctest
