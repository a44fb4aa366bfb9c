import type { StoredDocument } from '../../../generated/types';
import type { DocumentRecord } from '../../core/knowledge/documents/document.entity';
import { FILE_KINDS, type FileKind } from '../../infrastructure/files/file-kinds';

export function toDocument(record: DocumentRecord): StoredDocument {
  const kind = record.kind as FileKind;
  return {
    id: record.id,
    name: record.name,
    title: record.title,
    type: kind,
    media_type: FILE_KINDS[kind].mediaType,
    size_bytes: record.sizeBytes,
    checksum: record.checksum.toString('hex'),
    metadata: record.metadata,
    status: record.status,
    progress: record.progress,
    error: record.error,
    pages: record.pages,
    language: record.language,
    characters: record.characters,
    tokens: record.tokens,
    chunks: record.chunks,
    is_truncated: record.isTruncated,
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
    processed_at: record.processedAt?.toISOString() ?? null,
  };
}
