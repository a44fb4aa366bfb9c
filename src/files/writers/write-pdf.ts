import { dirname, join } from 'node:path';
import PDFDocument from 'pdfkit';
import { UnsupportedFile } from '../file-errors';
import {
  type Block,
  type ListItem,
  markdownBlocks,
  PLAIN_STYLE,
  plainTextOf,
  signOf,
  type Spans,
  type MarkdownStyle,
  titleOfBlocks,
} from './markdown';

const FOLDER = join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const FILES = {
  plain: 'DejaVuSans.ttf',
  bold: 'DejaVuSans-Bold.ttf',
  italic: 'DejaVuSans-Oblique.ttf',
  boldItalic: 'DejaVuSans-BoldOblique.ttf',
  code: 'DejaVuSansMono.ttf',
};

type FontName = keyof typeof FILES;

const NAMED_CHARACTERS_MAX = 10;

function fontOf({ isBold, isItalic, isCode }: MarkdownStyle): FontName {
  if (isCode) {
    return 'code';
  }
  return isBold ? (isItalic ? 'boldItalic' : 'bold') : isItalic ? 'italic' : 'plain';
}

/** @throws UnsupportedFile naming characters without a glyph, which would print as empty boxes */
function checkLetters(document: PDFKit.PDFDocument, texts: ReadonlyMap<FontName, Set<string>>): void {
  const missing = new Set<string>();
  for (const [name, characters] of texts) {
    document.font(name);
    const { font } = (
      document as unknown as { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } }
    )._font;
    for (const character of characters) {
      const codePoint = character.codePointAt(0) ?? 0;
      if (codePoint > 0x20 && !font.hasGlyphForCodePoint(codePoint)) {
        missing.add(character);
      }
    }
  }
  if (missing.size > 0) {
    const named = [...missing].slice(0, NAMED_CHARACTERS_MAX).map(nameOf).join(', ');
    const others = missing.size - NAMED_CHARACTERS_MAX;
    throw new UnsupportedFile(
      `The fonts for PDF have no letters for ${named}${others > 0 ? `, and ${others} others` : ''}; write it as DOCX or HTML.`,
    );
  }
}

function nameOf(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  return `${character} (U+${codePoint.toString(16).toUpperCase().padStart(4, '0')})`;
}

/** In points, of which 72 are an inch. */
const MARGIN = 64;
const BODY_SIZE = 10.5;
const CODE_SIZE = 9;
const HEADING_SIZES = [20, 16, 13.5, 12, 11, 10.5];
const INDENT = 18;
const PAGE_NUMBER_SIZE = 8;
const LINE_GAP = 2;
const CELL_PADDING = 4;
const LINK_COLOR = '#0b57d0';
const TEXT_COLOR = '#000000';

/** A4 pages with numbers. @throws UnsupportedFile naming characters that the fonts lack */
export async function writePdf(markdown: string): Promise<Buffer> {
  const blocks = markdownBlocks(markdown);
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: titleOfBlocks(blocks) ?? '' },
  });
  const chunks: Buffer[] = [];
  const written = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  Object.entries(FILES).forEach(([name, file]) => document.registerFont(name, join(FOLDER, file)));
  checkLetters(document, lettersOf(blocks));
  new PdfPages(document).blocks(blocks, 0);
  numberPages(document);
  document.end();
  return written;
}

function lettersOf(blocks: readonly Block[]): Map<FontName, Set<string>> {
  const letters = new Map<FontName, Set<string>>([['plain', new Set('•☐☑0123456789./')]]);
  const add = (font: FontName, text: string) => {
    const known = letters.get(font) ?? new Set();
    letters.set(font, known);
    for (const character of text) {
      known.add(character);
    }
  };
  const visit = (block: Block): void => {
    switch (block.type) {
      case 'heading':
        return block.spans.forEach((span) => add(fontOf({ ...span, isBold: true }), span.text));
      case 'paragraph':
        return block.spans.forEach((span) => add(fontOf(span), span.text));
      case 'code':
        return add('code', block.text);
      case 'quote':
        return block.blocks.forEach(visit);
      case 'list':
        return block.items.forEach((item) => item.blocks.forEach(visit));
      case 'table':
        return block.rows.forEach((row, index) =>
          row.forEach((cell) => add(index === 0 ? 'bold' : 'plain', plainTextOf(cell))),
        );
      case 'rule':
        return;
    }
  };
  blocks.forEach(visit);
  return letters;
}

class PdfPages {
  constructor(private readonly document: PDFKit.PDFDocument) {}

  blocks(blocks: readonly Block[], depth: number): void {
    blocks.forEach((block) => this.block(block, depth));
  }

  private block(block: Block, depth: number): void {
    switch (block.type) {
      case 'heading':
        this.heading(block.spans, block.level, depth);
        break;
      case 'paragraph':
        this.spans(block.spans, depth, BODY_SIZE);
        break;
      case 'code':
        this.spans([{ ...PLAIN_STYLE, isCode: true, text: block.text }], depth + 1, CODE_SIZE);
        break;
      case 'quote':
        this.blocks(block.blocks, depth + 1);
        break;
      case 'list':
        block.items.forEach((item, index) => this.item(item, signOf(block.start, index, '•'), depth));
        break;
      case 'table':
        this.table(block.rows, depth);
        break;
      case 'rule':
        this.rule();
        break;
    }
    if (depth === 0) {
      this.document.moveDown(0.6);
    }
  }

  private heading(spans: Spans, level: number, depth: number): void {
    const size = HEADING_SIZES[level - 1] ?? BODY_SIZE;
    this.keepTogether(size * 4);
    this.document.moveDown(0.3);
    const bold = spans.map((span) => ({ ...span, isBold: true }));
    this.spans(bold, depth, size);
  }

  private item({ isChecked, blocks }: ListItem, sign: string, depth: number): void {
    const mark = isChecked === null ? `${sign} ` : isChecked ? '☑ ' : '☐ ';
    const [first, ...others] = blocks;
    const isText = first?.type === 'paragraph';
    this.spans([{ ...PLAIN_STYLE, text: mark }, ...(isText ? first.spans : [])], depth + 1, BODY_SIZE);
    this.blocks(isText ? others : blocks, depth + 1);
  }

  private spans(spans: Spans, depth: number, size: number): void {
    const shown = spans.filter(({ text }) => text !== '');
    const left = MARGIN + INDENT * Math.min(depth, 12);
    const width = this.document.page.width - MARGIN - left;
    this.document.x = left;
    shown.forEach((span, index) => {
      this.document
        .font(fontOf(span))
        .fontSize(size)
        .fillColor(span.link === null ? TEXT_COLOR : LINK_COLOR)
        .text(printable(span.text), {
          width,
          lineGap: LINE_GAP,
          continued: index < shown.length - 1,
          link: span.link,
          underline: span.link !== null,
          strike: span.isStruck,
        });
    });
    this.document.x = MARGIN;
  }

  private table(rows: readonly (readonly Spans[])[], depth: number): void {
    const columns = rows.reduce((most, row) => Math.max(most, row.length), 1);
    const left = MARGIN + INDENT * Math.min(depth, 12);
    const width = (this.document.page.width - MARGIN - left) / columns;
    rows.forEach((row, index) => this.row(row.map(plainTextOf), { left, width, isHeader: index === 0 }));
    this.document.x = MARGIN;
  }

  private row(cells: readonly string[], place: { left: number; width: number; isHeader: boolean }): void {
    const { left, width, isHeader } = place;
    const { document } = this;
    document
      .font(isHeader ? 'bold' : 'plain')
      .fontSize(CODE_SIZE)
      .fillColor(TEXT_COLOR);
    const options = { width: Math.max(width - 2 * CELL_PADDING, 1), lineGap: 1 };
    const texts = cells.map((cell) => printable(cell));
    const pageHeight = document.page.height - 2 * MARGIN;
    const needed =
      Math.max(...texts.map((text) => document.heightOfString(text, options)), 0) + 2 * CELL_PADDING;
    const height = Math.min(needed, pageHeight);
    this.keepTogether(height);
    const top = document.y;
    let [page, bottom] = [document.page, top];
    texts.forEach((text, column) => {
      const x = left + width * column;
      document.rect(x, top, width, height).lineWidth(0.5).strokeColor('#999999').stroke();
      const bound = needed > pageHeight ? {} : { height: height - CELL_PADDING };
      document.text(text, x + CELL_PADDING, top + CELL_PADDING, { ...options, ...bound });
      bottom = page === document.page ? Math.max(bottom, document.y) : document.y;
      ({ page } = document);
    });
    document.y = needed > pageHeight ? bottom : top + height;
  }

  private rule(): void {
    const { document } = this;
    const y = document.y + 4;
    document.moveTo(MARGIN, y).lineTo(document.page.width - MARGIN, y);
    document.lineWidth(0.5).strokeColor('#999999').stroke();
    document.y = y + 4;
  }

  private keepTogether(height: number): void {
    if (this.document.y + height > this.document.page.height - MARGIN) {
      this.document.addPage();
    }
  }
}

function numberPages(document: PDFKit.PDFDocument): void {
  const { start, count } = document.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    document.switchToPage(page);
    // Text below the margin would begin a new page.
    document.page.margins.bottom = 0;
    document
      .font('plain')
      .fontSize(PAGE_NUMBER_SIZE)
      .fillColor('#666666')
      .text(`${page - start + 1} / ${count}`, MARGIN, document.page.height - MARGIN / 2, {
        width: document.page.width - 2 * MARGIN,
        align: 'center',
        lineBreak: false,
      });
  }
}

function printable(text: string): string {
  return text.replaceAll('\t', '    ').replaceAll(/[\0-\x09\x0b-\x1f\x7f]/g, '');
}
