/** Pixels in rows, a byte for each channel: RGB, or grey where there is one channel only. */
export interface Raster {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** Colours are told apart by the upper four bits of each channel. */
const SHADES = 16;

/** The commonest colour, #rrggbb: the mean of the pixels that share the commonest of 4,096 shades. */
export function dominantColorOf(raster: Raster): string {
  const counts = new Uint32Array(SHADES ** 3);
  const sums = new Float64Array(SHADES ** 3 * 3);
  eachPixel(raster, (red, green, blue) => {
    const shade = ((red >> 4) * SHADES + (green >> 4)) * SHADES + (blue >> 4);
    counts[shade] = (counts[shade] ?? 0) + 1;
    [red, green, blue].forEach((value, channel) => {
      sums[shade * 3 + channel] = (sums[shade * 3 + channel] ?? 0) + value;
    });
  });
  const commonest = counts.reduce((best, count, shade) => (count > (counts[best] ?? 0) ? shade : best), 0);
  const mean = [0, 1, 2].map((channel) =>
    Math.round((sums[commonest * 3 + channel] ?? 0) / (counts[commonest] || 1)),
  );
  return `#${mean.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The mean luminance, 0 to 1 (Rec. 709 on the values as they are stored), to three places. */
export function brightnessOf(raster: Raster): number {
  let sum = 0;
  eachPixel(raster, (red, green, blue) => {
    sum += luminance(red, green, blue);
  });
  return Math.round((sum / (raster.width * raster.height) / 255) * 1_000) / 1_000;
}

/** The standard deviation of the Laplacian of the luminance, to two places: how strong edges are (Pech-Pacheco, 2000). */
export function sharpnessOf(raster: Raster): number {
  const { width, height } = raster;
  const grey = new Float32Array(width * height);
  let at = 0;
  eachPixel(raster, (red, green, blue) => {
    grey[at] = luminance(red, green, blue);
    at += 1;
  });
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const middle = y * width + x;
      const edge =
        4 * (grey[middle] ?? 0) -
        (grey[middle - 1] ?? 0) -
        (grey[middle + 1] ?? 0) -
        (grey[middle - width] ?? 0) -
        (grey[middle + width] ?? 0);
      sum += edge;
      squares += edge * edge;
      count += 1;
    }
  }
  const variance = count === 0 ? 0 : squares / count - (sum / count) ** 2;
  return Math.round(Math.sqrt(Math.max(variance, 0)) * 100) / 100;
}

function luminance(red: number, green: number, blue: number): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function eachPixel(
  { pixels, channels }: Raster,
  visit: (red: number, green: number, blue: number) => void,
): void {
  const [green, blue] = channels >= 3 ? [1, 2] : [0, 0];
  for (let at = 0; at < pixels.length; at += channels) {
    visit(pixels[at] ?? 0, pixels[at + green] ?? 0, pixels[at + blue] ?? 0);
  }
}
