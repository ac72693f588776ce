package config

import (
	"errors"
	"fmt"
	"time"

	"decant/handler/internal/job"
)

// Config is everything that can be set. Sizes are bytes.
type Config struct {
	Port     int // of the custom handler; 0 when the host did not start us
	LogLevel string

	Limits  job.Limits
	Options job.Options

	Jobs                int           // documents converted at once; 0 means by cores and memory
	MemoryBudget        int64         // memory of all conversions together; 0 means by cgroup or machine
	Waiting             int           // requests that may wait for a slot
	Transfers           int           // uploads and downloads at once
	Spares              int           // idle children kept ready; -1 means by memory
	DocumentsPerProcess int           // 1 means a fresh process for each document
	Sandbox             string        // auto, require, off
	DrainTimeout        time.Duration // how long running documents may go on after a shutdown began
	Lease               time.Duration // how long a handler that vanished keeps its documents

	Home  string // folder of the embedded store and ledger
	Cache string // folder of the compiled PDF engine

	Converters string // file of outside converters; empty means the built-in ones only

	Azure Azure
}

// Azure says where storage and ledger are in the cloud or in the emulators. With Storage and Account empty, the embedded store is used.
type Azure struct {
	Storage        job.Secret // connection string of the storage account
	Account        string     // name of the storage account, with identity instead of keys
	BlobEndpoint   string     // when it is not https://<account>.blob.core.windows.net
	QueueEndpoint  string
	Cosmos         job.Secret // connection string of the Cosmos account
	CosmosEndpoint string     // with identity instead of keys
	CosmosDatabase string

	Documents       string // container that people upload to
	Converted       string // container of results
	DeadLetter      string // container of poison messages with their context
	Conversions     string // queue of events
	ConversionsBulk string // queue of batches
	Completed       string // queue that tells others what is done
	WebhookSecret   job.Secret
	APIKey          job.Secret // function key that `decant status --pool --url` sends
	AllowedAccounts string     // further storage accounts whose events are accepted, separated by commas
	Enqueue         string     // auto, always, never: whether `decant submit` puts the event on the queue itself
}

// Enabled tells whether storage and ledger are in Azure (or its emulators) rather than in a folder.
func (a Azure) Enabled() bool { return a.Storage != "" || a.Account != "" }

// Load reads the settings through get (os.Getenv in the program). The error names every variable that is wrong, why, and what it may be.
func Load(get func(string) string) (Config, error) {
	var c Config
	var problems []error
	for _, v := range Variables {
		text := get(v.Name)
		for _, old := range v.Aliases {
			if text == "" {
				text = get(old)
			}
		}
		if text == "" {
			text = v.Default
		}
		if text == "" {
			continue
		}
		if err := v.set(&c, text); err != nil {
			problems = append(problems, fmt.Errorf("%s=%s: %w", v.Name, v.show(text), err))
		}
	}
	problems = append(problems, c.validate()...)
	return c, errors.Join(problems...)
}

// validate checks what no single variable can.
func (c *Config) validate() []error {
	var problems []error
	if c.MemoryBudget > 0 && c.Limits.Memory > c.MemoryBudget {
		problems = append(problems, fmt.Errorf("DECANT_MEMORY=%d: must not be more than DECANT_MEMORY_BUDGET (%d)", c.Limits.Memory, c.MemoryBudget))
	}
	if c.Options.Overlap >= c.Options.MaxTokens && c.Options.MaxTokens > 0 {
		problems = append(problems, fmt.Errorf("DECANT_OVERLAP=%d: must be less than DECANT_MAX_TOKENS (%d)", c.Options.Overlap, c.Options.MaxTokens))
	}
	if a := c.Azure; a.Account != "" && a.Storage == "" && a.CosmosEndpoint == "" && a.Cosmos == "" {
		problems = append(problems, errors.New("DECANT_COSMOS_ENDPOINT: must be set beside DECANT_STORAGE_ACCOUNT; the ledger lives there"))
	}
	return problems
}
