import type { Clock } from '../../../infrastructure/clock/clock';
import { ToolFault, type AgentTool, type AgentToolCall } from './agent-tool';

/** Tells the model the present time, which it cannot know by itself. */
export class CurrentTimeTool implements AgentTool {
  readonly name = 'time';
  readonly description = 'The present date and time, ISO 8601, and the day of the week.';
  readonly parameters = {
    type: 'object',
    additionalProperties: false,
    properties: {
      timezone: {
        type: 'string',
        maxLength: 100,
        description: 'IANA name such as Europe/Berlin; UTC when absent.',
      },
    },
  };

  constructor(private readonly clock: Clock) {}

  run({ parameters }: AgentToolCall): string {
    return inZone(this.clock.now(), (parameters.timezone as string | undefined) ?? 'UTC');
  }
}

/** Such as `2026-07-22T00:05:06+02:00 (Wednesday, Europe/Berlin)`. Throws ToolFault for an unknown time zone. */
function inZone(now: Date, timeZone: string): string {
  const parts = new Map(
    formatIn(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  const time = `${part('hour')}:${part('minute')}:${part('second')}`;
  return `${date}T${time}${offset} (${part('weekday')}, ${timeZone})`;
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    });
  } catch {
    throw new ToolFault('There is no such time zone; it has to be an IANA name.');
  }
}
