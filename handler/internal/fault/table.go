package fault

import "net/http"

// Row says what follows from a kind.
type Row struct {
	Kind      Kind
	Retryable bool // a later try of the same message may succeed: answer the host with a non-2xx status
	Escalates bool // one more try, alone on the instance with the whole memory budget, before it is permanent
	Status    int  // HTTP status towards people and programs
	Exit      int  // exit code of `decant convert` when it is the only kind of failure
	Words     string
}

// Exit codes of the command line, listed in `decant --help`.
const (
	ExitOK          = 0
	ExitInternal    = 1
	ExitUsage       = 2
	ExitSomeFailed  = 3 // some or all documents failed, each with its reason
	ExitStorage     = 4 // storage or ledger cannot be reached
	ExitInterrupted = 130
)

// table is the one place that knows the consequences of every kind.
var table = []Row{
	{Unsupported, false, false, http.StatusUnsupportedMediaType, ExitSomeFailed, "The file's format is not one that decant reads. Convert it to a supported format (`decant formats` lists them)."},
	{Empty, false, false, http.StatusUnprocessableEntity, ExitSomeFailed, "The file is empty (0 bytes). Upload it again if it should have content."},
	{Encrypted, false, false, http.StatusUnprocessableEntity, ExitSomeFailed, "The document is protected by a password. Remove the protection, or give the password with --password."},
	{Corrupt, false, false, http.StatusUnprocessableEntity, ExitSomeFailed, "The file is damaged and could not be read. Open and save it again in the program that made it, or upload it again."},
	{TooLarge, false, false, http.StatusRequestEntityTooLarge, ExitSomeFailed, "The file is larger than the limit. Split it, or raise the limit (--max-size, DECANT_MAX_INPUT)."},
	{TooManyPages, false, false, http.StatusRequestEntityTooLarge, ExitSomeFailed, "The document has more pages than the limit. Split it, or raise the limit (--max-pages, DECANT_MAX_PAGES)."},
	{LimitRatio, false, false, http.StatusUnprocessableEntity, ExitSomeFailed, "A part of the file unpacks to far more than it stores, as a zip bomb does, and was not unpacked."},
	{LimitDepth, false, false, http.StatusUnprocessableEntity, ExitSomeFailed, "Files are nested in files more deeply than the limit, and the inner ones were not read."},
	{LimitOutput, false, false, http.StatusUnprocessableEntity, ExitSomeFailed, "The conversion wrote more output than it may and was stopped. Ask for less (--format md,chunks leaves out document.json), split the document, or raise the limit (--max-output, DECANT_MAX_OUTPUT)."},
	{LimitDisk, false, false, http.StatusUnprocessableEntity, ExitSomeFailed, "The conversion used more temporary disk than it may and was stopped. Split the document, or raise DECANT_MAX_DISK."},
	{Timeout, false, false, http.StatusUnprocessableEntity, ExitSomeFailed, "The conversion took longer than its time limit and was stopped. Split the document, or raise the limit (--timeout, DECANT_TIMEOUT)."},
	{NoProgress, false, false, http.StatusUnprocessableEntity, ExitSomeFailed, "The conversion stopped making progress and was ended. Save the document again in the program that made it, or report the file."},
	{Memory, false, true, http.StatusUnprocessableEntity, ExitSomeFailed, "The conversion needed more memory than its limit. Split the document, or raise the limit (--memory, DECANT_MEMORY)."},
	{Crash, false, true, http.StatusUnprocessableEntity, ExitSomeFailed, "The conversion crashed on this document; nothing else was affected. Save the document again in the program that made it, or report the file."},
	{Sandbox, true, false, http.StatusServiceUnavailable, ExitInternal, "The sandbox that DECANT_SANDBOX=require asks for cannot be set up on this machine. Allow landlock and seccomp, or set DECANT_SANDBOX=auto."},

	{Interrupted, true, false, http.StatusServiceUnavailable, ExitInterrupted, "The work was interrupted by a shutdown and will be done again."},
	{Busy, true, false, http.StatusServiceUnavailable, ExitInternal, "This instance has no room for more work now. Try again later."},
	{Storage, true, false, http.StatusBadGateway, ExitStorage, "Storage cannot be reached. Check the connection string or identity, the network, and that the service runs."},
	{Throttled, true, false, http.StatusServiceUnavailable, ExitStorage, "The service asked for fewer requests. Try again later."},
	{LeaseLost, true, false, http.StatusConflict, ExitInternal, "Another instance took this document over while it was being converted."},

	{Cancelled, false, false, http.StatusConflict, ExitSomeFailed, "The document was cancelled."},
	{Gone, false, false, http.StatusGone, ExitSomeFailed, "The file was deleted before it could be read."},
	{Stale, false, false, http.StatusConflict, ExitSomeFailed, "The file was replaced by a newer version after this event; the newer event converts it."},
	{Duplicate, false, false, http.StatusOK, ExitOK, "Another delivery of the same event is already being handled, or was."},
	{BadMessage, false, false, http.StatusBadRequest, ExitSomeFailed, "The queue message is neither an Event Grid event, a CloudEvent nor a decant message. Send it in one of these forms (docs/operations.md)."},
	{BadRequest, false, false, http.StatusBadRequest, ExitUsage, "The request is not valid."},
	{NotFound, false, false, http.StatusNotFound, ExitSomeFailed, "There is no such document, batch or file. Check the name or id."},
	{Conflict, false, false, http.StatusConflict, ExitSomeFailed, "The document is not in a state that allows this."},
	{Denied, false, false, http.StatusForbidden, ExitSomeFailed, "The file may not be read. Check its permissions or the identity's roles."},

	{Internal, true, false, http.StatusInternalServerError, ExitInternal, "decant itself failed. The log has the details; please report it."},
}

// Rows lists every kind with its consequences, in the order of the table.
func Rows() []Row { return append([]Row(nil), table...) }

// Lookup gives the row of a kind; an unknown kind counts as Internal.
func Lookup(kind Kind) Row {
	for _, row := range table {
		if row.Kind == kind {
			return row
		}
	}
	return Lookup(Internal)
}

// Retryable tells whether a later try of the same work could succeed. Nil is not retryable.
func Retryable(err error) bool { return err != nil && Lookup(KindOf(err)).Retryable }
