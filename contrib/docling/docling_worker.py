#!/usr/bin/env python3
"""A decant worker that converts with docling (docs/outside-converters.md describes the protocol).

It loads docling once, says that it is ready, and then converts one document after the other until its standard input ends.
What comes back is docling's own JSON, with the pictures in it.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import sys

PROTOCOL = 1


def take_standard_output():
    """Keep standard output for the protocol: libraries that print, print to the log instead."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    return out


def tell(out, **message):
    out.write(json.dumps(message, ensure_ascii=False) + "\n")
    out.flush()


def version():
    try:
        return "docling " + importlib.metadata.version("docling")
    except importlib.metadata.PackageNotFoundError:
        return "docling"


def load(options):
    """Make the converter. This takes the time, and is why there is a worker."""
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.pipeline_options import PdfPipelineOptions
    from docling.document_converter import DocumentConverter, PdfFormatOption

    pdf = PdfPipelineOptions()
    pdf.do_ocr = options.ocr
    pdf.generate_picture_images = options.pictures
    if options.artifacts:
        pdf.artifacts_path = options.artifacts
    converter = DocumentConverter(format_options={InputFormat.PDF: PdfFormatOption(pipeline_options=pdf)})
    if options.warm:
        converter.initialize_pipeline(InputFormat.PDF)
    return converter


def reason(status_errors):
    """The kind of a failure, one of those that decant knows, and its words."""
    text = "; ".join(str(getattr(e, "error_message", e)) for e in status_errors) or "docling could not convert the document"
    low = text.lower()
    if "password" in low or "encrypt" in low:
        return "encrypted", text
    if "page" in low and ("limit" in low or "exceed" in low or "max_num_pages" in low):
        return "too_many_pages", text
    if "not valid" in low or "invalid" in low or "corrupt" in low:
        return "corrupt", text
    if "format not allowed" in low or "not supported" in low:
        return "unsupported_format", text
    return "crash", text


def convert(converter, order, partial):
    """Convert one document and give the name of its file, or raise."""
    result = converter.convert(order["input"], raises_on_error=False, max_num_pages=order.get("maxPages") or sys.maxsize)
    status = getattr(result.status, "value", str(result.status))
    if status != "success" and not (partial and status == "partial_success"):
        raise Failed(*reason(result.errors))
    name = "document.json"
    with open(pathlib.Path(order["output"], name), "w", encoding="utf-8") as f:
        json.dump(result.document.export_to_dict(), f, ensure_ascii=False)
    return name


class Failed(Exception):
    """A document that could not be converted: kind and words."""


def serve(converter, orders, out, partial=False):
    tell(out, type="ready", protocol=PROTOCOL, name="docling", version=version())
    for line in orders:
        order = json.loads(line)
        if order.get("type") != "convert":
            continue
        try:
            tell(out, type="progress", id=order["id"])
            tell(out, type="done", id=order["id"], file=convert(converter, order, partial))
        except Failed as e:
            kind, message = e.args
            tell(out, type="failed", id=order["id"], kind=kind, message=message)
        except MemoryError:
            raise  # the process is of no use any more: decant starts a fresh one
        except Exception as e:  # whatever docling or a model raises is this document's end only
            kind, message = reason([e])
            tell(out, type="failed", id=order["id"], kind=kind, message=message)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--artifacts", help="folder of the models (docling-tools models download); without one docling looks in its cache")
    parser.add_argument("--ocr", action="store_true", help="recognize text in pictures")
    parser.add_argument("--pictures", action="store_true", help="give pictures back too")
    parser.add_argument("--partial", action="store_true", help="take documents of which docling could not convert every page")
    parser.add_argument("--no-warm", dest="warm", action="store_false", help="load the models with the first document only")
    options = parser.parse_args()
    out = take_standard_output()
    serve(load(options), sys.stdin, out, options.partial)


if __name__ == "__main__":
    main()
