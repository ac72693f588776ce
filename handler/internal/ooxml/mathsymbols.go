package ooxml

import "strings"

// mathFunctions are the names that LaTeX has a command for.
var mathFunctions = map[string]string{
	"sin": `\sin`, "cos": `\cos`, "tan": `\tan`, "cot": `\cot`, "sec": `\sec`, "csc": `\csc`, "arcsin": `\arcsin`, "arccos": `\arccos`, "arctan": `\arctan`,
	"sinh": `\sinh`, "cosh": `\cosh`, "tanh": `\tanh`, "coth": `\coth`, "log": `\log`, "ln": `\ln`, "lg": `\lg`, "exp": `\exp`, "lim": `\lim`, "max": `\max`,
	"min": `\min`, "sup": `\sup`, "inf": `\inf`, "limsup": `\limsup`, "liminf": `\liminf`, "det": `\det`, "dim": `\dim`, "ker": `\ker`, "deg": `\deg`, "gcd": `\gcd`, "hom": `\hom`,
	"arg": `\arg`, "Pr": `\Pr`,
}

// accents are LaTeX's commands for combining characters.
var accents = map[string]string{
	"\u0300": `\grave`, "\u0301": `\acute`, "\u0302": `\hat`, "\u0303": `\tilde`, "\u0304": `\bar`, "\u0305": `\overline`, "\u0306": `\breve`, "\u0307": `\dot`, "\u0308": `\ddot`,
	"\u030A": `\mathring`, "\u030C": `\check`, "\u0332": `\underline`, "\u20D6": `\overleftarrow`, "\u20D7": `\vec`, "\u20DB": `\dddot`, "\u20DC": `\ddddot`, "\u20E1": `\overleftrightarrow`,
	"^": `\hat`, "~": `\tilde`, "¯": `\bar`, "˙": `\dot`, "¨": `\ddot`, "→": `\vec`, "ˇ": `\check`, "˘": `\breve`, "´": `\acute`, "`": `\grave`, "⏞": `\overbrace`, "‾": `\overline`,
}

var groupCharacters = map[string]string{
	"⏟": `\underbrace`, "⏞": `\overbrace`, "←": `\overleftarrow`, "→": `\overrightarrow`, "↔": `\overleftrightarrow`, "⏠": `\overbrace`, "⏡": `\underbrace`, "︷": `\overbrace`, "︸": `\underbrace`,
}

// mathSymbols are characters and their commands. Commands that end in a letter get a space after them where it matters.
var mathSymbols = map[rune]string{
	'α': `\alpha`, 'β': `\beta`, 'γ': `\gamma`, 'δ': `\delta`, 'ε': `\varepsilon`, 'ϵ': `\epsilon`, 'ζ': `\zeta`, 'η': `\eta`, 'θ': `\theta`, 'ϑ': `\vartheta`, 'ι': `\iota`, 'κ': `\kappa`,
	'λ': `\lambda`, 'μ': `\mu`, 'ν': `\nu`, 'ξ': `\xi`, 'ο': `o`, 'π': `\pi`, 'ϖ': `\varpi`, 'ρ': `\rho`, 'ϱ': `\varrho`, 'σ': `\sigma`, 'ς': `\varsigma`, 'τ': `\tau`, 'υ': `\upsilon`,
	'φ': `\varphi`, 'ϕ': `\phi`, 'χ': `\chi`, 'ψ': `\psi`, 'ω': `\omega`, 'Γ': `\Gamma`, 'Δ': `\Delta`, 'Θ': `\Theta`, 'Λ': `\Lambda`, 'Ξ': `\Xi`, 'Π': `\Pi`, 'Σ': `\Sigma`, 'Υ': `\Upsilon`,
	'Φ': `\Phi`, 'Ψ': `\Psi`, 'Ω': `\Omega`, 'ℵ': `\aleph`, 'ℏ': `\hbar`, 'ℓ': `\ell`, 'ℜ': `\Re`, 'ℑ': `\Im`, '℘': `\wp`, '∂': `\partial`, '∇': `\nabla`, '∞': `\infty`, '∅': `\emptyset`,
	'ℝ': `\mathbb{R}`, 'ℕ': `\mathbb{N}`, 'ℤ': `\mathbb{Z}`, 'ℚ': `\mathbb{Q}`, 'ℂ': `\mathbb{C}`, 'ℙ': `\mathbb{P}`,
	'∑': `\sum`, '∏': `\prod`, '∐': `\coprod`, '∫': `\int`, '∬': `\iint`, '∭': `\iiint`, '∮': `\oint`, '∯': `\oiint`, '∰': `\oiiint`, '⋃': `\bigcup`, '⋂': `\bigcap`, '⋁': `\bigvee`, '⋀': `\bigwedge`,
	'⨁': `\bigoplus`, '⨂': `\bigotimes`, '⨀': `\bigodot`, '⨆': `\bigsqcup`, '⨄': `\biguplus`,
	'±': `\pm`, '∓': `\mp`, '×': `\times`, '÷': `\div`, '∙': `\cdot`, '·': `\cdot`, '⋅': `\cdot`, '∘': `\circ`, '∗': `\ast`, '⋆': `\star`, '⊕': `\oplus`, '⊗': `\otimes`, '⊖': `\ominus`, '⊙': `\odot`,
	'∧': `\wedge`, '∨': `\vee`, '∩': `\cap`, '∪': `\cup`, '⊔': `\sqcup`, '⊓': `\sqcap`, '∖': `\setminus`, '†': `\dagger`, '‡': `\ddagger`, '−': `-`, '¬': `\neg`,
	'≤': `\leq`, '≥': `\geq`, '≠': `\neq`, '≈': `\approx`, '≡': `\equiv`, '∼': `\sim`, '≃': `\simeq`, '≅': `\cong`, '∝': `\propto`, '≪': `\ll`, '≫': `\gg`, '≺': `\prec`, '≻': `\succ`, '⊂': `\subset`, '⊃': `\supset`,
	'⊆': `\subseteq`, '⊇': `\supseteq`, '∈': `\in`, '∋': `\ni`, '∉': `\notin`, '⊥': `\perp`, '∥': `\parallel`, '∣': `\mid`, '⊢': `\vdash`, '⊨': `\models`, '≜': `\triangleq`, '≔': `:=`, '≲': `\lesssim`, '≳': `\gtrsim`,
	'∀': `\forall`, '∃': `\exists`, '∄': `\nexists`, '∴': `\therefore`, '∵': `\because`, '∠': `\angle`, '△': `\triangle`, '□': `\square`, '∎': `\blacksquare`,
	'←': `\leftarrow`, '→': `\rightarrow`, '↑': `\uparrow`, '↓': `\downarrow`, '↔': `\leftrightarrow`, '⇐': `\Leftarrow`, '⇒': `\Rightarrow`, '⇔': `\Leftrightarrow`, '↦': `\mapsto`, '⟶': `\longrightarrow`, '⟵': `\longleftarrow`,
	'⟹': `\Longrightarrow`, '⟺': `\Longleftrightarrow`, '⇌': `\rightleftharpoons`, '↗': `\nearrow`, '↘': `\searrow`, '⇑': `\Uparrow`, '⇓': `\Downarrow`, '↪': `\hookrightarrow`, '↩': `\hookleftarrow`,
	'…': `\ldots`, '⋯': `\cdots`, '⋮': `\vdots`, '⋱': `\ddots`, '′': `'`, '″': `''`, '‴': `'''`, '°': `^{\circ}`, '√': `\surd`, '‖': `\|`, '⟨': `\langle`, '⟩': `\rangle`, '〈': `\langle`, '〉': `\rangle`,
	'⌊': `\lfloor`, '⌋': `\rfloor`, '⌈': `\lceil`, '⌉': `\rceil`, '\u2061': ``, '\u2062': ``, '\u2063': ``, '\u200b': ``, '\u00a0': `~`, '\u2009': `\,`, '\u2005': `\:`, '\u2003': `\quad`, '\u200a': `\,`, '\u2002': `\;`,
	'{': `\{`, '}': `\}`, '#': `\#`, '%': `\%`, '$': `\$`, '&': `\&`, '_': `\_`, '\\': `\backslash`, '~': `\sim`, '^': `\wedge`,
}

// escapeMath writes characters as LaTeX in a formula.
func escapeMath(text string) string {
	var b strings.Builder
	for _, r := range text {
		if plain, ok := mathAlphabet(r); ok {
			r = plain
		}
		piece, ok := mathSymbols[r]
		if !ok {
			if r != 0x2061 {
				join(&b, string(r))
			}
			continue
		}
		join(&b, piece)
	}
	return b.String()
}

// mathAlphabet turns the italic and bold letters of Unicode's mathematical alphabets into plain ones:
// italic is how a formula shows letters anyway.
func mathAlphabet(r rune) (rune, bool) {
	switch {
	case r >= 0x1D434 && r <= 0x1D44D: // italic capitals
		return 'A' + r - 0x1D434, true
	case r >= 0x1D44E && r <= 0x1D467:
		return 'a' + r - 0x1D44E, true
	case r == 0x210E: // ℎ fills the gap in the italic letters
		return 'h', true
	case r >= 0x1D400 && r <= 0x1D419: // bold
		return 'A' + r - 0x1D400, true
	case r >= 0x1D41A && r <= 0x1D433:
		return 'a' + r - 0x1D41A, true
	case r >= 0x1D468 && r <= 0x1D481: // bold italic
		return 'A' + r - 0x1D468, true
	case r >= 0x1D482 && r <= 0x1D49B:
		return 'a' + r - 0x1D482, true
	case r >= 0x1D6FC && r <= 0x1D714: // italic Greek
		return 'α' + r - 0x1D6FC, true
	case r >= 0x1D6E2 && r <= 0x1D6FA:
		return 'Α' + r - 0x1D6E2, true
	}
	return 0, false
}

// escapeText writes characters as LaTeX in \text.
func escapeText(text string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "#", `\#`, "%", `\%`, "$", `\$`, "&", `\&`, "_", `\_`, "^", `\^{}`, "~", `\~{}`).Replace(text)
}
