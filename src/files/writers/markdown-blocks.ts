import { marked, type MarkedToken, type Token, type Tokens } from 'marked';
import { FileTooComplex } from '../file-errors';
import { TEXT_CHARACTERS_MAX } from '../file-limits';

/** `\n` is a line break. */
export interface Span {
  readonly text: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isCode: boolean;
  readonly isStruck: boolean;
  /** http, https or mailto. */
  readonly link: string | null;
}

export type Spans = readonly Span[];

export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly spans: Spans }
  | { readonly type: 'paragraph'; readonly spans: Spans }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'quote'; readonly blocks: readonly Block[] }
  | { readonly type: 'list'; readonly start: number | null; readonly items: readonly ListItem[] }
  | { readonly type: 'table'; readonly rows: readonly (readonly Spans[])[] }
  | { readonly type: 'rule' };

export interface ListItem {
  readonly isChecked: boolean | null;
  readonly blocks: readonly Block[];
}

const SAFE_LINK = /^(?:https?:\/\/|mailto:)[^\s\0-\x1f"<>]+$/i;
/** Of lists and quotes; deeper ones cannot be laid out. */
const BLOCK_NESTING_MAX = 20;
export const PLAIN: Omit<Span, 'text'> = {
  isBold: false,
  isItalic: false,
  isCode: false,
  isStruck: false,
  link: null,
};

/** HTML is text, a picture is its description, and links lead to addresses only. @throws FileTooComplex */
export function markdownBlocks(markdown: string): Block[] {
  if (markdown.length > TEXT_CHARACTERS_MAX) {
    throw new FileTooComplex(`The text is longer than ${TEXT_CHARACTERS_MAX} characters.`);
  }
  return blocksOf(marked.lexer(markdown.toWellFormed()), 0);
}

export function titleOfBlocks(blocks: readonly Block[]): string | null {
  const heading = blocks.find((block) => block.type === 'heading');
  return heading ? plainTextOf(heading.spans).replaceAll('\n', ' ') : null;
}

export function plainTextOf(spans: Spans): string {
  return spans.map(({ text }) => text).join('');
}

function blocksOf(tokens: readonly Token[], depth: number): Block[] {
  if (depth > BLOCK_NESTING_MAX) {
    throw new FileTooComplex(`Lists and quotes are nested more than ${BLOCK_NESTING_MAX} levels deep.`);
  }
  return tokens.flatMap((token) => blockOf(token as MarkedToken, depth));
}

function blockOf(token: MarkedToken, depth: number): Block[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return [{ type: 'heading', level: token.depth, spans: spansOf(token.tokens, PLAIN) }];
    case 'code':
      return [{ type: 'code', text: token.text }];
    case 'blockquote':
      return [{ type: 'quote', blocks: blocksOf(token.tokens, depth + 1) }];
    case 'list':
      return [listOf(token, depth)];
    case 'table':
      return [tableOf(token)];
    case 'hr':
      return [{ type: 'rule' }];
    case 'checkbox':
      return [];
    default: {
      const spans = spansOf('tokens' in token && token.tokens ? token.tokens : [token], PLAIN);
      return plainTextOf(spans).trim() === '' ? [] : [{ type: 'paragraph', spans }];
    }
  }
}

function listOf({ ordered, start, items }: Tokens.List, depth: number): Block {
  return {
    type: 'list',
    start: ordered ? Number(start) || 1 : null,
    items: items.map(({ task, checked, tokens }) => ({
      isChecked: task ? checked === true : null,
      blocks: blocksOf(tokens, depth + 1),
    })),
  };
}

function tableOf({ header, rows }: Tokens.Table): Block {
  const cellsOf = (row: Tokens.TableCell[]) => row.map(({ tokens }) => spansOf(tokens, PLAIN));
  return { type: 'table', rows: [cellsOf(header), ...rows.map(cellsOf)] };
}

type Style = Omit<Span, 'text'>;

function spansOf(tokens: readonly Token[], style: Style): Span[] {
  return tokens.flatMap((token) => spanOf(token as MarkedToken, style));
}

function spanOf(token: MarkedToken, style: Style): Span[] {
  switch (token.type) {
    case 'strong':
      return spansOf(token.tokens, { ...style, isBold: true });
    case 'em':
      return spansOf(token.tokens, { ...style, isItalic: true });
    case 'del':
      return spansOf(token.tokens, { ...style, isStruck: true });
    case 'codespan':
      return [{ ...style, isCode: true, text: token.text }];
    case 'br':
      return [{ ...style, text: '\n' }];
    case 'checkbox':
      return [];
    case 'link':
      return spansOf(token.tokens, { ...style, link: SAFE_LINK.test(token.href) ? token.href : null });
    case 'image':
    case 'escape':
      return [{ ...style, text: token.text }];
    case 'html':
      return [{ ...style, text: token.raw.trimEnd() }];
    case 'text':
    case 'paragraph':
      return token.tokens ? spansOf(token.tokens, style) : [{ ...style, text: oneLine(token.text) }];
    default:
      return [{ ...style, text: oneLine(token.raw) }];
  }
}

/** A line end within a paragraph is a space. */
function oneLine(text: string): string {
  return text.replaceAll(/[ \t]*\n[ \t]*/g, ' ');
}
