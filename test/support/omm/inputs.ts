import { createHash } from 'node:crypto';
import sharp from 'sharp';

/** A text of our own making, with what is to be found in it. */
export const NEWS =
  'Acme Ltd opens a plant in Lyon on 1 March 2027. It costs EUR 12,500.00 a month. The plant makes pumps.';

/** An input of type text. */
export function textInput(content = NEWS): { type: 'text'; content: string } {
  return { type: 'text', content };
}

/** A picture of one colour, in base64. */
export async function picture(
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'webp' = 'png',
  background = '#cc2200',
): Promise<string> {
  const bytes = await sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();
  return bytes.toString('base64');
}

export function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

export function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
