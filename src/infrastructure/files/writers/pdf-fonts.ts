import { dirname, join } from 'node:path';
import { UnsupportedFile } from '../file-errors';
import type { Span } from './markdown-blocks';

const FOLDER = join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const FILES = {
  plain: 'DejaVuSans.ttf',
  bold: 'DejaVuSans-Bold.ttf',
  italic: 'DejaVuSans-Oblique.ttf',
  boldItalic: 'DejaVuSans-BoldOblique.ttf',
  code: 'DejaVuSansMono.ttf',
};

export type FontName = keyof typeof FILES;

const NAMED_CHARACTERS_MAX = 10;

/** A font as pdfkit holds it, as far as it is asked here. */
interface LoadedFont {
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean };
}

/** Makes the fonts known to a document. Only those that are used become part of it, and of these only the letters used. */
export function registerFonts(document: PDFKit.PDFDocument): void {
  for (const [name, file] of Object.entries(FILES)) {
    document.registerFont(name, join(FOLDER, file));
  }
}

export function fontOf({ isBold, isItalic, isCode }: Omit<Span, 'text'>): FontName {
  if (isCode) {
    return 'code';
  }
  return isBold ? (isItalic ? 'boldItalic' : 'bold') : isItalic ? 'italic' : 'plain';
}

/**
 * @throws UnsupportedFile naming the characters that a font has no letters for: they would be empty boxes on paper
 */
export function judgeLetters(document: PDFKit.PDFDocument, texts: ReadonlyMap<FontName, Set<string>>): void {
  const missing = new Set<string>();
  for (const [name, characters] of texts) {
    document.font(name);
    const { font } = (document as unknown as { _font: LoadedFont })._font;
    for (const character of characters) {
      const codePoint = character.codePointAt(0) ?? 0;
      if (codePoint > 0x20 && !font.hasGlyphForCodePoint(codePoint)) {
        missing.add(character);
      }
    }
  }
  if (missing.size > 0) {
    const named = [...missing].slice(0, NAMED_CHARACTERS_MAX).map(nameOf).join(', ');
    const others =
      missing.size > NAMED_CHARACTERS_MAX ? `, and ${missing.size - NAMED_CHARACTERS_MAX} others` : '';
    throw new UnsupportedFile(
      `The fonts for PDF have no letters for ${named}${others}; write it as DOCX or HTML.`,
    );
  }
}

function nameOf(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  return `${character} (U+${codePoint.toString(16).toUpperCase().padStart(4, '0')})`;
}
