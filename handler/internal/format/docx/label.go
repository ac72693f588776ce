package docx

import (
	"strconv"
	"strings"
)

// formatNumber writes a number in one of Word's number formats (ECMA-376 part 1, 17.18.59). An unknown one comes out decimal.
func formatNumber(n int, format string) (text string, known bool) {
	if write, ok := numberWriters[format]; ok {
		return write(n), true
	}
	if alphabet, ok := alphabets[format]; ok {
		return letters(n, []rune(alphabet)), true
	}
	if digits, ok := digitSets[format]; ok {
		return positional(n, []rune(digits)), true
	}
	return strconv.Itoa(n), false
}

var numberWriters = map[string]func(int) string{
	"decimal":                      strconv.Itoa,
	"none":                         func(int) string { return "" },
	"bullet":                       func(int) string { return "" },
	"decimalZero":                  func(n int) string { return zeroPadded(n, 2) },
	"001, 002, 003, ...":           func(n int) string { return zeroPadded(n, 3) },
	"0001, 0002, 0003, ...":        func(n int) string { return zeroPadded(n, 4) },
	"00001, 00002, 00003, ...":     func(n int) string { return zeroPadded(n, 5) },
	"upperRoman":                   func(n int) string { return strings.ToUpper(roman(n)) },
	"lowerRoman":                   roman,
	"ordinal":                      ordinal,
	"cardinalText":                 cardinal,
	"ordinalText":                  ordinalWord,
	"hex":                          func(n int) string { return strings.ToUpper(strconv.FormatInt(int64(n), 16)) },
	"numberInDash":                 func(n int) string { return "- " + strconv.Itoa(n) + " -" },
	"chicago":                      chicago,
	"decimalEnclosedCircle":        enclosed,
	"decimalEnclosedCircleChinese": enclosed,
	"decimalEnclosedParen":         func(n int) string { return "(" + strconv.Itoa(n) + ")" },
	"decimalEnclosedFullstop":      func(n int) string { return strconv.Itoa(n) + "." },
	"chineseCounting":              chinese, "chineseCountingThousand": chinese, "chineseLegalSimplified": chinese,
	"japaneseCounting": chinese, "taiwaneseCounting": chinese, "taiwaneseCountingThousand": chinese, "ideographDigital": func(n int) string { return positional(n, []rune("〇一二三四五六七八九")) },
	"japaneseDigitalTenThousand": func(n int) string { return positional(n, []rune("〇一二三四五六七八九")) },
	"koreanDigital":              func(n int) string { return positional(n, []rune("영일이삼사오육칠팔구")) },
}

// alphabets count through letters; after the last one the letters double, as Word has it (aa, bb).
var alphabets = map[string]string{
	"upperLetter":          "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"lowerLetter":          "abcdefghijklmnopqrstuvwxyz",
	"russianLower":         "абвгдежзиклмнопрстуфхцчшщыэюя",
	"russianUpper":         "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ",
	"hebrew2":              "אבגדהוזחטיכלמנסעפצקרשת",
	"hebrew1":              "אבגדהוזחטיכלמנסעפצקרשת",
	"arabicAlpha":          "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
	"arabicAbjad":          "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
	"thaiLetters":          "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
	"aiueo":                "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ",
	"aiueoFullWidth":       "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
	"iroha":                "ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳヰﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼヱﾋﾓｾｽﾝ",
	"ganada":               "가나다라마바사아자차카타파하",
	"chosung":              "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
	"ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
	"ideographZodiac":      "子丑寅卯辰巳午未申酉戌亥",
}

var digitSets = map[string]string{
	"decimalFullWidth": "０１２３４５６７８９", "decimalFullWidth2": "０１２３４５６７８９", "decimalHalfWidth": "0123456789",
	"hindiNumbers": "०१२३४५६७८९", "thaiNumbers": "๐๑๒๓๔๕๖๗๘๙",
}

func zeroPadded(n, width int) string {
	text := strconv.Itoa(n)
	for len(text) < width {
		text = "0" + text
	}
	return text
}

// maxRepeat bounds doubled letters: list number 100,000 would be a word of thousands of letters.
const maxRepeat = 30

func letters(n int, alphabet []rune) string {
	if n < 1 {
		return strconv.Itoa(n)
	}
	times := (n-1)/len(alphabet) + 1
	if times > maxRepeat {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(alphabet[(n-1)%len(alphabet)]), times)
}

func positional(n int, digits []rune) string {
	var b strings.Builder
	for _, c := range strconv.Itoa(n) {
		if c >= '0' && c <= '9' {
			c = digits[c-'0']
		}
		b.WriteRune(c)
	}
	return b.String()
}

var romanDigits = []struct {
	value int
	text  string
}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}}

func roman(n int) string {
	if n < 1 || n > 30_000 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, digit := range romanDigits {
		for n >= digit.value {
			b.WriteString(digit.text)
			n -= digit.value
		}
	}
	return b.String()
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

func chicago(n int) string {
	return letters(n, []rune("*†‡§"))
}

func enclosed(n int) string {
	switch {
	case n >= 1 && n <= 20:
		return string(rune('①' + n - 1))
	case n >= 21 && n <= 35:
		return string(rune('㉑' + n - 21))
	}
	return strconv.Itoa(n)
}

var (
	ones      = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}
	tens      = []string{"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
	irregular = map[string]string{"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}
)

// cardinal is the number in English words, with a capital as Word writes it.
func cardinal(n int) string { return capital(words(n)) }

func words(n int) string {
	switch {
	case n < 0 || n >= 1_000_000:
		return strconv.Itoa(n)
	case n < 20:
		return ones[n]
	case n < 100 && n%10 == 0:
		return tens[n/10]
	case n < 100:
		return tens[n/10] + "-" + ones[n%10]
	case n < 1000 && n%100 == 0:
		return ones[n/100] + " hundred"
	case n < 1000:
		return ones[n/100] + " hundred " + words(n%100)
	case n%1000 == 0:
		return words(n/1000) + " thousand"
	}
	return words(n/1000) + " thousand " + words(n%1000)
}

func ordinalWord(n int) string {
	text := words(n)
	cut := strings.LastIndexAny(text, " -") + 1
	last := text[cut:]
	switch {
	case irregular[last] != "":
		last = irregular[last]
	case strings.HasSuffix(last, "y"):
		last = strings.TrimSuffix(last, "y") + "ieth"
	default:
		last += "th"
	}
	return capital(text[:cut] + last)
}

func capital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// chinese is the number in Chinese counting words, up to 99,999.
func chinese(n int) string {
	digits := []rune("零一二三四五六七八九")
	if n < 0 || n > 99_999 {
		return strconv.Itoa(n)
	}
	if n < 10 {
		return string(digits[n])
	}
	var b strings.Builder
	gap := false
	for _, unit := range []struct {
		value int
		name  string
	}{{10_000, "万"}, {1000, "千"}, {100, "百"}, {10, "十"}, {1, ""}} {
		d := n / unit.value % 10
		if d == 0 {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteRune('零')
			gap = false
		}
		if !(d == 1 && unit.value == 10 && b.Len() == 0) {
			b.WriteRune(digits[d])
		}
		b.WriteString(unit.name)
	}
	return b.String()
}
