import { marked, type Token, type Tokens } from 'marked';
import type { ReadFile } from '../file-jobs';
import { boundedText, boundedTitle, decodeText } from './read-text';
import { BoundedTables } from './tables';

/** The title is the first heading of the first level, else the first heading. */
export function readMarkdown(bytes: Buffer): ReadFile {
  const { text, isCut } = boundedText(decodeText(bytes));
  const tokens = marked.lexer(text);
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
  const title = headings.find(({ depth }) => depth === 1) ?? headings[0];
  const tables = new BoundedTables();
  for (const token of tokens) {
    if (isTable(token)) {
      tables.add([token.header, ...token.rows].map((row) => row.map((cell) => plainOf(cell.tokens))));
    }
  }
  return {
    text,
    markdown: text,
    pages: null,
    title: title ? boundedTitle(plainOf(title.tokens)) : null,
    tables: tables.tables,
    isCut: isCut || tables.isCut,
  };
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table';
}

function plainOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => ('tokens' in token && token.tokens ? plainOf(token.tokens) : textOf(token)))
    .join('')
    .trim();
}

function textOf(token: Token): string {
  if (token.type === 'br') {
    return ' ';
  }
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}
