package config

import (
	"strings"
	"time"

	"decant/handler/internal/job"
)

// Variable is one setting.
type Variable struct {
	Name    string
	Aliases []string // read when Name is not set
	Default string
	Unit    string // what kind of value: size, duration, count, text, or the words allowed
	Help    string
	Secret  bool

	set func(*Config, string) error
}

func (v Variable) show(text string) string {
	if v.Secret {
		return "***"
	}
	return text
}

// Variables are all settings, in the order of the README's table.
var Variables = []Variable{
	// limits of one document
	{Name: "DECANT_MEMORY", Default: "1GiB", Unit: "size", Help: "memory cap of one conversion", set: size(func(c *Config) *int64 { return &c.Limits.Memory }, 128*job.MiB)},
	{Name: "DECANT_TIMEOUT", Default: "10m", Unit: "duration", Help: "wall-clock limit of one conversion", set: duration(func(c *Config) *time.Duration { return &c.Limits.Timeout })},
	{Name: "DECANT_NO_PROGRESS", Default: "2m", Unit: "duration", Help: "longest silence of a conversion before it is ended", set: duration(func(c *Config) *time.Duration { return &c.Limits.NoProgress })},
	{Name: "DECANT_MAX_INPUT", Default: "2GiB", Unit: "size", Help: "largest document", set: size(func(c *Config) *int64 { return &c.Limits.Input }, 1)},
	{Name: "DECANT_MAX_OUTPUT", Default: "0", Unit: "size", Help: "largest result, all files together; 0 = 1 GiB, or 32 times the document where that is more", set: size(func(c *Config) *int64 { return &c.Limits.Output }, 0)},
	{Name: "DECANT_MAX_DISK", Default: "1GiB", Unit: "size", Help: "temporary disk and unpacked size of one conversion", set: size(func(c *Config) *int64 { return &c.Limits.Disk }, job.KiB)},
	{Name: "DECANT_MAX_PAGES", Default: "10000", Unit: "count", Help: "pages, slides or sheets of one document", set: count(func(c *Config) *int { return &c.Limits.Pages }, 1)},
	{Name: "DECANT_MAX_DEPTH", Default: "4", Unit: "count", Help: "levels of documents in documents (mail in zip in mail)", set: count(func(c *Config) *int { return &c.Limits.Depth }, 1)},
	{Name: "DECANT_MAX_MEMBERS", Default: "1000", Unit: "count", Help: "documents in one document, over all levels", set: count(func(c *Config) *int { return &c.Limits.Members }, 1)},
	// what comes out
	{Name: "DECANT_MAX_TOKENS", Default: "512", Unit: "count", Help: "hard token limit of a chunk's final text", set: count(func(c *Config) *int { return &c.Options.MaxTokens }, 8)},
	{Name: "DECANT_TOKENIZER", Default: job.DefaultTokenizer, Unit: "text", Help: "o200k_base, cl100k_base, characters, words, or the path of a tokenizer.json", set: text(func(c *Config) *string { return &c.Options.Tokenizer })},
	{Name: "DECANT_OVERLAP", Default: "0", Unit: "count", Help: "tokens of the chunk before that are repeated", set: count(func(c *Config) *int { return &c.Options.Overlap }, 0)},
	{Name: "DECANT_STRATEGY", Default: "hybrid", Unit: strings.Join(job.Words("strategy"), ", "), Help: "how chunks are cut", set: words(func(c *Config) *string { return &c.Options.Strategy }, job.Words("strategy")...)},
	// supervision
	{Name: "DECANT_JOBS", Default: "0", Unit: "count", Help: "documents converted at once; 0 = by cores and memory", set: count(func(c *Config) *int { return &c.Jobs }, 0)},
	{Name: "DECANT_MEMORY_BUDGET", Default: "0", Unit: "size", Help: "memory of all conversions together; 0 = by cgroup or machine", set: size(func(c *Config) *int64 { return &c.MemoryBudget }, 0)},
	{Name: "DECANT_WAITING", Default: "0", Unit: "count", Help: "documents that may wait for a slot before new ones are refused as busy; 0 = by slots", set: count(func(c *Config) *int { return &c.Waiting }, 0)},
	{Name: "DECANT_TRANSFERS", Default: "0", Unit: "count", Help: "uploads and downloads at once; 0 = by slots", set: count(func(c *Config) *int { return &c.Transfers }, 0)},
	{Name: "DECANT_SPARES", Default: "-1", Unit: "count", Help: "idle children kept ready with the PDF engine loaded; -1 = by memory and load, none on small instances", set: count(func(c *Config) *int { return &c.Spares }, -1)},
	{Name: "DECANT_DOCUMENTS_PER_PROCESS", Default: "1", Unit: "count", Help: "documents that one child converts before a fresh one takes over; 20 makes many small files of one owner several times as fast", set: count(func(c *Config) *int { return &c.DocumentsPerProcess }, 1)},
	{Name: "DECANT_SANDBOX", Default: "auto", Unit: "auto, require, off", Help: "auto = every lock the kernel gives; require = refuse to convert without them", set: words(func(c *Config) *string { return &c.Sandbox }, "auto", "require", "off")},
	{Name: "DECANT_DRAIN_TIMEOUT", Default: "25s", Unit: "duration", Help: "how long running documents may go on after a shutdown began", set: duration(func(c *Config) *time.Duration { return &c.DrainTimeout })},
	{Name: "DECANT_LEASE", Default: "2m", Unit: "duration", Help: "how long a handler that vanished keeps its documents; renewed while it works", set: duration(func(c *Config) *time.Duration { return &c.Lease })},
	// places on this machine
	{Name: "DECANT_HOME", Default: ".data/decant", Unit: "text", Help: "folder of the embedded store and ledger", set: text(func(c *Config) *string { return &c.Home })},
	{Name: "DECANT_CACHE", Unit: "text", Help: "folder of the compiled PDF engine; default: decant below the user's cache folder", set: text(func(c *Config) *string { return &c.Cache })},
	{Name: "DECANT_CONVERTERS", Unit: "text", Help: "JSON file of outside converters (docs/outside-converters.md); without one, LibreOffice reads old Office files where it is installed", set: text(func(c *Config) *string { return &c.Converters })},
	// Azure
	{Name: "DECANT_STORAGE", Aliases: []string{"DocStorage", "AzureWebJobsStorage"}, Unit: "text", Secret: true, Help: "connection string of the storage account (emulator, development)", set: secret(func(c *Config) *job.Secret { return &c.Azure.Storage })},
	{Name: "DECANT_STORAGE_ACCOUNT", Aliases: []string{"DocStorage__accountName"}, Unit: "text", Help: "name of the storage account, reached with the app's identity", set: text(func(c *Config) *string { return &c.Azure.Account })},
	{Name: "DECANT_BLOB_ENDPOINT", Aliases: []string{"DocStorage__blobServiceUri"}, Unit: "text", Help: "blob endpoint when it is not the public cloud's", set: text(func(c *Config) *string { return &c.Azure.BlobEndpoint })},
	{Name: "DECANT_QUEUE_ENDPOINT", Aliases: []string{"DocStorage__queueServiceUri"}, Unit: "text", Help: "queue endpoint when it is not the public cloud's", set: text(func(c *Config) *string { return &c.Azure.QueueEndpoint })},
	{Name: "DECANT_COSMOS", Unit: "text", Secret: true, Help: "connection string of the Cosmos account (emulator, development)", set: secret(func(c *Config) *job.Secret { return &c.Azure.Cosmos })},
	{Name: "DECANT_COSMOS_ENDPOINT", Unit: "text", Help: "endpoint of the Cosmos account, reached with the app's identity", set: text(func(c *Config) *string { return &c.Azure.CosmosEndpoint })},
	{Name: "DECANT_COSMOS_DATABASE", Default: "decant", Unit: "text", Help: "Cosmos database", set: text(func(c *Config) *string { return &c.Azure.CosmosDatabase })},
	{Name: "DocumentsContainer", Default: "documents", Unit: "text", Help: "blob container that people upload to", set: text(func(c *Config) *string { return &c.Azure.Documents })},
	{Name: "ConvertedContainer", Default: "converted", Unit: "text", Help: "blob container of results", set: text(func(c *Config) *string { return &c.Azure.Converted })},
	{Name: "DeadLetterContainer", Default: "deadletter", Unit: "text", Help: "blob container of poison messages with their context", set: text(func(c *Config) *string { return &c.Azure.DeadLetter })},
	{Name: "ConversionsQueue", Default: "conversions", Unit: "text", Help: "queue of events; at most 56 characters", set: queue(func(c *Config) *string { return &c.Azure.Conversions })},
	{Name: "ConversionsBulkQueue", Default: "conversions-bulk", Unit: "text", Help: "queue of batches; at most 56 characters", set: queue(func(c *Config) *string { return &c.Azure.ConversionsBulk })},
	{Name: "CompletedQueue", Default: "conversions-completed", Unit: "text", Help: "queue that tells others what is done", set: queue(func(c *Config) *string { return &c.Azure.Completed })},
	{Name: "DECANT_ALLOWED_ACCOUNTS", Unit: "text", Help: "further storage accounts whose events are accepted, separated by commas", set: text(func(c *Config) *string { return &c.Azure.AllowedAccounts })},
	{Name: "DECANT_WEBHOOK_SECRET", Unit: "text", Secret: true, Help: "key that signs webhooks (HMAC-SHA256)", set: secret(func(c *Config) *job.Secret { return &c.Azure.WebhookSecret })},
	{Name: "DECANT_API_KEY", Unit: "text", Secret: true, Help: "function key that decant status --pool sends to a service in Azure", set: secret(func(c *Config) *job.Secret { return &c.Azure.APIKey })},
	{Name: "DECANT_ENQUEUE", Default: "auto", Unit: "auto, always, never", Help: "whether decant submit puts the event on the queue itself; auto = when storage is an emulator", set: words(func(c *Config) *string { return &c.Azure.Enqueue }, "auto", "always", "never")},
	// the host
	{Name: "FUNCTIONS_CUSTOMHANDLER_PORT", Unit: "count", Help: "set by the Functions host: the port to listen on", set: count(func(c *Config) *int { return &c.Port }, 1)},
	{Name: "DECANT_LOG_LEVEL", Default: "info", Unit: "debug, info, warn, error", Help: "what is logged", set: words(func(c *Config) *string { return &c.LogLevel }, "debug", "info", "warn", "error")},
}

// Show is the variable's value now, with secrets hidden: what the environment gives, else the default.
func (v Variable) Show(get func(string) string) string {
	for _, name := range append([]string{v.Name}, v.Aliases...) {
		if text := get(name); text != "" {
			return v.show(text)
		}
	}
	return v.Default
}
