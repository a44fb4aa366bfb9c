import sharp from 'sharp';
import { FileContradictsName, ImpossibleImageChange } from '../file-errors';
import { changeImage, imageFacts } from './images';

/** A picture that is blue, with a red stripe of a tenth on its left. */
async function flag(width = 100, height = 50): Promise<sharp.Sharp> {
  const stripe = await sharp({ create: { width: width / 10, height, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  const canvas = sharp({ create: { width, height, channels: 3, background: '#0000ff' } });
  return sharp(
    await canvas
      .composite([{ input: stripe, left: 0, top: 0 }])
      .png()
      .toBuffer(),
  ).removeAlpha();
}

describe('imageFacts', () => {
  it('tells the size, the commonest colour and the brightness', async () => {
    const facts = await imageFacts(await (await flag()).png().toBuffer(), 'png');
    expect(facts).toMatchObject({
      width: 100,
      height: 50,
      format: 'png',
      hasAlpha: false,
      channels: 3,
      dominantColor: '#0000ff',
      frames: 1,
      exif: null,
    });
    // Nine tenths of blue (0.0722) and a tenth of red (0.2126).
    expect(facts.brightness).toBeCloseTo(0.0862, 2);
  });

  it('calls black dark, white bright, and both even', async () => {
    const of = async (background: string) =>
      imageFacts(
        await sharp({ create: { width: 9, height: 9, channels: 3, background } })
          .webp({ lossless: true })
          .toBuffer(),
        'webp',
      );
    expect(await of('#000000')).toMatchObject({ dominantColor: '#000000', brightness: 0, sharpness: 0 });
    expect(await of('#ffffff')).toMatchObject({ dominantColor: '#ffffff', brightness: 1, sharpness: 0 });
  });

  it('finds a picture less sharp once it is blurred', async () => {
    const noise = sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', sigma: 40 },
      },
    });
    const bytes = await noise.png().toBuffer();
    const sharpness = (await imageFacts(bytes, 'png')).sharpness;
    const blurred = (await imageFacts(await sharp(bytes).blur(4).png().toBuffer(), 'png')).sharpness;
    expect(sharpness).toBeGreaterThan(50);
    expect(blurred).toBeLessThan(sharpness / 10);
  });

  it('tells of a camera what says nothing about people and places', async () => {
    const bytes = await (
      await flag()
    )
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge({
        IFD0: {
          Make: 'Maker',
          Model: 'Model 1',
          Orientation: '6',
          Artist: 'Jane',
          DateTime: '2026:03:01 12:30:00',
        },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .toBuffer();
    const facts = await imageFacts(bytes, 'jpeg');
    expect(facts).toMatchObject({ width: 50, height: 100 });
    expect(facts.exif).toEqual({
      orientation: 6,
      densityDpi: null,
      takenAt: '2026-03-01T12:30:00',
      cameraMake: 'Maker',
      cameraModel: 'Model 1',
    });
  });
});

describe('a picture with a web page', () => {
  const PAGE = '<html><script>alert(1)</script>';
  const segment = (text: string) => `\xff\xfe\x00${String.fromCharCode(text.length + 2)}${text}`;

  it.each([
    ['behind what looks like the beginning of its pixels', 2, segment(`\xff\xda${PAGE}`)],
    ['behind a stray byte', 2, `${segment('')}.${segment(PAGE)}`],
    ['before what looks like its end', Infinity, `${PAGE}\xff\xd9`],
  ])('is refused: %s', async (_, at, text) => {
    const bytes = await (await flag()).jpeg({ progressive: true }).toBuffer();
    const added = Buffer.concat([bytes.subarray(0, at), Buffer.from(text, 'latin1'), bytes.subarray(at)]);
    await expect(imageFacts(added, 'jpeg')).rejects.toThrow(FileContradictsName);
    await expect(imageFacts(bytes, 'jpeg')).resolves.toMatchObject({ width: 100 });
  });

  it('is not looked for in more scans than a picture has', async () => {
    const bytes = await (await flag()).jpeg().toBuffer();
    const scans = Buffer.from('ffda0002'.repeat(100_001), 'hex');
    await expect(
      imageFacts(Buffer.concat([bytes.subarray(0, 2), scans, bytes.subarray(2)]), 'jpeg'),
    ).rejects.toThrow('The image has too many parts.');
  });

  it('is refused, even before further metadata', async () => {
    const bytes = await (
      await flag()
    )
      .webp()
      .withExif({ IFD0: { Artist: PAGE } })
      .toBuffer();
    const added = Buffer.concat([bytes, Buffer.from('EXIF\x02\0\0\0..')]);
    added.writeUInt32LE(added.length - 8, 4);
    await expect(imageFacts(added, 'webp')).rejects.toThrow(FileContradictsName);
  });
});

describe('changeImage', () => {
  it('turns a picture upright, crops and resizes it, and leaves its metadata out', async () => {
    const bytes = await (await flag()).jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toBuffer();
    // Turned by a quarter, the stripe is at the top, 5 pixels of 50 × 100 high.
    const changed = await changeImage(bytes, 'jpeg', {
      crop: { left: 0, top: 0, width: 50, height: 10 },
      resize: { width: 25 },
      format: 'png',
    });
    expect(changed).toMatchObject({ kind: 'png', width: 25, height: 5 });
    const metadata = await sharp(changed.bytes).metadata();
    expect([metadata.format, metadata.exif, metadata.orientation]).toEqual(['png', undefined, undefined]);
    const { dominantColor } = await imageFacts(Buffer.from(changed.bytes), 'png');
    expect(dominantColor).toMatch(/^#f[0-9a-f]0[0-9a-f]0[0-9a-f]$/);
  });

  it.each(['png', 'jpeg', 'webp'] as const)('writes %s, smaller at a lower quality', async (format) => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
    const bytes = await sharp({
      create: { width: 200, height: 200, channels: 3, background: '#808080', noise },
    })
      .png()
      .toBuffer();
    const best = await changeImage(bytes, 'png', { format, quality: 100 });
    const worst = await changeImage(bytes, 'png', { format, quality: 5 });
    expect((await sharp(best.bytes).metadata()).format).toBe(format);
    expect(worst.bytes.length < best.bytes.length).toBe(format !== 'png');
  });

  it('keeps an animation as WebP, and its first frame as anything else', async () => {
    const frames = Buffer.concat([Buffer.alloc(300, 0), Buffer.alloc(300, 255)]);
    const animated = await sharp(frames, { raw: { width: 10, height: 20, channels: 3, pageHeight: 10 } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer();
    expect(await imageFacts(animated, 'webp')).toMatchObject({ frames: 2, width: 10, height: 10 });
    const webp = await changeImage(animated, 'webp', { resize: { width: 5 } });
    expect(webp).toMatchObject({ kind: 'webp', width: 5, height: 5 });
    expect((await sharp(webp.bytes).metadata()).pages).toBe(2);
    expect(await changeImage(animated, 'webp', { format: 'png' })).toMatchObject({ width: 10, height: 10 });
  });

  it('takes two sides as bounds, however many pixels would fill them', async () => {
    const bytes = await (await flag(100, 10)).png().toBuffer();
    const changed = await changeImage(bytes, 'png', { resize: { width: 8_000, height: 8_000 } });
    expect(changed).toMatchObject({ width: 8_000, height: 800 });
  });

  it.each([
    ['a crop beyond the edge', { crop: { left: 60, top: 0, width: 50, height: 10 } }],
    ['a side beyond 8,192', { resize: { width: 9_000 } }],
    ['another side beyond it, which follows', { resize: { height: 8_000 } }],
    ['too many pixels', { resize: { width: 8_000, height: 8_000, fit: 'fill' as const } }],
  ])('refuses %s', async (_, change) => {
    const bytes = await (await flag()).png().toBuffer();
    await expect(changeImage(bytes, 'png', change)).rejects.toThrow(ImpossibleImageChange);
  });
});
