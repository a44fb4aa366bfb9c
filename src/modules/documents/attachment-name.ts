/**
 * The Content-Disposition of a file that is not to be shown: its name in ASCII, and as it is where that differs (RFC 6266,
 * RFC 8187). The name has no controls and no quotes.
 */
export function attachmentNamed(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^ -~]|["\\%]/g, '_');
  const quoted = `attachment; filename="${plain}"`;
  if (plain === name) {
    return quoted;
  }
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${quoted}; filename*=UTF-8''${encoded}`;
}
