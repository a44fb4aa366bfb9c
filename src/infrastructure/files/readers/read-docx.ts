import { convertToHtml, images } from 'mammoth';
import { judgeDocx } from '../archives/judge-docx';
import { UnreadableFile } from '../file-errors';
import type { ReadFile } from '../read-file';
import { boundedTitle } from './bounded-text';
import { readPage } from './read-page';

const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"];
/** Pictures would otherwise stand in the HTML as base64. */
const WITHOUT_BYTES = images.imgElement(() => Promise.resolve({ src: '' }));

/**
 * The text of a Word document. The archive is judged before anything reads it.
 * @throws EncryptedFile, UnreadableFile, FileTooComplex, UnsupportedFile for a ZIP that is no Word document
 */
export async function readDocx(bytes: Buffer): Promise<ReadFile> {
  const { title } = await judgeDocx(bytes);
  const page = readPage(await htmlOf(bytes));
  return { ...page, title: boundedTitle(title) ?? page.title };
}

async function htmlOf(buffer: Buffer): Promise<string> {
  try {
    const { value } = await convertToHtml(
      { buffer },
      { styleMap: STYLES, convertImage: WITHOUT_BYTES, externalFileAccess: false },
    );
    return value;
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw cause;
    }
    throw new UnreadableFile('The Word document is broken and cannot be read.', { cause });
  }
}
