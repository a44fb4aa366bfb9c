import { FileTooComplex, UnsupportedFile } from '../file-errors';
import { NESTING_MAX } from '../file-limits';
import { utf16Of } from '../text-look';

const DECLARATION = /<!\s*(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i;
/** An element's tag; comments, instructions and CDATA begin otherwise. */
const TAG = /<(\/?)[A-Za-z_][^<>]*?(\/?)>/g;

/**
 * Refuses XML that declares anything: entities expand to gigabytes (billion laughs) or name files and addresses, and the
 * parts of a Word document have none. Refuses XML as well whose elements are nested too deeply.
 * @throws UnsupportedFile, FileTooComplex
 */
export function judgeXml(bytes: Buffer): void {
  const encoding = utf16Of(bytes) ?? guessedUtf16(bytes);
  const text = encoding === null ? bytes.toString('latin1') : new TextDecoder(encoding).decode(bytes);
  if (DECLARATION.test(text)) {
    throw new UnsupportedFile('The document has XML with declarations of its own, as entity bombs do.');
  }
  judgeDepth(text);
}

/** UTF-16 without a byte order mark: its first character is `<`. */
function guessedUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0x3c && bytes[1] === 0) {
    return 'utf-16le';
  }
  return bytes[0] === 0 && bytes[1] === 0x3c ? 'utf-16be' : null;
}

function judgeDepth(text: string): void {
  let depth = 0;
  for (const [, closes, isEmpty] of text.matchAll(TAG)) {
    depth += closes === '/' ? -1 : isEmpty === '/' ? 0 : 1;
    if (depth > NESTING_MAX) {
      throw new FileTooComplex(`The parts of the document are nested more than ${NESTING_MAX} levels deep.`);
    }
  }
}
