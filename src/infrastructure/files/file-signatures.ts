import type { FileKind } from './file-kinds';

/** What the first bytes of a file say: a kind that is read, a ZIP or OLE container, or a format that is not read. */
export type Signature = FileKind | 'zip' | 'ole' | { readonly unsupported: string };

/** Bytes in hexadecimal at a place; `..` stands for any byte. */
interface Pattern {
  readonly hex: string;
  readonly offset?: number;
  readonly means: Signature;
}

const unsupported = (name: string): Signature => ({ unsupported: name });

const PATTERNS: readonly Pattern[] = [
  { hex: '89504e470d0a1a0a', means: 'png' },
  { hex: 'ffd8ff', means: 'jpeg' },
  { hex: '52494646........57454250', means: 'webp' },
  { hex: '255044462d', means: 'pdf' },
  { hex: '504b0304', means: 'zip' },
  { hex: '504b0506', means: 'zip' },
  { hex: '504b0708', means: 'zip' },
  { hex: 'd0cf11e0a1b11ae1', means: 'ole' },
  { hex: '47494638', means: unsupported('a GIF image') },
  { hex: '49492a00', means: unsupported('a TIFF image') },
  { hex: '4d4d002a', means: unsupported('a TIFF image') },
  { hex: '424d............00000000', means: unsupported('a BMP image') },
  { hex: '00000100', means: unsupported('an icon') },
  { hex: '38425053', means: unsupported('a Photoshop image') },
  { hex: '66747970', offset: 4, means: unsupported('a video or an image of its family') },
  { hex: '52494646', means: unsupported('sound or video') },
  { hex: '494433', means: unsupported('sound') },
  { hex: '4f676753', means: unsupported('sound or video') },
  { hex: '664c6143', means: unsupported('sound') },
  { hex: '1a45dfa3', means: unsupported('a video') },
  { hex: '7b5c727466', means: unsupported('an RTF document') },
  { hex: '25215053', means: unsupported('a PostScript document') },
  { hex: '1f8b', means: unsupported('a gzip archive') },
  { hex: '425a68', means: unsupported('a bzip2 archive') },
  { hex: 'fd377a585a00', means: unsupported('an xz archive') },
  { hex: '28b52ffd', means: unsupported('a Zstandard archive') },
  { hex: '377abcaf271c', means: unsupported('a 7-Zip archive') },
  { hex: '526172211a07', means: unsupported('a RAR archive') },
  { hex: '7573746172', offset: 257, means: unsupported('a tar archive') },
  { hex: '4d5a', means: unsupported('a program') },
  { hex: '7f454c46', means: unsupported('a program') },
  { hex: 'cafebabe', means: unsupported('a program') },
  { hex: 'cffaedfe', means: unsupported('a program') },
  { hex: '0061736d', means: unsupported('a program') },
  { hex: '53514c69746520666f726d6174203300', means: unsupported('a database') },
];

/** Formats of two letters could as well be the beginning of a text; they only count where bytes follow that no text has. */
const TEXT_LIKE_BYTES_MAX = 3;

/** What the first bytes of a file say; null where they say nothing, as those of texts do. */
export function signatureOf(head: Buffer): Signature | null {
  const found = PATTERNS.find(
    ({ hex, offset = 0 }) =>
      matches(head, hex, offset) && (hex.length / 2 > TEXT_LIKE_BYTES_MAX || !isText(hex, head)),
  );
  return found?.means ?? null;
}

function matches(head: Buffer, hex: string, offset: number): boolean {
  for (let index = 0; index < hex.length / 2; index += 1) {
    const wanted = hex.slice(index * 2, index * 2 + 2);
    if (wanted !== '..' && head[offset + index] !== Number.parseInt(wanted, 16)) {
      return false;
    }
  }
  return true;
}

/** Whether a short pattern is of letters, and so are the bytes that follow it. */
function isText(hex: string, head: Buffer): boolean {
  const isOfLetters = Buffer.from(hex, 'hex').every((byte) => byte >= 0x20 && byte < 0x7f);
  return isOfLetters && !head.subarray(0, 512).includes(0);
}
