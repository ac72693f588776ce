package infratest_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"decant/handler/internal/bicep"
)

var update = flag.Bool("update", false, "rewrite the table of parameters in docs/deploy.md")

// costs is what a parameter costs, where that is not nothing.
var costs = map[string]string{
	"plan": "flex costs nothing when idle, premium at least one instance, containerapps nothing at 0 replicas", "maximumInstanceCount": "bounds the bill: instances × GB × seconds",
	"instanceMemoryMB": "twice the memory, twice the price of a second, and twice the slots", "alwaysReadyConvert": "each about $42 a month at 4096 MB",
	"premiumSku": "each size doubles the price", "premiumMinimumInstances": "each is paid for all the time", "containerCores": "by the second while it runs",
	"containerMinimumReplicas": "each is paid for all the time", "zoneRedundant": "ZRS storage about +25 %, doubled minimum instances", "privateNetwork": "four private endpoints, about $32 a month",
	"vectorSearch": "request units and storage for each chunk with an embedding", "fullTextSearch": "request units and storage for each chunk", "logDailyCapGB": "at most so many GB a day at about $2.76",
	"logRetentionDays": "the first 31 days are free", "softDeleteDays": "deleted files are paid for so long", "deadLetterDays": "a few KB each", "temporaryDays": "a few KB a document",
	"budgetAmount": "free; warns, stops nothing", "functionTimeoutMinutes": "longest seconds that one message can cost", "maxDequeueCount": "how often a bad message may cost its time",
	"conversionMemoryMB": "more memory a conversion, fewer at once", "logLevel": "debug multiplies the logs",
}

// table is the parameters of main.bicep as docs/deploy.md shows them.
func table(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| parameter | default | allowed | what it does | what it costs |\n|---|---|---|---|---|\n")
	for _, p := range load(t, main)[main].Params {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", p.Name, defaultOf(p), allowedOf(p), literal(p.Decorators["description"]), costs[p.Name])
	}
	return b.String()
}

func literal(e bicep.Expr) string {
	if l, ok := e.(bicep.Literal); ok {
		return fmt.Sprint(l.Value)
	}
	return ""
}

func defaultOf(p *bicep.Param) string {
	switch d := p.Default.(type) {
	case bicep.Literal:
		if d.Value == "" {
			return "empty"
		}
		return fmt.Sprintf("`%v`", d.Value)
	case bicep.Array:
		return "`[]`"
	case *bicep.Object:
		return "`{}`"
	case bicep.Call:
		return "this month"
	}
	return "that of the resource group"
}

func allowedOf(p *bicep.Param) string {
	if list, ok := p.Decorators["allowed"].(bicep.Array); ok {
		var words []string
		for _, e := range list.Items {
			words = append(words, "`"+literal(e)+"`")
		}
		return strings.Join(words, ", ")
	}
	low, high := literal(p.Decorators["minValue"]), literal(p.Decorators["maxValue"])
	switch {
	case low != "" && high != "":
		return low + " to " + high
	case low != "":
		return "from " + low
	case p.Decorators["maxLength"] != nil:
		return "at most " + literal(p.Decorators["maxLength"]) + map[bool]string{true: " items", false: " characters"}[p.Type == "array"]
	}
	return p.Type
}

func TestParameterTable(t *testing.T) {
	const begin, end = "<!-- parameters -->\n", "<!-- /parameters -->"
	text := read(t, "docs/deploy.md")
	head, rest, ok := strings.Cut(text, begin)
	got, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("docs/deploy.md has no place for the table of parameters")
	}
	want := table(t)
	if got == want {
		return
	}
	if !*update {
		t.Fatal("the table of parameters in docs/deploy.md is not true any more: run make golden")
	}
	if err := os.WriteFile(root+"docs/deploy.md", []byte(head+begin+want+end+tail), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestEveryComplaintHasALine: the eighteen things that went wrong for others, each with what pre-empts it.
func TestEveryComplaintHasALine(t *testing.T) {
	text := read(t, "docs/deploy.md")
	for n := 1; n <= 18; n++ {
		line := regexp.MustCompile(fmt.Sprintf(`(?m)^\| %d \|[^|]+\|[^|]+\|[^|]{40,}\|$`, n))
		if !line.MatchString(text) {
			t.Errorf("complaint %d has no line that says what pre-empts it", n)
		}
	}
}

// TestDocumentsNameWhatThereIs: outputs, alerts and files that the documents speak of.
func TestDocumentsNameWhatThereIs(t *testing.T) {
	deploy, operations := read(t, "docs/deploy.md"), read(t, "docs/operations.md")
	plan := expand(t, nil)
	for _, m := range regexp.MustCompile("<((?:AZURE|DECANT)_[A-Z_]+)>").FindAllStringSubmatch(deploy+operations, -1) {
		if _, ok := plan.Outputs[m[1]]; !ok {
			t.Errorf("the documents speak of the output %s, which there is not", m[1])
		}
	}
	for _, r := range plan.Resources {
		if r.Type == "Microsoft.Insights/scheduledQueryRules" && !strings.Contains(operations, "`"+r.Name+"`") {
			t.Errorf("docs/operations.md does not say what to do about the alert %s", r.Name)
		}
	}
	for _, m := range regexp.MustCompile("`((?:infra|tools|handler)/[\\w./-]+\\.\\w+)`").FindAllStringSubmatch(deploy+operations, -1) {
		if _, err := os.Stat(root + m[1]); err != nil {
			t.Errorf("the documents speak of %s: %v", m[1], err)
		}
	}
}
