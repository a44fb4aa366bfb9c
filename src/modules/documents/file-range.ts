import { ApiError } from '../../core/errors/api-error';

/** Which bytes of a file are wanted: from `start` to before `end`. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}

const RANGE = /^bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})$/i;

/**
 * The one range that a Range header asks for; null where the whole file is to be sent, as it is for several ranges and for
 * what is no range of bytes (RFC 9110, section 14.2).
 * @throws RangeNotSatisfiable where the file has none of the bytes
 */
export function readRange(header: string | undefined, sizeBytes: number): FileRange | null {
  const [, first = '', last = ''] = RANGE.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') {
    return null;
  }
  const range =
    first === ''
      ? { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes }
      : { start: Number(first), end: last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1) };
  if (last !== '' && first !== '' && Number(last) < Number(first)) {
    return null;
  }
  if (range.start >= range.end) {
    throw new RangeNotSatisfiable(sizeBytes);
  }
  return range;
}

/** Whether a list of entity tags has this one, or all (RFC 9110, section 13.1.2). */
export function hasTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/** 416: the file has none of the bytes that were asked for. */
export class RangeNotSatisfiable extends ApiError {
  constructor(sizeBytes: number) {
    super(416, 'Range Not Satisfiable', `The file has ${sizeBytes} bytes.`, {
      headers: { 'Content-Range': `bytes */${sizeBytes}` },
    });
  }
}
