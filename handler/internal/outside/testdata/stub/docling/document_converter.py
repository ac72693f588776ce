import os
import types


class PdfFormatOption:
    def __init__(self, pipeline_options):
        self.pipeline_options = pipeline_options


class DocumentConverter:
    """Does what the document's first word says."""

    def __init__(self, format_options):
        print("Loading models ...")  # as libraries do, on standard output
        self.ready = False

    def initialize_pipeline(self, format):
        self.ready = True

    def convert(self, source, raises_on_error=True, max_num_pages=0):
        assert self.ready and not raises_on_error and max_num_pages > 0
        print("progress bar 50%")
        word, _, text = open(source, encoding="utf-8").read().partition(" ")
        if word == "raise":
            raise ValueError(text)
        if word == "die":
            os._exit(7)
        if word in ("failure", "partial_success"):
            return result(word, None, [types.SimpleNamespace(error_message=text)])
        return result("success", {
            "schema_name": "DoclingDocument", "version": "1.7.0", "name": "x",
            "body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}], "label": "unspecified"},
            "texts": [{"self_ref": "#/texts/0", "children": [], "label": "title", "text": text}],
        }, [])


def result(status, content, errors):
    document = types.SimpleNamespace(export_to_dict=lambda: content)
    return types.SimpleNamespace(status=types.SimpleNamespace(value=status), document=document, errors=errors)
