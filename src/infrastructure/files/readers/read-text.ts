import type { ReadFile } from '../read-file';
import { boundedText } from './bounded-text';
import { decodeText } from './decode-text';

/** A plain text as it is. */
export function readText(bytes: Buffer): ReadFile {
  return { ...boundedText(decodeText(bytes)), markdown: null, pages: null, title: null, tables: [] };
}
