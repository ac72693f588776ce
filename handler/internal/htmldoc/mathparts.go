package htmldoc

import "strings"

// mathParts are the elements with a fixed number of arguments.
var mathParts = map[string]func([]string) string{
	"mfrac": func(a []string) string { return `\frac{` + at(a, 0) + `}{` + at(a, 1) + `}` },
	"mroot": func(a []string) string { return `\sqrt[` + at(a, 1) + `]{` + at(a, 0) + `}` },
	"msub":  func(a []string) string { return grouped(at(a, 0)) + `_{` + at(a, 1) + `}` },
	"msup":  func(a []string) string { return grouped(at(a, 0)) + `^{` + at(a, 1) + `}` },
	"msubsup": func(a []string) string {
		return grouped(at(a, 0)) + `_{` + at(a, 1) + `}^{` + at(a, 2) + `}`
	},
	"munder": func(a []string) string { return under(at(a, 0), at(a, 1)) },
	"mover":  func(a []string) string { return over(at(a, 0), at(a, 1)) },
	"munderover": func(a []string) string {
		if takesLimits(at(a, 0)) {
			return at(a, 0) + `_{` + at(a, 1) + `}^{` + at(a, 2) + `}`
		}
		return over(under(at(a, 0), at(a, 1)), at(a, 2))
	},
}

func at(list []string, i int) string {
	if i < len(list) {
		return strings.TrimSpace(list[i])
	}
	return ""
}

// grouped keeps a base of several symbols together.
func grouped(s string) string {
	if len([]rune(s)) <= 1 || strings.HasPrefix(s, `\`) && !strings.ContainsAny(s[1:], `\^_ `) {
		return s
	}
	return "{" + s + "}"
}

var limits = []string{`\sum`, `\prod`, `\int`, `\lim`, `\max`, `\min`, `\bigcup`, `\bigcap`, `\coprod`, `\oint`, `\sup`, `\inf`}

func takesLimits(s string) bool {
	for _, l := range limits {
		if strings.HasPrefix(s, l) {
			return true
		}
	}
	return false
}

func under(base, mark string) string {
	switch {
	case takesLimits(base):
		return base + `_{` + mark + `}`
	case mark == `\_` || mark == "¯" || mark == "_":
		return `\underline{` + base + `}`
	case mark == "⏟":
		return `\underbrace{` + base + `}`
	}
	return `\underset{` + mark + `}{` + base + `}`
}

var accents = map[string]string{
	"¯": "overline", "‾": "overline", "-": "bar", "−": "bar", "^": "hat", `\hat{}`: "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", `\sim`: "tilde",
	"→": "vec", `\rightarrow`: "vec", "˙": "dot", ".": "dot", "¨": "ddot", "⏞": "overbrace", "ˇ": "check", "˘": "breve", "´": "acute", "`": "grave",
}

func over(base, mark string) string {
	if accent, ok := accents[strings.TrimSpace(mark)]; ok {
		return `\` + accent + `{` + base + `}`
	}
	if takesLimits(base) {
		return base + `^{` + mark + `}`
	}
	return `\overset{` + mark + `}{` + base + `}`
}

var mathFunctions = set("sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim max min sup inf det dim ker deg gcd hom arg Pr")

// mathSymbols gives the LaTeX of characters that fonts of TeX do not have under their own code.
var mathSymbols = map[rune]string{
	'α': `\alpha`, 'β': `\beta`, 'γ': `\gamma`, 'δ': `\delta`, 'ε': `\varepsilon`, 'ϵ': `\epsilon`, 'ζ': `\zeta`, 'η': `\eta`, 'θ': `\theta`, 'ϑ': `\vartheta`,
	'ι': `\iota`, 'κ': `\kappa`, 'λ': `\lambda`, 'μ': `\mu`, 'µ': `\mu`, 'ν': `\nu`, 'ξ': `\xi`, 'π': `\pi`, 'ρ': `\rho`, 'σ': `\sigma`, 'ς': `\varsigma`, 'τ': `\tau`,
	'υ': `\upsilon`, 'φ': `\varphi`, 'ϕ': `\phi`, 'χ': `\chi`, 'ψ': `\psi`, 'ω': `\omega`, 'Γ': `\Gamma`, 'Δ': `\Delta`, 'Θ': `\Theta`, 'Λ': `\Lambda`, 'Ξ': `\Xi`,
	'Π': `\Pi`, 'Σ': `\Sigma`, 'Φ': `\Phi`, 'Ψ': `\Psi`, 'Ω': `\Omega`, '∑': `\sum`, '∏': `\prod`, '∐': `\coprod`, '∫': `\int`, '∬': `\iint`, '∮': `\oint`, '√': `\sqrt{}`,
	'∞': `\infty`, '∂': `\partial`, '∇': `\nabla`, '∈': `\in`, '∉': `\notin`, '∋': `\ni`, '⊂': `\subset`, '⊆': `\subseteq`, '⊃': `\supset`, '⊇': `\supseteq`, '∪': `\cup`,
	'∩': `\cap`, '∅': `\emptyset`, '∀': `\forall`, '∃': `\exists`, '¬': `\neg`, '∧': `\wedge`, '∨': `\vee`, '⊕': `\oplus`, '⊗': `\otimes`, '⊥': `\perp`, '∥': `\parallel`,
	'≤': `\leq`, '≥': `\geq`, '⩽': `\leq`, '⩾': `\geq`, '≠': `\neq`, '≈': `\approx`, '≡': `\equiv`, '∼': `\sim`, '≃': `\simeq`, '≅': `\cong`, '∝': `\propto`, '≪': `\ll`, '≫': `\gg`,
	'±': `\pm`, '∓': `\mp`, '×': `\times`, '÷': `\div`, '⋅': `\cdot`, '·': `\cdot`, '∗': `*`, '∘': `\circ`, '•': `\bullet`, '†': `\dagger`, '−': `-`, '′': `'`, '″': `''`,
	'→': `\rightarrow`, '←': `\leftarrow`, '↔': `\leftrightarrow`, '⇒': `\Rightarrow`, '⇐': `\Leftarrow`, '⇔': `\Leftrightarrow`, '↦': `\mapsto`, '↑': `\uparrow`, '↓': `\downarrow`,
	'…': `\ldots`, '⋯': `\cdots`, '⋮': `\vdots`, '⋱': `\ddots`, '⟨': `\langle`, '⟩': `\rangle`, '〈': `\langle`, '〉': `\rangle`, '‖': `\|`, '⌊': `\lfloor`, '⌋': `\rfloor`, '⌈': `\lceil`,
	'⌉': `\rceil`, 'ℵ': `\aleph`, 'ℶ': `\beth`, '⟶': `\longrightarrow`, '⟵': `\longleftarrow`, '⟹': `\Longrightarrow`, '⟺': `\Longleftrightarrow`, 'ℝ': `\mathbb{R}`, 'ℕ': `\mathbb{N}`, 'ℤ': `\mathbb{Z}`, 'ℚ': `\mathbb{Q}`, 'ℂ': `\mathbb{C}`, 'ℓ': `\ell`, 'ℏ': `\hbar`, '°': `^{\circ}`,
	'%': `\%`, '#': `\#`, '&': `\&`, '$': `\$`, '_': `\_`, '{': `\{`, '}': `\}`, '\\': `\backslash`, '\u2061': ``, '\u2062': ``, '\u2063': ``, '\u2064': ``, '\u00a0': ` `, '\u200a': ``, '\u2009': ` `,
}

// mathText gives characters as LaTeX, with a space after a command that a letter follows.
func mathText(s string) string {
	var parts []string
	for _, r := range strings.TrimSpace(s) {
		if tex, ok := mathSymbols[r]; ok {
			parts = append(parts, tex)
		} else if tex := styledLetter(r); tex != "" {
			parts = append(parts, tex)
		} else {
			parts = append(parts, string(r))
		}
	}
	return join(parts)
}

// relations get spaces around, so that LaTeX reads well as text.
var relations = set(`= < > \leq \geq \neq \approx \equiv \sim \in \subset \rightarrow \Rightarrow \leftarrow + - \pm \times \cdot \propto \simeq \cong`)

func operator(s string) string {
	if len(s) > 1 && strings.Trim(s, latin) == "" {
		return `\operatorname{` + s + `}`
	}
	tex := mathText(s)
	if relations[tex] {
		return " " + tex + " "
	}
	return tex
}

func escapeText(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`%#&$_{}`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
