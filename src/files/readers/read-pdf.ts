import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { EncryptedFile, FileTooComplex, UnreadableFile } from '../file-errors';
import type { ReadFile } from '../file-jobs';
import { PAGES_MAX, TEXT_CHARACTERS_MAX } from '../file-limits';
import { checkTrailer } from '../sniff-file-kind';
import { mayHoldTable, type PageBlock, pageBlocks } from './pdf-layout';
import { type RuledLine, withRuledTables } from './pdf-ruled-tables';
import { textOfPages, type TextRun } from './pdf-text';
import { BoundedTables, boundedText, boundedTitle } from './read-text';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;
type Matrix = readonly number[];
type Point = readonly [number, number];

interface Drawings {
  readonly operations: Readonly<Record<string, number>>;
  pagesLeft: number;
}

interface TextItem {
  readonly str?: string;
  readonly fontName?: string;
  readonly dir?: string;
  readonly transform?: Matrix;
  readonly width?: number;
  readonly height?: number;
}

interface Widget {
  readonly subtype?: string;
  readonly fieldType?: string;
  readonly fieldName?: string;
  readonly fieldValue?: unknown;
  readonly buttonValue?: unknown;
  readonly radioButton?: boolean;
  readonly rect: readonly [number, number, number, number];
}

/** In points, for form values, whose font is not read. */
const VALUE_HEIGHT = 10;
const VALUE_LETTER_WIDTH = 5;

async function blocksOfPage(page: PdfPage, drawings: Drawings): Promise<PageBlock[]> {
  const { transform } = page.getViewport({ scale: 1 });
  const items = (await page.getTextContent()).items as TextItem[];
  const monospaced = monospacedFonts(items);
  const turns: TextRun[][] = [[], [], [], []];
  for (const item of items) {
    addItem(item, transform, monospaced.has(item.fontName), turns);
  }
  turns[0]?.push(...valuesOf((await page.getAnnotations()) as Widget[], transform));
  const [main, ...others] = turns
    .map((runs, turn) => ({ runs, turn }))
    .sort((one, other) => other.runs.length - one.runs.length);
  if (!main) {
    return [];
  }
  let rules: RuledLine[] = [];
  if (drawings.pagesLeft > 0 && mayHoldTable(main.runs)) {
    drawings.pagesLeft -= 1;
    rules = await rulesOf(page, drawings.operations, transform, main.turn);
  }
  return [
    ...pageBlocks(withRuledTables(indented(main.runs), rules)),
    ...others.flatMap(({ runs }) => pageBlocks(runs)),
  ];
}

/** Windows' symbol fonts place signs and digits at ASCII codes after this one; their letters are Greek. */
const SYMBOL_CODES_START = 0xf000;
const SYMBOLS = /[\uf020-\uf040]/gu;
/** Ligatures and presentation forms of Arabic letters, which nobody searches for. */
const PRESENTED = /[\ufb00-\ufdff\ufe70-\ufefc]+/g;

function addItem(item: TextItem, viewport: Matrix, isMonospaced: boolean, turns: TextRun[][]): void {
  const { dir, transform, width = 0, height = 0 } = item;
  const str = (item.str ?? '')
    .replaceAll(PRESENTED, (letters) => letters.normalize('NFKC'))
    .replaceAll(SYMBOLS, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - SYMBOL_CODES_START));
  if (transform === undefined || str.trim() === '') {
    return;
  }
  const [a = 0, b = 0, , , x = 0, y = 0] = product(viewport, transform);
  const turn = Math.abs(a) >= Math.abs(b) ? (a >= 0 ? 0 : 2) : b >= 0 ? 1 : 3;
  const [left, baseline] = turned([x, y], turn);
  const letters = {
    baseline,
    height: height || Math.hypot(a, b) || VALUE_HEIGHT,
    isRightToLeft: dir === 'rtl',
    ...(isMonospaced ? { indentation: 0 } : {}),
  };
  for (const { text, from, to } of partsOf(str)) {
    const [start, end] = [from / str.length, to / str.length].map((share) => left + width * share);
    turns[turn]?.push({ ...letters, text, left: start ?? left, right: end ?? left });
  }
}

const ADVANCES_DIFFER_MAX = 0.01;
/** Different Latin letters: digits have equal widths in most fonts, as have all Chinese characters. */
const TELLING_LETTERS_MIN = 6;
const TELLING_RUNS_MIN = 3;

function monospacedFonts(items: readonly TextItem[]): Set<string | undefined> {
  const fonts = new Map<
    string | undefined,
    { advance: number; letters: Set<string>; runs: number; isEqual: boolean }
  >();
  for (const { str = '', fontName, width = 0, height = 0 } of items.filter(({ str }) => str?.trim())) {
    const advance = width / str.length / (height || 1);
    const font = fonts.get(fontName) ?? { advance, letters: new Set(), runs: 0, isEqual: true };
    font.runs += 1;
    font.isEqual &&= Math.abs(advance - font.advance) <= ADVANCES_DIFFER_MAX * advance;
    (str.match(/[a-z]/gi) ?? []).forEach((letter) => font.letters.add(letter));
    fonts.set(fontName, font);
  }
  const found = [...fonts].filter(
    ([, { letters, runs, isEqual }]) =>
      isEqual && runs >= TELLING_RUNS_MIN && letters.size >= TELLING_LETTERS_MIN,
  );
  return new Set(found.map(([name]) => name));
}

const INDENTATION_MAX = 40;

/** Only code among other text: a page wholly in typewriter letters is rather a letter or a contract. */
function indented(runs: readonly TextRun[]): readonly TextRun[] {
  const code = runs.filter(({ indentation }) => indentation !== undefined);
  const margin = code.reduce((least, { left }) => Math.min(least, left), Infinity);
  return runs.map((run) => {
    const letters = ((run.left - margin) * run.text.length) / (run.right - run.left);
    const isCode = run.indentation !== undefined && code.length < runs.length;
    return isCode ? { ...run, indentation: Math.min(Math.round(letters) || 0, INDENTATION_MAX) } : run;
  });
}

function partsOf(text: string): { text: string; from: number; to: number }[] {
  return /^ | {3}/.test(text)
    ? [...text.matchAll(/\S+(?: {1,2}\S+)*/g)].map((part) => ({
        text: part[0],
        from: part.index,
        to: part.index + part[0].length,
      }))
    : [{ text, from: 0, to: text.length }];
}

function turned([x, y]: Point, turn: number): Point {
  const places: readonly Point[] = [
    [x, y],
    [y, -x],
    [-x, -y],
    [-y, x],
  ];
  return places[turn] ?? [x, y];
}

function product(outer: Matrix, inner: Matrix): number[] {
  const [a = 1, b = 0, c = 0, d = 1] = outer;
  const [e = 1, f = 0, g = 0, h = 1, x = 0, y = 0] = inner;
  return [a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h, ...pointIn(outer, [x, y])];
}

function pointIn([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix, [x, y]: Point): Point {
  return [a * x + c * y + e, b * x + d * y + f];
}

function valuesOf(widgets: readonly Widget[], viewport: Matrix): TextRun[] {
  return widgets.flatMap((widget) => {
    const text = valueOf(widget);
    if (text === '') {
      return [];
    }
    const [left, bottom, right, top] = widget.rect;
    const corners = [pointIn(viewport, [left, bottom]), pointIn(viewport, [right, top])];
    const x = Math.min(...corners.map(([each]) => each));
    const y = corners.reduce((sum, [, each]) => sum + each, 0) / corners.length;
    return {
      text,
      left: x,
      right: x + text.length * VALUE_LETTER_WIDTH,
      baseline: y + VALUE_HEIGHT * 0.3,
      height: VALUE_HEIGHT,
      isRightToLeft: false,
      field: widget.fieldName ?? '',
    };
  });
}

function valueOf({ subtype, fieldType, fieldValue, radioButton = false, buttonValue }: Widget): string {
  const values = Array.isArray(fieldValue) ? (fieldValue as unknown[]) : [fieldValue];
  const text = values
    .filter((value) => typeof value === 'string')
    .join(', ')
    .trim();
  const isTicked = text !== 'Off' && (!radioButton || buttonValue === fieldValue);
  return subtype === 'Widget' && fieldType !== 'Sig' && (fieldType !== 'Btn' || isTicked) ? text : '';
}

const STROKES = 'stroke closeStroke fillStroke eoFillStroke closeFillStroke closeEOFillStroke'.split(' ');
const FILLS = ['fill', 'eoFill'];
const RULE_LENGTH_MIN = 6;
const RULE_WIDTH_MAX = 3;
const ASLANT_MAX = 0.5;
const RULES_MAX = 20_000;

async function rulesOf(
  page: PdfPage,
  of: Drawings['operations'],
  transform: Matrix,
  turn: number,
): Promise<RuledLine[]> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const paints = new Set<unknown>([...STROKES, ...FILLS].map((name) => of[name]));
  const fills = new Set<unknown>(FILLS.map((name) => of[name]));
  const rules: RuledLine[] = [];
  const saved: Matrix[] = [];
  let matrix: Matrix = transform;
  for (let index = 0; index < fnArray.length && rules.length < RULES_MAX; index += 1) {
    const parameters = argsArray[index] as unknown[];
    switch (fnArray[index]) {
      case of['save']:
        saved.push(matrix);
        break;
      case of['restore']:
      case of['paintFormXObjectEnd']:
        matrix = saved.pop() ?? transform;
        break;
      case of['transform']:
        matrix = product(matrix, parameters as number[]);
        break;
      case of['paintFormXObjectBegin']:
        saved.push(matrix);
        matrix = product(matrix, (parameters[0] as Matrix | null) ?? []);
        break;
      case of['constructPath']:
        if (paints.has(parameters[0])) {
          const [path] = parameters[1] as [ArrayLike<number> | null];
          rules.push(...edgesOf(path ?? [], matrix, turn, fills.has(parameters[0])));
        }
        break;
      default:
        break;
    }
  }
  return rules;
}

const STEP_NUMBERS = [2, 2, 6, 4, 0];
const BEGIN = 0;
const LINE = 1;
const CLOSE = 4;

function edgesOf(path: ArrayLike<number>, matrix: Matrix, turn: number, isFilled: boolean): RuledLine[] {
  const rules: RuledLine[] = [];
  let figure: Point[] = [];
  const end = () => {
    const isThin = [0, 1].some((axis) => extent(figure.map((point) => point[axis] ?? 0)) < RULE_WIDTH_MAX);
    for (const [index, point] of figure.slice(1).entries()) {
      rules.push(...ruleBetween(figure[index] ?? point, point, isFilled && !isThin));
    }
    figure = [];
  };
  for (let index = 0; index < path.length;) {
    const step = path[index] ?? CLOSE;
    const length = STEP_NUMBERS[step] ?? path.length;
    const place: Point = [path[index + length - 1] ?? 0, path[index + length] ?? 0];
    const next = step === CLOSE ? figure[0] : turned(pointIn(matrix, place), turn);
    if (step === BEGIN) {
      end();
    }
    figure = next === undefined ? figure : step === LINE || step === CLOSE ? [...figure, next] : [next];
    index += length + 1;
  }
  end();
  return rules;
}

function extent(values: readonly number[]): number {
  const least = values.reduce((one, other) => Math.min(one, other), Infinity);
  return values.reduce((one, other) => Math.max(one, other), -Infinity) - least;
}

function ruleBetween([x, y]: Point, [nextX, nextY]: Point, isEdge: boolean): RuledLine[] {
  const [across, down] = [Math.abs(nextX - x), Math.abs(nextY - y)];
  const isVertical = across <= ASLANT_MAX;
  if (Math.min(across, down) > ASLANT_MAX || Math.max(across, down) < RULE_LENGTH_MIN) {
    return [];
  }
  const [at, one, other] = isVertical ? [(x + nextX) / 2, y, nextY] : [(y + nextY) / 2, x, nextX];
  return [{ isVertical, isEdge, at, from: Math.min(one, other), to: Math.max(one, other) }];
}

const SILENT = 0;
const NO_PIXELS = 0;
/** Reading rules takes half as long again. Tables on later pages are found only by the places of texts. */
const RULED_PAGES_MAX = 20;

// The library transfers drawings by a method that Node has from version 21 on.
const { prototype } = ArrayBuffer as unknown as { prototype: { transferToFixedLength?: unknown } };
prototype.transferToFixedLength ??= function copy(this: ArrayBuffer) {
  return this.slice(0);
};

/** '' for a scanned PDF. @throws EncryptedFile, UnreadableFile, FileTooComplex, FileContradictsName for an archive */
export async function readPdf(bytes: Buffer): Promise<ReadFile> {
  checkTrailer(bytes);
  const pdf = await opened(bytes);
  if (pdf.numPages > PAGES_MAX) {
    throw new FileTooComplex(`The document has ${pdf.numPages} pages; at most ${PAGES_MAX} are read.`);
  }
  return { ...(await contentOf(pdf)), markdown: null, pages: pdf.numPages, title: await titleOf(pdf) };
}

async function opened(bytes: Buffer): Promise<PdfDocument> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      maxImageSize: NO_PIXELS,
      verbosity: SILENT,
    });
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'PasswordException') {
      throw new EncryptedFile('The PDF asks for a password; upload it without one.', { cause });
    }
    throw broken(cause);
  }
}

async function contentOf(pdf: PdfDocument): Promise<Pick<ReadFile, 'text' | 'tables' | 'isCut'>> {
  const { OPS } = (await getResolvedPDFJS()) as { OPS: Drawings['operations'] };
  const drawings: Drawings = { operations: OPS, pagesLeft: RULED_PAGES_MAX };
  const tables = new BoundedTables();
  const pages: string[][] = [];
  let length = 0;
  while (pages.length < pdf.numPages && length <= TEXT_CHARACTERS_MAX) {
    const parts: string[] = [];
    for (const block of await blocksOf(pdf, pages.length + 1, drawings)) {
      const part = 'rows' in block ? block.rows.map((row) => row.join('\t')).join('\n') : block.text;
      parts.push(part);
      length += part.length + 2;
      if ('rows' in block) {
        tables.add(block.rows);
      }
    }
    pages.push(parts);
  }
  const { text, isCut } = boundedText(textOfPages(pages));
  return { text, tables: tables.tables, isCut: isCut || tables.isCut || pages.length < pdf.numPages };
}

async function blocksOf(pdf: PdfDocument, number: number, drawings: Drawings): Promise<PageBlock[]> {
  try {
    const page = await pdf.getPage(number);
    const blocks = await blocksOfPage(page, drawings);
    page.cleanup();
    return blocks;
  } catch (cause) {
    throw broken(cause);
  }
}

async function titleOf(pdf: PdfDocument): Promise<string | null> {
  try {
    const { info } = await pdf.getMetadata();
    const { Title: title } = info as { Title?: unknown };
    return typeof title === 'string' ? boundedTitle(title) : null;
  } catch {
    // Broken metadata does not matter: the pages were read.
    return null;
  }
}

function broken(cause: unknown): Error {
  return cause instanceof RangeError
    ? new FileTooComplex('The parts of the PDF are nested too deeply.', { cause })
    : new UnreadableFile('The PDF is broken and cannot be read.', { cause });
}
