import { Logger } from '@nestjs/common';
import { errorText } from '../../infrastructure/logging/error-text';
import { textOf, type RoomKey } from './room';
import { LOOKED_EVERY_MS } from './room-bounds';

export interface RoomReadBounds {
  /** Reads that are under way; each holds a connection to the database. */
  readonly atOnceMax: number;
  /** Rooms of one read. */
  readonly roomsMax: number;
}

/**
 * Reads of rooms that have changed, in the order in which they changed, and few at once however many rooms it are. A room
 * is in one read at a time; what changes during it is read by the next.
 */
export class RoomReads {
  private readonly logger = new Logger('Rooms');
  private readonly waiting = new Map<string, RoomKey>();
  private readonly beingRead = new Set<string>();
  private underWay = 0;

  /** @param read rooms that it fails for are read again a second later */
  constructor(
    private readonly bounds: RoomReadBounds,
    private readonly read: (rooms: RoomKey[]) => Promise<void>,
  ) {}

  /** Lets a room be read as soon as it is its turn. */
  ask(room: RoomKey): void {
    this.waiting.set(textOf(room), room);
    this.begin();
  }

  private begin(): void {
    while (this.underWay < this.bounds.atOnceMax) {
      const rooms = this.next();
      if (rooms.length === 0) {
        return;
      }
      void this.run(rooms);
    }
  }

  private next(): RoomKey[] {
    const rooms: RoomKey[] = [];
    for (const [text, room] of this.waiting) {
      if (rooms.length === this.bounds.roomsMax) {
        break;
      }
      if (!this.beingRead.has(text)) {
        this.waiting.delete(text);
        rooms.push(room);
      }
    }
    return rooms;
  }

  private async run(rooms: RoomKey[]): Promise<void> {
    this.underWay += 1;
    rooms.forEach((room) => this.beingRead.add(textOf(room)));
    try {
      await this.read(rooms);
    } catch (error) {
      this.logger.warn({ message: 'rooms could not be read', count: rooms.length, error: errorText(error) });
      setTimeout(() => rooms.forEach((room) => this.ask(room)), LOOKED_EVERY_MS).unref();
    }
    rooms.forEach((room) => this.beingRead.delete(textOf(room)));
    this.underWay -= 1;
    this.begin();
  }
}
