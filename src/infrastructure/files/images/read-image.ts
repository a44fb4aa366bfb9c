import type { ImageKind } from '../file-kinds';
import type { ReadFile } from '../read-file';
import { openImage, readable } from './open-image';

/** A picture has no text that could be read without a model; it is only shown to be whole. */
export async function readImage(bytes: Buffer, kind: ImageKind): Promise<ReadFile> {
  const { pipeline } = await openImage(bytes, kind);
  await readable(() => pipeline().resize(1, 1, { fit: 'fill' }).raw().toBuffer());
  return { text: '', markdown: null, pages: null, title: null, tables: [], isCut: false };
}
