package charset

import "unicode"

// candidate is an encoding together with a language that is written in it.
type candidate struct {
	encoding string
	letters  string              // its frequent non-ASCII characters
	script   *unicode.RangeTable // nil: several scripts (Japanese)
	other    float64             // fit of a character of the script that is not frequent
	handicap float64             // how rare it is: breaks ties for the usual
}

const (
	cyrillic    = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъіїєґ"
	greek       = "αοιετσνηυρπκμλςωγδχθφβξζψάέήίόύώ"
	hebrew      = "יוהאלרבתמשנםעחדקפכגסצטזןךףץ"
	arabic      = "اليمنوترهبسدفعقكحجشصخطضذثظغءآأإئؤةى"
	thai        = "านรอกเงมยลวดทสตะปบคหแจพชขใไโผธศณซ่้ั็ิีึืุู์ำ"
	simplified  = "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴切坚布标创价格约"
	traditional = "的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可里後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代軍產入先山五太水萬市眼體別處總才場師書比住員九笑性通目華報立馬命張活難神數件安表原車白應路期叫死常提感金何更反合放做系計或司利受光王果親界及今京務制解各任至清物台象記邊共風戰乾接它許八特覺望直服毛林題建南度統色字請交愛讓認算論百"
	kana        = "のにはをたがでてとしれさいるなもかすうくこらよりまそだけあきっめおつえみわせどばちじやろずびべへぶほむねひゅょゃンスルトラリイクアシドレジタフロカマコサテニメキムチバプデグオナセウソエパビワヅモミハボガノズネポヤホゲケッャュョー。、日本語人年大一中会国行時事者二三四五六七八九十百千万円分間週今先来午前後東西南北口出入上下左右外内小高安新古多少早長白黒赤青父母子男女友達名文章書読聞話学校生電車道駅店社家経済政治法律部員表示設定画面使用方手順資料報告仕様説明確認登録変更追加削除検索結果覧京都県市区町村番号株式"
	hangul      = "이다는을가의에고하지한로도를은기사자어나서라시리아그수일인으정대해있스게전것보제부상들여구원주조장과비성만오도면와안공동우무세니당연화경내되적문소유위신마모국요선미관분선었지"
)

// candidates in the order of how often files have them; the first of equals wins.
var candidates = []candidate{
	{"windows-1252", "äöüßÄÖÜ", unicode.Latin, 0.2, 0},
	{"windows-1252", "éèàçêôûîïëùœâÉÀÇ", unicode.Latin, 0.2, 0},
	{"windows-1252", "áéíóúñüºª", unicode.Latin, 0.2, 0},
	{"windows-1252", "ãõáéíóúçâêôàºª", unicode.Latin, 0.2, 0},
	{"windows-1252", "àèéìòùÈ", unicode.Latin, 0.2, 0},
	{"windows-1252", "åäöæøÅÄÖÆØé", unicode.Latin, 0.2, 0},
	{"windows-1252", "áéíóúýþæðöÞ", unicode.Latin, 0.2, 0.02},
	{"shift_jis", kana, unicode.Han, 0.4, 0},
	{"euc-jp", kana, unicode.Han, 0.35, 0},
	{"gb18030", simplified, unicode.Han, 0.4, 0},
	{"big5", traditional, unicode.Han, 0.4, 0.01},
	{"euc-kr", hangul, unicode.Hangul, 0.4, 0},
	{"windows-1251", cyrillic, unicode.Cyrillic, 0.5, 0},
	{"koi8-r", cyrillic, unicode.Cyrillic, 0.5, 0.01},
	{"ibm866", cyrillic, unicode.Cyrillic, 0.5, 0.02},
	{"iso-8859-5", cyrillic, unicode.Cyrillic, 0.5, 0.03},
	{"x-mac-cyrillic", cyrillic, unicode.Cyrillic, 0.5, 0.05},
	{"windows-1250", "ąćęłńóśźżĄĆĘŁŃŚŹŻ", unicode.Latin, 0.2, 0.01},
	{"windows-1250", "áčďéěíňóřšťúůýžČŘŠŽ", unicode.Latin, 0.2, 0.01},
	{"windows-1250", "áéíóöőúüűÁÉÖÜ", unicode.Latin, 0.2, 0.02},
	{"windows-1250", "ăâîşţĂÎŞŢ", unicode.Latin, 0.2, 0.02},
	{"windows-1250", "čćđšžČĆĐŠŽ", unicode.Latin, 0.2, 0.02},
	{"iso-8859-2", "ąćęłńóśźżĄĆĘŁŃŚŹŻ", unicode.Latin, 0.2, 0.03},
	{"iso-8859-2", "áčďéěíňóřšťúůýžČŘŠŽ", unicode.Latin, 0.2, 0.03},
	{"iso-8859-15", "éèàçêôûîïëùœâÉÀÇŒœŸ€", unicode.Latin, 0.2, 0.02},
	{"windows-1253", greek, unicode.Greek, 0.5, 0},
	{"windows-1254", "çğıöşüÇĞİÖŞÜ", unicode.Latin, 0.2, 0.02},
	{"windows-1255", hebrew, unicode.Hebrew, 0.5, 0},
	{"windows-1256", arabic, unicode.Arabic, 0.5, 0.01},
	{"windows-1257", "ąčęėįšųūžāēģīķļņŠŽ", unicode.Latin, 0.2, 0.03},
	{"windows-874", thai, unicode.Thai, 0.5, 0.01},
	{"ibm850", "äöüßéèàçêñóíáúÄÖÜÉ", unicode.Latin, 0.2, 0.1},
	{"macintosh", "äöüßéèàçêñóíáúÄÖÜÉ", unicode.Latin, 0.2, 0.12},
}
