// Package azfunc speaks the custom-handler protocol of the Azure Functions host, and does nothing else.
//
// The host starts the handler, asks `GET /` until anything answers, and then POSTs one envelope to /<FunctionName> for each
// event of a queue or a timer. Decode reads such an envelope; Answer is what to reply; Message, Timer read the two triggers
// that decant uses. HTTP-triggered functions are forwarded as plain HTTP and need nothing from here but the header names.
//
// The protocol has traps, and each is handled in one place that says so:
//
//   - values are encoded twice, except objects, dates and binary data (Value);
//   - fields of a JSON message override the metadata that the host gives (Message, QueueMetadata);
//   - a 2xx answer without a body hangs the invocation until functionTimeout (Answer.Write);
//   - an output that happens to be valid base64 is decoded by the host (Answer.SetText);
//   - the severity of a log line comes from its stream and from the word "warn" in it (NewLogHandler);
//   - exit code 0 means "do not restart" (ExitRestart, ExitFailure);
//   - an empty route prefix lets anybody forge an envelope (RoutePrefix).
//
// References such as "host: ScriptInvocationContextExtensions.cs" name files of Azure/azure-functions-host, version 4.1037.
package azfunc
