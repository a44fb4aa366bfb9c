/**
 * The beginning of a text that somebody else has sent, as valid UTF-8 of at most `bytesMax` bytes. What is not valid
 * becomes U+FFFD, and so does NUL, which Postgres can't store.
 */
export function keptText(bytes: Uint8Array, bytesMax: number): string {
  // As a stream the decoder leaves out a character whose end was cut off.
  const text = new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(bytes.subarray(0, bytesMax), { stream: true })
    .replaceAll('\0', '\uFFFD');
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  return text.slice(0, read);
}
