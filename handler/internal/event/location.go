package event

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"decant/handler/internal/job"
	"decant/handler/internal/lazyregexp"
)

// maxPath is the longest blob name that Azure takes, in characters.
const maxPath = 1024

// containerName is what Azure allows, with the special ones ($root, $web).
var containerName = lazyregexp.New(`^(\$?[a-z0-9](-?[a-z0-9])*)$`)

// locate finds account, container and path in the URL of a blob.
func (d *Decoder) locate(raw string) (job.Source, error) {
	if raw == "" {
		return job.Source{}, bad("The event has no data.url, so it does not say which file it is about.", nil)
	}
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") {
		return job.Source{}, bad("The event's data.url is not a URL of a blob.", err)
	}
	for _, account := range d.Accounts {
		rest, ok := account.owns(u)
		if !ok {
			continue
		}
		container, escaped, _ := strings.Cut(rest, "/")
		path, err := url.PathUnescape(escaped) // once: %2520 is a name with %20 in it
		if err != nil {
			return job.Source{}, bad("The event's data.url is not escaped rightly.", err)
		}
		source := job.Source{Account: account.Name, Container: container, Path: path}
		return source, checkPlace(source)
	}
	return job.Source{}, bad(fmt.Sprintf("The file lies at %.100q, which is not a storage account of this app.", u.Host), nil)
}

// owns tells whether a URL belongs to the account, and what of its escaped path follows the endpoint.
// The data lake endpoint (dfs) of an account is the same account.
func (a Account) owns(u *url.URL) (rest string, ok bool) {
	endpoint, err := url.Parse(strings.TrimSuffix(a.Endpoint, "/"))
	if err != nil || endpoint.Host == "" {
		return "", false
	}
	host := strings.ToLower(u.Host)
	blob := strings.ToLower(endpoint.Host)
	if host != blob && host != strings.Replace(blob, ".blob.", ".dfs.", 1) {
		return "", false
	}
	return strings.CutPrefix(u.EscapedPath(), endpoint.EscapedPath()+"/")
}

func (d *Decoder) knows(account string) bool {
	for _, a := range d.Accounts {
		if a.Name == account {
			return true
		}
	}
	return len(d.Accounts) == 0 && account == ""
}

// checkPlace refuses names that no blob has and that would be dangerous elsewhere.
func checkPlace(s job.Source) error {
	if s.Container != "" && (len(s.Container) > 63 || !containerName.MatchString(s.Container)) {
		return bad(fmt.Sprintf("%.80q is not the name of a container.", s.Container), nil)
	}
	switch {
	case s.Path == "":
		return bad("The message names no file, only a container.", nil)
	case !utf8.ValidString(s.Path) || strings.ContainsRune(s.Path, 0):
		return bad("The file's name is not UTF-8 text.", nil)
	case utf8.RuneCountInString(s.Path) > maxPath:
		return bad(fmt.Sprintf("The file's name has more than %d characters, which no blob has.", maxPath), nil)
	}
	for segment := range strings.SplitSeq(strings.ReplaceAll(s.Path, `\`, "/"), "/") {
		if segment == "." || segment == ".." {
			return bad("The file's name has a step such as \"..\" in it, which no blob has.", nil)
		}
	}
	return nil
}
