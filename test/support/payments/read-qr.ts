import { decodeQR } from 'qr/decode.js';

const PIXELS_PER_MODULE = 4;

/** What a wallet's camera reads in an image of a payment's QR code. @throws Error when nothing can be read */
export function readQr(svg: string): string {
  // The default gives up after a sixtieth of a second, which a busy machine takes for anything.
  return decodeQR(rasterised(svg), { timeLimit: 60_000 });
}

/** The modules of the code as a picture: black where the path draws a module, white where nothing but the ground is. */
function rasterised(svg: string): { width: number; height: number; data: Uint8Array } {
  const modules = Number(/^<svg viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const width = modules * PIXELS_PER_MODULE;
  const data = new Uint8Array(width * width * 4).fill(255);
  const path = /<path d="([^"]*)"/.exec(svg)?.[1] ?? '';
  let [x, y] = [0, 0];
  for (const [, command, first, second] of path.matchAll(/([Mm])(-?\d+) (-?\d+)h1v1H?h?-?\d+Z/g)) {
    [x, y] = command === 'M' ? [Number(first), Number(second)] : [x + Number(first), y + Number(second)];
    for (let pixel = 0; pixel < PIXELS_PER_MODULE ** 2; pixel += 1) {
      const column = x * PIXELS_PER_MODULE + (pixel % PIXELS_PER_MODULE);
      const row = y * PIXELS_PER_MODULE + Math.floor(pixel / PIXELS_PER_MODULE);
      data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
    }
  }
  return { width, height: width, data };
}
