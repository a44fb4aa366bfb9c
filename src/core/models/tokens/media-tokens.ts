import { isObject } from '../../../infrastructure/json/json-object';
import { mediaParts, type MediaPart } from './media-parts';

/**
 * The characters of base64 for each token of a sound or a file. It is no bound: nothing is, so that such parts are
 * refused before unless they are priced. Source: OpenAI's guide "Audio": a second is ten tokens, and 5,333 characters at
 * 32 kbit/s.
 */
const BASE64_LENGTH_PER_TOKEN = 512;
/** The fields of parts, and their members, that hold an encoded medium. A URL is one only where it begins with `data:`. */
const ENCODED = [
  ...[
    ['image_url', 'url'],
    ['audio_url', 'url'],
    ['video_url', 'url'],
    ['input_audio', 'data'],
  ],
  ...[
    ['file', 'file_data'],
    ['file_data', ''],
  ],
] as const;

/** The most tokens that single parts take. */
export interface PartTokens {
  /** Of an image, and of any part that has no bound below. */
  readonly imageTokensMax: number;
  /** By the kind of a part, and `image_low` for images in low detail; absent where nothing is set. */
  readonly partTokens?: ReadonlyMap<string, number>;
}

/** The parts of a request that are no text: their tokens, and which members must not be counted as text. */
export interface Media {
  readonly tokens: number;
  /** The objects that hold an encoded medium, each with the name of the member that holds it. */
  readonly encoded: ReadonlyMap<object, string>;
}

/**
 * The parts that are no text, in the messages of a chat or the input items of a response. A data: URL counts as a medium
 * only where a part of such a type has its URL; anywhere else it is a text like any other.
 */
export function mediaOf(body: unknown, bounds: PartTokens): Media {
  let tokens = 0;
  const encoded = new Map<object, string>();
  for (const part of mediaParts(body)) {
    const length = keepFromText(encoded, part);
    tokens += tokensOf(part, length, bounds);
  }
  return { tokens, encoded };
}

/** Whether an image is wanted in low detail. */
export function isLowDetail(part: MediaPart): boolean {
  return detailOf(part) === 'low';
}

/** The detail in which an image is wanted; undefined where the request leaves it to the model. */
export function detailOf({ part }: MediaPart): unknown {
  return (isObject(part.image_url) ? part.image_url.detail : part.detail) ?? undefined;
}

/** An image in low detail counts as any other unless that is set: models differ by more than a factor of thirty. */
function tokensOf(
  part: MediaPart,
  encodedLength: number,
  { imageTokensMax, partTokens }: PartTokens,
): number {
  const image = partTokens?.get('image') ?? imageTokensMax;
  if (part.kind === 'image') {
    return (isLowDetail(part) ? partTokens?.get('image_low') : undefined) ?? image;
  }
  return (
    partTokens?.get(part.kind) ?? Math.max(imageTokensMax, Math.ceil(encodedLength / BASE64_LENGTH_PER_TOKEN))
  );
}

/** Notes which member of the part holds an encoded medium, and returns its length; 0 where there is none. */
function keepFromText(encoded: Map<object, string>, { part }: MediaPart): number {
  for (const [field, inner] of ENCODED) {
    const value = part[field];
    const [holder, name] = isObject(value) ? [value, inner] : [part, field];
    const medium = (holder as Readonly<Record<string, unknown>>)[name];
    if (typeof medium === 'string' && (inner !== 'url' || medium.startsWith('data:'))) {
      encoded.set(holder, name);
      return medium.length;
    }
  }
  return 0;
}
