//go:build ignore

// Generate writes NAME.table from NAME.tiktoken (a token in base64, a blank and its rank on each line), as package token reads it:
//
//	go run vocab/generate.go DIR/o200k_base.tiktoken DIR/cl100k_base.tiktoken
//
// The .tiktoken files are those of OpenAI's tiktoken; the Go module github.com/pkoukk/tiktoken-go-loader holds them in assets/.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"log"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"decant/handler/internal/token"
)

func main() {
	for _, name := range os.Args[1:] {
		tokens := read(name)
		out := filepath.Join("vocab", strings.TrimSuffix(filepath.Base(name), ".tiktoken")+".table")
		if err := os.WriteFile(out, build(tokens), 0o644); err != nil {
			log.Fatal(err)
		}
		log.Printf("%s: %d tokens", out, len(tokens))
	}
}

func read(name string) []string {
	f, err := os.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	var tokens []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		text, rank, _ := strings.Cut(lines.Text(), " ")
		token, err := base64.StdEncoding.DecodeString(text)
		if n, _ := strconv.Atoi(rank); err != nil || n != len(tokens) {
			log.Fatalf("%s: line %q is not the token of rank %d", name, lines.Text(), len(tokens))
		}
		tokens = append(tokens, string(token))
	}
	return tokens
}

func build(tokens []string) []byte {
	const rankBits, rankMask = 18, 1<<18 - 1
	n := uint32(len(tokens))
	slots := make([]uint32, n+n/2)
	var offsets, texts []byte
	for rank, text := range tokens {
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(texts)))
		texts = append(texts, text...)
		h := token.Hash(text)
		at, _ := bits.Mul32(uint32(h>>32), uint32(len(slots)))
		for slots[at] != 0 {
			at = (at + 1) % uint32(len(slots))
		}
		slots[at] = uint32(h)&^rankMask | uint32(rank+1)
	}
	offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(texts)))
	out := binary.LittleEndian.AppendUint32(nil, n)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(slots)))
	out = append(out, offsets...)
	for _, slot := range slots {
		out = binary.LittleEndian.AppendUint32(out, slot)
	}
	return append(out, texts...)
}
