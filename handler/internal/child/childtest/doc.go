// Package childtest is a converter for tests of everything around converters: it does what its document tells it to, such as
// allocate, crash, hang, attack or answer nonsense. A document is a text of instructions, one a line, done in order:
//
//	progress parse 3      a sign of life: stage and page
//	sleep 1h              wait, with a sign of life every 20 ms; "silent 1h" waits without
//	spin                  use a processor for ever
//	heap 4096             allocate and touch so many MiB, 1 MiB at a time; "small 4096" does it with small objects
//	wasm 4096             grow the memory of a wasm module by so many MiB with the mmap allocator; "wasm-append" without
//	shared 4096           map shared memory, which RLIMIT_DATA does not count
//	churn 64              keep so many MiB alive and make a gigabyte of garbage
//	leak 8                keep so many MiB until the process ends
//	panic, overflow, exit 3, kill SIGSEGV
//	fork 2                start so many processes that outlive the child and hold its descriptors
//	fork-heap 512         start a process that allocates so many MiB
//	stdout 1073741824     write so many bytes to standard output
//	fill 4096             write so many MiB of temporary files; "fill-unlinked" removes their names; "output" fills the result
//	rubbish, twice, mute  answer nonsense; answer twice; close the answers and go on
//	answer-and-exit 9     answer well, then exit: the death comes after the document
//	forge ../x            name a file in the answer; "link /etc/passwd" puts a link where the result should be
//	fault corrupt         refuse the document with this kind
//	attack                try everything that the sandbox forbids and write what succeeded into document.md
//	probe                 the part of the attack that leaves the machine as it was
//	cat FILE, put FILE    read a file into document.md; write one
//	text hello            the content of document.md
//	settings, password    write what Configure got, or the password, into document.md
//
// Nothing but tests imports this package, so that releases do not contain it.
package childtest
