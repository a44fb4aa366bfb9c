import { linesIn } from './lines';

const LINE_LENGTH_MAX = 5_000;

/**
 * The text with line ends for those commas that delimit the cells of a table, so that "EUR 99,3 rue" is read as an amount and
 * an address. It is as long as the text, and places in it are places in the text. A table is told by its header without digits,
 * empty cells and spaces behind its commas, and by lines below with equally many commas. Takes linear time.
 */
export function cellsApart(text: string): string {
  if (!/,\S/u.test(text)) {
    return text;
  }
  const rows = linesIn(text).map(({ text: line, start }) => ({
    line,
    commas: delimitersIn(line).map((index) => start + index),
  }));
  let isTable = false;
  const delimiters = rows.flatMap(({ line, commas }, index) => {
    if (commas.length !== rows[index - 1]?.commas.length) {
      isTable = commas.length === rows[index + 1]?.commas.length && isHeader(line);
    }
    return isTable ? commas : [];
  });
  return withLineEnds(text, delimiters);
}

/** The commas of a line outside of double quotes without a space behind them. */
function delimitersIn(line: string): number[] {
  if (line.length > LINE_LENGTH_MAX) {
    return [];
  }
  const found: number[] = [];
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    isQuoted = line[index] === '"' ? !isQuoted : isQuoted;
    if (line[index] === ',' && !isQuoted && line[index + 1] !== ' ') {
      found.push(index);
    }
  }
  return found;
}

function isHeader(line: string): boolean {
  return !/\p{N}|^,|,,|, |,$/u.test(line);
}

function withLineEnds(text: string, places: readonly number[]): string {
  let end = 0;
  const parts = places.map((place) => {
    const part = text.slice(end, place);
    end = place + 1;
    return `${part}\n`;
  });
  return parts.join('') + text.slice(end);
}
