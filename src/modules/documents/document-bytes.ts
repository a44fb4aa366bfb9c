import { open, type FileHandle } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NotFound } from '../../errors/api-errors';
import { PIECE_BYTES } from './documents.limits';

/** The bytes of documents in Postgres, in pieces. */
@Injectable()
export class DocumentBytes {
  constructor(private readonly database: DataSource) {}

  /** Stores a file's bytes, a piece at a time, in the transaction that stores the document. @throws the signal's reason */
  async write(manager: EntityManager, id: string, path: string, signal: AbortSignal): Promise<void> {
    const file = await open(path, 'r');
    // One for all pieces: what is thrown away piece by piece would be in memory until it is collected.
    const room = Buffer.allocUnsafeSlow(PIECE_BYTES);
    try {
      for (let position = 0; ; position += 1) {
        const piece = await pieceOf(file, position, room);
        if (piece.length === 0) {
          return;
        }
        signal.throwIfAborted();
        await manager.query(INSERT, [id, position, piece]);
      }
    } finally {
      await file.close();
    }
  }

  /**
   * The bytes from `start` to before `end`, a piece at a time, each read when it is asked for.
   * @throws NotFound when the document is deleted meanwhile
   */
  async *range(
    id: string,
    { start, end }: { start: number; end: number },
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    for (let from = start; from < end;) {
      signal.throwIfAborted();
      const position = Math.floor(from / PIECE_BYTES);
      const pieceEnd = Math.min(end, (position + 1) * PIECE_BYTES);
      const first = position * PIECE_BYTES;
      const [row]: { bytes: Buffer }[] = await this.database.query(READ, [
        id,
        position,
        from - first + 1,
        pieceEnd - from,
      ]);
      if (row?.bytes.length !== pieceEnd - from) {
        throw new NotFound('document');
      }
      yield row.bytes;
      from = pieceEnd;
    }
  }

  /** All bytes of a document. @throws NotFound when it is deleted meanwhile */
  async all(id: string, sizeBytes: number, signal: AbortSignal): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(sizeBytes);
    let filled = 0;
    for await (const piece of this.range(id, { start: 0, end: sizeBytes }, signal)) {
      filled += piece.copy(bytes, filled);
    }
    return bytes;
  }
}

/** Shorter than a piece at the end of the file, and empty behind it. */
async function pieceOf(file: FileHandle, position: number, room: Buffer): Promise<Buffer> {
  let filled = 0;
  while (filled < PIECE_BYTES) {
    const at = position * PIECE_BYTES + filled;
    const { bytesRead } = await file.read(room, filled, PIECE_BYTES - filled, at);
    if (bytesRead === 0) {
      break;
    }
    filled += bytesRead;
  }
  return room.subarray(0, filled);
}

const INSERT = 'INSERT INTO document_bytes (document_id, position, bytes) VALUES ($1, $2, $3)';

// The pieces are not compressed, so Postgres reads no more of one than is asked for.
const READ = `SELECT substring(bytes FROM $3 FOR $4) AS bytes FROM document_bytes WHERE document_id = $1 AND position = $2`;
