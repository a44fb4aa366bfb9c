import type { ApiRequest } from './service';

const BOUNDARY = 'a-boundary-that-no-file-holds-7f3a';

export interface FormPart {
  readonly name: string;
  readonly value: string | Buffer;
  /** Null or absent for a field that is no file. */
  readonly fileName?: string | null;
  /** Of a part with a file name; absent for one that says nothing more than that it is bytes. */
  readonly mediaType?: string;
}

/** A request whose body is a form (RFC 7578). */
export function formOf(parts: readonly FormPart[]): Pick<ApiRequest, 'body' | 'headers'> {
  return {
    body: Buffer.concat([...parts.flatMap(bytesOf), Buffer.from(`--${BOUNDARY}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

/** A request that uploads a document. */
export function uploadOf(
  bytes: string | Buffer,
  fileName = 'letter.txt',
  metadata?: unknown,
): Pick<ApiRequest, 'body' | 'headers'> {
  const file = { name: 'file', value: bytes, fileName };
  const told = metadata === undefined ? [] : [{ name: 'metadata', value: JSON.stringify(metadata) }];
  return formOf([...told, file]);
}

function bytesOf({
  name,
  value,
  fileName = null,
  mediaType = 'application/octet-stream',
}: FormPart): Buffer[] {
  const file = fileName === null ? '' : `; filename="${fileName.replaceAll('"', '%22')}"`;
  const type = fileName === null ? '' : `Content-Type: ${mediaType}\r\n`;
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`;
  return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')];
}
