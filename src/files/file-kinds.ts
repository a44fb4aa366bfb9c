/** The formats that are read. */
export type FileKind = 'txt' | 'md' | 'html' | 'csv' | 'json' | 'pdf' | 'docx' | 'png' | 'jpeg' | 'webp';

export type ImageKind = Extract<FileKind, 'png' | 'jpeg' | 'webp'>;

export type WrittenKind = Extract<FileKind, 'txt' | 'md' | 'html' | 'docx' | 'pdf'>;

export interface FileKindFacts {
  readonly mediaType: string;
  readonly family: 'text' | 'document' | 'image';
  /** In lower case, the usual one first. */
  readonly extensions: readonly string[];
}

const DOCX_MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

export const FILE_KINDS: Readonly<Record<FileKind, FileKindFacts>> = {
  txt: { mediaType: 'text/plain', family: 'text', extensions: ['txt', 'text', 'log'] },
  md: { mediaType: 'text/markdown', family: 'text', extensions: ['md', 'markdown', 'mdown'] },
  html: { mediaType: 'text/html', family: 'text', extensions: ['html', 'htm', 'xhtml'] },
  csv: { mediaType: 'text/csv', family: 'text', extensions: ['csv', 'tsv', 'tab'] },
  json: { mediaType: 'application/json', family: 'text', extensions: ['json'] },
  pdf: { mediaType: 'application/pdf', family: 'document', extensions: ['pdf'] },
  docx: { mediaType: DOCX_MEDIA_TYPE, family: 'document', extensions: ['docx'] },
  png: { mediaType: 'image/png', family: 'image', extensions: ['png'] },
  jpeg: { mediaType: 'image/jpeg', family: 'image', extensions: ['jpg', 'jpeg', 'jpe', 'jfif'] },
  webp: { mediaType: 'image/webp', family: 'image', extensions: ['webp'] },
};

export function isImageKind(kind: FileKind): kind is ImageKind {
  return FILE_KINDS[kind].family === 'image';
}

/** The extension has no dot, in any case. */
export function kindOfExtension(extension: string): FileKind | null {
  const wanted = extension.toLowerCase();
  const found = Object.entries(FILE_KINDS).find(([, { extensions }]) => extensions.includes(wanted));
  return found ? (found[0] as FileKind) : null;
}
