// Heads and labels in the text of a sentence in CoNLL-U; all else of it stays as it is.

/** The sentence with other arcs: `change(word, head, label)` gives a head and a label, as the columns have them. */
export function withArcs(conllu, change) {
  const lines = conllu.split("\n").map((line) => {
    if (!/^[1-9][0-9]*\t/.test(line)) return line;
    const cells = line.split("\t");
    [cells[6], cells[7]] = change(Number(cells[0]), cells[6], cells[7]);
    return cells.join("\t");
  });
  return lines.join("\n");
}
