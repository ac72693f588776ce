package azfunc

// Environment variables that the host gives the handler (host: HttpWorkerProcess.cs).
const (
	EnvPort     = "FUNCTIONS_CUSTOMHANDLER_PORT" // the port to listen on, at 127.0.0.1; the same after every restart
	EnvWorkerID = "FUNCTIONS_CUSTOMHANDLER_WORKER_ID"
	EnvRoot     = "FUNCTIONS_APP_ROOT_PATH" // the folder with host.json; nothing may be written there

	// The names of the two above in older hosts; they are still set, to the same values.
	EnvLegacyPort     = "FUNCTIONS_HTTPWORKER_PORT"
	EnvLegacyWorkerID = "FUNCTIONS_HTTPWORKER_ID"
)

// Headers that the host sets on every invocation, but not on the readiness probe (host: DefaultHttpWorkerService.cs).
const (
	HeaderInvocationID = "X-Azure-Functions-InvocationId" // new for each attempt: never a key for idempotency
	HeaderHostVersion  = "X-Azure-Functions-HostVersion"
)

// UserAgentPrefix begins the User-Agent of the host's own calls.
const UserAgentPrefix = "Azure-Functions-Host/"

// Exit codes, as the host reads them (host: WorkerProcess.cs, WorkerConstants.cs).
const (
	// ExitStay is 0: the host does not restart the handler, and every later invocation fails. Never use it while the host runs.
	ExitStay = 0
	// ExitRestart makes the host start the handler again at once, without counting an error.
	ExitRestart = 200
	// ExitFailure, or any other code, is an error: the third within 30 minutes of the one before stops the whole host.
	ExitFailure = 1
)
