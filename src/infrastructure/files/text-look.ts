const CONTROLS = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/g;
const CONTROLS_SHARE_MAX = 0.01;

/**
 * The beginning of a text, for a look at what it is; null for bytes that are no text: those with NUL, or with many
 * controls. UTF-16 is text where it has a byte order mark.
 * @param isWhole whether nothing follows, so that the last character may not be cut
 */
export function plainTextOf(head: Buffer, isWhole: boolean): string | null {
  const encoding = utf16Of(head);
  if (encoding !== null) {
    const even = head.subarray(2, head.length - (isWhole ? 0 : head.length % 2));
    const text = new TextDecoder(encoding).decode(even);
    return text.includes('\0') ? null : text;
  }
  if (head.includes(0)) {
    return null;
  }
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  return (text.match(CONTROLS)?.length ?? 0) > text.length * CONTROLS_SHARE_MAX ? null : text;
}

/** The encoding that a byte order mark tells; null without one. */
export function utf16Of(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) {
    return 'utf-16le';
  }
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null;
}

/** Whether a text begins as a web page does, after comments. */
export function looksLikeHtml(text: string): boolean {
  const start = /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,2000}-->\s*){0,5}/.exec(text)?.[0].length ?? 0;
  return /^<(?:!doctype\s+html|html|head|body)[\s>]/i.test(text.slice(start, start + 40));
}

/**
 * Whether a text begins as JSON does.
 * @param isStrict whether it has to be a whole object or list, because nothing else says that it is JSON
 */
export function looksLikeJson(text: string, isStrict: boolean): boolean {
  if (!isStrict) {
    return /^\s*(?:[[{"\d-]|true|false|null)/.test(text);
  }
  return /^\s*(?:\{\s*["}]|\[\s*[\]"{\d])/.test(text) && /[\]}]\s*$/.test(text);
}
