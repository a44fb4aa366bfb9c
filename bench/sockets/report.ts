import { cpus } from 'node:os';
import { isPinned } from '../pinning';
import { percentile } from '../statistics';
import {
  BUSY_SOCKETS,
  IDLE_SOCKETS,
  MEMBERS_PER_ROOM,
  MESSAGES_PER_SECOND,
  type SocketResults,
} from './measure';

/** What does not add up in a run: each message reaches each member of its room once. */
export function socketFailures({ latenciesMs, sent }: SocketResults): string[] {
  const expected = sent * MEMBERS_PER_ROOM;
  return latenciesMs.length === expected ? [] : [`${latenciesMs.length} of ${expected} messages arrived`];
}

/** The results as Markdown. */
export function socketsReport(results: SocketResults): string {
  const { idleKiB, latenciesMs, sent, seconds } = results;
  const ms = (share: number) => percentile(latenciesMs, share).toFixed(1);
  return [
    '# Sockets',
    'Written by `npm run bench`; do not edit.',
    [
      `One replica with ${IDLE_SOCKETS} idle sockets, and beside them ${BUSY_SOCKETS} in rooms of ${MEMBERS_PER_ROOM} members,`,
      `of which each says something ${MESSAGES_PER_SECOND} time a second for ${seconds} s. A message is kept in Postgres before`,
      'any member is told. Its time is that from its sending to its arrival at each member, the sender too.',
    ].join('\n'),
    `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores; Node ${process.version}; ${
      isPinned ? 'server on CPU 0, Postgres and clients on CPU 1' : 'not pinned'
    }.`,
    [
      '| | |',
      '| --- | --- |',
      `| memory of an idle socket | ${idleKiB === null ? '–' : `${idleKiB.toFixed(0)} KiB`} |`,
      `| messages said | ${sent}, ${(sent / seconds).toFixed(0)} a second |`,
      `| messages that arrived | ${latenciesMs.length} of ${sent * MEMBERS_PER_ROOM} |`,
      `| p50 of a message | ${ms(0.5)} ms |`,
      `| p99 of a message | ${ms(0.99)} ms |`,
    ].join('\n'),
  ].join('\n\n');
}
