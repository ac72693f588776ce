package emulator

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"decant/handler/internal/lazyregexp"
)

// ErrMissing says that the emulators are not installed.
var ErrMissing = errors.New("the emulators are not installed: run npm ci in tools/emulators")

// DevelopmentKey is the account key that every Azurite accepts; it protects nothing.
const DevelopmentKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

// DevelopmentAccount is the name of Azurite's account.
const DevelopmentAccount = "devstoreaccount1"

// Options say how to run an emulator.
type Options struct {
	Tools string    // the repository's tools folder; empty looks for it from the working directory upwards
	Dir   string    // where data is kept; empty keeps it in memory. Cosmos is always in memory
	Log   io.Writer // what the emulator prints; nil drops it
}

// FindTools looks for the tools folder with installed emulators from dir upwards. It fails with ErrMissing.
func FindTools(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		tools := filepath.Join(dir, "tools")
		if _, err := os.Stat(filepath.Join(tools, "emulators", "node_modules", "azurite")); err == nil {
			return tools, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", ErrMissing
		}
		dir = up
	}
}

func (o *Options) complete() (err error) {
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.Tools == "" {
		o.Tools, err = FindTools(".")
	}
	return err
}

// Storage is a running Azurite.
type Storage struct {
	*Process
	Blob, Queue, Table string // URLs, with the account's name
}

// ConnectionString lets clients reach it.
func (s *Storage) ConnectionString() string {
	return "DefaultEndpointsProtocol=http;AccountName=" + DevelopmentAccount + ";AccountKey=" + DevelopmentKey +
		";BlobEndpoint=" + s.Blob + ";QueueEndpoint=" + s.Queue + ";TableEndpoint=" + s.Table + ";"
}

var listening = lazyregexp.New(`Azurite (Blob|Queue|Table) service is successfully listening at (http://[0-9.:]+)`)

// StartStorage starts Azurite on free ports. After a nil error Stop must be called.
func StartStorage(ctx context.Context, o Options) (*Storage, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	emulators := filepath.Join(o.Tools, "emulators")
	args := []string{
		"-r", filepath.Join(emulators, "lifeline.js"), "-r", filepath.Join(emulators, "indexes.js"),
		filepath.Join(emulators, "node_modules", "azurite", "dist", "src", "azurite.js"),
		"--skipApiVersionCheck", "--disableTelemetry", "--silent", "--blobPort", "0", "--queuePort", "0", "--tablePort", "0",
	}
	if o.Dir == "" {
		args = append(args, "--inMemoryPersistence")
	} else {
		args = append(args, "--location", o.Dir)
	}
	s := &Storage{}
	urls := map[string]*string{"Blob": &s.Blob, "Queue": &s.Queue, "Table": &s.Table}
	var err error
	s.Process, err = start(ctx, o.Log, args, func(line string) bool {
		if found := listening.FindStringSubmatch(line); found != nil {
			*urls[found[1]] = found[2] + "/" + DevelopmentAccount
		}
		return s.Blob != "" && s.Queue != "" && s.Table != ""
	})
	return s, err
}

// Cosmos is a running Cosmos DB emulator.
type Cosmos struct {
	*Process
	Endpoint string
}

// ConnectionString lets clients reach it.
func (c *Cosmos) ConnectionString() string {
	return "AccountEndpoint=" + c.Endpoint + "/;AccountKey=" + DevelopmentKey + ";"
}

// StartCosmos starts the Cosmos DB emulator on a free port. After a nil error Stop must be called.
func StartCosmos(ctx context.Context, o Options) (*Cosmos, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	args := []string{"-r", filepath.Join(o.Tools, "emulators", "lifeline.js"), filepath.Join(o.Tools, "cosmos-emulator", "server.js"), "0"}
	c := &Cosmos{}
	var err error
	c.Process, err = start(ctx, o.Log, args, func(line string) bool {
		_, c.Endpoint, _ = strings.Cut(line, "listening at ")
		return c.Endpoint != ""
	})
	return c, err
}
