package azfunctest_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"decant/handler/internal/azfunc"
)

// TestMain lets the test binary be the handler: a real child process that misbehaves as it is told.
func TestMain(m *testing.M) {
	if mode := os.Getenv("TEST_HANDLER"); mode != "" {
		os.Exit(handlerMain(mode))
	}
	os.Exit(m.Run())
}

// call is what the handler notes of each request, one JSON line each.
type call struct {
	Method, Path, Query, Body string
	Header                    http.Header
}

// handlerMain behaves by the mode at its start; for queue messages it does what the message says.
func handlerMain(mode string) int {
	directory, _ := os.Getwd()
	record(call{Method: "START", Path: directory, Body: strings.Join(os.Environ(), "\n"), Query: strings.Join(os.Args[1:], " ")})
	if code, ok := strings.CutPrefix(mode, "exit"); ok {
		fmt.Fprintln(os.Stderr, "cannot go on")
		n, _ := strconv.Atoi(code)
		return n
	}
	if mode == "mute" { // never listens
		time.Sleep(time.Minute)
		return 1
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:"+os.Getenv(azfunc.EnvPort))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 9
	}
	if delay, ok := strings.CutPrefix(mode, "late"); ok { // listens late: the listener above is closed until then
		listener.Close()
		d, _ := time.ParseDuration(delay)
		time.Sleep(d)
		if listener, err = net.Listen("tcp4", listener.Addr().String()); err != nil {
			return 9
		}
	}
	fmt.Println("listening")
	if mode == "hangup" { // speaks no HTTP
		for {
			connection, err := listener.Accept()
			if err != nil {
				return 1
			}
			connection.Close()
		}
	}
	err = http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path == "/" {
			w.WriteHeader(http.StatusTeapot) // any answer means ready
			return
		}
		record(call{r.Method, r.URL.Path, r.URL.RawQuery, string(body), r.Header})
		behave(w, r, body)
	}))
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// behave does what the request says: the text of a queue message, or the header Do.
func behave(w http.ResponseWriter, r *http.Request, body []byte) {
	text := r.Header.Get("Do")
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	if inv, err := azfunc.Decode(r); err == nil {
		if message, err := inv.Message("message"); err == nil {
			text = message.Text
		}
	}
	verb, argument, _ := strings.Cut(text, " ")
	switch verb {
	case "status":
		code, _ := strconv.Atoi(argument)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(code)
		fmt.Fprint(w, `{"Logs":["thrown away"]}`)
	case "empty":
		w.WriteHeader(http.StatusOK)
	case "null":
		answer(w, "application/json", "null")
	case "malformed":
		answer(w, "application/json", "{")
	case "plain":
		answer(w, "text/plain", "done")
	case "sleep":
		d, _ := time.ParseDuration(argument)
		time.Sleep(d)
		answer(w, "application/json", "{}")
	case "exit":
		code, _ := strconv.Atoi(argument)
		os.Exit(code)
	case "stderr":
		fmt.Fprintln(os.Stderr, argument)
		answer(w, "application/json", "{}")
	default:
		body, _ := json.Marshal(map[string]any{"Logs": []string{"did " + verb}, "Outputs": map[string]int{"unknown": 1}})
		answer(w, "application/json", string(body))
	}
}

func answer(w http.ResponseWriter, mediaType, body string) {
	w.Header().Set("Content-Type", mediaType)
	fmt.Fprint(w, body)
}

var recordMu sync.Mutex

func record(c call) {
	recordMu.Lock()
	defer recordMu.Unlock()
	file, err := os.OpenFile(os.Getenv("TEST_RECORD"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	line, _ := json.Marshal(c)
	file.Write(append(line, '\n'))
}

func readCalls(t testing.TB, file string) []call {
	t.Helper()
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var calls []call
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		var c call
		if err := json.Unmarshal(scanner.Bytes(), &c); err == nil { // the last line may be half written
			calls = append(calls, c)
		}
	}
	return calls
}
