import { encodeQR } from 'qr';

/** The quiet zone that ISO/IEC 18004 asks for, in modules. */
const BORDER_MODULES = 4;

/**
 * A QR code that wallets scan, as an SVG of one unit per module. It brings its white, because a code on the ground of a dark
 * page can't be read.
 */
export function paymentQr(uri: string): string {
  const svg = encodeQR(uri, 'svg', { ecc: 'medium', border: BORDER_MODULES });
  return svg.replace('>', '><rect width="100%" height="100%" fill="#fff"/>');
}
