import { timed } from '../../work/timers';
import { Rooms } from './rooms.repository';

/** Deletes what was said in rooms a day after, and rooms that nobody entered for 90 days. */
export const ROOM_TIMERS = [
  timed({
    name: 'OldRoomEvents',
    everyMs: 60_000,
    of: Rooms,
    work: (rooms, { now, signal }) => rooms.sweep(now, signal),
  }),
];
