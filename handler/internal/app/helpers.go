package app

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// strictHelpers makes the commands that the library adds, completion and help, refuse what they do not know, as all others do.
func strictHelpers(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			strictCompletion(c)
		case "help":
			c.Args = knownCommand
		}
	}
}

// strictCompletion lists the shells where none is named, and refuses those that there are not.
func strictCompletion(c *cobra.Command) {
	var shells []string
	for _, shell := range c.Commands() {
		shell.Args = noArguments
		shells = append(shells, shell.Name())
	}
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usage{fmt.Errorf("there is no completion for %q: name one of %s", args[0], strings.Join(shells, ", "))}
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
}

// knownCommand refuses words that lead to no command.
func knownCommand(c *cobra.Command, args []string) error {
	found, rest, err := c.Root().Find(args)
	if err != nil || found == nil || len(rest) > 0 {
		return usage{fmt.Errorf("there is no command %q", strings.Join(args, " "))}
	}
	return nil
}
