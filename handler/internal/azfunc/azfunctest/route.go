package azfunctest

import (
	"fmt"
	"strings"
)

// route is the template of an HTTP function below the route prefix: literals, {name}, {name?} and, at the end, {*name}.
type route []string

func parseRoute(template string) (route, error) {
	segments := strings.Split(strings.Trim(template, "/"), "/")
	for i, s := range segments {
		inner, isParameter := strings.CutPrefix(s, "{")
		switch {
		case !isParameter && !strings.ContainsAny(s, "{}"):
		case !isParameter || !strings.HasSuffix(inner, "}") || strings.ContainsAny(inner, ":="):
			return nil, fmt.Errorf("%w: route segment %q", ErrUnsupported, s)
		case strings.HasPrefix(inner, "*") && i != len(segments)-1:
			return nil, fmt.Errorf("route %q: %s must come last", template, s)
		}
	}
	return segments, nil
}

// match tells whether a path fits, and how well: literal segments count most, a catch-all least.
func (r route) match(path string) (score int, ok bool) {
	var parts []string
	if path != "" {
		parts = strings.Split(path, "/")
	}
	for i, s := range r {
		score *= 4
		switch {
		case strings.HasPrefix(s, "{*"):
			return score << (2 * max(len(parts)-i-1, 0)), true
		case i >= len(parts):
			if !strings.HasSuffix(s, "?}") {
				return 0, false
			}
		case strings.HasPrefix(s, "{"):
			score++
		case strings.EqualFold(s, parts[i]):
			score += 2
		default:
			return 0, false
		}
	}
	return score, len(parts) <= len(r)
}
