class PdfPipelineOptions:
    do_ocr = True
    generate_picture_images = False
    artifacts_path = None
