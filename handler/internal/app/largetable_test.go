package app

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"strings"
)

// writeLargeTable writes a table of orders of the given size in bytes, as shops and ledgers export them: numbers, amounts, times,
// names in several scripts, quoted values with commas, quotation marks and line ends inside, and values that are missing.
func writeLargeTable(w *bufio.Writer, size int) {
	r := rand.New(rand.NewPCG(6, 12))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	first, last := strings.Fields("Ana Bob Chen Dmitri Eva Farid Grace Hiro Inês João Karl Søren Zoë 美咲"), strings.Fields("Smith Müller García Rossi Nowak Kim Tanaka Dubois O'Brien Haddad Nguyen Okafor")
	cities, states := strings.Split("Berlin|Lyon|Osaka|Porto Alegre|\"Washington, DC\"|São Paulo|Kraków|Aix-en-Provence", "|"), strings.Fields("open paid shipped returned")
	products := strings.Split(`"Desk lamp, black"|Office chair|"Monitor 27"" IPS"|USB-C cable 2 m|"Notebook A5, ruled"|"Headset ""Pro"""|Keyboard DE`, "|")
	words := strings.Fields("the order was delayed because customer asked for a different size and colour so please check stock before shipping it to warehouse three")
	n, _ := fmt.Fprintln(w, "order_id,created_at,customer,email,city,postal_code,product,quantity,unit_price,total,status,remark")
	for i := 100_000; n < size; i++ {
		a, b, quantity, cents := pick(first), pick(last), r.IntN(40)+1, r.IntN(99_900)+99
		k, _ := fmt.Fprintf(w, "%d,%d-%02d-%02dT%02d:%02d:%02dZ,%s %s,%s.%d@example.org,%s,%05d,%s,%d,%.2f,%.2f,%s,%s\n",
			i, 2015+r.IntN(10), r.IntN(12)+1, r.IntN(28)+1, r.IntN(24), r.IntN(60), r.IntN(60), a, b, strings.ToLower(b), r.IntN(1000), pick(cities), r.IntN(100_000),
			pick(products), quantity, float64(cents)/100, float64(quantity*cents)/100, pick(states), remark(r, words))
		n += k
	}
}

// remark is a note of up to 18 words; three in ten are empty, some have marks or a second line.
func remark(r *rand.Rand, words []string) string {
	kind := r.IntN(100)
	if kind < 30 {
		return ""
	}
	var text []string
	for range r.IntN(17) + 2 {
		text = append(text, words[r.IntN(len(words))])
	}
	switch note := strings.Join(text, " "); {
	case kind < 40:
		return fmt.Sprintf(`"%s, see ""ticket %d"""`, note, r.IntN(100_000))
	case kind < 42:
		return fmt.Sprintf("\"%s\nsecond line of the remark\"", note)
	default:
		return note
	}
}
