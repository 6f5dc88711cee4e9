"""Parquet files of any bytes under any annotation, which no writer of tables would write: one group of rows, one page for
each column, nothing compressed."""


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(0x80 | value & 0x7F)
        value >>= 7
    return bytes(out + bytes([value]))


def integer(value):
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def record(*fields):
    """Fields of Thrift's compact protocol, by ascending ids: (id, kind, bytes)."""
    out, last = b"", 0
    for number, kind, value in fields:
        out += bytes([(number - last) << 4 | kind]) + value
        last = number
    return out + b"\0"


I32, I64, BINARY, LIST, RECORD = 5, 6, 8, 9, 12


def number(field, value, kind=I32):
    return (field, kind, integer(value))


def text(field, value):
    return (field, BINARY, varint(len(value)) + value)


def items(field, kind, values):
    head = bytes([len(values) << 4 | kind]) if len(values) < 15 else bytes([0xF0 | kind]) + varint(len(values))
    return (field, LIST, head + b"".join(values))


INT64, BYTES = 2, 6
UTF8, JSON = 0, 19


class Column:
    """Cells are integers of INT64, or bytes."""

    def __init__(self, name, physical, cells, converted=None):
        self.name, self.physical, self.cells, self.converted = name.encode(), physical, cells, converted

    def page(self):
        if self.physical == INT64:
            body = b"".join(cell.to_bytes(8, "little", signed=True) for cell in self.cells)
        else:
            body = b"".join(len(cell).to_bytes(4, "little") + cell for cell in self.cells)
        head = record(number(1, len(self.cells)), number(2, 0), number(3, 3), number(4, 3))
        return record(number(1, 0), number(2, len(body)), number(3, len(body)), (5, RECORD, head)) + body

    def element(self):
        converted = [] if self.converted is None else [number(6, self.converted)]
        return record(number(1, self.physical), number(3, 0), text(4, self.name), *converted)

    def chunk(self, place, size):
        data = record(number(1, self.physical), items(2, I32, [integer(0)]),
                      items(3, BINARY, [varint(len(self.name)) + self.name]), number(4, 0),
                      number(5, len(self.cells), I64), number(6, size, I64), number(7, size, I64), number(9, place, I64))
        return record(number(2, place, I64), (3, RECORD, data))


def parquet(columns):
    file, chunks = b"PAR1", []
    for column in columns:
        page = column.page()
        chunks.append(column.chunk(len(file), len(page)))
        file += page
    rows = len(columns[0].cells)
    root = record(text(4, b"schema"), number(5, len(columns)))
    group = record(items(1, RECORD, chunks), number(2, len(file), I64), number(3, rows, I64))
    footer = record(number(1, 1), items(2, RECORD, [root, *(column.element() for column in columns)]),
                    number(3, rows, I64), items(4, RECORD, [group]))
    return file + footer + len(footer).to_bytes(4, "little") + b"PAR1"
