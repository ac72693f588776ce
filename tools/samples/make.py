"""Writes the documents of samples/ (python3 make.py OUT). Run it only to change a sample: the results are committed."""
import datetime, email.message, email.policy, io, os, random, sys, zipfile

import pypdf
import xlsxwriter
from docx import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from pptx import Presentation
from pptx.util import Inches
from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import BaseDocTemplate, Frame, FrameBreak, NextPageTemplate, PageTemplate, Paragraph, Spacer, Table, TableStyle

OUT = sys.argv[1] if len(sys.argv) > 1 else "samples"
WHEN = datetime.datetime(2026, 9, 14, 9, 30)


def path(name):
    return os.path.join(OUT, name)


def paper():
    """A two-column paper: spanning title, abstract, headings, a ruled table, a booktabs table, a footnote, running header, page numbers."""
    body = ParagraphStyle("body", fontName="Times-Roman", fontSize=9.5, leading=11.5, alignment=TA_JUSTIFY, spaceAfter=4)
    h1 = ParagraphStyle("h1", parent=body, fontName="Times-Bold", fontSize=12, leading=14, spaceBefore=8, spaceAfter=4, alignment=0)
    h2 = ParagraphStyle("h2", parent=h1, fontSize=10.5, leading=13)
    title = ParagraphStyle("title", parent=h1, fontSize=18, leading=22, alignment=TA_CENTER)
    authors = ParagraphStyle("authors", parent=body, alignment=TA_CENTER, spaceAfter=8)
    caption = ParagraphStyle("caption", parent=body, fontSize=8.5, leading=10, spaceBefore=3, spaceAfter=6)
    note = ParagraphStyle("note", parent=body, fontSize=7.5, leading=9)
    w, h = A4

    def page(canvas, doc):
        canvas.saveState()
        canvas.setFont("Times-Italic", 8)
        canvas.drawString(20 * mm, h - 12 * mm, "Proceedings of the Workshop on Coastal Measurement, 2026")
        canvas.drawCentredString(w / 2, 10 * mm, str(doc.page))
        canvas.restoreState()

    doc = BaseDocTemplate(path("tidal-paper.pdf"), pagesize=A4, title="Tide Gauges on a Budget", author="Ines Varga, Tomas Lindqvist",
                          subject="Low-cost tide measurement", invariant=1)
    top, col = 62 * mm, (w - 46 * mm) / 2
    first = [Frame(20 * mm, h - 18 * mm - top, w - 40 * mm, top, id="head", leftPadding=0, rightPadding=0),
             Frame(20 * mm, 18 * mm, col, h - 36 * mm - top, id="l", leftPadding=0, rightPadding=0),
             Frame(26 * mm + col, 18 * mm, col, h - 36 * mm - top, id="r", leftPadding=0, rightPadding=0)]
    later = [Frame(20 * mm, 18 * mm, col, h - 36 * mm, id="l2", leftPadding=0, rightPadding=0),
             Frame(26 * mm + col, 18 * mm, col, h - 36 * mm, id="r2", leftPadding=0, rightPadding=0)]
    doc.addPageTemplates([PageTemplate("first", first, onPage=page), PageTemplate("later", later, onPage=page)])
    P = Paragraph
    grid = Table([["Station", "Sensor", "Days", "RMSE (cm)"], ["Harbour", "pressure", "212", "1.4"], ["Harbour", "radar", "198", "0.9"],
                  ["Breakwater", "pressure", "205", "2.2"], ["Breakwater", "ultrasonic", "61", "3.8"], ["Estuary", "radar", "187", "1.1"]],
                 style=TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("FONT", (0, 0), (-1, 0), "Times-Bold", 8.5),
                                   ("FONT", (0, 1), (-1, -1), "Times-Roman", 8.5), ("SPAN", (0, 1), (0, 2)), ("SPAN", (0, 3), (0, 4)),
                                   ("VALIGN", (0, 0), (-1, -1), "MIDDLE"), ("ALIGN", (2, 1), (-1, -1), "RIGHT")]))
    book = Table([["Component", "Part", "Price (EUR)"], ["Controller", "ESP32-S3", "7.90"], ["Radar", "60 GHz module", "18.40"],
                  ["Battery", "18650, 3.4 Ah", "6.20"], ["Housing", "IP68 box", "11.75"], ["Total", "", "44.25"]],
                 style=TableStyle([("LINEABOVE", (0, 0), (-1, 0), 1, colors.black), ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
                                   ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black), ("FONT", (0, 0), (-1, 0), "Times-Bold", 8.5),
                                   ("FONT", (0, 1), (-1, -1), "Times-Roman", 8.5), ("ALIGN", (2, 0), (2, -1), "RIGHT")]))
    filler = ("Every station keeps its own clock, and the clocks drift. We found that a drift of two seconds a day moves the phase of the "
              "semidiurnal constituent by less than the noise of the sensor, so a weekly correction is enough. ")
    story = [
        P("Tide Gauges on a Budget: Three Sensors, Two Winters", title),
        P("Ines Varga and Tomas Lindqvist<br/>Institute for Coastal Measurement", authors),
        P("<b>Abstract.</b> We compare pressure, radar and ultrasonic sensors for tide gauges that cost less than fifty euros. Over two winters "
          "and three stations the radar sensor came within one centimetre of the reference, the pressure sensor within two, and the ultrasonic "
          "sensor failed in rain. The design files and all readings are public.", body),
        NextPageTemplate("later"), FrameBreak(),
        P("1 Introduction", h1),
        P("Official gauges are accurate and rare. Between two of them the water level is a guess, and floods happen between them. A gauge that a "
          "school can build for the price of a meal closes the gap, if its readings can be trusted.<super>1</super> This paper asks how far "
          "that trust can go.", body),
        P("Earlier work measured single sensors over weeks. We let three kinds run side by side through storms, ice and algae, and we report what "
          "broke, which is more useful than what worked.", body),
        P("2 Stations and sensors", h1),
        P("2.1 Stations", h2),
        P("The harbour station stands in calm water beside the reference gauge. The breakwater station takes the full swell. The estuary station "
          "sees four metres of range and a great deal of mud. " + filler, body),
        P("2.2 Sensors", h2),
        P("All sensors report once a second; the controller keeps the median of each minute. " + filler * 2, body),
        grid, P("Table 1: Days in service and error against the reference, by station and sensor.", caption),
        P("3 Results", h1),
        P("Table 1 shows the root mean square error. The radar sensor is best everywhere. The ultrasonic sensor was removed after 61 days: in rain "
          "its echoes come from drops, not from the water. " + filler, body),
        P("The pressure sensor needs air pressure as well. Without it, a storm of 35 hPa looks like a tide of 35 cm. With the nearest weather "
          "station the error falls to 2.2 cm at the breakwater, and with a barometer in the box to 1.4 cm. " + filler * 2, body),
        P("4 Cost", h1),
        P("The parts of one gauge are listed in Table 2. Prices are for ten pieces.", body),
        book, P("Table 2: Parts of one gauge.", caption),
        P(filler * 3, body),
        P("5 Conclusion", h1),
        P("A radar gauge for less than fifty euros is good enough for flood warning and for teaching. It is not good enough for datum work. We will "
          "keep the three stations running and publish every reading.", body),
        P("References", h1),
        P("[1] L. Moreau. <i>Harmonic analysis for beginners.</i> Harbour Press, 2019.", body),
        P("[2] A. Okafor and S. Brandt. Radar levels in small rivers. <i>Hydrology Letters</i> 12(3), 2024, pp. 44-51. doi:10.5555/hl.2024.0312", body),
        Spacer(1, 6), P("<super>1</super> The school in Norddeich built nine.", note),
    ]
    doc.build(story)


def numbering(document):
    """One multilevel numbering: 1. / 1.1 / (a)."""
    part = document.part.numbering_part._element
    abstract = OxmlElement("w:abstractNum")
    abstract.set(qn("w:abstractNumId"), "90")
    multi = OxmlElement("w:multiLevelType")
    multi.set(qn("w:val"), "multilevel")
    abstract.append(multi)
    for level, (fmt, text) in enumerate([("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)")]):
        lvl = OxmlElement("w:lvl")
        lvl.set(qn("w:ilvl"), str(level))
        for tag, value in [("w:start", "1"), ("w:numFmt", fmt), ("w:lvlText", text)]:
            e = OxmlElement(tag)
            e.set(qn("w:val"), value)
            lvl.append(e)
        abstract.append(lvl)
    part.insert(0, abstract)
    num = OxmlElement("w:num")
    num.set(qn("w:numId"), "90")
    ref = OxmlElement("w:abstractNumId")
    ref.set(qn("w:val"), "90")
    num.append(ref)
    part.append(num)


def number(paragraph, level):
    props = paragraph._p.get_or_add_pPr()
    num = OxmlElement("w:numPr")
    for tag, value in [("w:ilvl", level), ("w:numId", 90)]:
        e = OxmlElement(tag)
        e.set(qn("w:val"), str(value))
        num.append(e)
    props.append(num)
    return paragraph


def revise(paragraph, old, new):
    """A tracked replacement at the end of a paragraph."""
    for tag, text_tag, text in [("w:del", "w:delText", old), ("w:ins", "w:t", new)]:
        change = OxmlElement(tag)
        change.set(qn("w:id"), "7")
        change.set(qn("w:author"), "R. Osei")
        change.set(qn("w:date"), "2026-09-10T10:00:00Z")
        run = OxmlElement("w:r")
        t = OxmlElement(text_tag)
        t.text = text
        run.append(t)
        change.append(run)
        paragraph._p.append(change)


def contract():
    """A contract with numbered clauses on three levels, a table with merged cells, a tracked change, header and footer."""
    d = Document()
    d.core_properties.title = "Framework Agreement for Survey Services"
    d.core_properties.author = "Rana Osei"
    d.core_properties.created = d.core_properties.modified = WHEN
    d.styles["Normal"].font.size = Pt(11)
    numbering(d)
    section = d.sections[0]
    section.header.paragraphs[0].text = "Framework Agreement 2026-117 - confidential"
    section.footer.paragraphs[0].text = "Page 1"
    d.add_heading("Framework Agreement for Survey Services", 0)
    d.add_paragraph("between Harbour Authority Eastmere (the Client) and Lindqvist Survey Ltd (the Contractor).")
    clauses = [
        ("Scope", ["The Contractor surveys the sea bed in the areas named in Annex A.", "Each survey includes:",
                   ["a bathymetric grid with cells of one metre;", "a report in Word and PDF;", "the raw soundings."]]),
        ("Fees", ["The fees are those of the table in Annex B and do not include value added tax.", "Invoices are paid within "]),
        ("Liability", ["Neither party is liable for loss of profit.", "The liability of each party is limited to the fees of one year."]),
        ("Term and notice", ["This agreement starts on 1 October 2026 and ends on 30 September 2029.",
                             "Either party may end it with six months' notice to the end of a quarter."]),
    ]
    for heading, items in clauses:
        number(d.add_heading(heading, 1), 0)
        for item in items:
            if isinstance(item, list):
                for letter in item:
                    number(d.add_paragraph(letter), 2)
                continue
            p = number(d.add_paragraph(item), 1)
            if item.endswith("within "):
                revise(p, "60 days", "30 days")
                p.add_run(" of receipt.")
    d.add_heading("Annex A: Areas", 1)
    for area in ["Inner harbour, berths 1 to 14", "Approach channel, buoys 3 to 19", "Turning basin"]:
        d.add_paragraph(area, style="List Bullet")
    d.add_heading("Annex B: Fees", 1)
    rows = [["Service", "Unit", "Price (EUR)", ""], ["", "", "2026", "2027"], ["Single-beam survey", "hectare", "310", "325"],
            ["Multi-beam survey", "hectare", "540", "560"], ["Report", "piece", "1,900", "1,950"]]
    t = d.add_table(rows=len(rows), cols=4, style="Table Grid")
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            t.cell(r, c).text = text
    t.cell(0, 2).merge(t.cell(0, 3))
    t.cell(0, 0).merge(t.cell(1, 0))
    t.cell(0, 1).merge(t.cell(1, 1))
    for row in t.rows[:2]:
        header = OxmlElement("w:tblHeader")
        row._tr.get_or_add_trPr().append(header)
    d.add_paragraph()
    d.add_paragraph("Signed in Eastmere on 14 September 2026.")
    d.save(path("framework-contract.docx"))


def workbook():
    """A workbook: title row and gap, dates, formulas, merged cells, percentages, two regions on one sheet, a hidden sheet, a comment."""
    b = xlsxwriter.Workbook(path("regional-sales.xlsx"))
    b.set_properties({"title": "Regional sales 2026", "author": "Mira Chen", "created": WHEN})
    bold = b.add_format({"bold": True})
    date = b.add_format({"num_format": "yyyy-mm-dd"})
    money = b.add_format({"num_format": "#,##0.00"})
    share = b.add_format({"num_format": "0.0%"})
    middle = b.add_format({"align": "center", "bold": True})
    s = b.add_worksheet("Summary")
    s.write("A1", "Regional sales, first half of 2026", bold)
    s.write_row("A3", ["Region", "Units", "Revenue", "Share"], bold)
    data = [("North", 1200, 48210.5), ("South", 950, 39840), ("East", 1410, 61005.25), ("West", 610, 22310)]
    total = sum(r[2] for r in data)
    for i, (region, units, revenue) in enumerate(data):
        s.write(3 + i, 0, region)
        s.write(3 + i, 1, units)
        s.write(3 + i, 2, revenue, money)
        s.write_formula(3 + i, 3, f"=C{4 + i}/C8", share, revenue / total)
    s.write("A8", "Total", bold)
    s.write_formula("B8", "=SUM(B4:B7)", bold, sum(r[1] for r in data))
    s.write_formula("C8", "=SUM(C4:C7)", money, total)
    s.write_comment("C6", "Includes the trade fair in May.", {"author": "Mira Chen"})
    s.write("F3", "Quarter", bold)
    s.write("G3", "Closed on", bold)
    s.write("F4", "Q1")
    s.write_datetime("G4", datetime.datetime(2026, 4, 3), date)
    s.write("F5", "Q2")
    s.write_datetime("G5", datetime.datetime(2026, 7, 2), date)
    o = b.add_worksheet("Orders")
    o.write_row("A1", ["Order", "Date", "Customer", "Country", "Amount", "Paid"], bold)
    rng = random.Random(7)
    names = ["Aalto Oy", "Brandt GmbH", "Chen & Co", "Dufour SA", "Eriksen AS", "Fonseca Lda"]
    countries = ["FI", "DE", "CN", "FR", "NO", "NA"]
    for i in range(40):
        k = rng.randrange(6)
        o.write(1 + i, 0, f"SO-{20260100 + i}")
        o.write_datetime(1 + i, 1, datetime.datetime(2026, 1, 5) + datetime.timedelta(days=4 * i), date)
        o.write(1 + i, 2, names[k])
        o.write(1 + i, 3, countries[k])
        o.write(1 + i, 4, round(rng.uniform(150, 9000), 2), money)
        o.write_boolean(1 + i, 5, rng.random() < 0.8)
    p = b.add_worksheet("Price list")
    p.merge_range("A1:A2", "Article", middle)
    p.merge_range("B1:C1", "Price", middle)
    p.write_row("B2", ["retail", "trade"], bold)
    for i, row in enumerate([("Tide gauge", 89, 64), ("Radar head", 42, 31.5), ("Mounting set", 12.9, 9.9)]):
        p.write_row(2 + i, 0, row)
    h = b.add_worksheet("Margins")
    h.write_row("A1", ["Article", "Margin"])
    h.write_row("A2", ["Tide gauge", 0.38])
    h.hide()
    b.close()


def slides():
    """Slides with bullets on two levels, a table, speaker notes and a hidden slide."""
    p = Presentation()
    p.core_properties.title = "Gauge network roadmap"
    p.core_properties.author = "Tomas Lindqvist"
    p.core_properties.created = p.core_properties.modified = WHEN
    s = p.slides.add_slide(p.slide_layouts[0])
    s.shapes.title.text = "Gauge network roadmap"
    s.placeholders[1].text = "Autumn review 2026"
    s.notes_slide.notes_text_frame.text = "Welcome everybody. Ten minutes for the roadmap, twenty for questions."
    s = p.slides.add_slide(p.slide_layouts[1])
    s.shapes.title.text = "Where we are"
    frame = s.placeholders[1].text_frame
    frame.text = "Three stations in service"
    for text, level in [("Harbour: since 2024", 1), ("Breakwater: since 2025", 1), ("Estuary: since March", 1), ("Two stations ordered", 0)]:
        para = frame.add_paragraph()
        para.text, para.level = text, level
    s.notes_slide.notes_text_frame.text = "Mention the ice damage at the breakwater in January."
    s = p.slides.add_slide(p.slide_layouts[5])
    s.shapes.title.text = "Budget by year"
    t = s.shapes.add_table(4, 3, Inches(1), Inches(2), Inches(8), Inches(2)).table
    for r, row in enumerate([["Year", "Stations", "EUR"], ["2026", "3", "4,100"], ["2027", "5", "6,900"], ["2028", "9", "11,250"]]):
        for c, text in enumerate(row):
            t.cell(r, c).text = text
    s = p.slides.add_slide(p.slide_layouts[1])
    s.shapes.title.text = "Backup: vendor comparison"
    s.placeholders[1].text_frame.text = "Not for the public version"
    s._element.set("show", "0")
    p.save(path("network-roadmap.pptx"))


def scan():
    """A letter as a scanner gives it: one grey, slightly turned picture on a page, no text."""
    img = Image.new("L", (1240, 1754), 246)
    draw = ImageDraw.Draw(img)
    font = ImageFont.load_default(size=30)
    lines = ["Harbour Authority Eastmere", "Quay 4", "", "14 September 2026", "", "Dear Ms Varga,", "", "thank you for the readings of the",
             "breakwater station. The gap between", "3 and 9 January is due to ice.", "", "The reference gauge ran through;", "its readings are attached.", "",
             "Yours sincerely,", "", "J. Marsh"]
    for i, line in enumerate(lines):
        draw.text((150, 180 + i * 58), line, fill=40, font=font)
    img = img.rotate(0.7, fillcolor=246, resample=Image.BICUBIC).filter(ImageFilter.GaussianBlur(0.6))
    rng = random.Random(3)
    px = img.load()
    for _ in range(6000):
        px[rng.randrange(1240), rng.randrange(1754)] = rng.randrange(120, 250)
    img.save(path("scanned-letter.pdf"), "PDF", resolution=150, creationDate=WHEN.timetuple(), modDate=WHEN.timetuple())


def mail():
    """A mail: encoded names, html and plain alternatives, an inline picture, an attachment that is a document of its own."""
    m = email.message.EmailMessage(policy=email.policy.SMTP)
    m["From"] = "Jürgen Marsh <j.marsh@eastmere.example>"
    m["To"] = "Ines Varga <ines@coast.example>, Tomas Lindqvist <tomas@coast.example>"
    m["Cc"] = "archive@eastmere.example"
    m["Subject"] = "Readings of January – with the gap explained"
    m["Date"] = "Mon, 14 Sep 2026 10:42:00 +0200"
    m["Message-ID"] = "<20260914.1042@eastmere.example>"
    m.set_content("Dear Ines, dear Tomas,\n\nthe gap of 3 to 9 January is due to ice. The readings are attached.\n\nJürgen\n")
    m.add_alternative("<html><body><p>Dear Ines, dear Tomas,</p><p>the gap of <b>3 to 9 January</b> is due to ice. The readings are attached."
                      "</p><p>Jürgen<br><img src='cid:logo' alt='Eastmere harbour'></p></body></html>", subtype="html")
    logo = io.BytesIO()
    badge = Image.new("RGB", (96, 48), (20, 60, 110))
    ImageDraw.Draw(badge).ellipse((30, 6, 66, 42), fill=(240, 240, 240))
    badge.save(logo, "PNG")
    m.get_payload()[1].add_related(logo.getvalue(), "image", "png", cid="<logo>")
    csv = "time;level_cm\r\n2026-01-02T22:00;141\r\n2026-01-02T23:00;128\r\n2026-01-09T08:00;96\r\n2026-01-09T09:00;104\r\n"
    m.add_attachment(csv.encode(), "text", "csv", filename="readings-january.csv")
    data = m.as_bytes()
    for i, part in enumerate(p for p in m.walk() if p.is_multipart()):  # boundaries are random otherwise
        data = data.replace(part.get_boundary().encode(), b"=-part-%d-of-the-sample-=" % i)
    open(path("ice-gap.eml"), "wb").write(data)


def page():
    open(path("tide-tables.html"), "w", encoding="utf-8").write("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>How to read a tide table</title>
<meta name="author" content="Ines Varga"><meta name="description" content="A short guide for visitors of the coast.">
<style>nav{float:right}</style><script>console.log("not for readers")</script></head>
<body><nav><a href="/">Home</a> <a href="/gauges">Gauges</a> <a href="/about">About</a></nav>
<main><h1>How to read a tide table</h1>
<p>A tide table lists <strong>high</strong> and <strong>low</strong> water for a port. Times are in <abbr title="Coordinated Universal Time">UTC</abbr>;
add an hour in winter, two in summer. See also <a href="https://example.org/harmonics">how tides are predicted</a>.</p>
<h2>An example</h2>
<table><caption>Eastmere, 14 September 2026</caption>
<thead><tr><th rowspan="2">Tide</th><th colspan="2">Morning</th><th colspan="2">Evening</th></tr>
<tr><th>Time</th><th>Height</th><th>Time</th><th>Height</th></tr></thead>
<tbody><tr><th>High</th><td>04:12</td><td>3.9 m</td><td>16:31</td><td>4.1 m</td></tr>
<tr><th>Low</th><td>10:20</td><td>0.6 m</td><td>22:44</td><td>0.5 m</td></tr></tbody></table>
<h2>The rule of twelfths</h2>
<p>Between low and high water the level does not rise evenly:</p>
<ol><li>one twelfth in the first hour,</li><li>two twelfths in the second,</li><li>three in the third and in the fourth,
<ul><li>this is when currents are strongest;</li></ul></li><li>two in the fifth, one in the sixth.</li></ol>
<pre><code class="language-python">def level(hours, low, high):
    twelfths = [0, 1, 3, 6, 9, 11, 12]
    return low + (high - low) * twelfths[hours] / 12
</code></pre>
<dl><dt>Chart datum</dt><dd>The level from which heights are counted.</dd><dt>Neap tide</dt><dd>A tide of small range, at half moon.</dd></dl>
<details><summary>Why twelve?</summary><p>Because 1 + 2 + 3 + 3 + 2 + 1 is twelve.</p></details>
<p hidden>Draft: mention the seiche in the harbour.</p>
<blockquote><p>Time and tide wait for no man.</p></blockquote></main>
<footer>© 2026 Institute for Coastal Measurement</footer></body></html>
""")


def notes():
    open(path("field-notes.md"), "w", encoding="utf-8").write("""---
title: Field notes, breakwater station
author: Tomas Lindqvist
date: 2026-09-12
---

# Field notes, breakwater station

Visit on a *calm* day, wind from the north-east[^wind]. The box was dry, the mast was not straight.

## To do

- [x] replace the seal
- [ ] straighten the mast
  - needs two people
- [ ] change the battery before **1 November**

## Readings

| Time  | Radar (cm) | Pressure (cm) | Remark          |
|:------|-----------:|--------------:|:----------------|
| 09:00 |        182 |           184 |                 |
| 09:30 |        201 |           203 | swell           |
| 10:00 |        219 |           223 | ferry \\| spray |

The offset of the pressure sensor is $p_0 = 1013.2$ hPa, and

$$h = \\frac{p - p_a}{\\rho g}$$

```sh
gaugectl read --station breakwater --last 3h
```

> Do not lean on the mast.

[^wind]: Force 2, later 3.
""")


def tables():
    rows = ["Artikel;Lager;Menge;Preis;Geprüft am", "Tidepegel Größe 1;Halle 2;14;89,00;2026-08-31", "Radarkopf 60 GHz;Halle 2;31;42,00;2026-08-31",
            "\"Kabel, 5 m; schwarz\";Regal 7;120;4,50;2026-09-01", "Montagesatz;Regal 3;57;12,90;2026-09-01", "Dichtung;Regal 3;;0,80;"]
    open(path("inventory.csv"), "wb").write("\r\n".join(rows).encode("cp1252") + b"\r\n")
    open(path("logbook-1998.txt"), "wb").write(("Logbook of the pilot station Eastmere\r\n\r\n14 September 1998\r\n\r\n"
        "Wind south-west 6, sea rough. At 06:40 the coaster “Zoë” asked for a pilot; boarded at 07:10 – the ladder was too short, as always. "
        "The café on the quay had opened when we came back.\r\n\r\n15 September 1998\r\n\r\nFog until noon. No movements.\r\n").encode("cp1252"))


def failures():
    data = open(path("framework-contract.docx"), "rb").read()
    open(path("broken-report.docx"), "wb").write(data[: len(data) * 3 // 5])
    w = pypdf.PdfWriter(clone_from=path("tidal-paper.pdf"))
    w.encrypt("eastmere", algorithm="AES-256")
    w.write(path("encrypted-minutes.pdf"))


def settle():
    """The zip members of Office files get one date, so that the files are the same on every run."""
    for name in ["framework-contract.docx", "regional-sales.xlsx", "network-roadmap.pptx"]:
        data = io.BytesIO(open(path(name), "rb").read())
        with zipfile.ZipFile(data) as src, zipfile.ZipFile(path(name), "w", zipfile.ZIP_DEFLATED) as dst:
            for info in src.infolist():
                dst.writestr(zipfile.ZipInfo(info.filename, (2026, 9, 14, 9, 30, 0)), src.read(info), zipfile.ZIP_DEFLATED)


os.makedirs(OUT, exist_ok=True)
for write in [paper, contract, workbook, slides, scan, mail, page, notes, tables, settle, failures]:
    write()
