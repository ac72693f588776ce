package bicep

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"maps"
	"strings"
)

// call works a function out.
func (s *scope) call(c Call) (any, error) {
	if c.On != nil {
		return nil, s.fail(c.Line, "method %s is not known", c.Name)
	}
	args, err := s.items(c.Args)
	if err != nil {
		return nil, err
	}
	f, ok := library()[c.Name]
	if !ok {
		return nil, s.fail(c.Line, "function %s is not known", c.Name)
	}
	v, err := f(s, args)
	if err != nil {
		return nil, s.fail(c.Line, "%s: %v", c.Name, err)
	}
	return v, nil
}

type function func(s *scope, args []any) (any, error)

// library are the functions that infra/ uses. What Azure computes is a stand-in of the right shape.
func library() map[string]function {
	return map[string]function{
		"min": extreme(func(a, b int64) bool { return a < b }), "max": extreme(func(a, b int64) bool { return a > b }),
		"empty": isEmpty, "concat": concat, "union": union, "map": mapped, "join": join, "padLeft": padLeft,
		"string":       func(_ *scope, a []any) (any, error) { return fmt.Sprint(a[0]), nil },
		"toLower":      func(_ *scope, a []any) (any, error) { return strings.ToLower(fmt.Sprint(a[0])), nil },
		"uniqueString": func(_ *scope, a []any) (any, error) { return digest(a), nil },
		"guid":         func(_ *scope, a []any) (any, error) { return "guid-" + digest(a), nil },
		"resourceId": func(_ *scope, a []any) (any, error) {
			return "/providers/" + strings.Trim(fmt.Sprint(a), "[]"), nil
		},
		"subscriptionResourceId": func(_ *scope, a []any) (any, error) { return fmt.Sprintf("/providers/%v/%v", a[0], a[1]), nil },
		"environment": func(*scope, []any) (any, error) {
			return map[string]any{"suffixes": map[string]any{"storage": "core.windows.net"}}, nil
		},
		"resourceGroup": func(*scope, []any) (any, error) {
			return map[string]any{"id": "/group", "name": "group", "location": "westeurope"}, nil
		},
		"subscription": func(*scope, []any) (any, error) { return map[string]any{"id": "/subscription"}, nil },
		"deployment":   func(*scope, []any) (any, error) { return map[string]any{"location": "westeurope"}, nil },
		"utcNow":       func(*scope, []any) (any, error) { return "2026-11-01", nil },
		"cidrSubnet":   func(_ *scope, a []any) (any, error) { return fmt.Sprintf("%v/%v#%v", a...), nil },
		"loadTextContent": func(s *scope, a []any) (any, error) {
			return s.load(fmt.Sprint(a[0]))
		},
	}
}

func digest(args []any) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(args)))
	return strings.ToLower(base32.HexEncoding.EncodeToString(sum[:]))[:13]
}

func extreme(better func(a, b int64) bool) function {
	return func(_ *scope, args []any) (any, error) {
		best, ok := args[0].(int64)
		for _, a := range args[1:] {
			n, isInt := a.(int64)
			if ok = ok && isInt; ok && better(n, best) {
				best = n
			}
		}
		if !ok {
			return nil, fmt.Errorf("takes numbers, not %v", args)
		}
		return best, nil
	}
}

func isEmpty(_ *scope, args []any) (any, error) {
	switch a := args[0].(type) {
	case nil:
		return true, nil
	case string:
		return a == "", nil
	case []any:
		return len(a) == 0, nil
	case map[string]any:
		return len(a) == 0, nil
	}
	return nil, fmt.Errorf("takes texts, lists and objects, not %T", args[0])
}

func concat(_ *scope, args []any) (any, error) {
	out := []any{}
	for _, a := range args {
		list, ok := a.([]any)
		if !ok {
			return nil, fmt.Errorf("takes lists, not %T", a)
		}
		out = append(out, list...)
	}
	return out, nil
}

func union(_ *scope, args []any) (any, error) {
	out := map[string]any{}
	for _, a := range args {
		o, ok := a.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("takes objects, not %T", a)
		}
		maps.Copy(out, o)
	}
	return out, nil
}

func mapped(s *scope, args []any) (any, error) {
	list, ok := args[0].([]any)
	l, ok2 := args[1].(Lambda)
	if !ok || !ok2 {
		return nil, fmt.Errorf("takes a list and a lambda")
	}
	out := []any{}
	for _, item := range list {
		v, err := s.with(map[string]any{l.Params[0]: item}).eval(l.Body)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func join(_ *scope, args []any) (any, error) {
	var parts []string
	list, ok := args[0].([]any)
	if !ok {
		return nil, fmt.Errorf("takes a list, not %T", args[0])
	}
	for _, item := range list {
		parts = append(parts, fmt.Sprint(item))
	}
	return strings.Join(parts, fmt.Sprint(args[1])), nil
}

func padLeft(_ *scope, args []any) (any, error) {
	text, width := fmt.Sprint(args[0]), args[1].(int64)
	return strings.Repeat(fmt.Sprint(args[2]), max(0, int(width)-len(text))) + text, nil
}
