// Package queue puts messages on Azure Storage queues and takes them from there.
// The Functions host decodes base64, so Enqueue encodes; Send and Receive pass text on as it is.
package queue
