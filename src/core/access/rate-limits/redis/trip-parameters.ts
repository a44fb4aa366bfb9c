import type { WaitingCall } from './waiting-call';

/** The KEYS and ARGV of take-calls.lua. */
export interface TripParameters {
  keys: string[];
  values: string[];
}

/** The parameters of take-calls.lua for these calls. Subjects and windows that several calls share are sent once. */
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

/** The position of a value, which is added at the end if it is new. Positions start at 1, as in Lua. */
function positionOf(value: string, positions: Map<string, number>): number {
  let position = positions.get(value);
  if (position === undefined) {
    position = positions.size + 1;
    positions.set(value, position);
  }
  return position;
}
