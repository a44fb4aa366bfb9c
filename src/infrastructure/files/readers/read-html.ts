import type { ReadFile } from '../read-file';
import { decodeText } from './decode-text';
import { readPage } from './read-page';

const DECLARED_WITHIN_BYTES = 2_048;

/** The main text of a web page. */
export function readHtml(bytes: Buffer): ReadFile {
  const beginning = bytes.toString('latin1', 0, DECLARED_WITHIN_BYTES);
  const charset = /<meta[^>]{0,200}charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(beginning)?.[1] ?? null;
  return readPage(decodeText(bytes, charset));
}
