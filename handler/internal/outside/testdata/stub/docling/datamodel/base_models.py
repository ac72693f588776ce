import enum


class InputFormat(str, enum.Enum):
    PDF = "pdf"
