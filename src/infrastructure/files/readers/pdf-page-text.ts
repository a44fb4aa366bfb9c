/** A piece of text on a page as pdf.js tells it; marks of structured content have no `str`. */
export interface PdfPiece {
  readonly str?: string;
  /** The text's matrix; its last number is how far up on the page it stands. */
  readonly transform?: readonly number[];
  readonly height?: number;
  readonly hasEOL?: boolean;
}

/** Lines that are further apart than so many heights of their letters are of different paragraphs. */
const PARAGRAPH_GAP_HEIGHTS = 1.9;

/** The text of a page in the order of its content: a line for each line, an empty line between paragraphs. */
export function textOfPdfPage(pieces: readonly PdfPiece[]): string {
  const lines: string[] = [];
  let line = '';
  let lastHeightUp: number | null = null;
  let isNewLine = true;
  for (const { str = '', transform, height = 0, hasEOL = false } of pieces) {
    const heightUp = transform?.[5];
    if (isNewLine && str.trim() !== '' && heightUp !== undefined) {
      if (lastHeightUp !== null && Math.abs(lastHeightUp - heightUp) > height * PARAGRAPH_GAP_HEIGHTS) {
        lines.push('');
      }
      lastHeightUp = heightUp;
      isNewLine = false;
    }
    line += str;
    if (hasEOL) {
      lines.push(line.trimEnd());
      line = '';
      isNewLine = true;
    }
  }
  lines.push(line.trimEnd());
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
