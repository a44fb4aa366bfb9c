export interface RoomKey {
  readonly accountId: string;
  readonly name: string;
}

export interface RoomPlace {
  readonly seq: number;
  readonly version: number | null;
}

/** `data` is JSON text. */
export interface RoomEvent extends RoomPlace {
  readonly memberId: string;
  readonly data: string;
  readonly createdAt: Date;
}

export interface RoomMemberRow {
  readonly id: string;
  readonly presence: string;
  readonly joinedAt: Date;
}

export interface RoomMembersNow {
  readonly members: readonly RoomMemberRow[];
  /** Changes with the members and their presence. */
  readonly print: string;
}

/** A room at entry. `state` is JSON text. */
export interface EnteredRoom {
  readonly seq: number;
  readonly version: number;
  readonly state: string;
  readonly members: RoomMemberRow[];
  /** Missed events; null where they are no longer all kept, or too large. */
  readonly missed: RoomEvent[] | null;
}

/** The key of a room in maps and signals. Ids have no space. */
export function textOf({ accountId, name }: RoomKey): string {
  return `${accountId} ${name}`;
}

export const EVENTS_KEPT_MS = 24 * 60 * 60 * 1000;
