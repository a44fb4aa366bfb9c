import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of an archive, and the lies that are told about it. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer | string;
  /** The content deflated already, where it would be too large to be held. */
  readonly deflated?: Buffer;
  readonly isStored?: boolean;
  readonly isEncrypted?: boolean;
  /** What the archive says instead of how many bytes the content has. */
  readonly declaredBytes?: number;
  /** Several entries that share the bytes of this one: under these names too. */
  readonly alsoCalled?: readonly string[];
}

/** A ZIP archive, as honest as its entries. */
export function zipArchive(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content as string);
    const packed = entry.deflated ?? (entry.isStored ? content : deflateRawSync(content));
    const sizes = {
      content: entry.declaredBytes ?? content.length,
      packed: packed.length,
      crc: crc32(content),
    };
    const local = header(entry, entry.name, sizes);
    for (const name of [entry.name, ...(entry.alsoCalled ?? [])]) {
      directory.push(directoryEntry(entry, name, sizes, offset));
    }
    parts.push(local, packed);
    offset += local.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  return Buffer.concat([...parts, listed, endOfDirectory(directory.length, listed.length, offset)]);
}

interface Sizes {
  readonly content: number;
  readonly packed: number;
  readonly crc: number;
}

function header({ isStored, isEncrypted }: ZipEntry, name: string, { content, packed, crc }: Sizes): Buffer {
  const fixed = Buffer.alloc(30);
  fixed.writeUInt32LE(0x04034b50, 0);
  fixed.writeUInt16LE(20, 4);
  fixed.writeUInt16LE(isEncrypted ? 1 : 0, 6);
  fixed.writeUInt16LE(isStored ? 0 : 8, 8);
  fixed.writeUInt32LE(crc, 14);
  fixed.writeUInt32LE(packed, 18);
  fixed.writeUInt32LE(content, 22);
  fixed.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([fixed, Buffer.from(name)]);
}

function directoryEntry(entry: ZipEntry, name: string, sizes: Sizes, offset: number): Buffer {
  const fixed = Buffer.alloc(46);
  fixed.writeUInt32LE(0x02014b50, 0);
  fixed.writeUInt16LE(20, 4);
  header(entry, name, sizes).copy(fixed, 6, 4, 30);
  fixed.writeUInt32LE(offset, 42);
  return Buffer.concat([fixed, Buffer.from(name)]);
}

function endOfDirectory(entries: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
