export interface RoomKey {
  readonly accountId: string;
  readonly name: string;
}

export interface RoomPlace {
  readonly seq: number;
  /** The version that an update made; null for a message. */
  readonly version: number | null;
}

/** Something that was said or changed. `data` is JSON text. */
export interface RoomEvent extends RoomPlace {
  readonly memberId: string;
  readonly data: string;
  readonly createdAt: Date;
}

/** Somebody in a room. `presence` is JSON text. */
export interface RoomMemberRow {
  readonly id: string;
  readonly presence: string;
  readonly joinedAt: Date;
}

export interface RoomMembersNow {
  readonly members: readonly RoomMemberRow[];
  /** Another one where somebody else is there, or tells something else of itself. */
  readonly print: string;
}

/** A room as it is when somebody enters. `state` is JSON text. */
export interface EnteredRoom {
  readonly seq: number;
  readonly version: number;
  readonly state: string;
  readonly members: RoomMemberRow[];
  /** What was missed; null where not all of it is kept, or it is too much. */
  readonly missed: RoomEvent[] | null;
}

/** The text that stands for a room in maps and signals. Ids have no space. */
export function textOf({ accountId, name }: RoomKey): string {
  return `${accountId} ${name}`;
}

export const EVENTS_KEPT_MS = 24 * 60 * 60 * 1000;
