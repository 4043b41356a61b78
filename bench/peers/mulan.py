"""Mulan's ARFF files and label lists: reading them, and writing parts of them (instances, features, labels)."""

import gzip
import pathlib
import re
import xml.etree.ElementTree

ATTRIBUTE = re.compile(r"@attribute\s+('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\S+)\s+(.*)", re.IGNORECASE)


def unquoted(name):
    """Only within quotes is a backslash more than a character."""
    return re.sub(r"\\(.)", r"\1", name[1:-1]) if name[:1] in ("'", '"') else name


def label_names(path):
    """In the order of the XML file."""
    return [unquoted(node.attrib["name"]) for node in xml.etree.ElementTree.parse(path).getroot().iter()
            if node.tag.rpartition("}")[2] == "label"]


class Arff:
    """The lines of an ARFF file, dense or sparse: attributes as (name, type), rows as {column: text}."""

    def __init__(self, path):
        self.attributes, self.rows, self.sparse = [], [], False
        opener = gzip.open if str(path).endswith(".gz") else open
        with opener(path, "rt", errors="replace") as lines:
            header = True
            for line in map(str.strip, lines):
                if not line or line.startswith("%"):
                    continue
                if header:
                    found = ATTRIBUTE.match(line)
                    if found:
                        self.attributes.append((unquoted(found.group(1)), found.group(2)))
                    header = not line.lower().startswith("@data")
                elif line.startswith("{"):
                    self.sparse = True
                    fields = [field.split() for field in line.strip("{}").split(",") if field.strip()]
                    self.rows.append({int(column): value for column, value in fields})
                else:
                    self.rows.append(dict(enumerate(line.split(","))))

    def columns(self, names):
        places = {name: column for column, (name, _) in enumerate(self.attributes)}
        return [places[name] for name in names]

    def write(self, path, columns, rows=None):
        """The columns given, in that order, of the rows given (all where there are none)."""
        place = {column: k for k, column in enumerate(columns)}
        lines = ["@relation part"]
        for column in columns:
            name, kind = self.attributes[column]
            quoted = name.replace("\\", "\\\\").replace("'", "\\'")
            lines.append(f"@attribute '{quoted}' {kind}")
        lines.append("@data")
        for r in range(len(self.rows)) if rows is None else rows:
            row = self.rows[r]
            if self.sparse:
                kept = sorted((place[column], value) for column, value in row.items() if column in place)
                lines.append("{" + ",".join(f"{k} {value}" for k, value in kept) + "}")
            else:
                lines.append(",".join(row[column] for column in columns))
        pathlib.Path(path).write_text("\n".join(lines) + "\n")


def write_labels(path, names):
    root = xml.etree.ElementTree.Element("labels")
    for name in names:
        xml.etree.ElementTree.SubElement(root, "label", name=name)
    xml.etree.ElementTree.ElementTree(root).write(path)


def matrices(arff, labels):
    """(features, label indicators) as scipy.sparse and numpy; needs these."""
    import numpy
    import scipy.sparse
    of_label = {column: k for k, column in enumerate(arff.columns(labels))}
    features = [column for column in range(len(arff.attributes)) if column not in of_label]
    place = {column: k for k, column in enumerate(features)}
    truth = numpy.zeros((len(arff.rows), len(labels)), dtype=bool)
    begin, ids, values = [0], [], []
    for i, row in enumerate(arff.rows):
        for column, text in row.items():
            value = float(text)
            if column in of_label:
                truth[i, of_label[column]] = value > 0
            elif value:
                ids.append(place[column])
                values.append(value)
        begin.append(len(ids))
    x = scipy.sparse.csr_matrix((values, ids, begin), shape=(len(arff.rows), len(features)))
    return (x if arff.sparse else x.toarray()), truth
