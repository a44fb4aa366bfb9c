import {
  BorderStyle,
  Document,
  ExternalHyperlink,
  HeadingLevel,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
  type IParagraphOptions,
  type ParagraphChild,
} from 'docx';
import {
  markdownBlocks,
  PLAIN_STYLE,
  titleOfBlocks,
  type Block,
  type ListItem,
  type Span,
  type Spans,
} from './markdown';

/** Twips, twentieths of a point; 1,440 are an inch. */
const INDENT_TWIPS = 480;
const LEVELS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const BULLETS = 'bullets';
const NUMBERS = 'numbers';
const MONOSPACE = 'Courier New';
const HEADINGS = Object.values(HeadingLevel);

interface Place {
  readonly depth: number;
  readonly sign?: { readonly reference: string; readonly level: number; readonly instance?: number };
}

export async function writeDocx(markdown: string): Promise<Buffer> {
  const blocks = markdownBlocks(markdown);
  const document = new Document({
    title: titleOfBlocks(blocks) ?? undefined,
    creator: '',
    lastModifiedBy: '',
    numbering: { config: [numbering(BULLETS), numbering(NUMBERS)] },
    sections: [{ children: new DocxBlocks().of(blocks, { depth: 0 }) }],
  });
  return Packer.toBuffer(document);
}

function numbering(reference: string) {
  return {
    reference,
    levels: LEVELS.map((level) => ({
      level,
      format: reference === BULLETS ? LevelFormat.BULLET : LevelFormat.DECIMAL,
      text: reference === BULLETS ? '•' : `%${level + 1}.`,
      style: { paragraph: { indent: { left: INDENT_TWIPS * (level + 1), hanging: INDENT_TWIPS / 2 } } },
    })),
  };
}

class DocxBlocks {
  private lists = 0;

  of(blocks: readonly Block[], place: Place): (Paragraph | Table)[] {
    return blocks.flatMap((block, index) => this.block(block, index === 0 ? place : { depth: place.depth }));
  }

  private block(block: Block, place: Place): (Paragraph | Table)[] {
    switch (block.type) {
      case 'heading':
        return [paragraph(runs(block.spans), place, { heading: HEADINGS[block.level - 1] })];
      case 'paragraph':
        return [paragraph(runs(block.spans), place)];
      case 'code':
        return block.text
          .split('\n')
          .map((line) => paragraph([new TextRun({ text: withoutControls(line), font: MONOSPACE })], place));
      case 'quote':
        return this.of(block.blocks, { depth: place.depth + 1 });
      case 'list':
        return this.list(block, place);
      case 'table':
        return [tableOf(block.rows)];
      case 'rule':
        return [new Paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 6, space: 1 } } })];
    }
  }

  private list({ start, items }: Extract<Block, { type: 'list' }>, { depth }: Place): (Paragraph | Table)[] {
    this.lists += 1;
    const level = Math.min(depth, LEVELS.length - 1);
    const sign =
      start === null ? { reference: BULLETS, level } : { reference: NUMBERS, level, instance: this.lists };
    return items.flatMap((item) => this.item(item, { depth: depth + 1, sign }));
  }

  private item({ isChecked, blocks }: ListItem, place: Place): (Paragraph | Table)[] {
    if (isChecked === null) {
      return this.of(blocks.length === 0 ? [{ type: 'paragraph', spans: [] }] : blocks, place);
    }
    const box: Span = { ...PLAIN_STYLE, text: isChecked ? '☑ ' : '☐ ' };
    const [first, ...others] = blocks;
    const words = first?.type === 'paragraph' ? first.spans : [];
    const rest = first?.type === 'paragraph' ? others : blocks;
    return this.of([{ type: 'paragraph', spans: [box, ...words] }, ...rest], place);
  }
}

function paragraph(
  children: ParagraphChild[],
  { depth, sign }: Place,
  options: IParagraphOptions = {},
): Paragraph {
  const indent = depth > 0 ? { left: INDENT_TWIPS * depth } : undefined;
  return new Paragraph({
    spacing: { after: 120 },
    ...options,
    ...(sign ? { numbering: sign } : { indent }),
    children,
  });
}

function tableOf(rows: readonly (readonly Spans[])[]): Table {
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: rows.map(
      (cells, index) =>
        new TableRow({
          tableHeader: index === 0,
          children: cells.map((spans) => new TableCell({ children: [cellOf(spans, index === 0)] })),
        }),
    ),
  });
}

function cellOf(spans: Spans, isHeader: boolean): Paragraph {
  return new Paragraph({
    children: runs(spans.map((span) => ({ ...span, isBold: isHeader || span.isBold }))),
  });
}

function runs(spans: Spans): ParagraphChild[] {
  return spans.flatMap((span): ParagraphChild[] => {
    const children = runsOf(span);
    return span.link === null ? children : [new ExternalHyperlink({ link: span.link, children })];
  });
}

function runsOf({ text, isBold, isItalic, isStruck, isCode, link }: Span): TextRun[] {
  return withoutControls(text)
    .split('\n')
    .map(
      (line, index) =>
        new TextRun({
          text: line,
          bold: isBold,
          italics: isItalic,
          strike: isStruck,
          ...(index > 0 ? { break: 1 } : {}),
          ...(isCode ? { font: MONOSPACE } : {}),
          ...(link === null ? {} : { style: 'Hyperlink' }),
        }),
    );
}

/** XML 1.0 allows no other controls. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '');
}
