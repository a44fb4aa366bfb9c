import { findHeadings } from './outline';
import { splitSentences } from './split-sentences';

/** `source.slice(start, end)` is the chunk, without white space around it. In UTF-16 units. */
interface Chunk {
  readonly start: number;
  readonly end: number;
  readonly heading: string | null;
}

/** In bytes of UTF-8, because a token has about as many of them in every script: some 350 tokens of English. */
export const CHUNK_BYTES_MAX = 1_500;
/** So many sections may be chunks of their own however short they are. */
export const SHORT_SECTIONS_MAX = 100;
/** With more sections, a heading begins a chunk only behind so many bytes on average. */
export const SECTION_BYTES_MIN = 500;

interface Unit extends Chunk {
  readonly isHeading: boolean;
}

/** From one place to another, in UTF-8. */
type Bytes = (start: number, end: number) => number;

interface OpenChunk extends Chunk {
  readonly isRest: boolean;
  readonly lastHeadings: Chunk | null;
}

/** At most SHORT_SECTIONS_MAX + 1 chunks and one for each SECTION_BYTES_MIN bytes, of whole sentences. Linear time. */
export function chunkText(source: string): Chunk[] {
  const bytesBefore = byteOffsets(source);
  const bytes = (start: number, end: number) => (bytesBefore[end] ?? 0) - (bytesBefore[start] ?? 0);
  const chunks: Chunk[] = [];
  let open: OpenChunk | null = null;
  const close = ({ start, end, heading }: Chunk) => chunks.push({ start, end, heading });
  for (const unit of unitsOf(source, bytes)) {
    if (open === null) {
      open = begunBy(unit);
    } else if (unit.isHeading && endsBefore(open, bytes, chunks.length)) {
      close(open);
      open = begunBy(unit);
    } else if (bytes(open.start, unit.end) <= CHUNK_BYTES_MAX) {
      open = grownBy(open, unit);
    } else {
      const carried = carriedHeadings(open, unit, bytes);
      close(carried ? { ...open, end: lastEnd(source, open.start, carried.start) } : open);
      open = carried
        ? grownBy(begunBy({ ...carried, isHeading: true }), unit)
        : { ...begunBy(unit), isRest: true };
    }
  }
  if (open) {
    close(open);
  }
  return chunks;
}

function endsBefore(open: OpenChunk, bytes: Bytes, chunksBefore: number): boolean {
  const mayBeShort =
    open.isRest || chunksBefore < SHORT_SECTIONS_MAX + bytes(0, open.start) / SECTION_BYTES_MIN;
  return !open.lastHeadings && (mayBeShort || bytes(open.start, open.end) >= SECTION_BYTES_MIN);
}

function carriedHeadings({ start, lastHeadings }: OpenChunk, unit: Unit, bytes: Bytes): Chunk | null {
  const isMovable = lastHeadings !== null && lastHeadings.start > start;
  return isMovable && bytes(lastHeadings.start, unit.end) <= CHUNK_BYTES_MAX ? lastHeadings : null;
}

function begunBy({ start, end, heading, isHeading }: Unit): OpenChunk {
  return { start, end, heading, isRest: false, lastHeadings: isHeading ? { start, end, heading } : null };
}

function grownBy(open: OpenChunk, { start, end, heading, isHeading }: Unit): OpenChunk {
  const first = open.lastHeadings ?? { start, heading };
  return { ...open, end, lastHeadings: isHeading ? { ...first, end } : null };
}

function lastEnd(source: string, start: number, end: number): number {
  return start + source.slice(start, end).trimEnd().length;
}

function unitsOf(source: string, bytes: Bytes): Unit[] {
  const units: Unit[] = [];
  const add = (from: number, to: number, unit: Pick<Unit, 'heading' | 'isHeading'>) => {
    for (const sentence of splitSentences(source.slice(from, to))) {
      for (const part of partsOf(source, from + sentence.start, from + sentence.end, bytes)) {
        units.push({ ...part, ...unit });
      }
    }
  };
  let from = 0;
  let heading: string | null = null;
  for (const { title, start, end } of findHeadings(source)) {
    add(from, start, { heading, isHeading: false });
    heading = title;
    add(start, end, { heading, isHeading: true });
    from = end;
  }
  add(from, source.length, { heading, isHeading: false });
  return units;
}

/** Cut behind a space where there is one in the second half of a part. */
function partsOf(source: string, start: number, end: number, bytes: Bytes): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let from = start;
  while (bytes(from, end) > CHUNK_BYTES_MAX) {
    let to = from + CHUNK_BYTES_MAX / 3;
    while (bytes(from, to + 1) <= CHUNK_BYTES_MAX) {
      to += 1;
    }
    const cut = lastCut(source, from, to);
    parts.push({ start: from, end: lastEnd(source, from, cut) });
    from = end - source.slice(cut, end).trimStart().length;
  }
  parts.push({ start: from, end });
  return parts.filter((part) => part.end > part.start);
}

function lastCut(source: string, from: number, to: number): number {
  for (let index = to; index > (from + to) / 2; index -= 1) {
    if (/\s/u.test(source[index - 1] ?? '')) {
      return index;
    }
  }
  return (source.codePointAt(to - 1) ?? 0) > 0xffff ? to - 1 : to;
}

function byteOffsets(source: string): Uint32Array {
  const offsets = new Uint32Array(source.length + 1);
  for (let index = 0; index < source.length; index += 1) {
    const unit = source.charCodeAt(index);
    const isHalf = unit >= 0xd800 && unit <= 0xdfff;
    const size = unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3;
    offsets[index + 1] = (offsets[index] ?? 0) + size;
  }
  return offsets;
}
