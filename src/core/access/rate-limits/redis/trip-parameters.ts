import type { WaitingCall } from './waiting-call';

export interface TripParameters {
  keys: string[];
  values: string[];
}

/** What take-calls.lua is given for these calls. Subjects and windows that several of them share are sent once. */
export function tripParameters(calls: readonly WaitingCall[], keyPrefix: string): TripParameters {
  const keys = new Map<string, number>();
  const windows = new Map<string, number>();
  const plans = calls.map(({ subjects, windows: ofSubjects, timeMs }) => {
    const plan: (number | false)[] = [timeMs ?? false];
    subjects.forEach(({ id }, index) => {
      plan.push(positionOf(`${keyPrefix}rate:${id}`, keys), positionOf(ofSubjects[index] ?? '[]', windows));
    });
    return plan;
  });
  const plan = `{"windows":[${[...windows.keys()].join()}],"calls":${JSON.stringify(plans)}}`;
  return { keys: [...keys.keys()], values: [plan] };
}

/** Lua counts from 1. */
function positionOf(value: string, positions: Map<string, number>): number {
  let position = positions.get(value);
  if (position === undefined) {
    position = positions.size + 1;
    positions.set(value, position);
  }
  return position;
}
