// Package child runs one function in one capped, sandboxed, short-lived process, from both sides.
//
// The parent's side is Runner: it starts the process (process.go), speaks frames with it (wire.go), watches its memory, disk,
// output, deadline and signs of life (watch.go), kills its whole group when one is over the limit, and says in one table how
// it ended (exit.go). Spares (spare.go) are processes that have warmed up and wait for their first document.
//
// The child's side is Main: it limits itself (limit_linux.go), keeps its heap small (pace.go), locks itself in (sandbox_linux.go, seccomp_linux.go), and then
// serves documents until its standard input ends. Standard input is also the lifeline: when it ends during work, the parent is
// gone and the child exits.
//
// A process has three descriptors: standard input carries the setup and the documents, standard output and error are captured
// through limits, and descriptor 3 carries the answers back. Its environment is empty; its working and temporary directory is its
// own and goes with it.
//
// Linux has every lock. Other systems have the deadline, the watch over progress, disk and output, and the process group;
// Usage.Locks and Runner.Locks say which locks held.
package child
