import { constants, deflateRawSync } from 'node:zlib';

const MEBIBYTE = 1024 * 1024;
const ADLER = 65_521n;

/**
 * Deflated bytes that inflate to so many mebibytes of one byte, made without having as many: blocks that end with a full
 * flush may be repeated.
 */
export function endlessBytes(mebibytes: number, byte = 0x20): Buffer {
  const block = deflateRawSync(Buffer.alloc(MEBIBYTE, byte), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  return Buffer.concat([...Array.from({ length: mebibytes }, () => block), deflateRawSync(Buffer.alloc(0))]);
}

/** The same in the wrapper that PDF and PNG want (RFC 1950), with a true checksum. */
export function endlessZlibBytes(mebibytes: number, byte = 0x20): Buffer {
  const length = BigInt(mebibytes) * BigInt(MEBIBYTE);
  const low = (1n + length * BigInt(byte)) % ADLER;
  const high = (length + (BigInt(byte) * length * (length + 1n)) / 2n) % ADLER;
  const check = Buffer.alloc(4);
  check.writeUInt32BE(Number((high << 16n) | low));
  return Buffer.concat([Buffer.from('789c', 'hex'), endlessBytes(mebibytes, byte), check]);
}
